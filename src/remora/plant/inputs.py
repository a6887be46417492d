"""Validation of the inputs of compiled code: finite numbers of the right shape, or an error that names the fault."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.water.local_water import SIZES, STEADY_SIZE
from remora.files.arrays import Array
from remora.plant.entries import QUATERNION_TOLERANCE

ZERO_WRENCH = np.zeros(6)
STILL_WATER = np.zeros(3)


def writable(name: str, values: ArrayLike) -> Array:
    """A contiguous, writable array of floats; copied where the given one is not."""
    try:
        if np.iscomplexobj(values):
            raise TypeError("it holds complex numbers")
        array = np.require(np.asarray(values), dtype=float, requirements=["C", "W", "A"])
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} is not an array of numbers: {error}") from error
    return array


def numbers(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Array:
    """An array of finite numbers of this shape, or an error that says what was found."""
    array = writable(name, values)
    if array.shape != shape and not (array.size == 0 and 0 in shape):
        raise ValueError(f"{name} has shape {array.shape}: give {shape}")
    if not _is_finite(array):
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name}{list(where)} is {array[where]}: give finite numbers")
    return array.reshape(shape)


def water_width(rows: Sequence[ArrayLike]) -> int:
    """Numbers that describe the water: those of the first row, or three if that is no kind of water."""
    width = np.shape(rows[0])[-1:]
    return width[0] if width and width[0] in SIZES else STEADY_SIZE


def check_quaternion(states: Array) -> None:
    """Refuse a state, or one of several, whose quaternion is not of unit length."""
    lengths = np.linalg.norm(np.atleast_2d(states)[:, 3:7], axis=1)
    wrong = ~(np.abs(lengths - 1.0) < QUATERNION_TOLERANCE)
    if wrong.any():
        index = int(np.flatnonzero(wrong)[0])
        which = f"state {index}" if len(lengths) > 1 else "the state"
        length = f"length {lengths[index]:.9g}"
        raise ValueError(f"quaternion of {which} has {length}: scale it to 1, as initial_state does")


def input_sheets(name: str, values: Sequence[ArrayLike], width: int, vehicles: int) -> Array:
    """Inputs as [vehicle or one for all, interval or one for all, number]."""
    if len(values) not in (1, vehicles):
        raise ValueError(f"{name} are given for {len(values)} vehicles: give them for {vehicles}, or one for all")
    stacked = _stacked(values, width)
    return _checked_one_by_one(name, values, width) if stacked is None else stacked


def _stacked(values: Sequence[ArrayLike], width: int) -> Array | None:
    """Entries of one shape that hold finite numbers as one array [entry, row, number]; None for all others."""
    try:
        array = np.asarray(values[0])[None] if len(values) == 1 else np.asarray(values)  # a long one is not copied
    except (TypeError, ValueError):  # entries of different shapes
        return None
    array = array[:, None] if array.ndim == 2 else array
    if array.ndim != 3 or array.shape[2] != width or array.dtype.kind not in "iuf":
        return None
    return np.require(array, dtype=float, requirements=["C", "W", "A"]) if _is_finite(array) else None


def _is_finite(array: Array) -> bool:
    """Whether all numbers are finite; their sum shows it without an array of truth values, unless it overflows."""
    with np.errstate(all="ignore"):
        return bool(np.isfinite(array.sum()) or np.isfinite(array).all())


def _checked_one_by_one(name: str, values: Sequence[ArrayLike], width: int) -> Array:
    """The same for anything that converts to numbers; the error names the first entry that does not."""
    names = [f"{name} of vehicle {i}: {name}" if len(values) > 1 else name for i in range(len(values))]
    arrays = [np.atleast_2d(writable(*item)) for item in zip(names, values, strict=True)]
    shape = (arrays[0].shape[0], width)
    checked = [numbers(*item, shape) for item in zip(names, arrays, strict=True)]
    return checked[0][None] if len(checked) == 1 else np.stack(checked)


def interval_count(rows: list[int], intervals: int | None) -> int:
    """Number of intervals: as given, or the rows of the inputs; a single row holds throughout."""
    count = max(rows) if intervals is None else intervals
    if count < 1 or count != int(count):
        raise ValueError(f"intervals is {count}: give a whole number of at least 1")
    if any(n not in (1, count) for n in rows):
        raise ValueError(f"commands, external wrench and water velocity have {rows} rows: give 1 or {count} each")
    return int(count)


def check_interval(interval: float, steps: int) -> None:
    """Refuse a step that is no positive time, and steps that are no whole number."""
    if not isinstance(interval, float | int | np.number) or not 0.0 < interval < np.inf:
        raise ValueError(f"time step is {interval}: give a positive number of seconds")
    if not isinstance(steps, int | float | np.number) or not 1 <= steps <= 10**12 or steps != int(steps):
        raise ValueError(f"steps per interval is {steps}: give a whole number of at least 1")
