"""A common time base: uniform stamps with gaps respected, rows left out, inputs moved in time."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from remora.identification.efforts import interval_averaged
from remora.identification.problems import RecordError
from remora.identification.record import Array, Record, Segment, Times, segments_between_gaps

# Intervals that differ by more than this share are not one rate.
_JITTER = 0.1
_MIXED = 3.0
# A column that is unknown for longer than so many of its usual intervals is not joined over that time.
_HOLE = 4.0


def uniform_interval(record: Record) -> float:
    """The one interval of a record in seconds, or a RecordError where it has several.

    Each segment must be uniform; the gaps between them may be anything.
    """
    steps = np.concatenate([np.diff(record.time_ns[s.start : s.stop]) for s in record.segments])
    if len(steps) == 0:
        raise RecordError("has no two stamps without a gap between them.", record.source)
    low, middle, high = np.percentile(steps, [5, 50, 95]) * 1e-9
    if high > _MIXED * low:
        words = f"mixes rates: intervals run from {low:.4g} to {high:.4g} s"
        raise RecordError(f"{words}. Bring it to one rate with `resampled(record, {middle:.3g})`.", record.source)
    if np.max(np.abs(steps * 1e-9 - middle)) > _JITTER * middle:
        words = f"intervals jitter between {steps.min() * 1e-9:.4g} and {steps.max() * 1e-9:.4g} s"
        raise RecordError(f"{words}. Bring it to one rate with `resampled(record, {middle:.3g})`.", record.source)
    return float(middle)


def resampled(record: Record, interval: float, shortest: float = 0.0) -> Record:
    """The record at uniform stamps inside each segment; nothing is made up in the gaps.

    Sampled signals are joined by straight lines, inputs are averaged over the interval around each new stamp, so that
    no impulse is lost. A signal that is unknown for longer than four of its usual intervals, and than the longest step
    of the record, stays unknown there. Segments shorter than `shortest` seconds are left out.
    """
    step = round(interval * 1e9)
    if step <= 0:
        raise ValueError(f"interval is {interval}: give a positive number of seconds")
    grids, segments, row = [], [], 0
    for s in record.segments:
        first, last = record.time_ns[s.start], record.time_ns[s.stop - 1]
        if last - first < max(step, shortest * 1e9):
            continue
        grid = np.arange(first, last + 1, step)
        grids.append((s, grid))
        segments.append(Segment(row, row + len(grid)))
        row += len(grid)
    if not grids:
        raise RecordError(f"has no segment of {max(interval, shortest):g} s without a gap.", record.source)

    def lines(table: Array) -> Array:
        longest = _longest_joined(record, table)
        return np.concatenate([_lines(record.time_ns, table, s, grid, longest) for s, grid in grids])

    inputs = record.inputs
    if inputs is not None:
        means = [
            interval_averaged(
                record.time_ns[s.start : s.stop], inputs.values[s.start : s.stop], inputs.held, g, interval
            )
            for s, g in grids
        ]
        inputs = inputs._replace(values=np.concatenate(means), held=False)
    attitude = None if record.quaternion is None else lines(_continuous(record.quaternion))
    if attitude is not None:
        attitude = attitude / np.linalg.norm(attitude, axis=1)[:, None]
    return record.with_note(
        f"Brought to {1.0 / interval:.4g} Hz in {len(segments)} segments, inputs averaged around each stamp.",
        time_ns=np.concatenate([grid for _, grid in grids]),
        twist=lines(record.twist),
        inputs=inputs,
        position=None if record.position is None else lines(record.position),
        quaternion=attitude,
        water=None if record.water is None else lines(record.water),
        segments=tuple(segments),
    )


def _longest_joined(record: Record, table: Array) -> list[float]:
    """Seconds over which each column may be joined: longer without a value is a hole, such as a lock that was lost."""
    time = record.time
    rows = max(
        (float(np.diff(time[s.start : s.stop]).max()) for s in record.segments if s.stop - s.start > 1), default=0
    )
    usual = [np.diff(time[np.isfinite(column)]) for column in table.T]
    return [max(rows, _HOLE * float(np.median(steps))) if len(steps) else rows for steps in usual]


def _lines(time_ns: Times, table: Array, s: Segment, grid: Times, longest: Sequence[float] | None = None) -> Array:
    """Straight lines between the known rows of a segment; unknown where a column has none for too many seconds."""
    stamps, rows = time_ns[s.start : s.stop], table[s.start : s.stop]
    x, time = (grid - stamps[0]) * 1e-9, (stamps - stamps[0]) * 1e-9
    columns = []
    for k, column in enumerate(rows.T):
        known = time[np.isfinite(column)]
        if not len(known):
            columns.append(np.full(len(x), np.nan))
            continue
        joined = np.interp(x, known, column[np.isfinite(column)])
        if longest is not None:
            joined[_seconds_unknown(known, x) > longest[k] + 1e-9] = np.nan
        columns.append(joined)
    return np.column_stack(columns)


def _seconds_unknown(known: Array, at: Array) -> Array:
    """Seconds from the known time before to the known one after; at the ends, to the nearest."""
    last = len(known) - 1
    after = known[np.minimum(np.searchsorted(known, at), last)]
    before = known[np.maximum(np.searchsorted(known, at, side="right") - 1, 0)]
    return np.maximum(after - before, np.maximum(known[0] - at, at - known[-1]))


def _continuous(quaternion: Array) -> Array:
    """The same rotations with signs that do not jump, so that straight lines between them make sense."""
    jumps = np.sum(quaternion[1:] * quaternion[:-1], axis=1) < 0.0
    signs = np.concatenate([[1.0], np.where(np.cumsum(jumps) % 2, -1.0, 1.0)])
    return quaternion * signs[:, None]


def without(record: Record, masked: NDArray[np.bool_], gap: float | None = None) -> Record:
    """The record without some rows (no lock, saturated, tether taut), cut where that leaves a gap.

    The mask is True where a row is to be left out.
    """
    kept = ~masked
    if kept.sum() < 2:
        raise RecordError(f"the mask leaves {int(kept.sum())} of {len(record)} rows.", record.source)
    longest = gap if gap is not None else 1.5 * record.interval
    time_ns = record.time_ns[kept]
    inputs = None if record.inputs is None else record.inputs._replace(values=record.inputs.values[kept])
    return record.with_note(
        f"{int(masked.sum())} rows were masked.",
        time_ns=time_ns,
        twist=record.twist[kept],
        inputs=inputs,
        position=None if record.position is None else record.position[kept],
        quaternion=None if record.quaternion is None else record.quaternion[kept],
        water=None if record.water is None else record.water[kept],
        segments=segments_between_gaps(time_ns, longest),
    )


def with_inputs_moved(record: Record, seconds: float, cut: bool = True) -> Record:
    """The record with its inputs stamped so much earlier: for a recorder of inputs whose clock is late by that.

    Rows that have no input any more are cut off; else they keep the nearest.
    """
    if record.inputs is None:
        raise RecordError("has no inputs to move.", record.source)
    pieces = []
    for s in record.segments:
        stamps = record.time_ns[s.start : s.stop]
        at = stamps + round(seconds * 1e9)
        inside = (at >= stamps[0]) & (at <= stamps[-1])
        values = _lines(record.time_ns, record.inputs.values, s, at)
        pieces.append(np.where(inside[:, None] | (not cut), values, np.nan))
    values = np.concatenate(pieces)
    moved = record.with_note(f"Inputs moved by {-seconds * 1e3:.3f} ms.", inputs=record.inputs._replace(values=values))
    return without(moved, np.asarray(np.isnan(values).any(axis=1))) if cut else moved
