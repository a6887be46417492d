"""Sampled loop of one axis: position P and velocity PI on an inertia, as `PositionControl` closes it.

The open loop is cut at the force. Drag is left out: it adds phase, so that the margins hold without it.
"""

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from remora.control.tuning.sampled_plant import LoopTiming, frequencies_for, sampled_plant, smoothing_response
from remora.control.tuning.stability_margins import StabilityMargins, stability_margins
from remora.files.arrays import Array

DOUBLE_INTEGRATOR = (np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.0], [1.0]]))  # position and velocity


class CascadeGains(NamedTuple):
    """Gains of one axis: a = velocity (position e - v + integral of the sum), 1/s each."""

    position: float
    velocity: float
    integral: float


@final
@dataclass(frozen=True, eq=False)
class CascadeLoop:
    """Frequency response of an axis behind lag, latency and hold, for any gains."""

    timing: LoopTiming
    frequencies: Array  # rad/s
    z: Array  # exp(j w h)
    position: Array  # response of the position to an acceleration, complex
    velocity: Array

    def response(self, gains: CascadeGains) -> Array:
        """Open loop at the frequencies."""
        summed = gains.integral * self.timing.period / (1.0 - 1.0 / self.z)
        smoothed = smoothing_response(self.timing.smoothing_share, self.z)
        loop = gains.velocity * (1.0 + summed) * (gains.position * self.position + self.velocity)
        return np.asarray(smoothed * loop)

    def margins(self, gains: CascadeGains) -> StabilityMargins:
        """Margins; those of an unstable loop mean nothing, see `radius`."""
        return stability_margins(self.frequencies, self.response(gains))

    def radius(self, gains: CascadeGains) -> float:
        """Spectral radius of the closed loop per sample; unstable from 1 on."""
        return cascade_radius(gains, self.timing)


def cascade_loop(timing: LoopTiming) -> CascadeLoop:
    """The loop of an axis with this timing."""
    frequencies = frequencies_for(timing.period)
    z = np.exp(1j * frequencies * timing.period)
    response = sampled_plant(*DOUBLE_INTEGRATOR, timing).response(z)
    return CascadeLoop(timing, frequencies, z, response[:, 0, 0], response[:, 1, 0])


def cascade_radius(gains: CascadeGains, timing: LoopTiming) -> float:
    """Spectral radius of a closed loop per sample; unstable from 1 on."""
    plant = sampled_plant(*DOUBLE_INTEGRATOR, timing)
    states = plant.A.shape[0]
    error = -(gains.position * plant.C[0] + plant.C[1])  # desired minus measured speed
    growth = gains.integral * timing.period
    law = gains.velocity * (1.0 + growth) * error  # the integral includes the present error
    share = timing.smoothing_share
    command = np.array([*(share * law), share * gains.velocity, 1.0 - share])  # smoothed, from states, sum and itself
    F = np.zeros((states + 2, states + 2))
    F[:states, :states] = plant.A
    F[:states] += np.outer(plant.B[:, 0], command)
    F[states, :states], F[states, states] = growth * error, 1.0
    F[states + 1] = command
    return float(np.abs(np.linalg.eigvals(F)).max())
