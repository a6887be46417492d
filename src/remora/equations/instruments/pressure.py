"""Pressure from depth, and depth from pressure.

Pressures are in pascal above the air at the surface, depths in metres below it.
"""

from remora.equations.algebra.elementary import sin
from remora.equations.algebra.vectors import dot3
from remora.equations.types import Vector3

_MEGAPASCAL = 1.0e6
_GRAVITY_OF_FIT = 9.80612  # m/s2, at 45 degrees
_GRAVITY_PER_DEPTH = 2.0e-5  # 1/s2, as the formula writes it
_NEWTON_STEPS = 4  # three reach double precision down to 12 km; the fourth is margin


def _surface_gravity(latitude: float) -> float:
    """Gravity at the surface as the formula of Leroy and Parthiot takes it, m/s2."""
    s = sin(latitude)
    gravity: float = 9.7803 * (1.0 + 5.3e-3 * s * s)
    return gravity


def pressure_at_depth(depth: float, latitude: float) -> float:
    """Pressure of common sea water, Pa. Leroy and Parthiot 1998; Proctor 2014, eq. 4.6 and 4.7.

    A fit to the equation of state of sea water where temperature and salinity are unknown: in terms of depth within
    0.2 m in most oceans and 0.8 m in closed basins. Not for fresh water: use `uniform_water_pressure`.
    """
    z = depth
    k = (_surface_gravity(latitude) - _GRAVITY_PER_DEPTH * z) / (_GRAVITY_OF_FIT - _GRAVITY_PER_DEPTH * z)
    at_45 = z * (1.00818e-2 + z * (2.465e-8 + z * (-1.25e-13 + z * 2.8e-19)))
    correction = 0.01 * z / (z + 100.0) + 6.2e-6 * z
    return _MEGAPASCAL * (at_45 * k - correction)


def pressure_gradient(depth: float, latitude: float) -> float:
    """Derivative of `pressure_at_depth` with depth, Pa/m."""
    z = depth
    surface = _surface_gravity(latitude)
    fit = _GRAVITY_OF_FIT - _GRAVITY_PER_DEPTH * z
    k = (surface - _GRAVITY_PER_DEPTH * z) / fit
    k_slope = _GRAVITY_PER_DEPTH * (surface - _GRAVITY_OF_FIT) / (fit * fit)
    at_45 = z * (1.00818e-2 + z * (2.465e-8 + z * (-1.25e-13 + z * 2.8e-19)))
    at_45_slope = 1.00818e-2 + z * (2.0 * 2.465e-8 + z * (-3.0 * 1.25e-13 + z * 4.0 * 2.8e-19))
    correction_slope = 1.0 / ((z + 100.0) * (z + 100.0)) + 6.2e-6
    return _MEGAPASCAL * (at_45_slope * k + at_45 * k_slope - correction_slope)


def depth_from_pressure(pressure: float, latitude: float) -> float:
    """Depth at which `pressure_at_depth` gives this pressure, m: Newton steps, exact to rounding."""
    depth = pressure / 1.0e4
    for _ in range(_NEWTON_STEPS):
        depth = depth - (pressure_at_depth(depth, latitude) - pressure) / pressure_gradient(depth, latitude)
    return depth


def uniform_water_pressure(depth: float, density: float, gravity: float) -> float:
    """Pressure of water of uniform density, Pa: for lakes and tanks.

    Parameters
    ----------
    depth
        Depth below the surface, m.
    density
        Density of the water, kg/m3.
    gravity
        Gravity, m/s2.
    """
    return density * gravity * depth


def dynamic_pressure(density: float, velocity: Vector3) -> float:
    """Dynamic pressure at a port that faces the flow, Pa: half density times squared speed through the water."""
    return 0.5 * density * dot3(velocity, velocity)
