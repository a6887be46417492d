"""Bodies that come out of the water: spheres whose buoyancy and drag fade as they rise through the surface."""

from typing import NamedTuple

from remora.equations.algebra.elementary import maximum, minimum, select
from remora.equations.algebra.vectors import Vector3


class BuoyancyElement(NamedTuple):
    """A part of the displaced water as a sphere, at a place on the body."""

    position: Vector3  # m, p_BF
    radius: float  # m
    displaced_mass: float  # kg, while it is under water


def submerged_fraction(radius: float, depth: float) -> float:
    """Share of a sphere's volume that is under water with its centre at a depth: exactly 1 below, 0 above.

    A cap of height h of a sphere has the volume pi h^2 (3 r - h) / 3.
    """
    h = minimum(maximum(depth + radius, 0.0), 2.0 * radius)
    share = h * h * (3.0 * radius - h) / (4.0 * radius * radius * radius)
    return select(depth >= radius, 1.0, share)


def submerged_fraction_slope(radius: float, depth: float) -> float:
    """Increase of that share per metre of depth: the area of the cut, pi h (2 r - h), over the volume; 1/m."""
    h = minimum(maximum(depth + radius, 0.0), 2.0 * radius)
    return 3.0 * h * (2.0 * radius - h) / (4.0 * radius * radius * radius)
