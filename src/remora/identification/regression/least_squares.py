"""Least squares on the equation of motion: per degree of freedom or all six together.

Every variant starts from a vehicle, changes the named parameters, keeps all others, and returns a `Fit`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.diagnostics.input_timing import RegressionSolution, timing_warnings
from remora.identification.parameters import units_of, values_of
from remora.identification.problems import RecordError, axes_fix
from remora.identification.regression.constraints import InfeasibleError, constrained_least_squares
from remora.identification.regression.noisy_regressors import around, cannot_hold, instrumental, total
from remora.identification.regression.prefilter import Prefilter, PrefilterKind, filtered, prefilter_of
from remora.identification.regression.problem import (
    RegressionProblem,
    check_counts,
    joined_rows,
    regression_problem,
    rows_of,
    with_scale_held,
)
from remora.identification.regression.regressor import relative_twist
from remora.identification.regression.rows import Rows, noise_of
from remora.identification.regression.solvers import (
    Uncertainty,
    Weights,
    residual,
    triangle,
    uncertainty,
    weighted_least_squares,
)
from remora.identification.result import Ambiguity, Fit
from remora.identification.sampling.smoothing import savitzky_golay_kernel
from remora.identification.uncertainty import identifiability
from remora.identification.uncertainty.correlated_residuals import whiteness
from remora.identification.warnings import all_assumptions, largest_speeds, negative_damping, sources
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.vehicle import Vehicle

# A constant is reported from this share of the residual and this multiple of its standard deviation on.
_CONSTANT, _SURE = 0.3, 4.0
# Share of the rigid-body inertia below which an inertia is refused, and the significance in sigmas.
_NO_INERTIA, _SURELY = 0.1, 3.0
# Best relative accuracy of the equations.
_ACCURACY = 2e-4
# Number of adjacent windows from which on 95 % intervals have their nominal coverage.
_FEWEST_WINDOWS = 16
RegressorNoise: TypeAlias = Literal["none", "instruments", "total"]


class Solved(NamedTuple):
    """Unconstrained change of the parameters and its uncertainty."""

    change: Array
    uncertainty: Uncertainty


def fit_least_squares(
    records: Record | Sequence[Record],
    vehicle: Vehicle,
    parameters: Sequence[str] | None = None,
    *,
    axes: Sequence[str] | None = None,
    prefilter: PrefilterKind = "filtered",
    half_width: float | None = None,
    window: int | None = None,
    order: int = 3,
    errors: RegressorNoise = "none",
    weighted: bool = True,
    constrained: bool = True,
    noise: Mapping[str, float] | None = None,
    generator: np.random.Generator | None = None,
) -> Fit:
    """Fit parameters in which the equation of motion is linear.

    Parameters
    ----------
    records
        One record or several, each with uniform segments.
    vehicle
        Base vehicle; parameters that are not fitted are kept.
    parameters
        Names as in `remora.identification.parameter_names`; added mass, linear and quadratic damping of each used
        degree of freedom unless given.
    axes
        Degrees of freedom whose equations are used; all measured ones unless given.
    prefilter
        "filtered": both sides through one low-pass window, no differentiation. "differentiated": Savitzky-Golay
        acceleration and raw regressors. "smoothed": the same with smoothed regressors.
    half_width
        Half width of the low-pass window, s, for "filtered".
    window, order
        Samples and order of the polynomials, for the other two; 33 samples, but no more than 1.65 s, unless given.
    errors
        Treatment of noise in the regressors. "none". "instruments": instrumental variables from a simulation with the
        first fit, which removes the bias. "total": total least squares with the given noise.
    weighted
        Whether degrees of freedom are weighted by their residuals; else newtons and newton metres are equal.
    constrained
        Whether only physically consistent vehicles are allowed: positive inertia, dissipative damping.
    noise
        Degree of freedom -> standard deviation of its measured speed, m/s or rad/s, for "total".
    generator
        Random generator for "total"; a fixed seed unless given.

    Raises
    ------
    RecordError
        When a record is too short, too quiet, has holes or wrong units.
    ParameterNameError
        When a parameter is not known.
    """
    given = (records,) if isinstance(records, Record) else tuple(records)

    def made(interval: float) -> Prefilter:
        return prefilter_of(prefilter, interval, half_width, window, order)

    problem, rows, instruments, weights, change, scale, notes = _estimate(
        regression_problem(given, vehicle.parameters, parameters, axes, made), errors, weighted, noise, generator
    )
    solved = _no_better_than_the_method(problem, rows, Solved(change, uncertainty(rows, instruments, weights, change)))
    timing = timing_warnings(problem, RegressionSolution(rows, instruments, weights, *solved))
    _check_driven(problem, solved, timing)
    notes += timing + window_warnings(problem, order) + _short(rows)
    possible = change
    if constrained:
        possible, more = _constrained(problem, rows, weights, solved)
        notes += more
    method = _method(prefilter, errors, weighted, constrained)
    fit = described(problem, rows, weights, solved, possible, scale, notes)
    return replace(fit, method=method, base=vehicle, doubts=tuple(timing))


class _Estimate(NamedTuple):
    """A solution without its uncertainty."""

    problem: RegressionProblem
    rows: Rows
    instruments: Rows  # the rows themselves where there are none
    weights: Weights
    change: Array
    scale: list[Ambiguity]
    notes: list[str]


def _estimate(
    problem: RegressionProblem,
    errors: RegressorNoise,
    weighted: bool,
    noise: Mapping[str, float] | None = None,
    generator: np.random.Generator | None = None,
) -> _Estimate:
    """Unconstrained change of the parameters, and notes on assumptions and constant forces."""
    unbiased = errors == "instruments"
    rows = joined_rows([rows_of(problem, k, unbiased=unbiased) for k in range(len(problem.records))])
    problem, rows, scale = with_scale_held(problem, rows)
    check_counts(rows, problem.records[0].source)
    change, weights = weighted_least_squares(rows, weighted)
    instruments, notes = rows, all_assumptions(problem.records, problem.vehicle)
    notes += _constant(rows, change, problem.names)  # of the plain fit: a constant may bias the others
    if errors == "instruments":
        change, instruments, more = instrumental(problem, rows, weights, change)
        notes += more
    elif errors == "total":
        change = total(problem, rows, weights, noise, generator)
    return _Estimate(problem, rows, instruments, weights, change, scale, notes)


def unconstrained_values(record: Record, vehicle: Vehicle, parameters: Sequence[str], axes: Sequence[str]) -> Array:
    """Values of an unconstrained fit by instrumental variables, without intervals and diagnostics: for a bootstrap.

    The record has uniform segments; equations of the given axes are used.
    """
    problem = regression_problem((record,), vehicle.parameters, parameters, axes, filtered, with_thrust=False)
    found = _estimate(problem, "instruments", weighted=True)
    return np.asarray(values_of(problem.vehicle, found.problem.names) + found.change)


def _no_better_than_the_method(problem: RegressionProblem, rows: Rows, solved: Solved) -> Solved:
    """The solution with intervals not narrower than the accuracy of windows and sampling.

    Simulated records without noise would give intervals narrower than the errors of the method.
    """
    values, wider = values_of(problem.vehicle, problem.names) + solved.change, np.full(len(problem.names), np.inf)
    for part in rows.blocks:
        force = float(np.sqrt(np.mean((part.matrix @ values[part.active]) ** 2)))
        left = float(np.std(residual(part, solved.change)))
        wider[part.active] = np.minimum(wider[part.active], max(1.0, _ACCURACY * force / left) if left > 0.0 else 1.0)
    if not np.any(wider > 1.0):
        return solved
    wider[np.isinf(wider)] = 1.0
    known = solved.uncertainty
    return solved._replace(uncertainty=known._replace(covariance=known.covariance * np.outer(wider, wider)))


def described(
    problem: RegressionProblem,
    rows: Rows,
    weights: Weights,
    solved: Solved,
    change: Array,
    scale: Sequence[Ambiguity],
    notes: Sequence[str],
) -> Fit:
    """Fit with covariance, identifiability and warnings, without method and base vehicle."""
    base, factor = values_of(problem.vehicle, problem.names), triangle(rows, weights)
    hidden = identifiability.hidden_directions(factor, problem.names)
    covariance = identifiability.unknown_where_hidden(solved.uncertainty.covariance, problem.names, hidden)
    pairs = identifiability.inseparable_damping(
        problem.names, base + solved.change, covariance, identifiability.largest_amplitudes(problem.records)
    )
    residuals = {part.axis: residual(part, change) for part in rows.blocks}
    ambiguities = (*scale, *hidden, *pairs)
    warnings = [
        *notes,
        *(a.sentence for a in ambiguities),
        *_colour(residuals, rows),
        *negative_damping(problem.names, base + change),
    ]
    return Fit(
        method="",
        names=problem.names,
        units=units_of(problem.vehicle, problem.names),
        values=base + change,
        covariance=covariance,
        degrees_of_freedom=solved.uncertainty.degrees_of_freedom,
        residuals=residuals,
        noise={axis: float(np.std(left)) for axis, left in residuals.items()},
        identifiability=identifiability.report(rows, factor, [*scale, *hidden])._replace(ambiguities=ambiguities),
        warnings=tuple(dict.fromkeys(warnings)),
        base=None,
        data=sources(problem.records),
        speeds=largest_speeds(problem.records),
    )


def _check_driven(problem: RegressionProblem, solved: Solved, timing: Sequence[str]) -> None:
    """Refuse a vanishing inertia, the best fit for an axis without recorded excitation."""
    values = values_of(problem.vehicle, problem.names) + solved.change
    sigma, source = np.sqrt(np.diag(solved.uncertainty.covariance)), sources(problem.records)
    for i, axis in enumerate(DEGREES_OF_FREEDOM):
        if f"added_mass.{axis}" in problem.names:
            k, rigid = problem.names.index(f"added_mass.{axis}"), problem.vehicle.rigid_body_inertia[i][i]
            if rigid + values[k] + _SURELY * sigma[k] < _NO_INERTIA * rigid:
                message = f"{axis} would have an inertia of {rigid + values[k]:.2g} including added mass"
                fix = axes_fix("Excite it or leave it out of {axes}.")
                for sentence in timing:
                    fix = fix.followed_by(sentence)
                raise RecordError(f"{message}: {_why_no_inertia(problem, axis)}.", source, fix=fix)


def _why_no_inertia(problem: RegressionProblem, axis: str) -> str:
    if axis not in ("roll", "pitch"):
        return "nothing that was recorded drives it, or the inputs act the other way"
    if any(record.quaternion is None for record in problem.records):
        return "without attitude the torque of weight and buoyancy is not known"
    return (
        "nothing that was recorded drives it, the inputs act the other way, or the vehicle has another torque of "
        "weight and buoyancy (fit body.center_of_buoyancy.z as well)"
    )


def _constrained(problem: RegressionProblem, rows: Rows, weights: Weights, solved: Solved) -> tuple[Array, list[str]]:
    """Nearest physically consistent vehicle in the metric of the data, and notes on active constraints."""
    try:
        found = constrained_least_squares(around(rows, weights, solved.change), problem.vehicle, problem.names)
    except InfeasibleError as error:
        raise cannot_hold(problem, error) from None
    wanted = values_of(problem.vehicle, problem.names) + solved.change
    sigma = np.sqrt(np.diag(solved.uncertainty.covariance))
    notes = []
    for k, name in enumerate(problem.names):
        if name in found.held:
            notes.append(f"{name} rests on its bound; without bounds it would be {wanted[k]:.4g} +- {sigma[k]:.2g}.")
    if found.cuts:
        notes.append("Couplings were reduced until inertia is positive and damping dissipative.")
    return found.change, notes


def _constant(rows: Rows, change: Array, names: Sequence[str]) -> list[str]:
    """Warnings about a constant force that is not in the model."""
    sentences = []
    for part in rows.blocks:
        axis, values = part.axis, residual(part, change)
        apart = values[:: max(1, round(rows.window / rows.spacing))]
        mean, spread = float(np.mean(values)), float(np.std(values))
        if abs(mean) > max(_CONSTANT * spread, _SURE * spread / np.sqrt(len(apart))):
            what, unit = ("force", "N") if axis in DEGREES_OF_FREEDOM[:3] else ("torque", "N m")
            cause = "a current or a tether" if axis != "heave" else "buoyancy or a current"
            also = ". Fit body.net_buoyancy too" if axis == "heave" and "body.net_buoyancy" not in names else ""
            also = ". Output error can fit current.north and current.east" if axis in ("surge", "sway") else also
            sentences.append(
                f"{axis}: a constant {what} of {abs(mean):.2g} {unit} is left over, perhaps of {cause}; "
                f"it spoils the numbers of this axis{also}."
            )
    return sentences


def _short(rows: Rows) -> list[str]:
    """Warning about records with too few windows for reliable intervals."""
    windows = rows.number * rows.spacing / rows.window
    if windows >= _FEWEST_WINDOWS:
        return []
    return [
        f"The data last only {windows:.2g} windows of {rows.window:.2g} s, so that intervals rest on few independent "
        f"windows and may be too narrow. Fit {_FEWEST_WINDOWS * rows.window:.2g} s or more."
    ]


def _colour(residuals: Mapping[str, Array], rows: Rows) -> list[str]:
    sentences = []
    for axis, values in residuals.items():
        apart = max(1, round(rows.window / rows.spacing))
        test = whiteness(values[::apart])
        if test.probability < 0.01 and len(test.autocorrelation) and test.autocorrelation[0] > 0.2:
            sentences.append(
                f"{axis}: what is left over is not white beyond the window (correlation "
                f"{test.autocorrelation[0]:.2f} from one to the next): something that lasts longer than "
                f"{rows.window:.2g} s is not in the model."
            )
    return sentences


def _method(prefilter: PrefilterKind, errors: RegressorNoise, weighted: bool, constrained: bool) -> str:
    kind = {"none": "least squares", "instruments": "instrumental variables", "total": "total least squares"}[errors]
    parts = [prefilter, *(["weighted"] if weighted else []), *(["constrained"] if constrained else []), kind]
    return " ".join(parts)


# Largest RMS shares of an acceleration; the errors of the parameters are about as large.
_MOST_LOST, _MOST_NOISE = 0.02, 0.1


class WindowShares(NamedTuple):
    """Errors of an acceleration from differentiation over a window, as RMS shares."""

    lost: float  # motion attenuated by the window
    noise: float  # noise transmitted by the window


def window_warnings(problem: RegressionProblem, order: int) -> list[str]:
    """Warnings where polynomial accelerations over the window are inaccurate."""
    sentences = []
    for record, prefilter, interval in zip(problem.records, problem.prefilters, problem.intervals, strict=True):
        if prefilter.kind == "filtered":
            continue
        window = prefilter.shortest
        found = {axis: window_shares(record, axis, window, order, interval) for axis in problem.axes}
        bad = [
            f"{axis} {one.lost:.0%} and {one.noise:.0%}"
            for axis, one in found.items()
            if one.lost > _MOST_LOST or one.noise > _MOST_NOISE
        ]
        if bad:
            sentences.append(
                f"{record.source}: accelerations over {window} samples, {window * interval:.2g} s at "
                f"{1.0 / interval:.3g} Hz, are inaccurate. Share lost to smoothing, and share of noise: "
                f"{'; '.join(bad)}. Parameters may be wrong by at least as much; use the default method, instruments."
            )
    return sentences


def window_shares(record: Record, axis: str, window: int, order: int, interval: float) -> WindowShares:
    """Shares of one speed; noise is estimated from the residual of a cubic through five samples."""
    i = DEGREES_OF_FREEDOM.index(axis)
    twist = relative_twist(record.twist, record.quaternion, record.water)
    slope = savitzky_golay_kernel(window, order, 1, step=interval)
    twice = np.convolve(slope, savitzky_golay_kernel(window, order))
    noise = float(noise_of(twist, record.segments)[i]) ** 2
    change = twice - np.pad(slope, (window - 1) // 2)
    parts = [twist[s.start : s.stop, i] for s in record.segments if s.stop - s.start >= len(twice)]
    if not parts:
        return WindowShares(0.0, 0.0)
    through = noise * float(slope @ slope)
    motion = max(_power(parts, slope) - through, 1e-300)
    lost = max(_power(parts, change) - noise * float(change @ change), 0.0)
    return WindowShares(float(np.sqrt(lost / motion)), float(np.sqrt(through / motion)))


def _power(parts: list[Array], kernel: Array) -> float:
    """Mean square of filtered signals."""
    return float(np.mean(np.concatenate([np.correlate(part, kernel, "valid") for part in parts]) ** 2))
