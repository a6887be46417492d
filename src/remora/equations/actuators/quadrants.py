"""Thrust of a propeller in all four quadrants of shaft speed and advance speed.

The angle beta = atan2(V_a, 0.7 pi n D) of the flow at a blade covers the full circle, and the thrust coefficient C_T*
is a Fourier series of it: T = C_T*(beta) rho/2 (pi/4) D^2 (V_a^2 + (0.7 pi n D)^2). Nothing is divided by the shaft
speed, so thrust is continuous through zero. Carlton 2018, ch. 6; van Lammeren 1969.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import select, sqrt
from remora.equations.types import AdvanceSpeed, Numbers, ShaftSpeed


class Disc(NamedTuple):
    """Propeller disc: converts a thrust coefficient to a force."""

    dynamic_area: float  # kg/m: half density x disc area; zero for a thruster without such a series
    blade_radius: float  # m: 0.35 D, blade speed per shaft speed in rad/s


def fourier_sum(coefficients: Numbers, order: int, c: float, s: float) -> float:
    """Sum of A_k cos k beta + B_k sin k beta up to an order.

    Coefficients are A_0 to A_order, then B_0 to B_order; c and s are cosine and sine of beta.
    """
    total = coefficients[0] + 0.0 * c
    cosine, sine = c, s
    for k in range(1, order + 1):
        total = total + (coefficients[k] * cosine + coefficients[order + 1 + k] * sine)
        cosine, sine = cosine * c - sine * s, sine * c + cosine * s
    return total


def quadrant_thrust(disc: Disc, coefficients: Numbers, order: int, speed: ShaftSpeed, advance: AdvanceSpeed) -> float:
    """Thrust along the axis at shaft and advance speeds of any sign, N.

    The coefficients are the series of C_T*, see `fourier_sum`.
    """
    blade = disc.blade_radius * speed
    squared = blade * blade + advance * advance
    flow = sqrt(squared)
    moving = flow > 0.0
    divisor = select(moving, flow, 1.0)
    coefficient = fourier_sum(coefficients, order, blade / divisor, advance / divisor)
    return disc.dynamic_area * squared * coefficient
