"""Ray casting against tunnels, a level bed and obstacles that are packed into rows of numbers.

A row holds the shape, three sizes, the origin O of the shape in N and R_ON. `surface_distance` is one compiled call for
a ray; `ground_distance` and `ground_altitude` are for compiled code. All round as plain Python does.
"""

from enum import IntEnum
from functools import lru_cache
from typing import Any

import numpy as np
from numba import float64

from remora.equations.algebra.elementary import sqrt
from remora.equations.algebra.vectors import IDENTITY3, ZERO3, matvec3, scale3, subtract3
from remora.equations.geometry.rays import NO_HIT
from remora.equations.geometry.solids import ball_distance, box_distance, rod_distance
from remora.equations.geometry.tunnels import (
    horseshoe_tunnel_distance,
    rectangular_tunnel_distance,
    round_tunnel_distance,
)
from remora.equations.types import Matrix3, Vector3
from remora.files.arrays import Array
from remora.plant.strict.copies import strict_kernel

SIGNATURE = float64(float64[:, ::1], *(float64,) * 6)
DOWN: Vector3 = (0.0, 0.0, 1.0)
ROW_SIZE = 16
NO_GROUND: Array = np.empty((0, ROW_SIZE))


class Shape(IntEnum):
    """Shapes of the rows, and their sizes."""

    PLANE = 0  # depth; the level bottom of open water, the only row
    LEVEL_BED = 1  # depth
    RECTANGLE = 2  # half width, half height, length of a tunnel
    ROUND = 3  # radius, 0, length of a tunnel
    HORSESHOE = 4  # half width, half height, length of a tunnel
    BOX = 5  # half sizes
    ROD = 6  # radius, length
    BALL = 7  # radius


LAST_TUNNEL = Shape.HORSESHOE


def ground_row(shape: Shape, sizes: Vector3, p_NO: Vector3 = ZERO3, R_ON: Matrix3 = IDENTITY3) -> tuple[float, ...]:
    """A row of the ground: a shape with its sizes, m, as listed in `Shape`, its origin in N, m, and its axes."""
    return (float(shape), *sizes, *p_NO, *R_ON[0], *R_ON[1], *R_ON[2])


def _vector(rows: Array, i: int, start: int) -> Vector3:
    return (rows[i, start], rows[i, start + 1], rows[i, start + 2])


def _axes(rows: Array, i: int) -> Matrix3:
    return (_vector(rows, i, 7), _vector(rows, i, 10), _vector(rows, i, 13))


def _level_distance(depth: float, origin: Vector3, direction: Vector3) -> float:
    """Distance to a level bottom, from above only."""
    above = depth - origin[2]
    return above / direction[2] if above >= 0.0 and direction[2] > 0.0 else NO_HIT


def _shape_distance(rows: Array, i: int, origin_N: Vector3, direction_N: Vector3) -> float:
    """Distance along a ray to the shape of a row."""
    shape, a, b, c = int(rows[i, 0]), rows[i, 1], rows[i, 2], rows[i, 3]
    if shape <= Shape.LEVEL_BED:
        return _level_distance(a, origin_N, direction_N)
    R_ON = _axes(rows, i)
    if Shape.RECTANGLE <= shape <= LAST_TUNNEL:
        x, y, z = direction_N
        size = sqrt(x * x + y * y + z * z)
        direction_N = (x / size, y / size, z / size)
    start = subtract3(origin_N, _vector(rows, i, 4))
    if shape == Shape.BALL:
        return ball_distance(start, direction_N, a)
    origin, direction = matvec3(R_ON, start), matvec3(R_ON, direction_N)
    if shape == Shape.RECTANGLE:
        return rectangular_tunnel_distance(origin, direction, a, b, c)
    if shape == Shape.ROUND:
        return round_tunnel_distance(origin, direction, a, c)
    if shape == Shape.HORSESHOE:
        return horseshoe_tunnel_distance(origin, direction, a, b, c)
    if shape == Shape.BOX:
        return box_distance(origin, direction, (a, b, c))
    return rod_distance(origin, direction, a, b)


def _is_direct(shape: int) -> bool:
    """Whether a single row of this shape takes the direction as it is."""
    return shape != Shape.LEVEL_BED and shape <= LAST_TUNNEL


def ground_distance(rows: Array, origin_N: Vector3, direction_N: Vector3) -> float:
    """Distance from a point along a direction in N to the first surface, m.

    It is infinite without a surface, and NaN for a NaN or no direction.
    """
    count = rows.shape[0]
    if count == 1 and _is_direct(int(rows[0, 0])):
        return _shape_distance(rows, 0, origin_N, direction_N)
    x, y, z = direction_N
    ahead = scale3(1.0 / sqrt(x * x + y * y + z * z), direction_N)
    nearest = NO_HIT
    for i in range(count):
        found = _shape_distance(rows, i, origin_N, ahead)
        if not found >= nearest:
            nearest = found
    return nearest


def ground_altitude(rows: Array, p_N: Vector3) -> float:
    """Height of a point above the first surface straight below, m; infinite without one."""
    if rows.shape[0] == 1 and int(rows[0, 0]) == Shape.PLANE:
        return rows[0, 1] - p_N[2]
    return ground_distance(rows, p_N, DOWN)


def _ray(rows: Array, x: float, y: float, z: float, a: float, b: float, c: float) -> float:
    return ground_distance(rows, (x, y, z), (a, b, c))


@lru_cache(maxsize=1)
def ray_kernel() -> Any:
    """Compiled `ground_distance` of rows, three numbers of the origin and three of the direction."""
    return strict_kernel(_ray, SIGNATURE, "ray casting", 5)
