"""Outages of sensors in a record: gaps, frozen values, zeros and loss of lock, with their times."""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from remora.messages.reading import Reading
from remora.navigation.filters import InnovationSeries
from remora.navigation.inertial.aiding_sensors import AidingSensor
from remora.navigation.inertial.recorded_gaps import RecordedGap
from remora.navigation.inertial.sensor_health import longest_silence, refusal

LONG_NS = 3_000_000_000  # a longer outage leaves its mark on the estimates; chosen
_STEADY_ROLES = ("attitude", "velocity", "depth", "water")  # the others have no reading for long as a rule
_OF_OUTCOME = {
    "used": "", "recovered": "", "rejected": "", "repeated": "frozen", "not finite": "not finite",
    "in the future": "clock", "too late": "clock",
}  # fmt: skip
# Failures of a sensor; lost lock, steep pitch and masks are none.
_FAULTS = ("gap", "lost", "dropped", "frozen", "zeros", "not finite", "clock")


class SensorOutage(NamedTuple):
    """A time without a usable reading of a sensor."""

    cause: str  # gap, frozen, zeros, no lock, masked, ...
    from_ns: int
    until_ns: int
    is_first: bool  # before the first usable reading
    is_last: bool  # until the end of the record

    @property
    def seconds(self) -> float:
        """Its duration, s."""
        return 1e-9 * (self.until_ns - self.from_ns)

    @property
    def is_serious(self) -> bool:
        """Whether a sensor failed for long or for good, once it had worked."""
        is_long = self.is_last or self.until_ns - self.from_ns > LONG_NS
        return self.cause in _FAULTS and is_long and not self.is_first


class RecordSpan(NamedTuple):
    """First and last time of a record, ns."""

    from_ns: int
    until_ns: int


class ReplayedInputs(NamedTuple):
    """Readings of the inertial unit."""

    name: str
    readings: int
    outages: tuple[SensorOutage, ...]


def input_outages(
    gaps: Sequence[RecordedGap], inertial: Sequence[Reading], masked: Sequence[Reading], span: RecordSpan
) -> tuple[SensorOutage, ...]:
    """Gaps of the inertial readings; those with finite readings inside were frozen, unless these were masked."""
    left_out = [reading.stamp_ns for reading in masked]
    stamps = np.array([reading.stamp_ns for reading in inertial])
    is_finite = np.array([math.isfinite(sum(reading.values)) for reading in inertial])
    found = []
    for gap in gaps:
        inside = is_finite[(stamps > gap.from_ns) & (stamps < gap.until_ns)]
        cause = "gap" if not len(inside) else "frozen" if inside.any() else "not finite"
        if cause == "gap" and _fill(left_out, gap.from_ns, gap.until_ns, LONG_NS):
            cause = "masked"
        found.append(SensorOutage(cause, gap.from_ns, gap.until_ns, False, gap.until_ns >= span.until_ns))
    return tuple(found)


def _fill(stamps: Sequence[int], from_ns: int, until_ns: int, longest_ns: int) -> bool:
    """Whether stamps lie in an interval without leaving a longer time out."""
    inside = sorted(stamp for stamp in stamps if from_ns < stamp < until_ns)
    return bool(inside) and all(b - a <= longest_ns for a, b in pairwise((from_ns, *inside, until_ns)))


def sensor_outages(
    sensor: AidingSensor,
    given: Sequence[Reading],
    masked: Sequence[Reading],
    series: InnovationSeries,
    span: RecordSpan,
) -> tuple[SensorOutage, ...]:
    """Times without a reading that the filter compared with its prediction."""
    seen = [(stamp, _OF_OUTCOME.get(series.outcome(i), "")) for i, stamp in enumerate(series.stamps_ns.tolist())]
    seen += [(reading.stamp_ns, reason) for reading in given if (reason := refusal(sensor, reading))]
    seen += [(reading.stamp_ns, "masked") for reading in masked]
    found = _silences(seen, longest_silence(sensor), span)
    return tuple(one for one in found if one.cause != "gap" or sensor.role in _STEADY_ROLES)


def _silences(seen: Iterable[tuple[int, str]], longest_ns: int, span: RecordSpan) -> list[SensorOutage]:
    """Intervals between usable readings that are too long, with the most frequent cause inside."""
    rows = sorted(seen)
    stamps = [stamp for stamp, _ in rows]
    times = [span.from_ns, *(stamp for stamp, cause in rows if not cause), span.until_ns]
    found = []
    for i, (a, b) in enumerate(pairwise(times)):
        if b - a > longest_ns:
            inside = Counter(cause for _, cause in rows[bisect_left(stamps, a) : bisect_right(stamps, b)] if cause)
            cause = inside.most_common(1)[0][0] if inside else "gap"
            found.append(SensorOutage(cause, a, b, i == 0, i == len(times) - 2))
    return found
