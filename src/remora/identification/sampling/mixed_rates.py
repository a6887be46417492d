"""Tables with a different rate for each sensor: detection, and the rate of the slowest speed.

Between two readings of a slow sensor a wide table has empty cells, or repeats the last reading. Either way most rows
hold nothing new of it.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.sampling.own_stamps import usual_interval
from remora.vehicles.names import DEGREES_OF_FREEDOM

# Rows between values from which on a column has its own rate.
_OWN_RATE = 1.5
# Share of readings that must be repeated over equally many rows.
_ALIKE, _FEWEST_READINGS = 0.9, 20
# Rows per reading from which on the count may vary by one, as the rates need not be multiples.
_MAY_VARY = 5


def one_row_per_stamp(stamps: Array, table: Mapping[str, Array], first_counts: bool) -> tuple[Array, dict[str, Array]]:
    """Rows of equal stamps joined, as where each sensor writes its own line; all rows where values conflict.

    With `first_counts` the first of several values is used.
    """
    new = np.concatenate([[True], np.diff(stamps) != 0.0])
    row, joined = np.cumsum(new) - 1, {}
    for name, column in table.items():
        known = np.flatnonzero(np.isfinite(column))
        rows, first = np.unique(row[known], return_index=True)
        if len(rows) < len(known) and not first_counts:
            return stamps, dict(table)
        joined[name] = np.full(int(row[-1]) + 1, np.nan)
        joined[name][rows] = column[known[first]]
    return stamps[new], joined


def intervals_of_speeds(record: Record) -> dict[str, float]:
    """Typical interval between values of each measured speed, s."""
    return {axis: usual_interval(record.time[np.isfinite(record.speed(axis))]) for axis in record.measured}


def slowest_interval(record: Record) -> float | None:
    """Longest of these intervals where a speed is missing in some rows; else None."""
    slowest = max(intervals_of_speeds(record).values(), default=0.0)
    return slowest if slowest > _OWN_RATE * record.interval else None


def rates_text(record: Record) -> str:
    """Rates of the speeds, fastest first: `yaw 50 Hz; surge, sway 5 Hz`."""
    rates: dict[str, list[str]] = {}
    for axis, interval in sorted(intervals_of_speeds(record).items(), key=lambda item: item[1]):
        rates.setdefault(f"{1.0 / interval:.3g} Hz" if interval > 0.0 else "one value", []).append(axis)
    return "; ".join(f"{', '.join(axes)} {rate}" for rate, axes in rates.items())


def without_repeated_readings(record: Record) -> Record:
    """The record with NaN where a logger repeats the last reading of a slower sensor.

    A repeated reading would be late by half of the sensor interval in the mean. Inputs are unchanged: a command holds
    until the next one.
    """
    twist, found = record.twist.copy(), []
    for axis in record.measured:
        column = twist[:, DEGREES_OF_FREEDOM.index(axis)]
        fresh = _fresh(column)
        if fresh is not None:
            found.append(axis)
            column[~fresh] = np.nan
    if not found:
        return record
    note = f"{', '.join(found)} repeat each reading over several rows; only the first row of each reading is used."
    return record.with_note(note, twist=twist)


def _fresh(column: Array) -> NDArray[np.bool_] | None:
    """Rows in which a column changes, if each reading is repeated equally often; None for other columns."""
    known = np.flatnonzero(np.isfinite(column))
    if not len(known):
        return None
    changes = np.flatnonzero(np.diff(column[known]) != 0.0) + 1
    if len(changes) < _FEWEST_READINGS:
        return None
    rows = np.diff(changes)
    usual = int(np.median(rows))
    if usual < 2 or np.mean(np.abs(rows - usual) <= (1 if usual >= _MAY_VARY else 0)) < _ALIKE:
        return None
    fresh = np.zeros(len(column), dtype=bool)
    fresh[known[changes]] = True  # not the first reading, which may be older than the record
    return fresh
