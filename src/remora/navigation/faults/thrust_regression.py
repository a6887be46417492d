"""Accelerations that the plant predicts, split by their causes, and the errors of the model that explain the rest.

Measured less predicted acceleration = - sum over thrusters of (lost share) x (acceleration by that thruster)
+ per axis: (gain error) x (acceleration by all thrusters) + (drag error) x (acceleration by motion through the water)
+ slow unmodelled acceleration; + (current north and east, the same for all axes) x (acceleration per current).
The tolerance of a thruster is a small lost share that does not change.

Gain, drag and slow acceleration of each axis, the current and the tolerances are no fault: they are learnt from
residual accelerations by recursive least squares. Drag is quadratic, so that the residuals are linearised about the
learnt current. Linearised about a wrong one, the first residuals would stay wrong, so that their current is searched
first.
"""

import math
from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.algebra.vectors import ZERO3
from remora.equations.packed import outputs_count
from remora.equations.types import Twist, Vector3
from remora.files.arrays import Array
from remora.plant.compilation import kernels_for
from remora.plant.forms.user_forms import codes_of
from remora.plant.inputs import writable
from remora.plant.plant import Plant

AXES = 6
# Columns of `regression_rows`; the residual is the last.
SPEED_ERROR, THRUST, MOTION, FIRST_THRUSTER = 0, 1, 4, 5
CURRENT = slice(2, 4)
LEAST_SPEED_ERROR = 0.005  # m/s, standard deviation of a velocity: scale errors of a Doppler log
CURRENT_STEP = 0.1  # m/s, for the difference quotient: a plausible current
MEMORY = 600.0  # residuals over which errors of the model are learnt
SPREAD_MEMORY = 100.0  # residuals over which the spread is averaged
CORRELATED = 2.0  # residuals in a row that count as one at least: model errors are correlated in time
MOST_CORRELATION = 0.95  # of two residuals in a row
# Standard deviations of gain and drag errors, of slow accelerations (m/s2, rad/s2) and of currents (m/s) before any
# reading, and by how much they may differ between a window and the time before it.
PRIOR = np.array([0.3, 0.5, 0.3] * AXES + [0.3, 0.3])
CHANGE = np.array([0.05, 0.2, 0.1] * AXES + [0.05, 0.05])
SLOW = slice(2, 3 * AXES, 3)  # slow accelerations among them
CURRENT_ERRORS = slice(3 * AXES, 3 * AXES + 2)  # currents among them
TOLERANCE, TOLERANCE_CHANGE = 0.05, 0.01  # the same of the effectiveness of a sound thruster
LEAST_SPREAD = np.repeat([0.01, 0.03], 3)  # m/s2, rad/s2
LEAST_TOLD = 0.01  # share of the information on a thruster below which residuals tell nothing of it
MODEL_NOISE = 0.01  # standard deviation of residuals per predicted acceleration
SPACING, GRID = 0.2, 9  # m/s, and points per axis: grid of currents


class MotionSample(NamedTuple):
    """Motion and thrust, means over an interval, and the measured acceleration of B over it."""

    q_NB: tuple[float, ...]
    twist: Twist  # over ground in body axes, m/s and rad/s
    outputs: tuple[float, ...]  # of the actuators, thrusters first
    acceleration: tuple[float, ...]  # in body axes, m/s2 and rad/s2
    speed_error: float = 0.0  # m/s, standard deviation of the velocity


class SplitAcceleration(NamedTuple):
    """Predicted acceleration of B in body axes, m/s2 and rad/s2."""

    total: Array  # 6
    by_thruster: Array  # thrusters x 6
    by_motion: Array  # 6, drag and Coriolis
    by_current: Array  # 6 x 2, per m/s of current north and east


def split_acceleration(
    plant: Plant, sample: MotionSample, thrusters: int, current: tuple[float, float] = (0.0, 0.0)
) -> SplitAcceleration:
    """Predicted acceleration and its parts; the total is without current.

    Parts are linear in the current about a known one: velocity of the water north and east, m/s.
    """
    north, east = current
    flowing, still = (north, east, 0.0), (0.0,) * AXES
    acceleration = _acceleration_function(plant, sample.q_NB)
    outputs, none = sample.outputs, (0.0,) * len(sample.outputs)
    total = acceleration(sample.twist, outputs, flowing)
    alone = [
        total - acceleration(sample.twist, (*outputs[:i], 0.0, *outputs[i + 1 :]), flowing)
        if outputs[i]
        else np.zeros(AXES)
        for i in range(thrusters)
    ]
    # Central differences over a finite step: quadratic drag has no slope at rest in still water.
    steps = ((CURRENT_STEP, 0.0), (0.0, CURRENT_STEP))
    by_current = np.column_stack(
        [
            (
                acceleration(sample.twist, none, (north + n, east + e, 0.0))
                - acceleration(sample.twist, none, (north - n, east - e, 0.0))
            )
            / (2.0 * CURRENT_STEP)
            for n, e in steps
        ]
    )
    # Weight and buoyancy are in both.
    motion = acceleration(sample.twist, none, flowing) - acceleration(still, none, ZERO3)
    return SplitAcceleration(total - by_current @ np.array(current), np.array(alone), motion, by_current)


def regression_rows(split: SplitAcceleration, sample: MotionSample, effectiveness: Array) -> Array:
    """One row per axis, in m/s2 and rad/s2.

    Columns are the standard deviation of drag at a wrong velocity, the accelerations by all thrusters, by current, by
    motion and by each thruster, and the residual one.
    """
    lost = (1.0 - effectiveness) @ split.by_thruster
    thrust = effectiveness @ split.by_thruster
    noise = max(sample.speed_error, LEAST_SPEED_ERROR) * np.linalg.norm(split.by_current, axis=1)
    residual = np.array(sample.acceleration) - (split.total - lost)
    return np.column_stack([noise, thrust, split.by_current, split.by_motion, split.by_thruster.T, residual])


def _acceleration_function(
    plant: Plant, q_NB: tuple[float, ...]
) -> Callable[[Twist | tuple[float, ...], tuple[float, ...], Vector3], Array]:
    """Acceleration as a function of twist, outputs of the actuators and current: a dozen calls per sample.

    `Plant.derivative` checks its arguments, which takes ten times as long as the compiled function.
    """
    packed = plant.packed
    rate = kernels_for(packed.layout).rate
    row, codes = writable("row", packed.row), codes_of(packed.layout)
    state, result = np.zeros(BODY_SIZE + packed.actuator_states), np.empty(BODY_SIZE + packed.actuator_states)
    inputs, reported = np.zeros(AXES + packed.actuators + 3), np.empty(outputs_count(packed.layout))
    state[3:7] = np.array(q_NB) / np.linalg.norm(q_NB)

    def acceleration(twist: Twist | tuple[float, ...], outputs: tuple[float, ...], water: Vector3) -> Array:
        state[7:BODY_SIZE] = twist
        state[BODY_SIZE : BODY_SIZE + packed.actuators] = inputs[AXES : AXES + packed.actuators] = outputs
        inputs[-3:] = water
        rate(row, codes, state, inputs, reported, result)
        return result[7:BODY_SIZE].copy()

    return acceleration


class LearntErrors(NamedTuple):
    """What is known of the errors of the model."""

    information: Array  # normal matrix, residuals in the last column
    spread: Array  # mean of the squared normalised innovations of each axis
    lagged: Array  # mean of the products of two of them in a row
    last: Array  # the last of them
    residuals: int  # learnt so far


def unknown_errors(thrusters: int) -> LearntErrors:
    """Nothing known but the prior."""
    information = np.diag([*deviations(PRIOR, TOLERANCE, thrusters) ** -2.0, 0.0])
    return LearntErrors(information, np.ones(AXES), np.zeros(AXES), np.zeros(AXES), 0)


def deviations(errors: Array, tolerance: float, thrusters: int) -> Array:
    """Standard deviations of the errors of the model, and of the tolerances of the thrusters."""
    return np.concatenate([errors, np.full(thrusters, tolerance)])


def mean_errors(errors: LearntErrors) -> Array:
    """Mean of the errors of the model."""
    known, seen = errors.information[:-1, :-1], errors.information[:-1, -1]
    return np.asarray(np.linalg.solve(known, seen), dtype=float)


def learnt_current(errors: LearntErrors) -> tuple[float, float]:
    """Velocity of the water north and east that was learnt, m/s."""
    north, east = mean_errors(errors)[CURRENT_ERRORS].tolist()
    return (north, east)


def learnt_losses(errors: LearntErrors, thrusters: int) -> tuple[Array, Array]:
    """Lost share of each thruster that the residuals alone tell, and its log-likelihood ratio against a tolerance."""
    covariance = np.linalg.inv(errors.information[:-1, :-1])
    mean = (covariance @ errors.information[:-1, -1])[-thrusters:]
    told = 1.0 - covariance.diagonal()[-thrusters:] / TOLERANCE**2  # share of the information that residuals give
    # Without the prior, which draws the mean towards no loss.
    lost = mean / np.maximum(told, LEAST_TOLD)
    return lost, np.where(lost > 0.0, 0.5 * lost * mean / TOLERANCE**2, 0.0)


def regressors(rows: Array) -> Array:
    """Regressors in the last dimension: errors of the model of each axis, current and tolerances of the thrusters."""
    thrust, motion = rows[..., THRUST], rows[..., MOTION]
    own = np.stack([thrust, motion, np.ones_like(thrust)], axis=-1)
    by_axis = (own[..., None, :] * np.eye(AXES)[..., None]).reshape(*thrust.shape, 3 * AXES)
    return np.concatenate([by_axis, rows[..., CURRENT], -rows[..., FIRST_THRUSTER:-1]], axis=-1)


def residual_noise(rows: Array) -> Array:
    """Standard deviation of residuals: sensors, a share of predicted accelerations, and drag at a wrong velocity."""
    predicted = np.sum(rows[..., MOTION:-1] ** 2, axis=-1)
    return np.sqrt(LEAST_SPREAD**2 + MODEL_NOISE**2 * predicted + rows[..., SPEED_ERROR] ** 2)


def inflation(errors: LearntErrors) -> Array:
    """Factor by which the variance of residuals exceeds the square of `residual_noise`, by axis.

    Disturbances such as waves make residuals large, and correlated in time: fewer of them are independent.
    """
    correlation = np.clip(errors.lagged / errors.spread, 0.0, MOST_CORRELATION)
    # Number of residuals that tell as much as one independent one, in a first-order process of this correlation.
    repeated = (1.0 + correlation) / (1.0 - correlation)
    return np.maximum(errors.spread * repeated, CORRELATED * np.maximum(errors.spread, 1.0))


def learnt(errors: LearntErrors, rows: Array) -> LearntErrors:
    """The errors after the residuals of one time, a row per axis."""
    theta, known = mean_errors(errors), errors.information[:-1, :-1]
    X = regressors(rows)
    predicted = residual_noise(rows) ** 2 + np.sum(X * np.linalg.solve(known, X.T).T, axis=-1)
    innovation = (rows[:, -1] - X @ theta) / np.sqrt(predicted)
    share = 1.0 / min(SPREAD_MEMORY, 1.0 + errors.residuals)
    spread = errors.spread + share * (innovation**2 - errors.spread)
    lagged = errors.lagged + share * (innovation * errors.last - errors.lagged)
    after = LearntErrors(errors.information, spread, lagged, innovation, errors.residuals + 1)
    weight = 1.0 / (residual_noise(rows) * np.sqrt(inflation(after)))
    weighted = np.column_stack([X, rows[:, -1]]) * weight[:, None]
    prior = unknown_errors(rows.shape[1] - FIRST_THRUSTER - 1).information
    # The prior comes back as residuals are forgotten, so that the information never falls below it.
    kept = errors.information * (1.0 - 1.0 / MEMORY) + prior / MEMORY
    return after._replace(information=_wandered(kept + weighted.T @ weighted))


def _wandered(information: Array) -> Array:
    """Information on the errors of the model after slow accelerations have wandered for a residual."""
    known, seen = information[:-1, :-1], information[:-1, -1]
    walk = np.zeros(len(known))
    walk[SLOW] = CHANGE[SLOW] ** 2 / MEMORY
    after = information.copy()
    # A walk adds to the covariance and leaves the mean, so that the right-hand side follows from it.
    after[:-1, :-1] = np.linalg.inv(np.linalg.inv(known) + np.diag(walk))
    after[:-1, -1] = after[-1, :-1] = after[:-1, :-1] @ np.linalg.solve(known, seen)
    return after


def likeliest_current(rows_about: Callable[[tuple[float, float]], Array]) -> tuple[float, float]:
    """The current north and east, m/s, on a grid, whose surroundings explain residuals best.

    The likelihood has several maxima, so that steps from still water may end at a wrong one. The residuals are
    linearised about a current: times x axes x columns of `regression_rows`.
    """
    points = (SPACING * (np.arange(GRID) - GRID // 2)).tolist()
    return min(product(points, repeat=2), key=lambda current: _misfit(rows_about(current), current))


def _misfit(rows: Array, current: tuple[float, float]) -> float:
    """Twice the negative log-likelihood of residuals, linearised about a current on the grid, up to a constant."""
    thrusters = rows.shape[-1] - FIRST_THRUSTER - 1
    weight = 1.0 / (residual_noise(rows) * math.sqrt(CORRELATED))
    X = (regressors(rows) * weight[..., None]).reshape(weight.size, -1)
    # Residuals are about still water. Less the current of this point, what is left of it is within half a step.
    e = ((rows[..., -1] - rows[..., CURRENT] @ np.array(current)) * weight).reshape(-1)
    std = deviations(PRIOR, TOLERANCE, thrusters)
    std[CURRENT_ERRORS] = 0.5 * SPACING
    A, seen = X.T @ X + np.diag(std**-2.0), X.T @ e
    fit = float(e @ e - seen @ np.linalg.solve(A, seen))
    prior = float(np.sum((np.array(current) / PRIOR[CURRENT_ERRORS]) ** 2))
    return fit + prior - 2.0 * float(np.sum(np.log(weight))) + float(np.linalg.slogdet(A)[1])
