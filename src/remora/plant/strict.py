"""Kernels that round as plain Python does: copies of functions, ray casting, recursions, waves.

The plant is compiled with fused multiply-add, which rounds once where Python rounds twice. Sensors must give the same
bits in the loop and over a recorded motion, compiled or not, so their functions are compiled from copies without it.
Sines and the like are those of the C library in both.
"""

from collections.abc import Iterator, Mapping
from enum import IntEnum
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, final

import numba
import numpy as np
from numba import float64, void

from remora.equations.algebra import elementary
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
from remora.equations.water.waves import RegularWave, wave_motion
from remora.files.arrays import Array
from remora.plant import registration  # the elementary functions for compiled code
from remora.plant.compilation import from_cache

OPTIONS: dict[str, Any] = {"error_model": registration.OPTIONS["error_model"], "fastmath": False, "_nrt": False}


@final
class StrictCopies:
    """Compiled copies of functions and of all functions that they call by name; each is made once.

    Compiled code calls the values of `replaced` in place of its keys.
    """

    def __init__(self, replaced: Mapping[Any, Any] | None = None) -> None:
        self._replaced: Mapping[Any, Any] = replaced or {}
        self._made: dict[FunctionType, Any] = {}

    def compiled(self, function: Any) -> Any:
        """The compiled copy of a plain function on numbers, tuples and arrays."""
        function = self._replaced.get(function, function)
        if function not in self._made:
            self._made[function] = numba.njit(**OPTIONS)(self.copied(function))
        return self._made[function]

    def copied(self, function: Any) -> Any:
        """A plain copy that calls compiled copies, for a compilation with a signature and a cache."""
        known = function.__globals__
        called = {
            name: self.compiled(known[name])
            for name in _names(function.__code__)
            if isinstance(known.get(name), FunctionType) and known[name].__module__ != elementary.__name__
        }
        names, defaults = {**known, **called}, function.__defaults__
        copy = FunctionType(function.__code__, names, function.__name__, defaults, function.__closure__)
        copy.__module__ = function.__module__
        return copy


def strict_kernel(function: Any, signature: Any, part: str, seconds: int, *others: Any) -> Any:
    """A plain function as machine code that rounds as plain Python does, from the cache or compiled now.

    The signature has its types in Numba; part and usual seconds of the compilation are for messages. `others` are
    functions that it calls from other files outside `equations` and `plant`.
    """

    def make(options: dict[str, Any]) -> Any:
        return numba.njit(signature, **strict_options(options))(StrictCopies().copied(function))

    sources = (Path(each.__code__.co_filename).read_bytes() for each in (function, *others))
    return from_cache(part, make, seconds=seconds, key=sha256(b"\0".join(sources)).hexdigest()[:24])


def strict_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of Numba without fused multiply-add, for short calls (which need not release the interpreter lock)."""
    return {**options, "fastmath": False, "nogil": False}


def _names(code: CodeType) -> Iterator[str]:
    """Global names of a function and of those inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


RAY_SIGNATURE = float64(float64[:, ::1], *(float64,) * 6)
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
    return strict_kernel(_ray, RAY_SIGNATURE, "ray casting", 5)


_table = float64[:, ::1]
RECURSION_SIGNATURE = void(_table, _table, _table)


def recursion(kept: Array, increments: Array, values: Array) -> None:
    """Fill values with x[k] = kept[k] x[k - 1] + increments[k], from zero."""
    for i in range(values.shape[1]):
        value = 0.0
        for k in range(values.shape[0]):
            value = kept[k, i] * value + increments[k, i]
            values[k, i] = value


def accumulate(kept: Array, increments: Array) -> Array:
    """Rows of x[k] = kept[k] x[k - 1] + increments[k], from zero."""
    values = np.empty_like(increments)
    _recursion_kernel()(np.ascontiguousarray(kept), np.ascontiguousarray(increments), values)
    return values


@lru_cache(maxsize=1)
def _recursion_kernel() -> Any:
    return strict_kernel(recursion, RECURSION_SIGNATURE, "a recursion", 1)


SUMS = 13  # elevation, velocity, gradient (nn, ne, nd, ee, ed), rate and head
WAVE_SIGNATURE = void(float64[:, ::1], float64, float64, float64, float64, float64, float64[::1])


def sum_waves(waves: Array, water_depth: float, n: float, e: float, d: float, time: float, sums: Array) -> None:
    """Sum the motion of all waves at a point: elevation, velocity, gradient (nn, ne, nd, ee, ed), rate and head.

    Waves are rows of amplitude, frequency, wave number, direction and phase. The point is north, east, and depth below
    the still surface, m.
    """
    for i in range(sums.size):
        sums[i] = 0.0
    for k in range(waves.shape[0]):
        wave = RegularWave(waves[k, 0], waves[k, 1], waves[k, 2], waves[k, 3], waves[k, 4])
        motion = wave_motion(wave, water_depth, (n, e, d), time)
        first, second = motion.gradient[0], motion.gradient[1]
        sums[0] += motion.elevation
        for i in range(3):
            sums[1 + i] += motion.velocity[i]
            sums[4 + i] += first[i]
            sums[9 + i] += motion.rate[i]
        sums[7] += second[1]
        sums[8] += second[2]
        sums[12] += motion.head


@lru_cache(maxsize=1)
def wave_kernel() -> Any:
    """Compiled `sum_waves`."""
    return strict_kernel(sum_waves, WAVE_SIGNATURE, "waves", 2)
