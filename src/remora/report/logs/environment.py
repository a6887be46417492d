"""Recorded environment of a run, from the notes in the header of its log: tunnel, obstacles and bed."""

import json
import math
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from remora.equations.algebra.vectors import add3, matvec3
from remora.files.arrays import Array
from remora.logs import RunHeader
from remora.report.logs.tunnel import tunnel_of
from remora.world import Tunnel
from remora.world.ground.beds import Bed, FlatBed, ProfileBed
from remora.world.ground.obstacles import Ball, Box, Obstacle, Pipe

_ROUND = 24  # corners of a circle
_SHAPES: Mapping[str, Any] = {shape.__name__.lower(): shape for shape in (Box, Pipe, Ball)}
_BEDS: Mapping[str, Any] = {shape.__name__.lower(): shape for shape in (FlatBed, ProfileBed)}


class RecordedEnvironment(NamedTuple):
    """Tunnel, obstacles and bed of a run."""

    tunnel: Tunnel | None = None
    obstacles: tuple[Obstacle, ...] = ()
    bed: Bed | None = None


def environment_of(header: RunHeader) -> tuple[RecordedEnvironment, tuple[str, ...]]:
    """The environment of a run, and remarks on notes that cannot be read."""
    found, remarks = RecordedEnvironment(), []
    try:
        found = found._replace(tunnel=tunnel_of(header))
    except ValueError as error:
        remarks.append(str(error))
    readers: Mapping[str, Callable[[Any], Any]] = {"obstacles": _obstacles, "bed": _bed}
    for name, reader in readers.items():
        try:
            if name in header.notes:
                found = found._replace(**{name: reader(json.loads(header.notes[name]))})
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
            remarks.append(f'the note "{name}" in the header cannot be understood: {error}')
    return found, tuple(remarks)


def _obstacles(notes: Any) -> tuple[Obstacle, ...]:
    return tuple(_made(note, _SHAPES) for note in notes)


def _bed(note: Any) -> Bed:
    bed: Bed = _made(note, _BEDS)
    return bed


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
