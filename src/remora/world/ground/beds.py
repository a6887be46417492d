"""Seabed: flat, or a profile along one direction. Depths are z in N.

A ray meets a bed from above only; from below nothing is seen. See `grid_bed` for beds on a grid.
"""

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.vectors import dot3, scale3
from remora.equations.geometry.solids import Nearest, segment_point
from remora.equations.types import Vector3
from remora.world.number_checks import between, check_finite, check_growing

UP: Vector3 = (0.0, 0.0, -1.0)
_ON_SURFACE = 1e-9  # m: nearer than this the normal of the surface is used instead of the direction to it


class Bed(Protocol):
    """Seabed."""

    def depth_at(self, north: float, east: float) -> float | None:
        """z of the bed at a position, m; None if there is none."""

    def distance(self, origin_N: Vector3, direction_N: Vector3) -> float | None:
        """Distance along a unit vector to the bed, from above, m; None if there is none."""

    def nearest(self, p_N: Vector3, reach: float = math.inf) -> Nearest | None:
        """Signed distance to the bed, negative in the ground, and normal; None beyond the reach."""


@final
@dataclass(frozen=True)
class FlatBed:
    """A level bed."""

    depth: float  # m, z in N

    def __post_init__(self) -> None:
        check_finite("depth of the bed", (self.depth,))

    def depth_at(self, north: float, east: float) -> float | None:
        """See `Bed`."""
        return self.depth

    def distance(self, origin_N: Vector3, direction_N: Vector3) -> float | None:
        """See `Bed`."""
        above = self.depth - origin_N[2]
        return above / direction_N[2] if above >= 0.0 and direction_N[2] > 0.0 else None

    def distances(self, origin_N: Vector3, directions_N: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same along many unit vectors, a row each; infinite without a surface."""
        above, down = self.depth - origin_N[2], directions_N[:, 2]
        meets = (down > 0.0) & (above >= 0.0)
        return np.divide(above, down, out=np.full_like(down, math.inf), where=meets)

    def nearest(self, p_N: Vector3, reach: float = math.inf) -> Nearest | None:
        """See `Bed`."""
        above = self.depth - p_N[2]
        return Nearest(above, UP) if above <= reach else None


@final
@dataclass(frozen=True)
class ProfileBed:
    """Bed with a depth profile along a line, constant across it: piecewise linear, level beyond the ends.

    Raises a ValueError when distances do not grow, or depths are missing or not finite.
    """

    distances: tuple[float, ...]  # m along the line from its start, growing
    depths: tuple[float, ...]  # z in N at each, m
    start: tuple[float, float] = (0.0, 0.0)  # m, north and east
    heading: float = 0.0  # rad from north to east

    def __post_init__(self) -> None:
        if not self.distances or len(self.distances) != len(self.depths):
            raise ValueError(
                f"{len(self.distances)} distances and {len(self.depths)} depths of the bed: give one depth for each"
            )
        check_growing("distances of the bed", self.distances)
        check_finite("depths of the bed", (*self.depths, *self.start, self.heading))

    def depth_at(self, north: float, east: float) -> float | None:
        """See `Bed`."""
        return self._depth(self._along(north, east))[0]

    def distance(self, origin_N: Vector3, direction_N: Vector3) -> float | None:
        """See `Bed`."""
        s = self._along(origin_N[0], origin_N[1])
        rate = direction_N[0] * math.cos(self.heading) + direction_N[1] * math.sin(self.heading)
        stops = np.array([0.0])
        if rate != 0.0:
            crossings = (np.array(self.distances) - s) / rate
            stops = np.concatenate([stops, np.sort(crossings[crossings > 0.0])])
        # Beyond the last stop the bed is straight; one metre more gives its slope.
        stops = np.append(stops, stops[-1] + 1.0)
        bed = np.interp(s + rate * stops, self.distances, self.depths)
        return first_meeting(stops, bed - origin_N[2] - direction_N[2] * stops, goes_on=True)

    def nearest(self, p_N: Vector3, reach: float = math.inf) -> Nearest | None:
        """See `Bed`."""
        if self._shallowest - p_N[2] > reach:
            return None
        s, z = self._along(p_N[0], p_N[1]), p_N[2]
        depth, slope = self._depth(s)
        if (depth - z) * self._least_share > reach + _ON_SURFACE:
            return None
        far = max(abs(depth - z), 1.0) + abs(s) + abs(self.distances[0]) + abs(self.distances[-1])
        line = [(-far, self.depths[0]), *zip(self.distances, self.depths, strict=True), (far, self.depths[-1])]
        points = np.array(line)
        point: Any = (s, 0.0, z)
        a: Any = (points[:-1, 0], 0.0, points[:-1, 1])
        b: Any = (points[1:, 0], 0.0, points[1:, 1])
        found: Any = segment_point(point, a, b)
        i = int(np.argmin((found[0] - s) ** 2 + (found[2] - z) ** 2))
        away = (s - float(found[0][i]), 0.0, z - float(found[2][i]))
        length = math.sqrt(1.0 + slope * slope)
        flat = signed_nearest(away, depth >= z, (slope / length, 0.0, -1.0 / length))
        if flat.distance > reach:
            return None
        x, _, down = flat.normal
        return Nearest(flat.distance, (x * math.cos(self.heading), x * math.sin(self.heading), down))

    @cached_property
    def _shallowest(self) -> float:
        return min(self.depths)

    @cached_property
    def _least_share(self) -> float:
        """Least distance to the bed over the height above it: the cosine of the steepest slope."""
        points = list(zip(self.distances, self.depths, strict=True))
        slopes = [(d1 - d0) / (s1 - s0) for (s0, d0), (s1, d1) in itertools.pairwise(points)]
        return 1.0 / math.hypot(1.0, max(map(abs, slopes), default=0.0))

    def _along(self, north: float, east: float) -> float:
        n, e = north - self.start[0], east - self.start[1]
        return n * math.cos(self.heading) + e * math.sin(self.heading)

    def _depth(self, s: float) -> tuple[float, float]:
        """Depth and slope along the line."""
        lower, upper, share, rate = between(self.distances, s)
        step = self.depths[upper] - self.depths[lower]
        return self.depths[lower] + share * step, rate * step


def signed_nearest(away: Vector3, is_above: bool, normal: Vector3) -> Nearest:
    """Nearest surface from the vector to a point, and the surface normal for a point on it."""
    distance = math.sqrt(dot3(away, away))
    if distance > _ON_SURFACE:
        normal = scale3((1.0 if is_above else -1.0) / distance, away)
    return Nearest(distance if is_above else -distance, normal)


def first_meeting(stops: NDArray[np.float64], gaps: NDArray[np.float64], goes_on: bool) -> float | None:
    """First zero crossing of a clearance that is linear between stops along a ray.

    None when it starts below zero or never falls so far; with `goes_on` the last piece has no end. Each piece is
    solved for itself and the gap is continuous, so no ray slips through where pieces join.
    """
    if not gaps[0] >= 0.0:
        return None
    below = np.flatnonzero((gaps[:-1] >= 0.0) & (gaps[1:] < 0.0))
    i = int(below[0]) if below.size else len(gaps) - 2
    fall = float(gaps[i] - gaps[i + 1])
    if not below.size and not (goes_on and fall > 0.0 and gaps[i] >= 0.0):
        return None
    return float(stops[i]) + float(stops[i + 1] - stops[i]) * float(gaps[i]) / fall
