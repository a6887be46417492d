"""Weight and buoyancy of a fully submerged body."""

from remora.equations.algebra.vectors import cross, dot3, join, scale3, subtract3
from remora.equations.types import Vector3, Wrench


def restoring_wrench(
    mass: float, displaced_mass: float, p_BG: Vector3, p_BC: Vector3, gravity: float, down_B: Vector3
) -> Wrench:
    """Wrench of weight at G and buoyancy at C, on the right-hand side. Fossen 2021, ch. 4; Simu2VITA eq. 17.

    Parameters
    ----------
    mass, displaced_mass
        Mass, and density x volume, kg.
    p_BG, p_BC
        Centres of gravity and buoyancy in body axes, m.
    gravity, down_B
        Gravity, m/s2, and unit vector downward, in body axes.
    """
    weight, buoyancy = mass * gravity, displaced_mass * gravity
    lever = subtract3(scale3(weight, p_BG), scale3(buoyancy, p_BC))
    return join(scale3(weight - buoyancy, down_B), cross(lever, down_B))


def potential_energy(
    mass: float, displaced_mass: float, p_BG: Vector3, p_BC: Vector3, gravity: float, down_B: Vector3, depth: float
) -> float:
    """Potential energy of weight and buoyancy, J; its negative gradient is the restoring wrench.

    Parameters
    ----------
    mass, displaced_mass
        Mass, and density x volume, kg.
    p_BG, p_BC
        Centres of gravity and buoyancy in body axes, m.
    gravity, down_B
        Gravity, m/s2, and unit vector downward, in body axes.
    depth
        Depth of the body origin, m.
    """
    sunk = mass * (depth + dot3(p_BG, down_B)) - displaced_mass * (depth + dot3(p_BC, down_B))
    return -gravity * sunk
