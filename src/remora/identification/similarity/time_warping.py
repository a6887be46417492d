"""Dynamic time warping: distance of two signals that run at different paces.

Cumulative cost gamma(i, j) = (x_i - y_j)^2 + min(gamma(i-1, j), gamma(i-1, j-1), gamma(i, j-1)): Nielsen 2018, eq. 6.2
as corrected. The path is monotone and continuous. It is invariant neither to scale nor to rotation, so headings, speeds
and turn rates are compared rather than positions on a circle.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.identification.similarity.signals import SimilarityError, paired, squared_distances


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
