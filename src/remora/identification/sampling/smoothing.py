"""Smoothing and differentiation of sampled signals: Savitzky-Golay polynomials and zero-phase filters."""

from functools import lru_cache

import numpy as np
from scipy import signal

from remora.files.arrays import Array
from remora.identification.problems import RecordError


def savitzky_golay_kernel(window: int, order: int, derivative: int = 0, at: float = 0.0, step: float = 1.0) -> Array:
    """Savitzky-Golay kernel: weights of the samples of a window in time order.

    The dot product of the kernel with the samples is the fitted polynomial or its derivative.

    Parameters
    ----------
    window, order, derivative, step
        Odd number of samples, orders of the polynomial and of the derivative, and sampling interval, s.
    at
        Point of evaluation in samples from the centre: 0 is the centre, (window - 1) / 2 the newest sample.
    """
    _check(window, order, derivative)
    half = (window - 1) // 2
    if abs(at) > half:
        raise ValueError(f"at is {at}: the window reaches from {-half} to {half}")
    return _kernel(window, order, derivative, float(at), float(step)).copy()


@lru_cache(maxsize=1024)
def _kernel(window: int, order: int, derivative: int, at: float, step: float) -> Array:
    place = (window - 1) // 2 + at
    return np.asarray(signal.savgol_coeffs(window, order, deriv=derivative, delta=step, pos=place, use="dot"))


def savitzky_golay(values: Array, window: int, order: int, step: float, derivative: int = 0, at: int = 0) -> Array:
    """Smooth or differentiate uniformly sampled columns by Savitzky-Golay polynomials.

    At the ends the nearest whole window is evaluated at the sample. With `at` at the end of the window the filter is
    causal.

    Parameters
    ----------
    values, window, order
        Samples, one row each, odd number of them in the window, and order of the polynomial.
    step, derivative, at
        Sampling interval, s, order of the derivative, and position of the sample in its window, from the centre.
    """
    _check(window, order, derivative)
    n = len(values)
    if n < window:
        raise RecordError(
            f"{n} samples are fewer than the window of {window}. Give a longer record or a shorter window."
        )
    half = (window - 1) // 2
    columns = values.reshape(n, -1)
    before = half + at  # samples of the window before the evaluated one
    kernel = savitzky_golay_kernel(window, order, derivative, at, step)
    inner = signal.oaconvolve(columns, kernel[::-1, None], mode="valid", axes=0)
    result = np.empty_like(columns, dtype=float)
    result[before : before + len(inner)] = inner
    for i in range(before):
        result[i] = savitzky_golay_kernel(window, order, derivative, i - half, step) @ columns[:window]
    for i in range(before + len(inner), n):
        place = i - (n - window) - half
        result[i] = savitzky_golay_kernel(window, order, derivative, place, step) @ columns[n - window :]
    return result.reshape(values.shape)


def zero_phase(values: Array, rate: float, cutoff: float, order: int = 4) -> Array:
    """Zero-phase Butterworth low-pass, forward and backward.

    Parameters
    ----------
    values, rate, cutoff, order
        Samples, one row each, sampling rate and cutoff frequency, Hz, and order of the filter in each direction.
    """
    if not 0.0 < cutoff < 0.5 * rate:
        raise ValueError(f"cutoff is {cutoff} Hz: give one between 0 and half of the rate, {0.5 * rate} Hz")
    sections = signal.butter(order, cutoff, fs=rate, output="sos")
    shortest = 3 * (2 * len(sections) + 1)
    if len(values) <= shortest:
        raise RecordError(f"{len(values)} samples are too few for a filter of order {order}. Give over {shortest}.")
    return np.asarray(signal.sosfiltfilt(sections, values, axis=0))


def _check(window: int, order: int, derivative: int) -> None:
    if window < 1 or window % 2 == 0 or window != int(window):
        raise ValueError(f"window is {window}: give an odd number of samples")
    if not 0 <= order < window:
        raise ValueError(f"order is {order}: give one from 0 to {window - 1}, below the window of {window}")
    if not 0 <= derivative <= order:
        raise ValueError(f"derivative is {derivative}: a polynomial of order {order} has derivatives 0 to {order}")
