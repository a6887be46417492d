"""Velocity of a tracked marker: constant-velocity Kalman filter of each coordinate, through tracker dropouts.

The filter of the towing-tank runs has the states x, y and their rates (modular digest, eqs. 6.8 to 6.14, with the
transposes restored). Its coordinates do not interact, so each is one filter with two states; a heading is one more,
unwrapped before.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.navigation.surveys.arrays import SurveyError, positive, table

UNKNOWN = 1e6  # variance of the velocity before the first two samples


class MarkerMotion(NamedTuple):
    """Filtered coordinates of a marker and their rates, one row per sample."""

    position: Array
    velocity: Array
    position_std: Array
    velocity_std: Array


def marker_motion(samples: ArrayLike, period: float, std: float, acceleration: float) -> MarkerMotion:
    """Positions and velocities from sampled coordinates, with the covariance in Joseph form.

    Parameters
    ----------
    samples
        One row per sample, one column per coordinate: m, or rad unwrapped. NaN where the tracker lost the marker; the
        estimate then continues with constant velocity and growing standard deviation.
    period
        Sampling period, s.
    std
        Standard deviation of a sample, in its unit.
    acceleration
        Standard deviation of the acceleration, constant over each period: m/s2 or rad/s2.
    """
    columns = np.shape(samples)[1] if np.ndim(samples) == 2 else 1
    rows = table(samples if np.ndim(samples) == 2 else np.reshape(np.asarray(samples), (-1, 1)), "samples", columns)
    T, r, q = positive(period, "period"), positive(std, "std") ** 2, positive(acceleration, "acceleration") ** 2
    if np.isnan(rows).all(axis=0).any():
        raise SurveyError("samples: a coordinate has no value at all").about("samples")
    found = [_filtered(coordinate, T, r, q) for coordinate in rows.T]
    return MarkerMotion(*(np.stack(part, axis=1) for part in zip(*found, strict=True)))


def _filtered(samples: Array, T: float, r: float, q: float) -> tuple[Array, Array, Array, Array]:
    """One coordinate."""
    F, G = np.array([[1.0, T], [0.0, 1.0]]), np.array([0.5 * T * T, T])
    first = float(samples[np.flatnonzero(~np.isnan(samples))[0]])
    x, P = np.array([first, 0.0]), np.diag([UNKNOWN, UNKNOWN])
    states, variances = np.empty((len(samples), 2)), np.empty((len(samples), 2))
    for k, sample in enumerate(samples):
        if k:
            x, P = F @ x, F @ P @ F.T + q * np.outer(G, G)
        if not np.isnan(sample):
            gain = P[:, 0] / (P[0, 0] + r)
            x = x + gain * (sample - x[0])
            left = np.eye(2) - np.outer(gain, [1.0, 0.0])
            P = left @ P @ left.T + r * np.outer(gain, gain)
        states[k], variances[k] = x, np.diag(P)
    std = np.sqrt(variances)
    return states[:, 0], states[:, 1], std[:, 0], std[:, 1]
