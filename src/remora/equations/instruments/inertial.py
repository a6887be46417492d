"""Inertial and attitude instruments: accelerometer, gyro, attitude and tilt without errors.

A sensor has its own axes S at the point p_BS of the body; the columns of R_BS are those axes in body axes.
"""

from remora.equations.algebra.elementary import atan2, sqrt
from remora.equations.algebra.kinematics import down_in_body, to_body
from remora.equations.algebra.quaternions import product, rotation_matrix, to_euler_zyx
from remora.equations.algebra.vectors import ZERO3, add3, angular, cross, linear, matvec3, scale3, subtract3, transpose3
from remora.equations.geometry.earth import earth_rate_ned
from remora.equations.types import Quaternion, RotationMatrix, Twist, TwistRate, Vector3


def point_position(p_NB: Vector3, q_NB: Quaternion, p_BS: Vector3) -> Vector3:
    """p_NS of a point on the body: a sensor, a marker, a transducer. Nielsen 2018, eq. 6.5.

    Parameters
    ----------
    p_NB, q_NB
        Position of the body origin in N, m, and attitude of the body.
    p_BS
        Point in body axes, m.
    """
    return add3(p_NB, matvec3(rotation_matrix(q_NB), p_BS))


def point_velocity(twist: Twist, p_BS: Vector3) -> Vector3:
    """v_NS_B of a point on the body, in body axes: v + w x r, m/s."""
    return add3(linear(twist), cross(angular(twist), p_BS))


def point_acceleration(twist: Twist, twist_rate: TwistRate, p_BS: Vector3) -> Vector3:
    """Acceleration in N of a point on the body, in body axes: v' + w x v + w' x r + w x (w x r), m/s2.

    Proctor 2014, eq. 4.3, with w x v once where it is printed twice.

    Parameters
    ----------
    twist, twist_rate
        Twist of the body, m/s and rad/s, and rate of its components, m/s2 and rad/s2, in body axes.
    p_BS
        Point in body axes, m.
    """
    w = angular(twist)
    spinning = cross(w, point_velocity(twist, p_BS))
    return add3(add3(linear(twist_rate), cross(angular(twist_rate), p_BS)), spinning)


def specific_force(
    q_NB: Quaternion,
    twist: Twist,
    twist_rate: TwistRate,
    gravity: float,
    p_BS: Vector3,
    R_BS: RotationMatrix,
    earth_rate_B: Vector3 = ZERO3,
) -> Vector3:
    """Specific force of an accelerometer in its axes, m/s2: acceleration less gravity, at rest one g upwards.

    With `earth_rate_B` the Coriolis acceleration of the motion over the rotating Earth is included; its centrifugal
    part is in gravity. Proctor 2014, eq. 4.3; Groves 2013, section 4.1.

    Parameters
    ----------
    q_NB, twist
        Attitude of the body, and its twist in body axes, m/s and rad/s.
    twist_rate
        Rate of the twist components in body axes, m/s2 and rad/s2.
    gravity
        Gravity, m/s2.
    p_BS, R_BS
        Position of the sensor, m, and its axes, in body axes.
    earth_rate_B
        Rotation rate of the Earth in body axes, rad/s, from `earth_rate_in_body`.
    """
    coriolis = cross(scale3(2.0, earth_rate_B), point_velocity(twist, p_BS))
    moving = add3(point_acceleration(twist, twist_rate, p_BS), coriolis)
    return matvec3(transpose3(R_BS), subtract3(moving, scale3(gravity, down_in_body(q_NB))))


def turn_rate(twist: Twist, R_BS: RotationMatrix, earth_rate_B: Vector3 = ZERO3) -> Vector3:
    """Reading of a gyro in its axes, rad/s; inertial with `earth_rate_B`. Proctor 2014, eq. 4.5.

    Parameters
    ----------
    twist
        Twist of the body, in body axes, m/s and rad/s.
    R_BS
        Sensor axes in body axes.
    earth_rate_B
        Rotation rate of the Earth in body axes, rad/s.
    """
    return matvec3(transpose3(R_BS), add3(angular(twist), earth_rate_B))


def earth_rate_in_body(q_NB: Quaternion, latitude: float) -> Vector3:
    """w_IE_B: rotation rate of the Earth in body axes, rad/s."""
    return to_body(q_NB, earth_rate_ned(latitude))


def attitude_angles(q_NB: Quaternion, q_BS: Quaternion) -> Vector3:
    """Roll, pitch and yaw of the sensor's axes, rad; those of the body where q_BS is (1, 0, 0, 0)."""
    return to_euler_zyx(product(q_NB, q_BS))


def tilt_from_specific_force(f: Vector3) -> tuple[float, float]:
    """Roll and pitch from the specific force, rad; wrong while the sensor accelerates. Groves 2013, ch. 5.

    Pitch lies within a quarter turn. Undefined in free fall, where f is zero.
    """
    return (atan2(-f[1], -f[2]), atan2(f[0], sqrt(f[1] * f[1] + f[2] * f[2])))
