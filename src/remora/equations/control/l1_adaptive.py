"""L1 adaptive control of one velocity: state predictor, piecewise-constant adaptation, filtered compensation.

Hovakimyan and Cao 2010, chapter 3, for a plant v' = a + s with the unknown acceleration s. The predictor has the same
input and starts from the measured velocity at every sample, so that its error is that of one period. The low-pass
filter decouples the speed of the adaptation from the robustness of the loop.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import exp
from remora.equations.types import Seconds

LEAST_LAG = 1e-12  # s, keeps the decay of thrusters without lag finite


class L1Gains(NamedTuple):
    """Gains of one axis."""

    model: float  # 1/s, pole of the tracking error
    filter: float  # 1/s, bandwidth of the compensation
    lag: float  # s, of the thrusters; zero for none


class L1State(NamedTuple):
    """State of one axis."""

    predicted: float = 0.0  # m/s or rad/s
    applied: float = 0.0  # m/s2 or rad/s2, acceleration behind the lag
    compensation: float = 0.0  # m/s2 or rad/s2, filtered estimate of the unknown acceleration


def unknown_acceleration(error: float, period: Seconds) -> float:
    """Unknown acceleration that explains a prediction error, held over the period before.

    `error` is predicted minus measured velocity.
    """
    return -error / period


def l1_acceleration(gains: L1Gains, state: L1State, velocity: float, desired: float) -> float:
    """Commanded acceleration, m/s2 or rad/s2.

    `state` is the one after `l1_estimated`.
    """
    return gains.model * (desired - velocity) - state.compensation


def l1_estimated(gains: L1Gains, state: L1State, velocity: float, period: Seconds) -> L1State:
    """State with the compensation after a measured velocity.

    `state` is the one after the last sample.
    """
    found = unknown_acceleration(state.predicted - velocity, period)
    share = 1.0 - exp(-gains.filter * period)
    return L1State(state.predicted, state.applied, state.compensation + share * (found - state.compensation))


def l1_predicted(gains: L1Gains, state: L1State, velocity: float, command: float, period: Seconds) -> L1State:
    """State predicted for the next sample.

    `state` is the one before the sample, `velocity` is measured, and `command` is the acceleration that the thrusters
    are asked for and can give.
    """
    lag = gains.lag + LEAST_LAG
    rest = exp(-period / lag)
    later = command + rest * (state.applied - command)
    mean = command + lag / period * (1.0 - rest) * (state.applied - command)
    return L1State(velocity + period * mean, later, state.compensation)
