"""Elimination of the initial states of shooting intervals from a least-squares problem (Schur complement).

An initial state matters to its own interval only, so the normal equations are solved interval by interval for the
initial states, and what remains is a small problem in the parameters.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array

_PIECE = 128  # samples
# Directions of an initial state below this share of the strongest are not changed.
_SMALLEST = 1e-12


class Reduced(NamedTuple):
    """Normal equations of the parameters after elimination of the initial states."""

    factor: Array  # F with F' F = products of the parameters and the target
    solved: tuple[Array, ...]  # per group [interval, initial state, parameter and target]
    explained: float  # reduction of the weighted sum of squares by the initial states alone


def reduced(products: Sequence[Array], q: int, damping: float = 0.0) -> Reduced:
    """Eliminate the q unknowns of the initial states, which come first; the target is the last row.

    `products` holds for each group the products of all pairs of rows of its table, [interval, row, row]; Marquardt's
    `damping` is added to the scaled diagonal of the normal equations of the initial states.
    """
    solved, total, explained = [], np.zeros((products[0].shape[1] - q,) * 2), 0.0
    for square in products:
        size = np.sqrt(np.diagonal(square, axis1=1, axis2=2))
        size = np.where(size > 0.0, size, 1.0)
        scaled = square / (size[:, :, None] * size[:, None, :])
        inner = scaled[:, :q, :q] + damping * np.eye(q)
        answer = np.linalg.pinv(inner, rcond=_SMALLEST, hermitian=True) @ scaled[:, :q, q:]
        taken = scaled[:, q:, :q] @ answer
        total += np.sum((scaled[:, q:, q:] - taken) * size[:, q:, None] * size[:, None, q:], axis=0)
        explained += float(np.sum(taken[:, -1, -1] * size[:, -1] ** 2))
        solved.append(answer * size[:, None, q:] / size[:, :q, None])
    return Reduced(root_of(total), tuple(solved), explained)


def sums_of_products(table: Array) -> Array:
    """Products of all pairs of rows [interval, row, row] of a table [row, interval, sample].

    Narrow pieces in turn: for wide ones a linear-algebra library starts threads, which costs more than it gains for few
    rows.
    """
    rows, intervals, samples = table.shape
    whole = samples // _PIECE * _PIECE
    pieces = np.moveaxis(table[..., :whole].reshape(rows, intervals, -1, _PIECE), 0, 2)
    rest = np.moveaxis(table[..., whole:], 0, 1)
    return np.asarray((pieces @ np.swapaxes(pieces, 2, 3)).sum(axis=1) + rest @ np.swapaxes(rest, 1, 2))


def root_of(products: Array) -> Array:
    """Matrix F with F' F = products; columns are scaled first, so that small ones keep their digits."""
    size = np.sqrt(np.maximum(np.diag(products), 0.0))
    safe = np.where(size > 0.0, size, 1.0)
    values, vectors = np.linalg.eigh(products / np.outer(safe, safe))
    # A zero column stays zero: the data do not depend on that unknown.
    return np.asarray(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T * size)
