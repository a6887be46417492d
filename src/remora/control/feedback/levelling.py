"""Levelling: tilt error, and which of roll and pitch the thrusters can control."""

import math
from collections.abc import Iterable

import numpy as np

from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.quaternions import Quaternion
from remora.vehicles.checks.actuation import allocation_matrix
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters

ROLL, PITCH = 3, 4
# An axis is controllable where the thrusters produce this fraction of a pure torque about it.
CONTROLLABLE = 0.95
SMALLEST = 0.05  # smallest singular value that counts, as a fraction of the largest


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


def levelled_axes(parameters: VehicleParameters, locked: Iterable[str] = ()) -> tuple[int, ...]:
    """Indices of roll and pitch where the thrusters can control them independently and they are not locked."""
    matrix = allocation_matrix(parameters)
    if not matrix.size:
        return ()
    alone = np.diag(matrix @ np.linalg.pinv(matrix, rcond=SMALLEST))
    return tuple(i for i in (ROLL, PITCH) if alone[i] > CONTROLLABLE and DEGREES_OF_FREEDOM[i] not in locked)
