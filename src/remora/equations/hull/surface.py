"""Buoyancy elements: spheres whose submerged fraction fades as they pass through the water surface."""

from typing import NamedTuple

from remora.equations.algebra.elementary import maximum, minimum, select
from remora.equations.types import Vector3


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
