"""Unit quaternions: scalar first, Hamilton product; q_NB rotates vectors of the body into the frame N.

The attitude part of the error of a filter is a small rotation in the rational chart (1, d/2), scaled to unit length. It
equals a rotation vector to third order, has derivatives at zero for every kind of number, and covers less than half a
turn.
"""

from remora.equations.algebra.elementary import asin, atan2, cos, maximum, minimum, select, sin, sqrt
from remora.equations.algebra.vectors import matmul3
from remora.equations.types import Matrix3, Quaternion, Vector3

IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)  # of an attitude: level, heading north


def product(p: Quaternion, q: Quaternion) -> Quaternion:
    """Hamilton product: q_NC = product(q_NB, q_BC)."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


def conjugate(q: Quaternion) -> Quaternion:
    """The inverse rotation of a unit quaternion: q_BN from q_NB."""
    return (q[0], -q[1], -q[2], -q[3])


def squared_norm(q: Quaternion) -> float:
    """q . q, which is one for a rotation."""
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]


def normalize(q: Quaternion) -> Quaternion:
    """The quaternion scaled to unit length."""
    factor = 1.0 / sqrt(squared_norm(q))
    return (factor * q[0], factor * q[1], factor * q[2], factor * q[3])


def norm_feedback(q: Quaternion, gain: float) -> Quaternion:
    """Rate that restores unit length without changing the rotation: gain/2 (1 - q.q) q. Nielsen 2018, eq. 2.19.

    Stable with an explicit integrator of step h while gain h stays below about 2.
    """
    pull = 0.5 * gain * (1.0 - squared_norm(q))
    return (pull * q[0], pull * q[1], pull * q[2], pull * q[3])


def rotation_matrix(q: Quaternion) -> Matrix3:
    """R_NB of q_NB: the columns are the body axes in N. Nielsen 2018, eq. 2.10; Proctor 2014, eq. 3.7."""
    s, x, y, z = q
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - s * z), 2.0 * (x * z + s * y)),
        (2.0 * (x * y + s * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - s * x)),
        (2.0 * (x * z - s * y), 2.0 * (y * z + s * x), 1.0 - 2.0 * (x * x + y * y)),
    )


def from_axis_angle(axis: Vector3, angle: float) -> Quaternion:
    """Rotation by an angle about a unit axis."""
    s = sin(0.5 * angle)
    return (cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2])


def from_rotation_vector(vector: Vector3) -> Quaternion:
    """Rotation about the axis of a vector by its length in radians."""
    angle = sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
    turns = angle > 0.0
    factor = select(turns, sin(0.5 * angle) / select(turns, angle, 1.0), 0.5)
    return (cos(0.5 * angle), factor * vector[0], factor * vector[1], factor * vector[2])


def to_rotation_vector(q: Quaternion) -> Vector3:
    """Axis times angle of the shorter rotation; at half a turn the sign of q decides the direction."""
    sign = select(q[0] < 0.0, -1.0, 1.0)
    size = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    turns = size > 0.0
    factor = select(turns, 2.0 * sign * atan2(size, sign * q[0]) / select(turns, size, 1.0), 2.0 * sign)
    return (factor * q[1], factor * q[2], factor * q[3])


def from_euler_zyx(roll: float, pitch: float, yaw: float) -> Quaternion:
    """q_NB of R = R_z(yaw) R_y(pitch) R_x(roll): the usual marine order."""
    turn = from_axis_angle((0.0, 0.0, 1.0), yaw)
    nod = from_axis_angle((0.0, 1.0, 0.0), pitch)
    lean = from_axis_angle((1.0, 0.0, 0.0), roll)
    return product(product(turn, nod), lean)


def from_euler_xyz(roll: float, pitch: float, yaw: float) -> Quaternion:
    """q_NB of R = R_x(roll) R_y(pitch) R_z(yaw): the order of Simu2VITA eq. 22."""
    turn = from_axis_angle((0.0, 0.0, 1.0), yaw)
    nod = from_axis_angle((0.0, 1.0, 0.0), pitch)
    lean = from_axis_angle((1.0, 0.0, 0.0), roll)
    return product(product(lean, nod), turn)


def to_euler_zyx(q: Quaternion) -> Vector3:
    """Roll, pitch and yaw in rad; roll and yaw are not unique at a pitch of 90 degrees."""
    R = rotation_matrix(q)
    sine_of_pitch = minimum(maximum(-R[2][0], -1.0), 1.0)
    return (atan2(R[2][1], R[2][2]), asin(sine_of_pitch), atan2(R[1][0], R[0][0]))


def rotation_x(angle: float) -> Matrix3:
    """Active rotation about x."""
    c, s = cos(angle), sin(angle)
    return ((1.0, 0.0, 0.0), (0.0, c, -s), (0.0, s, c))


def rotation_y(angle: float) -> Matrix3:
    """Active rotation about y."""
    c, s = cos(angle), sin(angle)
    return ((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c))


def rotation_z(angle: float) -> Matrix3:
    """Active rotation about z."""
    c, s = cos(angle), sin(angle)
    return ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))


def matrix_from_euler_xyz(roll: float, pitch: float, yaw: float) -> Matrix3:
    """R_x(roll) R_y(pitch) R_z(yaw). Simu2VITA eq. 22."""
    return matmul3(matmul3(rotation_x(roll), rotation_y(pitch)), rotation_z(yaw))


def small_rotation(error: Vector3) -> Quaternion:
    """Quaternion of a small rotation."""
    return normalize((1.0, 0.5 * error[0], 0.5 * error[1], 0.5 * error[2]))


def small_rotation_error(q: Quaternion) -> Vector3:
    """The three numbers of a small rotation: inverse of `small_rotation`."""
    factor = 2.0 / q[0]
    return (factor * q[1], factor * q[2], factor * q[3])


def turned_in_body(q_NB: Quaternion, error: Vector3) -> Quaternion:
    """An attitude after a small rotation about its body axes (right error)."""
    return product(q_NB, small_rotation(error))


def rotation_in_body(q_NB: Quaternion, reference: Quaternion) -> Vector3:
    """Small rotation about the body axes that turns a reference into an attitude: inverse of `turned_in_body`."""
    return small_rotation_error(product(conjugate(reference), q_NB))


def turned_in_N(q_NB: Quaternion, error: Vector3) -> Quaternion:
    """An attitude after a small rotation about the axes of N (left error)."""
    return product(small_rotation(error), q_NB)


def rotation_in_N(q_NB: Quaternion, reference: Quaternion) -> Vector3:
    """Small rotation about the axes of N that turns a reference into an attitude: inverse of `turned_in_N`."""
    return small_rotation_error(product(q_NB, conjugate(reference)))
