"""Stability of a sampled velocity loop: PI on an integrator, with hold, smoothing and thruster lag."""

from collections.abc import Callable

import numpy as np
from scipy.linalg import expm

ON_CIRCLE = 1.0 + 1e-7  # spectral radius; the pole of a sum that does not act is at 1 to rounding


def spectral_radius(
    proportional: float, integral: float, period: float, lag: float = 0.0, smoothing: float = 0.0
) -> float:
    """Spectral radius of one velocity loop per sample; unstable from 1 on.

    The plant is an integrator behind a first-order lag, as dynamic inversion leaves it. The controller acts on the
    sampled velocity and is held for a period. Gains are in 1/s and 1/s2, lag (time constant of the thrusters) and
    period in s, the gain of the command smoothing in 1/s; 0 for none.
    """
    # States: velocity, acceleration of the lag, integral, smoothed command; input: the new command, held.
    A = np.array([[0.0, 1.0], [0.0, -1.0 / lag]]) if lag > 0.0 else np.zeros((2, 2))
    B = np.array([[0.0], [1.0 / lag]]) if lag > 0.0 else np.array([[1.0], [0.0]])
    held = expm(period * np.block([[A, B], [np.zeros((1, 3))]]))
    if lag <= 0.0:
        held[:2, 1] = 0.0  # no state of the lag
    share = smoothing * period if smoothing > 0.0 else 1.0
    law = np.array([-proportional, 0.0, -integral, 0.0])  # on velocity, lag, integral, smoothed command
    command = share * law + np.array([0.0, 0.0, 0.0, 1.0 - share])
    F = np.zeros((4, 4))
    F[:2, :2] = held[:2, :2]
    F[:2] += np.outer(held[:2, 2], command)
    F[2] = [period, 0.0, 1.0, 0.0]
    F[3] = command
    return float(np.abs(np.linalg.eigvals(F)).max())


def largest_stable(radius: Callable[[float], float], unstable: float) -> float:
    """Largest gain below an unstable one with which the spectral radius is not above 1, to 2 %; zero if none is."""
    below = (float(gain) for gain in np.geomspace(unstable, 1e-3 * unstable, 350))
    return next((gain for gain in below if radius(gain) <= ON_CIRCLE), 0.0)


def largest_stable_gain(period: float, lag: float, smoothing: float) -> float:
    """Largest proportional gain, 1/s, with an integral gain of K_p^2 / 4, at which the loop is stable.

    Arguments are those of `spectral_radius`.
    """
    low, high = 0.0, 4.0 / period
    for _ in range(40):
        middle = 0.5 * (low + high)
        stable = spectral_radius(middle, 0.25 * middle * middle, period, lag, smoothing) < 1.0
        low, high = (middle, high) if stable else (low, middle)
    return low
