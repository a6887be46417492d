"""Minimum-snap motion: the polynomial of seventh degree that ends at rest, with continuous jerk.

From rest s(x) = 35 x^4 - 84 x^5 + 70 x^6 - 20 x^7 with x = t / T minimises the mean square of the fourth derivative.
Mellinger and Kumar 2011.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import maximum, minimum, sqrt
from remora.equations.types import Seconds

# Peaks of the derivatives of s(x): 140 x^3 y^3, 420 x^2 y^2 (1 - 2 x) and 840 x y (1 - 5 x y) with y = 1 - x.
SNAP_PEAK_RATE, SNAP_PEAK_ACCELERATION, SNAP_PEAK_JERK = 35.0 / 16.0, 16.8 / 5.0**0.5, 52.5
THIRD = 1.0 / 3.0


class SnapMotion(NamedTuple):
    """A value and its first three derivatives."""

    value: float
    rate: float
    acceleration: float
    jerk: float


def minimum_snap(start: SnapMotion, goal: float, duration: Seconds, elapsed: Seconds) -> SnapMotion:
    """Motion from a moving start to rest at a goal; at the goal after the duration.

    `start` is in any unit and its derivatives.
    """
    x = minimum(elapsed / duration, 1.0)
    y = 1.0 - x
    T = duration
    d, v, a, j = start.value - goal, start.rate * T, start.acceleration * T * T, start.jerk * T * T * T
    # goal + y^4 q(x): four zeros at the end; the coefficients of q from the four derivatives at the start.
    c = (d, 4.0 * d + v, 10.0 * d + 4.0 * v + 0.5 * a, 20.0 * d + 10.0 * v + 2.0 * a + j / 6.0)
    q = c[0] + x * (c[1] + x * (c[2] + x * c[3]))
    q1 = c[1] + x * (2.0 * c[2] + x * 3.0 * c[3])
    q2 = 2.0 * c[2] + x * 6.0 * c[3]
    q3 = 6.0 * c[3]
    y2 = y * y
    y3, y4 = y2 * y, y2 * y2
    return SnapMotion(
        goal + y4 * q,
        (y4 * q1 - 4.0 * y3 * q) / T,
        (y4 * q2 - 8.0 * y3 * q1 + 12.0 * y2 * q) / (T * T),
        (y4 * q3 - 12.0 * y3 * q2 + 36.0 * y2 * q1 - 24.0 * y * q) / (T * T * T),
    )


def minimum_snap_duration(distance: float, rate: float, acceleration: float, jerk: float) -> float:
    """Shortest duration of a change from rest to rest within limits, s.

    `rate`, `acceleration` and `jerk` are the largest allowed derivatives, positive.
    """
    size = abs(distance)
    by_jerk = cube_root(SNAP_PEAK_JERK * size / jerk)
    return maximum(
        maximum(SNAP_PEAK_RATE * size / rate, sqrt(SNAP_PEAK_ACCELERATION * size / acceleration)),
        by_jerk,
    )


def cube_root(x: float) -> float:
    """Cube root of a number that is not negative."""
    return x**THIRD
