"""Bodies that lose or take in mass, and impulsive changes of the current.

Lost mass leaves with the velocity that it had on the body, so the rest keeps its own. Mass taken in was at rest in the
water: linear and angular momentum of body, added mass and water taken in are conserved.
"""

from typing import NamedTuple

from remora.equations.algebra.vectors import add3, add6, add_matrix3, cross, join, matvec6, scale3, scale6
from remora.equations.hull.inertia import inertia_about_G, point_mass_inertia, rigid_body_inertia
from remora.equations.types import Matrix3, Matrix6, Twist, Vector3, Wrench

_NO_INERTIA: Matrix3 = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


class RigidBody(NamedTuple):
    """Mass, centre of gravity and moment of inertia."""

    mass: float  # kg
    p_BG: Vector3  # m
    inertia_G: Matrix3  # kg m2


def common_centre(mass: float, place: Vector3, other_mass: float, other_place: Vector3) -> Vector3:
    """Common centre of two masses, m; a negative mass is removed.

    Parameters
    ----------
    mass, place
        First mass, kg, and its centre in body axes, m.
    other_mass, other_place
        Second mass, kg, and its centre in body axes, m.
    """
    moment = add3(scale3(mass, place), scale3(other_mass, other_place))
    return scale3(1.0 / (mass + other_mass), moment)


def with_point_mass(body: RigidBody, mass: float, place: Vector3) -> RigidBody:
    """The body plus a point mass; minus it where the mass is negative.

    Parameters
    ----------
    body
        Rigid body.
    mass, place
        Point mass, kg, and its position in body axes, m.
    """
    total = body.mass + mass
    p_BG = common_centre(body.mass, body.p_BG, mass, place)
    about_B = add_matrix3(body.inertia_G, point_mass_inertia(body.mass, body.p_BG))
    about_B = add_matrix3(about_B, point_mass_inertia(mass, place))
    return RigidBody(total, p_BG, inertia_about_G(total, p_BG, about_B))


def intake_impulse(mass: float, place: Vector3, relative_twist: Twist) -> Wrench:
    """Impulse on a body that takes in a mass at rest in the water: -M_m nu_r.

    With M' the inertia afterwards, M' (nu_r + M'^-1 J) = M nu_r: momentum is conserved.

    Parameters
    ----------
    mass, place
        Mass taken in, kg, and its position in body axes, m.
    relative_twist
        Twist relative to the water, in body axes.
    """
    return scale6(-1.0, matvec6(rigid_body_inertia(mass, place, _NO_INERTIA), relative_twist))


def current_step_impulse(added_mass: Matrix6, displaced_mass: float, p_BC: Vector3, change_B: Vector3) -> Wrench:
    """Impulse of an instantaneous change of the current: on added mass and displaced water.

    The time integral of the forces of unsteady water. A neutral body moves with the water; a sphere of s times the
    density of the water gains 3 / (2 s + 1) of the change.

    Parameters
    ----------
    added_mass
        6x6 added mass about B.
    displaced_mass, p_BC
        Mass of the displaced water, kg, and centre of buoyancy in body axes, m.
    change_B
        Change of the current in body axes, m/s.
    """
    change = join(change_B, (0.0, 0.0, 0.0))
    push = scale3(displaced_mass, change_B)
    return add6(matvec6(added_mass, change), join(push, cross(p_BC, push)))
