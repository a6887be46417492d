"""Pose of a body, and the thirteen numbers of its state."""

from typing import NamedTuple

from remora.equations.algebra.quaternions import normalize
from remora.equations.types import BodyState, Quaternion, Vector3


class Pose(NamedTuple):
    """Position and attitude of a body in N."""

    p_NB: Vector3
    q_NB: Quaternion


def pose_of(state: BodyState) -> Pose:
    """The pose of a body state."""
    return Pose((state[0], state[1], state[2]), (state[3], state[4], state[5], state[6]))


def add_scaled(x: BodyState, h: float, k: BodyState) -> BodyState:
    """x + h k.

    Parameters
    ----------
    x
        Body state.
    h
        Length of a step, s.
    k
        Rate of the body state.
    """
    return (
        x[0] + h * k[0],
        x[1] + h * k[1],
        x[2] + h * k[2],
        x[3] + h * k[3],
        x[4] + h * k[4],
        x[5] + h * k[5],
        x[6] + h * k[6],
        x[7] + h * k[7],
        x[8] + h * k[8],
        x[9] + h * k[9],
        x[10] + h * k[10],
        x[11] + h * k[11],
        x[12] + h * k[12],
    )


def with_unit_quaternion(x: BodyState) -> BodyState:
    """The state with its quaternion scaled back to unit length."""
    q = normalize((x[3], x[4], x[5], x[6]))
    return (x[0], x[1], x[2], q[0], q[1], q[2], q[3], x[7], x[8], x[9], x[10], x[11], x[12])
