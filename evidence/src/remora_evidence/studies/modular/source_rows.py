"""Rows of a rigid link in N as Nielsen 2018 has them: corrected, with four rows for the attitude, and as printed.

The printed rows are kept as a comparison that fails: eq. 3.61 does not rotate the angular columns, and eq. 3.58 holds
the relative attitude in N instead of in the first body. Solvers use `equations.links`.
"""

from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import skew
from remora.files.arrays import Array


class SourceRows(NamedTuple):
    """Rows on the accelerations of both bodies, 7x12, and their right-hand sides."""

    J: Array
    b: Array


def _attitude_map(q: Array) -> Array:
    """H of eq. 2.15: angular velocity in body axes = 2 H q'."""
    e = q[1:]
    return np.column_stack([-e, q[0] * np.eye(3) - _skew(e)])


def _attitude_map_in_N(q: Array) -> Array:
    """H of eq. 3.65: angular velocity in N = 2 H q'."""
    e = q[1:]
    return np.column_stack([-e, q[0] * np.eye(3) + _skew(e)])


def _skew(a: Array) -> Array:
    return np.array(skew(tuple(a.tolist())))


def _rotation(q: Array) -> Array:
    return np.array(rotation_matrix(tuple(q.tolist())))


def _stacked(q: Array, H: Array) -> Array:
    return np.vstack([q, H])


def source_rows(
    x_A: Array,
    x_B: Array,
    point_A: Array,
    point_B: Array,
    printed_points: bool = False,
    printed_attitude: bool = False,
) -> SourceRows:
    """Seven rows of a rigid link, of rank six. Nielsen 2018, eq. 3.57 to 3.69.

    Body states are in N, joint points in the axes of each body, m. On request the rows of the joint point are those of
    eq. 3.61, and those of the attitude those of eq. 3.58, as printed.
    """
    parts = [_point_rows(x_A, point_A, printed_points), _point_rows(x_B, point_B, printed_points)]
    (first, centripetal_A), (second, centripetal_B) = parts
    attitude, right = _attitude_rows(x_A, x_B, printed_attitude)
    J = np.vstack([np.hstack([first, -second]), attitude])
    return SourceRows(J, np.concatenate([centripetal_B - centripetal_A, right]))


def _point_rows(x: Array, point: Array, printed: bool) -> tuple[Array, Array]:
    """Rows of the acceleration of a point in N, and its centripetal part."""
    R = _rotation(x[3:7])
    arm, w = R @ point, R @ x[10:13]
    turning = -_skew(arm) if printed else -_skew(arm) @ R
    return np.hstack([R, turning]), np.cross(w, R @ x[7:10] + np.cross(w, arm))


def _attitude_rows(x_A: Array, x_B: Array, printed: bool) -> tuple[Array, Array]:
    """Four rows of the second derivative of the relative quaternion."""
    q_A, q_B, w_A, w_B = x_A[3:7], x_B[3:7], x_A[10:13], x_B[10:13]
    maps, sign = (_attitude_map_in_N, 1.0) if printed else (_attitude_map, -1.0)

    def G_A(q: Array) -> Array:
        return _stacked(q, -sign * maps(q))

    def G_B(q: Array) -> Array:
        return _stacked(q, sign * maps(q))

    def T(q: Array) -> Array:
        half: Array = 0.5 * _attitude_map(q).T
        return half

    rate_A, rate_B = T(q_A) @ w_A, T(q_B) @ w_B
    zero = np.zeros((4, 3))
    J = np.hstack([zero, G_B(q_B) @ T(q_A), zero, G_A(q_A) @ T(q_B)])
    right = -G_A(q_A) @ T(rate_B) @ w_B - (G_B(q_B) @ T(rate_A) + 2.0 * G_B(rate_B) @ T(q_A)) @ w_A
    return J, right
