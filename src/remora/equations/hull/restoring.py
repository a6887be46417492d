"""Weight and buoyancy of a submerged body, and buoyancy elements at the surface.

Buoyancy elements are spheres whose submerged fraction fades as they pass through the water surface.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import maximum, minimum, select
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


class BuoyancyElement(NamedTuple):
    """A part of the displaced volume as a sphere."""

    position: Vector3  # m, p_BF
    radius: float  # m
    displaced_mass: float  # kg, while it is under water


def submerged_fraction(radius: float, depth: float) -> float:
    """Submerged fraction of a sphere's volume with its centre at a depth: exactly 1 below, 0 above.

    A spherical cap of height h has the volume pi h^2 (3 r - h) / 3.
    """
    h = minimum(maximum(depth + radius, 0.0), 2.0 * radius)
    share = h * h * (3.0 * radius - h) / (4.0 * radius * radius * radius)
    return select(depth >= radius, 1.0, share)


def submerged_fraction_slope(radius: float, depth: float) -> float:
    """Derivative of that fraction with depth, 1/m: waterplane area pi h (2 r - h) over the volume."""
    h = minimum(maximum(depth + radius, 0.0), 2.0 * radius)
    return 3.0 * h * (2.0 * radius - h) / (4.0 * radius * radius * radius)
