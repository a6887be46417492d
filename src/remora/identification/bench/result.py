"""Result of a bench test: a law with its parameters, covariance, residuals and warnings."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, final

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from remora.files.arrays import Array

Law = TypeVar("Law")
Other = TypeVar("Other")


@final
@dataclass(frozen=True, eq=False)
class BenchFit(Generic[Law]):
    """Parameters of a law from a bench test.

    `law` is an argument of the equations, with the fitted values. An infinite variance marks a parameter that is not
    identifiable. Names, units, covariance, degrees of freedom and warnings are as in `Fit`.
    """

    method: str
    law: Law
    names: tuple[str, ...]
    units: tuple[str, ...]
    values: Array
    covariance: Array
    degrees_of_freedom: float  # of the noise estimate, for Student's t; infinite for known noise
    residuals: Array  # measured less fitted, in the order of the data and in their unit
    warnings: tuple[str, ...] = ()

    @property
    def sigma(self) -> Array:
        """One standard deviation of each value."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def noise(self) -> float:
        """Root of the mean square of the residuals."""
        return float(np.sqrt(np.mean(self.residuals**2))) if self.residuals.size else 0.0

    def value(self, name: str) -> float:
        """One value by its name."""
        return float(self.values[self.names.index(name)])

    def intervals(self, level: float = 0.95) -> Array:
        """Confidence interval of each parameter, lower and upper end."""
        factor = float(stats.t.ppf(0.5 + 0.5 * level, self.degrees_of_freedom))
        return np.column_stack([self.values - factor * self.sigma, self.values + factor * self.sigma])

    def covers(self, truth: Any, level: float = 0.95) -> NDArray[np.bool_]:
        """Whether the interval of each parameter contains the truth."""
        limits, true = self.intervals(level), np.asarray(truth, dtype=float)
        return np.asarray((limits[:, 0] <= true) & (true <= limits[:, 1]))

    def with_warnings(self, *sentences: str) -> "BenchFit[Law]":
        """The same fit with further warnings."""
        return replace(self, warnings=(*self.warnings, *sentences))

    def with_law(self, law: Other) -> "BenchFit[Other]":
        """The same parameters with another law."""
        return BenchFit(
            self.method, law, self.names, self.units, self.values, self.covariance, self.degrees_of_freedom,
            self.residuals, self.warnings,
        )  # fmt: skip

    def table(self, level: float = 0.95) -> str:
        """Table of name, value, interval and unit, followed by the warnings."""
        limits = self.intervals(level)
        lines = [
            f"{name:24s} {self.values[i]:12.5g}  [{limits[i, 0]:.5g}, {limits[i, 1]:.5g}] {unit}"
            for i, (name, unit) in enumerate(zip(self.names, self.units, strict=True))
        ]
        return "\n".join([self.method, *lines, *(f"! {sentence}" for sentence in self.warnings)])


def propagated(fit: BenchFit[Any], function: Callable[[Array], Array]) -> tuple[Array, Array]:
    """Values of a function of the fitted parameters, and their covariance to first order."""
    start = np.atleast_1d(function(fit.values))
    slopes = np.empty((start.size, fit.values.size))
    for j, value in enumerate(fit.values):
        step = 1e-6 * max(abs(value), float(fit.sigma[j]) if np.isfinite(fit.sigma[j]) else 0.0, 1e-9)
        ahead, behind = fit.values.copy(), fit.values.copy()
        ahead[j] += step
        behind[j] -= step
        slopes[:, j] = (np.atleast_1d(function(ahead)) - np.atleast_1d(function(behind))) / (2.0 * step)
    return start, slopes @ fit.covariance @ slopes.T


def band(fit: BenchFit[Any], function: Callable[[Array], Array], level: float = 0.95) -> tuple[Array, Array, Array]:
    """Confidence band of a function of the fitted parameters: curve, lower and upper end.

    Parameters
    ----------
    fit, function, level
        The fit, a function from parameter values to the curve, and the confidence level.
    """
    curve, covariance = propagated(fit, function)
    half = float(stats.t.ppf(0.5 + 0.5 * level, fit.degrees_of_freedom)) * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return curve, curve - half, curve + half
