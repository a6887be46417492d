"""Long-run covariance of scores correlated in time, and a whiteness test of residuals.

Residuals of a real record are never white: windows overlap, and model errors change slowly. Intervals from independent
residuals would be too narrow. The long-run covariance comes from the projections of the scores onto the first few
cosines of a cosine basis, which are nearly independent and give valid Student t intervals (Lazarus et al. 2018).
"""

from typing import NamedTuple

import numpy as np
from scipy import fft, stats

from remora.files.arrays import Array

# Largest number of bins over which scores are summed; sums keep the long-run covariance.
_MOST_ROWS = 4_000
# Cosines per two-thirds power of the independent rows, and the smallest number.
_WAVES = 0.41
_FEWEST_WAVES = 4
# Fewest bins for an estimate of the correlation of neighbours, and the significance of it in standard deviations.
_FEWEST_BINS = 32
_CERTAIN = 3.0
# Share of the covariance with the correlations of single rows, which has full rank also for few cosines.
_SHRINKAGE = 0.1


class LongRun(NamedTuple):
    """Covariance of a sum of correlated scores."""

    covariance: Array
    degrees_of_freedom: float  # of the covariance estimate


def long_run_covariance(scores: Array, overlap: float) -> LongRun:
    """Covariance of the sum of the rows, each correlated with its neighbours.

    Scores have one row per time, one column per parameter, and mean zero; rows closer than the overlap share samples.
    """
    count = int(min(max(cosines_to_use(independent_rows(scores, overlap)), _FEWEST_WAVES), len(scores) - 1))
    waves = cosine_projections(scores, count)
    return LongRun(with_full_rank(waves.T @ waves / count, scores), float(count))


def independent_rows(scores: Array, overlap: float) -> float:
    """Effective number of independent rows."""
    # A bin must be short against the correlation time.
    bins = int(min(-(-len(scores) // _MOST_ROWS), max(overlap, 1.0)))
    if bins > 1:
        scores = np.add.reduceat(scores, np.arange(0, len(scores), bins), axis=0)
    return len(scores) / max(overlap / bins, _correlation_length(scores))


def cosines_to_use(independent: float) -> float:
    """Number of cosines for a long-run variance: a trade-off between variance and bias."""
    return float(_WAVES * independent ** (2.0 / 3.0))


def cosine_projections(scores: Array, count: int) -> Array:
    """Projections of scores onto the slowest cosines, each with the variance of the sum of the scores."""
    return np.asarray(fft.dct(scores, axis=0)[1 : count + 1] / np.sqrt(2.0))


def _correlation_length(scores: Array) -> float:
    """Rows per independent row for scores that are first-order processes.

    Where slow noise is hidden by white noise, neighbours hardly correlate but sums over wider bins do: the longest
    significant length of any bin width counts.
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
    """Covariance mixed with a small share of the correlations of single rows; variances are unchanged.

    Variances are kept because slow noise may affect only some of the parameters.
    """
    plain = scores.T @ scores
    size = np.sqrt(np.diag(plain))
    size[size == 0.0] = 1.0
    own = np.sqrt(np.diag(covariance))
    return np.asarray((1.0 - _SHRINKAGE) * covariance + _SHRINKAGE * plain * np.outer(own / size, own / size))


class LjungBox(NamedTuple):
    """Portmanteau test of several series for independence in time (Ljung and Box 1978)."""

    autocorrelation: Array  # lags from one on x series
    statistic: Array  # of each series
    probability: Array  # of a statistic this large in white noise


def ljung_box(centred: Array, lags: int) -> LjungBox:
    """Ljung-Box test of series [sample, series] of mean zero, each with some power."""
    n, power = len(centred), np.einsum("ij,ij->j", centred, centred)
    products = [np.einsum("ij,ij->j", centred[lag:], centred[: n - lag]) for lag in range(1, lags + 1)]
    rho = np.array(products) / power
    statistic = n * (n + 2) * np.sum(rho**2 / (n - np.arange(1, lags + 1))[:, None], axis=0)
    return LjungBox(rho, statistic, np.asarray(stats.chi2.sf(statistic, lags)))


class Whiteness(NamedTuple):
    """Result of a whiteness test."""

    autocorrelation: Array  # from lag one on
    statistic: float  # of Ljung and Box
    probability: float  # of a statistic this large if the residuals were white
    effective_samples: float  # equivalent number of independent residuals


def whiteness(residuals: Array, lags: int = 20) -> Whiteness:
    """Ljung-Box test of residuals for independence, and their effective number."""
    centred, n = residuals - residuals.mean(), len(residuals)
    lags = min(lags, n - 2)
    if not centred.any() or lags < 1:
        return Whiteness(np.zeros(0), 0.0, 1.0, float(n))
    test = ljung_box(centred[:, None], lags)
    rho = test.autocorrelation[:, 0]
    # The sum ends at the first negative autocorrelation, beyond which there is only noise.
    negative = np.flatnonzero(rho <= 0.0)
    until = int(negative[0]) if len(negative) else lags
    effective = n / (1.0 + 2.0 * float(np.sum(rho[:until])))
    return Whiteness(rho, float(test.statistic[0]), float(test.probability[0]), effective)
