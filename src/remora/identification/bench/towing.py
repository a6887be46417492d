"""Drag of a hull from towing tests: bracket subtracted, runs fused, bounded fit with a confidence band.

Damping of axes that were not measured is extrapolated by added mass (Nielsen 2018, sec. 5.4.4).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from remora.equations.estimation.single_axis import axis_damping, damping_by_added_mass
from remora.files.arrays import Array
from remora.identification.bench.fitting import BenchDataError, BenchParameter, columns, deviations, fit_law, positive
from remora.identification.bench.result import BenchFit, band, propagated

_DISAGREE = 1e-3  # probability below which fused sources disagree


class Drag(NamedTuple):
    """Drag along or about one axis."""

    linear: float  # N s/m, or N m s
    quadratic: float  # N s2/m2, or N m s2


NO_DRAG = Drag(0.0, 0.0)


class Fused(NamedTuple):
    """Fused value of several sources."""

    mean: float
    variance: float
    warning: str = ""  # when the sources disagree


def fuse(means: ArrayLike, variances: ArrayLike) -> Fused:
    """Inverse-variance weighted mean (Nielsen 2018, eq. 5.17)."""
    mean, variance = columns(1, means=means, variances=variances)
    deviations(variance, mean)
    total = 1.0 / float(np.sum(1.0 / variance))
    fused = total * float(np.sum(mean / variance))
    misfit = float(np.sum((mean - fused) ** 2 / variance))
    chance = float(stats.chi2.sf(misfit, len(mean) - 1)) if len(mean) > 1 else 1.0
    warning = f"{len(mean)} sources disagree (chance {chance:.1g})." if chance < _DISAGREE else ""
    return Fused(fused, total, warning)


def fuse_by_median(means: ArrayLike) -> Fused:
    """Median of several values, for runs with outliers, with its variance from their spread."""
    (mean,) = columns(1, means=means)
    middle = float(np.median(mean))
    spread = 1.4826 * float(np.median(np.abs(mean - middle)))
    return Fused(middle, np.pi / 2.0 * spread**2 / len(mean))


def fuse_equal_speeds(
    speeds: ArrayLike, means: ArrayLike, variances: ArrayLike, resolution: float = 1e-6
) -> tuple[Array, Array, Array, list[str]]:
    """Runs at equal speeds fused to one point each: speeds, means, variances and warnings.

    The scatter of runs at one speed shows errors that no single run shows. Where it exceeds their variances, all
    variances are raised by the difference.

    Parameters
    ----------
    speeds, means, variances
        Speed, mean force and its variance of each run, m/s, N and N2.
    resolution
        Speeds closer than this are equal, m/s.
    """
    speed, mean, variance = columns(1, speeds=speeds, means=means, variances=variances)
    groups = np.round(speed / resolution)
    keys = np.unique(groups)
    extra = _between_runs(groups, mean, variance)
    fused = [(key, fuse(mean[groups == key], variance[groups == key] + extra)) for key in keys]
    warnings = [f"At speed {key * resolution:.4g}: {one.warning}" for key, one in fused if one.warning]
    if extra > float(np.median(variance)):
        warnings.append(f"Runs at one speed scatter by {np.sqrt(extra):.2g} more than their own noise explains.")
    centres = np.array([speed[groups == key].mean() for key in keys])
    return centres, np.array([one.mean for _, one in fused]), np.array([one.variance for _, one in fused]), warnings


def _between_runs(groups: Array, mean: Array, variance: Array) -> float:
    """Variance between runs at one speed in excess of their own variances; not below zero."""
    squares, freedom, expected = 0.0, 0, 0.0
    for key in np.unique(groups):
        own = mean[groups == key]
        squares += float(np.sum((own - own.mean()) ** 2))
        freedom += len(own) - 1
        expected += float(np.mean(variance[groups == key])) * (len(own) - 1)
    return max((squares - expected) / freedom, 0.0) if freedom else 0.0


def fit_towing_drag(
    speeds: ArrayLike,
    forces: ArrayLike,
    variances: ArrayLike | None = None,
    bracket: Drag = NO_DRAG,
    used: ArrayLike | None = None,
    robust: bool = False,
) -> BenchFit[Drag]:
    """Drag D_L v + D_Q |v| v with nonnegative coefficients.

    Parameters
    ----------
    speeds, forces
        Towing speeds, m/s, and forces of hull and bracket, N (or rad/s and N m).
    variances
        Variance of each force, up to a common factor; equal unless given.
    bracket, robust
        Drag of the bracket alone, which is subtracted; whether outliers have reduced weight.
    used
        Mask of the points to use; exclude those below the resolution of the load cells.
    """
    v, f = columns(3, speeds=speeds, forces=forces)
    chosen = np.ones(len(v), dtype=bool) if used is None else np.asarray(used, dtype=bool)
    if chosen.shape != v.shape:
        raise BenchDataError(f"used has {chosen.size} entries for {v.size} points. Give one for each.")
    sigma = None if variances is None else np.sqrt(deviations(variances, v)[chosen])
    v, f = v[chosen], f[chosen]
    hull = f - np.asarray(axis_damping(bracket.linear, bracket.quadratic, v))
    top = float(np.abs(v).max()) if v.size else 0.0
    if top == 0.0:
        raise BenchDataError("all towing speeds are zero. Give points at other speeds.")
    full = max(float(np.abs(hull).max()), 1e-12)
    numbers = [
        BenchParameter("linear", "N s/m", 0.0, 0.0, scale=full / top),
        BenchParameter("quadratic", "N s2/m2", full / top**2, 0.0),
    ]
    return fit_law(
        "towing drag",
        numbers,
        lambda x: Drag(float(x[0]), float(x[1])),
        lambda law: np.asarray(axis_damping(law.linear, law.quadratic, v)),
        hull,
        sigma,
        robust=robust,
    ).with_warnings(*_one_sided(v))


def drag_band(fit: BenchFit[Drag], speeds: ArrayLike, level: float = 0.95) -> tuple[Array, Array, Array]:
    """Drag at given speeds with its confidence band: curve, lower and upper end, N or N m.

    Parameters
    ----------
    fit, speeds, level
        Fitted drag, speeds, m/s or rad/s, and confidence level.
    """
    (v,) = columns(1, speeds=speeds)
    return band(fit, lambda x: np.asarray(axis_damping(x[0], x[1], v)), level)


def _one_sided(v: Array) -> list[str]:
    if v.min() >= 0.0 or v.max() <= 0.0:
        return ["The hull was towed one way only; the drag of the other way is taken to be the same."]
    return []


def stay_wire_force(cells: Sequence[ArrayLike], stay: ArrayLike, angle: float) -> Array:
    """Drag from the load cells of a towing rig, N: their sum less the share of a stay wire.

    Parameters
    ----------
    cells, stay, angle
        Readings of the load cells and tension of the stay wire, N, and its angle, rad.
    """
    wire, *influence = columns(1, stay=stay, **{f"cells[{i}]": cell for i, cell in enumerate(cells)})
    return np.asarray(np.sum(influence, axis=0) - wire * np.cos(angle))


TYPICAL_LINEAR_SHARE = 0.16  # s/m or s/rad: linear over quadratic damping in translation, Nielsen 2018, eq. 4.3


def extrapolated_damping(
    measured: BenchFit[Drag], axis: str, other: str, added_mass: float, other_added_mass: float, spread: float = 0.5
) -> BenchFit[Drag]:
    """Drag of an unmeasured axis: that of a measured one times the ratio of added masses.

    Parameters
    ----------
    measured, axis, other
        Linear and quadratic drag of the measured axis, and names of this axis and of the other, for messages.
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
