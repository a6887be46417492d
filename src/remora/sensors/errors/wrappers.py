"""Wrappers of sensors: dropouts, outages, frozen and invalid values, clock offsets."""

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from remora.messages.reading import Reading, ReadingArrays, Status, Values, no_values
from remora.messages.truth import Truth
from remora.sensors.environment import Environment
from remora.sensors.errors.streams import Stream
from remora.sensors.recorded_motion import Samples
from remora.sensors.sensor import Description, Sensor, State

ALWAYS_NS = 1 << 62  # later than any run


def _without_values(reading: Reading, status: Status) -> Reading:
    """The reading without values."""
    return Reading(reading.sensor, reading.stamp_ns, reading.arrival_ns, status, no_values(len(reading.values)))


class Wrapper(Sensor):
    """A sensor that alters the readings of another during an interval; description and state stay."""

    inner: Sensor
    from_ns: int
    until_ns: int

    @property
    def description(self) -> Description:
        """Name, channels and timing of the inner sensor."""
        return self.inner.description

    def initial(self) -> State:
        """The state of the inner sensor."""
        return self.inner.initial()

    def step(self, state: State, truth: Truth, environment: Environment, k: int) -> tuple[State, Reading | None]:
        """The inner reading, altered during the interval."""
        state, reading = self.inner.step(state, truth, environment, k)
        if reading is not None and self.from_ns <= truth.time_ns < self.until_ns:
            reading = self.changed(reading, k)
        return state, reading

    def cause_of_loss(self, truth: Truth, environment: Environment) -> str:
        """As of the inner sensor."""
        return self.inner.cause_of_loss(truth, environment)

    @abstractmethod
    def changed(self, reading: Reading, k: int) -> Reading:
        """The altered reading k of the inner sensor."""


@final
@dataclass(frozen=True)
class WithDropout(Wrapper):
    """Random dropouts, independent from reading to reading."""

    inner: Sensor
    stream: Stream
    probability: float
    from_ns: int = 0
    until_ns: int = ALWAYS_NS

    def changed(self, reading: Reading, k: int) -> Reading:
        """The reading, or a lost one."""
        is_lost = self.stream.uniforms(k, 1)[0] < self.probability
        return _without_values(reading, Status.DROPPED) if is_lost else reading

    def draw(self, samples: Samples) -> ReadingArrays:
        """The same for many samples."""
        stamps, arrivals, status, values = self.inner.draw(samples)
        is_lost = self.stream.uniform_rows(samples.index, 1)[:, 0] < self.probability
        is_lost &= (samples.time_ns >= self.from_ns) & (samples.time_ns < self.until_ns)
        status = np.where(is_lost, int(Status.DROPPED), status)
        return ReadingArrays(stamps, arrivals, status, np.where(is_lost[:, None], math.nan, values))


@final
@dataclass(frozen=True)
class WithOutage(Wrapper):
    """Outage during an interval: a cable, a power supply, a covered transducer."""

    inner: Sensor
    from_ns: int
    until_ns: int
    status: Status = Status.OFF

    def changed(self, reading: Reading, k: int) -> Reading:
        """No values."""
        return _without_values(reading, self.status)


@final
@dataclass(frozen=True)
class WithFreeze(Sensor):
    """Frozen output during an interval: the last reading is repeated with new time stamps."""

    inner: Sensor
    from_ns: int
    until_ns: int

    @property
    def description(self) -> Description:
        """Name, channels and timing of the inner sensor."""
        return self.inner.description

    def initial(self) -> State:
        """The state of the inner sensor, and the status and values last seen."""
        return (self.inner.initial(), None)

    def step(self, state: State, truth: Truth, environment: Environment, k: int) -> tuple[State, Reading | None]:
        """The inner reading, or the held one."""
        inner, held = state
        inner, reading = self.inner.step(inner, truth, environment, k)
        if reading is None:
            return (inner, held), None
        if held is not None and self.from_ns <= truth.time_ns < self.until_ns:
            return (inner, held), reading._replace(status=Status(held[0]), values=held[1])
        return (inner, (int(reading.status), reading.values)), reading


@final
@dataclass(frozen=True)
class WithBias(Wrapper):
    """Bias during an interval; angles stay wrapped."""

    inner: Sensor
    from_ns: int
    until_ns: int
    offset: Values  # one per channel

    def changed(self, reading: Reading, k: int) -> Reading:
        """Biased."""
        values = [v + b for v, b in zip(reading.values, self.offset, strict=True)]
        wrapped = [
            math.remainder(v, 2.0 * math.pi) if channel.unit == "rad" else v
            for v, channel in zip(values, self.description.channels, strict=True)
        ]
        return reading._replace(values=tuple(wrapped))


@final
@dataclass(frozen=True)
class WithGarbage(Wrapper):
    """Some channels are NaN or infinite during an interval, with an unchanged status."""

    inner: Sensor
    from_ns: int
    until_ns: int
    channels: tuple[int, ...]
    value: float  # NaN or infinite

    def changed(self, reading: Reading, k: int) -> Reading:
        """With garbage in it."""
        values = tuple(self.value if i in self.channels else v for i, v in enumerate(reading.values))
        return reading._replace(status=Status.OK, values=values)


@final
@dataclass(frozen=True)
class WithClockJump(Wrapper):
    """Clock offset during an interval: stamps are wrong, arrival times are not."""

    inner: Sensor
    from_ns: int
    until_ns: int
    jump_ns: int

    def changed(self, reading: Reading, k: int) -> Reading:
        """With a wrong stamp."""
        return reading._replace(stamp_ns=reading.stamp_ns + self.jump_ns)
