"""Solutions of a regression: ordinary and weighted least squares, total least squares, instrumental variables.

All work on blocks, one per degree of freedom, and on their triangular factors (the Cholesky factors of the normal
matrices), so that long records need little memory.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import linalg, stats

from remora.files.arrays import Array
from remora.identification.regression.rows import RegressionBlock, Rows
from remora.identification.uncertainty.correlated_residuals import influence_of, jackknife_covariance, pieces_of

_REWEIGHTINGS = 2
# Directions below this share of the largest singular value are not changed.
_SMALLEST = 1e-9


class Weights(NamedTuple):
    """One over the standard deviation of the noise in each block."""

    per_block: tuple[float, ...]


def unit_weights(rows: Rows) -> Weights:
    """Equal weights of newtons and newton metres."""
    return Weights((1.0,) * len(rows.blocks))


def noise_weights(rows: Rows, change: Array) -> Weights:
    """Weights from the residuals of each block."""
    spreads = [float(np.sqrt(np.mean(residual(block, change) ** 2))) for block in rows.blocks]
    largest = max(spreads)
    return Weights(tuple(1.0 / max(spread, 1e-9 * largest, 1e-300) for spread in spreads))


def residual(block: RegressionBlock, change: Array) -> Array:
    """Residual of a block, N or N m."""
    return np.asarray(block.target - block.matrix @ change[block.active])


def triangle(rows: Rows, weights: Weights) -> Array:
    """Triangular factor R of all weighted rows [matrix, target]."""
    k = len(rows.names)
    wide = []
    for block, weight in zip(rows.blocks, weights.per_block, strict=True):
        part = np.zeros((len(block.triangle), k + 1))
        part[:, [*block.active.tolist(), k]] = weight * block.triangle
        wide.append(part)
    return np.asarray(linalg.qr(np.vstack(wide), mode="r")[0][: k + 1])


def least_squares(factor: Array) -> Array:
    """Least-squares change of the parameters; directions that are not identifiable are not changed."""
    matrix, target = factor[:, :-1], factor[:, -1]
    scale = np.linalg.norm(matrix, axis=0)
    scale[scale == 0.0] = 1.0
    solution = linalg.lstsq(matrix / scale, target, cond=_SMALLEST)[0]
    return np.asarray(solution / scale)


def weighted_least_squares(rows: Rows, weighted: bool) -> tuple[Array, Weights]:
    """Least squares with blocks weighted by their residuals, or equally."""
    weights = unit_weights(rows)
    change = least_squares(triangle(rows, weights))
    for _ in range(_REWEIGHTINGS if weighted and len(rows.blocks) > 1 else 0):
        weights = noise_weights(rows, change)
        change = least_squares(triangle(rows, weights))
    return change, weights


def total_least_squares(factor: Array, errors: Array) -> Array:
    """Total least squares: change of the parameters when columns and target have errors.

    `errors` is the expected sum of products of the errors of [matrix, target], weighted as the rows; it may be singular
    where a column is exact. The solution is the direction with the smallest ratio of data to errors.
    """
    square = factor.T @ factor
    scale = np.sqrt(np.diag(square))
    scale[scale == 0.0] = 1.0
    data = square / np.outer(scale, scale)
    noise = errors / np.outer(scale, scale)
    data = data + np.eye(len(data)) * 1e-14 * np.trace(data)
    _, vectors = linalg.eigh(noise, data)
    direction = vectors[:, -1] / scale
    if abs(direction[-1]) < 1e-12 * np.abs(direction).max():
        raise np.linalg.LinAlgError("the errors are as large as the data")
    return np.asarray(-direction[:-1] / direction[-1])


def instrumental_variables(rows: Rows, instruments: Rows, weights: Weights) -> Array:
    """Change of the parameters for which residuals are uncorrelated with the instruments."""
    square, target = _products(rows, instruments, weights)
    scale = np.sqrt(np.abs(np.diag(square)))
    scale[scale == 0.0] = 1.0
    solution = linalg.lstsq(square / np.outer(scale, scale), target / scale, cond=_SMALLEST)[0]
    return np.asarray(solution / scale)


def _products(rows: Rows, instruments: Rows, weights: Weights) -> tuple[Array, Array]:
    k = len(rows.names)
    square, target = np.zeros((k, k)), np.zeros(k)
    for block, other, weight in zip(rows.blocks, instruments.blocks, weights.per_block, strict=True):
        square[np.ix_(other.active, block.active)] += weight**2 * (other.matrix.T @ block.matrix)
        target[other.active] += weight**2 * (other.matrix.T @ block.target)
    return square, target


class Uncertainty(NamedTuple):
    """Covariance of a solution with correlated residuals."""

    covariance: Array
    degrees_of_freedom: Array  # of the variance of each parameter

    @property
    def half_widths(self) -> Array:
        """Half widths of the 95 % intervals."""
        return np.asarray(stats.t.ppf(0.975, self.degrees_of_freedom) * np.sqrt(np.diag(self.covariance)))


def uncertainty(rows: Rows, instruments: Rows, weights: Weights, change: Array) -> Uncertainty:
    """Covariance of a solution; the instruments of least squares are the rows themselves."""
    square, _ = _products(rows, instruments, weights)
    scale = np.sqrt(np.abs(np.diag(square)))
    scale[scale == 0.0] = 1.0
    inverse = np.linalg.pinv(square / np.outer(scale, scale), rcond=_SMALLEST)
    influence = influence_of(
        _scores(rows, instruments, weights, change) / scale,
        _products_of_pieces(rows, instruments, weights) / np.outer(scale, scale),
        inverse,
    )
    covariance, freedom = jackknife_covariance(influence, rows.window / rows.spacing)
    return Uncertainty(covariance / np.outer(scale, scale), freedom)


def _products_of_pieces(rows: Rows, instruments: Rows, weights: Weights) -> Array:
    """Contribution of each piece of the rows to the normal matrix."""
    starts = pieces_of(rows.number)
    square = np.zeros((len(starts), len(rows.names), len(rows.names)))
    for block, other, weight in zip(rows.blocks, instruments.blocks, weights.per_block, strict=True):
        for k, (start, stop) in enumerate(pairwise([*starts.tolist(), rows.number])):
            products = other.matrix[start:stop].T @ block.matrix[start:stop]
            square[k][np.ix_(other.active, block.active)] += weight**2 * products
    return square


def _scores(rows: Rows, instruments: Rows, weights: Weights, change: Array) -> Array:
    scores = np.zeros((rows.number, len(rows.names)))
    for block, other, weight in zip(rows.blocks, instruments.blocks, weights.per_block, strict=True):
        scores[:, other.active] += weight**2 * other.matrix * residual(block, change)[:, None]
    return scores
