"""Begin and end of a tether step, compiled; the same bits as plain Python.

An end is a row: position, velocity, acceleration and jerk in N, then its mobility, row by row.
"""

from functools import lru_cache
from typing import Any

from numba import float64, int64, void

from remora.equations.algebra.vectors import (
    IDENTITY3,
    add_matrix3,
    inverse3,
    matmul3,
    matvec3,
    scale_matrix3,
)
from remora.files.arrays import Array
from remora.plant.strict import strict_kernel
from remora.plant.tether import matrix3_at

END_SIZE = 21
MOBILITY = 12  # index of the mobility in an end
READY, REELED_IN, NOT_FINITE = 0, 1, 2  # results of `begin_step`
ROW, TABLE = float64[::1], float64[:, ::1]


def begin_step(
    ends: Array,
    numbers: Array,
    first: int,
    rest_lengths: Array,
    rests: Array,
    x: Array,
    v: Array,
    rows: Array,
    masses: Array,
) -> int:
    """Prepare a step: rest lengths at its end, motion of the ends at its start, and ends for the integration.

    Ends, vehicle then far end, are a row each. The numbers are mass of a metre, kg/m; share of the distance between an
    end and its body that is kept; length of the step, s; speed of the winch, m/s, which changes the length from node
    `first` on.

    Filled in: rest lengths at the end of the step (`rests`), the ends among the nodes x and v, ends as the integration
    takes them (`rows`), and the mass of half a segment at each end in the middle of the step, kg. Returns READY,
    REELED_IN where no length is left, or NOT_FINITE for an end that is not.
    """
    mass, kept, elapsed, rate = numbers[0], numbers[1], numbers[2], numbers[3]
    total, segments, last = 0.0, rests.size, x.shape[0] - 1
    for j in range(segments):
        rests[j] = rest_lengths[j]
    for j in range(first, segments):
        total += rests[j]
        rests[j] += rate * elapsed / (segments - first)
    masses[0] = 0.25 * mass * (rest_lengths[0] + rests[0])
    masses[1] = 0.25 * mass * (rest_lengths[segments - 1] + rests[segments - 1])
    check = 0.0
    for e in range(2):
        node, is_rigid = e * last, _is_rigid(ends, e)
        for j in range(3):
            # A body that gives way was moved by the mean pull, the end of the line by the pull as it came, so after a
            # step they are some micrometres apart. To put the end back at once would change the tension of a stiff
            # line; it creeps back.
            place = ends[e, j]
            x[node, j] = place if is_rigid else place + kept * (x[node, j] - place)
            v[node, j] = ends[e, 3 + j]
        _fill_row(ends, e, masses[e], is_rigid, rows)
        for j in range(END_SIZE):
            check += ends[e, j]
    if check - check != 0.0:
        return NOT_FINITE
    return READY if total + rate * elapsed > 0.0 else REELED_IN


def _is_rigid(ends: Array, e: int) -> bool:
    moving = 0
    for j in range(MOBILITY, END_SIZE):
        moving += ends[e, j] != 0.0
    return moving == 0


def _fill_row(ends: Array, e: int, mass: float, is_rigid: bool, rows: Array) -> None:
    """Acceleration, jerk and gain of an end; half the mass of a segment moves with the body."""
    if is_rigid:
        for j in range(6):
            rows[e, j] = ends[e, 6 + j]
        for j in range(6, 15):
            rows[e, j] = 0.0
        return
    mobility = matrix3_at(ends[e], MOBILITY)
    response = inverse3(add_matrix3(IDENTITY3, scale_matrix3(mass, mobility)))
    acceleration = matvec3(response, (ends[e, 6], ends[e, 7], ends[e, 8]))
    jerk = matvec3(response, (ends[e, 9], ends[e, 10], ends[e, 11]))
    gain = matmul3(response, mobility)
    for j in range(3):
        rows[e, j], rows[e, 3 + j] = acceleration[j], jerk[j]
        for k in range(3):
            rows[e, 6 + 3 * j + k] = gain[j][k]


def mean_pulls(ends: Array, masses: Array, impulses: Array, v: Array, elapsed: float, pulls: Array) -> None:
    """Fill the mean forces of a step of some seconds on the two ends, newtons in N.

    Masses are those of half a segment at each end, kg, impulses those of the line on its ends, N s, and v the velocity
    of each node at the end of the step.
    """
    last = v.shape[0] - 1
    for e in range(2):
        for j in range(3):
            pulls[e, j] = (impulses[e, j] - masses[e] * (v[e * last, j] - ends[e, 3 + j])) / elapsed


@lru_cache(maxsize=1)
def begin_kernel() -> Any:
    """Compiled `begin_step`."""
    tables = (ROW, ROW, TABLE, TABLE, TABLE, ROW)
    return strict_kernel(begin_step, int64(TABLE, ROW, int64, *tables), "steps of tethers", 3)


@lru_cache(maxsize=1)
def pulls_kernel() -> Any:
    """Compiled `mean_pulls`."""
    return strict_kernel(mean_pulls, void(TABLE, ROW, TABLE, TABLE, float64, TABLE), "mean pulls of tethers", 1)
