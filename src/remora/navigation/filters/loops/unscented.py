"""Unscented `predict` and `update`, in place of the functions in `event_loop` and with their arguments.

Sigma points lie on the columns of U at plus and minus sqrt(n + kappa) standard deviations, with kappa = max(0, 3 - n),
so that no weight is negative. Deviations from the mean are orthogonalised to the factors of the new covariance: it is
positive semidefinite by construction. Julier and Uhlmann 2004; with kappa = 0 these are the points of the cubature
filter.
"""

from typing import Any

import numpy as np

from remora.equations.instruments.magnetic import wrapped
from remora.files.arrays import Array
from remora.navigation.filters.loops.event_loop import are_finite, reset
from remora.navigation.filters.loops.ud_factors import array_view, orthogonalise
from remora.navigation.filters.models import NOT_FINITE, RECOVERED, REJECTED, USED

# Functions and sizes of a filter, as in `event_loop`; functions of points take and fill rows of numbers.
noise_gains: Any = None
moved: Any = None
processed: Any = None
measured: Any = None
difference: Any = None
STATES, ERRORS, PADDED, NOISES, FACTORS, HELD = 0, 0, 0, 0, 0, 0

FIRST = 10  # row of the work space from which points or predicted values are stored
ROUNDS = 3  # of the mean on the chart; the first is exact for vectors


def point_deviation(p: int, D: Array, V: Array, scale: float, error: Array) -> float:
    """Error of sigma point p from the mean, and its weight: 0 is the centre, then pairs along the columns of U."""
    kappa = max(0.0, 3.0 - ERRORS)
    for i in range(PADDED):
        error[i] = 0.0
    if p == 0:
        return kappa / (ERRORS + kappa)
    j, sign = (p - 1) // 2, 1.0 if p % 2 == 1 else -1.0
    length, column = sign * np.sqrt(scale * D[j] * (ERRORS + kappa)), array_view(V, j * PADDED, (PADDED,))
    for i in range(ERRORS):
        error[i] = length * column[i]
    return 0.5 / (ERRORS + kappa)


def chart_mean(points: Array, weights: Array, mean: Array, error: Array, sum_: Array, new: Array) -> None:
    """Mean of the stored points on the chart, from the first of them on."""
    for i in range(STATES):
        mean[i] = points[FIRST, i]
    for _ in range(ROUNDS):
        for i in range(PADDED):
            sum_[i] = 0.0
        for p in range(2 * ERRORS + 1):
            difference(points[FIRST + p], mean, error)
            for i in range(ERRORS):
                sum_[i] += weights[p] * error[i]
        moved(mean, sum_, new)
        for i in range(STATES):
            mean[i] = new[i]


def predict(
    memory: Array, elapsed: float, row: Array, noise: Array, gains: Array, per_interval: int, F: Array, W: Array,
    trial: Array, work: Array, indices: Array,
) -> bool:  # fmt: skip
    """State and factors after a time with the held inputs; False when they are not finite."""
    x, D, V, held = memory[:STATES], memory[STATES:FACTORS], memory[FACTORS:HELD], memory[HELD:]
    point, weights, error, mean = work[0], work[1], work[2], work[4]
    noise_gains(x, held, elapsed, row, gains)
    for p in range(2 * ERRORS + 1):
        weights[p] = point_deviation(p, D, V, 1.0, error)
        moved(x, error, point)
        processed(point, held, elapsed, row, work[FIRST + p])
    chart_mean(work, weights, mean, error, work[5], point)
    for p in range(2 * ERRORS + 1):
        difference(work[FIRST + p], mean, error)
        column = array_view(W, p * PADDED, (PADDED,))
        for i in range(ERRORS):
            column[i] = error[i]
    columns = 2 * ERRORS + 1
    for k in range(NOISES):
        weights[columns] = noise[k] * (1.0 if per_interval else elapsed)
        column = array_view(W, columns * PADDED, (PADDED,))
        for i in range(ERRORS):
            column[i] = gains[i * NOISES + k]
        columns += 1
    orthogonalise(W, weights, columns, ERRORS, V, D, work[2], work[3], indices)
    for i in range(STATES):
        x[i] = mean[i]
    return are_finite(x, STATES) and are_finite(D, ERRORS)


def condition(
    a: int, variance: float, columns: int, size: int, W: Array, weights: Array, result: Array, dx: Array, work: Array
) -> float:  # fmt: skip
    """Condition points and the other values on value a; its normalised innovation squared."""
    z, total = work[FIRST + a], variance
    for p in range(columns):
        total += weights[p] * z[p] * z[p]
    gain = array_view(W, columns * PADDED, (PADDED,))
    for i in range(PADDED):
        gain[i] = 0.0
    for p in range(columns):
        column = array_view(W, p * PADDED, (PADDED,))
        for i in range(ERRORS):
            gain[i] += weights[p] * z[p] * column[i] / total
    for i in range(ERRORS):
        dx[i] += gain[i] * work[9, a]
    for b in range(a + 1, size):
        other, share = work[FIRST + b], 0.0
        for p in range(columns):
            share += weights[p] * z[p] * other[p] / total
        for p in range(columns):
            other[p] -= share * z[p]
        other[columns] = -share
        work[9, b] -= share * work[9, a]
    for p in range(columns):
        column = array_view(W, p * PADDED, (PADDED,))
        for i in range(ERRORS):
            column[i] -= gain[i] * z[p]
    for i in range(ERRORS):
        gain[i] = -gain[i]
    weights[columns] = variance  # of the column of the measurement noise, which enters with the gain
    return float(work[9, a] * work[9, a] / total)


def spread(
    memory: Array, scale: float, row: Array, kind: int, wraps: Array, size: int, W: Array, work: Array
) -> None:  # fmt: skip
    """Deviations of the sigma points in W, of their predicted values in the work space, and the mean of these."""
    x, D, V, held = memory[:STATES], memory[STATES:FACTORS], memory[FACTORS:HELD], memory[HELD:]
    point, weights, predicted, first, mean = work[0], work[1], work[4], work[5], work[6]
    for p in range(2 * ERRORS + 1):
        column = array_view(W, p * PADDED, (PADDED,))
        weights[p] = point_deviation(p, D, V, scale, column)
        moved(x, column, point)
        measured(kind, point, held, row, predicted)
        for a in range(size):
            if p == 0:
                first[a], mean[a] = predicted[a], 0.0
            apart = predicted[a] - first[a]
            work[FIRST + a, p] = wrapped(apart) if wraps[a] > 0.5 else apart
            mean[a] += weights[p] * work[FIRST + a, p]
    for a in range(size):
        for p in range(2 * ERRORS + 1):
            work[FIRST + a, p] -= mean[a]
        mean[a] += first[a]


def unscented_correction(
    memory: Array, scale: float, row: Array, kind: int, values: Array, sigmas: Array, wraps: Array, size: int,
    given: int, result: Array, W: Array, dx: Array, work: Array,
) -> tuple[float, int]:  # fmt: skip
    """Columns of the posterior in W and the error estimate dx; normalised innovation squared, number of values used."""
    spread(memory, scale, row, kind, wraps, size, W, work)
    most, columns, squared, used = wraps.size, 2 * ERRORS + 1, 0.0, 0
    for i in range(PADDED):
        dx[i] = 0.0
    for a in range(size):
        residual = values[a] - work[6, a] if given < 2 else 0.0 * values[a]
        result[a] = wrapped(residual) if wraps[a] > 0.5 else residual
        work[9, a], total = result[a], sigmas[a] * sigmas[a]
        for p in range(columns):
            total += work[1, p] * work[FIRST + a, p] * work[FIRST + a, p]
        result[most + a] = np.sqrt(total)
    for a in range(size):
        if 0.0 * result[a] == 0.0 and 0.0 * result[most + a] == 0.0:
            squared += condition(a, sigmas[a] * sigmas[a], columns, size, W, work[1], result, dx, work)
            columns, used = columns + 1, used + 1
    work[8, 0] = columns
    return squared, used


def update(
    memory: Array, row: Array, kind: int, values: Array, sigmas: Array, wraps: Array, gates: Array, size: int,
    past: Array, predicted_given: int, forced: bool, result: Array, F: Array, W: Array, H: Array, trial: Array,
    spare: Array, work: Array, indices: Array,
) -> int:  # fmt: skip
    """Update by one measurement, as in `event_loop`; the residual always belongs to the present."""
    dx, most = work[7], wraps.size
    result[2 * most], used = unscented_correction(
        memory, 1.0, row, kind, values, sigmas, wraps, size, predicted_given, result, W, dx, work
    )
    if used == 0:
        return NOT_FINITE
    status, excess = USED, result[2 * most] / gates[used]
    if not excess <= 1.0:
        if not (forced and 0.0 * excess == 0.0):
            return REJECTED
        status = RECOVERED
        unscented_correction(
            memory, excess, row, kind, values, sigmas, wraps, size, predicted_given, result, W, dx, work
        )
    columns, E = int(work[8, 0]), work[8]
    orthogonalise(W, work[1], columns, ERRORS, trial, E, work[2], work[3], indices)
    return status if reset(memory, E, trial, dx, F, W, spare, work, indices) else NOT_FINITE
