"""Checks of stamps: their order, clocks that were set back, interleaved stretches, and the unit of the clock."""

from collections.abc import Callable
from os import PathLike
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.files.problems import Fix
from remora.identification.problems import RecordError

# Typical intervals after which a step ends a block of rows.
_NEW_BLOCK = 5.0
# Fewest rows of a block that overlaps others, and the share of others in its time from which on both cover it.
_FEWEST, _COVERED = 3, 0.5
# Rows of a window in which interleaved stretches are searched; its largest mean interval, in typical ones; and how much
# larger the change from row to row is than that over two rows.
_WINDOW, _DENSE, _BACK_AND_FORTH = 40, 0.75, 2.0


class StampFault(NamedTuple):
    """First row that is out of order."""

    row: int
    text: str
    fix: Fix


def stamp_fault(stamps: Array | NDArray[np.int64]) -> StampFault | None:
    """First stamp that is not later than the one before, with its remedy; None where all increase."""
    steps = np.diff(stamps)
    wrong = np.flatnonzero(steps <= 0)
    if not len(wrong):
        return None
    row, others = int(wrong[0]) + 1, len(wrong) - 1
    more = f", as {'does 1 other' if others == 1 else f'do {others} others'}" if others else ""
    if steps[row - 1] < 0 and _is_set_back(stamps, row):
        text = f"goes back in time{more}, to times that rows before it cover already: the clock was set back."
        remedy = "Sorting would mix two stretches. Split the table there, or add the step to all later stamps."
        return StampFault(row, text, Fix(remedy, {}))
    what = "repeats the stamp before it" if steps[row - 1] == 0 else "goes back in time"
    sentence = "Sort the rows by time and keep one per stamp; {keep_first} leaves out rows that repeat one."
    fix = Fix(sentence, {"keep_first": ""}, {"keep_first": "keep_first_of_repeated=True of `record_from_csv`"})
    return StampFault(row, f"{what}{more}.", fix)


def check_stamp_order(stamps: Array, line_of: Callable[[int], int], source: str) -> None:
    """Refuse stamps of a table that are out of order, with the line of the file."""
    if fault := stamp_fault(stamps):
        raise RecordError(f"the row {fault.text}", source, line_of(fault.row), fault.fix)


def interleaved_start(time: Array, table: Array) -> float | None:
    """Start of two stretches that sorting has mixed, s: rows twice as dense, values that jump back and forth.

    Stamps, s, increase; the table has one row of signals for each, NaN where not measured.
    """
    usual = float(np.median(np.diff(time)))
    for start in range(0, len(time) - _WINDOW, _WINDOW):
        rows = slice(start, start + _WINDOW)
        if time[rows][-1] - time[start] > _DENSE * usual * (_WINDOW - 1):
            continue
        if any(_jumps_back(column[rows]) for column in table.T if np.isfinite(column[rows]).all()):
            return float(time[start])
    return None


def _jumps_back(column: Array) -> bool:
    one, two = np.abs(np.diff(column)), np.abs(column[2:] - column[:-2])
    return bool(np.median(one) > _BACK_AND_FORTH * np.median(two) and np.median(one) > 0.0)


def _is_set_back(stamps: Array | NDArray[np.int64], row: int) -> bool:
    """Whether the block of rows from `row` on repeats a time that other rows cover, instead of filling a hole."""
    steps = np.diff(stamps[row:])
    ends = np.flatnonzero((steps < 0) | (steps > _NEW_BLOCK * np.median(np.abs(np.diff(stamps)))))
    stop = row + int(ends[0]) + 1 if len(ends) else len(stamps)
    low, high = stamps[row], min(stamps[row - 1], stamps[stop - 1])
    own = int(np.sum(stamps[row:stop] <= high))
    others = int(np.sum((stamps[:row] >= low) & (stamps[:row] <= high)))
    return own >= _FEWEST and others > _COVERED * own


# Shortest and longest plausible interval between stamps, s.
_SLOWEST, _FASTEST = 4.0, 5e-5
# Largest factor between a stated interval and that of the stamps.
_OFF = 3.0


def check_clock(stamps: Array, source: str | PathLike[str], rate: float | None = None) -> None:
    """Refuse stamps in another unit, by an interval that is implausible or contradicts the stated rate.

    Stamps are in s, the rate in Hz; those of one row or none are not judged.
    """
    steps = np.abs(np.diff(stamps))
    usual = float(np.median(steps)) if len(steps) else 0.0
    if rate is not None:
        if usual > 0.0 and not 1.0 / _OFF <= usual * rate <= _OFF:
            message = f"stamps lie {usual:.4g} s apart, but {rate:.4g} Hz are stated, {1.0 / rate:.4g} s"
            raise RecordError(f"{message}. Correct the rate, or name the unit of time, as in COLUMN:ms.", source)
        return
    if usual > _SLOWEST:
        message = f"stamps lie {usual:.4g} s apart: are these milliseconds, or smaller?"
        raise RecordError(f"{message} Name the unit of time, as in time=COLUMN:ms.", source)
    if 0.0 < usual < _FASTEST:
        raise RecordError(f"stamps lie {usual:.4g} s apart: is this the unit of time? Seconds need none.", source)
