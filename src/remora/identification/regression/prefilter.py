"""How the two sides of the equation of motion are made smooth, and where the acceleration comes from.

- `filtered`: both sides go through the same low-pass window. The derivative goes over to the window (integration by
  parts: the modulating functions of Shinbrot), so nothing is ever differentiated. The default.
- `differentiated`: velocity differentiated by Savitzky and Golay, raw velocity in the regressor (Britto Neto 2018).
- `smoothed`: the same, but velocity and effort in the regressor are smoothed alike.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import signal

from remora.files.arrays import Array
from remora.identification.sampling.smoothing import savitzky_golay, savitzky_golay_kernel

PrefilterKind: TypeAlias = Literal["filtered", "differentiated", "smoothed"]
Operation: TypeAlias = Callable[[Array], Array]
Rows: TypeAlias = NDArray[np.int64]
# Half width of the window of `filtered` unless given: this long, and at least so many samples.
_HALF_WIDTH = 1.0
_FEWEST = 4
# The window is (1 - s^2)^p: three derivatives vanish at its ends.
_POWER = 4
# Samples of the polynomials of the others unless given, and the seconds that they may span.
_SAMPLES, _LONGEST = 33, 1.651
_ORDER = 3


def _same(values: Array) -> Array:
    return values


class Prefilter(NamedTuple):
    """What is done to the samples of one segment; all operations but the first keep only the rows that count."""

    kind: PrefilterKind
    motion: Operation  # to the measured twist before anything is computed from it
    term: Operation  # to terms computed from the twist
    effort: Operation  # to terms computed from the inputs
    rate: Operation  # from the twist to its derivative
    kept: Callable[[int], Rows]  # of a segment of so many samples, those that give a row
    shortest: int  # samples that a segment needs to give a row
    stride: int  # samples from row to row: rows in between say nothing new
    window: float  # s, whole width
    noise_left: float  # share of the variance of white noise that is still in the treated twist


class LowPassWindow(NamedTuple):
    """The window of `filtered` in samples. Row r uses the 2 half + 1 samples up to number r stride, latest first."""

    half: int
    stride: int
    first: int  # the first row whose samples are all there
    low_pass: Array
    slope: Array  # takes the derivative and the low-pass at once


def low_pass_window(interval: float, half_width: float | None = None) -> LowPassWindow:
    """The window of so many seconds each side of a sample."""
    half = max(_FEWEST, round((half_width or _HALF_WIDTH) / interval))
    s = np.arange(-half, half + 1) / (half + 1)
    window = (1.0 - s * s) ** _POWER
    slope = -2.0 * _POWER * s * (1.0 - s * s) ** (_POWER - 1)
    # Each is scaled so that a constant and a ramp come out exactly.
    window = window / window.sum()
    slope = slope / np.sum(-slope * s * (half + 1) * interval)
    stride = max(1, half // 4)
    return LowPassWindow(half, stride, -(-2 * half // stride), window, slope)


def filtered(interval: float, half_width: float | None = None) -> Prefilter:
    """Both sides through the same window of so many seconds each side of a sample."""
    half, stride, first, window, slope = low_pass_window(interval, half_width)

    def through(kernel: Array) -> Operation:
        def op(values: Array) -> Array:
            whole = signal.upfirdn(kernel, values, down=stride, axis=0)
            return np.asarray(whole[first : 1 + (len(values) - 1) // stride])

        return op

    def kept(samples: int) -> Rows:
        return np.arange(first, 1 + (samples - 1) // stride) * stride - half

    few = 2 * (half // 8) + 1

    def steadied(twist: Array) -> Array:
        """Less noise in products of speeds: a squared error has a mean, which the window would let through."""
        return savitzky_golay(twist, few, _ORDER, interval) if few > _ORDER else twist

    low_pass = through(window)
    width = 2.0 * half * interval
    left = _noise_left(few, _ORDER) if few > _ORDER else 1.0
    return Prefilter(
        "filtered", steadied, low_pass, low_pass, through(slope), kept, first * stride + 1, stride, width, left
    )  # fmt: skip


def differentiated(interval: float, window: int = 33, order: int = 3, smooth: bool = False) -> Prefilter:
    """Velocity differentiated over an odd number of samples, and smoothed alike in the regressor if wanted."""
    half = window // 2

    def fitted(derivative: int) -> Operation:
        return lambda values: savitzky_golay(values, window, order, interval, derivative)

    def inner(op: Operation) -> Operation:
        return lambda values: op(values)[half : len(values) - half]

    smoothing = fitted(0) if smooth else _same
    kind: PrefilterKind = "smoothed" if smooth else "differentiated"
    return Prefilter(
        kind, smoothing, inner(_same), inner(smoothing), inner(fitted(1)),
        lambda samples: np.arange(half, samples - half), window, 1, window * interval,
        _noise_left(window, order) if smooth else 1.0,
    )  # fmt: skip


def _noise_left(window: int, order: int) -> float:
    """Share of the variance of white noise that smoothing leaves: the sum of its squared weights."""
    return float(np.sum(savitzky_golay_kernel(window, order) ** 2))


def prefilter_of(
    kind: PrefilterKind, interval: float, half_width: float | None, window: int | None, order: int
) -> Prefilter:
    """The treatment of this kind for samples so many seconds apart."""
    if kind == "filtered":
        return filtered(interval, half_width)
    return differentiated(interval, window or _usual_window(interval, order), order, smooth=kind == "smoothed")


def _usual_window(interval: float, order: int) -> int:
    """The odd number of samples for polynomials unless one is given: at low rates many samples hide the motion."""
    return max(2 * int(0.5 * min(_SAMPLES, _LONGEST / interval)) + 1, order + 4 - order % 2)
