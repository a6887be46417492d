"""Covariance of estimates whose residuals are correlated in time, and what a residual looks like.

Residuals of a real record are never white: windows overlap, and what the model leaves out changes slowly. Counting them
as independent would make intervals too narrow. The long-run covariance of the scores is used instead, from their first
few cosine waves, which are nearly independent and make Student's t honest (Lazarus et al. 2018).
"""

from typing import NamedTuple

import numpy as np
from scipy import fft, stats

from remora.files.arrays import Array

# Scores are summed over bins until there are no more than this many: sums keep the long-run covariance.
_MOST_ROWS = 4_000
# Waves to use per two thirds power of the independent rows, and the fewest.
_WAVES = 0.41
_FEWEST_WAVES = 4
# Bins that are needed to see whether neighbours correlate, and standard deviations above zero that are no chance.
_FEWEST_BINS = 32
_CERTAIN = 3.0
# So much of the covariance takes the shape of that without correlation in time, which has full rank also for few waves.
_SHRINKAGE = 0.1


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
    count = int(min(max(cosines_to_use(independent_rows(scores, overlap)), _FEWEST_WAVES), len(scores) - 1))
    waves = cosine_projections(scores, count)
    return LongRun(with_full_rank(waves.T @ waves / count, scores), float(count))


def independent_rows(scores: Array, overlap: float) -> float:
    """Rows that would say as much if they were not correlated with their neighbours."""
    # A bin must stay short against the correlation, or it would hide it.
    bins = int(min(-(-len(scores) // _MOST_ROWS), max(overlap, 1.0)))
    if bins > 1:
        scores = np.add.reduceat(scores, np.arange(0, len(scores), bins), axis=0)
    return len(scores) / max(overlap / bins, _correlation_length(scores))


def cosines_to_use(independent: float) -> float:
    """Cosine waves that tell a long-run variance best: more are steadier, fewer see correlation that lasts."""
    return float(_WAVES * independent ** (2.0 / 3.0))


def cosine_projections(scores: Array, count: int) -> Array:
    """The slowest cosine waves of scores, each with the variance that the sum of the scores has."""
    return np.asarray(fft.dct(scores, axis=0)[1 : count + 1] / np.sqrt(2.0))


def _correlation_length(scores: Array) -> float:
    """Rows that are worth one independent row if the scores were first-order processes.

    Where noise that lasts hides below white noise, neighbours hardly correlate, but sums over wider and wider bins do:
    the longest length that any width shows for certain counts.
    """
    longest, sums, width = 1.0, scores, 1
    while len(sums) >= _FEWEST_BINS:
        power = np.sum(sums**2, axis=0)
        used = power > 0.0
        rho = np.sum(sums[1:, used] * sums[:-1, used], axis=0) / power[used]
        certain = rho[rho > _CERTAIN / np.sqrt(len(sums))]
        if len(certain):
            typical = min(float(np.mean(certain)), 0.99)
            longest = max(longest, width * (1.0 + typical) / (1.0 - typical))
        sums, width = np.add.reduceat(sums, np.arange(0, len(sums), 2), axis=0), 2 * width
    return longest


def with_full_rank(covariance: Array, scores: Array) -> Array:
    """A small share of the covariance with the correlations of single rows; variances stay as they are.

    Each keeps its own size because noise that lasts may reach some of the parameters and not others.
    """
    plain = scores.T @ scores
    size = np.sqrt(np.diag(plain))
    size[size == 0.0] = 1.0
    own = np.sqrt(np.diag(covariance))
    return np.asarray((1.0 - _SHRINKAGE) * covariance + _SHRINKAGE * plain * np.outer(own / size, own / size))


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
    rho = np.array([np.einsum("i,i", centred[lag:], centred[: n - lag]) for lag in range(1, lags + 1)]) / power
    statistic = float(n * (n + 2) * np.sum(rho**2 / (n - np.arange(1, lags + 1))))
    # The sum stops at the first negative one, beyond which there is only noise.
    negative = np.flatnonzero(rho <= 0.0)
    until = int(negative[0]) if len(negative) else lags
    effective = n / (1.0 + 2.0 * float(np.sum(rho[:until])))
    return Whiteness(rho, statistic, float(stats.chi2.sf(statistic, lags)), effective)
