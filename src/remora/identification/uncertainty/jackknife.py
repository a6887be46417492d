"""Covariance of a solution from what it moves by when one stretch of the data after the other is left out.

A solution bends towards its own data, so its residuals are smaller than the noise, most of all where few data carry a
parameter. What a stretch pulls the solution by is seen honestly only against the solution without it (the jackknife of
MacKinnon and White 1985). The pulls then go into slow cosine waves, as scores do in `covariance`, so that residuals may
last. Stretches hold equal shares of what the data know of a parameter: a parameter that shows itself in a tenth of the
record has all its stretches there.
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

# Pieces of the data whose share in a solution is worked out, at most.
_PIECES = 1_000
# With fewer, intervals jump from record to record; with more, they see less of noise that lasts.
_FEWEST_WAVES = 8
# A short record has fewer: each wave needs this many independent rows, or it sees what rows share and not the noise.
_ROWS_PER_WAVE, _LEAST_WAVES = 2.0, 4
# Stretches for each wave that is used: short enough for the wave to be seen.
_STRETCHES_PER_WAVE = 4
# A stretch is left out up to this share of what all data know: the rest must still tell every parameter.
_LARGEST_SHARE = 0.8
_SQUARINGS = 4


class Influence(NamedTuple):
    """What parts of the data do to a solution, in units in which all parameters are about equally well known."""

    rows: Array  # rows x parameters: what each row moves each parameter by, to first order
    shares: Array  # pieces x parameters x parameters: how far each of `pieces_of` the rows holds back a move of it
    information: (
        Array  # pieces x parameters: variance that each piece contributes if its noise is as large as elsewhere
    )


def pieces_of(rows: int) -> NDArray[np.int64]:
    """First rows of the pieces into which so many rows are cut."""
    return np.arange(0, rows, -(-rows // _PIECES))


def influence_of(scores: Array, products: Array, inverse: Array) -> Influence:
    """The pulls of data on the solution of normal equations.

    Parameters
    ----------
    scores
        Rows x parameters: regressor or instrument times residual.
    products
        What each of the `pieces_of` the rows adds to the square of the normal equations.
    inverse
        Inverse of that square.
    """
    shares = inverse @ products
    return Influence(scores @ inverse.T, shares, np.einsum("gij,ij->gi", shares, inverse))


def jackknife_covariance(influence: Influence, overlap: float) -> tuple[Array, Array]:
    """The covariance of a solution, and degrees of freedom of the variance of each parameter.

    Parameters
    ----------
    pulls
        Of all data.
    overlap
        Rows closer than this share samples, so that at least these are taken as correlated.
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
            # Rows that would say as much of this parameter if all said equally much.
            rows = independent * information[-1] ** 2 / (len(shares) * float(shares[:, j] @ shares[:, j]))
            variance[j], freedom[j] = _variance(until, information / information[-1], rows, j, fewest)
    waves = cosine_projections(moves, int(min(max(cosines_to_use(independent), fewest), len(moves) - 1)))
    together = with_full_rank(waves.T @ waves, influence.rows)
    size = np.sqrt(np.diag(together))
    size[size == 0.0] = 1.0
    scale = np.sqrt(variance) / size
    return together * np.outer(scale, scale), freedom


def _fewest_cosines(independent: float) -> float:
    """Waves to use at least for a number of independent rows."""
    return max(min(_FEWEST_WAVES, independent / _ROWS_PER_WAVE), _LEAST_WAVES)


class _Sums(NamedTuple):
    """Sums over all pieces before each; the last entry is the sum of all."""

    moves: Array
    shares: Array


def _summed(pieces: Array) -> Array:
    return np.concatenate([np.zeros((1, *pieces.shape[1:])), np.cumsum(pieces, axis=0)])


def _variance(until: _Sums, information: Array, rows: float, parameter: int, fewest: float) -> tuple[float, float]:
    """Variance of one parameter and its degrees of freedom, from stretches that know equally much of it."""
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
    """What stretches move a solution by that was made without them.

    The solution went along with each stretch by the share of all data that the stretch is. One that holds all there is
    to know of some parameter cannot be left out; then only so much of it is.
    """
    left = np.minimum(1.0, _LARGEST_SHARE / np.maximum(_largest(shares), 1e-300))
    rest = np.eye(shares.shape[1]) - left[:, None, None] * shares
    return np.asarray(np.linalg.solve(rest, moved[:, :, None])[:, :, 0])


def _largest(shares: Array) -> Array:
    """The largest eigenvalue of each matrix or a little more, from a high power of it."""
    size = np.linalg.norm(shares, axis=(1, 2))
    power = shares / np.maximum(size, 1e-300)[:, None, None]
    logarithm = np.log(np.maximum(size, 1e-300))
    for k in range(1, _SQUARINGS + 1):
        power = power @ power
        norm = np.maximum(np.linalg.norm(power, axis=(1, 2)), 1e-300)
        power = power / norm[:, None, None]
        logarithm = logarithm + np.log(norm) / 2**k
    return np.asarray(np.exp(logarithm))
