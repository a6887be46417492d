"""Fit of a gyro-driven model to calm-water data (Randeni et al. 2018).

Each axis is fitted by recursive least squares, by batch least squares (QR), or by the one-step prediction error with
the Levenberg-Marquardt method.

In least squares on accelerations, noise of the measured velocities enters the regressors and biases damping towards
zero. The output-error refinement uses only the first measured velocity and has no such bias; it costs one free run for
each coefficient and iteration.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from scipy import linalg, optimize

from remora.equations.estimation.gyro_driven import (
    NEVER,
    GyroDriven,
    Rotation,
    damping_rate,
    divergence_speed,
    heave_terms,
    surge_terms,
    sway_terms,
)
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.free_run import AXES, STEP, free_run
from remora.identification.online.recursive import RecursiveLeastSquares
from remora.identification.problems import RecordError
from remora.identification.regression.rows import Rows, regression_block
from remora.identification.regression.solvers import uncertainty, unit_weights
from remora.identification.result import Fit, Identifiability
from remora.identification.uncertainty.identifiability import condition_number, hidden_directions, unknown_where_hidden
from remora.plant.failures import RunError

# Regressor of each coefficient, in the order of the equations: alpha, beta and gamma of the source, then in sway and
# heave the products with surge that the source omits.
TERMS: Mapping[str, tuple[str, ...]] = {
    "surge": ("r'", "q'", "sin(pitch)", "u^3", "u|u|", "u", "w q", "v r", "heading_1", "heading_2", "1"),
    "sway": ("r'", "p'", "v|v|", "v", "p", "q", "r", "heading_1", "heading_2", "1", "u r", "u v"),
    "heave": ("q'", "w|w|", "w", "q", "r", "1", "u q", "u w"),
}
UNITS: Mapping[str, tuple[str, ...]] = {
    "surge": ("N s2", "N s2", "N", "N s3/m3", "N s2/m2", "N s/m", "N s2/m", "N s2/m", "N", "N", "N"),
    "sway": ("m", "m", "1/m", "1/s", "m/s", "m/s", "m/s", "m/s2", "m/s2", "m/s2", "1", "1/m"),
    "heave": ("m", "1/m", "1/s", "m/s", "m/s", "m/s2", "1", "1/m"),
}
_EVALUATED: Mapping[str, Any] = {"surge": surge_terms, "sway": sway_terms, "heave": heave_terms}
# Indices of linear and quadratic damping and of the product with surge, which is dissipative too.
_DAMPING: Mapping[str, tuple[int, int, int]] = {"sway": (3, 2, 11), "heave": (2, 1, 7)}


class Active(NamedTuple):
    """Indices of the fitted terms per axis."""

    surge: tuple[int, ...]
    sway: tuple[int, ...]
    heave: tuple[int, ...]


# Calm water: no terms of the environment; the constant of heave is the net buoyancy.
BASELINE = Active(surge=tuple(range(8)), sway=tuple(range(7)), heave=tuple(range(6)))
# The same with the products of Coriolis forces and lift at varying speed.
EXTENDED = Active(surge=tuple(range(8)), sway=(*range(7), 10, 11), heave=tuple(range(8)))

# "literal" is the printed form, which subtracts thrust in newtons from an acceleration, as for a mass of 1 kg.
Scaling: TypeAlias = Literal["consistent", "literal"]
# "printed": psi |psi| and psi; "circular": sin psi and cos psi, right for every heading.
Heading: TypeAlias = Literal["circular", "printed"]
Method: TypeAlias = Literal["recursive", "batch", "prediction error"]
# Prior variance of the coefficients, in units of the squared residual. The source gives none; with 1e6 the weakest
# coefficients still depend on the start by 0.5 %, and the square-root form is insensitive to rounding.
PRIOR = 1e8


class GyroFit(NamedTuple):
    """A fitted model with the fit of each axis."""

    model: GyroDriven
    fits: Mapping[str, Fit]  # per axis; names are `AXIS: TERM`
    history: Mapping[str, Array]  # per axis: the active coefficients after each sample; empty unless recursive


def fit_gyro_driven(
    data: GyroData,
    *,
    method: Method = "recursive",
    scaling: Scaling = "consistent",
    heading: Heading = "circular",
    active: Active = BASELINE,
    start: GyroDriven | float = 1.0,
    prior: float = PRIOR,
) -> GyroFit:
    """Fit surge, sway and heave separately.

    Parameters
    ----------
    data
        Samples of a manoeuvre that excites all axes: turns, changes of pitch, changes of shaft speed.
    method
        `recursive`: recursive least squares with a weak prior. `batch`: least squares by QR with scaled columns.
        `prediction error`: one-step criterion by Levenberg-Marquardt, with the same minimum.
    scaling
        `literal` only to reproduce printed values.
    heading
        Form of the current terms after calibration; calm-water models have none.
    active
        Terms to fit; all others are exactly zero.
    start, prior
        Initial coefficients (one value, or those of a model) and their variance, for `recursive`.

    Raises
    ------
    RecordError
        When there are fewer usable rows than coefficients.
    ValueError
        When a choice is unknown.
    """
    for name, given, known in (
        ("method", method, Method),
        ("scaling", scaling, Scaling),
        ("heading", heading, Heading),
    ):
        if given not in get_args(known):
            raise ValueError(f"{name} is {given!r}: give one of {', '.join(map(repr, get_args(known)))}")
    if data.usable.sum() < max(len(terms) for terms in active):
        raise RecordError(f"{data.usable.sum()} usable rows are too few. Record longer.", data.source)
    mass = data.surge_mass if scaling == "consistent" else 1.0
    circular = 1.0 if heading == "circular" else 0.0
    numbers, fits, history = {}, {}, {}
    for axis in AXES:
        rows = regression(data, axis, mass, circular)
        columns = list(getattr(active, axis))
        begun = np.array([start] * len(TERMS[axis]) if isinstance(start, float | int) else getattr(start, axis))
        matrix = rows.matrix[:, columns]
        values, history[axis] = _solved(matrix, rows.target, begun[columns], method, prior)
        fits[axis] = _fit_of(data, axis, columns, matrix, rows.target, values, method)
        whole = np.zeros(len(TERMS[axis]))
        whole[columns] = values
        numbers[axis] = tuple(whole.tolist())
    model = GyroDriven(mass, numbers["surge"], numbers["sway"], numbers["heave"], circular)
    return GyroFit(model, _warned(fits, model, data), history)


class Regression(NamedTuple):
    """Regression of one axis, target = matrix . coefficients, over the usable rows."""

    matrix: Array  # one column per term, active or not
    target: Array  # N in surge, m/s2 in sway and heave


def terms_of(axis: str, velocity: Vector3, rotation: Rotation) -> tuple[Any, ...]:
    """Regressors of an axis: floats for one sample, arrays for many."""
    return tuple(_EVALUATED[axis](velocity, rotation))


def regression(data: GyroData, axis: str, surge_mass: float, circular_heading: float) -> Regression:
    """The rows of one axis at the measured velocities."""
    velocity: Any = tuple(data.velocity.T)
    terms = terms_of(axis, velocity, data.rotation(circular_heading))
    matrix = np.column_stack([np.broadcast_to(term, len(data.time)) for term in terms])
    target = data.velocity_rate[:, AXES.index(axis)]
    if axis == "surge":
        target = surge_mass * target - data.thrust
    return Regression(matrix[data.usable], target[data.usable])


def _solved(matrix: Array, target: Array, start: Array, method: Method, prior: float) -> tuple[Array, Array]:
    scale = np.linalg.norm(matrix, axis=0)
    scale[scale == 0.0] = 1.0
    nothing = np.empty((0, matrix.shape[1]))
    if method == "batch":
        return np.asarray(linalg.lstsq(matrix / scale, target)[0] / scale), nothing
    if method == "prediction error":
        found = optimize.least_squares(
            lambda x: matrix @ x - target, start, lambda x: matrix, method="lm", x_scale=1.0 / scale,
            ftol=1e-15, xtol=1e-15, gtol=1e-15,
        )  # fmt: skip
        return np.asarray(found.x), nothing
    history = solved_recursively(matrix, target, start, prior)
    return history[-1], history


def solved_recursively(matrix: Array, target: Array, start: Array, prior: float, forgetting: float = 1.0) -> Array:
    """Coefficients after each row, with plain exponential forgetting and no bound on the variance."""
    estimator = RecursiveLeastSquares(matrix.shape[1], forgetting=forgetting, floor=0.0, rest=0.0)
    learned = estimator.run(estimator.initial(start, np.sqrt(prior)), matrix, target)
    return np.asarray(learned.values[:, 0])


def _fit_of(
    data: GyroData, axis: str, columns: Sequence[int], matrix: Array, target: Array, values: Array, method: Method
) -> Fit:
    names = tuple(f"{axis}: {TERMS[axis][k]}" for k in columns)
    residual = target - matrix @ values
    rows = Rows(names, (regression_block(axis, np.arange(len(columns)), matrix, target),), len(target), 1.0, 1.0)
    # Residuals of too simple a model are not white: the true uncertainty is larger than for independent ones.
    spread = uncertainty(rows, rows, unit_weights(rows), values)
    hidden = hidden_directions(rows.blocks[0].triangle, names)
    condition = condition_number(matrix)
    unclear = {name for ambiguity in hidden for name in ambiguity.names}
    return Fit(
        method=f"gyro-driven model of {axis}, {method}",
        names=names,
        units=tuple(UNITS[axis][k] for k in columns),
        values=values,
        covariance=unknown_where_hidden(spread.covariance, names, hidden),
        degrees_of_freedom=spread.degrees_of_freedom,
        residuals={axis: residual},
        noise={axis: float(np.std(residual))},
        identifiability=Identifiability(condition, {axis: condition}, hidden, tuple(n not in unclear for n in names)),
        warnings=tuple(ambiguity.sentence for ambiguity in hidden),
        base=None,
        data=data.source,
        speeds=tuple(np.nanmax(np.abs(data.velocity), axis=0).tolist()),
    )


def diverges_above(model: GyroDriven, axis: str, surge: float = 0.0) -> float:
    """Speed along an axis above which a free run diverges, m/s; infinite for dissipative damping.

    With the extended terms, damping depends on the surge speed.
    """
    speed = divergence_speed(*_damping(model, axis, surge))
    return float("inf") if speed == NEVER else float(speed)


def _damping(model: GyroDriven, axis: str, surge: float) -> tuple[float, float, float]:
    """Linear, quadratic and cubic damping of an axis."""
    numbers = getattr(model, axis)
    if axis == "surge":
        return numbers[5], numbers[4], numbers[3]
    linear, quadratic, product = _DAMPING[axis]
    return numbers[linear] + surge * numbers[product], numbers[quadratic], 0.0


def damping_power(model: GyroDriven, axis: str, data: GyroData) -> float:
    """Mean power of the damping terms over some data, per kilogram except in surge; negative where dissipative."""
    velocity = data.velocity[data.usable]
    speed, surge = velocity[:, AXES.index(axis)], np.abs(velocity[:, 0])
    rates: Any = damping_rate(*_damping(model, axis, surge), speed)  # type: ignore[arg-type]
    return float(np.mean(rates * speed * speed))


def _warned(fits: Mapping[str, Fit], model: GyroDriven, data: GyroData) -> dict[str, Fit]:
    """Fits with warnings where a free run could diverge or damping adds energy."""
    surge = float(np.nanmean(np.abs(data.velocity[:, 0])))
    warned = {}
    for axis, fit in fits.items():
        limit, seen = diverges_above(model, axis, surge), fit.speeds[AXES.index(axis)]
        warnings = []
        if np.isfinite(limit):
            warnings.append(
                f"Damping of {axis} pushes above {limit:.3g} m/s ({seen:.3g} were seen); a free run diverges there."
            )
        if damping_power(model, axis, data) > 0.0:
            warnings.append(f"Damping of {axis} puts energy in over these data: they do not show it.")
        warned[axis] = fit.with_warning(*warnings)
    return warned


_RUN_AWAY = 1e3  # m/s: error of a diverging model
_NUDGE = 1e-4  # finite-difference step relative to the scale of a coefficient


def refined_by_output_error(
    model: GyroDriven, data: GyroData, active: Active = BASELINE, step: float = STEP, rounds: int = 10
) -> GyroDriven:
    """Refine a model by least squares on its free run.

    Parameters
    ----------
    model
        Initial model, such as that of `fit_gyro_driven`; it must not diverge.
    data
        Samples with known velocity; each segment starts from the measured one.
    active, step, rounds
        Terms that may change, largest integration step of the free runs, s, and most iterations of the trust-region
        method.
    """
    places = [(axis, k) for axis in AXES for k in getattr(active, axis)]
    units = np.concatenate([_units(model, data, axis)[list(getattr(active, axis))] for axis in AXES])
    free_run(model, data, step)  # raises for a diverging start

    def moved(change: Array) -> GyroDriven:
        numbers = {axis: list(getattr(model, axis)) for axis in AXES}
        for (axis, k), amount in zip(places, change * units, strict=True):
            numbers[axis][k] += amount
        return model._replace(**{axis: tuple(values) for axis, values in numbers.items()})  # type: ignore[arg-type]

    def errors(change: Array) -> Array:
        try:
            left = free_run(moved(change), data, step).velocity - data.velocity
        except RunError:
            left = np.full_like(data.velocity, _RUN_AWAY)
        return np.nan_to_num(left).ravel()

    # About one, not zero: finite-difference steps are relative.
    start = np.ones(len(places))
    found = optimize.least_squares(lambda x: errors(x - start), start, diff_step=_NUDGE, max_nfev=rounds)
    return moved(found.x - start)


def _units(model: GyroDriven, data: GyroData, axis: str) -> Array:
    """Scale of each coefficient with which its term alone would balance the axis."""
    rows = regression(data, axis, model.surge_mass, model.circular_heading)
    terms = np.sqrt(np.mean(np.square(rows.matrix), axis=0))
    size = float(np.sqrt(np.mean(np.square(rows.target))))
    return np.where(terms > 0.0, size / np.maximum(terms, 1e-300), 1.0)
