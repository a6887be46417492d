"""Heave asymmetry: added mass and damping that differ between sinking and rising, with a smooth transition.

The matrices of the hull hold the mean of both directions; this module adds the difference.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import tanh
from remora.equations.algebra.vectors import Twist, Wrench, subtract6
from remora.equations.hull.coriolis import coriolis_of_momentum

# Width of the change from one direction to the other, m/s (Falcon work, smooth form).
HEAVE_BLEND_SPEED = 0.02


class HeaveAsymmetry(NamedTuple):
    """Half the difference between sinking and rising."""

    inertia: float  # kg
    momentum: float  # kg, the part that takes part in Coriolis: zero when that is switched off
    linear_damping: float  # kg/s
    quadratic_damping: float  # kg/m


def heave_blend(heave: float) -> float:
    """-1 while rising, +1 while sinking, smooth in between."""
    return tanh(heave / HEAVE_BLEND_SPEED)


def heave_mass_change(asymmetry: HeaveAsymmetry, heave: float) -> float:
    """Heave mass at a heave speed, minus the mean of both directions, kg."""
    return asymmetry.inertia * heave_blend(heave)


def heave_asymmetry_wrench(asymmetry: HeaveAsymmetry, twist: Twist) -> Wrench:
    """Damping and Coriolis wrench of the difference from the mean, on the right-hand side."""
    w = twist[2]
    blend = heave_blend(w)
    damping = (asymmetry.linear_damping + asymmetry.quadratic_damping * abs(w)) * blend * w
    momentum = (0.0, 0.0, asymmetry.momentum * blend * w, 0.0, 0.0, 0.0)
    return subtract6((0.0, 0.0, -damping, 0.0, 0.0, 0.0), coriolis_of_momentum(momentum, twist))
