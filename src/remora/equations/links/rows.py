"""Constraint rows of links in the body accelerations of A and B: J_A nu_A' + J_B nu_B' = b.

The rows are those of Nielsen 2018, eq. 3.61 and 3.66, corrected, in axes of B: both blocks rotate body accelerations.
Every kind of link keeps some of the six rows of a rigid link, or projections of them.
"""

from typing import NamedTuple

from remora.equations.algebra.vectors import cross, dot3, join, matvec3, scale3, transpose3
from remora.equations.links.joint import JointMotion
from remora.equations.types import Vector3, Vector6

ZERO: Vector3 = (0.0, 0.0, 0.0)


class ConstraintRow(NamedTuple):
    """One constraint row and its right-hand side."""

    on_A: Vector6
    on_B: Vector6
    right: float


def point_row(n: Vector3, joint: JointMotion, point_B: Vector3, demand: Vector3) -> ConstraintRow:
    """Row along n (axes of B): n . (acceleration of the point of A - that of B) = -n . demand.

    Parameters
    ----------
    n
        Unit vector in axes of B.
    joint
        Motion of the joint.
    point_B
        Joint point in axes of B, m.
    demand
        Linear demand of the link.
    """
    m = matvec3(transpose3(joint.R_BA), n)
    minus = scale3(-1.0, n)
    return ConstraintRow(join(m, cross(joint.arm_A, m)), join(minus, cross(point_B, minus)), -dot3(n, demand))


def turn_row(n: Vector3, joint: JointMotion, demand: Vector3) -> ConstraintRow:
    """Row along n (axes of B): n . (angular acceleration of A - that of B) = -n . demand.

    Parameters
    ----------
    n
        Unit vector in axes of B.
    joint
        Motion of the joint.
    demand
        Angular demand of the link.
    """
    m = matvec3(transpose3(joint.R_BA), n)
    return ConstraintRow(join(ZERO, m), join(ZERO, scale3(-1.0, n)), -dot3(n, demand))
