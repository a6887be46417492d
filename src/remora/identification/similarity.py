"""Similarity of a measured and a simulated signal: time warping, shape distances, correlation.

Dynamic time warping is the distance of two signals that run at different paces. Cumulative cost gamma(i, j) = (x_i -
y_j)^2 + min(gamma(i-1, j), gamma(i-1, j-1), gamma(i, j-1)): Nielsen 2018, eq. 6.2 as corrected. The path is monotone
and continuous. It is invariant neither to scale nor to rotation, so headings, speeds and turn rates are compared rather
than positions on a circle.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.files.problems import InputError


class SimilarityError(InputError):
    """Signals that cannot be compared."""


def sampled(signal: ArrayLike, name: str) -> Array:
    """A signal as samples x channels; one channel may be a flat list."""
    try:
        rows = np.asarray(signal, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise SimilarityError(f"{name}: not a table of numbers ({error})").about(name) from None
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or not rows.size:
        fix = "give samples x channels"
        raise SimilarityError(f"{name}: found shape {np.shape(signal)}; {fix}.").about(name, np.shape(signal), fix=fix)
    if not np.isfinite(rows).all():
        fix = "Remove or interpolate missing samples first."
        raise SimilarityError(f"{name}: contains values that are not finite. {fix}").about(name, fix=fix)
    return rows


def paired(first: ArrayLike, second: ArrayLike, equal_length: bool) -> tuple[Array, Array]:
    """Two signals, samples x channels, with the same channels and, where asked for, the same number of samples."""
    a, b = sampled(first, "first"), sampled(second, "second")
    if a.shape[1] != b.shape[1]:
        raise SimilarityError(f"second: found {b.shape[1]} channels; first has {a.shape[1]}.").about("second")
    if equal_length and len(a) != len(b):
        fix = "Resample both to the same times."
        raise SimilarityError(f"second: found {len(b)} samples; first has {len(a)}. {fix}").about("second", fix=fix)
    return a, b


def squared_distances(first: Array, second: Array) -> Array:
    """Squared distance of every sample of one signal from every sample of the other."""
    return np.sum((first[:, None, :] - second[None, :, :]) ** 2, axis=2)


class WarpedSignals(NamedTuple):
    """Alignment of two signals."""

    path: tuple[tuple[int, int], ...]  # pairs of sample indices, from the first pair on
    cost: float  # sum of squared distances along the path
    distance: float  # its root
    mean_error: float  # mean distance along the path


def dynamic_time_warping(
    first: ArrayLike, second: ArrayLike, window: int | None = None, open_end: bool = False
) -> WarpedSignals:
    """The alignment of least cost.

    Parameters
    ----------
    first, second
        Samples x channels, or one channel. They may differ in length.
    window
        Largest difference |i - j| of two aligned indices; unlimited unless given.
    open_end
        Whether the second signal may end before its last sample.
    """
    a, b = paired(first, second, equal_length=False)
    local = squared_distances(a, b)
    if window is not None:
        least = 0 if open_end else abs(len(a) - len(b))
        if isinstance(window, bool) or window != int(window) or window < least:
            raise SimilarityError(f"window: found {window!r}; give at least {least} samples.").about("window", window)
        i, j = np.indices(local.shape)
        local = np.where(np.abs(i - j) <= window, local, np.inf)
    cumulative = cumulative_cost(local, np.add)
    end = int(np.argmin(cumulative[-1])) if open_end else len(b) - 1
    path = _traced(cumulative, end)
    errors = np.sqrt([local[pair] for pair in path])
    cost = float(cumulative[-1, end])
    return WarpedSignals(tuple(path), cost, float(np.sqrt(cost)), float(errors.mean()))


def cumulative_cost(local: Array, combine: np.ufunc) -> Array:
    """gamma(i, j) = combine(local(i, j), least of its three predecessors), one anti-diagonal after the other.

    `combine` is a sum for time warping and a maximum for the Fréchet distance.
    """
    n, m = local.shape
    padded = np.full((n + 1, m + 1), np.inf)
    padded[0, 0] = 0.0 if combine is np.add else -np.inf
    for diagonal in range(2, n + m + 1):
        i = np.arange(max(1, diagonal - m), min(n, diagonal - 1) + 1)
        j = diagonal - i
        least = np.minimum(np.minimum(padded[i - 1, j], padded[i, j - 1]), padded[i - 1, j - 1])
        padded[i, j] = combine(local[i - 1, j - 1], least)
    return padded[1:, 1:]


def _traced(cumulative: Array, end: int) -> list[tuple[int, int]]:
    """The path back from the end; of equal predecessors the diagonal one."""
    i, j = len(cumulative) - 1, end
    path = [(i, j)]
    while (i, j) != (0, 0):
        before = [(i - 1, j - 1), (i - 1, j), (i, j - 1)]
        i, j = min((pair for pair in before if min(pair) >= 0), key=lambda pair: cumulative[pair])
        path.append((i, j))
    return path[::-1]


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
