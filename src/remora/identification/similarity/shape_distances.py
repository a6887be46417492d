"""Distances between paths and signals."""

import math

import numpy as np
from numpy.typing import ArrayLike

from remora.identification.similarity.signals import SimilarityError, paired, squared_distances
from remora.identification.similarity.time_warping import cumulative_cost


def hausdorff_distance(first: ArrayLike, second: ArrayLike) -> float:
    """Largest distance of a sample of either signal from the nearest sample of the other."""
    distances = squared_distances(*paired(first, second, equal_length=False))
    return math.sqrt(max(float(distances.min(axis=0).max()), float(distances.min(axis=1).max())))


def frechet_distance(first: ArrayLike, second: ArrayLike) -> float:
    """Discrete Fréchet distance: the recursion of time warping with a maximum in place of the sum."""
    local = squared_distances(*paired(first, second, equal_length=False))
    return math.sqrt(float(cumulative_cost(local, np.maximum)[-1, -1]))


def procrustes_distance(first: ArrayLike, second: ArrayLike) -> float:
    """Root of the residual after removal of centroid, uniform scale and the best rotation, without a reflection.

    0 for similar figures, at most 1. The samples correspond to each other in order.
    """
    a, b = (rows - rows.mean(axis=0) for rows in paired(first, second, equal_length=True))
    sizes = float(np.linalg.norm(a)), float(np.linalg.norm(b))
    if min(sizes) == 0.0:
        raise SimilarityError("first, second: a figure of one point has no shape")
    left, values, right = np.linalg.svd((a / sizes[0]).T @ (b / sizes[1]))
    values[-1] *= np.sign(np.linalg.det(left @ right))
    return math.sqrt(max(0.0, 1.0 - float(values.sum()) ** 2))


def pearson_correlation(first: ArrayLike, second: ArrayLike) -> list[float]:
    """Correlation coefficient of each channel; NaN where one is constant, for which it is not defined."""
    a, b = (rows - rows.mean(axis=0) for rows in paired(first, second, equal_length=True))
    power = np.sqrt(np.sum(a**2, axis=0) * np.sum(b**2, axis=0))
    shared = np.sum(a * b, axis=0)
    return [one / size if size > 0.0 else math.nan for one, size in zip(shared.tolist(), power.tolist(), strict=True)]


def mean_square_error(first: ArrayLike, second: ArrayLike) -> list[float]:
    """Mean squared difference of each channel."""
    a, b = paired(first, second, equal_length=True)
    return [float(one) for one in np.mean((a - b) ** 2, axis=0)]
