"""A signal on its own stamps: interpolated values, means over intervals, and times at which it is unknown.

A column of a table with several sensors has readings in some rows only. In between, a sampled signal follows a cubic
with chord slopes (Catmull and Rom 1974), which preserves slow waves that straight lines flatten; a held one keeps its
last value (zero-order hold). Readings too far apart are not joined.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicHermiteSpline
from scipy.linalg import solve_banded

from remora.files.arrays import Array

# Multiple of the typical interval beyond which a signal without values is unknown.
_HOLE = 4.0
# Tolerance of equal times, s: stamps are nanoseconds.
_ROUNDING = 1e-9


class StampedSignal(NamedTuple):
    """The readings of one column."""

    time: Array  # s, increasing
    values: Array
    held: bool  # zero-order hold; else a sampled signal
    longest: float  # longest joined interval between readings, s

    @property
    def end(self) -> float:
        """End of the signal, s: a held reading is valid for one more typical interval."""
        return float(self.time[-1]) + (usual_interval(self.time) if self.held else 0.0)


def signal_of(time: Array, column: Array, held: bool = False, longest: float | None = None) -> StampedSignal:
    """Signal of a column with NaN where there is no reading; stamps in s.

    Readings may hold until the next one. The longest joined interval, s, is four typical intervals unless given.
    """
    known = np.isfinite(column)
    return StampedSignal(time[known], column[known], held, longest_joined(time[known]) if longest is None else longest)


def longest_joined(time: Array) -> float:
    """Longest interval between readings that are joined, s."""
    return _HOLE * usual_interval(time)


def usual_interval(time: Array) -> float:
    """Median time between readings; zero for a single one."""
    return float(np.median(np.diff(time))) if len(time) > 1 else 0.0


def values_at(signal: StampedSignal, at: Array) -> Array:
    """The signal at some times, NaN where it is unknown."""
    if not len(signal.time):
        return np.full(len(at), np.nan)
    if signal.held:
        found = signal.values[_reading_before(signal, at)]
    elif len(signal.time) == 1:
        found = np.full(len(at), signal.values[0])
    else:
        found = _curve(signal)(np.clip(at, signal.time[0], signal.time[-1]))
    return np.where(_unknown_between(signal, at, at), np.nan, found)


def means_over(signal: StampedSignal, low: Array, high: Array) -> Array:
    """Means over intervals, NaN where one reaches into a time that is unknown.

    An interval that reaches beyond the last reading is cut there.
    """
    if not len(signal.time):
        return np.full(len(low), np.nan)
    cut = np.maximum(np.minimum(high, signal.end), low)
    width = cut - low
    point = width <= _ROUNDING
    if signal.held or len(signal.time) == 1:
        area = _stair_area(signal, cut) - _stair_area(signal, low)
    else:
        integral = _curve(signal).antiderivative()
        first, last = signal.time[0], signal.time[-1]
        area = integral(np.clip(cut, first, last)) - integral(np.clip(low, first, last))
    means = np.where(point, values_at(signal, low), area / np.where(point, 1.0, width))
    return np.where(_unknown_between(signal, low, cut), np.nan, means)


def levels_over(signal: StampedSignal, starts: Array, width: float) -> Array:
    """Zero-order-hold levels at evenly spaced starts that act on a lag as the signal does.

    Plain means are too weak: held again, they are an average of averages, which attenuates a slow wave by (frequency x
    width)^2 / 12. These levels have the same triangular averages, of twice the width around the middle of each
    interval, as the signal. Steps at the starts are reproduced exactly.
    """
    if not len(signal.time):
        return np.full(len(starts), np.nan)
    low, high = starts[0] - 0.5 * width, starts[-1] + 1.5 * width
    time, values = signal.time, signal.values
    if not signal.held and len(time) > 1:  # straight lines as short steps
        time = np.arange(time[0], time[-1] + 0.1 * width, 0.1 * width)
        values = values_at(signal._replace(longest=np.inf), np.minimum(time + 0.05 * width, signal.time[-1]))
    level = float(np.mean(values))  # subtracted, so that integrals of long records keep their digits
    values = values - level
    edges = np.concatenate([[min(low, time[0])], time[1:], [max(high, time[-1]) + width]])
    area = np.concatenate([[0.0], np.cumsum(values * np.diff(edges))])
    moment = np.concatenate([[0.0], np.cumsum(area[:-1] * np.diff(edges) + 0.5 * values * np.diff(edges) ** 2)])

    def twice_integrated(at: Array) -> Array:
        k = np.clip(np.searchsorted(edges, at, side="right") - 1, 0, len(values) - 1)
        beyond = at - edges[k]
        return np.asarray(moment[k] + (area[k] + 0.5 * values[k] * beyond) * beyond)

    nodes = twice_integrated(np.concatenate([[low], starts + 0.5 * width, [high]]))
    averages = np.diff(nodes, 2) / width**2
    levels = level + solve_banded((1, 1), _triangle_over_steps(len(starts)), averages)
    ends = np.maximum(np.minimum(starts + width, signal.end), starts)
    return np.where(_unknown_between(signal, starts, ends), np.nan, levels)


def _triangle_over_steps(count: int) -> Array:
    """Triangular averages of a staircase around the middle of its steps, as a band matrix."""
    bands = np.array([[0.125], [0.75], [0.125]]) * np.ones(count)
    bands[1, 0] += 0.125
    bands[1, -1] += 0.125
    return bands


def _curve(signal: StampedSignal) -> CubicHermiteSpline:
    t, y = signal.time, signal.values
    slopes = np.empty(len(t))
    slopes[1:-1] = (y[2:] - y[:-2]) / (t[2:] - t[:-2])
    slopes[[0, -1]] = (y[1] - y[0]) / (t[1] - t[0]), (y[-1] - y[-2]) / (t[-1] - t[-2])
    apart = np.flatnonzero(np.diff(t) > signal.longest + _ROUNDING)
    for k in apart:  # no chord slopes across a hole
        slopes[k] = (y[k] - y[k - 1]) / (t[k] - t[k - 1]) if k else 0.0
        slopes[k + 1] = (y[k + 2] - y[k + 1]) / (t[k + 2] - t[k + 1]) if k + 2 < len(t) else 0.0
    return CubicHermiteSpline(t, y, slopes)


def _reading_before(signal: StampedSignal, at: Array) -> NDArray[np.int64]:
    return np.maximum(np.searchsorted(signal.time, at + _ROUNDING, side="right") - 1, 0)


def _stair_area(signal: StampedSignal, at: Array) -> Array:
    areas = np.concatenate([[0.0], np.cumsum(signal.values[:-1] * np.diff(signal.time))])
    k = _reading_before(signal, at)
    return np.asarray(areas[k] + signal.values[k] * (at - signal.time[k]))


def _unknown_between(signal: StampedSignal, low: Array, high: Array) -> NDArray[np.bool_]:
    """Whether an interval, or a point, lies before the first reading, beyond the last or partly in a hole."""
    t = signal.time
    apart = np.diff(t) > signal.longest + _ROUNDING
    starts, ends = t[:-1][apart], t[1:][apart]
    # The first hole that ends after the interval begins: does it begin before the interval ends?
    k = np.searchsorted(ends, low + _ROUNDING, side="right")
    into = np.zeros(len(low), dtype=bool)
    inside = k < len(starts)
    into[inside] = starts[k[inside]] < high[inside] - _ROUNDING
    return np.asarray(into | (low < t[0] - _ROUNDING) | (high > signal.end + _ROUNDING))
