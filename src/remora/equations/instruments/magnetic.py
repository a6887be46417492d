"""The Earth's magnetic field at a vehicle, and the angles of a compass."""

from typing import NamedTuple

from remora.equations.algebra.elementary import asin, atan2, cos, maximum, minimum, sin
from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.vectors import add3, matvec3, subtract3, transpose3
from remora.equations.types import Matrix3, Quaternion, RotationMatrix, Vector3

_HALF_TURN = 3.141592653589793
_QUARTER_TURN = 0.5 * _HALF_TURN


class CompassOffsets(NamedTuple):
    """Offsets of a mounted compass, added to its raw angles, rad: B_alpha, B_beta, B_gamma of Proctor 2014."""

    roll: float
    pitch: float
    heading: float


def magnetic_field(intensity: float, inclination: float, declination: float) -> Vector3:
    """The field in N, in the unit of its intensity.

    Parameters
    ----------
    intensity
        Magnitude of the field.
    inclination
        Inclination, rad, positive downwards.
    declination
        Magnetic declination, rad, positive east.
    """
    level = intensity * cos(inclination)
    return (level * cos(declination), level * sin(declination), intensity * sin(inclination))


def magnetic_declination(field_N: Vector3) -> float:
    """Direction of magnetic north, rad from true north towards east."""
    declination: float = atan2(field_N[1], field_N[0])
    return declination


def magnetometer_reading(
    q_NB: Quaternion, field_N: Vector3, R_BS: RotationMatrix, soft_iron: Matrix3, hard_iron: Vector3
) -> Vector3:
    """Field in the sensor's axes with soft and hard iron. Groves 2013, ch. 6.

    Parameters
    ----------
    q_NB
        Attitude of the body.
    field_N
        Field of the Earth in N.
    R_BS
        Sensor axes in body axes.
    soft_iron
        3x3 soft-iron matrix in S.
    hard_iron
        Hard-iron field in S.
    """
    field_S = matvec3(transpose3(R_BS), to_body(q_NB, field_N))
    return add3(matvec3(soft_iron, field_S), hard_iron)


def calibrated_field(reading: Vector3, correction: Matrix3, hard_iron: Vector3) -> Vector3:
    """Field of the Earth from a magnetometer reading: the inverse of `magnetometer_reading` in S.

    Parameters
    ----------
    reading
        Measured field in S.
    correction
        Inverse of the soft-iron matrix.
    hard_iron
        Hard-iron field in S, in the unit of the reading.
    """
    return matvec3(correction, subtract3(reading, hard_iron))


def magnetic_heading(field: Vector3, roll: float, pitch: float) -> float:
    """Tilt-compensated heading from magnetic north, rad. Groves 2013, ch. 6.

    Parameters
    ----------
    field
        Field in the axes of the sensor.
    roll, pitch
        Angles, rad.
    """
    lean = sin(roll) * field[1] + cos(roll) * field[2]
    heading: float = atan2(
        sin(roll) * field[2] - cos(roll) * field[1],
        cos(pitch) * field[0] + sin(pitch) * lean,
    )
    return heading


def wrapped(angle: float) -> float:
    """The same angle in (-pi, pi]."""
    same: float = atan2(sin(angle), cos(angle))
    return same


def compass_angles(attitude: Vector3, declination: float, offsets: CompassOffsets) -> Vector3:
    """Raw roll, pitch and heading of a compass whose axes point to port, aft and up, rad.

    They are roll, pitch and yaw of those axes from magnetic north, less the offsets of the mounting: the exact
    counterpart of `attitude_from_compass`. Proctor 2014, eq. 4.8 to 4.11, without its small-angle step.

    Parameters
    ----------
    attitude
        Roll, pitch and yaw of the body, rad.
    declination
        Magnetic declination, rad, positive east.
    offsets
        Offsets of the mounting.
    """
    roll, pitch, yaw = attitude
    sine_of_side = sin(roll) * cos(pitch)
    side = asin(minimum(maximum(sine_of_side, -1.0), 1.0))  # elevation of the lateral axis
    nose = atan2(sin(pitch), cos(roll) * cos(pitch))
    turn = yaw - declination - atan2(sin(side) * sin(nose), cos(nose))
    return (
        wrapped(_HALF_TURN - nose + offsets.pitch),
        wrapped(side - offsets.roll),
        wrapped(turn - _QUARTER_TURN - offsets.heading),
    )


def attitude_from_compass(raw: Vector3, declination: float, offsets: CompassOffsets) -> Vector3:
    """Roll, pitch and true heading of the body from the raw angles of `compass_angles`, rad.

    Exact at every attitude but a pitch of 90 degrees, where roll and heading are not unique.

    Parameters
    ----------
    raw
        Raw roll, pitch and heading, rad.
    declination
        Magnetic declination, rad, positive east.
    offsets
        Offsets of the mounting.
    """
    side = raw[1] + offsets.roll
    nose = _HALF_TURN - raw[0] + offsets.pitch
    turn = raw[2] + _QUARTER_TURN + offsets.heading
    sine_of_pitch = cos(side) * sin(nose)
    return (
        atan2(sin(side), cos(side) * cos(nose)),
        asin(minimum(maximum(sine_of_pitch, -1.0), 1.0)),
        wrapped(turn + atan2(sin(side) * sin(nose), cos(nose)) + declination),
    )
