"""Health of the sensors of a filter, from their innovations over a window of time."""

from collections import deque
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple, final

from scipy.stats import chi2

from remora.files.problems import InputError
from remora.navigation.filters.models import AidingModel, Innovation


class AidingCondition(IntEnum):
    """Condition of a sensor."""

    HEALTHY = 0
    SUSPICIOUS = 1  # innovations larger than their covariance explains, or too many rejections
    FAILED = 2  # no usable reading for too long, or only rejections


class HealthLimits(NamedTuple):
    """When a sensor is suspicious or failed."""

    window: float = 10.0  # s, over which innovations are averaged
    probability: float = 0.999  # of a mean normalised innovation squared below its limit, for a healthy sensor
    rejected: float = 0.2  # fraction of readings beyond the gate above which a sensor is suspicious
    rejected_for: float = 3.0  # s of rejections alone after which it has failed
    age: float = 5.0  # s without a usable reading after which it has failed


class AidingHealth(NamedTuple):
    """Condition of a sensor and its reasons."""

    condition: AidingCondition
    mean_squared: float  # normalised innovation squared over its degrees of freedom: about 1 when healthy
    rejected: float  # fraction of the readings in the window
    age: float  # s since the last reading that was used
    reason: str = ""


class HealthState(NamedTuple):
    """Readings in the window of each sensor."""

    started_ns: int
    window: dict[str, tuple[tuple[int, int, float, bool], ...]]  # stamp, degrees of freedom, squared, used
    last_used_ns: dict[str, int]


@final
class HealthMonitor:
    """Watches the innovations of a filter: state in, state out."""

    def __init__(self, aidings: dict[str, AidingModel], limits: HealthLimits | None = None) -> None:
        self._limits = limits or HealthLimits()
        if not (self._limits.window > 0.0 and 0.0 < self._limits.probability < 1.0):
            raise InputError("limits: give a positive window and a probability below 1").about("limits")
        self._sensors = tuple(aidings)

    def initial(self, stamp_ns: int = 0) -> HealthState:
        """The state before the first reading."""
        return HealthState(stamp_ns, dict.fromkeys(self._sensors, ()), dict.fromkeys(self._sensors, stamp_ns))

    def step(
        self, state: HealthState, innovations: Sequence[Innovation], stamp_ns: int
    ) -> tuple[HealthState, dict[str, AidingHealth]]:
        """The state after the results of `step` of the filter, and the health of each sensor at a time."""
        window = {name: deque(entries) for name, entries in state.window.items()}
        last_used = dict(state.last_used_ns)
        for one in innovations:
            if one.sensor in window and one.outcome in ("used", "rejected", "recovered"):
                used, freedom = one.outcome != "rejected", sum(value == value for value in one.values)
                window[one.sensor].append((one.stamp_ns, freedom, one.squared, used))
                if used:
                    last_used[one.sensor] = max(last_used[one.sensor], one.stamp_ns)
        horizon = stamp_ns - round(1e9 * self._limits.window)
        kept = {name: tuple(entry for entry in entries if entry[0] >= horizon) for name, entries in window.items()}
        after = HealthState(state.started_ns, kept, last_used)
        return after, {name: self._health(kept[name], 1e-9 * (stamp_ns - last_used[name])) for name in self._sensors}

    def _health(self, entries: tuple[tuple[int, int, float, bool], ...], age: float) -> AidingHealth:
        """Health of one sensor."""
        limits, count = self._limits, len(entries)
        freedom, total = sum(entry[1] for entry in entries), sum(entry[2] for entry in entries)
        mean = total / freedom if freedom else 0.0
        rejected = sum(not entry[3] for entry in entries) / count if count else 0.0
        recent = [entry for entry in entries if not entry[3]]
        if age > limits.age and not recent:
            return AidingHealth(AidingCondition.FAILED, mean, rejected, age, "no reading")
        if recent and age > limits.rejected_for:
            return AidingHealth(AidingCondition.FAILED, mean, rejected, age, "every reading is rejected")
        if rejected > limits.rejected:
            return AidingHealth(AidingCondition.SUSPICIOUS, mean, rejected, age, "many readings are rejected")
        if freedom and total > chi2.ppf(limits.probability, freedom):
            return AidingHealth(AidingCondition.SUSPICIOUS, mean, rejected, age, "innovations are too large")
        return AidingHealth(AidingCondition.HEALTHY, mean, rejected, age)
