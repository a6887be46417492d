"""Events of an error-state filter: prediction to the time of an event, then a new input or a measurement update.

Templates: `compiling` fills in the functions of a filter (`process_jacobian`, `measure_jacobian`, `reset_jacobian`,
`noise_gains`) as global names and compiles them. They run as plain Python with plain functions in their place.
The memory of a filter is one row: state, D, columns of U, held inputs.
"""

from typing import Any

import numpy as np

from remora.equations.instruments.magnetic import wrapped
from remora.files.arrays import Array
from remora.navigation.filters.loops.ud_factors import (
    array_view,
    measured_variance,
    orthogonalise,
    transform,
    update_factors,
)
from remora.navigation.filters.models import NOT_FINITE, RECOVERED, REJECTED, TOO_LATE, USED

# Functions and sizes of a filter; each function has the same arguments as in `jacobians`.
process_jacobian: Any = None
measure_jacobian: Any = None
reset_jacobian: Any = None
noise_gains: Any = None
STATES, ERRORS, PADDED, INPUTS, NOISES, ROW = 0, 0, 0, 0, 0, 0
FACTORS, HELD = 0, 0  # places of D and of the inputs in the memory

PROCESS_FAILED = -1
NEVER = -(2**62)  # ns: a sensor whose last reading was not rejected
TIME, KIND, STAMP, RESIDUAL_TIME = 0, 1, 2, 3  # columns of the events


def are_finite(numbers: Array, count: int) -> bool:
    """Whether the first numbers of a row are finite."""
    total = 0.0
    for i in range(count):
        # Zero times NaN or infinity is NaN; a plain sum of finite numbers could overflow.
        total += 0.0 * numbers[i]
    return total == 0.0


def append_noise(noise: Array, scale: float, gains: Array, W: Array, weights: Array) -> int:
    """Columns of process noise after the columns of `transform`, one per noise input; the number of columns.

    The noise is a variance per second or per interval, to be multiplied by the scale: the length of the interval in s,
    or one. Gains have one row per error coordinate.
    """
    columns = ERRORS
    for k in range(NOISES):
        if noise[k] > 0.0:
            weights[columns] = noise[k] * scale
            column = array_view(W, columns * PADDED, (PADDED,))
            for i in range(PADDED):
                column[i] = 0.0
            for i in range(ERRORS):
                column[i] = array_view(gains, i * NOISES + k, (1,))[0]
            columns += 1
    return columns


def predict(
    memory: Array, elapsed: float, row: Array, noise: Array, gains: Array, per_interval: int, F: Array, W: Array,
    trial: Array, work: Array, indices: Array,
) -> bool:  # fmt: skip
    """State and factors after a time with the held inputs; False when they are not finite."""
    x, D, V, held = memory[:STATES], memory[STATES:FACTORS], memory[FACTORS:HELD], memory[HELD:]
    new, weights = work[0], work[1]
    process_jacobian(x, held, elapsed, row, new, F)
    noise_gains(x, held, elapsed, row, gains)
    transform(F, V, D, W, weights, work[2], trial, indices)
    # F U and the noise gains side by side: one orthogonalisation gives the factors of F P F^T + G Q G^T.
    columns = append_noise(noise, 1.0 if per_interval else elapsed, gains, W, weights)
    orthogonalise(W, weights, columns, ERRORS, V, D, work[2], work[3], indices)
    for i in range(STATES):
        x[i] = new[i]
    return are_finite(new, STATES) and are_finite(D, ERRORS)


def innovate(
    values: Array, predicted: Array, sigmas: Array, wraps: Array, size: int, on_truth: bool, V: Array, D: Array,
    H: Array, result: Array, f: Array,
) -> None:  # fmt: skip
    """Innovations of a measurement, then their standard deviations; an angle is wrapped into (-pi, pi].

    On the truth the innovations of finite values are zero.
    """
    most = wraps.size
    for a in range(size):
        # Not plain zero: a component that is missing stays NaN and is left out on the truth as well.
        residual = 0.0 * values[a] if on_truth else values[a] - predicted[a]
        result[a] = wrapped(residual) if wraps[a] > 0.5 else residual
        result[most + a] = np.sqrt(measured_variance(V, D, H[a], f) + sigmas[a] * sigmas[a])


def correct(
    innovations: Array, sigmas: Array, size: int, V: Array, D: Array, H: Array, dx: Array, f: Array, b: Array
) -> tuple[float, int]:
    """Sequential scalar updates: the error estimate dx and its factors; normalised innovation squared, number used.

    Components that are not finite are left out.
    """
    squared, used = 0.0, 0
    for i in range(PADDED):
        dx[i] = 0.0
    for a in range(size):
        if 0.0 * innovations[a] == 0.0 and are_finite(H[a], ERRORS):
            residual = innovations[a]
            # Less what the components before it have explained. The state is not moved in between: all share one H.
            for i in range(ERRORS):
                residual -= H[a, i] * dx[i]
            variance = update_factors(V, D, H[a], sigmas[a] * sigmas[a], f, b)
            # Summed over the components this is the normalised innovation squared of the whole vector.
            squared += residual * residual / variance
            used += 1
            for i in range(PADDED):
                dx[i] += b[i] * (residual / variance)
    return squared, used


def copied_factors(D: Array, V: Array, scale: float, E: Array, T: Array) -> None:
    """Factors of a covariance times a number."""
    for i in range(PADDED):
        E[i] = scale * D[i]
    for i in range(ERRORS * PADDED):
        T[i] = V[i]


def update(
    memory: Array, row: Array, kind: int, values: Array, sigmas: Array, wraps: Array, gates: Array, size: int,
    past: Array, predicted_given: int, forced: bool, result: Array, F: Array, W: Array, H: Array, trial: Array,
    spare: Array, work: Array, indices: Array,
) -> int:  # fmt: skip
    """Update by one measurement: USED, or REJECTED by its gate or NOT_FINITE with nothing changed.

    The gate holds the largest normalised innovation squared by the number of components that are used. A forced
    reading beyond it is used with the covariance multiplied by its excess, and RECOVERED. With `predicted_given` 1
    the residual follows from the past state and inputs, with 2 it is zero.
    """
    x, D, V, held = memory[:STATES], memory[STATES:FACTORS], memory[FACTORS:HELD], memory[HELD:]
    predicted, f, b, dx, E = work[4], work[5], work[6], work[7], work[8]
    most = wraps.size
    if predicted_given == 1:
        # The past gives the prediction only: the next call overwrites H by the one of the present state.
        measure_jacobian(kind, past[:STATES], past[STATES:], row, work[9], H)
    measure_jacobian(kind, x, held, row, predicted, H)
    expected = work[9] if predicted_given == 1 else predicted
    innovate(values, expected, sigmas, wraps, size, predicted_given == 2, V, D, H, result, f)
    # On copies: a rejected reading leaves the belief as it is.
    copied_factors(D, V, 1.0, E, trial)
    result[2 * most], used = correct(result, sigmas, size, trial, E, H, dx, f, b)
    if used == 0:
        return NOT_FINITE
    status, excess = USED, result[2 * most] / gates[used]
    if not excess <= 1.0:
        if not (forced and 0.0 * excess == 0.0):
            return REJECTED
        status = RECOVERED
        # Again from the prior, widened. The result keeps the innovation squared of the prior that was believed.
        copied_factors(D, V, excess, E, trial)
        correct(result, sigmas, size, trial, E, H, dx, f, b)
    return status if reset(memory, E, trial, dx, F, W, spare, work, indices) else NOT_FINITE


def reset(
    memory: Array, E: Array, trial: Array, dx: Array, F: Array, W: Array, spare: Array, work: Array, indices: Array
) -> bool:
    """Memory with the state moved by an error, and the factors in errors of the new state; False if not finite."""
    new, weights = work[0], work[1]
    # Errors are counted from the new state, about which the axes of an attitude error have turned.
    reset_jacobian(memory[:STATES], dx, new, F)
    rows = transform(F, trial, E, W, weights, work[2], spare, indices)
    for i in range(rows * PADDED, ERRORS * PADDED):
        trial[i] = W[i]  # triangular below the last changed row
    orthogonalise(W, weights, rows, rows, trial, E, work[2], work[3], indices)
    if not (are_finite(new, STATES) and are_finite(E, ERRORS)):
        return False
    copied_factors(E, trial, 1.0, memory[STATES:FACTORS], memory[FACTORS:HELD])
    for i in range(STATES):
        memory[i] = new[i]
    return True


def nearest(times: Array, count: int, time: int) -> int:
    """Index of the stored state nearest to a time, -1 if all are later."""
    if count == 0 or times[0] > time:
        return -1
    k = count - 1
    while times[k] > time:
        k -= 1
    return k + 1 if k + 1 < count and times[k + 1] - time < time - times[k] else k


def remember(memory: Array, time: int, past_times: Array, past: Array, past_count: Array) -> None:
    """Store state and inputs of a time for delayed residuals; the row of the same time is kept but for the inputs."""
    if past.shape[0] == 0:
        return
    k = past_count[0]
    # The prediction, before any reading of its time: the residual of a delayed reading refers to it.
    if k == 0 or past_times[k - 1] < time:
        past_times[k] = time
        for i in range(STATES):
            past[k, i] = memory[i]
        past_count[0] = k + 1
    for i in range(INPUTS):
        past[past_count[0] - 1, STATES + i] = memory[HELD + i]


def measurement_event(
    memory: Array, since: Array, row: Array, wraps: Array, gates: Array, sizes: Array, recovery: Array, event: Array,
    data: Array, truth: int, past_times: Array, past: Array, past_count: Array, result: Array, F: Array, W: Array,
    H: Array, trial: Array, spare: Array, work: Array, indices: Array,
) -> int:  # fmt: skip
    """Update by the reading of an aiding sensor, with the sigma and the parameters that it brings."""
    k, most, given = event[KIND] - 1, wraps.shape[1], 2 if truth else 0
    place = 0
    if event[RESIDUAL_TIME] != event[TIME] and past.shape[0] > 0:
        place = nearest(past_times, past_count[0], event[RESIDUAL_TIME])
        if place < 0:
            return TOO_LATE
        given = max(given, 1)
    for i in range(row.size - ROW):
        row[ROW + i] = data[2 * most + i]
    # A sensor rejected for this long is more likely right than the estimate.
    forced = since[k] != NEVER and event[TIME] - since[k] >= recovery[k]
    status = update(
        memory, row, k, data[:most], data[most : 2 * most], wraps[k], gates[k], sizes[k],
        past[place] if given == 1 else memory, given, forced, result, F, W, H, trial, spare, work, indices,
    )  # fmt: skip
    if status == REJECTED:
        since[k] = event[TIME] if since[k] == NEVER else since[k]
    elif status != NOT_FINITE:
        since[k] = NEVER
    return status


def process_event(
    memory: Array, since: Array, clock: Array, row: Array, noise: Array, gains: Array, per_interval: int,
    wraps: Array, gates: Array, sizes: Array, recovery: Array, event: Array, data: Array, truth: Array, e: int,
    past_times: Array, past: Array, past_count: Array, result: Array, F: Array, W: Array, H: Array, trial: Array,
    spare: Array, work: Array, indices: Array,
) -> int:  # fmt: skip
    """Predict to an event and take it in; its status.

    Kind 0 is a new input, which is held from its time on; kind k > 0 is the aiding sensor k - 1. With a row of
    `truth` for each event the state is replaced by it after the prediction.
    """
    if event[TIME] > clock[0]:
        elapsed = 1e-9 * (event[TIME] - clock[0])
        if not predict(memory, elapsed, row, noise, gains, per_interval, F, W, trial, work, indices):
            return PROCESS_FAILED
        clock[0] = event[TIME]
        for i in range(truth.shape[1]):
            memory[i] = truth[e, i]
        remember(memory, clock[0], past_times, past, past_count)
    if event[KIND] == 0:
        for i in range(INPUTS):
            memory[HELD + i] = data[i]
        remember(memory, clock[0], past_times, past, past_count)
        return USED
    return measurement_event(
        memory, since, row, wraps, gates, sizes, recovery, event, data, truth.shape[1], past_times, past, past_count,
        result, F, W, H, trial, spare, work, indices,
    )  # fmt: skip
