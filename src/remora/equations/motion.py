"""Equation of motion of one submerged body.

In a steady uniform current a body obeys the still-water equation in its motion relative to the water, M nu_r' + C(nu_r)
nu_r + d(nu_r) = g + tau with nu' = nu_r' + current_rate (Fossen 2021, ch. 10; Simu2VITA eq. 8 and 19).
"""

from typing import Any, NamedTuple

from remora.equations.algebra.vectors import add6, matvec6, subtract6
from remora.equations.hull.forms.form import add_wrench
from remora.equations.hull.forms.table import BASIC_FORMS
from remora.equations.hull.inertia import coriolis_wrench
from remora.equations.hull.restoring import restoring_wrench
from remora.equations.types import Direction, Matrix6, RelativeTwist, Twist, TwistRate, Vector3, Wrench


class Hull(NamedTuple):
    """A submerged body about its origin B: forward, right, down; SI; all matrices positive."""

    inertia: Matrix6  # rigid body plus added mass
    inverse_inertia: Matrix6  # zero rows and columns where a degree of freedom is locked
    coriolis_inertia: Matrix6  # equal to the inertia unless a named simplification changed it
    damping: Any  # one record of each basic force form
    mass: float
    displaced_mass: float
    p_BG: Vector3
    p_BC: Vector3
    gravity: float


def hull_damping_wrench(hull: Hull, twist: Twist) -> Wrench:
    """Sum of the basic force forms, on the left-hand side: linear, quadratic and cubic damping.

    Compiled code runs the loop unrolled (`plant.forms.unrolled_forms`).
    """
    wrench = BASIC_FORMS[0].wrench(hull.damping[0], twist)
    for form, record in zip(BASIC_FORMS[1:], hull.damping[1:], strict=True):
        wrench = add_wrench(form, wrench, form.wrench(record, twist))
    return wrench


def hull_restoring_wrench(hull: Hull, down_B: Direction) -> Wrench:
    """Weight and buoyancy of the hull."""
    return restoring_wrench(hull.mass, hull.displaced_mass, hull.p_BG, hull.p_BC, hull.gravity, down_B)


def hull_wrench(hull: Hull, twist: RelativeTwist, down_B: Direction) -> Wrench:
    """Coriolis, damping and restoring wrench of the bare hull, on the right-hand side."""
    resisted = add6(coriolis_wrench(hull.coriolis_inertia, twist), hull_damping_wrench(hull, twist))
    return subtract6(hull_restoring_wrench(hull, down_B), resisted)


def acceleration(hull: Hull, twist: Twist, down_B: Direction, wrench: Wrench) -> TwistRate:
    """Acceleration in still water: M^-1 (tau - C nu - d + g). Proctor 2014, eq. 3.9; Britto Neto 2018, eq. 3.10."""
    return matvec6(hull.inverse_inertia, add6(wrench, hull_wrench(hull, twist, down_B)))


def inverse_dynamics(hull: Hull, twist: Twist, twist_rate: TwistRate, down_B: Direction) -> Wrench:
    """External wrench that produces a given rate of the twist: M nu' + C nu + d - g."""
    return subtract6(matvec6(hull.inertia, twist_rate), hull_wrench(hull, twist, down_B))
