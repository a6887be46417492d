"""Pose of a body, the thirteen numbers of its state, and a frame defined by three markers."""

from typing import NamedTuple

from remora.equations.algebra.elementary import sqrt
from remora.equations.algebra.quaternions import normalize
from remora.equations.algebra.vectors import cross, dot3, matvec3, scale3, subtract3
from remora.equations.types import BodyState, Matrix3, Quaternion, Seconds, Vector3

BODY_SIZE = 13  # numbers of a body state
ATTITUDE, TWIST = slice(3, 7), slice(7, BODY_SIZE)  # of a body state


class Pose(NamedTuple):
    """Position and attitude of a body in N."""

    p_NB: Vector3
    q_NB: Quaternion


def pose_of(state: BodyState) -> Pose:
    """The pose of a body state."""
    return Pose((state[0], state[1], state[2]), (state[3], state[4], state[5], state[6]))


def add_scaled(x: BodyState, h: Seconds, k: BodyState) -> BodyState:
    """x + h k."""
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


class MarkerFrame(NamedTuple):
    """Origin and rotation of a marker frame M in a camera frame C."""

    p_CM: Vector3  # m
    R_MC: Matrix3  # turns camera into marker coordinates


def unit_vector(vector: Vector3) -> Vector3:
    """A vector divided by its length; not defined at zero."""
    return scale3(1.0 / sqrt(dot3(vector, vector)), vector)


def frame_from_markers(p_CO: Vector3, p_CX: Vector3, p_CP: Vector3) -> MarkerFrame:
    """The frame with its origin at one marker, its x axis through another, and a third in its x-y plane.

    The axes are the rows of R_MC: printed as columns in the source, they would turn marker into camera coordinates.
    Proctor 2014, eqs. 3.28 and 3.29. All in camera axes: the marker at the origin, one on the positive x axis, and one
    in the x-y plane with a positive y, not on one line.
    """
    x = unit_vector(subtract3(p_CX, p_CO))
    z = unit_vector(cross(x, subtract3(p_CP, p_CO)))
    return MarkerFrame(p_CO, (x, unit_vector(cross(z, x)), z))


def in_marker_frame(frame: MarkerFrame, p_CP: Vector3) -> Vector3:
    """A point in marker coordinates, m."""
    return matvec3(frame.R_MC, subtract3(p_CP, frame.p_CM))
