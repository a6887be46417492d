"""Sampled PID law with conditional integration, and the angle and rate loops of an attitude cascade.

Åström and Hägglund 1995, ch. 3: rectangular integration, filtered backward difference, anti-windup.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import asin, either, maximum, minimum, select, sqrt
from remora.equations.algebra.quaternions import conjugate, product
from remora.equations.algebra.vectors import dot3, scale3
from remora.equations.types import Quaternion, Vector3


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

    The integral is kept where the output is at a limit, or `blocked`, and the error would increase it.

    Parameters
    ----------
    gains
        Gains and limits.
    memory
        After the previous sample.
    error
        Desired minus measured value.
    differentiated
        Quantity whose backward difference is the derivative.
    feedforward
        Added to the output.
    blocked
        Direction in which the actuators are saturated: positive, negative or zero.
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

    Parameters
    ----------
    gains
        Gains of the axis.
    memory
        After the previous sample.
    angle
        Rotation to the reference about this axis, rad.
    rate
        Turn rate about this axis, rad/s.
    """
    asked = gains.angle_gain * angle
    error = minimum(maximum(asked, -gains.largest_rate), gains.largest_rate) - rate
    share = gains.rate.period / (gains.error_filter_time + gains.rate.period)
    error = select(gains.error_filter_time > 0.0, memory.error + share * (error - memory.error), error)
    after, torque = pid_law(gains.rate, memory.rate, error, error, 0.0, 0.0)
    return AxisMemory(error, after), torque
