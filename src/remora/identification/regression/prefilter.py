"""Prefilters of the equation of motion, which also give the acceleration.

- `filtered`: both sides through one low-pass window. The derivative is transferred to the window by integration by
  parts (modulating functions of Shinbrot), so no signal is differentiated. The default.
- `differentiated`: Savitzky-Golay derivative of the velocity, raw velocity in the regressor (Britto Neto 2018).
- `smoothed`: the same with velocity and effort in the regressor smoothed by the same polynomials.

Segments of a record are filtered in pieces that fit into the processor cache.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import signal

from remora.files.arrays import Array
from remora.identification.data.record import Segment
from remora.identification.sampling.smoothing import savitzky_golay, savitzky_golay_kernel

PrefilterKind: TypeAlias = Literal["filtered", "differentiated", "smoothed"]
Operation: TypeAlias = Callable[[Array], Array]
Rows: TypeAlias = NDArray[np.int64]
# Default half width of the window of `filtered`, s, and the fewest samples in it.
_HALF_WIDTH = 1.0
_FEWEST = 4
# The window is (1 - s^2)^p: three derivatives vanish at its ends.
_POWER = 4
# Default number of samples of the polynomials, and the longest time that they span, s.
_SAMPLES, _LONGEST = 33, 1.651
_ORDER = 3


def _same(values: Array) -> Array:
    return values


class Prefilter(NamedTuple):
    """Operations on the samples of one segment; all but the first return only the rows that are kept."""

    kind: PrefilterKind
    motion: Operation  # on the measured twist, before terms are computed
    term: Operation  # on terms of the twist
    effort: Operation  # on terms of the inputs
    rate: Operation  # from the twist to its derivative
    kept: Callable[[int], Rows]  # from the number of samples of a segment to those that give a row
    shortest: int  # samples that a segment needs to give a row
    stride: int  # samples from row to row: rows in between are redundant
    window: float  # s, whole width
    noise_left: float  # share of the variance of white noise left in the filtered twist


class LowPassWindow(NamedTuple):
    """The window of `filtered` in samples. Row r uses the 2 half + 1 samples up to number r stride, latest first."""

    half: int
    stride: int
    first: int  # first row with a complete window
    low_pass: Array
    slope: Array  # derivative and low-pass in one


def low_pass_window(interval: float, half_width: float | None = None) -> LowPassWindow:
    """Window with the given half width, s."""
    half = max(_FEWEST, round((half_width or _HALF_WIDTH) / interval))
    s = np.arange(-half, half + 1) / (half + 1)
    window = (1.0 - s * s) ** _POWER
    slope = -2.0 * _POWER * s * (1.0 - s * s) ** (_POWER - 1)
    # Scaled to be exact for a constant and a ramp.
    window = window / window.sum()
    slope = slope / np.sum(-slope * s * (half + 1) * interval)
    stride = max(1, half // 4)
    return LowPassWindow(half, stride, -(-2 * half // stride), window, slope)


def filtered(interval: float, half_width: float | None = None) -> Prefilter:
    """Prefilter with one low-pass window of the given half width, s, on both sides."""
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
        """Twist with less noise in products of speeds: the mean of a squared error would pass the window."""
        return savitzky_golay(twist, few, _ORDER, interval) if few > _ORDER else twist

    low_pass = through(window)
    width = 2.0 * half * interval
    left = _noise_left(few, _ORDER) if few > _ORDER else 1.0
    return Prefilter(
        "filtered", steadied, low_pass, low_pass, through(slope), kept, first * stride + 1, stride, width, left
    )  # fmt: skip


def differentiated(interval: float, window: int = 33, order: int = 3, smooth: bool = False) -> Prefilter:
    """Savitzky-Golay derivative over an odd number of samples, optionally with smoothed regressors."""
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
    """Share of the variance of white noise after smoothing: the sum of squared weights."""
    return float(np.sum(savitzky_golay_kernel(window, order) ** 2))


def prefilter_of(
    kind: PrefilterKind, interval: float, half_width: float | None, window: int | None, order: int
) -> Prefilter:
    """Prefilter of a kind for a sampling interval, s."""
    if kind == "filtered":
        return filtered(interval, half_width)
    return differentiated(interval, window or _usual_window(interval, order), order, smooth=kind == "smoothed")


def _usual_window(interval: float, order: int) -> int:
    """Default odd number of samples of the polynomials; fewer at low rates, where many samples hide the motion."""
    return max(2 * int(0.5 * min(_SAMPLES, _LONGEST / interval)) + 1, order + 4 - order % 2)


PIECE_SAMPLES = 8192


def pieces_of_segments(segments: Sequence[Segment], prefilter: Prefilter) -> Iterator[Segment]:
    """Segments in pieces that fit into the processor cache.

    Pieces overlap by a window, so that their rows are those of the whole segment.
    """
    length = max(PIECE_SAMPLES, 4 * prefilter.shortest)
    step = len(prefilter.kept(length)) * prefilter.stride
    for s in segments:
        for start in range(s.start, s.stop, step):
            piece = Segment(start, min(start + length, s.stop))
            if piece.stop - piece.start >= prefilter.shortest:
                yield piece


def joined_pieces(segments: Sequence[Segment], prefilter: Prefilter) -> Iterator[list[Segment]]:
    """The same pieces, short ones together: calls of the equations with few samples each take much longer."""
    together: list[Segment] = []
    for piece in pieces_of_segments(segments, prefilter):
        if together and sum(s.stop - s.start for s in (*together, piece)) > PIECE_SAMPLES:
            yield together
            together = []
        together.append(piece)
    if together:
        yield together


def piece_slices(pieces: Sequence[Segment]) -> list[slice]:
    """Places of pieces in the joined samples."""
    ends = np.cumsum([s.stop - s.start for s in pieces]).tolist()
    return [slice(start, end) for start, end in pairwise([0, *ends])]
