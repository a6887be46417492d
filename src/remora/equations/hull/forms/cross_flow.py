"""Cross-flow drag of a slender hull by strip theory."""

from typing import NamedTuple

from remora.equations.hull.forms.form import Form, FormField, register
from remora.equations.types import Numbers, SixDof, Twist, Wrench


class Strip(NamedTuple):
    """One slice of a slender hull: position on the x axis and cross-flow drag of its two sides."""

    x: float  # m, forward of B
    sideways: float  # kg/m: half density x drag coefficient x height x thickness of the slice
    vertical: float  # kg/m: the same seen from above


def strip_at(row: Numbers, k: int) -> Strip:
    """One strip in a packed row."""
    return Strip(row[k], row[k + 1], row[k + 2])


def strip_damping_wrench(strip: Strip, twist: Twist) -> Wrench:
    """Cross-flow drag of one slice, which moves sideways with v + x r and down with w - x q. Fossen 2021, ch. 6."""
    sway = twist[1] + strip.x * twist[5]
    heave = twist[2] - strip.x * twist[4]
    sideways = strip.sideways * abs(sway) * sway
    vertical = strip.vertical * abs(heave) * heave
    return (0.0, sideways, vertical, 0.0, -strip.x * vertical, strip.x * sideways)


def strip_at_density(strip: Strip, ratio: float) -> Strip:
    """A strip in water of another density: its drag is in proportion to it."""
    return Strip(strip.x, ratio * strip.sideways, ratio * strip.vertical)


def scattered_strip(strip: Strip, linear: SixDof, quadratic: SixDof) -> Strip:
    """A strip in a random variation: its drag follows the quadratic damping of sway and heave."""
    return Strip(strip.x, quadratic[1] * strip.sideways, quadratic[2] * strip.vertical)


CROSS_FLOW = register(
    Form(
        name="cross_flow",
        record=Strip,
        read=strip_at,
        wrench=strip_damping_wrench,
        degree=2,
        many=True,
        with_density=strip_at_density,
        scaled=scattered_strip,
        dissipates=True,
        fades=True,
        section=(FormField("x", "m", signs=(0,)), FormField("sideways", "kg/m"), FormField("vertical", "kg/m")),
        fitted="all strips share two drag coefficients; fit damping.quadratic, or scale the strips of the file",
        acts_on=(1, 2, 4, 5),
    )
)
