"""Constrained Gauss-Newton minimisation of output errors, with Levenberg-Marquardt damping.

The Jacobian comes from finite differences of batched trajectories. Initial states of shooting intervals are fitted with
the parameters: each affects one interval only and is eliminated there (Schur complement) before the step of the
parameters is computed. Steps stay among physically consistent vehicles.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import lsq_linear

from remora.files.arrays import Array
from remora.identification.parameter_names import CURRENT, DELAY, parsed
from remora.identification.parameters import current_in, parameter, values_of, with_values
from remora.identification.regression.constraints import bounds, constrained_least_squares
from remora.identification.trajectory.shooting_intervals import (
    TrajectoryData,
    TrialModel,
    errors_of,
    kind_of,
    moved_starts,
    trial_model,
)
from remora.identification.uncertainty.priors import Prior, prior_rows
from remora.plant.failures import RunError
from remora.vehicles.parameters import VehicleParameters, total_inertia

_PIECE = 128  # samples
# Directions of an initial state below this share of the strongest are not changed.
_SMALLEST = 1e-12


class Reduced(NamedTuple):
    """Normal equations of the parameters after elimination of the initial states."""

    factor: Array  # F with F' F = products of the parameters and the target
    solved: tuple[Array, ...]  # per group [interval, initial state, parameter and target]
    explained: float  # reduction of the weighted sum of squares by the initial states alone


def reduced(products: Sequence[Array], q: int, damping: float = 0.0) -> Reduced:
    """Eliminate the q unknowns of the initial states, which come first; the target is the last row.

    `products` holds for each group the products of all pairs of rows of its table, [interval, row, row]; Marquardt's
    `damping` is added to the scaled diagonal of the normal equations of the initial states.
    """
    solved, total, explained = [], np.zeros((products[0].shape[1] - q,) * 2), 0.0
    for square in products:
        # Scaled to a unit diagonal: positions, angles and speeds have their units, and the cut below is relative.
        size = np.sqrt(np.diagonal(square, axis1=1, axis2=2))
        size = np.where(size > 0.0, size, 1.0)
        scaled = square / (size[:, :, None] * size[:, None, :])
        inner = scaled[:, :q, :q] + damping * np.eye(q)
        answer = np.linalg.pinv(inner, rcond=_SMALLEST, hermitian=True) @ scaled[:, :q, q:]
        taken = scaled[:, q:, :q] @ answer
        total += np.sum((scaled[:, q:, q:] - taken) * size[:, q:, None] * size[:, None, q:], axis=0)
        explained += float(np.sum(taken[:, -1, -1] * size[:, -1] ** 2))
        solved.append(answer * size[:, None, q:] / size[:, :q, None])
    return Reduced(root_of(total), tuple(solved), explained)


def sums_of_products(table: Array) -> Array:
    """Products of all pairs of rows [interval, row, row] of a table [row, interval, sample].

    Narrow pieces in turn: for wide ones a linear-algebra library starts threads, which costs more than it gains for few
    rows.
    """
    rows, intervals, samples = table.shape
    whole = samples // _PIECE * _PIECE
    pieces = np.moveaxis(table[..., :whole].reshape(rows, intervals, -1, _PIECE), 0, 2)
    rest = np.moveaxis(table[..., whole:], 0, 1)
    return np.asarray((pieces @ np.swapaxes(pieces, 2, 3)).sum(axis=1) + rest @ np.swapaxes(rest, 1, 2))


def root_of(products: Array) -> Array:
    """Matrix F with F' F = products; columns are scaled first, so that small ones keep their digits."""
    size = np.sqrt(np.maximum(np.diag(products), 0.0))
    safe = np.where(size > 0.0, size, 1.0)
    # By eigenvalues, because a Cholesky factor needs full rank.
    values, vectors = np.linalg.eigh(products / np.outer(safe, safe))
    # A zero column stays zero: the data do not depend on that unknown.
    return np.asarray(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T * size)


# Steps of finite differences, relative to the typical size of a parameter.
_STEP = 1e-6
_TYPICAL_CURRENT, _TYPICAL_TIME, _TYPICAL_LENGTH, _TYPICAL_WEIGHT_SHARE = 0.1, 0.1, 0.01, 0.01
MOST_STEPS = 60
# Bound on the current, m/s, for records that do not show it.
_STRONGEST_CURRENT = 5.0
# Shortest lag, s: shorter ones are not visible, and at zero the derivative with respect to the lag does not exist.
SHORTEST_LAG = 0.002
# Largest factor on a lag in one step: too far a step would end where the data do not depend on the lag.
_LARGEST_FACTOR = 2.0
_MOST_TRIES = 16
# Converged when the full Gauss-Newton step is shorter than this, in standard deviations of one sample: no parameter
# then moves by a larger share of its own deviation. The length of a damped step is no measure of the distance to the
# minimum.
_SMALL_STEP = 0.1
# Directions of an initial state with a scaled square below this decay before the data show them; convergence does not
# depend on them.
_HARDLY_SEEN = 1e-3
# Reduction of the weighted sum of squares per interval that initial states may still offer at convergence: far less
# than their several degrees of freedom.
_STARTS_LEFT = 0.5
# Relative change of the noise of all channels below which the weights are final.
_STEADY_NOISE = 0.01
# Lower bound on the noise of each kind: the accuracy of sensors and of the integration.
_LEAST_NOISE = {"attitude": 1e-4, "position": 1e-3, "twist": 1e-7}


class Constraints(NamedTuple):
    """Constraints of a trajectory fit: fixed values, bounds and prior."""

    vehicle: VehicleParameters  # source of all values that are not fitted
    names: tuple[str, ...]
    low: Array
    high: Array
    constrained: bool  # only physically consistent vehicles
    prior: Prior
    current: Array  # known part, m/s
    delay: float  # known part, s


class Iterate(NamedTuple):
    """Iterate: parameters, initial states of the intervals of each group, and output errors."""

    values: Array
    trial: TrialModel
    starts: tuple[Array, ...]
    errors: tuple[Array, ...]  # model less measurement [interval, sample, channel]


class Jacobian(NamedTuple):
    """Weighted linearisation about an iterate: Jacobian x change = target.

    Each group has a table [unknown, interval, sample and channel].
    """

    starts: tuple[Array, ...]  # derivatives with respect to initial states
    matrix: tuple[Array, ...]  # derivatives with respect to parameters
    target: tuple[Array, ...]  # [interval, sample and channel]
    factor: Array  # square root of the normal equations of parameters and target, initial states eliminated
    solved: tuple[Array, ...]  # per group [interval, initial state, parameter and target]: back substitution
    products: tuple[Array, ...]  # per group [interval, row, row] of initial states, parameters and target
    explained: float  # reduction of the sum of squares by the initial states alone, in visible directions


class Minimum(NamedTuple):
    """Result of the minimisation."""

    iterate: Iterate
    jacobian: Jacobian
    noise: Array  # of each channel
    steps: int
    converged: bool


def limits_of(names: Sequence[str], vehicle: VehicleParameters, constrained: bool) -> tuple[Array, Array]:
    """Lower and upper bound of each parameter."""
    found = [parsed(name, vehicle) for name in names]
    if constrained:
        low, high = bounds(vehicle, names)
    else:
        low = np.array([-np.inf if one.may_be_negative else 0.0 for one in found])
        high = np.full(len(names), np.inf)
    lagging = np.array([one.is_lag for one in found], dtype=bool)
    low, flowing = np.where(lagging, np.maximum(low, SHORTEST_LAG), low), np.isin(names, CURRENT)
    return np.where(flowing, -_STRONGEST_CURRENT, low), np.where(flowing, _STRONGEST_CURRENT, high)


def trial_at(
    data: TrajectoryData,
    constraints: Constraints,
    values: Array,
    like: TrialModel | None,
    vehicle: VehicleParameters | None = None,
) -> TrialModel:
    """Trial model for given parameter values; `vehicle` has these values already, where given."""
    vehicle = with_values(constraints.vehicle, constraints.names, values) if vehicle is None else vehicle
    current = current_in(constraints.names, values, constraints.current.tolist())
    delay = float(values[constraints.names.index(DELAY)]) if DELAY in constraints.names else constraints.delay
    return trial_model(data, vehicle, current, delay, like)


def iterate_at(
    data: TrajectoryData,
    constraints: Constraints,
    values: Array,
    starts: Sequence[Array],
    like: TrialModel | None = None,
) -> Iterate:
    """Iterate with its output errors; RunError where the model diverges."""
    trial = trial_at(data, constraints, values, like)
    errors = [errors_of(data, k, [trial], start[None])[0] for k, start in enumerate(starts)]
    return Iterate(values, trial, tuple(starts), tuple(errors))


def noise_of_channels(data: TrajectoryData, iterate: Iterate, fitted: int) -> Array:
    """Standard deviation of the residuals of each channel, corrected for the number of fitted unknowns."""
    square, count = np.zeros(len(data.channels)), np.zeros(len(data.channels))
    for group, error in zip(data.groups, iterate.errors, strict=True):
        square += np.einsum("abc,abc->c", error, error)
        count += np.sum(group.counted, axis=(0, 1))
    # Fitted unknowns absorb their share of the noise. The floor bounds the correction for short records.
    left = max(1.0 - fitted / max(count.sum(), 1.0), 0.1)
    least = [_LEAST_NOISE[kind_of(channel)] for channel in data.channels]
    return np.maximum(np.sqrt(square / np.maximum(count, 1.0) / left), least)


def cost_of(iterate: Iterate, noise: Array, constraints: Constraints) -> float:
    """Weighted sum of squares of residuals and prior."""
    total = sum(float(np.sum((error / noise) ** 2)) for error in iterate.errors)
    return total + float(np.sum(prior_rows(constraints.prior, constraints.names, iterate.values)[:, -1] ** 2))


def jacobian_at(data: TrajectoryData, constraints: Constraints, iterate: Iterate, noise: Array) -> Jacobian:
    """Jacobian by finite differences of parameters and initial states, one batch per group."""
    names, columns = constraints.names, data.start_columns
    steps = np.array(
        [_STEP * _typical(name, constraints.vehicle, v) for name, v in zip(names, iterate.values, strict=True)]
    )
    # Backwards at an upper bound, so that no trial leaves the bounds.
    steps = np.where(iterate.values + steps > constraints.high, -steps, steps)
    trials = [iterate.trial] * len(columns)
    vehicles = _with_one_changed(constraints, iterate.values, steps)
    trials += [
        trial_at(data, constraints, iterate.values + step, iterate.trial, vehicle)
        for step, vehicle in zip(np.diag(steps), vehicles, strict=True)
    ]
    parts = []
    for k, (start, error) in enumerate(zip(iterate.starts, iterate.errors, strict=True)):
        starts = [moved_starts(start, column, _STEP) for column in columns] + [start] * len(names)
        moved = errors_of(data, k, trials, np.stack(starts))
        moved -= error
        moved /= np.concatenate([np.full(len(columns), _STEP), steps])[:, None, None, None] * noise
        parts.append(np.concatenate([moved, -(error / noise)[None]]).reshape(len(trials) + 1, len(start), -1))
    q, products = len(columns), tuple(sums_of_products(part) for part in parts)
    plain, seen = reduced(products, q), reduced(products, q, _HARDLY_SEEN)
    of_starts, of_parameters = tuple(part[:q] for part in parts), tuple(part[q:-1] for part in parts)
    target = tuple(part[-1] for part in parts)
    return Jacobian(of_starts, of_parameters, target, plain.factor, plain.solved, products, seen.explained)


def _with_one_changed(constraints: Constraints, values: Array, steps: Array) -> Iterator[VehicleParameters]:
    """The vehicle with each of the values changed by its step.

    Values are written in their order, since the value of one thruster may overrule the value of all.
    """
    before = constraints.vehicle
    for k, (name, value, step) in enumerate(zip(constraints.names, values.tolist(), steps.tolist(), strict=True)):
        changed = parameter(name, before).write(before, value + step)
        yield with_values(changed, constraints.names[k + 1 :], values[k + 1 :])
        before = parameter(name, before).write(before, value)


def _typical(name: str, vehicle: VehicleParameters, value: float) -> float:
    """Typical size of a parameter, the scale of its finite-difference step."""
    found = parsed(name, vehicle)
    if found.kind == "matrix":
        i, j = found.element
        inertia = np.array(total_inertia(vehicle))
        return max(abs(value), float(np.sqrt(inertia[i, i] * inertia[j, j])))
    if found.kind == "current":
        return max(abs(value), _TYPICAL_CURRENT)
    if found.kind == "center":
        return max(abs(value), _TYPICAL_LENGTH)
    if found.kind == "buoyancy":
        return max(abs(value), _TYPICAL_WEIGHT_SHARE * vehicle.mass * vehicle.gravity)
    unit = parameter(name, vehicle).unit
    return max(abs(value), _TYPICAL_TIME if unit == "s" else 1.0)


def stepped(
    data: TrajectoryData, constraints: Constraints, iterate: Iterate, solved: Sequence[Array], change: Array
) -> Iterate:
    """Iterate after a change of the parameters, initial states by back substitution."""
    moved = []
    for start, answer in zip(iterate.starts, solved, strict=True):
        step = answer[..., -1] - answer[..., :-1] @ change
        for k, column in enumerate(data.start_columns):
            start = moved_starts(start, column, step[:, k])
        moved.append(start)
    return iterate_at(data, constraints, iterate.values + change, moved, iterate.trial)


def _change(constraints: Constraints, values: Array, factor: Array, scale: Array, damping: float = 0.0) -> Array:
    """Damped step within the constraints; the scale is the length of each undamped column."""
    if not constraints.names:
        return np.zeros(0)
    # Damping as further rows: the damped step is a least-squares problem with the same constraints.
    damped = np.column_stack([np.sqrt(damping) * np.diag(scale), np.zeros(len(scale))])
    rows = np.vstack([factor, prior_rows(constraints.prior, constraints.names, values), damped])
    limits = _limits(constraints, values)
    if constraints.constrained:
        now = with_values(constraints.vehicle, constraints.names, values)
        return constrained_least_squares(rows, now, constraints.names, limits).change
    # The box must not be empty: values on a bound may exceed it by rounding.
    low, high = np.minimum(limits[0], 0.0), np.maximum(limits[1], 0.0)
    # The solver wants each lower bound below its upper one: the box is a little wider, and the answer is clipped.
    found = lsq_linear(rows[:, :-1] / scale, rows[:, -1], (low * scale - 1e-12, high * scale + 1e-12))
    return np.clip(found.x / scale, low, high)


def _limits(constraints: Constraints, values: Array) -> tuple[Array, Array]:
    """Lower and upper bound of the change of each parameter in one step."""
    lagging = np.array([parsed(name, constraints.vehicle).is_lag for name in constraints.names], dtype=bool)
    low = np.where(lagging, np.maximum(constraints.low, values / _LARGEST_FACTOR), constraints.low)
    high = np.where(lagging, np.minimum(constraints.high, values * _LARGEST_FACTOR), constraints.high)
    return low - values, high - values


def minimise(
    data: TrajectoryData,
    constraints: Constraints,
    iterate: Iterate,
    most: int = MOST_STEPS,
    enough: Callable[[Minimum], bool] = lambda found: False,
) -> Minimum:
    """Minimise the weighted sum of squares by Levenberg-Marquardt steps; the weights follow the residuals.

    The descent ends early at an iterate that is `enough`.
    """
    fitted = len(constraints.names) + sum(len(start) for start in iterate.starts) * len(data.start_columns)
    # The start is not fitted yet: its residuals are not corrected for unknowns.
    damping, noise = 1e-3, noise_of_channels(data, iterate, 0)
    found = Minimum(iterate, jacobian_at(data, constraints, iterate, noise), noise, 0, False)
    for count in range(1, most + 1):
        # Judged before the step: where a full step is short, the step taken next ends at the minimum.
        arrived = _has_converged(constraints, found.iterate, found.jacobian)
        better, damping = _next_iterate(data, constraints, found, damping)
        if better is None:
            return found._replace(steps=count, converged=arrived)
        # New weights between steps only, so that each step compares costs under one noise.
        noise = noise_of_channels(data, better, fitted)
        steady = bool(np.all(np.abs(noise / found.noise - 1.0) < _STEADY_NOISE))
        try:
            jacobian = jacobian_at(data, constraints, better, noise)
        except RunError:  # at the edge of diverging models
            return found._replace(steps=count)
        found = Minimum(better, jacobian, noise, count, arrived and steady)
        if found.converged or enough(found):
            break
    return found


def full_step_length(constraints: Constraints, iterate: Iterate, jacobian: Jacobian) -> float:
    """Length of the undamped Gauss-Newton step of the parameters, in standard deviations of one sample."""
    change = _change(constraints, iterate.values, jacobian.factor, _lengths(jacobian.factor))
    return float(np.linalg.norm(jacobian.factor[:, :-1] @ change))


def _has_converged(constraints: Constraints, iterate: Iterate, jacobian: Jacobian) -> bool:
    """Whether a full step would hardly change parameters and initial states."""
    settled = jacobian.explained < _STARTS_LEFT * sum(len(start) for start in iterate.starts)
    return (settled or not jacobian.starts[0].size) and full_step_length(constraints, iterate, jacobian) < _SMALL_STEP


def _next_iterate(
    data: TrajectoryData, constraints: Constraints, found: Minimum, damping: float
) -> tuple[Iterate | None, float]:
    """Next iterate and damping; None where no step lowers the cost."""
    iterate, jacobian, noise = found.iterate, found.jacobian, found.noise
    cost, scale = cost_of(iterate, noise, constraints), _lengths(jacobian.factor)
    for _ in range(_MOST_TRIES):
        # Initial states too: else a short step of the parameters could come with a long one of theirs.
        damped = reduced(jacobian.products, len(data.start_columns), damping)
        change = _change(constraints, iterate.values, damped.factor, scale, damping)
        try:
            better = stepped(data, constraints, iterate, damped.solved, change)
            if cost_of(better, noise, constraints) <= cost:
                # At the end without damping, for the fast convergence of Gauss-Newton steps.
                return better, 0.0 if damping < 1e-7 else 0.1 * damping
        # A trial that diverges was too far away, as one of higher cost.
        except (RunError, np.linalg.LinAlgError):
            pass
        damping = 10.0 * max(damping, 1e-6)
    return None, damping


def _lengths(factor: Array) -> Array:
    """Norm of each parameter column, one where it is zero."""
    lengths = np.linalg.norm(factor[:, :-1], axis=0)
    lengths[lengths == 0.0] = 1.0
    return lengths


def base_values(constraints: Constraints) -> Array:
    """Parameter values before the fit: from the vehicle, with the known current and delay."""
    values = values_of(constraints.vehicle, constraints.names)
    known = {**dict(zip(CURRENT, constraints.current.tolist(), strict=True)), DELAY: constraints.delay}
    return np.array([known.get(name, value) for name, value in zip(constraints.names, values.tolist(), strict=True)])
