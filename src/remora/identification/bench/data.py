"""Checked columns of a bench test."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array


class BenchDataError(ValueError):
    """Data of a bench test were refused: the message names the finding and the fix."""


def columns(least: int, **given: ArrayLike) -> tuple[Any, ...]:
    """Columns of equal length as arrays, typed as Any because the equations take floats and arrays.

    Raises a BenchDataError when a column is not finite, lengths differ, or there are fewer than `least` points.
    """
    found = {name: _numbers(name, values) for name, values in given.items()}
    lengths = {name: len(values) for name, values in found.items()}
    for name, values in found.items():
        if values.ndim != 1:
            raise BenchDataError(f"{name} has {values.ndim} dimensions. Give one number per point.")
        bad = np.flatnonzero(~np.isfinite(values))
        if bad.size:
            where = f"{name}[{bad[0]}] = {values[bad[0]]}"
            raise BenchDataError(f"{where} is no finite number ({bad.size} such points). Leave those points out.")
    if len(set(lengths.values())) > 1:
        lengths_text = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise BenchDataError(f"columns differ in length: {lengths_text}. Give one number per point in each.")
    length = min(lengths.values())
    if length < least:
        raise BenchDataError(f"{', '.join(given)}: {length} points are too few. Give at least {least}.")
    return tuple(found.values())


def _numbers(name: str, values: ArrayLike) -> Array:
    try:
        return np.atleast_1d(np.asarray(values, dtype=float))
    except (TypeError, ValueError) as error:
        raise BenchDataError(f"{name} is no row of numbers ({error}). Give one number per point.") from None


def deviations(sigma: ArrayLike, like: Array) -> Array:
    """Standard deviations or variances of the points, one for all or one each.

    Raises a BenchDataError when one is not above zero, or there are more or fewer of them than points.
    """
    (given,) = columns(1, sigma=sigma)
    if len(given) not in (1, len(like)):
        raise BenchDataError(f"{len(given)} deviations or variances for {len(like)} points. Give one for each.")
    if np.any(given <= 0.0):
        raise BenchDataError("a standard deviation or a variance is not above zero. Give positive ones.")
    return np.asarray(np.broadcast_to(given, like.shape))


def positive(**given: float) -> None:
    """Refuse numbers that are not above zero, by a BenchDataError that names the first."""
    for name, value in given.items():
        if not (np.isfinite(value) and value > 0.0):
            raise BenchDataError(f"{name} = {value}: give a number above zero.")


def rising(name: str, times: Array) -> None:
    """Refuse times that are not increasing, by a BenchDataError that names the first place."""
    wrong = np.flatnonzero(np.diff(times) <= 0.0)
    if wrong.size:
        i = int(wrong[0]) + 1
        raise BenchDataError(f"{name}[{i}] = {times[i]:.9g} does not come after {times[i - 1]:.9g}. Sort the record.")
