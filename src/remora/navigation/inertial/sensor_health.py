"""Health of the aiding sensors of a filter: lock, losses, rejections, frozen values and large innovations."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from remora.messages.part import PartReport
from remora.messages.reading import Reading, Status
from remora.navigation.filters import Innovation
from remora.navigation.inertial.aiding_sensors import STEEP, AidingSensor

REPEATS = 3  # equal values in a row that mean a frozen sensor
REJECTIONS = 3  # in a row that mean an inconsistent sensor
MEMORY = 100  # readings over which normalised innovations are averaged, effectively
SURPRISE = 6.0  # standard deviations of that average beyond its mean; chosen against false alarms
LEAST_LOSS_NS = 1_000_000_000  # shortest gap between used readings that counts as a loss

_OF_STATUS = {
    Status.NO_LOCK: "no lock",
    Status.OUT_OF_RANGE: "no lock",
    Status.DROPPED: "dropped",  # one message that was lost: silence makes it a loss
    Status.OFF: "lost",
}
_TEXTS = {
    "good": "is used again",
    "lost": "is lost: no reading could be used",
    "no lock": "has no lock",
    "zeros": "gives zeros without lock, which are not used",
    "steep": "is not used near 90 degrees of pitch, where its angles are not unique",
    "frozen": "is frozen: it repeats its values, which are not used",
    "rejected": "is rejected: its readings do not fit the estimate",
    "clock": "has stamps from the future or before the memory of the filter, which are not used",
    "not finite": "gives numbers that are not finite, which are not used",
}


class SensorHealth(NamedTuple):
    """Health of one sensor; plain numbers, for checkpoints."""

    status: str = "waiting"
    used_ns: int = -1  # stamp of the last used reading
    repeats: int = 0
    rejections: int = 0
    mean_square: float = 1.0  # average normalised innovation squared per measured value
    is_surprising: bool = False


def refusal(sensor: AidingSensor, reading: Reading) -> str:
    """Why a reading is not given to the filter; empty where it is."""
    if reading.status > Status.PARTIAL:
        return _OF_STATUS[reading.status]
    if sensor.zeros_mean_no_lock and all(value == 0.0 for value in reading.values[:3]):
        return "zeros"
    if sensor.angles is not None and abs(sensor.angles(reading.values)[1]) > STEEP:
        return "steep"
    return ""


def after_refusal(health: SensorHealth, reason: str) -> SensorHealth:
    """The health after a reading that was not given to the filter; a single one that was lost on the way is no loss."""
    return health if reason == "dropped" else health._replace(status=reason)


def after_result(health: SensorHealth, result: Innovation, sensor: AidingSensor) -> SensorHealth:
    """The health after a reading that the filter has seen."""
    outcome = result.outcome
    if outcome in ("used", "recovered"):
        status = "rejected" if outcome == "recovered" else "good"
        return SensorHealth(status, result.stamp_ns, 0, 0, *_observed(health, result))
    if outcome == "rejected":
        count = health.rejections + 1
        status = "rejected" if count >= REJECTIONS else health.status
        return SensorHealth(status, health.used_ns, health.repeats, count, *_observed(health, result))
    if outcome == "repeated":
        count = health.repeats + 1
        return health._replace(repeats=count, status="frozen" if count >= REPEATS else health.status)
    if outcome in ("in the future", "too late"):
        return health._replace(status="clock")
    return health._replace(status="not finite") if outcome == "not finite" else health


def _observed(health: SensorHealth, result: Innovation) -> tuple[float, bool]:
    """Average of the normalised innovations after another one, clipped so that an outlier counts once; if it is large.

    A large average counts as one until it is well inside its limit.
    """
    count = sum(map(math.isfinite, result.values))
    if not count:
        return health.mean_square, health.is_surprising
    share = min(result.squared / count, 25.0)
    mean = health.mean_square + (share - health.mean_square) * 2.0 / MEMORY
    factor = 0.5 * SURPRISE if health.is_surprising else SURPRISE
    return mean, mean > 1.0 + factor * math.sqrt(2.0 / (count * MEMORY))


def longest_silence(sensor: AidingSensor) -> int:
    """Longest time without a used reading that is no loss, ns."""
    return max(LEAST_LOSS_NS, 3 * sensor.period_ns) + round(1e9 * sensor.latency)


def at_time(health: SensorHealth, sensor: AidingSensor, now_ns: int) -> SensorHealth:
    """The health at a time: lost after a gap without a used reading."""
    elapsed_ns = now_ns - health.used_ns
    is_late = elapsed_ns > LEAST_LOSS_NS and sensor.period_ns > 0
    if health.status == "good" and is_late and elapsed_ns > longest_silence(sensor):
        return health._replace(status="lost")
    return health


def health_reports(name: str, before: SensorHealth, after: SensorHealth) -> Iterator[PartReport]:
    """Events of a change of health of a sensor."""
    data = {"sensor": name, "health": after.status}
    if (
        after.status != before.status
        and after.status in _TEXTS
        and (before.status, after.status) != ("waiting", "good")
    ):
        yield PartReport("info" if after.status == "good" else "warning", f"{name} {_TEXTS[after.status]}", data)
    if after.is_surprising and not before.is_surprising:
        text = (
            f"innovations of {name} are larger than its stated errors allow. Check its position, orientation and errors"
        )
        yield PartReport("warning", text, {**data, "mean_square": after.mean_square})
