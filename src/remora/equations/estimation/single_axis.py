"""Motion along or about one axis: towing tanks, step tests and free decays.

An effort is a force or a torque. Linear and quadratic damping D_L and D_Q are positive, in N s/m and N s2/m2 or in
N m s/rad and N m s2/rad2. For identification the model is divided by the inertia: the lumped form (Britto Neto 2018,
eq. 3.11 to 3.14).
"""

from typing import NamedTuple


def axis_damping(linear: float, quadratic: float, speed: float) -> float:
    """Drag at a speed along one axis, against the motion: D_L v + D_Q |v| v."""
    return (linear + quadratic * abs(speed)) * speed


def axis_acceleration(inertia: float, linear: float, quadratic: float, speed: float, effort: float) -> float:
    """Acceleration along one axis: (tau - D_L v - D_Q |v| v) / M. Britto Neto 2018, eq. 3.12."""
    return (effort - axis_damping(linear, quadratic, speed)) / inertia


def equivalent_damping(linear: float, quadratic: float, amplitude: float) -> float:
    """Linear damping with the energy loss of an oscillation of this speed amplitude: D_L + 8/(3 pi) D_Q V."""
    return linear + 0.8488263631567751 * quadratic * amplitude


def damping_by_added_mass(measured: float, added_mass: float, other_added_mass: float) -> float:
    """Damping of an unmeasured axis: that of a measured one times the ratio of added masses.

    A rough estimate: a hull that moves more water is assumed to have more drag (Nielsen 2018, sec. 5.4.4). `measured`
    and `added_mass` are damping and added mass of the measured axis, `other_added_mass` of the other one.
    """
    return measured * other_added_mass / added_mass


class SingleAxis(NamedTuple):
    """m v' = -d_Q v |v| - d_L v + b + u."""

    inertia: float  # whole: rigid body and added mass
    linear_damping: float
    quadratic_damping: float
    constant: float  # a force that is always there, such as net weight in heave


class Lumped(NamedTuple):
    """v' = alpha u + beta v |v| + mu v + nu."""

    alpha: float
    beta: float
    mu: float
    nu: float


def lumped_acceleration(lumped: Lumped, effort: float, speed: float) -> float:
    """Acceleration of the lumped form, m/s2 or rad/s2. Britto Neto 2018, eq. 3.14."""
    return lumped.alpha * effort + (lumped.beta * abs(speed) + lumped.mu) * speed + lumped.nu


def to_lumped(axis: SingleAxis) -> Lumped:
    """The lumped form of a single axis."""
    m = axis.inertia
    return Lumped(1.0 / m, -axis.quadratic_damping / m, -axis.linear_damping / m, axis.constant / m)


def from_lumped(lumped: Lumped) -> SingleAxis:
    """Inertia, damping and constant force from the lumped form."""
    a = lumped.alpha
    return SingleAxis(1.0 / a, -lumped.mu / a, -lumped.beta / a, lumped.nu / a)
