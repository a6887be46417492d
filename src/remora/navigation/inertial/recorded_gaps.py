"""Recorded readings with gaps in the inertial ones: constant velocity across them, with the noise of `input_gaps`."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from remora.messages.reading import Reading
from remora.navigation.filters import Belief, ErrorStateFilter, FilterRun, run
from remora.navigation.filters.beliefs import FilterSnapshot
from remora.navigation.filters.trajectory import InnovationSeries
from remora.navigation.inertial.inertial_filter import InertialFilter
from remora.navigation.inertial.input_gaps import SLOPE_NS, coasting_input, coasting_reading

PIECE_NS = 100_000_000  # after which the velocity that is held is that of the estimate again


class RecordedGap(NamedTuple):
    """A gap between two inertial readings."""

    from_ns: int
    until_ns: int


class RecordPiece(NamedTuple):
    """Readings of an interval of stamps, its end included."""

    from_ns: int
    until_ns: int
    is_gap: bool


def run_across_gaps(
    made: InertialFilter, belief: Belief, events: Sequence[Reading], gaps: Sequence[RecordedGap], apart: float
) -> FilterRun:
    """Estimates from readings in order of arrival, with covariances; in a gap, readings are taken in at their stamps.

    Inputs and readings are as the filter takes them; `apart` is the shortest time between two estimates, s.
    """
    if not gaps:
        return run(made.filter, belief, events, apart=apart, covariances=True)
    found, stamps = [], np.array([event.stamp_ns for event in events])
    earlier: list[FilterSnapshot] = []
    for piece in _pieces(gaps, belief.stamp_ns, int(stamps.max(initial=0))):
        rows = np.flatnonzero((stamps > piece.from_ns) & (stamps <= piece.until_ns)).tolist()
        given = [events[i] for i in rows]
        if piece.is_gap:
            given = [coasting_reading(made, one) for one in sorted(given, key=lambda event: event.stamp_ns)]
            given.insert(0, coasting_input(made, belief, piece.from_ns, earlier))
        found.append(_taken_in(made.coasting if piece.is_gap else made.filter, belief, given, apart))
        earlier = [one for one in (*earlier, *belief.snapshots) if belief.stamp_ns - one.last.valid_ns <= SLOPE_NS]
        belief = found[-1].belief
    return _joined(found, round(1e9 * apart))


def _pieces(gaps: Sequence[RecordedGap], start_ns: int, last_ns: int) -> Iterator[RecordPiece]:
    """Intervals between the gaps, and the gaps in short pieces; the first begins before the start."""
    start_ns -= 1
    for gap in gaps:
        yield RecordPiece(start_ns, gap.from_ns, False)
        for begin in range(gap.from_ns, gap.until_ns, PIECE_NS):
            yield RecordPiece(begin, min(begin + PIECE_NS, gap.until_ns), True)
        start_ns = gap.until_ns
    if start_ns < last_ns:
        yield RecordPiece(start_ns, last_ns, False)


def _taken_in(used: ErrorStateFilter, belief: Belief, events: Sequence[Reading], apart: float) -> FilterRun:
    """A run that never goes back to readings before it, which were filtered with another noise."""
    return run(used, used.restarted(belief, belief.stamp_ns), events, apart=apart, covariances=True)


def _joined(found: Sequence[FilterRun], apart_ns: int) -> FilterRun:
    """Runs one after the other as one."""
    stamps = np.concatenate([one.stamps_ns for one in found])
    kept: list[int] = []
    for i, time in enumerate(stamps.tolist()):
        if not kept or time - stamps[kept[-1]] >= apart_ns:
            kept.append(i)
    states, sigma, memories = (
        np.concatenate([getattr(one, name) for one in found])[kept] for name in ("states", "sigma", "memories")
    )
    innovations = {
        name: InnovationSeries(*map(np.concatenate, zip(*(one.innovations[name] for one in found), strict=True)))
        for name in found[0].innovations
    }
    return FilterRun(stamps[kept], states, sigma, innovations, found[-1].belief, memories, found[0].sizes)
