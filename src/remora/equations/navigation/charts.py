"""Charts of a navigation state: errors of position, velocity and attitude as nine plain numbers.

Every chart has the pair `plus(state, error)` and `minus(state, reference)` with minus(plus(x, d), x) = d. Attitude
errors are small rotations in the rational chart of `quaternions.small_rotation`, which has derivatives at zero for
every kind of number, or rotation vectors.
"""

from typing import Any, NamedTuple, TypeAlias

from remora.equations.algebra.elementary import atan2, cos, select, sin, sqrt
from remora.equations.algebra.kinematics import position_rate, to_body
from remora.equations.algebra.quaternions import (
    conjugate,
    normalize,
    product,
    rotation_in_body,
    rotation_in_N,
    small_rotation,
    turned_in_body,
    turned_in_N,
)
from remora.equations.algebra.vectors import add3, cross, dot3, matvec3, subtract3, transpose3
from remora.equations.types import Quaternion, RotationMatrix, Vector3

_SMALL = 1e-8  # squared angle below which a series replaces sine and arctangent

Error9: TypeAlias = tuple[Vector3, Vector3, Vector3]  # of position, velocity, attitude


class NavigationPose(NamedTuple):
    """Position, velocity and attitude of a vehicle, of a point I fixed to it."""

    p: Vector3  # m, p_NI
    v: Vector3  # m/s, velocity of I in N
    q: Quaternion  # q_NB


def plus_body(x: NavigationPose, d: Error9) -> NavigationPose:
    """Errors of velocity and attitude in body axes (right error), that of the position in N."""
    return NavigationPose(add3(x.p, d[0]), add3(x.v, position_rate(x.q, d[1])), turned_in_body(x.q, d[2]))


def minus_body(y: NavigationPose, x: NavigationPose) -> Error9:
    """Inverse of `plus_body`."""
    return (subtract3(y.p, x.p), to_body(x.q, subtract3(y.v, x.v)), rotation_in_body(y.q, x.q))


def plus_local(x: NavigationPose, d: Error9) -> NavigationPose:
    """All errors in the axes of N (left error)."""
    return NavigationPose(add3(x.p, d[0]), add3(x.v, d[1]), turned_in_N(x.q, d[2]))


def minus_local(y: NavigationPose, x: NavigationPose) -> Error9:
    """Inverse of `plus_local`."""
    return (subtract3(y.p, x.p), subtract3(y.v, x.v), rotation_in_N(y.q, x.q))


def plus_invariant(x: NavigationPose, d: Error9) -> NavigationPose:
    """Right-invariant error of the group of extended poses: the rotation in N also moves position and velocity.

    Barrau and Bonnabel 2017, The Invariant Extended Kalman Filter as a Stable Observer.
    """
    turn = small_rotation(d[2])
    p, v = add3(position_rate(turn, x.p), d[0]), add3(position_rate(turn, x.v), d[1])
    return NavigationPose(p, v, product(turn, x.q))


def minus_invariant(y: NavigationPose, x: NavigationPose) -> Error9:
    """Inverse of `plus_invariant`."""
    turn = product(y.q, conjugate(x.q))
    p, v = subtract3(y.p, position_rate(turn, x.p)), subtract3(y.v, position_rate(turn, x.v))
    return (p, v, rotation_in_N(y.q, x.q))


def rotation_about_vertical(angle: float) -> Quaternion:
    """Rotation about the z axis of N by an angle, rad."""
    return (cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle))


def turned_level(q: Quaternion, d: Vector3) -> Quaternion:
    """An attitude after two small tilts about horizontal axes of N and a rotation about the vertical."""
    tilted = product(small_rotation((d[0], d[1], 0.0)), q)
    return product(rotation_about_vertical(d[2]), tilted)


def plus_heading(x: NavigationPose, d: Error9) -> NavigationPose:
    """Attitude error as two small tilts about horizontal axes of N and a rotation about the vertical.

    The rotation also turns the velocity, whose own error is in body axes; that of the position is in N. A turn of
    vehicle and velocity about the vertical, which inertial, Doppler and depth readings cannot see, is an equal
    step along one error coordinate from every state: updates and resets leave that direction alone.
    """
    v = position_rate(rotation_about_vertical(d[2][2]), add3(x.v, position_rate(x.q, d[1])))
    return NavigationPose(add3(x.p, d[0]), v, turned_level(x.q, d[2]))


def heading_error(q: Quaternion, reference: Quaternion) -> Vector3:
    """Two tilts and the rotation about the vertical that turn a reference into an attitude: see `turned_level`."""
    w, x, y, z = product(q, conjugate(reference))
    factor = 2.0 / (w * w + z * z)
    is_negative = w < 0.0
    about = 2.0 * atan2(select(is_negative, -z, z), select(is_negative, -w, w))
    return (factor * (w * x + z * y), factor * (w * y - z * x), about)


def minus_heading(y: NavigationPose, x: NavigationPose) -> Error9:
    """Inverse of `plus_heading`."""
    e = heading_error(y.q, x.q)
    v = subtract3(position_rate(rotation_about_vertical(-e[2]), y.v), x.v)
    return (subtract3(y.p, x.p), to_body(x.q, v), e)


def partly_tilted(q: Quaternion, turn: Vector3, share: float) -> Quaternion:
    """An attitude after a share of the tilts of an error, without its rotation about the vertical.

    `turn` is an attitude error: two tilts and the rotation about the vertical.
    """
    return product(small_rotation((share * turn[0], share * turn[1], 0.0)), q)


def plus_levelled(bias: Vector3, d: Vector3, q: Quaternion, turn: Vector3, share: float) -> Vector3:
    """A bias of inertial sensors moved by an error in axes of N, before the rotation about the vertical.

    Two directions are hardly observable without readings of the attitude. A gyro bias about the vertical is the same
    step from every state after all of the tilts (share 1); the attitude error of a constant bias then grows linearly. A
    tilt with the accelerometer bias that hides it is a straight line after half of the tilts (share 1/2): the hidden
    bias is the difference of two unit vectors, which is normal to the vector halfway between them. `q` is the attitude
    before, `turn` its error as in `partly_tilted`; the axes of the error `d` are turned by the share of the tilts.
    """
    return add3(bias, to_body(partly_tilted(q, turn, share), d))


def minus_levelled(bias: Vector3, reference: Vector3, q: Quaternion, q_reference: Quaternion, share: float) -> Vector3:
    """Inverse of `plus_levelled`.

    Biases are in body axes; `q` and `q_reference` are the attitudes with them.
    """
    tilted = partly_tilted(q_reference, heading_error(q, q_reference), share)
    return position_rate(tilted, subtract3(bias, reference))


def body_error(d: Any, R_NB: RotationMatrix, place_N: Vector3, v_N: Vector3) -> Any:
    """Errors of position in N, velocity in body axes and small rotations about the body axes of B.

    `d` has nine errors in the chart `plus_heading`, in which a rotation about the vertical turns the velocity too.
    `place_N` is the place of the inertial unit I from B, `v_N` its velocity.
    """
    R_BN, turn = transpose3(R_NB), (d[6], d[7], d[8])
    p = add3((d[0], d[1], d[2]), cross(place_N, turn))
    v = add3((d[3], d[4], d[5]), matvec3(R_BN, cross(v_N, (d[6], d[7], 0.0))))
    return p + v + matvec3(R_BN, turn)


def rotation_from_vector(vector: Vector3) -> Quaternion:
    """Rotation about the axis of a vector by its length, rad; with derivatives at zero."""
    squared = dot3(vector, vector)
    is_small = squared < _SMALL
    angle = sqrt(select(is_small, 1.0, squared))
    factor = select(is_small, 0.5 - squared / 48.0, sin(0.5 * angle) / angle)
    scalar = select(is_small, 1.0 - squared / 8.0, cos(0.5 * angle))
    return (scalar, factor * vector[0], factor * vector[1], factor * vector[2])


def vector_from_rotation(q: Quaternion) -> Vector3:
    """Inverse of `rotation_from_vector`, for rotations of less than half a turn."""
    squared = q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    is_small = squared < 0.25 * _SMALL
    size = sqrt(select(is_small, 1.0, squared))
    ratio = squared / (q[0] * q[0])
    factor = select(is_small, (2.0 - ratio * (2.0 / 3.0)) / q[0], 2.0 * atan2(size, q[0]) / size)
    return (factor * q[1], factor * q[2], factor * q[3])


def plus_rotation_vector(x: NavigationPose, d: Error9) -> NavigationPose:
    """As `plus_body`, with a rotation vector as attitude error."""
    q = product(x.q, rotation_from_vector(d[2]))
    return NavigationPose(add3(x.p, d[0]), add3(x.v, position_rate(x.q, d[1])), q)


def minus_rotation_vector(y: NavigationPose, x: NavigationPose) -> Error9:
    """Inverse of `plus_rotation_vector`."""
    turn = product(conjugate(x.q), y.q)
    return (subtract3(y.p, x.p), to_body(x.q, subtract3(y.v, x.v)), vector_from_rotation(turn))


def rotation_over_step(turn: Vector3) -> Quaternion:
    """Rotation by a turn of much less than a radian: exact to fourth order, without square roots of zero."""
    squared = dot3(turn, turn)
    factor = 0.5 - squared / 48.0
    return normalize((1.0 - squared / 8.0, factor * turn[0], factor * turn[1], factor * turn[2]))
