"""Velocity from a tracked position: Kalman filter with a constant velocity. Nielsen 2018, eqs. 6.8 to 6.14.

The transpose missing in the printed innovation covariance and the order of the printed gain are corrected. Frames that
the tracker lost are NaN: the filter then only predicts.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.navigation.surveys.arrays import SurveyError, positive


class TrackedMotion(NamedTuple):
    """Filtered position and velocity, one row per frame."""

    position: Array  # m or rad
    velocity: Array  # m/s or rad/s


def track_kinematics(positions: ArrayLike, period: float, std: float, acceleration_std: float) -> TrackedMotion:
    """Position and velocity of each coordinate from its measured position.

    Parameters
    ----------
    positions
        Measured coordinates, m or unwrapped rad: frames x coordinates; NaN where the tracker lost a frame.
    period
        Time between frames, s.
    std
        Standard deviation of a measurement, m or rad.
    acceleration_std
        Standard deviation of the acceleration, m/s2 or rad/s2, constant over a period.

    Raises
    ------
    SurveyError
        When there is no frame with a measurement, or a number is not positive.
    """
    rows = np.asarray(positions, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or not np.isfinite(rows).any(axis=0).all():
        raise SurveyError("positions: give frames x coordinates, each measured at least once.").about("positions")
    dt, noise = positive(period, "period"), positive(std, "std") ** 2
    spread = positive(acceleration_std, "acceleration_std")
    filtered = [_coordinate(column, dt, noise, spread) for column in rows.T]
    return TrackedMotion(
        np.column_stack([one[:, 0] for one in filtered]), np.column_stack([one[:, 1] for one in filtered])
    )


def _coordinate(measured: Array, dt: float, noise: float, spread: float) -> Array:
    """Position and velocity of one coordinate, with the Joseph form of the covariance."""
    F, lever = np.array([[1.0, dt], [0.0, 1.0]]), np.array([0.5 * dt * dt, dt])
    Q, H = spread**2 * np.outer(lever, lever), np.array([1.0, 0.0])
    x = np.array([measured[np.isfinite(measured)][0], 0.0])
    P = np.diag([noise, (spread * 100.0 * dt) ** 2 + 1.0])
    found = np.empty((len(measured), 2))
    for k, y in enumerate(measured):
        if k:
            x, P = F @ x, F @ P @ F.T + Q
        if np.isfinite(y):
            gain = P @ H / (H @ P @ H + noise)
            x = x + gain * (y - x[0])
            kept = np.eye(2) - np.outer(gain, H)
            P = kept @ P @ kept.T + noise * np.outer(gain, gain)
        found[k] = x
    return found
