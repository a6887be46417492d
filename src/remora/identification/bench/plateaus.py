"""Steady plateaus of a record with stepped levels, each with its mean and standard deviation."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, signal, stats

from remora.equations.actuators.drives import PulseThrust, thrust_from_pulse
from remora.files.arrays import Array
from remora.identification.bench.fitting import BenchDataError, BenchParameter, columns, fit_numbers, positive, rising
from remora.identification.bench.result import BenchFit
from remora.identification.bench.thrust_curves import dead_zone

_BLOCKS = 10  # blocks per plateau, for the standard deviation of its mean
_ROUNDS = 20  # iterations of fit and scatter between plateaus
_UNSTEADY = 1e-3  # probability below which a first block or a trend counts as drift


class Plateau(NamedTuple):
    """A steady part of a record."""

    level: float  # commanded level
    start: float  # s, without settling
    end: float  # s
    mean: float
    sigma: float  # standard deviation of the mean with correlated samples
    samples: int
    drifts: bool  # not settled at first, or with a trend


def plateaus(
    times: ArrayLike, levels: ArrayLike, readings: ArrayLike, settle: float, shortest: float = 0.0
) -> list[Plateau]:
    """Parts of constant level without their settling time.

    Parameters
    ----------
    times, levels, readings
        Increasing stamps, s, with the commanded level and the measured value at each.
    settle, shortest
        Time removed after each change of level, s, and shortest plateau after that, s.
    """
    t, level, reading = columns(3, times=times, levels=levels, readings=readings)
    rising("times", t)
    edges = [0, *(np.flatnonzero(np.diff(level) != 0.0) + 1).tolist(), len(t)]
    found = []
    for first, last in pairwise(edges):
        kept = slice(first + int(np.searchsorted(t[first:last], t[first] + settle)), last)
        if len(t[kept]) >= 2 * _BLOCKS and t[last - 1] - t[kept][0] >= shortest:
            found.append(_plateau(level[first], t[kept], reading[kept]))
    if not found:
        raise BenchDataError(f"no level is held for more than {settle:g} s after it was reached. Settle for less.")
    return found


def found_levels(times: ArrayLike, readings: ArrayLike, step: float, window: float) -> Array:
    """Levels of a record without commands: numbered parts between jumps of the reading.

    A jump is a maximum of the difference between the means before and after, above half a step.

    Parameters
    ----------
    times, readings
        Stamps, s, and measured values.
    step, window
        Smallest jump between levels, in the unit of the readings, and averaging time on each side, s.
    """
    t, reading = columns(4, times=times, readings=readings)
    rising("times", t)
    positive(step=step, window=window)
    width = max(round(window / float(np.median(np.diff(t)))), 2)
    if len(t) < 2 * width:
        raise BenchDataError(f"the record is shorter than two windows of {window:g} s. Give a shorter window.")
    sums = np.concatenate([[0.0], np.cumsum(reading)])
    means = (sums[width:] - sums[:-width]) / width
    jumps = np.abs(means[width:] - means[:-width])  # at sample i + width
    peaks = signal.find_peaks(jumps, height=0.5 * step, distance=width)[0] + width
    return np.asarray(np.searchsorted(peaks, np.arange(len(t)), side="right"), dtype=float)


def fit_bollard_staircase(
    times: ArrayLike,
    pulses: ArrayLike,
    cells: Sequence[ArrayLike],
    settle: float = 5.0,
    neutral: float = 1500.0,
) -> BenchFit[PulseThrust]:
    """Thrust over pulse width from a staircase of pulse widths against load cells (Nielsen 2018, sec. 4.4).

    Parameters
    ----------
    times, pulses
        Stamps, s, and commanded pulse widths, microseconds.
    cells, settle
        Readings of the load cells, N, whose sum is the thrust, and time removed after each step, s.
    neutral
        Pulse width at rest, microseconds; its plateaus give the zero of the cells. The error of that zero is part of
        the intervals.
    """
    if not cells:
        raise BenchDataError("no load cell was given. Give the readings of at least one.")
    named = {f"cells[{i}]": cell for i, cell in enumerate(cells)}
    t, pulse, *influence = columns(3, times=times, pulses=pulses, **named)
    steps = plateaus(t, pulse, np.sum(influence, axis=0), settle)
    fit = _fit_stairs(steps, neutral)
    drifting = [f"{step.level:g}" for step in steps if step.drifts and step.level != neutral]
    warnings = [f"The thrust was not steady at {', '.join(drifting)} us."] if drifting else []
    if not any(step.level == neutral for step in steps):
        warnings.append("No plateau at neutral: the zero of the load cells was not checked.")
    return fit.with_warnings(*warnings)


def _fit_stairs(steps: Sequence[Plateau], neutral: float) -> BenchFit[PulseThrust]:
    """Joint fit of law and zero of the cells, whose error affects every plateau.

    Plateaus repeat less well than the noise within them suggests. The missing variance is added to each, so that none
    has a high weight by chance.
    """
    away, mean = (np.array([getattr(step, name) for step in steps]) for name in ("level", "mean"))
    away = away - neutral
    zeros = mean[away == 0.0]
    zero = float(np.mean(zeros)) if zeros.size else 0.0
    dead, warnings = dead_zone(away[away != 0.0], mean[away != 0.0] - zero)
    used = (away == 0.0) | (np.abs(away) >= max(dead, 1e-9))
    away, mean, own = away[used], mean[used], _own_deviations(steps)[used]
    extra, fit = 0.0, _fit_with_zero(away, mean, own, dead, zero if zeros.size else None)
    for _ in range(_ROUNDS):
        before, extra = extra, _missing_variance(fit.residuals, own, len(fit.values))
        if abs(extra - before) <= 1e-3 * extra:
            break
        sigma = np.sqrt(own**2 + extra)
        fit = _fit_with_zero(away, mean, sigma, dead, zero if zeros.size else None)
    return replace(
        fit.with_warnings(*warnings),
        names=fit.names[:2],
        units=fit.units[:2],
        values=fit.values[:2],
        covariance=fit.covariance[:2, :2],
        residuals=fit.residuals[away != 0.0],
    )


def _fit_with_zero(away: Array, mean: Array, sigma: Array, dead: float, zero: float | None) -> BenchFit[PulseThrust]:
    """Linear and quadratic coefficient, and the zero of the cells where a plateau at rest exists."""
    full, top = float(np.abs(away).max()), float(np.abs(mean).max()) or 1.0
    numbers = [
        BenchParameter("linear", "N/us", top / full, 0.0),
        BenchParameter("quadratic", "N/us2", 0.0, 0.0, scale=top / full**2),
        *([] if zero is None else [BenchParameter("zero", "N", zero, scale=top)]),
    ]

    def predict(values: Array) -> Array:
        law = PulseThrust(float(values[0]), float(values[1]), dead)
        offset = float(values[2]) if zero is not None else 0.0
        return np.asarray(thrust_from_pulse(law, away)) + offset  # type: ignore[arg-type]

    fit = fit_numbers("thrust over pulse width", numbers, predict, mean, sigma)
    return fit.with_law(PulseThrust(float(fit.values[0]), float(fit.values[1]), dead))


def _own_deviations(steps: Sequence[Plateau]) -> Array:
    """Standard deviation of each mean from its own noise, at least a tenth of the median."""
    sigma = np.array([step.sigma for step in steps])
    floor = 0.1 * float(np.median(sigma[sigma > 0.0])) if np.any(sigma > 0.0) else 1.0
    return np.maximum(sigma, floor)


def _missing_variance(residuals: Array, own: Array, numbers: int) -> float:
    """Variance to add to each point for residuals consistent with their variances."""
    freedom = len(residuals) - numbers

    def excess(extra: float) -> float:
        return float(np.sum(residuals**2 / (own**2 + extra))) - freedom

    if excess(0.0) <= 0.0:
        return 0.0
    return float(optimize.brentq(excess, 0.0, float(np.sum(residuals**2)) / freedom))


def share_explained(measured: ArrayLike, residuals: Array) -> float:
    """R^2: share of the variance of the measurements that a fit explains."""
    values = np.asarray(measured, dtype=float)
    return 1.0 - float(np.sum(residuals**2) / np.sum((values - values.mean()) ** 2))


def _plateau(level: float, t: Array, reading: Array) -> Plateau:
    """Mean over blocks; their scatter gives its standard deviation for any correlation inside a block."""
    blocks = np.array([block.mean() for block in np.array_split(reading, _BLOCKS)])
    sigma = float(np.std(blocks, ddof=1) / np.sqrt(_BLOCKS))
    return Plateau(float(level), float(t[0]), float(t[-1]), float(reading.mean()), sigma, len(t), _drifts(blocks))


def _drifts(blocks: Array) -> bool:
    """Whether the first block differs from the others, or all follow a trend, significantly."""
    spread = float(np.std(blocks[1:], ddof=1)) * np.sqrt(1.0 + 1.0 / (_BLOCKS - 1))
    if spread == 0.0:
        return bool(blocks[0] != blocks[1])
    off = abs(float(blocks[0] - blocks[1:].mean())) / spread
    unsettled = 2.0 * float(stats.t.sf(off, _BLOCKS - 2)) < _UNSTEADY
    return bool(unsettled or stats.linregress(np.arange(_BLOCKS), blocks).pvalue < _UNSTEADY)
