"""A body that loses or takes in mass on its way, and water that is set moving around it at once.

What is lost leaves with the velocity that it had on the body, so that the rest keeps its own. What comes in was at rest
in the water and is brought along: linear and angular momentum of body, water around it and water taken in are kept.
"""

from typing import NamedTuple

from remora.equations.algebra.vectors import (
    Matrix3,
    Matrix6,
    Twist,
    Vector3,
    Wrench,
    add3,
    add6,
    add_matrix3,
    cross,
    join,
    matvec6,
    scale3,
    scale6,
)
from remora.equations.hull.inertia import inertia_about_G, point_mass_inertia, rigid_body_inertia

_NO_INERTIA: Matrix3 = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


class RigidBody(NamedTuple):
    """A mass, where its centre is, and its moments about it."""

    mass: float  # kg
    p_BG: Vector3  # m
    inertia_G: Matrix3  # kg m2


def common_centre(mass: float, place: Vector3, other_mass: float, other_place: Vector3) -> Vector3:
    """The centre of two masses; a negative one is taken away."""
    moment = add3(scale3(mass, place), scale3(other_mass, other_place))
    return scale3(1.0 / (mass + other_mass), moment)


def with_point_mass(body: RigidBody, mass: float, place: Vector3) -> RigidBody:
    """The body with a mass more that is concentrated at a place; less where the mass is negative."""
    total = body.mass + mass
    p_BG = common_centre(body.mass, body.p_BG, mass, place)
    about_B = add_matrix3(body.inertia_G, point_mass_inertia(body.mass, body.p_BG))
    about_B = add_matrix3(about_B, point_mass_inertia(mass, place))
    return RigidBody(total, p_BG, inertia_about_G(total, p_BG, about_B))


def intake_impulse(mass: float, place: Vector3, relative_twist: Twist) -> Wrench:
    """Impulse on a body that brings a mass along which was at rest in the water: -M_m nu_r.

    With M' the inertia after it, M' (nu_r + M'^-1 J) = M nu_r: the momentum is that of before.
    """
    return scale6(-1.0, matvec6(rigid_body_inertia(mass, place, _NO_INERTIA), relative_twist))


def current_step_impulse(added_mass: Matrix6, displaced_mass: float, p_BC: Vector3, change_B: Vector3) -> Wrench:
    """Impulse on a body in water that is set moving at once: added mass and displaced water, as if it were water.

    The integral of the forces of unsteady water over a change without duration. A neutral body goes with the water; a
    sphere of s times the density of the water gets 3 / (2 s + 1) of its change.
    """
    change = join(change_B, (0.0, 0.0, 0.0))
    push = scale3(displaced_mass, change_B)
    return add6(matvec6(added_mass, change), join(push, cross(p_BC, push)))
