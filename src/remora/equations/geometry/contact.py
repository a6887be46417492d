"""Contact forces: normal force with damping, and regularised Coulomb friction.

The normal force follows Hunt and Crossley 1975 with a linear spring, f = k d (1 + c d'), d the penetration: it starts
and ends at zero, never pulls, and dissipates energy. The restitution depends only on c times the impact speed, for any
mass (`restitution_residual`).
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import TINY, log, maximum, sqrt
from remora.equations.algebra.vectors import add3, dot3, scale3
from remora.equations.types import Direction, Vector3

_PI_SQUARED = 9.869604401089358


class ContactLaw(NamedTuple):
    """Stiffness, damping and friction of a surface."""

    stiffness: float  # N/m
    damping: float  # s/m: c above
    friction: float  # Coulomb's coefficient
    grip: float  # kg/s: friction per speed of slipping, before Coulomb's limit is reached


def contact_stiffness(mass: float, contact_time: float) -> float:
    """Stiffness at which a mass stays in contact for a time, half the period of its oscillation, N/m."""
    return mass * _PI_SQUARED / (contact_time * contact_time)


def restitution_residual(damping_times_speed: float, restitution: float) -> float:
    """Residual of the restitution: b - ln(1 + b) + e b + ln(1 - e b), with b = c times the impact speed.

    From m d'' = -k d (1 + c d') by separation of speed and penetration: exact for any mass and stiffness.
    """
    b, e = damping_times_speed, restitution
    residual: float = b - log(1.0 + b) + e * b + log(1.0 - e * b)
    return residual


def joint_law(first: ContactLaw, second: ContactLaw) -> ContactLaw:
    """Contact law of two bodies: springs and grips in series, mean friction and damping."""
    return ContactLaw(
        first.stiffness * second.stiffness / (first.stiffness + second.stiffness),
        0.5 * (first.damping + second.damping),
        0.5 * (first.friction + second.friction),
        first.grip * second.grip / (first.grip + second.grip),
    )


def normal_force(law: ContactLaw, penetration: float, closing_speed: float) -> float:
    """Normal force that separates the bodies, N; zero without penetration, never a pull.

    `closing_speed` is the rate of the penetration.
    """
    push = law.stiffness * maximum(penetration, 0.0) * (1.0 + law.damping * closing_speed)
    return maximum(push, 0.0)


def friction_force(law: ContactLaw, pressing: float, slip: Vector3) -> Vector3:
    """Friction force against the slip, N: Coulomb's, and proportional to the slip where that is less.

    Smooth in between, so that it depends on the state alone; a body held by friction creeps at force / grip. `pressing`
    is the normal force.
    """
    limit = law.friction * pressing
    slow = limit / law.grip
    strength = limit / sqrt(maximum(dot3(slip, slip) + slow * slow, TINY))
    return scale3(-strength, slip)


def contact_force(law: ContactLaw, penetration: float, normal: Direction, velocity: Vector3) -> Vector3:
    """Force on a body at a contact point, N.

    The normal is outward; `velocity` is the velocity of the point relative to the surface.
    """
    closing = -dot3(velocity, normal)
    pressing = normal_force(law, penetration, closing)
    slip = add3(velocity, scale3(closing, normal))
    return add3(scale3(pressing, normal), friction_force(law, pressing, slip))


def spring_energy(law: ContactLaw, penetration: float) -> float:
    """Energy stored in the contact, J."""
    depth = maximum(penetration, 0.0)
    return 0.5 * law.stiffness * depth * depth
