"""Articulated-body elimination on the maximal state: a body with its subtree as seen through its link.

Blocks of a symmetric 6x6 inertia: A linear, B linear-angular, D angular. The equation of a subtree at the joint is
A a + B alpha = f, B^T a + D alpha = t, in axes of the child; Featherstone 2008, ch. 7, without joint coordinates.
"""

from typing import NamedTuple

from remora.equations.algebra.vectors import (
    add3,
    add_matrix3,
    cross,
    dot3,
    from_blocks,
    inverse3,
    join,
    linear,
    matmul3,
    matvec3,
    scale3,
    scale_matrix3,
    skew,
    solve6,
    subtract3,
    transpose3,
)
from remora.equations.types import Matrix3, RotationMatrix, Vector3, Vector6


class Subtree(NamedTuple):
    """Inertia blocks and force of a body with its subtree, about one point and in one set of axes."""

    A: Matrix3
    B: Matrix3
    D: Matrix3
    f: Vector3
    t: Vector3


class BallReduction(NamedTuple):
    """Apparent mass and force of a subtree at a ball joint, and the response of its rotation."""

    mass: Matrix3
    force: Vector3
    inverse_D: Matrix3
    gain: Matrix3  # B D^-1


class AxisReduction(NamedTuple):
    """A subtree with one free direction removed, and the response along it."""

    rest: Subtree
    column: Vector6  # inertia times the free direction
    inverse: float  # of the inertia along the free direction
    force: float  # along the free direction


class LineReduction(NamedTuple):
    """Apparent mass of a subtree along a line, and its motion without and with a unit force along it."""

    mass: float
    free: Vector6
    response: Vector6


def symmetric_product(B: Matrix3, S: Matrix3) -> Matrix3:
    """S^T B + B^T S."""
    first = matmul3(transpose3(S), B)
    return add_matrix3(first, transpose3(first))


def about(tree: Subtree, r: Vector3) -> Subtree:
    """A subtree about the point r of the same axes: origin motion = a + r x alpha."""
    S = skew(r)
    AS = matmul3(tree.A, S)
    B = add_matrix3(tree.B, AS)
    D = add_matrix3(tree.D, add_matrix3(symmetric_product(tree.B, S), matmul3(transpose3(S), AS)))
    return Subtree(tree.A, B, D, tree.f, subtract3(tree.t, cross(r, tree.f)))


def turned(tree: Subtree, R_BA: RotationMatrix) -> Subtree:
    """A subtree in axes of A instead of B."""
    R_AB = transpose3(R_BA)
    return Subtree(
        matmul3(R_AB, matmul3(tree.A, R_BA)),
        matmul3(R_AB, matmul3(tree.B, R_BA)),
        matmul3(R_AB, matmul3(tree.D, R_BA)),
        matvec3(R_AB, tree.f),
        matvec3(R_AB, tree.t),
    )


def moved_along(tree: Subtree, a: Vector3, alpha: Vector3) -> Subtree:
    """A subtree whose motion is measured from an imposed motion.

    `a` and `alpha` are the imposed linear and angular motion, in the axes of the subtree.
    """
    f = subtract3(tree.f, add3(matvec3(tree.A, a), matvec3(tree.B, alpha)))
    t = subtract3(tree.t, add3(matvec3(transpose3(tree.B), a), matvec3(tree.D, alpha)))
    return Subtree(tree.A, tree.B, tree.D, f, t)


def handed_up(tree: Subtree, R_BA: RotationMatrix, arm_A: Vector3) -> Subtree:
    """A subtree at a joint of B, about the origin of A and in its axes.

    The subtree is in axes of B, the arm to the joint point in axes of A.
    """
    return about(turned(tree, R_BA), scale3(-1.0, arm_A))


def point_mass_handed_up(mass: Matrix3, force: Vector3, R_BA: RotationMatrix, arm_A: Vector3) -> Subtree:
    """An apparent mass at the joint, about the origin of A and in its axes.

    Mass and force are in axes of B, the arm to the joint point in axes of A.
    """
    R_AB, S = transpose3(R_BA), skew(arm_A)
    K, f = matmul3(R_AB, matmul3(mass, R_BA)), matvec3(R_AB, force)
    KS = matmul3(K, S)
    return Subtree(K, scale_matrix3(-1.0, KS), matmul3(transpose3(S), KS), f, cross(arm_A, f))


def outer3(a: Vector3, b: Vector3) -> Matrix3:
    """a b^T."""
    return (scale3(a[0], b), scale3(a[1], b), scale3(a[2], b))


def symmetric_part3(a: Matrix3) -> Matrix3:
    """(a + a^T) / 2."""
    return scale_matrix3(0.5, add_matrix3(a, transpose3(a)))


def reduced_by_ball(tree: Subtree) -> BallReduction:
    """Eliminate the rotation of a subtree about its ball joint.

    The apparent mass is made symmetric: each ball multiplies the antisymmetric part of its rounding errors by about 1.6
    along a chain, so that without this they exceed the mass itself after some sixty bodies.
    """
    inverse_D = inverse3(tree.D)
    gain = matmul3(tree.B, inverse_D)
    mass = add_matrix3(tree.A, scale_matrix3(-1.0, matmul3(gain, transpose3(tree.B))))
    return BallReduction(symmetric_part3(mass), subtract3(tree.f, matvec3(gain, tree.t)), inverse_D, gain)


def reduced_along(tree: Subtree, s: Vector3, r: Vector3) -> AxisReduction:
    """Eliminate one free direction of a subtree: its linear part s and its angular part r.

    `s` is the free direction of a slider and zero for a hinge, `r` the axis of a hinge and zero for a slider.
    """
    U = add3(matvec3(tree.A, s), matvec3(tree.B, r))
    V = add3(matvec3(transpose3(tree.B), s), matvec3(tree.D, r))
    d = 1.0 / (dot3(s, U) + dot3(r, V))
    u = dot3(s, tree.f) + dot3(r, tree.t)
    rest = Subtree(
        add_matrix3(tree.A, scale_matrix3(-d, outer3(U, U))),
        add_matrix3(tree.B, scale_matrix3(-d, outer3(U, V))),
        add_matrix3(tree.D, scale_matrix3(-d, outer3(V, V))),
        subtract3(tree.f, scale3(d * u, U)),
        subtract3(tree.t, scale3(d * u, V)),
    )
    return AxisReduction(rest, join(U, V), d, u)


def subtree_motion(tree: Subtree) -> Vector6:
    """Motion of a subtree under its force: one 6x6 solve."""
    return solve6(from_blocks(tree.A, tree.B, transpose3(tree.B), tree.D), join(tree.f, tree.t))


def reduced_to_line(tree: Subtree, n: Vector3) -> LineReduction:
    """Eliminate all motion of a subtree but that of its joint along n, where a distance link holds it."""
    free = subtree_motion(tree)
    response = subtree_motion(Subtree(tree.A, tree.B, tree.D, n, (0.0, 0.0, 0.0)))
    return LineReduction(1.0 / dot3(n, linear(response)), free, response)
