"""Curves, events and row counts of a log, read in one pass with bounded memory.

Of long curves the minima and maxima of each interval are kept.
"""

from collections.abc import Collection
from math import ceil, inf, log2
from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from remora.files.arrays import Array
from remora.logs import Series
from remora.report.logs.source import OpenLog
from remora.report.logs.traces import Trace
from remora.report.simulations.event_tally import EventTally

HUGE = 1e150  # limit of drawn values; larger ones overflow the axes
FIRST_WITHOUT_VALUES = 2  # readings with this status or a higher one have no values
MOST_ROWS = 4000  # of a finished curve: more than the pixels across a picture


class PlotWindow(NamedTuple):
    """Time window of a run, s."""

    start: float = -inf
    end: float = inf

    def text(self) -> str:
        """The finite limits as text."""
        after = f" from {self.start:g} s" if self.start > -inf else ""
        return after + (f" until {self.end:g} s" if self.end < inf else "")


WHOLE = PlotWindow()


class Count(NamedTuple):
    """Rows of a channel, and how many have no values."""

    rows: int = 0
    lost: int = 0


class Curve(NamedTuple):
    """Values over time, ready to be drawn; NaN where there are none."""

    times: Array  # s
    values: Array  # a row per time, a column per value

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not np.isfinite(self.values).any()


class CurveData(NamedTuple):
    """Curves, counts and events of a log."""

    curves: dict[Trace, Curve]
    counts: dict[str, Count]  # of every channel, within the window
    tally: EventTally
    span: tuple[float, float] | None  # s, of all rows and events of the log; None where there are none
    problems: tuple[str, ...]

    @property
    def rows(self) -> int:
        """All rows within the window."""
        return sum(count.rows for count in self.counts.values())


def read_curves(
    log: OpenLog, traces: frozenset[Trace], window: PlotWindow = WHOLE, silent: Collection[str] = ()
) -> CurveData:
    """Read the curves of an open log in one pass, without the events of silent vehicles."""
    feeds: dict[str, list[_Feed]] = {}
    for trace in traces:
        feeds.setdefault(trace.channel, []).append(_Feed(trace))
    counts = dict.fromkeys(log.channels, Count())
    tally, times = EventTally(), [inf, -inf]
    for series_list, events in log.pieces():
        for series in series_list:
            if not len(series):
                continue
            times = [min(times[0], series.time[0]), max(times[1], series.time[-1])]
            part = _within(series, window)
            counts[series.channel.name] = _counted(counts[series.channel.name], part)
            for feed in feeds.get(series.channel.name, []):
                feed.take(part)
        kept = [event for event in events if event.source.partition("/")[0] not in silent]
        tally.add(event for event in kept if window.start <= 1e-9 * event.time_ns <= window.end)
        moments = [1e-9 * event.time_ns for event in events]
        times = [min(times[0], *moments, inf), max(times[1], *moments, -inf)]
    curves = {feed.trace: feed.downsampler.curve() for some in feeds.values() for feed in some}
    span = (times[0], times[1]) if times[0] <= times[1] else None
    return CurveData(curves, counts, tally, span, log.problems)


def _within(series: Series, window: PlotWindow) -> Series:
    inside = (series.time >= window.start) & (series.time <= window.end)
    if inside.all():
        return series
    return Series(series.channel, series.time_ns[inside], {name: c[inside] for name, c in series.columns.items()})


def silent_rows(series: Series) -> npt.NDArray[np.bool_]:
    """Rows that are not valid, unless some of their numbers are known and others NaN, as in an incomplete estimate."""
    names = [field.name for field in series.channel.fields if field.kind == "float"]
    known = np.isfinite(series.table(*names))
    silent: npt.NDArray[np.bool_] = (series["valid"] == 0) & ~(known.any(axis=1) & ~known.all(axis=1))
    return silent


def _counted(count: Count, series: Series) -> Count:
    lost = 0
    if "status" in series.columns:
        lost = int((series["status"] >= FIRST_WITHOUT_VALUES).sum())
    elif "valid" in series.columns:
        lost = int((silent_rows(series)).sum())
    return Count(count.rows + len(series), count.lost + lost)


class _Feed:
    """Builds one curve from the pieces of a channel."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._turned: Array | None = None  # the last angles, for unwrapping across pieces
        self.downsampler = Downsampler(1 if trace.convert else len(trace.fields))

    def take(self, series: Series) -> None:
        """Add a piece."""
        with np.errstate(all="ignore"):
            columns = series.table(*self.trace.fields)
            if "valid" in series.columns and all(series.field(name).kind == "float" for name in self.trace.fields):
                columns[silent_rows(series)] = np.nan
            if self.trace.convert:
                columns = self.trace.convert(columns)
            if self.trace.angle:
                columns = np.degrees(self._unwrapped(columns))
        self.downsampler.add(series.time, np.clip(columns, -HUGE, HUGE))

    def _unwrapped(self, angles: Array) -> Array:
        known = np.isfinite(angles).all(axis=1)
        if not known.any():
            return angles
        before = angles[known][:1] if self._turned is None else self._turned
        joined = np.unwrap(np.concatenate([before, angles[known]]), axis=0)[1:]
        self._turned = joined[-1:]
        result = angles.copy()
        result[known] = joined
        return result


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

    Times are ascending, with a row of values each; `intervals` is the largest number of intervals.
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
