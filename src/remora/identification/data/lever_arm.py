"""Lever-arm correction: motion measured at a sensor, transformed to the body origin."""

import numpy as np

from remora.equations.algebra.kinematics import twist_at
from remora.equations.algebra.vectors import IDENTITY3, Matrix3, Vector3, matvec3, scale3, transpose3
from remora.identification.data.record import Record
from remora.identification.problems import RecordError


def moved_to_body(record: Record, p_BS: Vector3, R_BS: Matrix3 = IDENTITY3) -> Record:
    """Record with the twist of a sensor S transformed to the body origin B.

    Parameters
    ----------
    record
        Record with the twist of S in the axes of S, including rates.
    p_BS
        Position of the sensor in body axes, m (lever arm).
    R_BS
        Rotation from sensor axes to body axes.
    """
    if np.isnan(record.twist[:, 3:]).all():
        raise RecordError("has no rates, so the lever arm cannot be corrected.", record.source)
    p_SB = scale3(-1.0, matvec3(transpose3(R_BS), p_BS))
    a, b, c, d, e, f = record.twist.T
    moved = twist_at((a, b, c, d, e, f), p_SB, transpose3(R_BS))
    place = ", ".join(f"{x:g}" for x in p_BS)
    return record.with_note(f"Twist moved from the sensor at ({place}) m to B.", twist=np.column_stack(moved))
