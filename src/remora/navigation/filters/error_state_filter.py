"""Error-state Kalman filter with UD factors over readings in any order; late readings are re-filtered."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Sequence
from functools import partial
from math import isfinite
from types import FunctionType
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import chi2

from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.kernels.dual.dual_intrinsics import SLOPES
from remora.messages.reading import Reading
from remora.navigation.filters.compiling import compiled_event_loop
from remora.navigation.filters.event_loop import NOT_FINITE, REJECTED, USED
from remora.navigation.filters.models import AidingModel, Chart, Innovation, Process
from remora.navigation.filters.ud_factors import covariance_of, factors_of

_OUTCOMES = {USED: "used", REJECTED: "rejected", NOT_FINITE: "not finite"}


class FilterEvent(NamedTuple):
    """A reading at its time of validity; events are processed in the order of these fields."""

    valid_ns: int
    kind: int  # 0 for inputs, else 1 plus the index of the sensor
    stamp_ns: int
    values: tuple[float, ...]


class FilterSnapshot(NamedTuple):
    """State of a filter after all events up to one of them."""

    last: FilterEvent
    state: Array
    U: Array
    D: Array
    held: Array  # inputs


class Belief(NamedTuple):
    """Estimate of a filter, and what it needs to take in late readings."""

    snapshots: tuple[FilterSnapshot, ...]  # from the start of the lag to now
    events: tuple[FilterEvent, ...]  # those after the first snapshot

    @property
    def stamp_ns(self) -> int:
        """Time of the estimate."""
        return self.snapshots[-1].last.valid_ns

    @property
    def state(self) -> Array:
        """Estimated state."""
        return self.snapshots[-1].state

    @property
    def covariance(self) -> Array:
        """Covariance of the error."""
        return covariance_of(self.snapshots[-1].U, self.snapshots[-1].D)


class FilterSetup(NamedTuple):
    """Sizes and numbers of a filter."""

    states: int  # numbers of a state
    noise: Array  # power spectral density on each error coordinate, unit squared per second
    inputs: str  # sensor of the inputs of the process model
    input_size: int
    parameters: Array
    lag_ns: int


@final
class ErrorStateFilter:
    """A compiled filter, made by `compile_filter`."""

    def __init__(self, run: Any, aidings: dict[str, AidingModel], setup: FilterSetup) -> None:
        self.run, self.aidings, self.setup = run, dict(aidings), setup
        self._kinds = {setup.inputs: 0} | {name: 1 + i for i, name in enumerate(aidings)}
        self._names = {kind: name for name, kind in self._kinds.items()}
        most, count = max([1, *(len(aiding.sigma) for aiding in aidings.values())]), max(len(aidings), 1)
        self._sigmas, self._wraps = np.ones((count, most)), np.zeros((count, most))
        self._gates, self._sizes = np.full((count, most + 1), np.inf), np.zeros(count, dtype=np.int64)
        for i, aiding in enumerate(aidings.values()):
            size = len(aiding.sigma)
            self._sizes[i], self._sigmas[i, :size] = size, aiding.sigma
            self._wraps[i, :size] = aiding.wrap or (False,) * size
            if aiding.gate < 1.0:
                self._gates[i, 1:] = chi2.ppf(aiding.gate, np.arange(1, most + 1))
        self._work = self._work_space(most)

    def _work_space(self, most: int) -> tuple[Array, ...]:
        n = self.setup.noise.size
        padded = -(-n // SLOPES) * SLOPES
        long = max(2 * n, self.setup.states, most, padded)
        return (
            np.zeros((n, padded)),
            np.zeros((n, 2 * n)),
            np.zeros((most, padded)),
            np.zeros((n, n)),
            np.zeros((7, long)),
        )

    def initial(self, state: ArrayLike, sigma: ArrayLike, stamp_ns: int = 0, inputs: ArrayLike | None = None) -> Belief:
        """The belief at the start.

        Parameters
        ----------
        state
            Initial state.
        sigma
            Standard deviation of each error coordinate, or the whole covariance.
        stamp_ns
            Time, ns.
        inputs
            Inputs of the process model until the first reading of them; zero by default.

        Raises
        ------
        InputError
            When a shape is wrong, a number is not finite, or the covariance is not positive semidefinite.
        """
        x, n = _numbers("state", state, (self.setup.states,)), self.setup.noise.size
        given = np.asarray(sigma, dtype=float)
        covariance = np.diag(_numbers("sigma", given, (n,)) ** 2) if given.ndim == 1 else given
        if covariance.shape != (n, n):
            raise InputError(f"sigma has shape {given.shape}: give {n} numbers or a square matrix").about("sigma")
        size = self.setup.input_size
        held = np.zeros(size) if inputs is None else _numbers("inputs", inputs, (size,))
        last = FilterEvent(int(stamp_ns), -1, int(stamp_ns), ())  # before every event of this time
        return Belief((FilterSnapshot(last, x.copy(), *factors_of(covariance), held.copy()),), ())

    def step(self, belief: Belief, readings: Sequence[Reading]) -> tuple[Belief, tuple[Innovation, ...]]:
        """The belief after some readings, in any order, and the result of each of them.

        A reading that is late but within the lag gives the belief that it would have given in time, to the last bit.

        Parameters
        ----------
        belief
            The belief before.
        readings
            Readings of the inputs and of the aiding sensors.

        Raises
        ------
        InputError
            When a sensor is unknown, a reading has the wrong number of values, or the process model gives no finite
            state.
        """
        new: list[FilterEvent] = []
        results: list[Innovation | FilterEvent] = []
        for reading in readings:
            event = self._event(reading)
            outcome = self._refusal(belief, event, new)
            if outcome:
                results.append(Innovation(reading.sensor, event.valid_ns, outcome))
            else:
                insort(new, event)
                results.append(event)
        if not new:
            return belief, tuple(one for one in results if isinstance(one, Innovation))
        after, found = self._filtered(belief, new)
        return after, tuple(found[one] if isinstance(one, FilterEvent) else one for one in results)

    def _event(self, reading: Reading) -> FilterEvent:
        """A reading as an event."""
        if reading.sensor not in self._kinds:
            known = ", ".join(self._kinds)
            raise InputError(f"the filter has no sensor {reading.sensor!r}: it has {known}").about(
                "sensor", reading.sensor, tuple(self._kinds)
            )
        kind = self._kinds[reading.sensor]
        size = int(self._sizes[kind - 1]) if kind else self.setup.input_size
        if len(reading.values) != size:
            raise InputError(f"a reading of {reading.sensor} has {len(reading.values)} values: give {size}").about(
                "values", len(reading.values), (str(size),)
            )
        latency = round(1e9 * self.aidings[reading.sensor].latency) if kind else 0
        return FilterEvent(reading.stamp_ns - latency, kind, reading.stamp_ns, tuple(map(float, reading.values)))

    def _refusal(self, belief: Belief, event: FilterEvent, new: list[FilterEvent]) -> str:
        """Why an event is not taken in; empty when it is."""
        finite = [isfinite(value) for value in event.values]
        if not any(finite) or (event.kind == 0 and not all(finite)):
            return "not finite"
        if event <= belief.snapshots[0].last or event.valid_ns < belief.stamp_ns - self.setup.lag_ns:
            return "too late"
        return "duplicate" if _has_stamp(belief.events, event) or _has_stamp(new, event) else ""

    def _filtered(self, belief: Belief, new: list[FilterEvent]) -> tuple[Belief, dict[FilterEvent, Innovation]]:
        """The belief after new events, from the last snapshot before the first of them on."""
        kept = [snapshot for snapshot in belief.snapshots if snapshot.last < new[0]]
        events = [*belief.events]
        first = bisect_right(events, kept[-1].last)
        events[first:] = sorted(events[first:] + new)
        end, found = self._run(kept[-1], events[first:])
        snapshots, horizon = [*kept, end], end.last.valid_ns - self.setup.lag_ns
        while len(snapshots) > 1 and snapshots[1].last.valid_ns < horizon:
            del snapshots[0]
        return Belief(tuple(snapshots), tuple(events[bisect_right(events, snapshots[0].last) :])), found

    def _run(
        self, start: FilterSnapshot, events: list[FilterEvent]
    ) -> tuple[FilterSnapshot, dict[FilterEvent, Innovation]]:
        """A snapshot after events, and the result of each."""
        count, most = len(events), self._sigmas.shape[1]
        x, U, D, held = (array.copy() for array in start[1:])
        values = np.zeros((count, max(most, self.setup.input_size)))
        for i, event in enumerate(events):
            values[i, : len(event.values)] = event.values
        stamps = np.array([event.valid_ns for event in events], dtype=np.int64)
        kinds = np.array([event.kind for event in events], dtype=np.int64)
        innovations, deviations = np.zeros((2, count, most))
        squared, status, clock = np.zeros(count), np.zeros(count, dtype=np.int64), np.array([start.last.valid_ns])
        setup = self.setup
        done = self.run(
            x, U, D, held, clock, setup.parameters, setup.noise, self._sigmas, self._wraps, self._gates, self._sizes,
            stamps, kinds, values, innovations, deviations, squared, status, *self._work,
        )  # fmt: skip
        if done != count:
            raise InputError(f"the process model gives no finite state at {stamps[done]} ns").about("process")
        found = {}
        for i, event in enumerate(events):
            size = int(self._sizes[event.kind - 1]) if event.kind else 0
            found[event] = Innovation(
                self._names[event.kind],
                event.valid_ns,
                _OUTCOMES[int(status[i])],
                tuple(innovations[i, :size].tolist()),
                tuple(deviations[i, :size].tolist()),
                float(squared[i]),
            )
        return FilterSnapshot(events[-1], x, U, D, held), found


def compile_filter(
    chart: Chart,
    process: Process,
    aidings: dict[str, AidingModel],
    *,
    states: int,
    noise: ArrayLike,
    inputs: str = "inputs",
    input_size: int = 0,
    parameters: ArrayLike = (),
    lag: float = 1.0,
) -> ErrorStateFilter:
    """An error-state Kalman filter from plain functions on tuples; exact Jacobians are derived and compiled.

    Parameters
    ----------
    chart
        plus(state, error) and minus(state, reference): errors of the state as vectors.
    process
        process(state, inputs, elapsed, parameters): the state after a time in seconds with held inputs.
    aidings
        Sensor name -> measurement model, standard deviations, angles, gate and latency.
    states
        Numbers of a state.
    noise
        Standard deviation of the process noise on each error coordinate, unit per square root of a second.
    inputs
        Name of the sensor whose readings are the inputs of the process model.
    input_size
        Numbers of its readings.
    parameters
        Row of numbers that the models read.
    lag
        Seconds by which readings may be late.

    Raises
    ------
    InputError
        When a size, a standard deviation, a gate or a latency is impossible.
    """
    densities = np.asarray(noise, dtype=float)
    if densities.ndim != 1 or not np.isfinite(densities).all() or (densities < 0.0).any():
        raise InputError("noise holds a negative or infinite number, or is not a row").about("noise")
    if not 0.0 <= lag < np.inf:
        raise InputError(f"lag is {lag}: give a time in seconds, not negative").about("lag", lag)
    if inputs in aidings:
        raise InputError(f"{inputs!r} names the inputs and an aiding sensor: give another name").about("inputs", inputs)
    for name, aiding in aidings.items():
        _check_aiding(name, aiding)
    row = np.ascontiguousarray(np.asarray(parameters, dtype=float))
    setup = FilterSetup(states, densities**2, inputs, input_size, row, round(1e9 * lag))
    _check_functions(chart, process, aidings, setup)
    return ErrorStateFilter(compiled_event_loop(chart, process, aidings, states, densities.size), aidings, setup)


def _has_stamp(events: Sequence[FilterEvent], event: FilterEvent) -> bool:
    """Whether sorted events have one of the same sensor and stamp."""
    place = bisect_left(events, event._replace(values=()))
    return place < len(events) and events[place][:3] == event[:3]


def _check_aiding(name: str, aiding: AidingModel) -> None:
    sigma = np.asarray(aiding.sigma, dtype=float)
    if sigma.ndim != 1 or sigma.size == 0 or not np.isfinite(sigma).all() or (sigma <= 0.0).any():
        raise InputError(f"sigma of {name} is {aiding.sigma}: give positive standard deviations").about(
            "sigma", aiding.sigma
        )
    if aiding.wrap and len(aiding.wrap) != sigma.size:
        raise InputError(f"wrap of {name} has {len(aiding.wrap)} entries for {sigma.size} values").about(
            "wrap", aiding.wrap
        )
    if not 0.0 < aiding.gate <= 1.0:
        raise InputError(f"gate of {name} is {aiding.gate}: give a probability in (0, 1]").about("gate", aiding.gate)
    if not 0.0 <= aiding.latency < np.inf:
        raise InputError(f"latency of {name} is {aiding.latency}: give seconds, not negative").about(
            "latency", aiding.latency
        )


def _check_functions(chart: Chart, process: Process, aidings: dict[str, AidingModel], setup: FilterSetup) -> None:
    """Refuse functions whose results do not fit the sizes, as far as they can be evaluated without a state."""
    functions: tuple[Any, ...] = (*chart, process, *(aiding.measure for aiding in aidings.values()))
    for function in functions:
        if not isinstance(function, FunctionType):
            raise InputError(f"{function!r} is not a plain function: give one on tuples of numbers").about("filter")
    x, inputs, row = (1.0,) * setup.states, (0.0,) * setup.input_size, setup.parameters
    errors = setup.noise.size
    expected: list[tuple[str, int, Callable[[], tuple[Any, ...]]]] = [
        ("minus", errors, lambda: chart.minus(x, x)),
        ("plus", setup.states, lambda: chart.plus(x, (0.0,) * errors)),
        ("process", setup.states, lambda: process(x, inputs, 0.01, row)),
    ]
    for name, aiding in aidings.items():
        expected.append((f"measure of {name}", len(aiding.sigma), partial(aiding.measure, x, inputs, row)))
    for name, size, call in expected:
        try:
            found = len(call())
        except ArithmeticError:  # a division by zero at this state; the compiler compares the lengths once more
            continue
        if found != size:
            raise InputError(f"{name} returns {found} numbers: {size} are expected").about(name, found, (str(size),))


def _numbers(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Array:
    array = np.asarray(values, dtype=float)
    if array.shape != shape or not np.isfinite(array).all():
        raise InputError(f"{name} has shape {array.shape}: give {shape} finite numbers").about(name)
    return array
