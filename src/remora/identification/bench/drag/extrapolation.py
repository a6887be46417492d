"""Damping of unmeasured axes, extrapolated from measured ones by added mass (Nielsen 2018, sec. 5.4.4)."""

from remora.equations.estimation.single_axis import damping_by_added_mass
from remora.identification.bench.data import positive
from remora.identification.bench.drag.towing import Drag
from remora.identification.bench.result import BenchFit, propagated

TYPICAL_LINEAR_SHARE = 0.16  # s/m or s/rad: linear over quadratic damping in translation, Nielsen 2018, eq. 4.3


def extrapolated_damping(
    measured: BenchFit[Drag], axis: str, other: str, added_mass: float, other_added_mass: float, spread: float = 0.5
) -> BenchFit[Drag]:
    """Drag of an unmeasured axis: that of a measured one times the ratio of added masses.

    Parameters
    ----------
    measured
        Linear and quadratic drag of the measured axis.
    axis, other
        Names of the measured axis and of the other, for messages.
    added_mass, other_added_mass
        Added mass of both axes, kg or kg m2.
    spread
        Relative standard deviation of the rule; the result is not a measurement.
    """
    positive(added_mass=added_mass, other_added_mass=other_added_mass)
    values, covariance = propagated(
        measured,
        lambda x: damping_by_added_mass(x, added_mass, other_added_mass),  # type: ignore[arg-type,return-value]
    )
    guess = covariance + spread**2 * values[:, None] * values[None, :]
    warning = (
        f"{other} was not measured: it is {axis} times the ratio of added masses, to {100.0 * spread:.0f} % at best."
    )
    return BenchFit(
        f"{other} from {axis}",
        Drag(float(values[0]), float(values[1])),
        measured.names,
        measured.units,
        values,
        guess,
        measured.degrees_of_freedom,
        measured.residuals[:0],
        (*measured.warnings, warning),
    )


def typical_linear(quadratic: float) -> float:
    """Linear damping of a translation from its quadratic damping, by the 16 % rule."""
    return TYPICAL_LINEAR_SHARE * quadratic
