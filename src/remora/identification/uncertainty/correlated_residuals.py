"""Covariance of estimates whose residuals are correlated in time, and a whiteness test.

Residuals of a real record are never white: windows overlap, and model errors change slowly. Intervals from independent
residuals would be too narrow. The long-run covariance comes from the projections of the scores onto the first few
cosines of a cosine basis, which are nearly independent and give valid Student t intervals (Lazarus et al. 2018).

The delete-block jackknife (MacKinnon and White 1985) serves fits whose residuals are smaller than the noise, most of
all where few data determine a parameter. The influence of a block is taken with respect to the estimate without that
block, and projected onto the same cosines. Blocks hold equal shares of the information about a parameter: one that
shows in a tenth of the record has all its blocks there.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
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


# Largest number of pieces whose leverage is computed.
_PIECES = 1_000
# Fewer cosines give unsteady intervals, more of them miss noise with a long correlation time.
_WAVES_OF_BLOCKS = 8
# Independent rows per cosine in a short record: with fewer, a cosine measures the overlap of rows and not the noise.
_ROWS_PER_WAVE, _LEAST_WAVES = 2.0, 4
# Blocks per cosine: short against its period.
_STRETCHES_PER_WAVE = 4
# Largest share of the information that a deleted block may hold: the rest must still determine every parameter.
_LARGEST_SHARE = 0.8
_SQUARINGS = 4


class Influence(NamedTuple):
    """Influence of rows and pieces of the data on an estimate, in units of about equal accuracy."""

    rows: Array  # rows x parameters: first-order influence of each row
    shares: Array  # pieces x parameters x parameters: leverage of each of `pieces_of`
    information: Array  # pieces x parameters: variance contributed by each piece for uniform noise


def pieces_of(rows: int) -> NDArray[np.int64]:
    """First rows of the pieces into which the rows are cut."""
    return np.arange(0, rows, -(-rows // _PIECES))


def influence_of(scores: Array, products: Array, inverse: Array) -> Influence:
    """Influence of the data on the solution of normal equations, given the inverse of the normal matrix.

    Scores are rows x parameters, regressor or instrument times residual; `products` are the contributions of each of
    `pieces_of` to the normal matrix.
    """
    shares = inverse @ products
    return Influence(scores @ inverse.T, shares, np.einsum("gij,ij->gi", shares, inverse))


def jackknife_covariance(influence: Influence, overlap: float) -> tuple[Array, Array]:
    """Covariance of an estimate, and degrees of freedom of the variance of each parameter.

    Rows closer than the overlap share samples and are correlated.
    """
    independent = independent_rows(influence.rows, overlap)
    fewest = _fewest_cosines(independent)
    moves = np.add.reduceat(influence.rows, pieces_of(len(influence.rows)), axis=0)
    shares = np.maximum(influence.information, 0.0)
    until = _Sums(_summed(moves), _summed(influence.shares))
    variance, freedom = np.zeros(moves.shape[1]), np.ones(moves.shape[1])
    for j in range(moves.shape[1]):
        information = _summed(shares[:, j])
        if information[-1] > 0.0:
            # Rows with as much information about this parameter if all were equally informative.
            rows = independent * information[-1] ** 2 / (len(shares) * float(shares[:, j] @ shares[:, j]))
            variance[j], freedom[j] = _variance(until, information / information[-1], rows, j, fewest)
    waves = cosine_projections(moves, int(min(max(cosines_to_use(independent), fewest), len(moves) - 1)))
    together = with_full_rank(waves.T @ waves, influence.rows)
    size = np.sqrt(np.diag(together))
    size[size == 0.0] = 1.0
    scale = np.sqrt(variance) / size
    return together * np.outer(scale, scale), freedom


def _fewest_cosines(independent: float) -> float:
    """Smallest number of cosines for a number of independent rows."""
    return max(min(_WAVES_OF_BLOCKS, independent / _ROWS_PER_WAVE), _LEAST_WAVES)


class _Sums(NamedTuple):
    """Cumulative sums over pieces; the last entry is the total."""

    moves: Array
    shares: Array


def _summed(pieces: Array) -> Array:
    return np.concatenate([np.zeros((1, *pieces.shape[1:])), np.cumsum(pieces, axis=0)])


def _variance(until: _Sums, information: Array, rows: float, parameter: int, fewest: float) -> tuple[float, float]:
    """Variance of one parameter and its degrees of freedom, from blocks of equal information."""
    count = int(max(cosines_to_use(rows), fewest))
    shares = np.linspace(0.0, 1.0, _STRETCHES_PER_WAVE * count + 1)[1:-1]
    edges = np.unique(np.concatenate([[0], np.searchsorted(information, shares), [len(information) - 1]]))
    moved = _without_own_share(np.diff(until.moves[edges], axis=0), np.diff(until.shares[edges], axis=0))
    count = min(count, len(moved) - 1)
    if count < 1:
        return float(np.sum(moved[:, parameter] ** 2)), 1.0
    waves = cosine_projections(moved[:, parameter], count)
    return float(waves @ waves) / count, float(count)


def _without_own_share(moved: Array, shares: Array) -> Array:
    """Influence of blocks on the estimate without them: (I - leverage)^-1 times their influence.

    A block that holds all information about a parameter cannot be deleted; its leverage is limited.
    """
    left = np.minimum(1.0, _LARGEST_SHARE / np.maximum(_largest(shares), 1e-300))
    rest = np.eye(shares.shape[1]) - left[:, None, None] * shares
    return np.asarray(np.linalg.solve(rest, moved[:, :, None])[:, :, 0])


def _largest(shares: Array) -> Array:
    """Upper bound close to the largest eigenvalue of each matrix, from a high power of it."""
    size = np.linalg.norm(shares, axis=(1, 2))
    power = shares / np.maximum(size, 1e-300)[:, None, None]
    logarithm = np.log(np.maximum(size, 1e-300))
    for k in range(1, _SQUARINGS + 1):
        power = power @ power
        norm = np.maximum(np.linalg.norm(power, axis=(1, 2)), 1e-300)
        power = power / norm[:, None, None]
        logarithm = logarithm + np.log(norm) / 2**k
    return np.asarray(np.exp(logarithm))
