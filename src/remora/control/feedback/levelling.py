"""Levelling: tilt error, torques against it, and which of roll and pitch the thrusters can control."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.vectors import scale3
from remora.equations.types import Quaternion, Twist, Vector3, Wrench
from remora.vehicles.checks.actuation import levelled_axes
from remora.vehicles.parameters import VehicleParameters, total_inertia

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
