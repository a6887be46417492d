"""Heave asymmetry: added mass that differs between sinking and rising, with a smooth transition.

The inertia of the hull holds the mean of both directions; this module adds the difference. Damping that differs is a
force form, `hull.forms.rising_heave`.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import tanh
from remora.equations.hull.coriolis import coriolis_of_momentum
from remora.equations.types import Twist, Wrench

# Width of the change from one direction to the other, m/s (Falcon work, smooth form).
HEAVE_BLEND_SPEED = 0.02


class HeaveAsymmetry(NamedTuple):
    """Half the difference of the heave mass between sinking and rising."""

    inertia: float  # kg
    momentum: float  # kg, the part that takes part in Coriolis: zero when that is switched off


def heave_blend(heave: float) -> float:
    """-1 while rising, +1 while sinking, smooth in between."""
    return tanh(heave / HEAVE_BLEND_SPEED)


def heave_mass_change(asymmetry: HeaveAsymmetry, heave: float) -> float:
    """Heave mass at a heave speed, minus the mean of both directions, kg."""
    return asymmetry.inertia * heave_blend(heave)


def heave_asymmetry_wrench(asymmetry: HeaveAsymmetry, twist: Twist) -> Wrench:
    """Coriolis wrench of the difference from the mean, on the left-hand side."""
    w = twist[2]
    return coriolis_of_momentum((0.0, 0.0, asymmetry.momentum * heave_blend(w) * w, 0.0, 0.0, 0.0), twist)
