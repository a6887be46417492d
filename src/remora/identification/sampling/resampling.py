"""Resampling to uniform stamps with gaps preserved, removal of rows, and averages and time shifts of inputs."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.identification.data.record import Record, RecordedInputs, Segment, Times
from remora.identification.problems import RecordError, resampling_fix
from remora.identification.sampling.frozen_speeds import frozen_speeds
from remora.identification.sampling.own_stamps import (
    StampedSignal,
    levels_over,
    longest_joined,
    means_over,
    signal_of,
    values_at,
)
from remora.vehicles.names import DEGREES_OF_FREEDOM

# Ratio of intervals above which rates are mixed.
_JITTER = 0.1
_MIXED = 3.0
# Relative difference below which intervals are equal.
_EVEN = 0.001


def uniform_interval(record: Record) -> float:
    """Sampling interval of a record, s; RecordError where it is not uniform.

    Each segment must be uniform; gaps between segments may be arbitrary.
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
    """The record at uniform stamps inside each segment; gaps stay gaps.

    Each signal is resampled separately from its own stamps. Motion is interpolated. Inputs are averaged from each new
    stamp to the next and held there (zero-order hold), so that no impulse is lost or shifted. A signal without values
    for longer than four of its typical intervals, and than the longest step of the record, stays unknown there, as
    before its first and after its last value.

    Parameters
    ----------
    record, interval, shortest
        Record with any stamps, new interval, s, and length below which segments are dropped, s.
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
        frozen=frozen_speeds(record),
        lines=None,
    )


def _grids(record: Record, step: int, shortest: float) -> list[tuple[Segment, Times]]:
    """New stamps of each segment that is long enough, from the first value of its slowest speed."""
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
    """Column of the twist with the fewest values, without empty ones."""
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
    """Longest joined interval of each column, s; longer ones are holes, such as a lost lock."""
    time = record.time
    rows = max(
        (float(np.diff(time[s.start : s.stop]).max()) for s in record.segments if s.stop - s.start > 1), default=0
    )
    return [max(rows, longest_joined(time[np.isfinite(column)])) for column in table.T]


def _continuous(quaternion: Array) -> Array:
    """The same rotations with continuous signs, for interpolation."""
    known = np.isfinite(quaternion).all(axis=1)
    rows = quaternion[known]
    jumps = np.sum(rows[1:] * rows[:-1], axis=1) < 0.0
    signs = np.concatenate([np.ones(min(len(rows), 1)), np.where(np.cumsum(jumps) % 2, -1.0, 1.0)])
    found = np.full_like(quaternion, np.nan)
    found[known] = rows * signs[:, None]
    return found


def without(record: Record, masked: NDArray[np.bool_], gap: float | None = None) -> Record:
    """The record without some rows (no lock, saturation, taut tether), cut where rows were removed.

    Parameters
    ----------
    record, masked
        The record, and true for each row to be removed.
    gap
        Cut only where at least this time is missing, s; at every removed row unless given.
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
        lines=None if record.lines is None else record.lines[kept],
    )


def without_holes(record: Record) -> Record:
    """The record without rows in which a measured quantity is missing."""
    places = [DEGREES_OF_FREEDOM.index(axis) for axis in record.measured]
    tables = [record.twist[:, places], *([record.inputs.values] if record.inputs is not None else [])]
    tables += [record.quaternion] if record.quaternion is not None else []
    holes = np.asarray(np.isnan(np.column_stack(tables)).any(axis=1))
    return without(record, holes) if holes.any() else record


def _segments_of_rest(record: Record, kept: NDArray[np.bool_], gap: float | None) -> tuple[Segment, ...]:
    """Segments of the kept rows: cut as before and where rows were removed."""
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
    """The record with its inputs shifted in time.

    Parameters
    ----------
    record
        The record.
    seconds
        Delay of the stamps of the inputs, s; the inputs are moved to earlier times by it.
    cut
        Whether rows without inputs are removed; else they keep the nearest input.
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
    """Inputs at other times of a segment; levels from each time to the next where they are held."""
    if inputs.held:
        even = inputs if _even(at) else inputs._replace(kind="outputs")  # levels need even stamps; else means
        return _averaged_ahead(record, even, [(s, at)], step)
    return _interpolated(record, inputs.values, [(s, at)])


def _even(stamps: Times) -> bool:
    """Whether stamps are evenly spaced up to rounding and repeated ends."""
    steps = np.diff(stamps)
    steps = steps[steps > 0]
    return len(steps) < 3 or bool(np.ptp(steps[1:-1]) <= _EVEN * np.median(steps))


def interval_averaged(time_ns: Times, values: Array, held: bool, at_ns: Times, width: float) -> Array:
    """Mean of a signal over an interval centred on each stamp.

    The mean is exact: steps where the signal is held (zero-order hold), straight lines where it is sampled. Point
    samples of a staircase would bias a fit; means do not (Britto Neto 2018). Intervals are cut at the ends of the
    signal.

    Parameters
    ----------
    time_ns, values, held
        Stamps, ns, and values of the signal, and whether a value holds until the next stamp.
    at_ns, width
        Stamps of the motion, ns, and length of the interval, s.
    """
    origin = time_ns[0]
    t, at = (time_ns - origin) * 1e-9, (at_ns - origin) * 1e-9
    last = t[-1] + (np.median(np.diff(t)) if held and len(t) > 1 else 0.0)
    low, high = np.clip(at - 0.5 * width, t[0], last), np.clip(at + 0.5 * width, t[0], last)
    empty = high <= low
    high = np.where(empty, low + 1e-9, high)
    means = (_integral(t, values, held, high) - _integral(t, values, held, low)) / (high - low)[:, None]
    point = values[np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 1)]
    return np.asarray(np.where(empty[:, None], point, means))


def _integral(t: Array, values: Array, held: bool, at: Array) -> Array:
    """Integral of the signal from its first stamp."""
    steps = np.diff(t)[:, None]
    areas = values[:-1] * steps if held else 0.5 * (values[:-1] + values[1:]) * steps
    up_to = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(areas, axis=0)])
    k = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 1)
    beyond = (at - t[k])[:, None]
    slopes = np.zeros_like(values)
    if not held:
        slopes[:-1] = np.diff(values, axis=0) / steps
    return np.asarray(up_to[k] + (values[k] + 0.5 * slopes[k] * beyond) * beyond)
