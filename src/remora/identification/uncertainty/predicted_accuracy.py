"""Predicted accuracy of an experiment: covariance of a fit from the motion without noise.

The motion without noise gives the rows of the regression. White noise in the measured speeds enters the rows through
the window, times the inertia and the derivative of all other forces with respect to speed. With instruments that follow
the true motion the covariance is A^-1 S A^-T: A is the Fisher information of independent rows, S the sum of the squared
effect of each noise sample on the scores.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.parameter_names import canonical
from remora.identification.regression.prefilter import LowPassWindow, filtered, low_pass_window
from remora.identification.regression.regressor import as_column, base_wrenches, reaches
from remora.identification.regression.rows import Rows, regression_rows, sampled
from remora.identification.sampling.resampling import uniform_interval
from remora.plant.pack import pack
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters

_SMALL_SPEED = 1e-5
# Relative singular value below which a direction is not identifiable.
_SMALLEST = 1e-7


def predicted_covariance(
    record: Record,
    vehicle: VehicleParameters,
    names: Sequence[str],
    noise: Mapping[str, float],
    axes: Sequence[str] | None = None,
) -> Array:
    """Predicted covariance of `fit_least_squares` with instrumental variables.

    Parameters
    ----------
    record, vehicle, names
        Motion without noise in one uniform segment, with exact inputs; parameters of the vehicle as far as known;
        parameters to be fitted.
    noise
        Degree of freedom -> standard deviation of white noise in each sample of its speed, m/s or rad/s.
    axes
        Degrees of freedom whose equations are used; those with noise given, unless given.

    Returns
    -------
    Covariance; infinite variance for parameters that are not identifiable.
    """
    used = tuple(noise if axes is None else axes)
    interval = uniform_interval(record)
    spelled = [canonical(name) for name in names]
    rows = regression_rows(record, vehicle, spelled, used, filtered(interval), interval)
    gains = _noise_gains(record, vehicle, used, noise, interval)
    weights = [
        1.0 / max(np.sqrt(sum(float(gain.power(2).sum()) for gain in own) / rows.number), 1e-300) for own in gains
    ]
    return _covariance(rows, weights, gains)


def _covariance(rows: Rows, weights: Sequence[float], gains: Sequence[Sequence[Any]]) -> Array:
    """A^-1 S A^-T; infinite where A is singular."""
    k, samples = len(rows.names), gains[0][0].shape[1]
    information, scores = np.zeros((k, k)), [np.zeros((k, samples)) for _ in gains[0]]
    for block, weight, own in zip(rows.blocks, weights, gains, strict=True):
        weighted = weight**2 * block.matrix
        information[np.ix_(block.active, block.active)] += weighted.T @ block.matrix
        for total, gain in zip(scores, own, strict=True):
            total[block.active] += np.asarray((gain.T @ weighted).T)
    middle = sum((score @ score.T for score in scores), np.zeros((k, k)))
    return _sandwich(information, middle)


def _sandwich(information: Array, middle: Array) -> Array:
    size = np.sqrt(np.diag(information))
    shown = np.where(size > 0.0, size, 1.0)
    values, vectors = np.linalg.eigh(information / np.outer(shown, shown))
    seen = values > _SMALLEST * max(float(values[-1]), 1e-300)
    inverse = (vectors[:, seen] / values[seen]) @ vectors[:, seen].T / np.outer(shown, shown)
    covariance = inverse @ middle @ inverse.T
    blind = (np.abs(vectors[:, ~seen]) > 1e-3).any(axis=1) | (size == 0.0)
    covariance[blind, :], covariance[:, blind] = 0.0, 0.0
    covariance[blind, blind] = np.inf
    return np.asarray(covariance)


def _noise_gains(
    record: Record, vehicle: VehicleParameters, axes: Sequence[str], noise: Mapping[str, float], interval: float
) -> list[list[Any]]:
    """[axis][noisy speed] -> effect of each noise sample of one standard deviation on each row of the axis."""
    samples, packed = sampled(record, vehicle, filtered(interval)), pack(vehicle)
    motion = samples.motion(record.segments[0])
    low_pass, slope = _as_matrices(low_pass_window(interval), len(record))
    inertia = base_wrenches(packed, motion).inertia
    gains: list[list[Any]] = [[] for _ in axes]
    for speed, deviation in noise.items():
        j = DEGREES_OF_FREEDOM.index(speed)
        ways = []
        for step in (_SMALL_SPEED, -_SMALL_SPEED):
            twist = tuple(v + step if i == j else v for i, v in enumerate(motion.twist))
            found = base_wrenches(packed, motion._replace(twist=twist))
            ways.append([_whole(found, i, len(record)) for i in range(6)])
        for own, axis in zip(gains, axes, strict=True):
            i = DEGREES_OF_FREEDOM.index(axis)
            change = (ways[0][i] - ways[1][i]) / (2.0 * _SMALL_SPEED)
            own.append(deviation * (float(inertia[i][j]) * slope + low_pass @ sparse.diags_array(change)))
    return gains


def _whole(wrenches: Any, i: int, samples: int) -> Array:
    """One component of all terms that do not depend on acceleration."""
    parts = [as_column(part[i], samples) for part in (wrenches.term, wrenches.effort) if reaches(part[i])]
    return np.asarray(sum(parts, np.zeros(samples)))


def _as_matrices(window: LowPassWindow, samples: int) -> tuple[Any, Any]:
    """Low-pass and derivative as sparse matrices, one row per row of the regression."""
    numbers = np.arange(window.first, 1 + (samples - 1) // window.stride)
    width = 2 * window.half + 1
    places = (numbers[:, None] * window.stride - np.arange(width)).ravel()
    rows = np.repeat(np.arange(len(numbers)), width)
    shape = (len(numbers), samples)
    made = [
        sparse.csr_array((np.tile(kernel, len(numbers)), (rows, places)), shape=shape)
        for kernel in (window.low_pass, window.slope)
    ]
    return made[0], made[1]
