"""Bounded least squares for the laws of bench tests, with covariance and warnings."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize

from remora.files.arrays import Array
from remora.identification.bench.result import BenchFit, Law
from remora.identification.parameter_names import canonical
from remora.identification.parameters import units_of
from remora.identification.result import Fit, Identifiability
from remora.vehicles.vehicle import Vehicle


class BenchDataError(ValueError):
    """Data of a bench test were refused: the message names the finding and the fix."""


def columns(least: int, **given: ArrayLike) -> tuple[Any, ...]:
    """Columns of equal length as arrays, typed as Any because the equations take floats and arrays.

    Raises a BenchDataError when a column is not finite, lengths differ, or there are fewer than `least` points.
    """
    found = {name: _numbers(name, values) for name, values in given.items()}
    lengths = {name: len(values) for name, values in found.items()}
    for name, values in found.items():
        if values.ndim != 1:
            raise BenchDataError(f"{name} has {values.ndim} dimensions. Give one number per point.")
        bad = np.flatnonzero(~np.isfinite(values))
        if bad.size:
            where = f"{name}[{bad[0]}] = {values[bad[0]]}"
            raise BenchDataError(f"{where} is no finite number ({bad.size} such points). Leave those points out.")
    if len(set(lengths.values())) > 1:
        lengths_text = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise BenchDataError(f"columns differ in length: {lengths_text}. Give one number per point in each.")
    length = min(lengths.values())
    if length < least:
        raise BenchDataError(f"{', '.join(given)}: {length} points are too few. Give at least {least}.")
    return tuple(found.values())


def _numbers(name: str, values: ArrayLike) -> Array:
    try:
        return np.atleast_1d(np.asarray(values, dtype=float))
    except (TypeError, ValueError) as error:
        raise BenchDataError(f"{name} is no row of numbers ({error}). Give one number per point.") from None


def deviations(sigma: ArrayLike, like: Array) -> Array:
    """Standard deviations or variances of the points, one for all or one each.

    Raises a BenchDataError when one is not above zero, or there are more or fewer of them than points.
    """
    (given,) = columns(1, sigma=sigma)
    if len(given) not in (1, len(like)):
        raise BenchDataError(f"{len(given)} deviations or variances for {len(like)} points. Give one for each.")
    if np.any(given <= 0.0):
        raise BenchDataError("a standard deviation or a variance is not above zero. Give positive ones.")
    return np.asarray(np.broadcast_to(given, like.shape))


def positive(**given: float) -> None:
    """Refuse numbers that are not above zero, by a BenchDataError that names the first."""
    for name, value in given.items():
        if not (np.isfinite(value) and value > 0.0):
            raise BenchDataError(f"{name} = {value}: give a number above zero.")


def rising(name: str, times: Array) -> None:
    """Refuse times that are not increasing, by a BenchDataError that names the first place."""
    wrong = np.flatnonzero(np.diff(times) <= 0.0)
    if wrong.size:
        i = int(wrong[0]) + 1
        raise BenchDataError(f"{name}[{i}] = {times[i]:.9g} does not come after {times[i - 1]:.9g}. Sort the record.")


# Relative singular value below which a direction is not identifiable.
_SMALLEST = 1e-7
_TOGETHER = 0.98  # correlation beyond which two parameters are hardly separable
_KNOWN = 0.1  # relative standard deviation above which correlations matter
_TOLERANCE = 1e-9
_DIFFERENCE = 1e-4  # relative step of finite differences, for integrated laws
_HUBER = 1.345  # standard deviations beyond which the loss is linear
_MAD = 1.4826  # from the median absolute value to a standard deviation


class BenchParameter(NamedTuple):
    """Name, unit, start and bounds of a fitted parameter."""

    name: str
    unit: str
    start: float
    lower: float = -np.inf
    upper: float = np.inf
    scale: float = 0.0  # typical size; |start| unless given


def fit_law(
    method: str,
    numbers: Sequence[BenchParameter],
    law_of: Callable[[Array], Law],
    predict: Callable[[Law], Any],
    measured: Array,
    sigma: Array | None = None,
    sigma_is_known: bool = False,
    robust: bool = False,
) -> BenchFit[Law]:
    """Fit the parameters of a law: `law_of` builds it from values, `predict` gives the expected measurements."""
    fit = fit_numbers(
        method, numbers, lambda values: np.asarray(predict(law_of(values))), measured, sigma, sigma_is_known, robust
    )
    return fit.with_law(law_of(fit.values))


def fit_numbers(
    method: str,
    numbers: Sequence[BenchParameter],
    predict: Callable[[Array], Array],
    measured: Array,
    sigma: Array | None = None,
    sigma_is_known: bool = False,
    robust: bool = False,
    jacobian: Callable[[Array], Array] | None = None,
) -> BenchFit[Array]:
    """Fit parameters to measurements by bounded least squares; the method is a description, for a heading.

    `predict` turns values into expected measurements, `jacobian` into the Jacobian of these; finite differences unless
    given. The standard deviations are those of the measurements up to a common factor, which is estimated from the
    residuals unless they are known. Robust: outliers have reduced weight (Huber loss).
    """
    weight = np.ones(len(measured)) if sigma is None else 1.0 / sigma
    _refuse_too_few(len(measured), numbers, sigma_is_known)
    solution = solve(
        lambda values: (predict(values) - measured) * weight,
        numbers,
        robust,
        None if jacobian is None else lambda values: jacobian(values) * weight[:, None],
    )
    left = measured - predict(solution.values)
    dof = float(len(measured) - len(numbers))
    variance = 1.0 if sigma_is_known else _noise_variance(left * weight, len(numbers), robust)
    covariance = variance * solution.inverse_information
    warnings = _warnings(numbers, solution.values, covariance)
    return BenchFit(
        method,
        solution.values,
        tuple(number.name for number in numbers),
        tuple(number.unit for number in numbers),
        solution.values,
        covariance,
        np.inf if sigma_is_known else dof,
        left,
        (*warnings, *(_excess_warnings(left * weight, dof) if sigma_is_known else ())),
    )


def fit_integrated(
    method: str,
    numbers: Sequence[BenchParameter],
    predict: Callable[[Array], Array],
    measured: Array,
    sigma: Array | None = None,
) -> BenchFit[Array]:
    """Fit parameters of an integrated law, with batched trials.

    `predict` takes one column of values per trial and gives one column of predictions per trial.
    """
    trials = _BatchResiduals(predict, numbers)
    return fit_numbers(
        method,
        numbers,
        lambda values: trials.at(values).predicted,
        measured,
        sigma,
        jacobian=lambda values: trials.at(values).jacobian,
    )


class _BatchResiduals:
    """Predictions and their Jacobian by central differences, from one batch of trials.

    The last result is kept: the solver evaluates residuals and Jacobian in turn, and both need one integration.
    """

    def __init__(self, predict: Callable[[Array], Array], numbers: Sequence[BenchParameter]) -> None:
        self.predict = predict
        self.scale = np.array([number.scale or abs(number.start) or 1.0 for number in numbers])
        self.values = np.full(len(numbers), np.nan)
        self.predicted, self.jacobian = np.zeros(0), np.zeros((0, len(numbers)))

    def at(self, values: Array) -> "_BatchResiduals":
        """Run the trials around these values unless they are those of the last call."""
        if not np.array_equal(values, self.values):
            steps = _DIFFERENCE * np.maximum(np.abs(values), self.scale)
            around = [values[:, None], values[:, None] + np.diag(steps), values[:, None] - np.diag(steps)]
            middle, up, down = np.split(self.predict(np.column_stack(around)), [1, 1 + len(values)], axis=1)
            self.values, self.predicted, self.jacobian = values.copy(), middle[:, 0], (up - down) / (2.0 * steps)
        return self


class LeastSquaresSolution(NamedTuple):
    """Least-squares values and their inverse information."""

    values: Array
    inverse_information: Array  # covariance for unit variance; infinite where not identifiable


def solve(
    residual: Callable[[Array], Array],
    numbers: Sequence[BenchParameter],
    robust: bool = False,
    jacobian: Callable[[Array], Array] | None = None,
) -> LeastSquaresSolution:
    """Bounded least squares from the starting values; with `robust`, again with a Huber loss."""
    lower, upper = (np.array([getattr(number, end) for number in numbers]) for end in ("lower", "upper"))
    scale = np.array([number.scale or abs(number.start) or 1.0 for number in numbers])
    start = np.clip([number.start for number in numbers], lower, upper)
    options: dict[str, Any] = {
        "bounds": (lower, upper),
        "x_scale": scale,
        "xtol": _TOLERANCE,
        "ftol": _TOLERANCE,
        "gtol": _TOLERANCE,
        "max_nfev": 500,
        "jac": jacobian or "3-point",
    }
    found = optimize.least_squares(residual, start, **options)
    if robust:
        spread = _MAD * float(np.median(np.abs(found.fun)))
        if spread > 0.0:
            found = optimize.least_squares(residual, found.x, loss="huber", f_scale=_HUBER * spread, **options)
    if not np.all(np.isfinite(found.x)):
        raise BenchDataError("the fit did not give finite values. Look at the data for points that are far off.")
    return LeastSquaresSolution(found.x, inverse_information(_plain_jacobian(found, residual, scale, jacobian)))


def _plain_jacobian(
    found: Any, residual: Callable[[Array], Array], scale: Array, jacobian: Callable[[Array], Array] | None
) -> Array:
    """Jacobian of the residuals at the solution without the weights of a robust loss."""
    if jacobian is not None:
        return jacobian(found.x)
    rows = []
    for j in range(len(found.x)):
        step = np.zeros(len(found.x))
        step[j] = 1e-6 * max(abs(found.x[j]), scale[j])
        rows.append((residual(found.x + step) - residual(found.x - step)) / (2.0 * step[j]))
    return np.column_stack(rows)


def inverse_information(jacobian: Array) -> Array:
    """(J' J)^-1, with infinite variance for parameters that are not identifiable."""
    size = np.linalg.norm(jacobian, axis=0)
    shown = np.where(size > 0.0, size, 1.0)
    _, values, rows = np.linalg.svd(jacobian / shown, full_matrices=False)
    if len(values) < len(shown):  # fewer points than parameters
        values, rows = np.zeros(len(shown)), np.eye(len(shown))
    seen = values > _SMALLEST * max(values[0], 1e-300)
    inverse = (rows[seen].T / values[seen] ** 2) @ rows[seen] / np.outer(shown, shown)
    hidden = (np.abs(rows[~seen]) > 1e-3).any(axis=0) | (size == 0.0)
    inverse[hidden, :] = 0.0
    inverse[:, hidden] = 0.0
    inverse[hidden, hidden] = np.inf
    return np.asarray(inverse)


def _refuse_too_few(points: int, numbers: Sequence[BenchParameter], sigma_is_known: bool) -> None:
    least = len(numbers) + (0 if sigma_is_known else 1)
    if points < least:
        names = ", ".join(number.name for number in numbers)
        raise BenchDataError(f"{points} points are too few for {names}. Give at least {least}.")


def _noise_variance(residuals: Array, numbers: int, robust: bool) -> float:
    """Variance of the residuals; from the median absolute deviation where outliers are expected."""
    if robust:
        return float(_MAD * np.median(np.abs(residuals))) ** 2 * len(residuals) / (len(residuals) - numbers) / 0.95
    return float(residuals @ residuals) / (len(residuals) - numbers)


def _warnings(numbers: Sequence[BenchParameter], values: Array, covariance: Array) -> list[str]:
    """Warnings about parameters that are at their bounds, not identifiable or not separable."""
    warnings = []
    for number, value, variance in zip(numbers, values, np.diag(covariance), strict=True):
        for bound in (number.lower, number.upper):
            if np.isfinite(bound) and abs(value - bound) <= 1e-9 * max(abs(bound), number.scale, abs(number.start)):
                warnings.append(f"{number.name} is held at its bound of {bound:g} {number.unit}.")
        if not np.isfinite(variance):
            warnings.append(f"The data do not determine {number.name} separately; its value is the start of the fit.")
    return warnings + _correlations(numbers, values, covariance)


def _correlations(numbers: Sequence[BenchParameter], values: Array, covariance: Array) -> list[str]:
    warnings = []
    sigma = np.sqrt(np.diag(covariance))
    vague = sigma > _KNOWN * np.abs(values)
    for i in range(len(numbers)):
        for j in range(i):
            if not (vague[i] or vague[j]):
                continue  # each is accurate enough despite the correlation
            size = sigma[i] * sigma[j]
            if np.isfinite(size) and size > 0.0 and abs(covariance[i, j]) > _TOGETHER * size:
                warnings.append(
                    f"{numbers[j].name} and {numbers[i].name} are hardly separable (correlation "
                    f"{covariance[i, j] / size:+.3f}); use them together, within the range of the data."
                )
    return warnings


def _excess_warnings(scaled: Array, dof: float) -> list[str]:
    """Warning where residuals exceed the given noise."""
    ratio = float(scaled @ scaled) / dof if dof > 0.0 else 1.0
    limit = 1.0 + 4.0 * np.sqrt(2.0 / max(dof, 1.0))
    if ratio <= limit:
        return []
    return [f"Residuals are {np.sqrt(ratio):.1f} times as large as the noise given; the intervals are too narrow."]


def as_fit(bench: BenchFit[Any], vehicle: Vehicle, names: Mapping[str, str], data: str) -> Fit:
    """Result of a bench test as a fit of a vehicle.

    `to_yaml` of the result writes the vehicle file, `joined_axes` combines several tests, and a trajectory fit accepts
    the result as `priors`.

    Parameters
    ----------
    bench, vehicle
        The test, and the source of all other parameters.
    names
        Parameter of the test -> parameter of the vehicle: {"linear": "damping.linear.surge"}. Others are omitted.
    data
        Place and date of the measurement, for the source text of each value.

    Raises
    ------
    BenchDataError
        When the test has no such parameter.
    ParameterNameError
        When the vehicle has no such parameter.
    """
    missing = [name for name in names if name not in bench.names]
    if missing or not names:
        found = ", ".join(missing) or "nothing"
        raise BenchDataError(f"{found} is asked of the {bench.method}, which gives {', '.join(bench.names)}.")
    own = [bench.names.index(name) for name in names]
    parameters = tuple(canonical(name) for name in names.values())
    covariance = bench.covariance[np.ix_(own, own)]
    channel = f"{bench.method} of {parameters[0]}"
    known = tuple(np.isfinite(np.diag(covariance)).tolist())
    return Fit(
        method=bench.method,
        names=parameters,
        units=units_of(vehicle.parameters, parameters),
        values=bench.values[own],
        covariance=covariance,
        degrees_of_freedom=bench.degrees_of_freedom,
        residuals={channel: bench.residuals},
        noise={channel: bench.noise},
        identifiability=Identifiability(float("nan"), {}, (), known),
        warnings=bench.warnings,
        base=vehicle,
        data=data,
    )
