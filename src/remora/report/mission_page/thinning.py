"""Fewer samples for the page: poses exact at 20 Hz, other channels by the extremes of each interval.

Extremes keep every peak. They are written as pairs (smallest, largest) per interval; a gap stays a gap.
"""

import math

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array

POSE_RATE = 20.0  # Hz, of the samples that the scene uses
INTERVAL = 0.1  # s, of a pair of extremes
MOST_PAIRS = 12_000  # of one channel; the interval grows for longer runs


def exact_rows(times: Array, rate: float = POSE_RATE) -> NDArray[np.int64]:
    """Indices of the samples that are kept: the last one in each interval of a rate, and the first."""
    if len(times) < 2:
        return np.arange(len(times), dtype=np.int64)
    interval = np.floor((times - times[0]) * rate + 1e-6).astype(np.int64)
    last = np.flatnonzero(np.diff(interval, append=interval[-1] + 1))
    return np.unique(np.concatenate([np.zeros(1, np.int64), last]))


def interval_of(times: Array) -> float:
    """Length of the intervals of extremes, s."""
    duration = float(times[-1] - times[0])
    return INTERVAL * max(1, math.ceil(duration / INTERVAL / MOST_PAIRS))


def is_dense(times: Array) -> bool:
    """Whether a channel has more samples than its pairs of extremes would be."""
    return len(times) > 2 and (times[-1] - times[0]) / interval_of(times) * 2.0 < len(times) * 0.9


def pair_times(times: Array) -> Array:
    """Times of pairs of extremes: a quarter and three quarters into each interval that holds samples."""
    interval = interval_of(times)
    starts = times[0] + interval * np.unique(_bins(times))
    return np.column_stack([starts + 0.25 * interval, starts + 0.75 * interval]).ravel()


def extremes(times: Array, values: Array) -> Array:
    """Smallest and largest value of each interval in turn; NaN for both where an interval holds a gap only."""
    first = np.unique(_bins(times), return_index=True)[1]
    low = np.minimum.reduceat(np.where(np.isnan(values), np.inf, values), first)
    high = np.maximum.reduceat(np.where(np.isnan(values), -np.inf, values), first)
    pairs = np.column_stack([low, high])
    pairs[~np.isfinite(pairs)] = np.nan
    return np.asarray(pairs.ravel())


def _bins(times: Array) -> Array:
    return np.asarray(np.floor((times - times[0]) / interval_of(times) + 1e-6).astype(np.int64))
