"""Straight flooded tunnels with ray casting and clearance, and their cross-sections.

Tunnel axes T: x along the tunnel from its start, y to the right, z down (tilted with the slope). The origin is in the
middle of the section at the start. Coordinates of a section are across, positive to the right, and down, both from its
middle: half its width and half its height away from the walls.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.quaternions import rotation_y, rotation_z
from remora.equations.algebra.vectors import add3, matmul3, matvec3, subtract3, transpose3
from remora.equations.geometry import tunnels
from remora.equations.geometry.solids import Nearest
from remora.equations.types import Matrix3, Vector3


class Wall(NamedTuple):
    """A piece of the wall relative to a point."""

    clearance: float  # m, positive inside
    across: float  # unit vector into the tunnel
    down: float


class CrossSection(ABC):
    """Constant cross-section of a tunnel."""

    @property
    @abstractmethod
    def size(self) -> tuple[float, float]:
        """Largest width and height, m."""

    @abstractmethod
    def ray_distance(self, origin_T: Vector3, direction_T: Vector3, length: float) -> float:
        """Distance along a ray in tunnel axes to the wall between 0 and the length; infinite if there is none."""

    @abstractmethod
    def clearance(self, across: float, down: float) -> float:
        """Distance to the outline: positive inside, negative outside."""

    @abstractmethod
    def walls(self, across: float, down: float) -> tuple[Wall, ...]:
        """Pieces of the wall that face a point of the section."""

    @abstractmethod
    def outline(self, points: int = 64) -> tuple[tuple[float, float], ...]:
        """Points (across, down) around the outline, clockwise looking ahead, closed."""


@final
@dataclass(frozen=True)
class Rectangle(CrossSection):
    """A rectangular section; a ValueError when a size is not positive."""

    width: float
    height: float

    def __post_init__(self) -> None:
        _check(width=self.width, height=self.height)

    @property
    def size(self) -> tuple[float, float]:
        """See `CrossSection`."""
        return (self.width, self.height)

    def ray_distance(self, origin_T: Vector3, direction_T: Vector3, length: float) -> float:
        """See `CrossSection`."""
        return tunnels.rectangular_tunnel_distance(origin_T, direction_T, 0.5 * self.width, 0.5 * self.height, length)

    def clearance(self, across: float, down: float) -> float:
        """See `CrossSection`."""
        return tunnels.rectangle_clearance(across, down, 0.5 * self.width, 0.5 * self.height)

    def walls(self, across: float, down: float) -> tuple[Wall, ...]:
        """The four walls."""
        w, h = 0.5 * self.width, 0.5 * self.height
        return (*_side_walls(across, w), Wall(h - down, 0.0, -1.0), Wall(h + down, 0.0, 1.0))

    def outline(self, points: int = 64) -> tuple[tuple[float, float], ...]:
        """The four corners, whatever the number of points."""
        w, h = 0.5 * self.width, 0.5 * self.height
        return ((-w, -h), (w, -h), (w, h), (-w, h), (-w, -h))


@final
@dataclass(frozen=True)
class Round(CrossSection):
    """A round section; a ValueError when the diameter is not positive."""

    diameter: float

    def __post_init__(self) -> None:
        _check(diameter=self.diameter)

    @property
    def size(self) -> tuple[float, float]:
        """See `CrossSection`."""
        return (self.diameter, self.diameter)

    def ray_distance(self, origin_T: Vector3, direction_T: Vector3, length: float) -> float:
        """See `CrossSection`."""
        return tunnels.round_tunnel_distance(origin_T, direction_T, 0.5 * self.diameter, length)

    def clearance(self, across: float, down: float) -> float:
        """See `CrossSection`."""
        return tunnels.round_clearance(across, down, 0.5 * self.diameter)

    def walls(self, across: float, down: float) -> tuple[Wall, ...]:
        """The wall."""
        return (_circle(across, down, 0.5 * self.diameter),)

    def outline(self, points: int = 64) -> tuple[tuple[float, float], ...]:
        """See `CrossSection`."""
        return _arc(0.5 * self.diameter, 0.0, -math.pi, math.pi, points)


@final
@dataclass(frozen=True)
class Horseshoe(CrossSection):
    """Horseshoe: a semicircular vault on vertical walls and a flat floor.

    Raises a ValueError when a size is not positive, or the height leaves no room for the vault.
    """

    width: float
    height: float

    def __post_init__(self) -> None:
        _check(width=self.width, height=self.height)
        if self.height < 0.5 * self.width:
            raise ValueError(
                f"a horseshoe {self.width:g} m wide has a vault of {0.5 * self.width:g} m, more than its height of "
                f"{self.height:g} m: make it higher or narrower"
            )

    @property
    def size(self) -> tuple[float, float]:
        """See `CrossSection`."""
        return (self.width, self.height)

    def ray_distance(self, origin_T: Vector3, direction_T: Vector3, length: float) -> float:
        """See `CrossSection`."""
        return tunnels.horseshoe_tunnel_distance(origin_T, direction_T, 0.5 * self.width, 0.5 * self.height, length)

    def clearance(self, across: float, down: float) -> float:
        """See `CrossSection`."""
        return tunnels.horseshoe_clearance(across, down, 0.5 * self.width, 0.5 * self.height)

    def walls(self, across: float, down: float) -> tuple[Wall, ...]:
        """The floor, and above it the two walls or the vault."""
        w, h = 0.5 * self.width, 0.5 * self.height
        floor, spring = Wall(h - down, 0.0, -1.0), w - h
        return (floor, *_side_walls(across, w)) if down > spring else (floor, _circle(across, down - spring, w))

    def outline(self, points: int = 64) -> tuple[tuple[float, float], ...]:
        """See `CrossSection`."""
        w, h = 0.5 * self.width, 0.5 * self.height
        vault = _arc(w, w - h, -0.5 * math.pi, 0.5 * math.pi, max(points - 3, 2))
        return (*vault, (w, h), (-w, h), vault[0])


def _side_walls(across: float, half_width: float) -> tuple[Wall, Wall]:
    """The walls to the right and to the left."""
    return (Wall(half_width - across, -1.0, 0.0), Wall(half_width + across, 1.0, 0.0))


def _circle(across: float, down: float, radius: float) -> Wall:
    """A round wall; at its centre any direction is inward."""
    from_middle = math.hypot(across, down)
    if from_middle == 0.0:
        return Wall(radius, 0.0, -1.0)
    return Wall(tunnels.round_clearance(across, down, radius), -across / from_middle, -down / from_middle)


def _arc(radius: float, center: float, first: float, last: float, points: int) -> tuple[tuple[float, float], ...]:
    """Points of a circle from one angle to another; the angle is zero at the top and grows to the right."""
    angles = [first + (last - first) * i / (points - 1) for i in range(points)]
    return tuple((radius * math.sin(angle), center - radius * math.cos(angle)) for angle in angles)


def _check(**sizes: float) -> None:
    for name, size in sizes.items():
        if not 0.0 < size < math.inf:
            raise ValueError(f"{name} of a tunnel is {size}: give a positive number of metres")


@final
@dataclass(frozen=True)
class Tunnel:
    """A straight tunnel with open ends.

    Raises a ValueError when a number is not finite, the slope is not between plus and minus 90 degrees, or the length
    is not positive.
    """

    section: CrossSection
    start: Vector3 = (0.0, 0.0, 0.0)  # of the middle line, m in N
    heading: float = 0.0  # of the middle line over ground, rad from north to east
    slope: float = 0.0  # rad; positive goes up, as a positive pitch does
    length: float = math.inf  # m; infinite for a tunnel without an end ahead
    R_NT: Matrix3 = field(init=False, repr=False, compare=False)
    R_TN: Matrix3 = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not all(math.isfinite(x) for x in (*self.start, self.heading)) or len(self.start) != 3:
            raise ValueError(f"tunnel starts at {self.start} with heading {self.heading}: give finite numbers")
        if not abs(self.slope) < 0.5 * math.pi:
            raise ValueError(f"slope of the tunnel is {self.slope} rad: give less than a quarter turn")
        if not self.length > 0.0:
            raise ValueError(f"length of the tunnel is {self.length}: give a positive number of metres")
        R_NT = matmul3(rotation_z(self.heading), rotation_y(self.slope))
        # Derived from heading and slope, set once.
        object.__setattr__(self, "R_NT", R_NT)
        object.__setattr__(self, "R_TN", transpose3(R_NT))

    def distance(self, origin_N: Iterable[float], direction_N: Iterable[float]) -> float | None:
        """Distance from a point along a direction to the first wall, m; None if there is none.

        A ray that leaves through an open end meets no wall. Seen from outside, the wall is met as well. Raises a
        ValueError when a number is NaN or the direction has no length.
        """
        x, y, z = map(float, origin_N)
        a, b, c = map(float, direction_N)
        size = math.sqrt(a * a + b * b + c * c)
        if not size > 0.0:
            raise ValueError(f"direction of a ray is {(a, b, c)}: give a vector with a length")
        ahead = matvec3(self.R_TN, (a / size, b / size, c / size))
        hit = self.section.ray_distance(matvec3(self.R_TN, subtract3((x, y, z), self.start)), ahead, self.length)
        if hit != hit:
            raise ValueError(f"ray from {(x, y, z)} along {(a, b, c)} holds a NaN: give finite numbers")
        return hit if hit < math.inf else None

    def distances(self, origin_N: Vector3, directions_N: NDArray[np.float64]) -> NDArray[np.float64]:
        """Distances from one point along many unit vectors, a row each, m; infinite without a wall, NaN for a NaN.

        The same equations as `distance`, on arrays: a ray costs a tenth and less when there are hundreds.
        """
        columns: Any = tuple(directions_N.T)
        start, ahead = self.in_tunnel_axes(origin_N), matvec3(self.R_TN, columns)
        with np.errstate(over="ignore", invalid="ignore"):  # rays that run along a wall, which `rays` sorts out
            return np.asarray(self.section.ray_distance(start, ahead, self.length), dtype=float)

    def in_tunnel_axes(self, point_N: Iterable[float]) -> Vector3:
        """A point of N as (distance along the tunnel, across to the right, down), m."""
        x, y, z = map(float, point_N)
        return matvec3(self.R_TN, subtract3((x, y, z), self.start))

    def clearance(self, point_N: Iterable[float]) -> float:
        """Clearance of a point from the wall, m: negative in the rock. The tunnel is continued beyond its ends."""
        _, across, down = self.in_tunnel_axes(point_N)
        return self.section.clearance(across, down)

    def nearest_walls(self, point_N: Iterable[float], reach: float) -> tuple[Nearest, ...]:
        """Walls within a reach of a point between the two ends, with inward normals; none deep in the rock."""
        along, across, down = self.in_tunnel_axes(point_N)
        if not 0.0 <= along <= self.length or self.section.clearance(across, down) < -reach:
            return ()
        return tuple(
            Nearest(wall.clearance, matvec3(self.R_NT, (0.0, wall.across, wall.down)))
            for wall in self.section.walls(across, down)
            if wall.clearance <= reach
        )

    def is_inside(self, point_N: Iterable[float]) -> bool:
        """Whether a point lies in the water between the two ends."""
        along, across, down = self.in_tunnel_axes(point_N)
        return 0.0 <= along <= self.length and self.section.clearance(across, down) > 0.0

    def point(self, along: float, across: float = 0.0, down: float = 0.0) -> Vector3:
        """Point in N from the distances along, right of and below the centre line, m."""
        return add3(self.start, matvec3(self.R_NT, (along, across, down)))

    def outline(self, along: float, points: int = 64) -> tuple[Vector3, ...]:
        """Closed outline of the section at a distance from the start (m), as points in N."""
        return tuple(self.point(along, across, down) for across, down in self.section.outline(points))

    @property
    def direction(self) -> Vector3:
        """Unit vector along the tunnel, in N."""
        return (self.R_NT[0][0], self.R_NT[1][0], self.R_NT[2][0])
