"""What inertial and attitude instruments on a body read without error.

A sensor has its own axes S at the point p_BS of the body; the columns of R_BS are those axes seen in the body.
"""

from remora.equations.algebra.elementary import atan2, sqrt
from remora.equations.algebra.kinematics import down_in_body, to_body
from remora.equations.algebra.quaternions import Quaternion, product, rotation_matrix, to_euler_zyx
from remora.equations.algebra.vectors import (
    ZERO3,
    Matrix3,
    Twist,
    Vector3,
    add3,
    angular,
    cross,
    linear,
    matvec3,
    scale3,
    subtract3,
    transpose3,
)
from remora.equations.geometry.earth import earth_rate_ned


def point_position(p_NB: Vector3, q_NB: Quaternion, p_BS: Vector3) -> Vector3:
    """p_NS of a point on the body: a sensor, a marker, a transducer."""
    return add3(p_NB, matvec3(rotation_matrix(q_NB), p_BS))


def point_velocity(twist: Twist, p_BS: Vector3) -> Vector3:
    """v_NS_B of a point on the body, in body axes: v + w x r."""
    return add3(linear(twist), cross(angular(twist), p_BS))


def point_acceleration(twist: Twist, twist_rate: Twist, p_BS: Vector3) -> Vector3:
    """Acceleration in N of a point on the body, in body axes: v' + w x v + w' x r + w x (w x r).

    `twist_rate` is the rate of the twist's components in body axes, as the plant computes it. Proctor 2014, eq. 4.3,
    with w x v once where it prints it twice.
    """
    w = angular(twist)
    spinning = cross(w, point_velocity(twist, p_BS))
    return add3(add3(linear(twist_rate), cross(angular(twist_rate), p_BS)), spinning)


def specific_force(
    q_NB: Quaternion,
    twist: Twist,
    twist_rate: Twist,
    gravity: float,
    p_BS: Vector3,
    R_BS: Matrix3,
    earth_rate_B: Vector3 = ZERO3,
) -> Vector3:
    """What an accelerometer reads, m/s2, in its axes: acceleration less gravity, so at rest one g upwards.

    With the Earth's rotation (`earth_rate_in_body`) the Coriolis acceleration of moving over it is included; its
    centrifugal part is in gravity. Proctor 2014, eq. 4.3; Groves 2013, section 4.1.
    """
    coriolis = cross(scale3(2.0, earth_rate_B), point_velocity(twist, p_BS))
    moving = add3(point_acceleration(twist, twist_rate, p_BS), coriolis)
    return matvec3(transpose3(R_BS), subtract3(moving, scale3(gravity, down_in_body(q_NB))))


def turn_rate(twist: Twist, R_BS: Matrix3, earth_rate_B: Vector3 = ZERO3) -> Vector3:
    """What a gyro reads, rad/s, in its axes; with the Earth's rotation, against the stars. Proctor 2014, eq. 4.5."""
    return matvec3(transpose3(R_BS), add3(angular(twist), earth_rate_B))


def earth_rate_in_body(q_NB: Quaternion, latitude: float) -> Vector3:
    """w_IE_B: how the Earth turns against the stars, rad/s, in body axes."""
    return to_body(q_NB, earth_rate_ned(latitude))


def attitude_angles(q_NB: Quaternion, q_BS: Quaternion) -> Vector3:
    """Roll, pitch and yaw of the sensor's axes, rad; those of the body where q_BS is (1, 0, 0, 0)."""
    return to_euler_zyx(product(q_NB, q_BS))


def tilt_from_specific_force(f: Vector3) -> tuple[float, float]:
    """Roll and pitch that an accelerometer takes for the truth, rad; false while it is pushed. Groves 2013, ch. 5.

    Pitch lies within a quarter turn. Free fall has no tilt: there f must not be zero.
    """
    return (atan2(-f[1], -f[2]), atan2(f[0], sqrt(f[1] * f[1] + f[2] * f[2])))
