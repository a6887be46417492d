"""Pose of a body, and the thirteen numbers of its state."""

from typing import NamedTuple, TypeAlias

from remora.equations.algebra.quaternions import Quaternion
from remora.equations.algebra.vectors import Vector3

# x, y, z, q0, q1, q2, q3, u, v, w, p, q, r
BodyState: TypeAlias = tuple[float, float, float, float, float, float, float, float, float, float, float, float, float]


class Pose(NamedTuple):
    """Position and attitude of a body in N."""

    p_NB: Vector3
    q_NB: Quaternion


def pose_of(state: BodyState) -> Pose:
    """The pose of a body state."""
    return Pose((state[0], state[1], state[2]), (state[3], state[4], state[5], state[6]))
