"""Records with a different rate for each sensor: detection, the rate of the slowest speed, and the rate of the inputs.

Between two readings of a slow sensor a wide table has empty cells, or repeats the last reading. Either way most rows
hold nothing new of it. A trajectory needs inputs at their own rate, and speeds only where they are compared. A dead
band requires each command as recorded, not an average of several.
"""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.identification.data.record import Record, Times
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


# Highest rate, Hz: shorter steps cost time without benefit.
_FASTEST = 50.0
# Largest distance of command changes from the stamps, as a share of a step; beyond it steps are made shorter.
_NEAR = 0.15


def interval_of_inputs(record: Record) -> float | None:
    """Fraction of the interval of the slowest speed that preserves the inputs, s; None where they are not faster."""
    slow = slowest_interval(record)
    if slow is None or record.inputs is None:
        return None
    changes = _changes(record)
    parts = _parts(slow, _usual(record, changes))
    if record.inputs.kind == "commands" and len(changes):
        finest = max(parts, _parts(slow, 0.0))
        parts = next((n for n in range(parts, finest) if _on_grid(record, changes, slow / n)), finest)
    return slow / parts if parts > 1 else None


def only_at_readings(dense: Record, recorded: Record) -> Record:
    """The record with speeds and attitude only in the rows nearest to their readings, NaN in between."""
    twist, attitude = dense.twist.copy(), dense.quaternion
    for axis in recorded.measured:
        i = DEGREES_OF_FREEDOM.index(axis)
        twist[_between(dense, recorded, np.isfinite(recorded.twist[:, i])), i] = np.nan
    if attitude is not None and recorded.quaternion is not None:
        between = _between(dense, recorded, np.asarray(np.isfinite(recorded.quaternion).all(axis=1)))
        attitude = np.where(between[:, None], np.nan, attitude)
    note = "Motion is compared where it was read, inputs act at their own rate."
    return dense.with_note(note, twist=twist, quaternion=attitude)


def _between(dense: Record, recorded: Record, known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mask of rows without a nearest reading; empty for fast readings."""
    read, interval = _seconds(recorded.time_ns[known], dense), dense.interval
    if usual_interval(read) < _OWN_RATE * interval:
        return np.zeros(len(dense), dtype=bool)
    return ~_nearest_to(_seconds(dense.time_ns, dense), read, interval)


def _seconds(stamps: Times, record: Record) -> Array:
    """Seconds since the first stamp of a record."""
    return np.asarray((stamps - record.time_ns[0]) * 1e-9, dtype=np.float64)


def _nearest_to(stamps: Array, read: Array, interval: float) -> NDArray[np.bool_]:
    """Mask of the stamps nearest to a reading."""
    after = np.clip(np.searchsorted(stamps, read), 1, len(stamps) - 1)
    row = np.where(read - stamps[after - 1] < stamps[after] - read, after - 1, after)
    near = np.zeros(len(stamps), dtype=bool)
    near[row[np.abs(stamps[row] - read) <= 0.51 * interval]] = True
    return near


def _changes(record: Record) -> Array:
    """Times at which an input changes, s."""
    assert record.inputs is not None
    known = np.flatnonzero(np.isfinite(record.inputs.values).all(axis=1))
    changed = np.any(np.diff(record.inputs.values[known], axis=0) != 0.0, axis=1)
    return np.asarray(record.time[known[1:]][changed])


def _usual(record: Record, changes: Array) -> float:
    """Typical time between changes of the inputs, s; a short one where they change at random times."""
    steps = np.diff(changes)
    return max(float(np.percentile(steps, 10)) if len(steps) else np.inf, record.interval)


def _parts(slow: float, wanted: float) -> int:
    """Number of steps per interval of the slowest speed, for steps of the required length or shorter."""
    shortest = 1.0 / _FASTEST
    return 1 if wanted == np.inf else max(1, math.ceil(slow / max(wanted, shortest) - 0.25))


def _on_grid(record: Record, changes: Array, step: float) -> bool:
    """Whether commands change at the stamps of the resampling grid."""
    counts = np.isfinite(record.twist).sum(axis=0)
    slowest = record.twist[:, int(np.argmin(np.where(counts > 0, counts, len(record) + 1)))]
    phase = (changes - record.time[np.flatnonzero(np.isfinite(slowest))[0]]) / step % 1.0
    return bool(np.percentile(np.minimum(phase, 1.0 - phase), 90) < _NEAR)
