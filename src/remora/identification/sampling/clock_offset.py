"""Clock offset between two recorders, or latency of one, from a quantity that both recorded."""

from typing import NamedTuple

import numpy as np
from scipy import interpolate, optimize, signal

from remora.files.arrays import Array
from remora.identification.problems import RecordError
from remora.identification.sampling.smoothing import savitzky_golay
from remora.identification.uncertainty.correlated_residuals import long_run_covariance

# Smoothing width of the second signal in half widths of the correlation peak.
_SMOOTHED = 1.5
_ORDER = 3
# Number of local searches: the first may end at the edge of its range where the motion is slow.
_SEARCHES = 10


class ClockOffset(NamedTuple):
    """Delay of the stamps of the second recorder."""

    offset: float  # s: stamps of the second less stamps of the first
    sigma: float  # s, one standard deviation
    correlation: float  # of both signals once aligned, 1 where they are the same


class _Lines(NamedTuple):
    """Both signals on one grid, and their cross-correlation."""

    step: float  # s
    lags: Array  # s
    match: Array


def clock_offset(first_time: Array, first: Array, second_time: Array, second: Array, largest: float) -> ClockOffset:
    """Offset between two recorders, or latency of one, from the same quantity recorded by both.

    The peak of the cross-correlation is the first guess. A smooth curve through the second signal is then shifted along
    the samples of the first to the least difference. The smoothing is symmetric in time and causes no shift; without
    it, interpolated noise would bias the offset towards the middle between samples.

    Parameters
    ----------
    first_time, first
        Stamps in seconds and values of one recorder.
    second_time, second
        The same of the other; rates may differ, positive scales and constant parts too.
    largest
        Largest offset, s; less than half of the period of a periodic motion.

    Raises
    ------
    RecordError
        When stamps or values are broken, or the signals do not overlap, do not move, or do not look alike.
    """
    _check("first", first_time, first)
    _check("second", second_time, second)
    start, stop = max(first_time[0], second_time[0]), min(first_time[-1], second_time[-1])
    inside = (first_time >= start + largest) & (first_time <= stop - largest)
    if np.sum(inside) < 20:
        raise RecordError(f"the recorders share only {max(stop - start, 0.0):.3g} s, too little for {largest:g} s.")
    lines = _correlated(first_time, first, second_time, second, start, stop)
    near = np.abs(lines.lags) <= largest
    peak = int(np.argmax(np.where(near, lines.match, -np.inf)))
    if -float(lines.match[near].min()) > float(lines.match[peak]):
        raise RecordError("the signals go opposite ways. Turn the sign of one of them.")
    width = _half_width(lines, peak)
    curve = _smooth_curve(second_time, second, width)
    return _slid(first_time[inside], first[inside], curve, float(lines.lags[peak]), width)


def _check(name: str, times: Array, values: Array) -> None:
    if len(times) != len(values) or len(times) < 4:
        raise RecordError(f"the {name} signal has {len(times)} stamps and {len(values)} values. Give 4 or more.")
    if not (np.all(np.isfinite(times)) and np.all(np.isfinite(values))):
        raise RecordError(f"the {name} signal holds NaN or infinite numbers. Leave those samples out.")
    if np.any(np.diff(times) <= 0.0):
        raise RecordError(f"stamps of the {name} signal repeat or run backwards. Sort them.")
    if np.std(values) == 0.0:
        raise RecordError(f"the {name} signal does not move, so nothing shows the offset.")


def _correlated(
    first_time: Array, first: Array, second_time: Array, second: Array, start: float, stop: float
) -> _Lines:
    """Cross-correlation on a grid of the faster rate."""
    step = float(min(np.median(np.diff(first_time)), np.median(np.diff(second_time))))
    grid = np.arange(start, stop, step)
    a, b = np.interp(grid, first_time, first), np.interp(grid, second_time, second)
    lags = signal.correlation_lags(len(b), len(a)) * step
    return _Lines(step, np.asarray(lags), signal.correlate(b - b.mean(), a - a.mean()))


def _half_width(lines: _Lines, peak: int) -> float:
    """Half width of the correlation peak, s: the time scale of the motion."""
    below = np.flatnonzero(lines.match < 0.5 * lines.match[peak])
    return float(np.abs(below - peak).min() if len(below) else 1) * lines.step


def _smooth_curve(times: Array, values: Array, width: float) -> interpolate.CubicSpline:
    """Smooth curve through a signal."""
    step = float(np.median(np.diff(times)))
    even = np.arange(times[0], times[-1] + 0.5 * step, step)
    samples = np.interp(even, times, values)
    window = min(2 * int(0.5 * _SMOOTHED * width / step) + 1, len(even) - 1 + len(even) % 2)
    if window > _ORDER + 1:
        samples = savitzky_golay(samples, window, _ORDER, step)
    return interpolate.CubicSpline(even, samples)


def _slid(at: Array, wanted: Array, curve: interpolate.CubicSpline, guess: float, width: float) -> ClockOffset:
    """Least-squares offset of the curve; scale and level are fitted at each offset."""

    def basis(offset: float) -> Array:
        return np.column_stack([curve(at + offset), np.ones(len(at))])

    def left(offset: float) -> Array:
        matrix = basis(offset)
        return np.asarray(wanted - matrix @ np.linalg.lstsq(matrix, wanted, rcond=None)[0])

    offset = guess
    for _ in range(_SEARCHES):
        found = optimize.minimize_scalar(
            lambda x: float(np.sum(left(x) ** 2)),
            bounds=(offset - width, offset + width),
            method="bounded",
            options={"xatol": 1e-7},
        )
        moved, offset = abs(float(found.x) - offset), float(found.x)
        if moved < 0.9 * width:
            break
    matrix = basis(offset)
    correlation = float(np.corrcoef(matrix[:, 0], wanted)[0, 1])
    if not correlation > 0.5:
        raise RecordError(
            f"the signals do not look alike (correlation {correlation:.2f}), so no offset can be determined."
        )
    return ClockOffset(offset, _sigma(at, wanted, matrix, np.asarray(curve(at + offset, 1))), correlation)


def _sigma(at: Array, wanted: Array, matrix: Array, slope: Array) -> float:
    """Standard deviation of the offset with residuals correlated in time."""
    scale = np.linalg.lstsq(matrix, wanted, rcond=None)[0]
    steep = scale[0] * (slope - matrix @ np.linalg.lstsq(matrix, slope, rcond=None)[0])
    scores = (wanted - matrix @ scale) * steep
    spread = long_run_covariance((scores - scores.mean())[:, None], 1.0).covariance[0, 0]
    return float(np.sqrt(spread) / max(float(np.sum(steep**2)), 1e-300))
