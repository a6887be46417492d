"""Scene of a run from the header of its log: tunnels, obstacles and bed.

Logs of the second schema have them in the notes, later ones of a simulation in the entry `scene`.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from remora.equations.algebra.vectors import add3, matvec3
from remora.files.arrays import Array
from remora.logs import RunHeader
from remora.world import CrossSection, Horseshoe, Rectangle, Round, Scene, Tunnel
from remora.world.ground.beds import Bed, FlatBed, ProfileBed
from remora.world.ground.grid_bed import GridBed
from remora.world.ground.obstacles import Ball, Box, Obstacle, Pipe

_ROUND = 24  # corners of a circle
_OBSTACLES: Mapping[str, Any] = {shape.__name__.lower(): shape for shape in (Box, Pipe, Ball)}
_BEDS: Mapping[str, Any] = {shape.__name__.lower(): shape for shape in (FlatBed, ProfileBed)}
_OLD_NOTES = {"tunnels": "tunnel", "obstacles": "obstacles", "bed": "bed"}


def scene_of(header: RunHeader) -> tuple[Scene, tuple[str, ...]]:
    """The scene of a run, and remarks on entries that cannot be read."""
    found: dict[str, Any] = {}
    remarks = []
    for name in _READERS:
        try:
            found[name] = _read(header, name)
        except ValueError as error:
            remarks.append(str(error))
    return Scene(**{name: value for name, value in found.items() if value is not None}), tuple(remarks)


class KeepOutCircle(NamedTuple):
    """Plan view of a keep-out zone, m."""

    north: float
    east: float
    radius: float


def keep_out_circles(header: RunHeader, vehicles: Iterable[str]) -> tuple[KeepOutCircle, ...]:
    """Keep-out zones of vehicles, each once."""
    zones = (zone for name in vehicles for zone in header.vehicles.get(name, {}).get("keep_out", ()))
    circles = (KeepOutCircle(zone["center"][0], zone["center"][1], zone["radius"]) for zone in zones)
    return tuple(dict.fromkeys(circles))


def tunnel_of(header: RunHeader) -> Tunnel | None:
    """The first tunnel, or None; ValueError when the entry cannot be read."""
    tunnels = _read(header, "tunnels")
    return tunnels[0] if tunnels else None


def _read(header: RunHeader, name: str) -> Any:
    """An entry of the scene; None where there is none."""
    try:
        data = header.scene.get(name)
        if data is None and _OLD_NOTES[name] in header.notes:
            note = json.loads(header.notes[_OLD_NOTES[name]])
            data = [note] if name == "tunnels" else note
        return None if data is None else _READERS[name](data)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise ValueError(f'the entry "{name}" in the header cannot be understood: {error!r}') from None


def _tunnels(data: Any) -> tuple[Tunnel, ...]:
    return tuple(_tunnel(note) for note in data)


def _tunnel(note: Mapping[str, Any]) -> Tunnel:
    length = note.get("length")
    return Tunnel(
        _section(note),
        start=tuple(map(float, note.get("start", (0.0, 0.0, 0.0)))),  # type: ignore[arg-type]
        heading=float(note.get("heading", 0.0)),
        slope=float(note.get("slope", 0.0)),
        length=math.inf if length is None else float(length),
    )


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


def _obstacles(data: Any) -> tuple[Obstacle, ...]:
    return tuple(_made(note, _OBSTACLES) for note in data)


def _bed(data: Any) -> Bed:
    if data["shape"] == "gridbed":
        return GridBed(tuple(data["norths"]), tuple(data["easts"]), np.array(data["depths"], dtype=float))
    bed: Bed = _made(data, _BEDS)
    return bed


_READERS: Mapping[str, Callable[[Any], Any]] = {"tunnels": _tunnels, "bed": _bed, "obstacles": _obstacles}


def _made(note: Any, shapes: Mapping[str, Any]) -> Any:
    """An object of a shape and its numbers; lists of numbers become tuples."""
    numbers = {key: tuple(value) if isinstance(value, list) else value for key, value in note.items()}
    return shapes[str(numbers.pop("shape"))](**numbers)


def outline(obstacle: Obstacle) -> Array:
    """Corners (north, east) of the plan view of an obstacle, in order."""
    from scipy.spatial import ConvexHull

    points = np.array(_edge(obstacle))[:, :2]
    return np.asarray(points[ConvexHull(points).vertices])


def _edge(obstacle: Obstacle) -> list[tuple[float, float, float]]:
    """Points on the edges of an obstacle, in N."""
    if isinstance(obstacle, Box):
        half = [0.5 * size for size in obstacle.size]
        corners = [(a * half[0], b * half[1], c * half[2]) for a, b, c in product((-1.0, 1.0), repeat=3)]
        return [add3(obstacle.center, matvec3(obstacle.R_NO, corner)) for corner in corners]
    turns = [2.0 * math.pi * k / _ROUND for k in range(_ROUND)]
    if isinstance(obstacle, Ball):
        n, e, d = obstacle.center
        return [(n + obstacle.radius * math.cos(turn), e + obstacle.radius * math.sin(turn), d) for turn in turns]
    assert isinstance(obstacle, Pipe)
    circle = [(obstacle.radius * math.cos(turn), obstacle.radius * math.sin(turn)) for turn in turns]
    return [
        add3(obstacle.start, matvec3(obstacle.R_NO, (along, y, z)))
        for along in (0.0, obstacle.length) for y, z in circle
    ]  # fmt: skip


def depths_below(bed: Bed, path: Array) -> Array:
    """Depth of the bed below each point (north, east) of a path, m; NaN where there is none."""
    found = [bed.depth_at(north, east) if math.isfinite(north + east) else None for north, east in path.tolist()]
    return np.array([math.nan if depth is None else depth for depth in found])
