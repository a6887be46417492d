"""Expected station error of a sampled loop under a disturbance and with noise in the estimate.

Disturbance and noise are first-order Gauss-Markov processes. Drag is left out, as in the loop itself.
"""

import math
from typing import NamedTuple

import numpy as np

from remora.control.tuning.cascade_loop import CascadeGains, CascadeLoop
from remora.equations.algebra.four_axes import Vector4
from remora.files.arrays import Array


class StationConditions(NamedTuple):
    """Disturbance and noise in surge, sway, heave and yaw: standard deviations and correlation times."""

    forces: Vector4  # N and N m
    force_times: Vector4  # s
    positions: Vector4  # m and rad, error of the estimate
    position_times: Vector4  # s
    speeds: Vector4  # m/s and rad/s, error of the estimate
    speed_times: Vector4  # s


class AxisConditions(NamedTuple):
    """Disturbance and noise in one axis, as standard deviation and correlation time in s."""

    acceleration: tuple[float, float]  # m/s2 or rad/s2
    position: tuple[float, float]  # m or rad
    speed: tuple[float, float]  # m/s or rad/s


class ExpectedError(NamedTuple):
    """Root mean squares in one axis."""

    position: float  # m or rad, of the true position
    change: float  # m/s2 or rad/s2, of the commanded acceleration from sample to sample


def axis_conditions(conditions: StationConditions, k: int, inertia: float) -> AxisConditions:
    """Conditions of one axis.

    Parameters
    ----------
    conditions
        Of all axes.
    k
        Index among surge, sway, heave and yaw.
    inertia
        With added mass, kg or kg m2.
    """
    return AxisConditions(
        (conditions.forces[k] / inertia, conditions.force_times[k]),
        (conditions.positions[k], conditions.position_times[k]),
        (conditions.speeds[k], conditions.speed_times[k]),
    )


def expected_error(loop: CascadeLoop, gains: CascadeGains, conditions: AxisConditions) -> ExpectedError:
    """Station error and change of the command that the conditions cause in a stable loop.

    Parameters
    ----------
    loop
        Loop of one axis.
    gains
        Its gains.
    conditions
        Disturbance and noise.
    """
    w, z = loop.frequencies, loop.z
    law = loop.law(gains)
    closed = 1.0 / (1.0 + loop.response(gains))
    free = -1.0 / w**2  # position by an acceleration that acts without lag
    noises = ((conditions.acceleration, free, free * (gains.position + 1j * w)),
              (conditions.position, -law * loop.position * gains.position, gains.position),
              (conditions.speed, -law * loop.position, 1.0))  # fmt: skip
    position = change = 0.0
    for (std, time), error, seen in noises:
        density = gauss_markov_density(w, std, time)
        position += _integral(w, density * np.abs(closed * error) ** 2)
        change += _integral(w, density * np.abs((1.0 - 1.0 / z) * law * closed * seen) ** 2)
    return ExpectedError(math.sqrt(position), math.sqrt(change))


def gauss_markov_density(frequencies: Array, std: float, time: float) -> Array:
    """One-sided spectral density of a first-order Gauss-Markov process over frequencies in rad/s.

    Parameters
    ----------
    frequencies
        rad/s.
    std
        Standard deviation.
    time
        Correlation time, s.
    """
    return np.asarray(2.0 / math.pi * std**2 * time / (1.0 + (frequencies * time) ** 2))


def _integral(frequencies: Array, density: Array) -> float:
    return float(np.trapezoid(density, frequencies))
