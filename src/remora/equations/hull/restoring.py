"""Weight and buoyancy of a fully submerged body."""

from remora.equations.algebra.vectors import cross, dot3, join, scale3, subtract3
from remora.equations.types import Direction, Vector3, Wrench


def restoring_wrench(
    mass: float, displaced_mass: float, p_BG: Vector3, p_BC: Vector3, gravity: float, down_B: Direction
) -> Wrench:
    """Wrench of weight at G and buoyancy at C, on the right-hand side. Fossen 2021, ch. 4; Simu2VITA eq. 17.

    `displaced_mass` is density x volume.
    """
    weight, buoyancy = mass * gravity, displaced_mass * gravity
    lever = subtract3(scale3(weight, p_BG), scale3(buoyancy, p_BC))
    return join(scale3(weight - buoyancy, down_B), cross(lever, down_B))


def potential_energy(
    mass: float, displaced_mass: float, p_BG: Vector3, p_BC: Vector3, gravity: float, down_B: Direction, depth: float
) -> float:
    """Potential energy of weight and buoyancy, J; its negative gradient is the restoring wrench.

    `displaced_mass` is density x volume, `depth` the depth of B.
    """
    sunk = mass * (depth + dot3(p_BG, down_B)) - displaced_mass * (depth + dot3(p_BC, down_B))
    return -gravity * sunk
