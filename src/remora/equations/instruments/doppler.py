"""Doppler instruments: velocity over ground and through the water, by four beams or as a vector.

The instrument's axes S are x forward, y right, z down when it has the axes of the body. Its four beams lean outwards by
one angle from z_S (Janus configuration), a quarter turn apart; the first is at the azimuth `turn` from x_S towards y_S.
A beam velocity is positive when the instrument moves along that beam.
"""

from typing import TypeAlias

from remora.equations.algebra.elementary import cos, sin
from remora.equations.algebra.kinematics import down_in_body, to_body
from remora.equations.algebra.vectors import dot3, matvec3, subtract3, transpose3
from remora.equations.instruments.inertial import point_position, point_velocity
from remora.equations.types import Quaternion, RotationMatrix, Twist, Vector3

Beams: TypeAlias = tuple[float, float, float, float]
BeamDirections: TypeAlias = tuple[Vector3, Vector3, Vector3, Vector3]


def velocity_over_ground(twist: Twist, p_BS: Vector3, R_BS: RotationMatrix) -> Vector3:
    """Velocity of the sensor over ground in its axes, m/s: bottom track. Proctor 2014, eq. 4.13.

    Parameters
    ----------
    twist
        Twist of the body, in body axes, m/s and rad/s.
    p_BS, R_BS
        Position of the sensor, m, and its axes, in body axes.
    """
    return matvec3(transpose3(R_BS), point_velocity(twist, p_BS))


def velocity_through_water(
    q_NB: Quaternion, twist: Twist, water_velocity_N: Vector3, p_BS: Vector3, R_BS: RotationMatrix
) -> Vector3:
    """Velocity of the sensor through the water in its axes, m/s: water track.

    Parameters
    ----------
    q_NB, twist
        Attitude of the body, and its twist in body axes, m/s and rad/s.
    water_velocity_N
        Velocity of the water in N, m/s.
    p_BS, R_BS
        Position of the sensor, m, and its axes, in body axes.
    """
    relative = subtract3(point_velocity(twist, p_BS), to_body(q_NB, water_velocity_N))
    return matvec3(transpose3(R_BS), relative)


def beam_directions(angle: float, turn: float) -> BeamDirections:
    """The four beams as unit vectors in S."""
    out, down = sin(angle), cos(angle)
    x, y = out * cos(turn), out * sin(turn)
    return ((x, y, down), (-y, x, down), (-x, -y, down), (y, -x, down))


def beam_velocities(velocity_S: Vector3, directions: BeamDirections) -> Beams:
    """Speed along each beam, m/s."""
    return (
        dot3(directions[0], velocity_S),
        dot3(directions[1], velocity_S),
        dot3(directions[2], velocity_S),
        dot3(directions[3], velocity_S),
    )


def velocity_from_beams(beams: Beams, angle: float, turn: float) -> Vector3:
    """Least-squares velocity in S from four beam velocities, m/s.

    Parameters
    ----------
    beams
        Speed along each beam, m/s.
    angle, turn
        Angle of the beams from z_S, and azimuth of the first from x_S towards y_S, rad.
    """
    across = 0.5 / sin(angle)
    a, b = across * (beams[0] - beams[2]), across * (beams[1] - beams[3])
    total = (beams[0] + beams[1]) + (beams[2] + beams[3])
    return (cos(turn) * a - sin(turn) * b, sin(turn) * a + cos(turn) * b, total / (4.0 * cos(angle)))


def beam_disagreement(beams: Beams, angle: float) -> float:
    """Error velocity, m/s: zero in homogeneous flow, else with the scatter of a horizontal component."""
    opposed = (beams[0] + beams[2]) - (beams[1] + beams[3])
    return opposed / (2.8284271247461903 * sin(angle))


def missing_beam(beams: Beams, index: int) -> float:
    """Velocity of a missing beam from the other three, m/s."""
    return beams[(index + 1) % 4] + beams[(index + 3) % 4] - beams[(index + 2) % 4]


def beam_ranges(q_NB: Quaternion, R_BS: RotationMatrix, altitude: float, directions: BeamDirections) -> Beams:
    """Range of each beam over a level bottom, m; negative for a beam above the horizon.

    Parameters
    ----------
    q_NB
        Attitude of the body.
    R_BS
        Sensor axes in body axes.
    altitude
        Height of the sensor above the bottom, m.
    directions
        Unit vectors of the beams in S.
    """
    down_S = matvec3(transpose3(R_BS), down_in_body(q_NB))
    along = beam_velocities(down_S, directions)
    return (altitude / along[0], altitude / along[1], altitude / along[2], altitude / along[3])


def altitude_from_ranges(q_NB: Quaternion, R_BS: RotationMatrix, ranges: Beams, angle: float, turn: float) -> float:
    """Vertical height of the sensor above the plane that its four ranges span, m; exact for a sloping bottom.

    A plane m . p = 1 meets a beam b at the range r where m . b = 1/r, so inverse ranges combine like beam velocities.

    Parameters
    ----------
    q_NB
        Attitude of the body.
    R_BS
        Sensor axes in body axes.
    ranges
        Range of each beam, m.
    angle, turn
        Angle of the beams from z_S, and azimuth of the first from x_S towards y_S, rad.
    """
    inverse = (1.0 / ranges[0], 1.0 / ranges[1], 1.0 / ranges[2], 1.0 / ranges[3])
    down_S = matvec3(transpose3(R_BS), down_in_body(q_NB))
    return 1.0 / dot3(velocity_from_beams(inverse, angle, turn), down_S)


def cell_position(p_NB: Vector3, q_NB: Quaternion, p_BS: Vector3, R_BS: RotationMatrix, distance: float) -> Vector3:
    """Centre in N of a measurement cell of a current profiler, m.

    Parameters
    ----------
    p_NB, q_NB
        Position of the body origin in N, m, and attitude of the body.
    p_BS, R_BS
        Position of the sensor, m, and its axes, in body axes.
    distance
        Distance along z_S, m.
    """
    z_S = (R_BS[0][2], R_BS[1][2], R_BS[2][2])
    p_BC = (p_BS[0] + distance * z_S[0], p_BS[1] + distance * z_S[1], p_BS[2] + distance * z_S[2])
    return point_position(p_NB, q_NB, p_BC)


def cell_velocity(
    q_NB: Quaternion, twist: Twist, water_velocity_N: Vector3, p_BS: Vector3, R_BS: RotationMatrix
) -> Vector3:
    """Velocity of the water in a cell relative to the moving sensor, in S, m/s: current profiler.

    Parameters
    ----------
    q_NB, twist
        Attitude of the body, and its twist in body axes, m/s and rad/s.
    water_velocity_N
        Velocity of the water in the cell, in N, m/s.
    p_BS, R_BS
        Position of the sensor, m, and its axes, in body axes.
    """
    x, y, z = velocity_through_water(q_NB, twist, water_velocity_N, p_BS, R_BS)
    return (-x, -y, -z)
