"""Attitude control: quaternion feedback about three axes, the shortest turn to a heading, and levelling."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, final

from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.quaternions import conjugate, product
from remora.equations.algebra.vectors import ZERO3, scale3
from remora.equations.types import Quaternion, Twist, Vector3, Wrench
from remora.vehicles.checks.actuation import levelled_axes
from remora.vehicles.parameters import VehicleParameters, total_inertia

# This close to half a turn the direction of the previous step is kept, so that noise does not reverse the turn.
HALF_TURN_MARGIN = math.radians(5.0)


class AttitudeGains(NamedTuple):
    """Gains of quaternion feedback about the body axes."""

    attitude: Vector3  # N m, P_q
    rate: Vector3  # N m s, P_w


def attitude_error(q_NB: Quaternion, q_NR: Quaternion) -> Vector3:
    """Vector part of the shortest rotation from body to reference, in body axes; half the angle when small."""
    error = product(conjugate(q_NB), q_NR)
    return (error[1], error[2], error[3]) if error[0] >= 0.0 else (-error[1], -error[2], -error[3])


def attitude_torque(
    gains: AttitudeGains, q_NB: Quaternion, q_NR: Quaternion, w: Vector3, w_reference: Vector3 = ZERO3
) -> Vector3:
    """Torque P_q eps - P_w (w - w_ref) in body axes, N m. Fresk and Nikolakopoulos 2013.

    About an axis with inertia I small errors obey w_n^2 = P_q / (2 I) and 2 zeta w_n = P_w / I. Angular velocities of
    body and reference are in body axes.
    """
    e = attitude_error(q_NB, q_NR)
    a, b = gains.attitude, gains.rate
    return (
        a[0] * e[0] - b[0] * (w[0] - w_reference[0]),
        a[1] * e[1] - b[1] * (w[1] - w_reference[1]),
        a[2] * e[2] - b[2] * (w[2] - w_reference[2]),
    )


def turn_to_heading(heading: float, reference: float, last: float = 0.0) -> float:
    """Shortest turn from one heading to another, rad; positive to starboard.

    A turn of exactly half a turn goes to starboard. Within `HALF_TURN_MARGIN` of half a turn the direction of the
    `last` turn, at the step before, is kept.
    """
    turn = math.remainder(reference - heading, 2.0 * math.pi)
    if abs(turn) < math.pi - HALF_TURN_MARGIN:
        return turn
    if abs(last) >= 0.5 * math.pi:
        return _turn_along(turn, last)
    exact = abs(abs(turn) - math.pi) < 1e-12
    return abs(turn) if exact else turn


def _turn_along(turn: float, way: float) -> float:
    """The same turn in the direction of the sign of `way`."""
    return turn if turn * way > 0.0 else turn + math.copysign(2.0 * math.pi, way)


ROLL, PITCH = 3, 4
TILT_GAINS: Vector3 = (1.5, 3.0, 0.75)  # 1/s, of tilt, rate (times the inertia) and integral
# With a thruster time constant T the rate loops of levelling and yaw must not cross over above this fraction of 1 / T.
LAG_SHARE = 0.6


@final
@dataclass(frozen=True)
class Levelling:
    """Torques about the forward and the right axis, proportional to tilt and turn rate, where thrusters give them."""

    axes: tuple[int, ...]  # levelled ones: roll 3, pitch 4
    inertias: tuple[float, float]  # kg m2, in roll and pitch
    gains: Vector3  # as TILT_GAINS; that of the integral is not used

    def added_to(self, wrench: Wrench, q_NB: Quaternion, twist: Twist) -> Wrench:
        """The wrench with these torques."""
        torques = [
            inertia * self.gains[1] * (self.gains[0] * tilt - twist[axis]) if axis in self.axes else 0.0
            for axis, inertia, tilt in zip((ROLL, PITCH), self.inertias, tilt_error(q_NB), strict=True)
        ]
        return (*wrench[:3], wrench[3] + torques[0], wrench[4] + torques[1], wrench[5])


def levelling(parameters: VehicleParameters, locked: Iterable[str] = ()) -> Levelling:
    """Levelling of a vehicle, without integral action, in the axes that its thrusters control."""
    M = total_inertia(parameters)
    return Levelling(levelled_axes(parameters, locked), (M[3][3], M[4][4]), tilt_gains(parameters))


def tilt_gains(parameters: VehicleParameters) -> Vector3:
    """TILT_GAINS, lower where the thrusters are slow."""
    lag = slowest_rise_time(parameters)
    return scale3(min(1.0, LAG_SHARE / (lag * TILT_GAINS[1])) if lag > 0.0 else 1.0, TILT_GAINS)


def slowest_rise_time(parameters: VehicleParameters) -> float:
    """Largest time constant of rising thrust among the thrusters, s."""
    return max((thruster.rise_time for thruster in parameters.thrusters), default=0.0)


def tilt_error(q_NB: Quaternion) -> tuple[float, float]:
    """Rotation about the forward and the right axis that levels a vehicle, rad; minus roll and pitch when small.

    It is the shortest rotation of the body's down axis onto the vertical. The only singularity is upside down, where
    the vehicle is rolled back.
    """
    x, y, z = down_in_body(q_NB)
    size = math.hypot(x, y)
    if size < 1e-12:
        return (0.0 if z > 0.0 else math.pi, 0.0)
    angle = math.atan2(size, z)
    return (-angle * y / size, angle * x / size)
