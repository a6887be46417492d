"""Lumped single-axis model, divided by the inertia for identification (Britto Neto 2018, eq. 3.11 to 3.14)."""

from typing import NamedTuple


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
    """Acceleration of the lumped form, m/s2 or rad/s2. Britto Neto 2018, eq. 3.14.

    `effort` is a force or torque.
    """
    return lumped.alpha * effort + (lumped.beta * abs(speed) + lumped.mu) * speed + lumped.nu


def to_lumped(axis: SingleAxis) -> Lumped:
    """The lumped form of a single axis."""
    m = axis.inertia
    return Lumped(1.0 / m, -axis.quadratic_damping / m, -axis.linear_damping / m, axis.constant / m)


def from_lumped(lumped: Lumped) -> SingleAxis:
    """Inertia, damping and constant force from the lumped form."""
    a = lumped.alpha
    return SingleAxis(1.0 / a, -lumped.mu / a, -lumped.beta / a, lumped.nu / a)
