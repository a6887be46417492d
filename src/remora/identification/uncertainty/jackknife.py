"""Delete-block jackknife covariance of an estimate (MacKinnon and White 1985).

Residuals of a fit are smaller than the noise, most of all where few data determine a parameter. The influence of a
block is therefore taken with respect to the estimate without that block. Influences are projected onto slow cosines, as
scores in `correlated_residuals`, which allows for residuals correlated in time. Blocks hold equal shares of the
information about a parameter: one that shows in a tenth of the record has all its blocks there.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.identification.uncertainty.correlated_residuals import (
    cosine_projections,
    cosines_to_use,
    independent_rows,
    with_full_rank,
)

# Largest number of pieces whose leverage is computed.
_PIECES = 1_000
# Fewer cosines give unsteady intervals, more of them miss noise with a long correlation time.
_FEWEST_WAVES = 8
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
    return max(min(_FEWEST_WAVES, independent / _ROWS_PER_WAVE), _LEAST_WAVES)


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
