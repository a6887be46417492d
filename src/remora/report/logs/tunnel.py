"""The tunnel of a run, from the notes in the header of its log."""

import json
import math
from collections.abc import Mapping
from typing import Any

from remora.logs import RunHeader
from remora.world import CrossSection, Horseshoe, Rectangle, Round, Tunnel

NOTE = "tunnel"


def tunnel_of(header: RunHeader) -> Tunnel | None:
    """The tunnel, or None; ValueError when the note cannot be read."""
    if NOTE not in header.notes:
        return None
    try:
        note = json.loads(header.notes[NOTE])
        length = note.get("length")
        return Tunnel(
            _section(note),
            start=tuple(map(float, note.get("start", (0.0, 0.0, 0.0)))),  # type: ignore[arg-type]
            heading=float(note.get("heading", 0.0)),
            slope=float(note.get("slope", 0.0)),
            length=math.inf if length is None else float(length),
        )
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise ValueError(f'the note "{NOTE}" in the header is no tunnel: {error}') from None


def _section(note: Mapping[str, Any]) -> CrossSection:
    kind = str(note["section"]).lower()
    if kind == "round":
        return Round(float(note["diameter"] if "diameter" in note else note["width"]))
    width, height = float(note["width"]), float(note["height"])
    if kind == "horseshoe":
        return Horseshoe(width, height)
    if kind == "rectangle":
        return Rectangle(width, height)
    raise ValueError(f'section "{kind}" is none of rectangle, round, horseshoe')
