"""A sensor: an error-free measurement, the effects applied to it (errors and conversions), and its latency."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, final

from remora.equations.algebra.quaternions import Quaternion
from remora.equations.algebra.vectors import Vector3
from remora.files.problems import InputError
from remora.logs.schema import MOST_FIELDS
from remora.messages.reading import Reading, SensorChannel, Status, Values, no_values, partial_status
from remora.messages.truth import Truth
from remora.sensors.environment import Environment
from remora.sensors.errors.streams import Stream

# States are plain tuples of numbers, so that they can be stored in checkpoints and compared.
State: TypeAlias = Any
# Values per reading; a log channel also has a status and a latency.
MAX_VALUES = MOST_FIELDS - 2


class SensorProblem(NamedTuple):
    """A mistake in the description of a sensor."""

    field: str  # of the entry, or a parameter; empty for the entry as a whole
    message: str


class SensorError(InputError):
    """A sensor cannot be built from its description, or its measurement is not a number."""

    problems: tuple[SensorProblem, ...] = ()  # all mistakes of a description

    @classmethod
    def of(cls, sensor: str, *problems: SensorProblem) -> "SensorError":
        """The error for a description, with a line for each mistake."""
        lines = [f'sensor "{sensor}": ' + ": ".join(filter(None, problem)) for problem in problems]
        error = cls("\n".join(lines)).about(problems[0].field, fix=problems[0].message)
        error.problems = problems
        return error


class BeamGeometry(NamedTuple):
    """Mount and beam angles of a ranging sensor, needed to map its readings."""

    p_BS: Vector3  # m
    q_BS: Quaternion
    angles: tuple[float, ...] = ()  # rad from x_S towards y_S, one per range; empty where readings contain the angle


class Description(NamedTuple):
    """Name, channels and timing of a sensor, for the loop and the log."""

    name: str  # scoped: vehicle/sensor
    kind: str
    channels: tuple[SensorChannel, ...]
    period_ns: int
    start_ns: int = 0  # of sample 0
    geometry: BeamGeometry | None = None  # of ranging sensors


class Sensor(ABC):
    """A sampled sensor with frozen parameters; its state is passed in and out."""

    @property
    @abstractmethod
    def description(self) -> Description:
        """Name, channels and timing."""

    @abstractmethod
    def initial(self) -> State:
        """The state before sample 0."""

    @abstractmethod
    def step(self, state: State, truth: Truth, environment: Environment, k: int) -> tuple[State, Reading | None]:
        """Sample k at the time of the truth: the next state, and a reading or None."""

    def cause_of_loss(self, truth: Truth, environment: Environment) -> str:
        """Why there is nothing to measure, for people; empty where the kind of sensor does not say."""
        return ""


class Measurement(ABC):
    """Error-free measurement, and the conditions under which there is none."""

    @property
    @abstractmethod
    def channels(self) -> tuple[SensorChannel, ...]:
        """Channels of the values of `read`, in order."""

    @abstractmethod
    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Status and values; the values are ignored for a status without values."""

    def sample(self, truth: Truth, environment: Environment, k: int) -> tuple[Status, Values]:
        """Sample k; the same as `read` unless the sensor scans."""
        return self.read(truth, environment)

    def cause_of_loss(self, truth: Truth, environment: Environment) -> str:
        """Why `read` gives no values, for people; empty where it does, and for kinds that do not say."""
        return ""


class Effect(ABC):
    """An error or a conversion of the measured values."""

    @abstractmethod
    def initial(self) -> State:
        """The state before sample 0."""

    @abstractmethod
    def apply(
        self, state: State, values: Values, truth: Truth, environment: Environment, k: int
    ) -> tuple[State, Values]:
        """The next state and the altered values; a NaN stays NaN."""


@final
@dataclass(frozen=True)
class Latency:
    """Latency of readings."""

    mean_ns: int = 0
    jitter_ns: float = 0.0  # one standard deviation; a reading never arrives before it is measured
    stream: Stream | None = None  # needed for jitter

    def arrival_ns(self, stamp_ns: int, k: int) -> int:
        """Arrival time of a reading, ns."""
        if self.stream is None or not self.jitter_ns:
            return stamp_ns + self.mean_ns
        late = self.mean_ns + round(self.jitter_ns * self.stream.normals(k, 1)[0])
        return stamp_ns + max(0, late)


@final
@dataclass(frozen=True)
class Instrument(Sensor):
    """A measurement followed by its effects."""

    label: Description
    measurement: Measurement
    effects: tuple[Effect, ...] = ()
    latency: Latency = Latency()

    @property
    def description(self) -> Description:
        """Name, channels and timing."""
        return self.label

    def initial(self) -> State:
        """The states of all effects."""
        return tuple(effect.initial() for effect in self.effects)

    def cause_of_loss(self, truth: Truth, environment: Environment) -> str:
        """That of the measurement."""
        return self.measurement.cause_of_loss(truth, environment)

    def step(self, state: State, truth: Truth, environment: Environment, k: int) -> tuple[State, Reading | None]:
        """Measure, apply the effects, stamp. Without values no effect is applied; processes in time advance later."""
        label, stamp = self.label, truth.time_ns
        if stamp < label.start_ns:
            return state, None
        status, values = self.measurement.sample(truth, environment, k)
        if status > Status.PARTIAL:
            values = no_values(len(label.channels))
        else:
            if status == Status.OK and math.isnan(sum(values)):
                raise SensorError(f'sensor "{label.name}" at {stamp} ns: what it measures is not a number.')
            states = []
            for effect, own in zip(self.effects, state, strict=True):
                own, values = effect.apply(own, values, truth, environment, k)
                states.append(own)
            state = tuple(states)
            if math.isnan(sum(values)):
                status = partial_status(values, Status.NO_LOCK)
        return state, Reading(label.name, stamp, self.latency.arrival_ns(stamp, k), status, values)


def period_from_rate(rate: float) -> int:
    """The period of a rate in whole nanoseconds."""
    return round(1e9 / rate)
