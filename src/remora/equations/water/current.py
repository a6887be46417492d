"""Currents: a uniform current in body axes, power-law profiles over depth, and tidal ellipses."""

from remora.equations.algebra.elementary import cos, exp, log, maximum, minimum, select, sin
from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.vectors import angular, cross, join, scale3
from remora.equations.types import AngularFrequency, Quaternion, Seconds, Twist, TwistRate, Vector3


def current_twist(q_NB: Quaternion, water_velocity_N: Vector3) -> Twist:
    """The current in body axes; irrotational, so without angular part. Simu2VITA eq. 10."""
    return join(to_body(q_NB, water_velocity_N), (0.0, 0.0, 0.0))


def current_twist_rate(twist: Twist, twist_of_current: Twist) -> TwistRate:
    """Rate of a steady current in body axes: (-w x v_c, 0). Simu2VITA eq. 20, sign corrected."""
    carried = cross(angular(twist), (twist_of_current[0], twist_of_current[1], twist_of_current[2]))
    return join(scale3(-1.0, carried), (0.0, 0.0, 0.0))


LINEAR_FRACTION = 0.01  # of the water depth: the lowest part of a power law, which would be vertical at the bed


def power_law_fraction(height: float, exponent: float) -> tuple[float, float]:
    """Fraction of the surface velocity at a height above the bed, and its slope; height per water depth."""
    h = minimum(maximum(height, LINEAR_FRACTION), 1.0)
    share = exp(exponent * log(h))
    slope = exponent * share / h
    lowest = exp(exponent * log(LINEAR_FRACTION))
    near_bed = height < LINEAR_FRACTION
    outside = minimum(maximum(height, 0.0), 1.0) != height
    return (
        select(near_bed, lowest * maximum(height, 0.0) / LINEAR_FRACTION, share),
        select(outside, 0.0, select(near_bed, lowest / LINEAR_FRACTION, slope)),
    )


def tidal_ellipse(
    major: float, minor: float, direction: float, frequency: AngularFrequency, phase: float, time: Seconds
) -> tuple[Vector3, Vector3]:
    """Velocity and its rate of one tidal constituent, in N, m/s and m/s2.

    The velocity points along the direction when frequency x time = phase. `direction` is the direction of the major
    axis from north to east; a positive minor axis turns to the right.
    """
    angle = frequency * time - phase
    ahead, aside = major * cos(angle), minor * sin(angle)
    ahead_rate, aside_rate = -frequency * major * sin(angle), frequency * minor * cos(angle)
    n, e = cos(direction), sin(direction)
    return (
        (ahead * n - aside * e, ahead * e + aside * n, 0.0),
        (ahead_rate * n - aside_rate * e, ahead_rate * e + aside_rate * n, 0.0),
    )
