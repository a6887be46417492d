"""Ranges and directions: acoustic positioning, echosounders, cameras, markers and satellite positions.

Bearing and elevation are those of a sensor that looks along x_S: bearing from x_S towards y_S, elevation towards -z_S
(up, when the sensor is mounted with the axes of the body).
"""

from remora.equations.algebra.elementary import atan2, cos, sin, sqrt
from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import Quaternion, rotation_matrix
from remora.equations.algebra.vectors import Matrix3, Twist, Vector3, dot3, matmul3, matvec3, subtract3, transpose3
from remora.equations.geometry.earth import Geodetic, ned_to_geodetic
from remora.equations.instruments.inertial import point_position, point_velocity


def length3(vector: Vector3) -> float:
    """Length of a vector; its derivative does not exist at zero."""
    length: float = sqrt(dot3(vector, vector))
    return length


def range_to_point(p_NB: Vector3, q_NB: Quaternion, p_BS: Vector3, p_NP: Vector3) -> float:
    """Distance from a transducer on the body to a point, m: SBL and LBL. Proctor 2014, eq. 4.15."""
    return length3(subtract3(point_position(p_NB, q_NB, p_BS), p_NP))


def range_from_travel(distance: float, sound_speed: float, assumed_sound_speed: float) -> float:
    """The range that an instrument makes of a travel time when it takes another sound speed for the true one, m."""
    return distance * assumed_sound_speed / sound_speed


def relative_bearing(p_NS: Vector3, heading: float, p_NP: Vector3) -> float:
    """Bearing in the level plane of a point from another, against a heading, rad in (-pi, pi]: for shadow zones."""
    north, east = p_NP[0] - p_NS[0], p_NP[1] - p_NS[1]
    c, s = cos(heading), sin(heading)
    bearing: float = atan2(c * east - s * north, c * north + s * east)
    return bearing


def point_in_sensor(p_NB: Vector3, q_NB: Quaternion, p_BS: Vector3, R_BS: Matrix3, p_NP: Vector3) -> Vector3:
    """p_SP: a point of N seen from a sensor on the body, in the sensor's axes, m."""
    p_BP = to_body(q_NB, subtract3(p_NP, p_NB))
    return matvec3(transpose3(R_BS), subtract3(p_BP, p_BS))


def bearing_and_elevation(p_SP: Vector3) -> tuple[float, float]:
    """Direction of a point in the sensor's axes, rad: what a camera tells of it. Straight up and down bear zero."""
    level = sqrt(p_SP[0] * p_SP[0] + p_SP[1] * p_SP[1])
    return (atan2(p_SP[1], p_SP[0]), atan2(-p_SP[2], level))


def range_bearing_elevation(p_SP: Vector3) -> Vector3:
    """Range, bearing and elevation of a point in the sensor's axes, m and rad: USBL."""
    bearing, elevation = bearing_and_elevation(p_SP)
    return (length3(p_SP), bearing, elevation)


def point_from_bearing(reading: Vector3) -> Vector3:
    """p_SP from range, bearing and elevation, m."""
    distance, bearing, elevation = reading
    level = distance * cos(elevation)
    return (level * cos(bearing), level * sin(bearing), -distance * sin(elevation))


def image_point(p_SP: Vector3) -> tuple[float, float]:
    """Where a pinhole camera that looks along x_S sees a point in front of it: right and below, per focal length."""
    return (p_SP[1] / p_SP[0], p_SP[2] / p_SP[0])


def cone_direction(half_angle: float, azimuth: float) -> Vector3:
    """Unit vector in S that leans by an angle from x_S; the azimuth turns about x_S from y_S towards z_S."""
    out = sin(half_angle)
    return (cos(half_angle), out * cos(azimuth), out * sin(azimuth))


def sensor_axes(q_NB: Quaternion, R_BS: Matrix3) -> Matrix3:
    """R_NS: the axes of a sensor seen in N."""
    return matmul3(rotation_matrix(q_NB), R_BS)


def direction_in_N(q_NB: Quaternion, R_BS: Matrix3, direction_S: Vector3) -> Vector3:
    """A direction of a sensor seen in N; with `point_position` the ray of an echosounder."""
    return matvec3(rotation_matrix(q_NB), matvec3(R_BS, direction_S))


def velocity_in_N(q_NB: Quaternion, twist: Twist, p_BS: Vector3) -> Vector3:
    """Velocity in N of a point on the body, m/s: what a satellite receiver tells of its antenna."""
    return matvec3(rotation_matrix(q_NB), point_velocity(twist, p_BS))


def geodetic_position(p_NB: Vector3, q_NB: Quaternion, p_BS: Vector3, origin: Geodetic) -> Geodetic:
    """Latitude, longitude and height of a point on the body, N having its origin at a place."""
    return ned_to_geodetic(point_position(p_NB, q_NB, p_BS), origin)
