"""Small convex quadratic programmes: by daqp where it is installed, else by the same method in NumPy.

Both minimise x H x / 2 + g x with lower <= x <= upper for the first numbers of the bounds, and lower <= rows x <= upper
for the others. Where a soft row is violated, the square of the violation, weighted, is added to the cost. NumPy needs
15 times as long for small problems.
"""

import sys
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from remora.files.arrays import Array

try:
    import daqp
except ImportError:  # no wheel for this Python or system
    daqp = None

SOFT, UPPER, LOWER = 8, 1, 3  # kinds of a row, as daqp numbers them: soft; at its upper or lower bound at the start
OPTIMAL, SOFT_OPTIMAL, INFEASIBLE, NOT_CONVEX, ENDLESS = 1, 2, -1, -5, -4  # results, as daqp numbers them
FREE = 1e30  # larger bounds are none
SOFTNESS = 1e-6  # inverse weight of a violated soft row whose length is one in the metric of the inverse of H
ITERATIONS = 1000


class Programme(NamedTuple):
    """Result of a quadratic programme."""

    x: Array
    flag: int  # OPTIMAL, SOFT_OPTIMAL with a soft row violated, or negative: no solution
    multipliers: Array  # of bounds and rows; positive at an upper bound, negative at a lower one


def solve(
    hessian: Array, gradient: Array, rows: Array, upper: Array, lower: Array, kinds: Any, tolerance: float = 1e-6
) -> Programme:
    """Solution of a quadratic programme; a row may be violated by the tolerance, relative to its length."""
    if daqp is None:
        _announce()
        return solve_by_numpy(hessian, gradient, rows, upper, lower, kinds, tolerance)
    found, _, flag, info = daqp.solve(hessian, gradient, rows, upper, lower, kinds, primal_tol=tolerance)
    return Programme(np.asarray(found), int(flag), np.asarray(info["lam"]))


@cache
def _announce() -> None:
    """One line per process."""
    sys.stderr.write("daqp is not installed: quadratic programmes are solved by NumPy, which is slower\n")


def solve_by_numpy(
    hessian: Array, gradient: Array, rows: Array, upper: Array, lower: Array, kinds: Any, tolerance: float = 1e-6
) -> Programme:
    """The dual active-set method of Arnström, Bemporad and Axehill 2022, with a dense solve in each iteration."""
    size, count = len(gradient), len(upper)
    none = np.zeros(count)
    try:
        factor = np.linalg.cholesky(hessian)
    except np.linalg.LinAlgError:
        return Programme(np.full(size, np.nan), NOT_CONVEX, none)
    every = np.vstack([np.eye(size)[: count - len(rows)], rows])
    scaled = np.linalg.solve(factor, every.T).T
    lengths = np.sqrt(np.einsum("ij,ij->i", scaled, scaled))
    if ((lengths == 0.0) & ((upper < 0.0) | (lower > 0.0))).any():
        return Programme(np.full(size, np.nan), INFEASIBLE, none)
    lengths[lengths == 0.0] = 1.0
    start = np.linalg.solve(factor, gradient)
    # Each bound as a constraint of its own: normals @ y <= room, for y = factor.T @ x + start of least length.
    bounded = np.concatenate([upper < FREE, lower > -FREE])
    index = np.flatnonzero(bounded) % count
    sign = np.repeat([1.0, -1.0], count)[bounded]
    normals = sign[:, None] * (scaled / lengths[:, None])[index]
    room = (sign * np.concatenate([upper, lower])[bounded]) / lengths[index] + normals @ start
    soft = np.where((np.asarray(kinds)[index] & SOFT) > 0, SOFTNESS, 0.0)
    flag, pressure = _least_pressure(normals, room, soft, tolerance)
    y = -normals.T @ pressure
    multipliers: Array = np.zeros(count)
    np.add.at(multipliers, index, sign * pressure / lengths[index])
    if flag == OPTIMAL and (soft * pressure > tolerance).any():
        flag = SOFT_OPTIMAL
    return Programme(np.linalg.solve(factor.T, y - start), flag, multipliers)


def _least_pressure(normals: Array, room: Array, soft: Array, tolerance: float) -> tuple[int, Array]:
    """Multipliers of constraints normals @ y <= room of the shortest y, and the result."""
    pressure = np.zeros(len(room))
    active: list[int] = []
    for _ in range(ITERATIONS):
        chosen = normals[active]
        gram = chosen @ chosen.T + np.diag(soft[active])
        aim, direction = _stationary(gram, room[active])
        if aim is not None and (aim >= 0.0).all():
            pressure[active] = aim
            slack = room + normals @ (normals.T @ pressure) + soft * pressure
            slack[active] = 0.0
            worst = int(np.argmin(slack)) if slack.size else 0
            if not slack.size or slack[worst] >= -tolerance:
                return OPTIMAL, pressure
            active.append(worst)
            continue
        move = direction if aim is None else aim - pressure[active]
        blocked = np.flatnonzero(move < 0.0)
        if not blocked.size:
            return INFEASIBLE, pressure
        shares = -pressure[active][blocked] / move[blocked]
        first = int(np.argmin(shares))
        pressure[active] += shares[first] * move
        pressure[active[blocked[first]]] = 0.0
        del active[blocked[first]]
    return ENDLESS, pressure


def _stationary(gram: Array, room: Array) -> tuple[Array | None, Array]:
    """Multipliers with which the active constraints hold exactly; None and a direction of ascent where none do."""
    if not len(room):
        return np.zeros(0), np.zeros(0)
    values, vectors = np.linalg.eigh(gram)
    if values[0] > 1e-11:
        return -vectors @ ((vectors.T @ room) / values), np.zeros(0)
    direction = vectors[:, 0]
    return None, np.asarray(direction if direction @ room < 0.0 else -direction)
