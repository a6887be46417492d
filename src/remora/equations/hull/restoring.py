"""Weight and buoyancy of a fully submerged body."""

from remora.equations.algebra.vectors import Vector3, Wrench, cross, dot3, join, scale3, subtract3


def restoring_wrench(
    mass: float, displaced_mass: float, p_BG: Vector3, p_BC: Vector3, gravity: float, down_B: Vector3
) -> Wrench:
    """Wrench of weight at G and buoyancy at C, on the right-hand side; down_B is the downward unit vector in the body.

    The displaced mass is density x volume. Fossen 2021, ch. 4.
    """
    weight, buoyancy = mass * gravity, displaced_mass * gravity
    lever = subtract3(scale3(weight, p_BG), scale3(buoyancy, p_BC))
    return join(scale3(weight - buoyancy, down_B), cross(lever, down_B))


def potential_energy(
    mass: float, displaced_mass: float, p_BG: Vector3, p_BC: Vector3, gravity: float, down_B: Vector3, depth: float
) -> float:
    """Energy of weight and buoyancy with the body origin at a depth; its negative gradient is the restoring wrench."""
    sunk = mass * (depth + dot3(p_BG, down_B)) - displaced_mass * (depth + dot3(p_BC, down_B))
    return -gravity * sunk
