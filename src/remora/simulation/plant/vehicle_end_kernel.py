"""A point of a vehicle as the end of a tether, compiled; the same bits as plain Python."""

from functools import lru_cache
from typing import Any

from numba import float64, void

from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import add3, cross, matvec3, subtract3
from remora.equations.tether_ends import point_acceleration, point_velocity
from remora.files.arrays import Array
from remora.kernels.strict.copies import strict_kernel

WRENCHES = 4  # none, and one newton along each axis of N
END_SIZE = 18  # position, velocity, acceleration and mobility
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

    The attachment p_BA is in body axes, m; `rates` are those of the twist under the wrenches of `unit_wrenches`.
    """
    R_NB, place = rotation_matrix((state[3], state[4], state[5], state[6])), (p_BA[0], p_BA[1], p_BA[2])
    v, w = (state[7], state[8], state[9]), (state[10], state[11], state[12])
    position = add3((state[0], state[1], state[2]), matvec3(R_NB, place))
    velocity = matvec3(R_NB, point_velocity(v, w, place))
    free = matvec3(
        R_NB,
        point_acceleration(
            v, w, (rates[0, 0], rates[0, 1], rates[0, 2]), (rates[0, 3], rates[0, 4], rates[0, 5]), place
        ),
    )
    for j in range(3):
        end[j], end[3 + j], end[6 + j] = position[j], velocity[j], free[j]
    for i in range(1, WRENCHES):
        v_rate, w_rate = (rates[i, 0], rates[i, 1], rates[i, 2]), (rates[i, 3], rates[i, 4], rates[i, 5])
        column = subtract3(matvec3(R_NB, point_acceleration(v, w, v_rate, w_rate, place)), free)
        for j in range(3):
            end[9 + 3 * j + i - 1] = column[j]


@lru_cache(maxsize=1)
def wrench_kernel() -> Any:
    """Compiled `unit_wrenches`."""
    return strict_kernel(unit_wrenches, void(ROW, ROW, TABLE), "forces at a tether", 2)


@lru_cache(maxsize=1)
def end_kernel() -> Any:
    """Compiled `fill_end`."""
    return strict_kernel(fill_end, void(ROW, ROW, TABLE, ROW), "ends of tethers", 3)
