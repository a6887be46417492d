"""Sensors around sensors: lost readings, outages, frozen and wrong values, a clock that is off."""

import math
from dataclasses import dataclass
from typing import final

from remora.sensors.reading import Reading, Status, Values, nothing
from remora.sensors.sensor import Description, Sensor, State
from remora.sensors.streams import Stream
from remora.sensors.surroundings import Surroundings
from remora.sensors.truth import Truth

ALWAYS_NS = 1 << 62  # later than any run


def _without_values(reading: Reading, status: Status) -> Reading:
    """The same reading, lost."""
    return Reading(reading.sensor, reading.stamp_ns, reading.arrival_ns, status, nothing(len(reading.values)))


@final
@dataclass(frozen=True)
class WithDropout(Sensor):
    """Readings get lost by chance, each for itself."""

    inner: Sensor
    stream: Stream
    probability: float
    from_ns: int = 0
    until_ns: int = ALWAYS_NS

    @property
    def description(self) -> Description:
        """That of the inner sensor."""
        return self.inner.description

    def initial(self) -> State:
        """That of the inner sensor."""
        return self.inner.initial()

    def step(self, state: State, truth: Truth, surroundings: Surroundings, k: int) -> tuple[State, Reading | None]:
        """The inner reading, or a lost one."""
        state, reading = self.inner.step(state, truth, surroundings, k)
        holds = reading is not None and self.from_ns <= truth.time_ns < self.until_ns
        if reading is not None and holds and self.stream.uniforms(k, 1)[0] < self.probability:
            reading = _without_values(reading, Status.DROPPED)
        return state, reading


@final
@dataclass(frozen=True)
class WithOutage(Sensor):
    """No values from one time until another: a cable, a power supply, a covered transducer."""

    inner: Sensor
    from_ns: int
    until_ns: int
    status: Status = Status.OFF

    @property
    def description(self) -> Description:
        """That of the inner sensor."""
        return self.inner.description

    def initial(self) -> State:
        """That of the inner sensor."""
        return self.inner.initial()

    def step(self, state: State, truth: Truth, surroundings: Surroundings, k: int) -> tuple[State, Reading | None]:
        """The inner reading, without values during the outage."""
        state, reading = self.inner.step(state, truth, surroundings, k)
        if reading is not None and self.from_ns <= truth.time_ns < self.until_ns:
            reading = _without_values(reading, self.status)
        return state, reading


@final
@dataclass(frozen=True)
class WithFreeze(Sensor):
    """From one time until another the sensor repeats its last reading under new time stamps, as if all were well."""

    inner: Sensor
    from_ns: int
    until_ns: int

    @property
    def description(self) -> Description:
        """That of the inner sensor."""
        return self.inner.description

    def initial(self) -> State:
        """That of the inner sensor, and the status and values last seen."""
        return (self.inner.initial(), None)

    def step(self, state: State, truth: Truth, surroundings: Surroundings, k: int) -> tuple[State, Reading | None]:
        """The inner reading, or the held one."""
        inner, held = state
        inner, reading = self.inner.step(inner, truth, surroundings, k)
        if reading is None:
            return (inner, held), None
        if held is not None and self.from_ns <= truth.time_ns < self.until_ns:
            return (inner, held), reading._replace(status=Status(held[0]), values=held[1])
        return (inner, (int(reading.status), reading.values)), reading


@final
@dataclass(frozen=True)
class WithBias(Sensor):
    """From one time until another all values are off by as much; angles stay within half a turn."""

    inner: Sensor
    from_ns: int
    until_ns: int
    offset: Values  # one per channel

    @property
    def description(self) -> Description:
        """That of the inner sensor."""
        return self.inner.description

    def initial(self) -> State:
        """That of the inner sensor."""
        return self.inner.initial()

    def step(self, state: State, truth: Truth, surroundings: Surroundings, k: int) -> tuple[State, Reading | None]:
        """The inner reading, biased."""
        state, reading = self.inner.step(state, truth, surroundings, k)
        if reading is not None and self.from_ns <= truth.time_ns < self.until_ns:
            channels = self.inner.description.channels
            values = [v + b for v, b in zip(reading.values, self.offset, strict=True)]
            wrapped = [
                math.remainder(v, 2.0 * math.pi) if channel.unit == "rad" else v
                for v, channel in zip(values, channels, strict=True)
            ]
            reading = reading._replace(values=tuple(wrapped))
        return state, reading


@final
@dataclass(frozen=True)
class WithGarbage(Sensor):
    """From one time until another some channels give what is no number, as if all were well."""

    inner: Sensor
    from_ns: int
    until_ns: int
    channels: tuple[int, ...]
    value: float  # NaN or infinite

    @property
    def description(self) -> Description:
        """That of the inner sensor."""
        return self.inner.description

    def initial(self) -> State:
        """That of the inner sensor."""
        return self.inner.initial()

    def step(self, state: State, truth: Truth, surroundings: Surroundings, k: int) -> tuple[State, Reading | None]:
        """The inner reading with garbage in it."""
        state, reading = self.inner.step(state, truth, surroundings, k)
        if reading is not None and self.from_ns <= truth.time_ns < self.until_ns:
            values = tuple(self.value if i in self.channels else v for i, v in enumerate(reading.values))
            reading = reading._replace(status=Status.OK, values=values)
        return state, reading


@final
@dataclass(frozen=True)
class WithClockJump(Sensor):
    """From one time until another the clock of the sensor is off: stamps are wrong, arrivals are not."""

    inner: Sensor
    from_ns: int
    until_ns: int
    jump_ns: int

    @property
    def description(self) -> Description:
        """That of the inner sensor."""
        return self.inner.description

    def initial(self) -> State:
        """That of the inner sensor."""
        return self.inner.initial()

    def step(self, state: State, truth: Truth, surroundings: Surroundings, k: int) -> tuple[State, Reading | None]:
        """The inner reading with a wrong stamp."""
        state, reading = self.inner.step(state, truth, surroundings, k)
        if reading is not None and self.from_ns <= truth.time_ns < self.until_ns:
            reading = reading._replace(stamp_ns=reading.stamp_ns + self.jump_ns)
        return state, reading
