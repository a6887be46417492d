"""Normalised estimation error squared (NEES) and normalised innovation squared (NIS), with two-sided bounds.

A consistent filter has a NEES that is chi-square distributed with as many degrees of freedom as states, and a NIS with
as many as measured values. Averages over independent runs are compared with both ends of their interval: below it the
filter is too cautious, above it too sure (Bar-Shalom, Li and Kirubarajan 2001, ch. 5).
"""

from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.files.problems import InputError

ConsistencyVerdict: TypeAlias = Literal["consistent", "overconfident", "underconfident"]


class ConsistencyError(InputError):
    """Errors or covariances from which no consistency can be computed."""


class ConsistencyReport(NamedTuple):
    """Average normalised square at each time, its bounds, and the fraction of times inside them."""

    average: Array  # over runs, at each time
    bounds: tuple[float, float]
    dimension: int
    runs: int
    inside: float  # fraction of times
    required: float  # fraction that a consistent filter reaches

    @property
    def verdict(self) -> ConsistencyVerdict:
        """Whether enough times are inside the bounds, and otherwise on which side most of the others are."""
        if self.inside >= self.required:
            return "consistent"
        above = np.count_nonzero(self.average > self.bounds[1])
        below = np.count_nonzero(self.average < self.bounds[0])
        return "overconfident" if above >= below else "underconfident"

    def __str__(self) -> str:
        low, high = self.bounds
        return (
            f"{self.verdict}: mean {np.mean(self.average):.3g} of {self.dimension}, {100.0 * self.inside:.1f} % of the "
            f"times within {low:.3g} to {high:.3g} ({self.runs} runs, {100.0 * self.required:.3g} % required)"
        )


def normalised_squares(errors: ArrayLike, covariances: ArrayLike) -> Array:
    """e . P^-1 e of each error, by Cholesky decomposition.

    A NaN error gives NaN: there was no estimate or no innovation.
    """
    e, P = np.asarray(errors, dtype=np.float64), np.asarray(covariances, dtype=np.float64)
    if P.shape != (*e.shape, e.shape[-1]):
        fix = f"give one {e.shape[-1]}x{e.shape[-1]} matrix for each error"
        raise ConsistencyError(f"covariances: found shape {P.shape} for errors of {e.shape}; {fix}.").about(
            "covariances", P.shape, fix=fix
        )
    missing = np.asarray(np.isnan(e).any(axis=-1))
    P = np.where(missing[..., None, None], np.eye(e.shape[-1]), P)
    try:
        root = np.linalg.cholesky(P)
    except np.linalg.LinAlgError:
        smallest = float(np.linalg.eigvalsh(P).min())
        raise ConsistencyError(f"covariances: one is not positive definite (smallest eigenvalue {smallest:.3g})").about(
            "covariances", smallest
        ) from None
    known: Array = np.where(missing[..., None], 0.0, e)
    white = np.linalg.solve(root, known[..., None])[..., 0]
    return np.where(missing, np.nan, np.sum(white**2, axis=-1))


def average_bounds(dimension: int, runs: int, probability: float = 0.99) -> tuple[float, float]:
    """Two-sided interval of the average of chi-square variables.

    Parameters
    ----------
    dimension
        Degrees of freedom of each: states, or measured values.
    runs
        Number of independent ones in the average.
    probability
        Of the interval.
    """
    from scipy.stats import chi2

    if dimension < 1 or runs < 1 or not 0.0 < probability < 1.0:
        raise ConsistencyError(
            f"dimension, runs, probability: found {dimension}, {runs}, {probability}; give two positive integers and a "
            "number between 0 and 1."
        )
    tail = 0.5 * (1.0 - probability)
    low, high = chi2.ppf((tail, 1.0 - tail), dimension * runs) / runs
    return float(low), float(high)


def consistency(
    errors: ArrayLike, covariances: ArrayLike, probability: float = 0.99, required: float = 0.95
) -> ConsistencyReport:
    """Average NEES or NIS over runs at each time, against its two-sided bounds.

    Parameters
    ----------
    errors
        Runs x times x dimension: errors of the estimate, or innovations. Two axes are one run.
    covariances
        Covariance of each, in the same coordinates.
    probability
        Of the interval at each time.
    required
        Fraction of times inside it that a consistent filter reaches.
    """
    e = np.asarray(errors, dtype=np.float64)
    if e.ndim not in (2, 3) or not e.size:
        raise ConsistencyError(f"errors: found shape {e.shape}; give runs x times x dimension.").about("errors")
    squares = normalised_squares(e, covariances)
    squares = squares.reshape(-1, squares.shape[-1])
    squares = squares[:, ~np.isnan(squares).any(axis=0)]
    if not squares.size:
        raise ConsistencyError("errors: at no time do all runs have one").about("errors")
    average, runs = squares.mean(axis=0), len(squares)
    low, high = average_bounds(e.shape[-1], runs, probability)
    inside = float(np.mean((average >= low) & (average <= high)))
    return ConsistencyReport(average, (low, high), e.shape[-1], runs, inside, required)
