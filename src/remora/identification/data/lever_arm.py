"""Lever-arm correction: motion measured at a sensor, transformed to the body origin."""

import numpy as np

from remora.equations.algebra.kinematics import twist_at
from remora.equations.algebra.vectors import IDENTITY3, matvec3, scale3, transpose3
from remora.equations.instruments.inertial import point_velocity
from remora.equations.types import Matrix3, Vector3
from remora.files.arrays import Array
from remora.files.problems import listed
from remora.identification.data.record import Record
from remora.identification.problems import RecordError
from remora.vehicles.names import DEGREES_OF_FREEDOM


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


def velocity_at_origin(record: Record, p_BS: Vector3) -> Record:
    """Record with the velocity of a sensor at p_BS (m), measured in body axes, transformed to the body origin B."""
    unknown = [axis for axis in DEGREES_OF_FREEDOM[3:] if axis not in record.measured]
    if "yaw" in unknown:
        raise RecordError("has no rate of yaw, so the lever arm cannot be corrected.", record.source)
    u, v, w, p, q, r = np.column_stack([record.twist[:, :3], *(_filled(record, k) for k in (3, 4, 5))]).T
    moved = point_velocity((u, v, w, p, q, r), scale3(-1.0, p_BS))
    place = ", ".join(f"{x:g}" for x in p_BS)
    zero = f" The rate of {listed(unknown)} was not measured and counts as zero." if unknown else ""
    sentence = f"Velocity moved from the sensor at ({place}) m to B.{zero}"
    return record.with_note(sentence, twist=np.column_stack([*moved, record.twist[:, 3:]]))


def _filled(record: Record, column: int) -> Array:
    """A rate at all stamps, interpolated inside each segment; zero where it was never measured."""
    rate = record.twist[:, column].copy()
    if np.isnan(rate).all():
        return np.zeros_like(rate)
    for segment in record.segments:
        part, time = rate[segment.start : segment.stop], record.time[segment.start : segment.stop]
        known = ~np.isnan(part)
        if known.any():
            part[~known] = np.interp(time[~known], time[known], part[known], np.nan, np.nan)
    return rate
