"""Heave damping that differs between sinking and rising.

The matrices of linear and quadratic damping in a packed row hold the mean of both directions; this form adds the
difference. The added mass that differs with the direction is inertia: `equations.hull.inertia`.
"""

from typing import NamedTuple

from remora.equations.hull.forms.form import Form, FormField, register
from remora.equations.hull.inertia import heave_blend
from remora.equations.types import Numbers, SixDof, Twist, Wrench


class HeaveDampingDifference(NamedTuple):
    """Half the difference of the heave damping between sinking and rising."""

    linear_damping: float  # kg/s
    quadratic_damping: float  # kg/m


def heave_damping_at(row: Numbers, k: int) -> HeaveDampingDifference:
    """The difference in a packed row."""
    return HeaveDampingDifference(row[k], row[k + 1])


def heave_damping_wrench(half: HeaveDampingDifference, twist: Twist) -> Wrench:
    """Difference of the heave damping from the mean of both directions, with a smooth transition."""
    w = twist[2]
    damping = (half.linear_damping + half.quadratic_damping * abs(w)) * heave_blend(w) * w
    return (0.0, 0.0, damping, 0.0, 0.0, 0.0)


def heave_damping_at_density(half: HeaveDampingDifference, ratio: float) -> HeaveDampingDifference:
    """The difference in water of another density: its quadratic part is in proportion to it."""
    return HeaveDampingDifference(half.linear_damping, ratio * half.quadratic_damping)


def scattered_heave_damping(half: HeaveDampingDifference, linear: SixDof, quadratic: SixDof) -> HeaveDampingDifference:
    """The difference in a random variation: it follows the heave elements of the matrices."""
    # The same products as in the matrices, so that a zero in one direction stays zero.
    root, cube, square = linear[2] ** 0.5, quadratic[2] ** (1.0 / 3.0), quadratic[2] ** (2.0 / 3.0)
    return HeaveDampingDifference(root * half.linear_damping * root, cube * half.quadratic_damping * square)


RISING_HEAVE = register(
    Form(
        name="rising_heave",
        record=HeaveDampingDifference,
        read=heave_damping_at,
        wrench=heave_damping_wrench,
        degree=0,
        many=False,
        with_density=heave_damping_at_density,
        scaled=scattered_heave_damping,
        dissipates="a difference from a mean has either sign: S5 checks the sum of both for each direction",
        fades=True,
        section=(FormField("linear_damping", "kg/s"), FormField("quadratic_damping", "kg/m")),
        fitted=("linear_damping", "quadratic_damping"),
        acts_on=(2,),
    )
)
