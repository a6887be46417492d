"""Sensors of a replay: outages with their times and causes, counts and statistics of innovations, and health."""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from remora.messages.reading import Reading
from remora.navigation.consistency import ConsistencyError, WhitenessReport, average_bounds, whiteness
from remora.navigation.filters import Innovation, InnovationSeries
from remora.navigation.inertial.aiding_sensors import AidingSensor
from remora.navigation.inertial.input_gaps import RecordedGap
from remora.navigation.inertial.sensor_health import (
    SensorHealth,
    after_refusal,
    after_result,
    at_time,
    longest_silence,
    refusal,
)

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


class ReplayedSensor(NamedTuple):
    """Results of the readings of one aiding sensor."""

    name: str
    readings: int  # in the log
    masked: int  # left out on request
    refused: Mapping[str, int]  # reason -> readings that were not given to the filter
    used: int
    rejected: int  # beyond the gate
    freedom: float  # measured values per used reading: the expected mean of the NIS
    mean_squared: float  # NIS of the used readings; NaN without any
    interval: tuple[float, float]  # two-sided 95 % interval of that mean
    whiteness: WhitenessReport | None  # None with too few readings
    health: str  # at the end
    median_squared: float  # NIS of all compared readings over the number of their values; NaN without any
    outages: tuple[SensorOutage, ...]
    is_over_bottom: bool = False  # whether it shows an estimated bottom, which may be more even than assumed

    @property
    def judged(self) -> int:
        """Readings that the filter compared with its prediction."""
        return self.used + self.rejected


def sensor_statistics(
    sensor: AidingSensor,
    given: Sequence[Reading],
    masked: Sequence[Reading],
    series: InnovationSeries,
    span: RecordSpan,
) -> ReplayedSensor:
    """Counts and statistics of one sensor, with the readings that were given to the filter in order of arrival."""
    taken = series.count("used") + series.count("recovered")
    used = np.isin(series.outcomes, (0,)) & np.isfinite(series.squared)
    values = series.values[used]
    total = int(np.isfinite(values).sum())
    count = int(used.sum())
    mean = float(np.mean(series.squared[used])) if count else float("nan")
    refused: dict[str, int] = {}
    for reason in (refusal(sensor, reading) for reading in given):
        if reason:
            refused[reason] = refused.get(reason, 0) + 1
    return ReplayedSensor(
        sensor.name, len(given) + len(masked), len(masked), refused, taken, series.count("rejected"),
        total / count if count else float("nan"), mean, mean_interval(total, count, 0.95),
        _whiteness(series, used), _health(sensor, given, series, span.until_ns), _median(series),
        sensor_outages(sensor, given, masked, series, span), sensor.shows_bottom,
    )  # fmt: skip


def mean_interval(total: int, count: int, probability: float) -> tuple[float, float]:
    """Two-sided interval of the mean of some chi-square variables with this total of degrees of freedom."""
    if not total or not count:
        return (float("nan"), float("nan"))
    low, high = average_bounds(total, 1, probability)
    return (low / count, high / count)


def _median(series: InnovationSeries) -> float:
    """Median of the NIS per measured value, rejected readings included."""
    rows = np.flatnonzero(np.isfinite(series.squared))
    counts = np.isfinite(series.values[rows]).sum(axis=1)
    shares = series.squared[rows][counts > 0] / counts[counts > 0]
    return float(np.median(shares)) if len(shares) else float("nan")


def _whiteness(series: InnovationSeries, used: np.ndarray) -> WhitenessReport | None:
    """Test of the normalised innovations in order of time."""
    rows = np.flatnonzero(used)
    rows = rows[np.argsort(series.stamps_ns[rows], kind="stable")]
    try:
        return whiteness(series.values[rows] / series.deviations[rows])
    except ConsistencyError:
        return None


def _health(sensor: AidingSensor, given: Sequence[Reading], series: InnovationSeries, end_ns: int) -> str:
    """Health at the end, as the part `filter` reports it."""
    health = SensorHealth()
    for i, stamp in enumerate(series.stamps_ns.tolist()):
        outcome = Innovation(
            sensor.name, stamp, series.outcome(i), tuple(series.values[i].tolist()),
            tuple(series.deviations[i].tolist()), float(series.squared[i]),
        )  # fmt: skip
        health = after_result(health, outcome, sensor)
    last = refusal(sensor, given[-1]) if given else ""
    health = at_time(after_refusal(health, last) if last else health, sensor, end_ns)
    if health.is_surprising and health.status == "good":
        return "large innovations"
    return health.status
