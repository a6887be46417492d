"""Cascaded loops: a sampled PID law, the angle and rate loops of an attitude, and the position loop of the FlatFish.

The PID law has rectangular integration, a filtered backward difference and anti-windup by conditional integration
(Åström and Hägglund 1995, ch. 3). Errors of position are in level axes along the heading: ahead, to starboard, down and
turn (Britto Neto 2018, section on control).
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import asin, cos, either, maximum, minimum, select, sin, sqrt
from remora.equations.algebra.four_axes import add4, clipped4, multiply4, scale4
from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import conjugate, product
from remora.equations.algebra.vectors import dot3, scale3
from remora.equations.types import FourDof, Quaternion, Vector3


class PidGains(NamedTuple):
    """Gains, limits and timing of a PID law."""

    period: float  # s
    proportional: float
    integral: float
    derivative: float
    lowest: float  # of the output
    highest: float
    filter_time: float  # s, of the derivative; zero for none


class PidMemory(NamedTuple):
    """Numbers that a PID law keeps between samples."""

    integral: float  # error x s
    previous: float  # differentiated quantity
    slope: float  # filtered derivative


class AxisGains(NamedTuple):
    """Angle P loop and rate PID loop about one body axis."""

    angle_gain: float  # 1/s
    largest_rate: float  # rad/s
    error_filter_time: float  # s, of the rate error; zero for none
    rate: PidGains  # N m from rad/s


class AxisMemory(NamedTuple):
    """Numbers that the loops of one axis keep between samples."""

    error: float  # filtered rate error, rad/s
    rate: PidMemory


def pid_law(
    gains: PidGains, memory: PidMemory, error: float, differentiated: float, feedforward: float, blocked: float
) -> tuple[PidMemory, float]:
    """One sample: the next memory, and the output within its limits.

    The integral is kept where the output is at a limit, or `blocked`, and the error would increase it. The derivative
    is the backward difference of `differentiated`. `error` is desired minus measured; `blocked` has the sign in which
    the actuators are saturated, or is zero; `feedforward` is added to the output.
    """
    raw = (differentiated - memory.previous) / gains.period
    filtered = memory.slope + gains.period / (gains.filter_time + gains.period) * (raw - memory.slope)
    slope = select(gains.derivative == 0.0, 0.0, select(gains.filter_time > 0.0, filtered, raw))
    free = feedforward + gains.proportional * error + gains.derivative * slope
    summed = memory.integral + error * gains.period
    output = free + gains.integral * summed
    above, below = either(output > gains.highest, blocked > 0.0), either(output < gains.lowest, blocked < 0.0)
    kept = select(select(gains.integral * error > 0.0, above, below), memory.integral, summed)
    limited = minimum(maximum(free + gains.integral * kept, gains.lowest), gains.highest)
    return PidMemory(kept, differentiated, slope), limited


def rotation_to_reference(q_NB: Quaternion, q_NR: Quaternion) -> Vector3:
    """Shortest rotation from body to reference as a rotation vector in body axes, rad."""
    error = product(conjugate(q_NB), q_NR)
    e = scale3(select(error[0] >= 0.0, 1.0, -1.0), (error[1], error[2], error[3]))
    sine = minimum(sqrt(dot3(e, e)), 1.0)
    return scale3(select(sine > 0.0, 2.0 * asin(sine) / select(sine > 0.0, sine, 1.0), 2.0), e)


def cascade_torque(gains: AxisGains, memory: AxisMemory, angle: float, rate: float) -> tuple[AxisMemory, float]:
    """One sample of the loops of an axis: the next memory, and the torque in N m.

    `angle` is the rotation to the reference about this axis, `rate` the turn rate.
    """
    asked = gains.angle_gain * angle
    error = minimum(maximum(asked, -gains.largest_rate), gains.largest_rate) - rate
    share = gains.rate.period / (gains.error_filter_time + gains.rate.period)
    error = select(gains.error_filter_time > 0.0, memory.error + share * (error - memory.error), error)
    after, torque = pid_law(gains.rate, memory.rate, error, error, 0.0, 0.0)
    return AxisMemory(error, after), torque


def level_axes(vector_N: Vector3, heading: float) -> Vector3:
    """A vector of N in level axes along a heading."""
    c, s = cos(heading), sin(heading)
    return (c * vector_N[0] + s * vector_N[1], -s * vector_N[0] + c * vector_N[1], vector_N[2])


def position_velocity(gains: FourDof, errors: FourDof, moving: FourDof, limits: FourDof) -> FourDof:
    """Desired speeds of the position loop within their limits, m/s and rad/s.

    `errors` are target minus position and the turn to the target heading, `moving` is the velocity of the target, both
    in level axes; `limits` are the largest speeds.
    """
    return clipped4(add4(multiply4(gains, errors), moving), scale4(-1.0, limits), limits)


def compensated_force(force: Vector3, heading: float, q_NB: Quaternion, net_weight: float) -> Vector3:
    """Force in body axes, N, for a force in level axes on a vehicle that then behaves as if it were neutral.

    `heading` is the heading of the level axes, `net_weight` weight minus buoyancy.
    """
    X, Y, Z = force
    c, s = cos(heading), sin(heading)
    return to_body(q_NB, (c * X - s * Y, s * X + c * Y, Z - net_weight))
