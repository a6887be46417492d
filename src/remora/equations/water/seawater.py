"""Density and sound speed of water from temperature, salinity and depth.

Temperatures are in degrees Celsius, salinities on the practical scale (about grams per kilogram), pressures in pascal
above the air.
"""

from remora.equations.algebra.elementary import sqrt
from remora.equations.algebra.vectors import cross, join, scale3
from remora.equations.types import Celsius, Direction, Vector3, Wrench

_BAR = 1.0e5  # Pa


def density_change_wrench(
    fraction: float, displaced_mass: float, gravity: float, p_BC: Vector3, down_B: Direction
) -> Wrench:
    """Change of buoyancy with a change of density, about B in body axes.

    `fraction` is the relative change of the density.
    """
    force = scale3(-fraction * displaced_mass * gravity, down_B)
    return join(force, cross(p_BC, force))


def density_at_surface(temperature: Celsius, salinity: float) -> float:
    """Density at atmospheric pressure, kg/m3: equation of state EOS-80. Fofonoff and Millard 1983 (UNESCO 44).

    For 0 to 40 degrees and salinities of 0 to 42, within 0.01 kg/m3.
    """
    t, s = temperature, salinity
    fresh = 999.842594 + t * (
        6.793952e-2 + t * (-9.095290e-3 + t * (1.001685e-4 + t * (-1.120083e-6 + t * 6.536332e-9)))
    )
    first = 8.24493e-1 + t * (-4.0899e-3 + t * (7.6438e-5 + t * (-8.2467e-7 + t * 5.3875e-9)))
    second = -5.72466e-3 + t * (1.0227e-4 - t * 1.6546e-6)
    return fresh + s * (first + second * sqrt(s) + 4.8314e-4 * s)


def secant_bulk_modulus(temperature: Celsius, salinity: float, pressure: float) -> float:
    """Secant bulk modulus, bar: K in density = density at the surface / (1 - p / K). UNESCO 44."""
    t, s, p = temperature, salinity, pressure / _BAR
    root = sqrt(s)
    fresh = 19652.21 + t * (148.4206 + t * (-2.327105 + t * (1.360477e-2 - t * 5.155288e-5)))
    salty = 54.6746 + t * (-0.603459 + t * (1.09987e-2 - t * 6.1670e-5))
    salty = salty + root * (7.944e-2 + t * (1.6483e-2 - t * 5.3009e-4))
    linear = 3.239908 + t * (1.43713e-3 + t * (1.16092e-4 - t * 5.77905e-7))
    linear = linear + s * (2.2838e-3 + t * (-1.0981e-5 - t * 1.6078e-6) + 1.91075e-4 * root)
    square = 8.50935e-5 + t * (-6.12293e-6 + t * 5.2787e-8)
    square = square + s * (-9.9348e-7 + t * (2.0816e-8 + t * 9.1697e-10))
    return fresh + s * salty + p * (linear + p * square)


def density_of_seawater(temperature: Celsius, salinity: float, pressure: float) -> float:
    """Density under pressure, kg/m3: EOS-80, up to 1000 bar. Fofonoff and Millard 1983 (UNESCO 44)."""
    squeezed = pressure / _BAR / secant_bulk_modulus(temperature, salinity, pressure)
    return density_at_surface(temperature, salinity) / (1.0 - squeezed)


def sound_speed_in_seawater(temperature: Celsius, salinity: float, depth: float) -> float:
    """Speed of sound, m/s. Mackenzie 1981.

    For 2 to 30 degrees, salinities of 25 to 40 and depths down to 8 km, within 0.07 m/s. In fresh water the error is up
    to some metres per second.
    """
    t, s, d = temperature, salinity - 35.0, depth
    warm = 1448.96 + t * (4.591 + t * (-5.304e-2 + t * 2.374e-4))
    deep = d * (1.630e-2 + d * 1.675e-7) - 7.139e-13 * t * d * d * d
    return warm + 1.340 * s - 1.025e-2 * t * s + deep
