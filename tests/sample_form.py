"""A user-defined force form, as a user would write it: drag of a bulb with a vector of coefficients, and its place."""

from typing import NamedTuple

from remora.equations.algebra.elementary import tanh
from remora.equations.algebra.vectors import vector3_at
from remora.equations.hull.forms.form import Form, FormField, register


class Bulb(NamedTuple):
    """Place and drag of a bulb."""

    place: tuple[float, float, float]  # m, in body axes
    drag: tuple[float, float, float]  # kg/s, along the body axes


def bulb_at(row, k):
    """The bulb whose numbers start at index k."""
    return Bulb(vector3_at(row, k), vector3_at(row, k + 3))


def bulb_wrench(bulb, twist):
    """Drag that saturates with the speed at the place of the bulb, about B."""
    x, y, z = bulb.place
    u = twist[0] + twist[4] * z - twist[5] * y
    v = twist[1] + twist[5] * x - twist[3] * z
    w = twist[2] + twist[3] * y - twist[4] * x
    a, b, c = bulb.drag[0] * tanh(u), bulb.drag[1] * tanh(v), bulb.drag[2] * tanh(w)
    return (a, b, c, y * c - z * b, z * a - x * c, x * b - y * a)


def bulb_at_density(bulb, ratio):
    """Drag in proportion to the density."""
    return bulb._replace(drag=tuple(ratio * c for c in bulb.drag))


def scattered_bulb(bulb, linear, quadratic):
    """Drag that follows the linear damping."""
    return bulb._replace(drag=tuple(factor * c for factor, c in zip(linear[:3], bulb.drag, strict=True)))


BULB = register(
    Form(
        name="bulb",
        record=Bulb,
        read=bulb_at,
        wrench=bulb_wrench,
        degree=0,
        many=True,
        with_density=bulb_at_density,
        scaled=scattered_bulb,
        dissipates=True,
        fades=True,
        section=(FormField("place", "m", (3,), signs=(0,)), FormField("drag", "kg/s", (3,))),
        fitted=("drag",),
    )
)
KEPT = BULB._replace(name="kept", fades="a float carries it below the surface")
