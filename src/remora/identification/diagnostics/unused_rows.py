"""Rows of a record that a fit cannot use because segments are shorter than its window."""

import numpy as np

from remora.files.problems import Advice, Fix
from remora.identification.data.record import Record, Segment, segments_between_gaps

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
