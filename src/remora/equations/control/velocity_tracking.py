"""Velocity tracking in surge, sway, heave and yaw: reference model, PI law, dynamic inversion and hedging.

Proctor 2014, chapter 6. With the inversion each axis is an integrator; the error then has a double pole at -K_p / 2
where K_i = K_p^2 / 4.

Sliding mode with a boundary layer is the other law: an acceleration that drives a velocity error to zero against a
bounded disturbance. Slotine and Li 1991, ch. 7. While the disturbance stays below the switching gain, the sliding
variable reaches the layer in finite time and stays within disturbance x layer / gain.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import both, select
from remora.equations.algebra.four_axes import add4, clipped, multiply4, scale4, subtract4
from remora.equations.algebra.vectors import add6, matvec6
from remora.equations.types import FourDof, Inertia, Seconds, Vector6, Wrench

LEAST_BLOCKED = 1e-9  # m/s2 and rad/s2; a smaller missing acceleration is rounding


class TrackingGains(NamedTuple):
    """Gains for surge, sway, heave and yaw."""

    model: FourDof  # 1/s, of the reference model
    proportional: FourDof  # 1/s
    integral: FourDof  # 1/s2
    derivative: FourDof  # 1


class TrackingState(NamedTuple):
    """State of the reference model and of the PI law."""

    model: FourDof  # m/s, rad/s, velocity of the reference model
    integral: FourDof = (0.0, 0.0, 0.0, 0.0)  # m, rad, of the tracking error
    error: FourDof = (0.0, 0.0, 0.0, 0.0)  # m/s, rad/s, of the previous step


def model_acceleration(gains: TrackingGains, model: FourDof, desired: FourDof) -> FourDof:
    """Acceleration of the first-order reference model, m/s2 and rad/s2. Proctor 2014, eq. 6.3."""
    return multiply4(gains.model, subtract4(desired, model))


def tracking_acceleration(gains: TrackingGains, state: TrackingState, velocity: FourDof, period: Seconds) -> FourDof:
    """PID acceleration on the error of the reference model, m/s2 and rad/s2. Proctor 2014, eq. 6.5.

    `state` is the one after the previous step, `velocity` the measured one.
    """
    error = subtract4(state.model, velocity)
    slope = scale4(1.0 / period, subtract4(error, state.error))
    return add4(
        add4(multiply4(gains.proportional, error), multiply4(gains.integral, state.integral)),
        multiply4(gains.derivative, slope),
    )


def inverted_wrench(inertia: Inertia, acceleration: FourDof, resisting: Wrench) -> Wrench:
    """Wrench for accelerations in surge, sway, heave and yaw, with none in roll and pitch. Proctor 2014, eq. 6.6.

    Torques in roll and pitch are left out: hydrostatics holds both. `resisting` balances Coriolis forces, damping,
    weight and buoyancy.
    """
    six: Vector6 = (acceleration[0], acceleration[1], acceleration[2], 0.0, 0.0, acceleration[3])
    w = add6(matvec6(inertia, six), resisting)
    return (w[0], w[1], w[2], 0.0, 0.0, w[5])


def tracking_step(
    gains: TrackingGains,
    state: TrackingState,
    velocity: FourDof,
    acceleration: FourDof,
    blocked: FourDof,
    period: Seconds,
) -> TrackingState:
    """State after a step: reference model and integral of the error, both by the rectangle rule.

    Anti-windup by conditional integration: where an acceleration is missing, the integral does not grow that way.
    `acceleration` is the one of the reference model: eq. 6.3, minus the hedge of eq. 6.18. `blocked` is the missing
    acceleration; zero lets the integral grow.
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


def smoothed_command(filtered: float, command: float, gain: float, period: Seconds) -> float:
    """First-order smoothing of a command. Proctor 2014, eq. 6.14; stable for gain x period below 2."""
    return filtered + gain * (command - filtered) * period


def sliding_surface(error: float, integral: float, slope: float) -> float:
    """Sliding variable of a velocity error and its integral: e + slope x integral.

    On the surface the integral decays at the rate `slope`, 1/s.
    """
    return error + slope * integral


def sliding_acceleration(error: float, integral: float, slope: float, gain: float, layer: float) -> float:
    """Acceleration of one axis, m/s2 or rad/s2: slope x error + gain x sat(s / layer).

    `error` is desired minus measured velocity, `gain` the switching gain, above the largest disturbance, and `layer`
    half the thickness of the boundary layer, in the unit of the velocity.
    """
    return slope * error + gain * clipped(sliding_surface(error, integral, slope) / layer, -1.0, 1.0)


def sliding_accelerations(error: FourDof, integral: FourDof, slope: FourDof, gain: FourDof, layer: FourDof) -> FourDof:
    """`sliding_acceleration` of surge, sway, heave and yaw."""
    return (
        sliding_acceleration(error[0], integral[0], slope[0], gain[0], layer[0]),
        sliding_acceleration(error[1], integral[1], slope[1], gain[1], layer[1]),
        sliding_acceleration(error[2], integral[2], slope[2], gain[2], layer[2]),
        sliding_acceleration(error[3], integral[3], slope[3], gain[3], layer[3]),
    )
