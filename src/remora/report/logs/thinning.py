"""Long curves made drawable: only rows where something is smallest or largest are kept, in bounded memory."""

from math import ceil, inf, log2
from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from remora.files.arrays import Array

MOST_ROWS = 4000  # of a finished curve: more than a picture has dots from left to right


class Curve(NamedTuple):
    """Values over time, ready to be drawn; NaN where there are none."""

    times: Array  # s
    values: Array  # a row per time, a column per value

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not np.isfinite(self.values).any()


@final
class Thinner:
    """Takes rows in the order of time and keeps the extremes of each column in each of many stretches of time.

    Short curves stay as they are. A peak of a single row is never lost, nor are the first and the last row.
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
        """What is left to draw."""
        if len(self._times) > self._most:
            self._thin()
        return Curve(self._times, self._values)

    def _thin(self) -> None:
        order = np.argsort(self._times, kind="stable")  # a damaged log may go back in time
        times, values = self._times[order], self._values[order]
        stretches = max(1, self._most // (2 * values.shape[1] + 1) - 1)
        kept = extreme_rows(times, values, stretches)
        self._times, self._values = times[kept], values[kept]


def extreme_rows(times: Array, values: Array, stretches: int) -> npt.NDArray[np.bool_]:
    """Which rows hold the least or the greatest value of a column in an equal stretch of time, or the first or last.

    Stretches last a power of two of seconds, so that longer ones are made of whole shorter ones and nothing is lost
    when a curve is thinned again. One in which a column has no values at all keeps its first row: the gap is seen.
    """
    length = float(times[-1] - times[0])
    width = 2.0 ** ceil(log2(length / stretches)) if length > 0.0 else 1.0
    stretch = np.floor(times / width)
    starts = np.flatnonzero(np.diff(stretch, prepend=-inf))
    sizes = np.diff(starts, append=len(times))
    kept = np.zeros(len(times), np.bool_)
    kept[[0, -1]] = True
    for column in values.T:
        for extreme in (np.fmin, np.fmax):
            found = extreme.reduceat(column, starts)
            kept[starts[np.isnan(found)]] = True
            hits = np.flatnonzero(column == np.repeat(found, sizes))
            kept[hits[np.diff(stretch[hits], prepend=-inf) != 0]] = True
    return kept
