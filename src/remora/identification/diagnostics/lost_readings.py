"""Speeds that a log holds though no sensor measured them, and rows that a fit cannot use.

Frozen values, lost readings written as zero, stretches mixed by sorting, and segments shorter than the window of a fit.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.files.problems import Advice, Fix, listed
from remora.identification.data.record import FrozenSpeed, Record, Segment, segments_between_gaps
from remora.identification.data.stamp_checks import interleaved_start
from remora.identification.sampling.frozen_speeds import frozen_speeds
from remora.identification.sampling.resampling import without

# Stretches of one speed that a warning lists.
_LISTED = 3
# Lost readings: at least this many single zeros, and this share of all rows, between values this many times larger
# than the usual change from row to row.
_FEWEST, _SHARE, _FAR = 5, 0.01, 5.0


def lost_reading_warnings(record: Record, start_ns: int | None = None) -> list[str]:
    """Warnings for each speed that is frozen, or zero between other values; times are since a stamp or the first."""
    found, frozen = [], frozen_speeds(record)
    start = int(record.time_ns[0]) if start_ns is None else start_ns
    for axis in record.measured:
        if own := [one for one in frozen if one.axis == axis]:
            found.append(
                f"{axis} is exactly {_stretches(own, start)}: its sensor was frozen or lost. Leave these rows empty or "
                "cut them off."
            )
        elif zeros := _single_zeros(record.speed(axis)[np.isfinite(record.speed(axis))]):
            found.append(
                f"{axis} is exactly 0 in {zeros} single rows between other values: lost readings that were written as "
                "zero. Leave these cells empty."
            )
    return found


def mixed_stretches(record: Record) -> list[str]:
    """Warning for a record, as recorded, in which rows of two stretches alternate."""
    known = [table for table in (record.twist, record.quaternion) if table is not None]
    start = interleaved_start(record.time, np.column_stack(known))
    if start is None:
        return []
    return [
        f"{record.source}: from {start:.6g} s on rows come twice as fast and values jump back and forth: two stretches "
        "with the same stamps were mixed by sorting, as after a clock that was set back. Split the log there instead."
    ]


def frozen_rows(record: Record) -> NDArray[np.bool_]:
    """Rows in which a speed is frozen or interpolated from a frozen value."""
    rows, time = np.zeros(len(record), dtype=np.bool_), record.time_ns
    for one in frozen_speeds(record):
        rows |= (time > one.start_ns - one.interval_ns) & (time < one.stop_ns + one.interval_ns)
    return rows


def without_frozen_rows(record: Record) -> Record:
    """The record without rows in which a speed is frozen."""
    rows = frozen_rows(record)
    return without(record, rows) if rows.any() else record


def _stretches(frozen: Sequence[FrozenSpeed], start_ns: int) -> str:
    """Values, lengths and starts of the first stretches, and the number of others."""
    first = [
        f"{one.value:.4g} for {(one.stop_ns - one.start_ns + one.interval_ns) * 1e-9:.3g} s "
        f"from {(one.start_ns - start_ns) * 1e-9:.6g} s on"
        for one in frozen[:_LISTED]
    ]
    others = len(frozen) - len(first)
    return listed([*first, *([f"in {others} other stretches"] if others else [])])


def _single_zeros(values: Array) -> int:
    """Number of zeros between two values that are far from zero; 0 where there are few."""
    if len(values) < 3:
        return 0
    usual = float(np.median(np.abs(np.diff(values))))
    near = np.minimum(np.abs(values[:-2]), np.abs(values[2:]))
    single = int(np.sum((values[1:-1] == 0.0) & (near > _FAR * usual) & (usual > 0.0)))
    return single if single >= max(_FEWEST, _SHARE * len(values)) else 0


# Share of unused rows that is reported.
_MUCH = 0.2
# Percentiles of the intervals that are tried as the gap.
_CANDIDATES = (75, 90, 95, 98, 99, 99.5)


def unused_rows(recorded: Record, uniform: Record, window: float) -> list[str]:
    """Warning where much of a record lies in segments shorter than the window of the fit, s."""
    long = [s for s in uniform.segments if _length(uniform, s) >= window and s.stop - s.start > 1]
    used = sum(_rows_between(recorded, uniform.time_ns[s.start], uniform.time_ns[s.stop - 1]) for s in long)
    lost = 1.0 - used / len(recorded)
    if lost < _MUCH:
        return []
    short = len(uniform.segments) - len(long)
    # Segments of a single row are not in the uniform record.
    gone = max(0, len(recorded.segments) - len(uniform.segments))
    message = (
        f"{recorded.source}: {lost:.0%} of {len(recorded)} rows are not used: {short + gone} of "
        f"{max(len(uniform.segments), len(recorded.segments))} pieces between gaps are shorter than the "
        f"{window:.2g} s that are needed."
    )
    gap = _gap_that_keeps(recorded, window)
    if not gap:
        return [message]
    return [Advice(message, Fix("With {gap} shorter gaps are joined by straight lines.", {"gap": f"{gap:.2g}"}))]


def _length(record: Record, s: Segment) -> float:
    return float(record.time_ns[s.stop - 1] - record.time_ns[s.start]) * 1e-9


def _rows_between(record: Record, first: int, last: int) -> int:
    low, high = np.searchsorted(record.time_ns, [first, last + 1])
    return int(high - low)


def _gap_that_keeps(record: Record, window: float) -> float | None:
    """Shortest gap, s, at which most rows lie in sufficiently long segments; None where there is none."""
    steps = np.diff(record.time_ns) * 1e-9
    for gap in np.percentile(steps, _CANDIDATES) * 1.05:
        pieces = segments_between_gaps(record.time_ns, float(gap))
        kept = sum(s.stop - s.start for s in pieces if _length(record, s) >= window)
        if kept > (1.0 - _MUCH) * len(record):
            return float(gap)
    return None
