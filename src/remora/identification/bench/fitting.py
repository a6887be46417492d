"""Bounded least squares for the laws of bench tests, with covariance and warnings."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import optimize

from remora.files.arrays import Array
from remora.identification.bench.data import BenchDataError
from remora.identification.bench.result import BenchFit, Law

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
