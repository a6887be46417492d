"""Rauch-Tung-Striebel recursion from the end of a run to its start: templates as in `event_loop`.

The covariance of a smoothed estimate is a sum of three positive semidefinite terms, kept as U D U^T: with the gain C,
P_s(k) = (I - C F) P (I - C F)^T + C Q C^T + C P_s(k+1) C^T, in error coordinates of the filtered state and then of
the smoothed one.
"""

from typing import Any

from remora.files.arrays import Array
from remora.navigation.filters.loops.event_loop import append_noise
from remora.navigation.filters.loops.ud_factors import array_view, orthogonalise, transform, variances
from remora.plant.dual.dual_functions import (
    SLOPES,
    dual_tuple,
    float_tuple,
    seeded_zeros,
    store_tuple_slopes,
    store_tuple_values,
)

process_jacobian: Any = None
reset_jacobian: Any = None
noise_gains: Any = None
plus: Any = None
minus: Any = None
STATES, ERRORS, PADDED, NOISES, FACTORS, HELD, WIDTH = 0, 0, 0, 0, 0, 0, 0


def between(x: Array, reference: Array, error: Array, J: Array) -> None:
    """Error of a state from a reference, and its derivative by an error of the state: minus(plus(x, d), reference)."""
    state, other = float_tuple(x, STATES), float_tuple(reference, STATES)
    for first in range(0, ERRORS, SLOPES):
        found = dual_tuple(minus(dual_tuple(plus(state, seeded_zeros(first, ERRORS))), other))
        store_tuple_values(error, found, ERRORS)
        store_tuple_slopes(J, first, WIDTH, found, ERRORS)


def solve_factors(V: Array, D: Array, b: Array) -> None:
    """b := P^-1 b with P = U D U^T; directions without variance give zero."""
    for j in range(ERRORS - 1, -1, -1):
        column = array_view(V, j * PADDED, (PADDED,))
        for i in range(j):
            b[i] -= column[i] * b[j]
    for j in range(ERRORS):
        b[j] = b[j] / D[j] if D[j] > 0.0 else 0.0
    for j in range(ERRORS):
        column = array_view(V, j * PADDED, (PADDED,))
        for i in range(j):
            b[j] -= column[i] * b[i]


def multiply(A: Array, b: Array, result: Array) -> None:
    """A matrix times a column."""
    for i in range(ERRORS):
        total = 0.0
        for k in range(ERRORS):
            total += A[i, k] * b[k]
        result[i] = total


def smoother_gain(W: Array, V: Array, D: Array, prior_V: Array, prior_D: Array, C: Array, column: Array) -> None:
    """C = P F^T P-^-1, from W = F U, the factors of P and of the predicted P-."""
    for i in range(ERRORS):  # row i of C from column i of F P = (F U) D U^T
        for k in range(PADDED):
            column[k] = 0.0
        for j in range(i, ERRORS):
            share, w = D[j] * V[j * PADDED + i], array_view(W, j * PADDED, (PADDED,))
            for k in range(PADDED):
                column[k] += share * w[k]
        solve_factors(prior_V, prior_D, column)
        for k in range(ERRORS):
            C[i, k] = column[k]


def smooth_interval(
    memory: Array, elapsed: float, still: int, state: Array, V: Array, D: Array, row: Array, noise: Array,
    gains: Array, per_interval: int, F: Array, C: Array, J: Array, W: Array, prior: Array, before: Array, work: Array,
    indices: Array,
) -> None:  # fmt: skip
    """Smoothed state and factors at the start of an interval from those at its end, in place."""
    x, E, T, held = memory[:STATES], memory[STATES:FACTORS], memory[FACTORS:HELD], memory[HELD:]
    new, weights, prior_D, error, dx = work[0], work[1], work[2], work[3], work[4]
    process_jacobian(x, held, elapsed, row, new, F)
    noise_gains(x, held, elapsed, row, gains)
    transform(F, T, E, W, weights, work[5], prior, indices)
    columns = append_noise(noise, 1.0 if per_interval else elapsed, gains, W, weights)
    for k in range(columns - ERRORS):
        work[9, k] = weights[ERRORS + k]
    for i in range(columns * PADDED):
        before[i] = W[i]
    orthogonalise(W, weights, columns, ERRORS, prior, prior_D, work[5], work[6], indices)
    smoother_gain(before, T, E, prior, prior_D, C, work[5])
    between(state, new, error, J)
    multiply(C, error, dx)
    for i in range(ERRORS):
        dx[i] = 0.0 if still else dx[i]
    collect_columns(x, E, T, V, D, F, C, J, W, weights, before, columns - ERRORS, dx, work)
    for i in range(STATES):
        state[i] = work[7, i]
    orthogonalise(W, weights, ERRORS + columns, ERRORS, V, D, work[5], work[6], indices)


def collect_columns(
    x: Array, E: Array, T: Array, V: Array, D: Array, F: Array, C: Array, J: Array, W: Array, weights: Array,
    before: Array, count: int, dx: Array, work: Array,
) -> None:  # fmt: skip
    """Columns of the three terms of the smoothed covariance, in error coordinates of the smoothed state."""
    one, two = work[5], work[6]
    for k in range(ERRORS):  # C J U_s
        multiply(J, array_view(V, k * PADDED, (PADDED,)), one)
        multiply(C, one, array_view(W, (ERRORS + k) * PADDED, (PADDED,)))
        weights[ERRORS + k] = D[k]
    for k in range(ERRORS):  # (I - C F) U
        column = array_view(T, k * PADDED, (PADDED,))
        multiply(F, column, one)
        multiply(C, one, two)
        target = array_view(W, k * PADDED, (PADDED,))
        for i in range(ERRORS):
            target[i] = column[i] - two[i]
        weights[k] = E[k]
    for k in range(count):  # C times the gains of the noise
        column = array_view(before, (ERRORS + k) * PADDED, (PADDED,))
        multiply(C, column, array_view(W, (2 * ERRORS + k) * PADDED, (PADDED,)))
        weights[2 * ERRORS + k] = work[9, k]
    reset_jacobian(x, dx, work[7], F)
    for k in range(2 * ERRORS + count):
        column = array_view(W, k * PADDED, (PADDED,))
        multiply(F, column, one)
        for i in range(ERRORS):
            column[i] = one[i]


def smooth_backwards(
    memories: Array, times: Array, following: Array, state: Array, V: Array, D: Array, still: int, row: Array,
    noise: Array, gains: Array, per_interval: int, out: Array, kept: Array, F: Array, C: Array, J: Array, W: Array,
    prior: Array, before: Array, work: Array, indices: Array,
) -> None:  # fmt: skip
    """Smoothed estimates at the times of some memories, from the last to the first.

    `following` is the time of the smoothed state and factors before and after the call. With `still` the states are
    not corrected, for a bound along a true trajectory. Outputs are states and variances, and factors in `kept`.
    """
    for k in range(times.size - 1, -1, -1):
        elapsed = 1e-9 * (following[0] - times[k])
        if elapsed > 0.0:
            smooth_interval(
                memories[k], elapsed, still, state, V, D, row, noise, gains, per_interval, F, C, J, W, prior, before,
                work, indices,
            )  # fmt: skip
        following[0] = times[k]
        for i in range(STATES):
            out[k, i] = state[i]
        variances(V, D, out[k, STATES:])
        if kept.shape[0] > 0:
            for i in range(PADDED):
                kept[k, i] = D[i]
            for i in range(ERRORS * PADDED):
                kept[k, PADDED + i] = V[i]
