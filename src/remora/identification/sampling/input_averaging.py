"""Averages of inputs over intervals around the stamps of the motion, exact for a zero-order hold."""

import numpy as np

from remora.files.arrays import Array
from remora.identification.data.record import Times


def interval_averaged(time_ns: Times, values: Array, held: bool, at_ns: Times, width: float) -> Array:
    """Mean of a signal over an interval centred on each stamp.

    The mean is exact: steps where the signal is held (zero-order hold), straight lines where it is sampled. Point
    samples of a staircase would bias a fit; means do not (Britto Neto 2018). Intervals are cut at the ends of the
    signal.

    Parameters
    ----------
    time_ns, values
        Stamps, ns, and values of the signal.
    held
        Whether a value holds until the next stamp.
    at_ns
        Stamps of the motion, ns.
    width
        Length of the interval, s.
    """
    origin = time_ns[0]
    t, at = (time_ns - origin) * 1e-9, (at_ns - origin) * 1e-9
    last = t[-1] + (np.median(np.diff(t)) if held and len(t) > 1 else 0.0)
    low, high = np.clip(at - 0.5 * width, t[0], last), np.clip(at + 0.5 * width, t[0], last)
    empty = high <= low
    high = np.where(empty, low + 1e-9, high)
    means = (_integral(t, values, held, high) - _integral(t, values, held, low)) / (high - low)[:, None]
    point = values[np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 1)]
    return np.asarray(np.where(empty[:, None], point, means))


def _integral(t: Array, values: Array, held: bool, at: Array) -> Array:
    """Integral of the signal from its first stamp."""
    steps = np.diff(t)[:, None]
    areas = values[:-1] * steps if held else 0.5 * (values[:-1] + values[1:]) * steps
    up_to = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(areas, axis=0)])
    k = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 1)
    beyond = (at - t[k])[:, None]
    slopes = np.zeros_like(values)
    if not held:
        slopes[:-1] = np.diff(values, axis=0) / steps
    return np.asarray(up_to[k] + (values[k] + 0.5 * slopes[k] * beyond) * beyond)
