"""Faults of sensors: of measured values, by wrapping the sensor, and of the delivery of readings."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, final

from remora.messages.reading import Reading, Status, Values
from remora.run.faults.fault import FaultEffect
from remora.sensors.errors.streams import Stream
from remora.sensors.errors.wrappers import WithBias, WithClockJump, WithDropout, WithFreeze, WithGarbage, WithOutage
from remora.sensors.sensor import Sensor


class SensorEffect(FaultEffect):
    """Changes the values of a sensor by wrapping it."""

    @abstractmethod
    def wrapped(self, sensor: Sensor, from_ns: int, until_ns: int) -> Sensor:
        """The sensor with this fault between two times, ns."""


@final
@dataclass(frozen=True)
class Frozen(SensorEffect):
    """Repeats its last values with new stamps."""

    summary: ClassVar = "repeats its last values"

    def wrapped(self, sensor: Sensor, from_ns: int, until_ns: int) -> Sensor:
        """The sensor with frozen values."""
        return WithFreeze(sensor, from_ns, until_ns)


@final
@dataclass(frozen=True)
class Biased(SensorEffect):
    """Adds an offset to the values."""

    offset: Values  # one per channel, SI

    logged: ClassVar = ("offset",)
    summary: ClassVar = "is biased"

    def wrapped(self, sensor: Sensor, from_ns: int, until_ns: int) -> Sensor:
        """The biased sensor."""
        return WithBias(sensor, from_ns, until_ns, self.offset)


@final
@dataclass(frozen=True)
class Silent(SensorEffect):
    """Gives no values: switched off, or all readings lost."""

    status: Status = Status.OFF

    @property
    def summary(self) -> str:
        """Text for the log."""
        return "is off" if self.status == Status.OFF else "loses all readings"

    def wrapped(self, sensor: Sensor, from_ns: int, until_ns: int) -> Sensor:
        """The sensor without values."""
        return WithOutage(sensor, from_ns, until_ns, self.status)


@final
@dataclass(frozen=True)
class Dropping(SensorEffect):
    """Loses a random share of its readings."""

    share: float
    stream: Stream

    logged: ClassVar = ("share",)

    @property
    def summary(self) -> str:
        """Text for the log."""
        return f"loses {100.0 * self.share:g} % of its readings"

    def wrapped(self, sensor: Sensor, from_ns: int, until_ns: int) -> Sensor:
        """The sensor with dropouts."""
        return WithDropout(sensor, self.stream, self.share, from_ns, until_ns)


@final
@dataclass(frozen=True)
class Garbage(SensorEffect):
    """Gives values that are not finite, with status OK."""

    channels: tuple[int, ...]
    value: float  # NaN or infinite

    logged: ClassVar = ("channels",)

    @property
    def summary(self) -> str:
        """Text for the log."""
        return f"gives {self.value} for values"

    def wrapped(self, sensor: Sensor, from_ns: int, until_ns: int) -> Sensor:
        """The sensor with invalid values."""
        return WithGarbage(sensor, from_ns, until_ns, self.channels, self.value)


@final
@dataclass(frozen=True)
class ClockJump(SensorEffect):
    """Clock jump: stamps are too early or too late from then on."""

    jump_ns: int

    logged: ClassVar = ("jump_ns",)

    @property
    def summary(self) -> str:
        """Text for the log."""
        return f"has a clock that is {'ahead' if self.jump_ns > 0 else 'behind'} by {abs(self.jump_ns) * 1e-9:g} s"

    def wrapped(self, sensor: Sensor, from_ns: int, until_ns: int) -> Sensor:
        """The sensor with wrong stamps."""
        return WithClockJump(sensor, from_ns, until_ns, self.jump_ns)


class DeliveryEffect(FaultEffect):
    """Changes when and how often readings are delivered."""

    @abstractmethod
    def delivered(self, reading: Reading, k: int, period_ns: int) -> tuple[Reading, ...]:
        """Deliveries of the reading of sample k of a sensor with this period."""


@final
@dataclass(frozen=True)
class DelayedReadings(DeliveryEffect):
    """Readings arrive late."""

    delay_ns: int

    logged: ClassVar = ("delay_ns",)

    @property
    def summary(self) -> str:
        """Text for the log."""
        return f"is late by {self.delay_ns * 1e-9:g} s"

    def delivered(self, reading: Reading, k: int, period_ns: int) -> tuple[Reading, ...]:
        """The reading, later."""
        return (reading._replace(arrival_ns=reading.arrival_ns + self.delay_ns),)


@final
@dataclass(frozen=True)
class Duplicated(DeliveryEffect):
    """Each reading arrives twice."""

    delay_ns: int = 0  # of the second one

    logged: ClassVar = ("delay_ns",)
    summary: ClassVar = "hands each reading over twice"

    def delivered(self, reading: Reading, k: int, period_ns: int) -> tuple[Reading, ...]:
        """The reading twice."""
        return (reading, reading._replace(arrival_ns=reading.arrival_ns + self.delay_ns))


@final
@dataclass(frozen=True)
class OutOfOrder(DeliveryEffect):
    """Every second reading arrives after its successor."""

    summary: ClassVar = "hands readings over in the wrong order"

    def delivered(self, reading: Reading, k: int, period_ns: int) -> tuple[Reading, ...]:
        """Readings of even samples are delayed by one and a half periods."""
        return (reading._replace(arrival_ns=reading.arrival_ns + 3 * period_ns // 2),) if k % 2 == 0 else (reading,)
