"""Downsampling of long curves for drawing: minima and maxima of each interval are kept, in bounded memory."""

from math import ceil, inf, log2
from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from remora.files.arrays import Array

MOST_ROWS = 4000  # of a finished curve: more than the pixels across a picture


class Curve(NamedTuple):
    """Values over time, ready to be drawn; NaN where there are none."""

    times: Array  # s
    values: Array  # a row per time, a column per value

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not np.isfinite(self.values).any()


@final
class Downsampler:
    """Min-max downsampling: keeps the extremes of each column in each interval of time.

    Short curves are unchanged. Peaks of a single row, and the first and last row, are always kept.
    """

    def __init__(self, columns: int, most_rows: int = MOST_ROWS) -> None:
        self._most = most_rows
        self._times = np.empty(0)
        self._values = np.empty((0, columns))

    def add(self, times: Array, values: Array) -> None:
        """Take more rows."""
        self._times = np.concatenate([self._times, times])
        self._values = np.concatenate([self._values, values])
        if len(self._times) > 4 * self._most:
            self._thin()

    def curve(self) -> Curve:
        """The downsampled curve."""
        if len(self._times) > self._most:
            self._thin()
        return Curve(self._times, self._values)

    def _thin(self) -> None:
        order = np.argsort(self._times, kind="stable")  # a damaged log may go back in time
        times, values = self._times[order], self._values[order]
        intervals = max(1, self._most // (2 * values.shape[1] + 1) - 1)
        kept = extreme_rows(times, values, intervals)
        self._times, self._values = times[kept], values[kept]


def extreme_rows(times: Array, values: Array, intervals: int) -> npt.NDArray[np.bool_]:
    """Mask of the rows with a minimum or maximum of a column in an interval, and of the first and last row.

    Intervals last a power of two of seconds, so that longer ones consist of whole shorter ones and repeated
    downsampling loses nothing. An interval without values in a column keeps its first row, which shows the gap.

    Parameters
    ----------
    times, values
        Times in s, ascending, and a row of values for each.
    intervals
        Number of intervals, at most.
    """
    length = float(times[-1] - times[0])
    width = 2.0 ** ceil(log2(length / intervals)) if length > 0.0 else 1.0
    interval = np.floor(times / width)
    starts = np.flatnonzero(np.diff(interval, prepend=-inf))
    sizes = np.diff(starts, append=len(times))
    kept = np.zeros(len(times), np.bool_)
    kept[[0, -1]] = True
    for column in values.T:
        for extreme in (np.fmin, np.fmax):
            found = extreme.reduceat(column, starts)
            kept[starts[np.isnan(found)]] = True
            hits = np.flatnonzero(column == np.repeat(found, sizes))
            kept[hits[np.diff(interval[hits], prepend=-inf) != 0]] = True
    return kept
