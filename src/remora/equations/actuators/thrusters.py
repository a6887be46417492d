"""Thrusters: command to shaft speed, shaft speed and inflow to thrust, and the lag in between.

The output of a thruster is the result of its lag: a force in newtons or a shaft speed in rad/s, depending on its law.
Thrust is positive along the axis.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import either, exp, maximum, minimum, select, sqrt
from remora.equations.algebra.vectors import add3, angular, cross, dot3, join, linear
from remora.equations.types import AdvanceSpeed, Direction, Seconds, ShaftSpeed, Twist, Vector3, Vector6

# Codes of the thruster laws of `laws.table` in a packed row.
OUTPUT_IS_FORCE, THRUST_FROM_SPEED, THRUST_FROM_SPEED_AND_INFLOW, THRUST_IN_FOUR_QUADRANTS = 0, 1, 2, 3


class ThrustCurve(NamedTuple):
    """Thrust of one direction of rotation: square n^2 + advance |n| V_a + inflow V_a^2, never below zero."""

    square: float  # N s2/rad2, positive
    advance: float  # N s2/(rad m), negative: thrust lost to the advance speed
    inflow: float  # N s2/m2


class CommandMap(NamedTuple):
    """Command to steady shaft speed (Falcon eq. 3.24): linear inside the knees, quadratic a d^2 + b d + c beyond."""

    knee_reverse: float  # command, negative
    knee_forward: float  # command, positive
    slope_reverse: float  # rad/s per command
    slope_forward: float
    reverse: Vector3  # a, b, c below the reverse knee
    forward: Vector3  # a, b, c above the forward knee


class Thruster(NamedTuple):
    """One thruster: position, axis, thrust curves, lag and command map."""

    position: Vector3  # m, p_BT
    axis: Vector3  # unit vector of positive thrust
    effect: Vector6  # wrench about B per newton of effective thrust
    effectiveness_forward: float  # fraction of the thrust that reaches the body, thrust > 0
    effectiveness_reverse: float  # the same for thrust < 0
    sense: float  # +1: positive rotation gives positive thrust; -1: the other way round
    positive: ThrustCurve  # rotation > 0
    negative: ThrustCurve  # rotation < 0
    inflow_is_signed: float  # 1: inflow against the thrust raises it; 0: only its size counts (Falcon)
    wake: float  # advance speed per speed of the vehicle, 1 - wake fraction
    rise_time: float  # s, lag while the output grows or changes sign
    fall_time: float  # s, lag while it shrinks
    command_minimum: float
    command_maximum: float
    command_map: CommandMap


def thruster_effect(position: Vector3, axis: Direction, reaction: float) -> Vector6:
    """Wrench about B per newton of thrust: column of the thruster configuration matrix. Britto Neto 2018, eq. 2.3.

    `reaction` is the torque about the axis per newton of thrust, m.
    """
    moment = cross(position, axis)
    return join(axis, (moment[0] + reaction * axis[0], moment[1] + reaction * axis[1], moment[2] + reaction * axis[2]))


def saturate(command: float, lowest: float, highest: float) -> float:
    """The command limited to its range. Simu2VITA eq. 28."""
    return minimum(maximum(command, lowest), highest)


def quadratic(coefficients: Vector3, x: float) -> float:
    """a x^2 + b x + c."""
    return (coefficients[0] * x + coefficients[1]) * x + coefficients[2]


def speed_from_command(m: CommandMap, command: float) -> float:
    """Steady shaft speed of a command, at zero advance speed, rad/s. Proctor 2014, eq. 3.24."""
    inner = select(command > 0.0, m.slope_forward, m.slope_reverse) * command
    outer = select(command > 0.0, quadratic(m.forward, command), quadratic(m.reverse, command))
    beyond = select(command > 0.0, command > m.knee_forward, command < m.knee_reverse)
    return select(beyond, outer, inner)


def command_from_speed(m: CommandMap, speed: float) -> float:
    """Command of a steady shaft speed: exact inverse of eq. 3.24; a speed in a gap at a knee maps to the knee."""
    knee = select(speed > 0.0, m.knee_forward, m.knee_reverse)
    slope = select(speed > 0.0, m.slope_forward, m.slope_reverse)
    a = select(speed > 0.0, m.forward[0], m.reverse[0])
    b = select(speed > 0.0, m.forward[1], m.reverse[1])
    c = select(speed > 0.0, m.forward[2], m.reverse[2])
    inside = abs(speed) <= abs(slope * knee)
    at_knee = abs(speed) <= abs((a * knee + b) * knee + c)
    # The larger root of the quadratic is the one beyond the knee on either side.
    root = (-b + sqrt(maximum(b * b - 4.0 * a * (c - speed), 0.0))) / (2.0 * a)
    return select(inside, speed / slope, select(at_knee, knee, root))


def advance_speed(thruster: Thruster, twist: Twist) -> float:
    """Advance speed of the water along the axis: wake x D . (v + w x X), m/s. Proctor 2014, eq. 3.3 and 3.26."""
    at_thruster = add3(linear(twist), cross(angular(twist), thruster.position))
    return thruster.wake * dot3(thruster.axis, at_thruster)


def thrust(thruster: Thruster, speed: ShaftSpeed, advance: AdvanceSpeed) -> float:
    """Thrust along the axis: rho D^4 K_T(J) |n| n, N. Proctor 2014, eq. 3.1."""
    turning = abs(speed)
    direction = select(speed > 0.0, thruster.sense, -thruster.sense)
    square = select(speed > 0.0, thruster.positive.square, thruster.negative.square)
    loss = select(speed > 0.0, thruster.positive.advance, thruster.negative.advance)
    inflow = select(speed > 0.0, thruster.positive.inflow, thruster.negative.inflow)
    flow = select(thruster.inflow_is_signed > 0.5, direction * advance, abs(advance))
    size = maximum((square * turning + loss * flow) * turning + inflow * flow * flow, 0.0)
    return select(turning == 0.0, 0.0, direction * size)  # asked this way round, a NaN stays one


def static_thrust(thruster: Thruster, speed: float) -> float:
    """Thrust along the axis from shaft speed alone: C |n| n, N. Britto Neto 2018, eq. 2.1."""
    square = select(speed > 0.0, thruster.positive.square, thruster.negative.square)
    return thruster.sense * square * abs(speed) * speed


def speed_from_thrust(thruster: Thruster, force: float, advance: AdvanceSpeed) -> float:
    """Shaft speed that gives a thrust: positive root of the thrust curve, rad/s. Proctor 2014, eq. 6.12."""
    rotation = thruster.sense * force
    direction = select(force > 0.0, 1.0, -1.0)
    flow = select(thruster.inflow_is_signed > 0.5, direction * advance, abs(advance))
    a = select(rotation > 0.0, thruster.positive.square, thruster.negative.square)
    b = select(rotation > 0.0, thruster.positive.advance, thruster.negative.advance) * flow
    c = select(rotation > 0.0, thruster.positive.inflow, thruster.negative.inflow) * flow * flow - abs(force)
    root = (-b + sqrt(maximum(b * b - 4.0 * a * c, 0.0))) / (2.0 * a)
    return select(force == 0.0, 0.0, thruster.sense * direction * root)


def effective_thrust(thruster: Thruster, force: float) -> float:
    """Thrust that reaches the body after losses at hull and housing (Falcon's interference factors), N."""
    return force * select(force > 0.0, thruster.effectiveness_forward, thruster.effectiveness_reverse)


def thrust_for_effect(thruster: Thruster, effect: float) -> float:
    """Thrust of which an effective thrust is left, N; zero where none is left. Inverse of `effective_thrust`."""
    effectiveness = select(effect > 0.0, thruster.effectiveness_forward, thruster.effectiveness_reverse)
    reaches = effectiveness > 0.0
    return select(reaches, effect / select(reaches, effectiveness, 1.0), 0.0)


def rises(output: float, target: float) -> bool:
    """Whether a lagged output grows or changes sign on the way to its target, rather than shrinks.

    The result is the same at any time of a held command.
    """
    return either(abs(target) > abs(output), output * target < 0.0)


def lagged_output(output: float, target: float, decay: float) -> float:
    """First-order lag solved exactly for a held target. Simu2VITA eq. 27.

    `decay` is exp(-elapsed / time constant).
    """
    return target + (output - target) * decay


def lag_decay(elapsed: Seconds, time_constant: Seconds) -> float:
    """Remaining fraction of a deviation after a time: exp(-elapsed / time constant), 0 for a time constant of zero."""
    present = time_constant > 0.0
    return select(present, exp(-elapsed / select(present, time_constant, 1.0)), 0.0)
