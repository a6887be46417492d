"""Error-state Kalman filter with UD factors; out-of-sequence measurements are inserted and re-filtered."""

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import chi2

from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.messages.reading import Reading
from remora.navigation.filters.beliefs import (
    Belief,
    EventBuffers,
    FilterEvent,
    FilterPast,
    FilterSnapshot,
    Integers,
    event_buffers,
    memory_of,
    past_buffers,
    restarted_buffers,
    work_arrays,
)
from remora.navigation.filters.compiling import FilterModels, FilterSizes
from remora.navigation.filters.loops.arrivals import refusal
from remora.navigation.filters.loops.event_loop import NEVER
from remora.navigation.filters.loops.ud_factors import factors_of
from remora.navigation.filters.models import (
    DUPLICATE,
    OUTCOME_NAMES,
    REPEATED,
    TOO_LATE,
    USED,
    AidingModel,
    Innovation,
    check_changes,
)
from remora.navigation.filters.readings import (
    LONGEST,
    IntakeLimits,
    SensorIntake,
    aiding_intake,
    event_of,
    inputs_intake,
    nanoseconds,
    screened,
)

NO_TRUTH = np.zeros((0, 0))
NO_PAST = FilterPast(np.zeros(0, dtype=np.int64), NO_TRUTH)
_NO_EVENT = np.zeros(0)
_new_tuple = tuple.__new__


class FilterSetup(NamedTuple):
    """Numbers of a filter."""

    sizes: FilterSizes
    noise: Array  # variance of each noise input, per second or per interval
    gains: Array  # of the noise inputs on the error coordinates
    per_interval: bool
    inputs: str  # sensor of the inputs of the process model
    parameters: Array
    lag_ns: int
    gap_ns: int  # by which a reading may be ahead of the estimate
    limits: IntakeLimits


@final
class ErrorStateFilter:
    """A compiled filter, made by `compile_filter`."""

    def __init__(
        self, loop: Any, aidings: dict[str, AidingModel], setup: FilterSetup, functions: FilterModels | None = None
    ) -> None:
        self.loop, self.aidings, self.setup, self.functions = loop, dict(aidings), setup, functions
        sizes = setup.sizes
        self.most, count = max([1, *sizes.measured]), max(len(aidings), 1)
        own = max([0, *(aiding.own_parameters for aiding in aidings.values())])
        # An event has room for values and standard deviations of the longest measurement and own parameters.
        self.length = max(2 * self.most + own, sizes.inputs)
        self.wraps, self.gates = np.zeros((count, self.most)), np.full((count, self.most + 1), np.inf)
        self.measured, self.recovery = np.zeros(count, dtype=np.int64), np.full(count, LONGEST)
        self.once = np.zeros(count + 1, dtype=np.int64)
        self.intakes = {setup.inputs: inputs_intake(sizes.inputs, self.length)}
        for i, (name, aiding) in enumerate(aidings.items()):
            size = len(aiding.sigma)
            self.measured[i], self.wraps[i, :size] = size, aiding.wrap or (False,) * size
            self.recovery[i], self.once[i + 1] = nanoseconds(aiding.recovery), not aiding.repeats
            if aiding.gate < 1.0:  # by the number of finite values in a reading; without a gate it stays infinite
                self.gates[i, 1:] = chi2.ppf(aiding.gate, np.arange(1, self.most + 1))
            self.intakes[name] = aiding_intake(i + 1, aiding, self.most, self.length)
        self.names = tuple(self.intakes)
        self.delayed = any(aiding.delayed_residual for aiding in aidings.values())
        self._never, self._row = np.zeros_like(self.once), np.concatenate([setup.parameters, np.zeros(own)])
        self._work = work_arrays(sizes)
        self._scratch: EventBuffers | None = None
        self._unlimited = np.array([LONGEST, LONGEST, setup.per_interval, 0])

    def changed(self, sensor: str, **changes: Any) -> "ErrorStateFilter":
        """The same compiled filter with other numbers of an aiding sensor, for instance `active=False`.

        Beliefs fit both. Readings within the lag that are filtered again meet the new gate, but keep their sigma.

        Raises
        ------
        InputError
            When the sensor or a field is unknown, or the change needs another compilation.
        """
        new = check_changes(sensor, self.aidings, changes)
        return ErrorStateFilter(self.loop, self.aidings | {sensor: new}, self.setup, self.functions)

    def with_parameters(self, parameters: ArrayLike) -> "ErrorStateFilter":
        """The same compiled filter with other parameters."""
        row = finite_numbers("parameters", parameters, self.setup.parameters.shape)
        return ErrorStateFilter(self.loop, self.aidings, self.setup._replace(parameters=row), self.functions)

    def with_noise(self, noise: ArrayLike) -> "ErrorStateFilter":
        """The same compiled filter with other process noise: standard deviations, as for `compile_filter`."""
        densities = finite_numbers("noise", noise, self.setup.noise.shape)
        return ErrorStateFilter(self.loop, self.aidings, self.setup._replace(noise=densities**2), self.functions)

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
        sizes = self.setup.sizes
        x, n = finite_numbers("state", state, (sizes.states,)), sizes.errors
        given = np.asarray(sigma, dtype=float)
        covariance = np.diag(finite_numbers("sigma", given, (n,)) ** 2) if given.ndim == 1 else given
        if covariance.shape != (n, n):
            raise InputError(f"sigma has shape {given.shape}: give {n} numbers or a square matrix").about("sigma")
        held = np.zeros(sizes.inputs) if inputs is None else finite_numbers("inputs", inputs, (sizes.inputs,))
        return self._started(memory_of(x, *factors_of(covariance), held, sizes), int(stamp_ns))

    def restarted(self, belief: Belief, stamp_ns: int) -> Belief:
        """The estimate of a belief at another time, for instance after a jump of the clock; nothing is predicted."""
        return self._started(belief.snapshots[-1].memory, int(stamp_ns))

    def _started(self, memory: Array, stamp_ns: int) -> Belief:
        last = FilterEvent(stamp_ns, -1, stamp_ns, stamp_ns, _NO_EVENT)  # before every event of this time
        snapshot = FilterSnapshot(last, memory.copy(), np.full(max(len(self.aidings), 1), NEVER))
        sizes, past = self.setup.sizes, NO_PAST
        if self.delayed:
            row = np.concatenate([memory[: sizes.states], memory[memory.size - sizes.inputs :]])
            past = FilterPast(np.array([stamp_ns]), row[None])
        return Belief((snapshot,), sizes, np.full((len(self.intakes), self.most), np.nan), past)

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
        outcomes: list[tuple[FilterEvent, int]] = []
        latest, limits, snapshots = belief.latest, self.setup.limits, belief.snapshots
        newest, now = snapshots[-1][0][:3], snapshots[-1][0][0]  # of all events so far
        gap_ns = self.setup.gap_ns
        seen: dict[int, Array] = {}  # values of the last reading of each sensor among these
        for reading in readings:
            intake = self.intake_of(reading)
            event = event_of(reading, intake)
            key, outcome = event[:3], screened(reading, intake, event, limits)
            is_newest = key > newest
            # A belief can refuse no reading that follows all others within the gap, as nearly every one does.
            if outcome == USED and not (is_newest and key[0] - now <= gap_ns):
                outcome = self._refusal(snapshots, event, new)
            if outcome == USED and intake.once:
                kind, values = intake.kind, event.data[: self.most]
                if _are_equal(values, seen.get(kind, latest[kind])):
                    outcome = REPEATED
                seen[kind] = values  # also of a repeat: the next reading is compared with the latest one
            if outcome == USED:
                if is_newest:
                    new.append(event)
                    newest = key
                else:
                    new.insert(bisect_left(new, key), event)
            outcomes.append((event, outcome))
        if seen:
            latest = latest.copy()
            for kind, values in seen.items():
                latest[kind] = values
        if not new:
            return belief, tuple([self._refused(event, outcome) for event, outcome in outcomes])
        after, events, buffers = self._filtered(belief, latest, new)
        status, rows = buffers.status[: len(events)].tolist(), buffers.results[: len(events)].tolist()
        results = []
        for event, outcome in outcomes:
            if outcome != USED:
                results.append(self._refused(event, outcome))
            else:
                place = bisect_left(events, event[:3])
                results.append(self._innovation(event, status[place], rows[place]))
        return after, tuple(results)

    def intake_of(self, reading: Reading) -> SensorIntake:
        """How a reading is taken in, after a check of its sensor and length."""
        intake = self.intakes.get(reading.sensor)
        if intake is None:
            known = ", ".join(self.intakes)
            raise InputError(f"the filter has no sensor {reading.sensor!r}: it has {known}").about(
                "sensor", reading.sensor, tuple(self.intakes)
            )
        if len(reading.values) != intake.length:
            raise InputError(
                f"a reading of {reading.sensor} has {len(reading.values)} values: give {intake.length}"
            ).about("values", len(reading.values), (str(intake.length),))
        return intake

    def _refusal(self, snapshots: tuple[FilterSnapshot, ...], event: FilterEvent, new: list[FilterEvent]) -> int:
        """Why an event is not taken in after a belief; USED when it is."""
        key, setup, base = event[:3], self.setup, snapshots[0][0]
        outcome = refusal(key[0], snapshots[-1][0][0], base[0], setup.lag_ns, setup.gap_ns)
        if outcome != USED:
            return outcome
        if _has_event(snapshots, key) or key in [one[:3] for one in new]:
            return DUPLICATE
        return TOO_LATE if key < base[:3] else USED

    def _filtered(
        self, belief: Belief, latest: Array, new: list[FilterEvent]
    ) -> tuple[Belief, list[FilterEvent], EventBuffers]:
        """The belief after new events, by filtering again from the last event before them on.

        With the processed events in the order of the results in the buffers.
        """
        snapshots = belief.snapshots
        kept = _place(snapshots, new[0][:3])
        events = sorted([*[snapshot[0] for snapshot in snapshots[kept:]], *new]) if kept < len(snapshots) else new
        start = snapshots[kept - 1]
        buffers = self._run(start, events, self.past_until(belief, start))
        rows = zip(events, buffers.slots[1:], buffers.slot_since[1:], strict=True)
        after = (*snapshots[:kept], *map(_new_tuple, repeat(FilterSnapshot), rows))
        # The last snapshot before the lag is kept: a reading as late as the lag is filtered from there.
        oldest, horizon = 0, events[-1][0] - self.setup.lag_ns
        while oldest < len(after) - 1 and after[oldest + 1][0][0] < horizon:
            oldest += 1
        past = self.past_after(buffers) if self.delayed else belief.past
        return Belief(after[oldest:], belief.sizes, latest, past), events, buffers

    def past_until(self, belief: Belief, start: FilterSnapshot) -> FilterPast:
        """Past states up to a snapshot."""
        if not self.delayed:
            return belief.past
        count = int(np.searchsorted(belief.past.times, start.last.valid_ns, "right"))
        return FilterPast(belief.past.times[:count], belief.past.rows[:count])

    def past_after(self, buffers: EventBuffers) -> FilterPast:
        """Past states that later readings may need."""
        count, setup = int(buffers.past_count[0]), self.setup
        times, rows = buffers.past_times[:count], buffers.past[:count]
        first = int(np.searchsorted(times, times[-1] - setup.lag_ns - setup.limits.delay_ns, "right")) - 1
        return FilterPast(times[max(first, 0) :].copy(), rows[max(first, 0) :].copy())

    def _run(self, start: FilterSnapshot, events: list[FilterEvent], past: FilterPast) -> EventBuffers:
        """Results of events after a snapshot."""
        count = len(events)
        if self._scratch is None or count > len(self._scratch.status):
            # Used again from step to step.
            self._scratch = event_buffers(start, NO_PAST, (2 * count, 2 * self.most + 1), 2 * count)
        buffers = restarted_buffers(self._scratch, start, count)
        if self.delayed:
            times, rows, known = past_buffers(past, count)
            buffers = buffers._replace(past_times=times, past=rows, past_count=known)
        numbers = array("q", chain.from_iterable([event[:4] for event in events]))
        keys = np.frombuffer(numbers, dtype=np.int64).reshape(count, 4)
        data = np.concatenate([event[4] for event in events]).reshape(count, self.length)
        self.call(buffers, keys, np.array((0, count)), data)
        return buffers

    def limits(self, apart_ns: int) -> Array:
        """Lag and gap of the filter, the interval of its noise, and the shortest time between outputs."""
        setup = self.setup
        return np.array([setup.lag_ns, setup.gap_ns, setup.per_interval, apart_ns])

    def call(
        self,
        buffers: EventBuffers,
        events: Integers,
        groups: Integers,
        data: Array,
        latest: Array | None = None,
        truth: Array = NO_TRUTH,
        limits: Array | None = None,
    ) -> int:
        """Run the event loop on buffers, which are changed; the number of outputs.

        Events are rows of time, kind, stamp and time of the residual, ns, with their numbers in `data`. Groups are the
        start of the first group of events that arrive together, and the end of each. `latest` holds the values of the
        last reading of each sensor and is changed; without it repeats are used. With a true state at each event the
        filter is linearised there. Without limits, lag and gap have been checked.

        Raises
        ------
        InputError
            When the process model gives no finite state.
        """
        setup, b = self.setup, buffers
        limits = self._unlimited if limits is None else limits
        repeated = (self._never, NO_TRUTH) if latest is None else (self.once, latest)
        done = self.loop(
            b.memory, b.since, b.clock, self._row, setup.noise, setup.gains, limits, self.wraps, self.gates,
            self.measured, self.recovery, *repeated, events, groups, data, truth, b.past_times, b.past, b.past_count,
            b.results, b.status, b.entries, b.ends, b.free, b.slots, b.slot_since, b.out_times, b.out, b.kept,
            *self._work,
        )  # fmt: skip
        if done < 0:  # minus one less the event that failed
            raise InputError(f"the process model gives no finite state at {events[-1 - done, 0]} ns").about("process")
        return int(done)

    def _refused(self, event: FilterEvent, outcome: int) -> Innovation:
        """Result without values."""
        return _new_tuple(Innovation, (self.names[event[1]], event[3], OUTCOME_NAMES[outcome], (), (), 0.0))

    def _innovation(self, event: FilterEvent, status: int, numbers: list[float]) -> Innovation:
        """Result of an event."""
        _, kind, _, residual_ns, _ = event
        if kind == 0 or status == TOO_LATE:
            return self._refused(event, status)
        name = self.names[kind]
        size = self.intakes[name].size
        values, deviations = tuple(numbers[:size]), tuple(numbers[self.most : self.most + size])
        return _new_tuple(Innovation, (name, residual_ns, OUTCOME_NAMES[status], values, deviations, numbers[-1]))


def _are_equal(a: Array, b: Array) -> bool:
    """Whether two short rows have the same numbers, NaN included."""
    x, y = a.item(0), b.item(0)  # nearly always these differ already
    if x != y and (x == x or y == y):
        return False
    return all(x == y or (x != x and y != y) for x, y in zip(a.tolist(), b.tolist(), strict=True))


def _has_event(snapshots: tuple[FilterSnapshot, ...], key: tuple[Any, ...]) -> bool:
    """Whether there is a snapshot of this event."""
    place = _place(snapshots, key)
    return place < len(snapshots) and snapshots[place].last[:3] == key


def _place(snapshots: tuple[FilterSnapshot, ...], key: tuple[Any, ...]) -> int:
    """Number of snapshots of events before this one."""
    # A key sorts before the event that begins with it, so that no arrays are compared.
    return len(snapshots) if snapshots[-1].last[:3] < key else bisect_left(snapshots, (key,))


def finite_numbers(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Array:
    """An array of this shape, refused when a number is not finite."""
    array = np.asarray(values, dtype=float)
    if array.shape != shape or not np.isfinite(array).all():
        raise InputError(f"{name} has shape {array.shape}: give {shape} finite numbers").about(name)
    return array
