"""The Earth's magnetic field as a vehicle sees it, and the angles that a compass makes of it."""

from typing import NamedTuple

from remora.equations.algebra.elementary import asin, atan2, cos, maximum, minimum, sin
from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import Quaternion
from remora.equations.algebra.vectors import Matrix3, Vector3, add3, matvec3, transpose3

_HALF_TURN = 3.141592653589793
_QUARTER_TURN = 0.5 * _HALF_TURN


class CompassOffsets(NamedTuple):
    """What a driver adds to the raw angles of a mounted compass, rad: B_alpha, B_beta and B_gamma of Proctor 2014."""

    roll: float
    pitch: float
    heading: float


def magnetic_field(intensity: float, inclination: float, declination: float) -> Vector3:
    """The field in N, in the unit of its intensity; inclination is positive downwards, declination towards east."""
    level = intensity * cos(inclination)
    return (level * cos(declination), level * sin(declination), intensity * sin(inclination))


def magnetic_declination(field_N: Vector3) -> float:
    """Direction of magnetic north, rad from true north towards east."""
    declination: float = atan2(field_N[1], field_N[0])
    return declination


def magnetometer_reading(
    q_NB: Quaternion, field_N: Vector3, R_BS: Matrix3, soft_iron: Matrix3, hard_iron: Vector3
) -> Vector3:
    """Field in the sensor's axes: soft iron bends and stretches it, hard iron adds its own. Groves 2013, ch. 6."""
    field_S = matvec3(transpose3(R_BS), to_body(q_NB, field_N))
    return add3(matvec3(soft_iron, field_S), hard_iron)


def magnetic_heading(field: Vector3, roll: float, pitch: float) -> float:
    """Heading from magnetic north of level axes, rad, given a field and the tilt of its axes. Groves 2013, ch. 6."""
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
    """Raw roll, pitch and heading of a compass whose axes look to port, aft and up, rad, for an attitude of the body.

    The three are the roll, pitch and yaw of those axes from magnetic north, less the offsets of its mounting: the
    exact counterpart of `attitude_from_compass`. Proctor 2014, eq. 4.8 to 4.11, without its small-angle step.
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

    The pair is exact at every attitude but a pitch of 90 degrees, where roll and heading are not separate.
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
