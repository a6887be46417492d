"""Errors of the model, learnt from residual accelerations by recursive least squares: what is no fault.

They are a gain, a drag and a slow acceleration of each axis, the current north and east, and the tolerance of each
thruster. Drag is quadratic, so that the residuals are linearised about the learnt current. Linearised about a wrong
one, the first residuals would stay wrong, so that the current of these is searched first.
"""

import math
from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.navigation.faults.thrust_regression import AXES, CURRENT, FIRST_THRUSTER, MOTION, SPEED_ERROR, THRUST

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
    """By how much the variance of residuals is larger than that of `residual_noise`, by axis.

    Disturbances such as waves make residuals large, and correlated in time: fewer of them are independent.
    """
    correlation = np.clip(errors.lagged / errors.spread, 0.0, MOST_CORRELATION)
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
    kept = errors.information * (1.0 - 1.0 / MEMORY) + prior / MEMORY
    return after._replace(information=_wandered(kept + weighted.T @ weighted))


def _wandered(information: Array) -> Array:
    """Information on the errors of the model after slow accelerations have wandered for a residual."""
    known, seen = information[:-1, :-1], information[:-1, -1]
    walk = np.zeros(len(known))
    walk[SLOW] = CHANGE[SLOW] ** 2 / MEMORY
    after = information.copy()
    after[:-1, :-1] = np.linalg.inv(np.linalg.inv(known) + np.diag(walk))
    after[:-1, -1] = after[-1, :-1] = after[:-1, :-1] @ np.linalg.solve(known, seen)
    return after


def likeliest_current(rows_about: Callable[[tuple[float, float]], Array]) -> tuple[float, float]:
    """The current north and east, m/s, on a grid, whose surroundings explain residuals best.

    The likelihood has several maxima, so that steps from still water may end at a wrong one.

    Parameters
    ----------
    rows_about
        The residuals, linearised about a current: times x axes x columns of `regression_rows`.
    """
    points = (SPACING * (np.arange(GRID) - GRID // 2)).tolist()
    return min(product(points, repeat=2), key=lambda current: _misfit(rows_about(current), current))


def _misfit(rows: Array, current: tuple[float, float]) -> float:
    """Twice the negative log-likelihood of residuals, linearised about a current on the grid, up to a constant."""
    thrusters = rows.shape[-1] - FIRST_THRUSTER - 1
    weight = 1.0 / (residual_noise(rows) * math.sqrt(CORRELATED))
    X = (regressors(rows) * weight[..., None]).reshape(weight.size, -1)
    e = ((rows[..., -1] - rows[..., CURRENT] @ np.array(current)) * weight).reshape(-1)
    std = deviations(PRIOR, TOLERANCE, thrusters)
    std[CURRENT_ERRORS] = 0.5 * SPACING
    A, seen = X.T @ X + np.diag(std**-2.0), X.T @ e
    fit = float(e @ e - seen @ np.linalg.solve(A, seen))
    prior = float(np.sum((np.array(current) / PRIOR[CURRENT_ERRORS]) ** 2))
    return fit + prior - 2.0 * float(np.sum(np.log(weight))) + float(np.linalg.slogdet(A)[1])
