"""The best parameters of a trajectory: damped steps of Gauss and Newton among vehicles that can exist.

Steps are damped as Levenberg and Marquardt do. The states at which stretches start are fitted too where wanted. Each of
them matters to its own stretch only, so they are taken out of the problem stretch by stretch before the step of the
parameters is sought.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import lsq_linear

from remora.files.arrays import Array
from remora.identification.parameters import (
    CURRENT,
    ELEMENTS,
    MATRICES,
    current_in,
    is_lag,
    parameter,
    values_of,
    with_values,
)
from remora.identification.regression.constraints import bounds, constrained_least_squares, may_be_negative
from remora.identification.trajectory.elimination import reduced, sums_of_products
from remora.identification.trajectory.shooting_intervals import (
    TrajectoryData,
    TrialModel,
    errors_of,
    kind_of,
    moved_starts,
    trial_model,
)
from remora.identification.uncertainty.priors import Prior, prior_rows
from remora.kernels.failures import RunError
from remora.vehicles.parameters import VehicleParameters, total_inertia

# Steps of finite differences, as a share of what is typical for a number.
_STEP = 1e-6
_TYPICAL_CURRENT, _TYPICAL_TIME, _TYPICAL_LENGTH, _TYPICAL_WEIGHT_SHARE = 0.1, 0.1, 0.01, 0.01
MOST_STEPS = 60
# A record that does not show a current would take any; no sea has more, m/s.
_STRONGEST_CURRENT = 5.0
# A shorter lag than this shows in no record; at zero the integration has no derivative with respect to it, s.
SHORTEST_LAG = 0.002
# One step changes a lag by no more than this factor: a step too far would end where the data say nothing about it.
_LARGEST_FACTOR = 2.0
_MOST_TRIES = 16
# A descent has converged with the step before which a full Gauss-Newton step is shorter than this, in standard
# deviations of one sample: no parameter then moves by a larger share of its own deviation. A step that is small only
# because it is damped says nothing about the distance to go.
_SMALL_STEP = 0.1
# A direction of an initial state whose scaled square is below this has decayed before the data see it: a descent need
# not wait for it.
_HARDLY_SEEN = 1e-3
# What starts may still take off the weighted sum of squares of each stretch when a descent ends: far less than the
# several degrees of freedom that they have.
_STARTS_LEFT = 0.5
# Weights change no more when the noise of all channels stays within this share.
_STEADY_NOISE = 0.01
# Noise is never taken as less than this: no attitude or position is known better, and one step per sample is not exact.
_LEAST_NOISE = {"attitude": 1e-4, "position": 1e-3, "twist": 1e-7}


class Constraints(NamedTuple):
    """What a solution must keep."""

    vehicle: VehicleParameters  # all numbers that are not fitted
    names: tuple[str, ...]
    low: Array
    high: Array
    constrained: bool  # only vehicles that can exist
    prior: Prior
    current: Array  # that is known, m/s
    delay: float  # that is known, s


class Iterate(NamedTuple):
    """Values of the parameters, states at the starts of the stretches of each group, and what is left over there."""

    values: Array
    trial: TrialModel
    starts: tuple[Array, ...]
    errors: tuple[Array, ...]  # model less measurement [stretch, sample, channel]


class Jacobian(NamedTuple):
    """The problem made linear about a point, weighted: slopes x change = target.

    Each group has a table [number, stretch, sample and channel].
    """

    starts: tuple[Array, ...]  # slopes of the free numbers of the starts
    matrix: tuple[Array, ...]  # slopes of the parameters
    target: tuple[Array, ...]  # [stretch, sample and channel]
    factor: Array  # of all slopes of the parameters and the target, with the starts taken out: a matrix as good as they
    solved: tuple[Array, ...]  # per group [stretch, start, parameter and target]: starts that go with each
    products: tuple[Array, ...]  # per group [stretch, row, row] of starts, parameters and target
    explained: float  # what the starts alone would still take off the sum of squares, in directions well seen


class Minimum(NamedTuple):
    """Where the descent ended."""

    iterate: Iterate
    jacobian: Jacobian
    noise: Array  # of each channel
    steps: int
    converged: bool


def limits_of(names: Sequence[str], vehicle: VehicleParameters, constrained: bool) -> tuple[Array, Array]:
    """Smallest and largest value of each parameter by itself."""
    if constrained:
        low, high = bounds(vehicle, names)
    else:
        low = np.array([-np.inf if may_be_negative(name, vehicle) else 0.0 for name in names])
        high = np.full(len(names), np.inf)
    lagging = np.array([is_lag(name, vehicle) for name in names], dtype=bool)
    low, flowing = np.where(lagging, np.maximum(low, SHORTEST_LAG), low), np.isin(names, CURRENT)
    return np.where(flowing, -_STRONGEST_CURRENT, low), np.where(flowing, _STRONGEST_CURRENT, high)


def trial_at(
    data: TrajectoryData,
    constraints: Constraints,
    values: Array,
    like: TrialModel | None,
    vehicle: VehicleParameters | None = None,
) -> TrialModel:
    """The numbers to run for some values of the parameters; a vehicle that has them already spares their writing."""
    vehicle = with_values(constraints.vehicle, constraints.names, values) if vehicle is None else vehicle
    current = current_in(constraints.names, values, constraints.current.tolist())
    delay = float(values[constraints.names.index("delay")]) if "delay" in constraints.names else constraints.delay
    return trial_model(data, vehicle, current, delay, like)


def iterate_at(
    data: TrajectoryData,
    constraints: Constraints,
    values: Array,
    starts: Sequence[Array],
    like: TrialModel | None = None,
) -> Iterate:
    """A point with its errors; RunError where the model runs away."""
    trial = trial_at(data, constraints, values, like)
    errors = [errors_of(data, k, [trial], start[None])[0] for k, start in enumerate(starts)]
    return Iterate(values, trial, tuple(starts), tuple(errors))


def noise_of_channels(data: TrajectoryData, iterate: Iterate, fitted: int) -> Array:
    """Standard deviation of what is left over in each channel; so many numbers were fitted."""
    square, count = np.zeros(len(data.channels)), np.zeros(len(data.channels))
    for group, error in zip(data.groups, iterate.errors, strict=True):
        square += np.einsum("abc,abc->c", error, error)
        count += np.sum(group.counted, axis=(0, 1))
    left = max(1.0 - fitted / max(count.sum(), 1.0), 0.1)
    least = [_LEAST_NOISE[kind_of(channel)] for channel in data.channels]
    return np.maximum(np.sqrt(square / np.maximum(count, 1.0) / left), least)


def cost_of(iterate: Iterate, noise: Array, constraints: Constraints) -> float:
    """Weighted sum of squares, with that of the prior."""
    total = sum(float(np.sum((error / noise) ** 2)) for error in iterate.errors)
    return total + float(np.sum(prior_rows(constraints.prior, constraints.names, iterate.values)[:, -1] ** 2))


def jacobian_at(data: TrajectoryData, constraints: Constraints, iterate: Iterate, noise: Array) -> Jacobian:
    """Finite differences of all trajectories, parameters and starts side by side in one batch for each group."""
    names, columns = constraints.names, data.start_columns
    steps = np.array(
        [_STEP * _typical(name, constraints.vehicle, v) for name, v in zip(names, iterate.values, strict=True)]
    )
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

    Values are written in their order, since that of one thruster may overrule that of all.
    """
    before = constraints.vehicle
    for k, (name, value, step) in enumerate(zip(constraints.names, values.tolist(), steps.tolist(), strict=True)):
        changed = parameter(name, before).write(before, value + step)
        yield with_values(changed, constraints.names[k + 1 :], values[k + 1 :])
        before = parameter(name, before).write(before, value)


def _typical(name: str, vehicle: VehicleParameters, value: float) -> float:
    """A size that a number may well have, against which a step is small."""
    head, _, last = name.rpartition(".")
    if head in MATRICES and last in ELEMENTS:
        i, j = ELEMENTS[last]
        inertia = np.array(total_inertia(vehicle))
        return max(abs(value), float(np.sqrt(inertia[i, i] * inertia[j, j])))
    if name.startswith("current."):
        return max(abs(value), _TYPICAL_CURRENT)
    if head == "body.center_of_buoyancy":
        return max(abs(value), _TYPICAL_LENGTH)
    if name == "body.net_buoyancy":
        return max(abs(value), _TYPICAL_WEIGHT_SHARE * vehicle.mass * vehicle.gravity)
    unit = parameter(name, vehicle).unit
    return max(abs(value), _TYPICAL_TIME if unit == "s" else 1.0)


def stepped(
    data: TrajectoryData, constraints: Constraints, iterate: Iterate, solved: Sequence[Array], change: Array
) -> Iterate:
    """The point after a change of the parameters, with the starts that go with it."""
    moved = []
    for start, answer in zip(iterate.starts, solved, strict=True):
        step = answer[..., -1] - answer[..., :-1] @ change
        for k, column in enumerate(data.start_columns):
            start = moved_starts(start, column, step[:, k])
        moved.append(start)
    return iterate_at(data, constraints, iterate.values + change, moved, iterate.trial)


def _change(constraints: Constraints, values: Array, factor: Array, scale: Array, damping: float = 0.0) -> Array:
    """The damped step within all demands; the scale is the length of each column without damping."""
    if not constraints.names:
        return np.zeros(0)
    damped = np.column_stack([np.sqrt(damping) * np.diag(scale), np.zeros(len(scale))])
    rows = np.vstack([factor, prior_rows(constraints.prior, constraints.names, values), damped])
    limits = _limits(constraints, values)
    if constraints.constrained:
        now = with_values(constraints.vehicle, constraints.names, values)
        return constrained_least_squares(rows, now, constraints.names, limits).change
    # A box must have an inside; values on a bound may be off by rounding.
    low, high = np.minimum(limits[0], 0.0), np.maximum(limits[1], 0.0)
    found = lsq_linear(rows[:, :-1] / scale, rows[:, -1], (low * scale - 1e-12, high * scale + 1e-12))
    return np.clip(found.x / scale, low, high)


def _limits(constraints: Constraints, values: Array) -> tuple[Array, Array]:
    """Smallest and largest change of each parameter in one step."""
    lagging = np.array([is_lag(name, constraints.vehicle) for name in constraints.names], dtype=bool)
    low = np.where(lagging, np.maximum(constraints.low, values / _LARGEST_FACTOR), constraints.low)
    high = np.where(lagging, np.minimum(constraints.high, values * _LARGEST_FACTOR), constraints.high)
    return low - values, high - values


def minimise(data: TrajectoryData, constraints: Constraints, iterate: Iterate, most: int = MOST_STEPS) -> Minimum:
    """Levenberg-Marquardt steps to the least sum of squares; each step renews the weights of the channels."""
    fitted = len(constraints.names) + sum(len(start) for start in iterate.starts) * len(data.start_columns)
    damping, noise = 1e-3, noise_of_channels(data, iterate, 0)
    found = Minimum(iterate, jacobian_at(data, constraints, iterate, noise), noise, 0, False)
    for count in range(1, most + 1):
        arrived = _has_converged(constraints, found.iterate, found.jacobian)
        better, damping = _next_iterate(data, constraints, found, damping)
        if better is None:
            return found._replace(steps=count, converged=arrived)
        noise = noise_of_channels(data, better, fitted)
        steady = bool(np.all(np.abs(noise / found.noise - 1.0) < _STEADY_NOISE))
        try:
            jacobian = jacobian_at(data, constraints, better, noise)
        except RunError:  # on the brink of models that run away
            return found._replace(steps=count)
        found = Minimum(better, jacobian, noise, count, arrived and steady)
        if found.converged:
            break
    return found


def full_step_length(constraints: Constraints, iterate: Iterate, jacobian: Jacobian) -> float:
    """Length of the full Gauss-Newton step of the parameters, in standard deviations of one sample."""
    change = _change(constraints, iterate.values, jacobian.factor, _lengths(jacobian.factor))
    return float(np.linalg.norm(jacobian.factor[:, :-1] @ change))


def _has_converged(constraints: Constraints, iterate: Iterate, jacobian: Jacobian) -> bool:
    """Whether parameters and starts would hardly move in a full step."""
    settled = jacobian.explained < _STARTS_LEFT * sum(len(start) for start in iterate.starts)
    return (settled or not jacobian.starts[0].size) and full_step_length(constraints, iterate, jacobian) < _SMALL_STEP


def _next_iterate(
    data: TrajectoryData, constraints: Constraints, found: Minimum, damping: float
) -> tuple[Iterate | None, float]:
    """The next point, and the damping to go on with; None where no step lowers the cost."""
    iterate, jacobian, noise = found.iterate, found.jacobian, found.noise
    cost, scale = cost_of(iterate, noise, constraints), _lengths(jacobian.factor)
    for _ in range(_MOST_TRIES):
        damped = reduced(jacobian.products, len(data.start_columns), damping)
        change = _change(constraints, iterate.values, damped.factor, scale, damping)
        try:
            better = stepped(data, constraints, iterate, damped.solved, change)
            if cost_of(better, noise, constraints) <= cost:
                return better, 0.0 if damping < 1e-7 else 0.1 * damping
        except (RunError, np.linalg.LinAlgError):
            pass
        damping = 10.0 * max(damping, 1e-6)
    return None, damping


def _lengths(factor: Array) -> Array:
    """Length of each column of the parameters, one where it is zero."""
    lengths = np.linalg.norm(factor[:, :-1], axis=0)
    lengths[lengths == 0.0] = 1.0
    return lengths


def base_values(constraints: Constraints) -> Array:
    """What the parameters are before a fit: those of the vehicle, the known current and delay."""
    values = values_of(constraints.vehicle, constraints.names)
    north, east, down = constraints.current.tolist()
    known = {"current.north": north, "current.east": east, "current.down": down, "delay": constraints.delay}
    return np.array([known.get(name, value) for name, value in zip(constraints.names, values.tolist(), strict=True)])
