"""Innovations of each sensor of a replay: counts, normalised innovation squared, whiteness and health."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from remora.messages.reading import Reading
from remora.navigation.consistency import WhitenessReport, average_bounds, whiteness
from remora.navigation.consistency.normalised_errors import ConsistencyError
from remora.navigation.filters import Innovation, InnovationSeries
from remora.navigation.inertial.aiding_sensors import AidingSensor
from remora.navigation.inertial.sensor_health import SensorHealth, after_refusal, after_result, at_time, refusal
from remora.navigation.replays.outages import RecordSpan, SensorOutage, sensor_outages


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
