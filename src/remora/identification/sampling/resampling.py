"""A common time base: uniform stamps with gaps respected, rows left out, inputs moved in time."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.identification.data.record import Record, RecordedInputs, Segment, Times
from remora.identification.problems import RecordError, resampling_fix
from remora.identification.sampling.own_stamps import (
    StampedSignal,
    levels_over,
    longest_joined,
    means_over,
    signal_of,
    values_at,
)
from remora.vehicles.names import DEGREES_OF_FREEDOM

# Intervals that differ by more than this share are not one rate.
_JITTER = 0.1
_MIXED = 3.0
# Intervals that differ by less than this share are even.
_EVEN = 0.001


def uniform_interval(record: Record) -> float:
    """The one interval of a record in seconds, or a RecordError where it has several.

    Each segment must be uniform; the gaps between them may be anything.
    """
    steps = np.concatenate([np.diff(record.time_ns[s.start : s.stop]) for s in record.segments])
    if len(steps) == 0:
        raise RecordError("has no two stamps without a gap between them.", record.source)
    low, middle, high = np.percentile(steps, [5, 50, 95]) * 1e-9
    if high > _MIXED * low:
        message = f"mixes rates: intervals run from {low:.4g} to {high:.4g} s"
        fix = resampling_fix("Bring it to one rate with {rate}.", middle)
        raise RecordError(f"{message}.", record.source, fix=fix)
    if np.max(np.abs(steps * 1e-9 - middle)) > _JITTER * middle:
        message = f"intervals jitter between {steps.min() * 1e-9:.4g} and {steps.max() * 1e-9:.4g} s"
        fix = resampling_fix("Bring it to one rate with {rate}.", middle)
        raise RecordError(f"{message}.", record.source, fix=fix)
    return float(middle)


def resampled(record: Record, interval: float, shortest: float = 0.0) -> Record:
    """The record at uniform stamps inside each segment; nothing is made up in the gaps.

    Each signal is brought over by itself, from the stamps at which it has a value. Motion is interpolated; inputs are
    averaged from each new stamp to the next and held there, so that no impulse is lost or moved in time. A signal that
    is unknown for longer than four of its usual intervals, and than the longest step of the record, stays unknown
    there, as it does before its first and after its last value. Segments shorter than `shortest` seconds are left out.
    """
    step = round(interval * 1e9)
    if step <= 0:
        raise ValueError(f"interval is {interval}: give a positive number of seconds")
    grids = _grids(record, step, shortest * 1e9)
    if not grids:
        raise RecordError(f"has no segment of {max(interval, shortest):g} s without a gap.", record.source)
    edges = np.cumsum([0, *(len(grid) for _, grid in grids)]).tolist()
    attitude = None if record.quaternion is None else _interpolated(record, _continuous(record.quaternion), grids)
    if attitude is not None:
        attitude = attitude / np.linalg.norm(attitude, axis=1)[:, None]
    inputs = record.inputs
    if inputs is not None:
        inputs = inputs._replace(values=_averaged_ahead(record, inputs, grids, step), held=True)
    return record.with_note(
        f"Brought to {1.0 / interval:.4g} Hz in {len(grids)} segments, inputs averaged from each stamp to the next.",
        time_ns=np.concatenate([grid for _, grid in grids]),
        twist=_interpolated(record, record.twist, grids),
        inputs=inputs,
        position=None if record.position is None else _interpolated(record, record.position, grids),
        quaternion=attitude,
        water=None if record.water is None else _interpolated(record, record.water, grids),
        segments=tuple(Segment(a, b) for a, b in pairwise(edges)),
    )


def _grids(record: Record, step: int, shortest: float) -> list[tuple[Segment, Times]]:
    """New stamps of each segment that is long enough, from the first value of its slowest speed on."""
    grids = []
    slowest = _slowest_speed(record)
    for s in record.segments:
        stamps = record.time_ns[s.start : s.stop]
        known = np.flatnonzero(np.isfinite(slowest[s.start : s.stop]))
        first = stamps[known[0]] if len(known) else stamps[0]
        if stamps[-1] - first >= max(step, shortest):
            grids.append((s, np.arange(first, stamps[-1] + 1, step)))
    return grids


def _slowest_speed(record: Record) -> Array:
    """The column of the twist with the fewest values; one without any is no speed."""
    counts = np.isfinite(record.twist).sum(axis=0)
    return record.twist[:, int(np.argmin(np.where(counts > 0, counts, len(record) + 1)))]


def _signals(record: Record, table: Array, s: Segment, held: bool = False) -> list[StampedSignal]:
    """The columns of a table within a segment, each on its own stamps."""
    time = (record.time_ns[s.start : s.stop] - record.time_ns[s.start]) * 1e-9
    columns = zip(table[s.start : s.stop].T, _longest_joined(record, table), strict=True)
    return [signal_of(time, column, held, longest) for column, longest in columns]


def _interpolated(record: Record, table: Array, grids: Sequence[tuple[Segment, Times]]) -> Array:
    """The columns of a table at new stamps."""
    pieces = []
    for s, grid in grids:
        at = (grid - record.time_ns[s.start]) * 1e-9
        pieces.append(np.column_stack([values_at(signal, at) for signal in _signals(record, table, s)]))
    return np.concatenate(pieces)


def _averaged_ahead(record: Record, inputs: RecordedInputs, grids: Sequence[tuple[Segment, Times]], step: int) -> Array:
    """Inputs averaged from each new stamp over one step."""
    pieces = []
    for s, grid in grids:
        low = (grid - record.time_ns[s.start]) * 1e-9
        signals = _signals(record, inputs.values, s, inputs.held)
        if inputs.kind == "commands":
            pieces.append(np.column_stack([levels_over(signal, low, step * 1e-9) for signal in signals]))
        else:
            pieces.append(np.column_stack([means_over(signal, low, low + step * 1e-9) for signal in signals]))
    return np.concatenate(pieces)


def _longest_joined(record: Record, table: Array) -> list[float]:
    """Seconds over which each column may be joined: longer without a value is a hole, such as a lock that was lost."""
    time = record.time
    rows = max(
        (float(np.diff(time[s.start : s.stop]).max()) for s in record.segments if s.stop - s.start > 1), default=0
    )
    return [max(rows, longest_joined(time[np.isfinite(column)])) for column in table.T]


def _continuous(quaternion: Array) -> Array:
    """The same rotations with signs that do not jump from one known row to the next, so that they can be joined."""
    known = np.isfinite(quaternion).all(axis=1)
    rows = quaternion[known]
    jumps = np.sum(rows[1:] * rows[:-1], axis=1) < 0.0
    signs = np.concatenate([np.ones(min(len(rows), 1)), np.where(np.cumsum(jumps) % 2, -1.0, 1.0)])
    found = np.full_like(quaternion, np.nan)
    found[known] = rows * signs[:, None]
    return found


def without(record: Record, masked: NDArray[np.bool_], gap: float | None = None) -> Record:
    """The record without some rows (no lock, saturated, tether taut), cut where rows were left out.

    The mask is True where a row is to be left out. With a gap in seconds, only where that leaves at least the gap.
    """
    kept = ~masked
    if kept.sum() < 2:
        raise RecordError(f"the mask leaves {int(kept.sum())} of {len(record)} rows.", record.source)
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
        segments=_segments_of_rest(record, kept, gap),
    )


def without_holes(record: Record) -> Record:
    """The record without rows in which something is missing that is measured elsewhere."""
    places = [DEGREES_OF_FREEDOM.index(axis) for axis in record.measured]
    tables = [record.twist[:, places], *([record.inputs.values] if record.inputs is not None else [])]
    tables += [record.quaternion] if record.quaternion is not None else []
    holes = np.asarray(np.isnan(np.column_stack(tables)).any(axis=1))
    return without(record, holes) if holes.any() else record


def _segments_of_rest(record: Record, kept: NDArray[np.bool_], gap: float | None) -> tuple[Segment, ...]:
    """Segments of what is kept of a record: cut where it was, and where rows are gone."""
    rows = np.flatnonzero(kept)
    segment = np.zeros(len(record), dtype=np.int64)
    segment[[s.start for s in record.segments]] = 1
    other = np.diff(np.cumsum(segment)[rows]) > 0
    apart = np.diff(rows) > 1
    if gap is not None:
        apart = np.diff(record.time_ns[rows]) > gap * 1e9
    edges = [0, *(np.flatnonzero(other | apart) + 1).tolist(), len(rows)]
    return tuple(Segment(a, b) for a, b in pairwise(edges))


def with_inputs_moved(record: Record, seconds: float, cut: bool = True) -> Record:
    """The record with its inputs stamped so much earlier: for a recorder of inputs whose clock is late by that.

    Rows that have no input any more are cut off; else they keep the nearest.
    """
    if record.inputs is None:
        raise RecordError("has no inputs to move.", record.source)
    late, step = round(seconds * 1e9), round(record.interval * 1e9)
    pieces = []
    for s in record.segments:
        stamps = record.time_ns[s.start : s.stop]
        at = np.clip(stamps + late, stamps[0], stamps[-1])
        values = _moved(record, record.inputs, s, at, step)
        inside = (stamps + late >= stamps[0]) & (stamps + late <= stamps[-1])
        pieces.append(np.where(inside[:, None] | (not cut), values, np.nan))
    values = np.concatenate(pieces)
    inputs = record.inputs._replace(values=values, moved=record.inputs.moved + seconds)
    moved = record.with_note(f"Inputs moved by {-seconds * 1e3:.3f} ms.", inputs=inputs)
    return without(moved, np.asarray(np.isnan(values).any(axis=1))) if cut else moved


def _moved(record: Record, inputs: RecordedInputs, s: Segment, at: Times, step: int) -> Array:
    """Inputs at other times of a segment: levels over the interval that begins there where they are held."""
    if inputs.held:
        even = inputs if _even(at) else inputs._replace(kind="outputs")  # levels are for even stamps; else take means
        return _averaged_ahead(record, even, [(s, at)], step)
    return _interpolated(record, inputs.values, [(s, at)])


def _even(stamps: Times) -> bool:
    """Whether stamps are evenly spaced, but for rounding and for ends that are repeated."""
    steps = np.diff(stamps)
    steps = steps[steps > 0]
    return len(steps) < 3 or bool(np.ptp(steps[1:-1]) <= _EVEN * np.median(steps))
