"""Ranges and directions: acoustic positioning, echosounders, cameras, markers, satellites, laser and visibility.

Bearing and elevation are those of a sensor that looks along x_S: bearing from x_S towards y_S, elevation towards -z_S
(up, when the sensor has the axes of the body).
"""

from remora.equations.algebra.elementary import atan2, both, cos, log, maximum, sin, sqrt
from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import cross, dot3, matmul3, matvec3, scale3, subtract3, transpose3
from remora.equations.geometry.earth import Geodetic, ned_to_geodetic
from remora.equations.instruments.inertial import point_position, point_velocity
from remora.equations.types import Direction, Matrix3, Quaternion, RotationMatrix, Twist, Vector3

_TURN = 6.283185307179586
_NO_DISTANCE = 1e-9  # m


def length3(vector: Vector3) -> float:
    """Length of a vector; its derivative does not exist at zero."""
    length: float = sqrt(dot3(vector, vector))
    return length


def range_to_point(p_NB: Vector3, q_NB: Quaternion, p_BS: Vector3, p_NP: Vector3) -> float:
    """Range from a transducer on the body to a point, m: SBL and LBL. Proctor 2014, eq. 4.15.

    Parameters
    ----------
    p_NB, q_NB
        Position of the body origin in N, m, and attitude of the body.
    p_BS
        Position of the transducer in body axes, m.
    p_NP
        Position of the point in N, m.
    """
    return length3(subtract3(point_position(p_NB, q_NB, p_BS), p_NP))


def range_from_travel(distance: float, sound_speed: float, assumed_sound_speed: float) -> float:
    """Range that an instrument derives from a travel time with an assumed sound speed, m.

    Parameters
    ----------
    distance
        True distance, m.
    sound_speed
        True sound speed, m/s.
    assumed_sound_speed
        Sound speed that the instrument assumes, m/s.
    """
    return distance * assumed_sound_speed / sound_speed


def relative_bearing(p_NS: Vector3, heading: float, p_NP: Vector3) -> float:
    """Horizontal bearing of a point relative to a heading, rad in (-pi, pi].

    Parameters
    ----------
    p_NS
        Position of the sensor in N, m.
    heading
        Heading, rad.
    p_NP
        Position of the point in N, m.
    """
    north, east = p_NP[0] - p_NS[0], p_NP[1] - p_NS[1]
    c, s = cos(heading), sin(heading)
    bearing: float = atan2(c * east - s * north, c * north + s * east)
    return bearing


def is_shadowed(p_NS: Vector3, heading: float, p_NP: Vector3, start: float, end: float) -> bool:
    """Whether the hull hides a point from a transducer: in a sector of bearings, unless the transducer is deeper.

    Proctor 2014, ch. 4: from -112.5 degrees to 0.
    """
    bearing = relative_bearing(p_NS, heading, p_NP)
    hidden: bool = both(p_NS[2] <= p_NP[2], (bearing - start) % _TURN <= (end - start) % _TURN)
    return hidden


def point_in_sensor(p_NB: Vector3, q_NB: Quaternion, p_BS: Vector3, R_BS: RotationMatrix, p_NP: Vector3) -> Vector3:
    """p_SP: a point relative to a sensor on the body, in the sensor's axes, m.

    Parameters
    ----------
    p_NB, q_NB
        Position of the body origin in N, m, and attitude of the body.
    p_BS, R_BS
        Position of the sensor, m, and its axes, in body axes.
    p_NP
        Position of the point in N, m.
    """
    p_BP = to_body(q_NB, subtract3(p_NP, p_NB))
    return matvec3(transpose3(R_BS), subtract3(p_BP, p_BS))


def bearing_and_elevation(p_SP: Vector3) -> tuple[float, float]:
    """Direction of a point in the sensor's axes, rad; the bearing of straight up and down is zero."""
    level = sqrt(p_SP[0] * p_SP[0] + p_SP[1] * p_SP[1])
    return (atan2(p_SP[1], p_SP[0]), atan2(-p_SP[2], level))


def range_and_cosines(p_SP: Vector3) -> tuple[float, float, float, float]:
    """Range of a point, m, and the cosines of its direction to the sensor's axes, zero at no distance: USBL.

    An array times the phases between its elements, which are the cosines times the spacing over the wavelength.
    """
    distance = length3(p_SP)
    per_metre = 1.0 / maximum(distance, _NO_DISTANCE)
    return (distance, p_SP[0] * per_metre, p_SP[1] * per_metre, p_SP[2] * per_metre)


def point_from_bearing(reading: Vector3) -> Vector3:
    """p_SP from range, bearing and elevation, m."""
    distance, bearing, elevation = reading
    level = distance * cos(elevation)
    return (level * cos(bearing), level * sin(bearing), -distance * sin(elevation))


def across_bearing(bearing: float, elevation: float) -> tuple[Vector3, Vector3]:
    """Two unit vectors across a direction and each other: those in which it moves with bearing and elevation, rad."""
    cb, sb, ce, se = cos(bearing), sin(bearing), cos(elevation), sin(elevation)
    return (-sb, cb, 0.0), (-se * cb, -se * sb, -ce)


def image_point(p_SP: Vector3) -> tuple[float, float]:
    """Image coordinates of a point in a pinhole camera that looks along x_S: right and down, per focal length."""
    return (p_SP[1] / p_SP[0], p_SP[2] / p_SP[0])


def cone_direction(half_angle: float, azimuth: float) -> Vector3:
    """Unit vector in S at an angle from x_S; the azimuth turns about x_S from y_S towards z_S."""
    out = sin(half_angle)
    return (cos(half_angle), out * cos(azimuth), out * sin(azimuth))


def sensor_axes(q_NB: Quaternion, R_BS: RotationMatrix) -> Matrix3:
    """R_NS: the axes of a sensor in N."""
    return matmul3(rotation_matrix(q_NB), R_BS)


def direction_in_N(q_NB: Quaternion, R_BS: RotationMatrix, direction_S: Direction) -> Vector3:
    """A direction of a sensor in N; with `point_position` the ray of an echosounder.

    Parameters
    ----------
    q_NB
        Attitude of the body.
    R_BS
        Sensor axes in body axes.
    direction_S
        Unit vector in the sensor's axes.
    """
    return matvec3(rotation_matrix(q_NB), matvec3(R_BS, direction_S))


def velocity_in_N(q_NB: Quaternion, twist: Twist, p_BS: Vector3) -> Vector3:
    """Velocity in N of a point on the body, m/s: reading of a satellite receiver at its antenna.

    Parameters
    ----------
    q_NB, twist
        Attitude of the body, and its twist in body axes, m/s and rad/s.
    p_BS
        Position of the sensor in body axes, m.
    """
    return matvec3(rotation_matrix(q_NB), point_velocity(twist, p_BS))


def geodetic_position(p_NB: Vector3, q_NB: Quaternion, p_BS: Vector3, origin: Geodetic) -> Geodetic:
    """Latitude, longitude and height of a point on the body.

    Parameters
    ----------
    p_NB, q_NB
        Position of the body origin in N, m, and attitude of the body.
    p_BS
        Position of the sensor in body axes, m.
    origin
        Geodetic position of the origin of N.
    """
    return ned_to_geodetic(point_position(p_NB, q_NB, p_BS), origin)


def pinhole_direction(right: float, below: float) -> Vector3:
    """Unit vector in S of the ray of an image point of a pinhole camera: the inverse of `image_point`."""
    return scale3(1.0 / sqrt(1.0 + right * right + below * below), (1.0, right, below))


def incidence_cosine(direction: Vector3, first: Vector3, second: Vector3, third: Vector3) -> float:
    """Cosine of the angle between a ray and the normal of the surface through three points, from 0 to 1.

    Parameters
    ----------
    direction
        Direction of the ray.
    first, second, third
        Point of the surface, m.
    """
    normal = cross(subtract3(second, first), subtract3(third, first))
    size = sqrt(dot3(normal, normal) * dot3(direction, direction))
    return abs(dot3(normal, direction)) / size


def sight_path(attenuation: float, faintest: float) -> float:
    """Path in water after which a fraction of light or contrast remains, m: exp(-c path) = faintest. Duntley 1963."""
    return -log(faintest) / attenuation


def triangulation_std(distance: float, baseline: float, angle: float) -> float:
    """Range error of laser triangulation, m, for a baseline perpendicular to the ray.

    Parameters
    ----------
    distance
        Range, m.
    baseline
        Distance of camera and laser, m.
    angle
        Angular error of the camera, rad.
    """
    return distance * distance * angle / baseline
