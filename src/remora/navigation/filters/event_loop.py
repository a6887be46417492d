"""FilterEvent loop of an error-state filter: prediction to each event, then a new input or a measurement update.

Templates: `compiling` fills in the functions of a filter (`process_jacobian`, `measure_jacobian`, `reset_jacobian`) as
global names and compiles `run_events`. They run as plain Python with plain functions in their place.
"""

from typing import Any

import numpy as np

from remora.equations.instruments.magnetic import wrapped
from remora.files.arrays import Array
from remora.navigation.filters.ud_factors import (
    append_noise,
    measured_variance,
    orthogonalise,
    transform,
    update_factors,
)

USED, REJECTED, NOT_FINITE, PROCESS_FAILED = 0, 1, 2, 3

# Functions of a filter; each has the same arguments as in `jacobians`.
process_jacobian: Any = None
measure_jacobian: Any = None
reset_jacobian: Any = None


def are_finite(numbers: Array, count: int) -> bool:
    """Whether the first numbers of a row are finite."""
    total = 0.0
    for i in range(count):
        total += 0.0 * numbers[i]
    return total == 0.0


def predict(
    x: Array, U: Array, D: Array, held: Array, elapsed: float, row: Array, noise: Array, F: Array, W: Array, work: Array
) -> bool:
    """State and factors after a time with the held inputs; False, and nothing changed, when they are not finite."""
    new, weights = work[0], work[1]
    process_jacobian(x, held, elapsed, row, new, F)
    transform(F, U, D, W, weights)
    columns = append_noise(noise, elapsed, W, weights)
    for i in range(D.size):
        if not are_finite(W[i], columns):
            return False
    if not are_finite(new, x.size):
        return False
    orthogonalise(W, weights, columns, U, D)
    for i in range(x.size):
        x[i] = new[i]
    return True


def innovate(
    values: Array, predicted: Array, sigmas: Array, wraps: Array, size: int, U: Array, D: Array, H: Array,
    innovations: Array, deviations: Array, f: Array,
) -> None:  # fmt: skip
    """Innovations of a measurement and their standard deviations; an angle is wrapped into (-pi, pi]."""
    for a in range(size):
        residual = values[a] - predicted[a]
        innovations[a] = wrapped(residual) if wraps[a] > 0.5 else residual
        deviations[a] = np.sqrt(measured_variance(U, D, H[a], f) + sigmas[a] * sigmas[a])


def correct(
    innovations: Array, sigmas: Array, size: int, U: Array, D: Array, H: Array, dx: Array, f: Array, b: Array
) -> tuple[float, int]:
    """Sequential scalar updates: the error estimate dx and its factors; normalised innovation squared, number used.

    Components that are not finite are left out.
    """
    squared, used = 0.0, 0
    for i in range(dx.size):
        dx[i] = 0.0
    for a in range(size):
        if 0.0 * innovations[a] == 0.0 and are_finite(H[a], D.size):
            residual = innovations[a]
            for i in range(D.size):
                residual -= H[a, i] * dx[i]
            variance = update_factors(U, D, H[a], sigmas[a] * sigmas[a], f, b)
            squared += residual * residual / variance
            used += 1
            for i in range(D.size):
                dx[i] += b[i] * residual / variance
    return squared, used


def update(
    x: Array, U: Array, D: Array, held: Array, row: Array, kind: int, values: Array, sigmas: Array, wraps: Array,
    gates: Array, size: int, innovations: Array, deviations: Array, squared: Array, F: Array, W: Array, H: Array,
    trial: Array, work: Array,
) -> int:  # fmt: skip
    """Update by one measurement: USED, or REJECTED by its gate or NOT_FINITE with nothing changed.

    The gate holds the largest normalised innovation squared by the number of components that are used.
    """
    n = D.size
    new, weights, predicted, f, b = work[0], work[1], work[2], work[3, :n], work[4]
    dx, E = work[5, :n], work[6, :n]
    measure_jacobian(kind, x, held, row, predicted, H)
    innovate(values, predicted, sigmas, wraps, size, U, D, H, innovations, deviations, f)
    for i in range(n):
        E[i] = D[i]
        for j in range(n):
            trial[i, j] = U[i, j]
    squared[0], used = correct(innovations, sigmas, size, trial, E, H, dx, f, b)
    if used == 0:
        return NOT_FINITE
    if not squared[0] <= gates[used]:
        return REJECTED
    reset_jacobian(x, dx, new, F)
    transform(F, trial, E, W, weights)
    for i in range(n):
        if not are_finite(W[i], n):
            return NOT_FINITE
    if not are_finite(new, x.size):
        return NOT_FINITE
    orthogonalise(W, weights, n, U, D)
    for i in range(x.size):
        x[i] = new[i]
    return USED


def run_events(
    x: Array, U: Array, D: Array, held: Array, clock: Array, row: Array, noise: Array, sigmas: Array, wraps: Array,
    gates: Array, sizes: Array, stamps: Array, kinds: Array, values: Array, innovations: Array, deviations: Array,
    squared: Array, status: Array, F: Array, W: Array, H: Array, trial: Array, work: Array,
) -> int:  # fmt: skip
    """Process events in the order of their stamps, in place; their number, or the index of one that failed.

    Kind 0 is a new input, which is held from its stamp on; kind k > 0 is the aiding sensor k - 1.
    """
    for e in range(stamps.size):
        if stamps[e] > clock[0]:
            if not predict(x, U, D, held, 1e-9 * (stamps[e] - clock[0]), row, noise, F, W, work):
                status[e] = PROCESS_FAILED
                return e
            clock[0] = stamps[e]
        if kinds[e] == 0:
            for i in range(held.size):
                held[i] = values[e, i]
            status[e] = USED
        else:
            k = kinds[e] - 1
            status[e] = update(
                x, U, D, held, row, k, values[e], sigmas[k], wraps[k], gates[k], sizes[k], innovations[e],
                deviations[e], squared[e : e + 1], F, W, H, trial, work,
            )  # fmt: skip
    return stamps.size
