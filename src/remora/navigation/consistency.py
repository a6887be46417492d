"""Tests of estimators: normalised errors with bounds, whiteness of innovations, Cramér-Rao bound, observability.

A consistent filter has a normalised estimation error squared (NEES) that is chi-square distributed with as many degrees
of freedom as states, and a normalised innovation squared (NIS) with as many as measured values. Averages over
independent runs are compared with both ends of their interval: below it the filter is too cautious, above it too sure
(Bar-Shalom, Li and Kirubarajan 2001, ch. 5). An optimal filter leaves no correlation in time between innovations.

For a system with Gaussian noise that is linearised about the true trajectory, the posterior bound is the covariance of
the Kalman filter with those Jacobians (Tichavsky, Muravchik and Nehorai 1998). No unbiased estimator with the same
readings does better, as far as the linearisation holds.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.files.problems import InputError

__all__ = [
    "ConsistencyReport",
    "LinearisedStep",
    "ObservabilityReport",
    "WhitenessReport",
    "average_bounds",
    "consistency",
    "covariance_bound",
    "normalised_squares",
    "observability",
    "whiteness",
]

ConsistencyVerdict: TypeAlias = Literal["consistent", "overconfident", "underconfident"]
FEWEST_SAMPLES = 20
NEVER_MEASURED = 1e-10  # relative singular value


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


class WhitenessReport(NamedTuple):
    """Autocorrelation of each channel at lags from one on, and the portmanteau test of Ljung and Box."""

    correlation: Array  # lags x channels
    bound: float  # of a single lag, 95 %
    p_values: Array  # of each channel: probability of such a correlation in white noise
    samples: int

    @property
    def is_white(self) -> bool:
        """Whether no channel is rejected at 1 %, shared among the channels (Bonferroni)."""
        return bool((self.p_values * len(self.p_values) > 0.01).all())


def whiteness(innovations: ArrayLike, lags: int = 20) -> WhitenessReport:
    """Autocorrelation of innovations in order of time; rows with NaN are left out.

    Innovations are normalised by their standard deviations first if these vary.
    """
    from remora.identification.uncertainty.correlated_residuals import ljung_box

    rows = np.atleast_2d(np.asarray(innovations, dtype=np.float64).T).T
    rows = rows[~np.isnan(rows).any(axis=1)]
    n = len(rows)
    if n < max(FEWEST_SAMPLES, 2 * lags):
        fix = f"give at least {max(FEWEST_SAMPLES, 2 * lags)}, or fewer lags"
        raise ConsistencyError(f"innovations: found {n} for {lags} lags; {fix}.").about("innovations", n, fix=fix)
    centred = rows - rows.mean(axis=0)
    if not centred.any(axis=0).all():
        raise ConsistencyError("innovations: a channel is constant").about("innovations")
    test = ljung_box(centred, lags)
    return WhitenessReport(test.autocorrelation, 1.96 / np.sqrt(n), test.probability, n)


class LinearisedStep(NamedTuple):
    """A prediction followed by a measurement, linearised at the true state."""

    F: Array  # transition of the error, n x n
    Q: Array  # covariance that the prediction adds, n x n
    H: Array  # measurement Jacobian, m x n; no rows without a measurement
    R: Array  # covariance of the measurement, m x m


def covariance_bound(prior: ArrayLike, steps: Iterable[LinearisedStep]) -> Array:
    """Bound of the error covariance after each step: steps x n x n.

    Parameters
    ----------
    prior
        Covariance before the first step, n x n.
    steps
        Linearised steps in order of time.
    """
    P = np.array(prior, dtype=np.float64)
    if P.ndim != 2 or P.shape[0] != P.shape[1]:
        raise ConsistencyError(f"prior: found shape {P.shape}; give a square matrix.").about("prior", P.shape)
    smallest = float(np.linalg.eigvalsh(0.5 * (P + P.T)).min())
    if smallest < -1e-12 * float(np.abs(P).max()):
        raise ConsistencyError(f"prior: not positive semidefinite (smallest eigenvalue {smallest:.3g})").about(
            "prior", smallest
        )
    bounds = []
    for step in steps:
        P = step.F @ P @ step.F.T + step.Q
        if step.H.size:
            P = _updated(P, step.H, step.R)
        bounds.append(P)
    return np.array(bounds)


def _updated(P: Array, H: Array, R: Array) -> Array:
    """Measurement update in Joseph form."""
    gain = np.linalg.solve(H @ P @ H.T + R, H @ P).T
    left = np.eye(len(P)) - gain @ H
    updated = left @ P @ left.T + gain @ R @ gain.T
    return np.asarray(0.5 * (updated + updated.T))


class ObservabilityReport(NamedTuple):
    """Information about the initial state, in units of its prior standard deviations."""

    std: dict[str, float]  # of each state from the measurements alone, over its prior one; infinite if unobservable
    unobservable: tuple[dict[str, float], ...]  # directions without information, by state
    condition: float  # largest over smallest singular value of the observable part


def observability(
    steps: Sequence[LinearisedStep], names: Sequence[str], prior_std: Sequence[float]
) -> ObservabilityReport:
    """Observability Gramian of the initial state, weighted by measurement noise and scaled by prior deviations.

    Parameters
    ----------
    steps
        Linearised steps in order of time.
    names
        Of the states of the error.
    prior_std
        Standard deviation of each state that counts as knowing nothing about it, in its unit.
    """
    n = len(names)
    if len(prior_std) != n or not all(0.0 < one < np.inf for one in prior_std):
        raise ConsistencyError(f"prior_std: give {n} positive numbers, one for each state.").about("prior_std")
    rows, transition = [], np.diag(np.asarray(prior_std, dtype=np.float64))
    for step in steps:
        transition = step.F @ transition
        if step.H.size:
            rows.append(np.linalg.solve(np.linalg.cholesky(step.R), step.H @ transition))
    if not rows:
        raise ConsistencyError("steps: there is no measurement").about("steps")
    return _report(np.vstack(rows), tuple(names))


def _report(rows: Array, names: tuple[str, ...]) -> ObservabilityReport:
    """Singular values and directions of the stacked measurement rows."""
    _, sizes, directions = np.linalg.svd(rows, full_matrices=True)
    sizes = np.concatenate([sizes, np.zeros(len(names) - len(sizes))])
    blind = sizes <= NEVER_MEASURED * sizes[0]
    inverse = np.where(blind, 0.0, 1.0 / np.where(blind, 1.0, sizes))
    std = np.sqrt(np.sum((directions.T * inverse) ** 2, axis=1))
    hidden = np.sum(directions[blind] ** 2, axis=0) > 1e-9
    found = {name: float("inf") if lost else float(one) for name, one, lost in zip(names, std, hidden, strict=True)}
    unknown = tuple(
        {name: float(part) for name, part in zip(names, row, strict=True) if abs(part) > 1e-3}
        for row in directions[blind]
    )
    seen = sizes[~blind]
    return ObservabilityReport(found, unknown, float(seen[0] / seen[-1]) if len(seen) else float("inf"))
