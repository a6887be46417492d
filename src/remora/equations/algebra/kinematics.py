"""Kinematics of a pose, and transformation of twists, wrenches and inertias between frames."""

from remora.equations.algebra.elementary import cos, sin, tan
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import (
    add3,
    angular,
    cross,
    from_blocks,
    join,
    linear,
    matmul3,
    matmul6,
    matvec3,
    skew,
    subtract3,
    transpose3,
    transpose6,
)
from remora.equations.types import AngularVelocity, Matrix6, Quaternion, RotationMatrix, Twist, Vector3, Wrench


def position_rate(q_NB: Quaternion, v_NB_B: Vector3) -> Vector3:
    """Velocity in N of the body origin: R_NB v. Britto Neto 2018, eq. 3.1; Simu2VITA eq. 6."""
    return matvec3(rotation_matrix(q_NB), v_NB_B)


def quaternion_rate(q: Quaternion, w: AngularVelocity) -> Quaternion:
    """Rate of q_NB from the angular velocity in body axes: q (0, w) / 2. Britto Neto 2018, eq. 3.1; Simu2VITA eq. 7."""
    return (
        0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]),
        0.5 * (q[0] * w[0] - q[3] * w[1] + q[2] * w[2]),
        0.5 * (q[3] * w[0] + q[0] * w[1] - q[1] * w[2]),
        0.5 * (-q[2] * w[0] + q[1] * w[1] + q[0] * w[2]),
    )


def down_in_body(q: Quaternion) -> Vector3:
    """The downward unit vector of N in body axes: the third row of R_NB."""
    s, x, y, z = q
    return (2.0 * (x * z - s * y), 2.0 * (y * z + s * x), 1.0 - 2.0 * (x * x + y * y))


def to_body(q_NB: Quaternion, vector_N: Vector3) -> Vector3:
    """A vector of N in body axes."""
    return matvec3(transpose3(rotation_matrix(q_NB)), vector_N)


def euler_zyx_rate(roll: float, pitch: float, w: AngularVelocity) -> Vector3:
    """Rates of roll, pitch and yaw; singular at a pitch of 90 degrees. Nielsen 2018, eq. 2.8."""
    turning = sin(roll) * w[1] + cos(roll) * w[2]
    return (w[0] + tan(pitch) * turning, cos(roll) * w[1] - sin(roll) * w[2], turning / cos(pitch))


def twist_at(twist: Twist, p_BS: Vector3, R_BS: RotationMatrix) -> Twist:
    """Twist of a frame S fixed on the body, in the axes of S."""
    v, w = linear(twist), angular(twist)
    to_S = transpose3(R_BS)
    return join(matvec3(to_S, add3(v, cross(w, p_BS))), matvec3(to_S, w))


def wrench_at(wrench: Wrench, p_BS: Vector3, R_BS: RotationMatrix) -> Wrench:
    """A wrench about B, transformed to a frame S on the same body, in the axes of S."""
    force, torque = linear(wrench), angular(wrench)
    to_S = transpose3(R_BS)
    return join(matvec3(to_S, force), matvec3(to_S, subtract3(torque, cross(p_BS, force))))


def twist_transform(p_BS: Vector3, R_BS: RotationMatrix) -> Matrix6:
    """The 6x6 matrix X with twist_S = X twist_B; wrenches obey wrench_B = X^T wrench_S, which preserves power."""
    to_S = transpose3(R_BS)
    zero = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    lever = matmul3(to_S, skew((-p_BS[0], -p_BS[1], -p_BS[2])))
    return from_blocks(to_S, lever, zero, to_S)


def inertia_about_B(inertia_S: Matrix6, p_BS: Vector3, R_BS: RotationMatrix) -> Matrix6:
    """A 6x6 inertia or damping matrix about S, transformed to B: X^T inertia X.

    The matrix `inertia_S` is in the axes of S.
    """
    X = twist_transform(p_BS, R_BS)
    return matmul6(matmul6(transpose6(X), inertia_S), X)
