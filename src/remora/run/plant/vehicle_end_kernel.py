"""A point of a vehicle as the end of a tether, compiled; the same bits as plain Python."""

from functools import lru_cache
from typing import Any

from numba import float64, void

from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import add3, cross, matvec3, subtract3
from remora.equations.tether_ends import point_acceleration, point_velocity
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.plant.loops import BODY_SIZE
from remora.plant.strict.copies import strict_kernel

WRENCHES = 4  # none, and one newton along each axis of N
TWIST = BODY_SIZE - 6  # index of the twist in a state, and of its rate
ROW, TABLE = float64[::1], float64[:, ::1]


def unit_wrenches(state: Array, p_BA: Array, wrenches: Array) -> None:
    """Fill wrenches about B in body axes: zero, then of one newton at A along each axis of N, a row of R_NB.

    The attachment p_BA is in body axes, m.
    """
    R_NB, place = rotation_matrix((state[3], state[4], state[5], state[6])), (p_BA[0], p_BA[1], p_BA[2])
    first, second, third = R_NB
    turns = (cross(place, first), cross(place, second), cross(place, third))
    for j in range(3):
        wrenches[0, j] = wrenches[0, 3 + j] = 0.0
        for i in range(3):
            wrenches[1 + i, j], wrenches[1 + i, 3 + j] = R_NB[i][j], turns[i][j]


def fill_end(state: Array, p_BA: Array, rates: Array, end: Array) -> None:
    """Fill in position, velocity and free acceleration of A in N, and its mobility: acceleration per newton.

    The attachment p_BA is in body axes, m; `rates` are those of the state under the wrenches of `unit_wrenches`, a row
    each. The end is that of a `Tether`, with a jerk of zero.
    """
    R_NB, place = rotation_matrix((state[3], state[4], state[5], state[6])), (p_BA[0], p_BA[1], p_BA[2])
    v, w = (state[7], state[8], state[9]), (state[10], state[11], state[12])
    position = add3((state[0], state[1], state[2]), matvec3(R_NB, place))
    velocity = matvec3(R_NB, point_velocity(v, w, place))
    free = matvec3(R_NB, _acceleration(v, w, rates, 0, place))
    for j in range(3):
        end[j], end[3 + j], end[6 + j], end[9 + j] = position[j], velocity[j], free[j], 0.0
    for i in range(1, WRENCHES):
        column = subtract3(matvec3(R_NB, _acceleration(v, w, rates, i, place)), free)
        for j in range(3):
            end[12 + 3 * j + i - 1] = column[j]


def _acceleration(v: Vector3, w: Vector3, rates: Array, i: int, place: Vector3) -> Vector3:
    """Acceleration of a point of the body in body axes under one of the wrenches."""
    k = TWIST
    v_rate, w_rate = (
        (rates[i, k], rates[i, k + 1], rates[i, k + 2]),
        (rates[i, k + 3], rates[i, k + 4], rates[i, k + 5]),
    )
    return point_acceleration(v, w, v_rate, w_rate, place)


@lru_cache(maxsize=1)
def wrench_kernel() -> Any:
    """Compiled `unit_wrenches`."""
    return strict_kernel(unit_wrenches, void(ROW, ROW, TABLE), "forces at a tether", 2)


@lru_cache(maxsize=1)
def end_kernel() -> Any:
    """Compiled `fill_end`."""
    return strict_kernel(fill_end, void(ROW, ROW, TABLE, ROW), "ends of tethers", 3)
