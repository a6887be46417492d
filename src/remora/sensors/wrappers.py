"""Sensors around sensors: lost readings, outages, frozen values."""

from dataclasses import dataclass
from typing import final

from remora.sensors.reading import Reading, Status, nothing
from remora.sensors.sensor import Description, Sensor, State
from remora.sensors.streams import Stream
from remora.sensors.surroundings import Surroundings
from remora.sensors.truth import Truth


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
        if reading is not None and self.stream.uniforms(k, 1)[0] < self.probability:
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
