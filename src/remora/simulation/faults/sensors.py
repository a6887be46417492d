"""Faults of sensors: in what they measure, by a sensor around the sensor, and on the way of their readings."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from remora.messages.reading import Reading, Status, Values
from remora.sensors.errors.streams import Stream
from remora.sensors.errors.wrappers import WithBias, WithClockJump, WithDropout, WithFreeze, WithGarbage, WithOutage
from remora.sensors.sensor import Sensor
from remora.simulation.faults.fault import Effect


class SensorEffect(Effect):
    """Changes a sensor, by another one around it."""

    @abstractmethod
    def around(self, sensor: Sensor, from_ns: int, until_ns: int) -> Sensor:
        """The sensor with this fault in it from one time until another."""


@final
@dataclass(frozen=True)
class Frozen(SensorEffect):
    """It repeats its last values under new stamps."""

    @property
    def words(self) -> str:
        """What happens."""
        return "repeats its last values"

    def around(self, sensor: Sensor, from_ns: int, until_ns: int) -> Sensor:
        """The sensor that freezes."""
        return WithFreeze(sensor, from_ns, until_ns)


@final
@dataclass(frozen=True)
class Biased(SensorEffect):
    """Its values are off."""

    offset: Values  # one per channel, SI

    @property
    def words(self) -> str:
        """What happens."""
        return "is biased"

    @property
    def figures(self) -> Mapping[str, Any]:
        """By how much."""
        return {"offset": list(self.offset)}

    def around(self, sensor: Sensor, from_ns: int, until_ns: int) -> Sensor:
        """The sensor that is off."""
        return WithBias(sensor, from_ns, until_ns, self.offset)


@final
@dataclass(frozen=True)
class Silent(SensorEffect):
    """It gives no values: off, or its readings are lost on the way."""

    status: Status = Status.OFF

    @property
    def words(self) -> str:
        """What happens."""
        return "is off" if self.status == Status.OFF else "loses all readings"

    def around(self, sensor: Sensor, from_ns: int, until_ns: int) -> Sensor:
        """The sensor without values."""
        return WithOutage(sensor, from_ns, until_ns, self.status)


@final
@dataclass(frozen=True)
class Dropping(SensorEffect):
    """It loses a share of its readings by chance."""

    share: float
    stream: Stream

    @property
    def words(self) -> str:
        """What happens."""
        return f"loses {100.0 * self.share:g} % of its readings"

    @property
    def figures(self) -> Mapping[str, Any]:
        """How many."""
        return {"share": self.share}

    def around(self, sensor: Sensor, from_ns: int, until_ns: int) -> Sensor:
        """The sensor with gaps."""
        return WithDropout(sensor, self.stream, self.share, from_ns, until_ns)


@final
@dataclass(frozen=True)
class Garbage(SensorEffect):
    """Some of its values are no numbers, and it does not say so."""

    channels: tuple[int, ...]
    value: float  # NaN or infinite

    @property
    def words(self) -> str:
        """What happens."""
        return f"gives {self.value} for values"

    @property
    def figures(self) -> Mapping[str, Any]:
        """Which of its channels."""
        return {"channels": list(self.channels)}

    def around(self, sensor: Sensor, from_ns: int, until_ns: int) -> Sensor:
        """The sensor with garbage."""
        return WithGarbage(sensor, from_ns, until_ns, self.channels, self.value)


@final
@dataclass(frozen=True)
class ClockJump(SensorEffect):
    """Its clock jumps: stamps are too early or too late from then on."""

    jump_ns: int

    @property
    def words(self) -> str:
        """What happens."""
        return f"has a clock that is {'ahead' if self.jump_ns > 0 else 'behind'} by {abs(self.jump_ns) * 1e-9:g} s"

    @property
    def figures(self) -> Mapping[str, Any]:
        """By how much."""
        return {"jump_ns": self.jump_ns}

    def around(self, sensor: Sensor, from_ns: int, until_ns: int) -> Sensor:
        """The sensor with wrong stamps."""
        return WithClockJump(sensor, from_ns, until_ns, self.jump_ns)


class HandoverEffect(Effect):
    """Changes when, and how often, readings are handed over."""

    @abstractmethod
    def handed_over(self, reading: Reading, k: int, period_ns: int) -> tuple[Reading, ...]:
        """What becomes of the reading of sample k of a sensor of a period."""


@final
@dataclass(frozen=True)
class Delayed(HandoverEffect):
    """Readings arrive late."""

    delay_ns: int

    @property
    def words(self) -> str:
        """What happens."""
        return f"is late by {self.delay_ns * 1e-9:g} s"

    @property
    def figures(self) -> Mapping[str, Any]:
        """By how much."""
        return {"delay_ns": self.delay_ns}

    def handed_over(self, reading: Reading, k: int, period_ns: int) -> tuple[Reading, ...]:
        """The same, later."""
        return (reading._replace(arrival_ns=reading.arrival_ns + self.delay_ns),)


@final
@dataclass(frozen=True)
class Duplicated(HandoverEffect):
    """Each reading arrives twice."""

    delay_ns: int = 0  # of the second one

    @property
    def words(self) -> str:
        """What happens."""
        return "hands each reading over twice"

    @property
    def figures(self) -> Mapping[str, Any]:
        """How long after."""
        return {"delay_ns": self.delay_ns}

    def handed_over(self, reading: Reading, k: int, period_ns: int) -> tuple[Reading, ...]:
        """The same, and once more."""
        return (reading, reading._replace(arrival_ns=reading.arrival_ns + self.delay_ns))


@final
@dataclass(frozen=True)
class OutOfOrder(HandoverEffect):
    """Every second reading comes after the one that follows it."""

    @property
    def words(self) -> str:
        """What happens."""
        return "hands readings over in the wrong order"

    def handed_over(self, reading: Reading, k: int, period_ns: int) -> tuple[Reading, ...]:
        """Readings of even samples wait for one and a half periods."""
        return (reading._replace(arrival_ns=reading.arrival_ns + 3 * period_ns // 2),) if k % 2 == 0 else (reading,)
