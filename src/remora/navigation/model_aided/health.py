"""Health of a filter from its innovations: mean normalised innovation squared per sensor."""

from collections.abc import Iterable
from typing import NamedTuple

from remora.navigation.filters import Innovation

MEMORY = 50.0  # readings
FEWEST = 20  # readings before a verdict
LIMIT = 3.0  # times the value of a consistent filter


class SensorConsistency(NamedTuple):
    """Running mean of the normalised innovation squared of a sensor, over its number of values."""

    sensor: str
    readings: int
    mean: float

    @property
    def is_degraded(self) -> bool:
        """Whether the innovations are larger than the filter expects."""
        return self.readings >= FEWEST and self.mean > LIMIT


def updated_health(
    health: tuple[SensorConsistency, ...], innovations: Iterable[Innovation]
) -> tuple[SensorConsistency, ...]:
    """Health after further innovations, rejected ones included; sensors without a value stay as they are."""
    known = {one.sensor: one for one in health}
    for innovation in innovations:
        if innovation.outcome not in ("used", "rejected") or not innovation.values:
            continue
        before = known.get(innovation.sensor, SensorConsistency(innovation.sensor, 0, 1.0))
        share = innovation.squared / len(innovation.values)
        mean = before.mean + (share - before.mean) / MEMORY
        known[innovation.sensor] = SensorConsistency(innovation.sensor, before.readings + 1, mean)
    return tuple(known.values())


def degraded_sensors(health: Iterable[SensorConsistency]) -> tuple[str, ...]:
    """Sensors, or the velocity model, that do not fit the estimate."""
    return tuple(one.sensor for one in health if one.is_degraded)
