"""Covariance of estimates whose residuals are correlated in time, and what a residual looks like.

Residuals of a real record are never white: windows overlap, and what the model leaves out changes slowly. Counting them
as independent would make intervals too narrow, so the long-run covariance of the scores is used instead (Newey and West
1987), with a kernel that is flat where correlation must be expected, which biases it least (Politis and Romano 1995).
"""

from typing import NamedTuple

import numpy as np
from scipy import stats

from remora.identification.record import Array

# Scores are summed over bins until there are no more than this many: sums keep the long-run covariance.
_MOST_ROWS = 4_000
_FEWEST_DEGREES = 4.0
_SMALLEST_EIGENVALUE = -1e-12


class LongRun(NamedTuple):
    """Covariance of a sum of correlated scores."""

    covariance: Array
    degrees_of_freedom: float  # of that estimate


def long_run_covariance(scores: Array, overlap: float) -> LongRun:
    """Covariance of the sum of the rows, each correlated with its neighbours.

    Parameters
    ----------
    scores
        One row per time, one column per parameter, mean zero.
    overlap
        Rows closer than this share samples, so that at least these are taken as correlated.
    """
    # A bin must stay short against the correlation, or the kernel could not see it.
    bins = int(min(-(-len(scores) // _MOST_ROWS), max(overlap, 1.0)))
    if bins > 1:
        scores = np.add.reduceat(scores, np.arange(0, len(scores), bins), axis=0)
    n = len(scores)
    lags = int(min(max(2.0 * overlap / bins, _bandwidth(scores)), n / 5)) + 1
    flat = _weighted_sum(scores, np.minimum(1.0, 2.0 * (1.0 - np.arange(lags) / lags)))
    if np.linalg.eigvalsh(flat / _sizes(scores)).min() > _SMALLEST_EIGENVALUE:
        return LongRun(flat, max(_FEWEST_DEGREES, 0.75 * n / lags))
    # Chance can make a variance negative under the flat kernel; that of Bartlett never does, and is a little too small.
    falling = _weighted_sum(scores, 1.0 - np.arange(lags) / lags)
    return LongRun(falling, max(_FEWEST_DEGREES, 1.5 * n / lags))


def _weighted_sum(scores: Array, weights: Array) -> Array:
    """Products of scores at all lags, each with its weight."""
    total = scores.T @ scores
    for lag, weight in enumerate(weights[: len(scores) - 1].tolist()):
        if lag > 0:
            product = scores[lag:].T @ scores[:-lag]
            total += weight * (product + product.T)
    return np.asarray(total)


def _sizes(scores: Array) -> Array:
    size = np.sqrt(np.sum(scores**2, axis=0))
    size[size == 0.0] = 1.0
    return np.outer(size, size)


def _bandwidth(scores: Array) -> float:
    """Lags to use if each score were a first-order process (Andrews 1991)."""
    power = np.sum(scores**2, axis=0)
    used = power > 0.0
    if not used.any():
        return 1.0
    rho = np.sum(scores[1:, used] * scores[:-1, used], axis=0) / power[used]
    rho = np.clip(rho, -0.99, 0.99)
    alpha = float(np.max(4.0 * rho**2 / (1.0 - rho**2) ** 2))
    return float(1.1447 * (alpha * len(scores)) ** (1.0 / 3.0))


class Whiteness(NamedTuple):
    """How far residuals are from independent."""

    autocorrelation: Array  # from lag one on
    statistic: float  # of Ljung and Box
    probability: float  # of a statistic this large if the residuals were white
    effective_samples: float  # independent ones that would say as much


def whiteness(residuals: Array, lags: int = 20) -> Whiteness:
    """Test residuals for independence (Ljung and Box 1978), and count how many independent ones they are worth."""
    centred = residuals - residuals.mean()
    n, power = len(centred), float(centred @ centred)
    lags = min(lags, n - 2)
    if power == 0.0 or lags < 1:
        return Whiteness(np.zeros(0), 0.0, 1.0, float(n))
    rho = np.array([centred[lag:] @ centred[: n - lag] for lag in range(1, lags + 1)]) / power
    statistic = float(n * (n + 2) * np.sum(rho**2 / (n - np.arange(1, lags + 1))))
    # The sum stops at the first negative one, beyond which there is only noise.
    negative = np.flatnonzero(rho <= 0.0)
    until = int(negative[0]) if len(negative) else lags
    effective = n / (1.0 + 2.0 * float(np.sum(rho[:until])))
    return Whiteness(rho, statistic, float(stats.chi2.sf(statistic, lags)), effective)
