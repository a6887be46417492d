"""From the entry `watch` of a scenario or of one of its vehicles to a `Watch`. docs/scenarios.md explains each key."""

import math
from dataclasses import replace
from typing import Annotated, Any, TypeAlias

from remora.files.problems import Path
from remora.files.quantities import Is, Quantity, not_negative, positive
from remora.files.section import Section
from remora.files.units import ANGLE, LENGTH, RATIO
from remora.messages.part_options import Duration
from remora.simulation.monitoring.limits import NAMES, NOTHING, Watch
from remora.simulation.scenarios.problems import Desk

Distance: TypeAlias = Annotated[Quantity[float], Is(LENGTH, rule=not_negative)]


def _part(value: float) -> str | None:
    return None if 0.0 < value < 1.0 else "must lie between 0 and 1, e.g. 50 %."


Part: TypeAlias = Annotated[Quantity[float], Is(RATIO, rule=_part)]


def _reserve(value: float) -> str | None:
    return None if 0.0 <= value < 1.0 else "must be at least 0 and below 1, e.g. 20 %."


def _turn(value: float) -> str | None:
    return None if 0.0 < value <= math.pi else "must be above zero and at most 180 deg."


Turn: TypeAlias = Annotated[Quantity[float], Is(ANGLE, rule=_turn)]


class WatchSection(Section):
    """A bound for each thing that is watched; `off` and `on` are read before."""

    upside_down: Turn | None = None
    tilt: Turn | None = None
    above_surface: Distance | None = None
    below_bed: Distance | None = None
    overlap: Distance | None = None
    tracking: Annotated[Quantity[float], Is(LENGTH, rule=positive)] | None = None
    heading: Turn | None = None
    speed: Part | None = None
    at_limit: Part | None = None
    battery: Annotated[Quantity[float], Is(RATIO, rule=_reserve)] | None = None
    tether: Part | None = None
    waiting: Duration | None = None
    unfinished: bool | None = None  # on or off, never a bound


def watch_from(given: Any, path: Path, usual: Watch, desk: Desk) -> Watch:
    """The watch that an entry describes; what it does not name is as usual, and findings go to the desk."""
    if given is None:
        return usual
    if isinstance(given, str | bool):
        return _as_a_whole(given, path, desk)
    entries = given if isinstance(given, dict) else {}
    words = {key: value for key, value in entries.items() if key in NAMES and _is_word(value)}
    bounds = {key: value for key, value in entries.items() if key not in words} if entries else given
    section = desk.section(WatchSection, bounds, path)
    if section is None:
        return usual
    chosen: dict[str, Any] = {name: found.value for name in NAMES if (found := getattr(section, name)) is not None}
    chosen |= {key: getattr(Watch(), key) if value in (True, "on") else None for key, value in words.items()}
    return replace(usual, **chosen)


def _is_word(value: Any) -> bool:
    return isinstance(value, bool) or value in ("on", "off")


def _as_a_whole(given: str | bool, path: Path, desk: Desk) -> Watch:
    """All or nothing."""
    if given in (False, "off"):
        return NOTHING
    if given not in (True, "on"):
        desk.refuse(path, f"expected off, on, or a mapping with any of {', '.join(NAMES)}.")
    return Watch()
