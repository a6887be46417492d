"""True state of a vehicle, the input of sensor models, and where sensors are mounted on it."""

import math
from typing import NamedTuple

from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import ZERO3, ZERO6, add3, scale3
from remora.equations.types import Matrix3, Quaternion, Twist, Vector3


class Truth(NamedTuple):
    """True state of a vehicle at one time."""

    time_ns: int
    p_NB: Vector3 = ZERO3  # m
    q_NB: Quaternion = (1.0, 0.0, 0.0, 0.0)
    twist: Twist = ZERO6  # m/s and rad/s, in body axes
    twist_rate: Twist = ZERO6  # rate of the components in body axes, m/s2 and rad/s2
    water_velocity_N: Vector3 = ZERO3  # m/s, of the water around the body
    outputs: tuple[float, ...] = ()  # of the actuators, thrusters first: N or rad/s; empty where no sensor needs them


class Mount(NamedTuple):
    """Position and orientation of the sensor axes S in the body."""

    p_BS: Vector3  # m
    q_BS: Quaternion
    R_BS: Matrix3  # the same orientation as a matrix


def make_mount(p_BS: Vector3 = ZERO3, q_BS: Quaternion = (1.0, 0.0, 0.0, 0.0)) -> Mount:
    """A mount from position (m, body axes) and unit quaternion; by default at B with the body axes."""
    return Mount(p_BS, q_BS, rotation_matrix(q_BS))


class BeamGeometry(NamedTuple):
    """Mount and beam angles of a ranging sensor, needed to map its readings."""

    p_BS: Vector3  # m
    q_BS: Quaternion
    angles: tuple[float, ...] = ()  # rad from x_S towards y_S, one per range; empty where readings contain the angle

    def points_B(self, ranges: tuple[float, ...]) -> list[Vector3]:
        """Positions of all echoes in body axes, m; beams without an echo are left out."""
        found = []
        for angle, distance in zip(self.angles, ranges, strict=True):
            if math.isfinite(distance):
                ray = position_rate(self.q_BS, (math.cos(angle), math.sin(angle), 0.0))
                found.append(add3(self.p_BS, scale3(distance, ray)))
        return found
