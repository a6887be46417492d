"""Order of stamps: rows that repeat one or go back in time, clocks that were set back, interleaved stretches."""

from collections.abc import Callable
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
