"""Small rotations of an attitude as three numbers: the attitude part of the error of a filter.

The rational chart (1, d/2), scaled to unit length, equals a rotation vector to third order and has derivatives at zero
for every kind of number. It covers rotations of less than half a turn.
"""

from remora.equations.algebra.quaternions import conjugate, normalize, product
from remora.equations.types import Quaternion, Vector3


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
