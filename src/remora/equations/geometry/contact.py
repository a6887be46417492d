"""Bodies that touch: a force that pushes them apart and friction that holds them back.

The force follows Hunt and Crossley 1975 with a linear spring, f = k d (1 + c d'), d the penetration: it begins and ends
at zero, never pulls, and takes energy out. How much speed is left after a bounce depends on c times the speed of the
impact alone, whatever the mass (`restitution_residual`).
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import log, maximum, sqrt
from remora.equations.algebra.vectors import Vector3, add3, dot3, scale3

_PI_SQUARED = 9.869604401089358
_TINY = 1e-300


class ContactLaw(NamedTuple):
    """How a surface resists."""

    stiffness: float  # N/m
    damping: float  # s/m: c above
    friction: float  # Coulomb's coefficient
    grip: float  # kg/s: friction per speed of slipping, before Coulomb's limit is reached


def contact_stiffness(mass: float, contact_time: float) -> float:
    """Spring with which a mass stays in contact for a time, half a period of its swing, N/m."""
    return mass * _PI_SQUARED / (contact_time * contact_time)


def restitution_residual(damping_times_speed: float, restitution: float) -> float:
    """Zero when a bounce leaves this share of the speed: b - ln(1 + b) + e b + ln(1 - e b), with b = c times the speed.

    From m d'' = -k d (1 + c d'), in which speed and depth can be separated: exact for any mass and stiffness.
    """
    b, e = damping_times_speed, restitution
    residual: float = b - log(1.0 + b) + e * b + log(1.0 - e * b)
    return residual


def joint_law(first: ContactLaw, second: ContactLaw) -> ContactLaw:
    """Two bodies that touch: springs and grips in a row, friction and damping halfway."""
    return ContactLaw(
        first.stiffness * second.stiffness / (first.stiffness + second.stiffness),
        0.5 * (first.damping + second.damping),
        0.5 * (first.friction + second.friction),
        first.grip * second.grip / (first.grip + second.grip),
    )


def normal_force(law: ContactLaw, penetration: float, closing_speed: float) -> float:
    """Force that pushes out, N; none without penetration, and never a pull."""
    push = law.stiffness * maximum(penetration, 0.0) * (1.0 + law.damping * closing_speed)
    return maximum(push, 0.0)


def friction_force(law: ContactLaw, pressing: float, slip: Vector3) -> Vector3:
    """Force against the slip of the surfaces: Coulomb's, and in proportion to the slip where that is less.

    Smooth in between, so that it depends on the state alone; what is held by friction creeps by force / grip.
    """
    limit = law.friction * pressing
    slow = limit / law.grip
    strength = limit / sqrt(maximum(dot3(slip, slip) + slow * slow, _TINY))
    return scale3(-strength, slip)


def contact_force(law: ContactLaw, penetration: float, normal: Vector3, velocity: Vector3) -> Vector3:
    """Force on a body at a point that moves with a velocity against a surface with this outward normal."""
    closing = -dot3(velocity, normal)
    pressing = normal_force(law, penetration, closing)
    slip = add3(velocity, scale3(closing, normal))
    return add3(scale3(pressing, normal), friction_force(law, pressing, slip))


def spring_energy(law: ContactLaw, penetration: float) -> float:
    """Energy that the contact holds, J."""
    depth = maximum(penetration, 0.0)
    return 0.5 * law.stiffness * depth * depth
