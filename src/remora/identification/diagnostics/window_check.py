"""Suitability of the polynomial window of a regression: attenuated motion and transmitted noise."""

from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.regression.problem import RegressionProblem
from remora.identification.regression.regressor import relative_twist
from remora.identification.regression.rows import noise_of
from remora.identification.sampling.smoothing import savitzky_golay_kernel
from remora.vehicles.names import DEGREES_OF_FREEDOM

# Largest RMS shares of an acceleration; the errors of the parameters are about as large.
_MOST_LOST, _MOST_NOISE = 0.02, 0.1


class WindowShares(NamedTuple):
    """Errors of an acceleration from differentiation over a window, as RMS shares."""

    lost: float  # motion attenuated by the window
    noise: float  # noise transmitted by the window


def window_warnings(problem: RegressionProblem, order: int) -> list[str]:
    """Warnings where polynomial accelerations over the window are inaccurate."""
    sentences = []
    for record, prefilter, interval in zip(problem.records, problem.prefilters, problem.intervals, strict=True):
        if prefilter.kind == "filtered":
            continue
        window = prefilter.shortest
        found = {axis: window_shares(record, axis, window, order, interval) for axis in problem.axes}
        bad = [
            f"{axis} {one.lost:.0%} and {one.noise:.0%}"
            for axis, one in found.items()
            if one.lost > _MOST_LOST or one.noise > _MOST_NOISE
        ]
        if bad:
            sentences.append(
                f"{record.source}: accelerations over {window} samples, {window * interval:.2g} s at "
                f"{1.0 / interval:.3g} Hz, are inaccurate. Share lost to smoothing, and share of noise: "
                f"{'; '.join(bad)}. Parameters may be wrong by at least as much; use the default method, instruments."
            )
    return sentences


def window_shares(record: Record, axis: str, window: int, order: int, interval: float) -> WindowShares:
    """Shares of one speed; noise is estimated from the residual of a cubic through five samples."""
    i = DEGREES_OF_FREEDOM.index(axis)
    twist = relative_twist(record.twist, record.quaternion, record.water)
    slope = savitzky_golay_kernel(window, order, 1, step=interval)
    twice = np.convolve(slope, savitzky_golay_kernel(window, order))
    noise = float(noise_of(twist, record.segments)[i]) ** 2
    change = twice - np.pad(slope, (window - 1) // 2)
    parts = [twist[s.start : s.stop, i] for s in record.segments if s.stop - s.start >= len(twice)]
    if not parts:
        return WindowShares(0.0, 0.0)
    through = noise * float(slope @ slope)
    motion = max(_power(parts, slope) - through, 1e-300)
    lost = max(_power(parts, change) - noise * float(change @ change), 0.0)
    return WindowShares(float(np.sqrt(lost / motion)), float(np.sqrt(through / motion)))


def _power(parts: list[Array], kernel: Array) -> float:
    """Mean square of filtered signals."""
    return float(np.mean(np.concatenate([np.correlate(part, kernel, "valid") for part in parts]) ** 2))
