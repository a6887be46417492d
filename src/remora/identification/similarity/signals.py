"""Signals to compare: rows of samples, checked once."""

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.files.problems import InputError


class SimilarityError(InputError):
    """Signals that cannot be compared."""


def sampled(signal: ArrayLike, name: str) -> Array:
    """A signal as samples x channels; one channel may be a flat list."""
    try:
        rows = np.asarray(signal, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise SimilarityError(f"{name}: not a table of numbers ({error})").about(name) from None
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or not rows.size:
        fix = "give samples x channels"
        raise SimilarityError(f"{name}: found shape {np.shape(signal)}; {fix}.").about(name, np.shape(signal), fix=fix)
    if not np.isfinite(rows).all():
        fix = "Remove or interpolate missing samples first."
        raise SimilarityError(f"{name}: contains values that are not finite. {fix}").about(name, fix=fix)
    return rows


def paired(first: ArrayLike, second: ArrayLike, equal_length: bool) -> tuple[Array, Array]:
    """Two signals, samples x channels, with the same channels and, where asked for, the same number of samples."""
    a, b = sampled(first, "first"), sampled(second, "second")
    if a.shape[1] != b.shape[1]:
        raise SimilarityError(f"second: found {b.shape[1]} channels; first has {a.shape[1]}.").about("second")
    if equal_length and len(a) != len(b):
        fix = "Resample both to the same times."
        raise SimilarityError(f"second: found {len(b)} samples; first has {len(a)}. {fix}").about("second", fix=fix)
    return a, b


def squared_distances(first: Array, second: Array) -> Array:
    """Squared distance of every sample of one signal from every sample of the other."""
    return np.sum((first[:, None, :] - second[None, :, :]) ** 2, axis=2)
