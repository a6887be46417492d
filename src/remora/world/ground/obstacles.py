"""Obstacles in the water: boxes, cylinders and spheres, with ray casting and nearest surface."""

import math
from dataclasses import dataclass, field
from typing import Protocol, final

from remora.equations.algebra.quaternions import rotation_y, rotation_z
from remora.equations.algebra.vectors import ZERO3, add3, matmul3, matvec3, scale3, subtract3, transpose3
from remora.equations.geometry.solids import (
    Nearest,
    ball_distance,
    ball_nearest,
    box_distance,
    box_nearest,
    rod_distance,
    rod_nearest,
)
from remora.equations.types import Matrix3, Vector3
from remora.world.number_checks import check_finite


class Obstacle(Protocol):
    """A named obstacle."""

    @property
    def name(self) -> str:
        """Name in the log."""

    def distance(self, origin_N: Vector3, direction_N: Vector3) -> float:
        """Distance along a unit vector to its surface, from outside or inside, m; infinite if there is none."""

    def nearest(self, p_N: Vector3) -> Nearest:
        """Its nearest surface."""


@final
@dataclass(frozen=True)
class Box:
    """A box: its size is length, width and height, m; a positive slope lifts its front."""

    name: str
    center: Vector3  # m in N
    size: Vector3
    heading: float = 0.0  # rad
    slope: float = 0.0  # rad
    R_NO: Matrix3 = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_finite(f"the place of {self.name}", (*self.center, self.heading, self.slope))
        _check_sizes(self.name, self.size)
        object.__setattr__(self, "R_NO", matmul3(rotation_z(self.heading), rotation_y(self.slope)))

    def distance(self, origin_N: Vector3, direction_N: Vector3) -> float:
        """See `Obstacle`."""
        R_ON = transpose3(self.R_NO)
        start = matvec3(R_ON, subtract3(origin_N, self.center))
        return box_distance(start, matvec3(R_ON, direction_N), scale3(0.5, self.size))

    def nearest(self, p_N: Vector3) -> Nearest:
        """See `Obstacle`."""
        place = matvec3(transpose3(self.R_NO), subtract3(p_N, self.center))
        distance, normal = box_nearest(place, scale3(0.5, self.size))
        return Nearest(distance, matvec3(self.R_NO, normal))


@final
@dataclass(frozen=True)
class Pipe:
    """A solid cylinder between two points, with flat ends."""

    name: str
    start: Vector3  # m in N
    end: Vector3
    radius: float  # m
    length: float = field(init=False)
    R_NO: Matrix3 = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_finite(f"the place of {self.name}", (*self.start, *self.end))
        n, e, d = subtract3(self.end, self.start)
        length = math.sqrt(n * n + e * e + d * d)
        _check_sizes(self.name, (self.radius, length))
        along = matmul3(rotation_z(math.atan2(e, n)), rotation_y(-math.asin(max(-1.0, min(1.0, d / length)))))
        object.__setattr__(self, "length", length)
        object.__setattr__(self, "R_NO", along)

    def distance(self, origin_N: Vector3, direction_N: Vector3) -> float:
        """See `Obstacle`."""
        R_ON = transpose3(self.R_NO)
        start = matvec3(R_ON, subtract3(origin_N, self.start))
        return rod_distance(start, matvec3(R_ON, direction_N), self.radius, self.length)

    def nearest(self, p_N: Vector3) -> Nearest:
        """See `Obstacle`."""
        place = matvec3(transpose3(self.R_NO), subtract3(p_N, self.start))
        distance, normal = rod_nearest(place, self.radius, self.length)
        return Nearest(distance, matvec3(self.R_NO, normal))


@final
@dataclass(frozen=True)
class Ball:
    """A sphere."""

    name: str
    center: Vector3  # m in N
    radius: float  # m

    def __post_init__(self) -> None:
        check_finite(f"the place of {self.name}", self.center)
        _check_sizes(self.name, (self.radius,))

    def distance(self, origin_N: Vector3, direction_N: Vector3) -> float:
        """See `Obstacle`."""
        return ball_distance(subtract3(origin_N, self.center), direction_N, self.radius)

    def nearest(self, p_N: Vector3) -> Nearest:
        """See `Obstacle`."""
        return ball_nearest(subtract3(p_N, self.center), self.radius)


def bounding_sphere(obstacle: Obstacle) -> tuple[Vector3, float]:
    """Centre in N and radius of a sphere around an obstacle, m; infinite for one of an unknown shape."""
    if isinstance(obstacle, Box):
        return obstacle.center, 0.5 * math.hypot(*obstacle.size)
    if isinstance(obstacle, Pipe):
        middle = scale3(0.5, add3(obstacle.start, obstacle.end))
        return middle, math.hypot(0.5 * obstacle.length, obstacle.radius)
    return (obstacle.center, obstacle.radius) if isinstance(obstacle, Ball) else (ZERO3, math.inf)


def _check_sizes(name: str, sizes: tuple[float, ...]) -> None:
    if not all(0.0 < size < math.inf for size in sizes):
        raise ValueError(f"sizes of {name} are {sizes}: give positive numbers of metres")
