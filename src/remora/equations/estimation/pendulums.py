"""Oscillating bodies of bench tests: bifilar pendulum, damped oscillation, and two submerged modules on a rod."""

from math import pi
from typing import NamedTuple

from remora.equations.algebra.elementary import cos, exp, sin, sqrt
from remora.equations.estimation.single_axis import axis_damping
from remora.equations.types import AngularFrequency, Seconds, Vector3


def bifilar_stiffness(mass: float, gravity: float, spacing: float, length: float) -> float:
    """Restoring torque per angle of a bifilar pendulum: m g D^2 / (4 h), N m/rad; small angles. Proctor 2014, ch. 3.

    The wires are parallel, with the centre of gravity midway between them. D is the spacing of the wires and h their
    length.
    """
    return mass * gravity * spacing * spacing / (4.0 * length)


def inertia_from_frequency(stiffness: float, natural_frequency: float) -> float:
    """Moment of inertia from a natural frequency in rad/s and a stiffness in N m/rad, kg m2."""
    return stiffness / (natural_frequency * natural_frequency)


def damping_ratio_from_decrement(decrement: float) -> float:
    """Damping ratio from the logarithmic decrement. Proctor 2014, eq. 3.37."""
    return decrement / sqrt(4.0 * pi * pi + decrement * decrement)


def damped_oscillation(
    time: Seconds, natural_frequency: AngularFrequency, ratio: float, cosine: float, sine: float
) -> float:
    """Free oscillation with linear damping below critical.

    `ratio` is the damping ratio; the amplitude of the cosine is the value at time zero.
    """
    turned = natural_frequency * sqrt(1.0 - ratio * ratio) * time
    return exp(-ratio * natural_frequency * time) * (cosine * cos(turned) + sine * sin(turned))


class HydrostaticPair(NamedTuple):
    """Two equal, neutrally buoyant modules on a rod, free to swing about its middle; the second is rolled by an angle.

    Centres of buoyancy are relative to the centre of each module, in the module's own axes y and z.
    """

    weight: float  # N, of one module
    inertia: float  # kg m2, of both about the middle, with added mass
    half_distance: float  # m, from the middle to each centre
    relative_roll: float  # rad, of the second module against the first
    first: Vector3  # m, centre of buoyancy of the first module
    second: Vector3  # m, of the second module, in its own axes
    linear: float  # kg/s, translation of one module
    quadratic: float  # kg/m
    rolling_linear: float  # kg m2/s, rotation of one module
    rolling_quadratic: float  # kg m2


def pair_lever(pair: HydrostaticPair) -> tuple[float, float]:
    """Sum of the two centres of buoyancy in the axes of the first module: y and z, m."""
    c, s = cos(pair.relative_roll), sin(pair.relative_roll)
    return (
        pair.first[1] + c * pair.second[1] - s * pair.second[2],
        pair.first[2] + s * pair.second[1] + c * pair.second[2],
    )


def pair_acceleration(pair: HydrostaticPair, roll: float, rate: float) -> float:
    """Angular acceleration of the pair in roll, rad/s2: buoyancy and drag of both. Nielsen 2018, ch. 4.

    `roll` is the roll of the first module.
    """
    y, z = pair_lever(pair)
    d = pair.half_distance
    righting = pair.weight * (y * cos(roll) - z * sin(roll))
    drag = 2.0 * d * axis_damping(pair.linear, pair.quadratic, d * rate)
    turning = 2.0 * axis_damping(pair.rolling_linear, pair.rolling_quadratic, rate)
    return -(righting + drag + turning) / pair.inertia
