"""Velocity tracking in surge, sway, heave and yaw: reference model, PI law, dynamic inversion and hedging.

Proctor 2014, chapter 6. With the inversion each axis is an integrator; the error then has a double pole at -K_p / 2
where K_i = K_p^2 / 4.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import both, select
from remora.equations.algebra.four_axes import add4, multiply4, scale4, subtract4
from remora.equations.algebra.vectors import add6, matvec6
from remora.equations.types import Matrix6, Vector4, Vector6, Wrench

LEAST_BLOCKED = 1e-9  # m/s2 and rad/s2; a smaller missing acceleration is rounding


class TrackingGains(NamedTuple):
    """Gains for surge, sway, heave and yaw."""

    model: Vector4  # 1/s, of the reference model
    proportional: Vector4  # 1/s
    integral: Vector4  # 1/s2
    derivative: Vector4  # 1


class TrackingState(NamedTuple):
    """State of the reference model and of the PI law."""

    model: Vector4  # m/s, rad/s, velocity of the reference model
    integral: Vector4 = (0.0, 0.0, 0.0, 0.0)  # m, rad, of the tracking error
    error: Vector4 = (0.0, 0.0, 0.0, 0.0)  # m/s, rad/s, of the previous step


def model_acceleration(gains: TrackingGains, model: Vector4, desired: Vector4) -> Vector4:
    """Acceleration of the first-order reference model, m/s2 and rad/s2. Proctor 2014, eq. 6.3.

    Parameters
    ----------
    gains
        Gains.
    model, desired
        Velocity of the model and desired velocity, m/s and rad/s.
    """
    return multiply4(gains.model, subtract4(desired, model))


def tracking_acceleration(gains: TrackingGains, state: TrackingState, velocity: Vector4, period: float) -> Vector4:
    """PID acceleration on the error of the reference model, m/s2 and rad/s2. Proctor 2014, eq. 6.5.

    Parameters
    ----------
    gains
        Gains.
    state
        Reference model, integral and error after the previous step.
    velocity
        Measured surge, sway, heave and yaw, m/s and rad/s.
    period
        Seconds between steps.
    """
    error = subtract4(state.model, velocity)
    slope = scale4(1.0 / period, subtract4(error, state.error))
    return add4(
        add4(multiply4(gains.proportional, error), multiply4(gains.integral, state.integral)),
        multiply4(gains.derivative, slope),
    )


def inverted_wrench(inertia: Matrix6, acceleration: Vector4, resisting: Wrench) -> Wrench:
    """Wrench for accelerations in surge, sway, heave and yaw, with none in roll and pitch. Proctor 2014, eq. 6.6.

    Torques in roll and pitch are left out: hydrostatics holds both.

    Parameters
    ----------
    inertia
        Inertia with added mass, about B.
    acceleration
        m/s2 and rad/s2, in body axes.
    resisting
        Wrench that balances Coriolis forces, damping, weight and buoyancy, N and N m.
    """
    six: Vector6 = (acceleration[0], acceleration[1], acceleration[2], 0.0, 0.0, acceleration[3])
    w = add6(matvec6(inertia, six), resisting)
    return (w[0], w[1], w[2], 0.0, 0.0, w[5])


def tracking_step(
    gains: TrackingGains,
    state: TrackingState,
    velocity: Vector4,
    acceleration: Vector4,
    blocked: Vector4,
    period: float,
) -> TrackingState:
    """State after a step: reference model and integral of the error, both by the rectangle rule.

    Anti-windup by conditional integration: where an acceleration is missing, the integral does not grow that way.

    Parameters
    ----------
    gains
        Gains.
    state
        State before the step.
    velocity
        Measured surge, sway, heave and yaw, m/s and rad/s.
    acceleration
        Of the reference model: eq. 6.3, minus the hedge of eq. 6.18, m/s2 and rad/s2.
    blocked
        Missing acceleration, m/s2 and rad/s2; zero lets the integral grow.
    period
        Seconds between steps.
    """
    error = subtract4(state.model, velocity)
    integral = (
        _summed(state.integral[0], period * error[0], gains.integral[0] * blocked[0]),
        _summed(state.integral[1], period * error[1], gains.integral[1] * blocked[1]),
        _summed(state.integral[2], period * error[2], gains.integral[2] * blocked[2]),
        _summed(state.integral[3], period * error[3], gains.integral[3] * blocked[3]),
    )
    return TrackingState(add4(state.model, scale4(period, acceleration)), integral, error)


def _summed(before: float, growth: float, blocked: float) -> float:
    frozen = both(growth * blocked > 0.0, abs(blocked) > LEAST_BLOCKED)
    return select(frozen, before, before + growth)


def smoothed_command(filtered: float, command: float, gain: float, period: float) -> float:
    """First-order smoothing of a command. Proctor 2014, eq. 6.14; stable for gain x period below 2.

    Parameters
    ----------
    filtered, command
        Smoothed command of the previous step, and new command, in its unit.
    gain
        1/s.
    period
        Seconds between steps.
    """
    return filtered + gain * (command - filtered) * period
