"""Motion of a vehicle as arrays, from a log or a rollout, and the samples of a sensor along it."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from remora.equations.algebra.kinematics import position_rate
from remora.files.arrays import Array, Integers
from remora.files.problems import InputError
from remora.logs.log import Log
from remora.messages.truth import Truth
from remora.sensors.environment import Environment

_WIDTHS = {"p_NB": 3, "q_NB": 4, "twist": 6, "twist_rate": 6, "water_velocity_N": 3}
# The environment of all samples, or one for each truth.
EnvironmentSource: TypeAlias = Environment | Callable[[Truth], Environment]


class RecordedMotion(NamedTuple):
    """True motion at given times, a row each, as in `Truth`. `recorded_motion` makes and checks one."""

    time_ns: Integers
    p_NB: Array  # m
    q_NB: Array
    twist: Array  # m/s and rad/s, in body axes
    twist_rate: Array  # m/s2 and rad/s2
    water_velocity_N: Array  # m/s
    outputs: Array  # of the actuators

    def rows(self, chosen: Any) -> "RecordedMotion":
        """Some of the rows."""
        return RecordedMotion(*(column[chosen] for column in self))

    def truths(self) -> Iterator[Truth]:
        """The truth of each row."""
        columns = [column.tolist() for column in self]
        for time_ns, *vectors in zip(*columns, strict=True):
            yield Truth(time_ns, *map(tuple, vectors))

    def at(self, time_ns: Integers) -> "RecordedMotion":
        """The motion at other times: recorded rows as they are, between them an interpolation.

        Position is a cubic with the recorded velocities at both ends, attitude and the rest are linear. Raises an
        InputError for a time before the first or after the last row.
        """
        if time_ns.size and not (self.time_ns[0] <= time_ns[0] and time_ns[-1] <= self.time_ns[-1]):
            span = f"{self.time_ns[0] * 1e-9:g} to {self.time_ns[-1] * 1e-9:g} s"
            raise InputError(
                f"samples at {time_ns[0] * 1e-9:g} to {time_ns[-1] * 1e-9:g} s: the motion is from {span}."
            )
        after = np.searchsorted(self.time_ns, time_ns)
        if np.array_equal(self.time_ns[after], time_ns):
            return self.rows(after)
        first, last = self.rows(np.maximum(after - 1, 0)), self.rows(after)
        between = _interpolated(first, last, time_ns)
        is_recorded = last.time_ns == time_ns
        picked = (np.where(is_recorded[:, None], exact, near) for exact, near in zip(last[1:], between, strict=True))
        return RecordedMotion(time_ns, *picked)


def _interpolated(first: RecordedMotion, last: RecordedMotion, time_ns: Integers) -> list[Array]:
    """All columns but the time between two rows each."""
    span = np.maximum(last.time_ns - first.time_ns, 1)
    share = ((time_ns - first.time_ns) / span)[:, None]
    straight = [a + share * (b - a) for a, b in zip(first[1:], last[1:], strict=True)]
    seconds, slopes = 1e-9 * span[:, None], (_velocity(first), _velocity(last))
    chord = last.p_NB - first.p_NB
    start, end = seconds * slopes[0] - chord, chord - seconds * slopes[1]
    position = straight[0] + share * (1.0 - share) * ((1.0 - share) * start + share * end)
    sign = np.where(np.sum(first.q_NB * last.q_NB, axis=1) < 0.0, -1.0, 1.0)[:, None]
    attitude = first.q_NB + share * (sign * last.q_NB - first.q_NB)
    attitude /= np.linalg.norm(attitude, axis=1)[:, None]
    return [position, attitude, *straight[2:]]


def _velocity(motion: RecordedMotion) -> Array:
    """Velocity in N, m/s."""
    attitude: Any = tuple(motion.q_NB.T)
    velocity: Any = tuple(motion.twist[:, :3].T)
    return np.column_stack(position_rate(attitude, velocity))


def recorded_motion(
    time_ns: ArrayLike,
    p_NB: ArrayLike,
    q_NB: ArrayLike,
    twist: ArrayLike,
    twist_rate: ArrayLike | None = None,
    water_velocity_N: ArrayLike | None = None,
    outputs: ArrayLike | None = None,
) -> RecordedMotion:
    """Motion from arrays with a row per time.

    Parameters
    ----------
    time_ns
        Times in whole nanoseconds, growing.
    p_NB
        Position in N, m.
    q_NB
        Attitude, scalar first.
    twist
        Linear and angular velocity in body axes, m/s and rad/s.
    twist_rate
        Rate of the twist components, m/s2 and rad/s2; by default from differences of the twist.
    water_velocity_N
        Velocity of the water around the body in N, m/s; by default zero.
    outputs
        Outputs of the actuators, for shaft-speed sensors; by default none.

    Raises
    ------
    InputError
        When times do not grow, or an array has a wrong shape or a number that is not finite.
    """
    times = _times(time_ns)
    given: dict[str, Any] = {"p_NB": p_NB, "q_NB": q_NB, "twist": twist}
    given |= {"twist_rate": twist_rate, "water_velocity_N": water_velocity_N}
    columns = {name: _column(name, value, (times.size, _WIDTHS[name])) for name, value in given.items()}
    if twist_rate is None:
        columns["twist_rate"] = np.gradient(columns["twist"], 1e-9 * (times - times[0]), axis=0)
    width = 0 if outputs is None else np.shape(outputs)[-1]
    return RecordedMotion(times, **columns, outputs=_column("outputs", outputs, (times.size, width)))


def motion_of_log(log: Log, vehicle: str) -> RecordedMotion:
    """True motion of a vehicle of a log. Logs hold no accelerations: these are differences of the twist.

    Raises
    ------
    LogError
        When the log has no truth of this vehicle.
    """
    truth = log[f"{vehicle}/truth"]
    table = truth.table()
    outputs = f"{vehicle}/outputs"
    water = f"{vehicle}/water"
    return recorded_motion(
        truth.time_ns,
        table[:, :3],
        table[:, 3:7],
        table[:, 7:13],
        water_velocity_N=log[water].table() if water in log.channels else None,
        outputs=log[outputs].table() if outputs in log.channels else None,
    )


def _times(time_ns: ArrayLike) -> Integers:
    times: NDArray[Any] = np.asarray(time_ns)
    if times.ndim != 1 or times.size < 2 or times.dtype.kind not in "iu" or not (np.diff(times) > 0).all():
        message = "give at least two whole numbers of nanoseconds that grow."
        raise InputError(f"time_ns: {message}").about("time_ns", fix=message)
    return times.astype(np.int64)


def _column(name: str, value: ArrayLike | None, shape: tuple[int, ...]) -> Array:
    column = np.zeros(shape) if value is None else np.asarray(value, dtype=float)
    if column.shape != shape:
        raise InputError(f"{name} has the shape {column.shape}: give {shape}.").about(name, column.shape)
    if not np.isfinite(column).all():
        raise InputError(f"{name} holds a number that is not finite.").about(name)
    return column


class ErrorFree(Protocol):
    """A measurement without errors."""

    def sample_all(self, samples: "Samples") -> tuple[Integers, Array]:
        """Status and values of many samples."""


@final
class Samples:
    """Samples by their numbers, which select random numbers, with the truth at their times.

    The environment is one for all samples, or a function of the truth. What a measurement gives for them is kept, for
    draws with other seeds.
    """

    def __init__(self, index: Integers, motion: RecordedMotion, environment: Any) -> None:
        self.index, self.motion, self.environment = index, motion, environment
        self._truths: list[Truth] | None = None
        self._measured: tuple[Any, tuple[Integers, Array]] | None = None

    @property
    def time_ns(self) -> Integers:
        """Times of the samples."""
        return self.motion.time_ns

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Iterator[tuple[Truth, Environment, int]]:
        """Truth, environment and number of each sample."""
        if self._truths is None:
            self._truths = list(self.motion.truths())
        varies = callable(self.environment)
        for truth, k in zip(self._truths, self.index.tolist(), strict=True):
            yield truth, self.environment(truth) if varies else self.environment, k

    def where(self, chosen: NDArray[np.bool_]) -> "Samples":
        """Some of the samples."""
        if chosen.all():
            return self
        return Samples(self.index[chosen], self.motion.rows(chosen), self.environment)

    def measured(self, measurement: ErrorFree) -> tuple[Integers, Array]:
        """Status and values without errors, computed once for equal measurements."""
        if self._measured is None or self._measured[0] != measurement:
            self._measured = (measurement, measurement.sample_all(self))
        return self._measured[1]
