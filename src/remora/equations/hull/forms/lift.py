"""Lift of hull and fixed fins in forward flow."""

from typing import NamedTuple

from remora.equations.algebra.vectors import matrix6_at, matvec6, scale6, scale_matrix6
from remora.equations.hull.forms.form import Form, FormField, register
from remora.equations.types import Matrix6, Numbers, SixDof, Twist, Wrench


class Lift(NamedTuple):
    """Lift matrix L of |u| L nu, with the sign of damping."""

    matrix: Matrix6


def lift_at(row: Numbers, k: int) -> Lift:
    """The lift matrix in a packed row."""
    return Lift(matrix6_at(row, k))


def lift_wrench(lift: Lift, twist: Twist) -> Wrench:
    """|u| L nu: lift of hull and fixed fins in forward flow, for small angles of attack.

    A positive L_22 acts against sway. The speed enters as |u|, so the force opposes the cross flow astern as well.
    """
    return scale6(abs(twist[0]), matvec6(lift.matrix, twist))


def lift_at_density(lift: Lift, ratio: float) -> Lift:
    """Lift in water of another density, in proportion to it."""
    return Lift(scale_matrix6(ratio, lift.matrix))


def scattered_lift(lift: Lift, linear: SixDof, quadratic: SixDof) -> Lift:
    """Lift in a random variation of the damping, in which it stays."""
    return lift


LIFT = register(
    Form(
        name="lift",
        record=Lift,
        read=lift_at,
        wrench=lift_wrench,
        degree=2,
        many=False,
        with_density=lift_at_density,
        scaled=scattered_lift,
        dissipates="lift takes its work from the flow: only its component against the motion is drag",
        fades=True,
        section=(FormField("matrix", "", (6, 6), signs=(0, 1)),),
        fitted=("matrix",),
    )
)
