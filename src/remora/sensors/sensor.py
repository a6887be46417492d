"""A sensor: an error-free measurement, the effects applied to it (errors and conversions), and its latency."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, final

import numpy as np

from remora.files.arrays import Array, Integers
from remora.files.problems import InputError
from remora.logs.schema import MOST_FIELDS
from remora.messages.reading import Reading, ReadingArrays, SensorChannel, Status, Values, no_values, partial_status
from remora.messages.truth import BeamGeometry, Truth
from remora.sensors.environment import Environment
from remora.sensors.errors.streams import Stream
from remora.sensors.recorded_motion import Samples

# States are plain tuples of numbers, so that they can be stored in checkpoints and compared.
State: TypeAlias = Any
Altered: TypeAlias = tuple[State, Values]  # by an effect: its next state, and the values of a reading
# Values per reading; a log channel also has a status and a latency.
MAX_VALUES = MOST_FIELDS - 2
_new_tuple = tuple.__new__
_OK, _PARTIAL = Status.OK, Status.PARTIAL


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

    def draw(self, samples: Samples) -> ReadingArrays:
        """Readings of many samples: those that `step` gives one by one, from the initial state on."""
        state, readings = self.initial(), []
        for truth, environment, k in samples:
            state, reading = self.step(state, truth, environment, k)
            if reading is not None:
                readings.append(reading[1:])
        stamps, arrivals, status, values = zip(*readings, strict=True) if readings else ((), (), (), ())
        shape = (len(stamps), len(self.description.channels))
        first, second, third = (np.array(column, dtype=np.int64) for column in (stamps, arrivals, status))
        return ReadingArrays(first, second, third, np.array(values, dtype=float).reshape(shape))

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

    def sample_all(self, samples: Samples) -> tuple[Integers, Array]:
        """Status and values of many samples, a row each; NaN for a status without values."""
        status, values = np.empty(len(samples), dtype=np.int64), np.full((len(samples), len(self.channels)), math.nan)
        for row, (truth, environment, k) in enumerate(samples):
            status[row], found = self.sample(truth, environment, k)
            if status[row] <= Status.PARTIAL:
                values[row] = found
        return status, values

    def cause_of_loss(self, truth: Truth, environment: Environment) -> str:
        """Why `read` gives no values, for people; empty where it does, and for kinds that do not say."""
        return ""


class Effect(ABC):
    """An error or a conversion of the measured values."""

    def initial(self) -> State:
        """The state before sample 0; none unless an effect has one."""
        return ()

    @abstractmethod
    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """The next state and the altered values; a NaN stays NaN."""

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """Altered values of many samples, a row each: those that `apply` gives from the initial state on."""
        state, rows = self.initial(), []
        for row, (truth, environment, k) in zip(values.tolist(), samples, strict=True):
            state, altered = self.apply(state, tuple(row), truth, environment, k)
            rows.append(altered)
        return np.array(rows, dtype=float) if rows else values


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

    def arrivals_ns(self, samples: Samples) -> Integers:
        """Arrival times of the readings of many samples, ns."""
        if self.stream is None or not self.jitter_ns:
            return samples.time_ns + self.mean_ns
        jitter = np.rint(self.jitter_ns * self.stream.normal_rows(samples.index, 1)[:, 0]).astype(np.int64)
        return np.asarray(samples.time_ns + np.maximum(0, self.mean_ns + jitter))


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
        """As of the measurement."""
        return self.measurement.cause_of_loss(truth, environment)

    def step(self, state: State, truth: Truth, environment: Environment, k: int) -> tuple[State, Reading | None]:
        """Measure, apply the effects, stamp. Without values no effect is applied; processes in time advance later."""
        if truth.time_ns < self.label.start_ns:
            return state, None
        return self.completed(state, self.measurement.sample(truth, environment, k), truth, environment, k)

    def completed(
        self, state: State, measured: tuple[Status, Values], truth: Truth, environment: Environment, k: int
    ) -> tuple[State, Reading]:
        """The next state and the reading of sample k, from the status and values of an error-free measurement."""
        label, stamp, (status, values) = self.label, truth[0], measured
        if status > _PARTIAL:
            values = no_values(len(label.channels))
        else:
            if status == _OK and math.isnan(sum(values)):
                raise self._not_a_number(stamp)
            states = []
            for effect, own in zip(self.effects, state, strict=True):
                own, values = effect.apply(own, values, truth, environment, k)
                states.append(own)
            state = tuple(states)
            if math.isnan(sum(values)):
                status = partial_status(values, Status.NO_LOCK)
        arrival = self.latency.arrival_ns(stamp, k)
        return state, _new_tuple(Reading, (label.name, stamp, arrival, status, values))

    def draw(self, samples: Samples) -> ReadingArrays:
        """The same for many samples: each effect is applied to all samples with values at once."""
        status, measured = samples.measured(self.measurement)
        has_values = status <= Status.PARTIAL
        fails = (status == Status.OK) & np.isnan(measured).any(axis=1)
        if fails.any():
            raise self._not_a_number(int(samples.time_ns[fails][0]))
        valid, altered = samples.where(has_values), measured[has_values]
        for effect in self.effects:
            altered = effect.apply_all(altered, valid)
        values = np.full((len(samples), len(self.label.channels)), math.nan)
        values[has_values] = altered
        status = status.copy()
        status[has_values] = np.where(np.isnan(altered).any(axis=1), _partial_statuses(altered), status[has_values])
        return ReadingArrays(samples.time_ns.copy(), self.latency.arrivals_ns(samples), status, values)

    def _not_a_number(self, stamp_ns: int) -> SensorError:
        return SensorError(f'sensor "{self.label.name}" at {stamp_ns} ns: what it measures is not a number.')


def _partial_statuses(values: Array) -> Integers:
    """Status of rows with a NaN, as `partial_status`."""
    return np.where(np.isnan(values).all(axis=1), int(Status.NO_LOCK), int(Status.PARTIAL))


def period_from_rate(rate: float) -> int:
    """The period of a rate in whole nanoseconds."""
    return round(1e9 / rate)
