"""Keeping a vehicle level: how far it is tilted, and which of roll and pitch its thrusters can hold."""

import math
from collections.abc import Iterable

import numpy as np

from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.quaternions import Quaternion
from remora.vehicles.checks.actuation import allocation_matrix
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters

ROLL, PITCH = 3, 4
# A thruster arrangement holds an axis where it makes this share of a torque about it, without anything else.
WHOLE = 0.95
WEAKEST = 0.05  # singular values below this share of the largest do not count


def tilt_error(q_NB: Quaternion) -> tuple[float, float]:
    """The turns about the forward and the right axis that make a vehicle level, rad; minus roll and pitch when small.

    Together they are the shortest turn of the body's down onto the true one, so that there is no singularity but
    upside down, where the vehicle is rolled back.
    """
    x, y, z = down_in_body(q_NB)
    size = math.hypot(x, y)
    if size < 1e-12:
        return (0.0 if z > 0.0 else math.pi, 0.0)
    angle = math.atan2(size, z)
    return (-angle * y / size, angle * x / size)


def levelled_axes(parameters: VehicleParameters, locked: Iterable[str] = ()) -> tuple[int, ...]:
    """Those of roll and pitch that the thrusters can hold by themselves and that are free to move."""
    matrix = allocation_matrix(parameters)
    if not matrix.size:
        return ()
    alone = np.diag(matrix @ np.linalg.pinv(matrix, rcond=WEAKEST))
    return tuple(i for i in (ROLL, PITCH) if alone[i] > WHOLE and DEGREES_OF_FREEDOM[i] not in locked)
