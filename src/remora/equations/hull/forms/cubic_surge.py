"""Cubic surge damping."""

from typing import NamedTuple

from remora.equations.hull.forms.form import Form, FormField, register
from remora.equations.types import Numbers, SixDof, Twist, Wrench


class CubicSurge(NamedTuple):
    """Coefficient of cubic damping in surge."""

    cubic_surge: float  # kg s/m2


def cubic_surge_at(row: Numbers, k: int) -> CubicSurge:
    """The coefficient in a packed row."""
    return CubicSurge(row[k])


def cubic_surge_wrench(damping: CubicSurge, twist: Twist) -> Wrench:
    """Surge force c u^3, N: the term X_uuu of Randeni et al. 2018, eq. 5."""
    return (damping.cubic_surge * twist[0] * twist[0] * twist[0], 0.0, 0.0, 0.0, 0.0, 0.0)


def cubic_surge_at_density(damping: CubicSurge, ratio: float) -> CubicSurge:
    """Cubic damping in water of another density, in proportion to it."""
    return CubicSurge(ratio * damping.cubic_surge)


def scattered_cubic_surge(damping: CubicSurge, linear: SixDof, quadratic: SixDof) -> CubicSurge:
    """Cubic damping in a random variation, which follows the quadratic damping of surge."""
    return CubicSurge(quadratic[0] * damping.cubic_surge)


CUBIC_SURGE = register(
    Form(
        name="cubic_surge",
        record=CubicSurge,
        read=cubic_surge_at,
        wrench=cubic_surge_wrench,
        degree=3,
        many=False,
        with_density=cubic_surge_at_density,
        scaled=scattered_cubic_surge,
        dissipates=True,
        fades=True,
        section=(FormField("cubic_surge", "kg s/m2"),),
        fitted=("cubic_surge",),
        acts_on=(0,),
    )
)
