"""A filter over a table of readings in one compiled call: logs, Monte Carlo runs, smoothing."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.messages.reading import Reading, Status
from remora.navigation.filters.beliefs import (
    Belief,
    EventBuffers,
    FilterEvent,
    FilterSnapshot,
    Integers,
    event_buffers,
    factors_in,
)
from remora.navigation.filters.compiling import FilterSizes
from remora.navigation.filters.error_state_filter import NO_TRUTH, ErrorStateFilter
from remora.navigation.filters.loops.arrivals import EVENT, HEAD, SLOT, TAIL
from remora.navigation.filters.loops.ud_factors import covariance_of
from remora.navigation.filters.models import (
    DUPLICATE,
    FUTURE,
    INACTIVE,
    NOT_FINITE,
    OUTCOME_NAMES,
    REPEATED,
    TOO_LATE,
    USED,
)
from remora.navigation.filters.readings import ReadingTable, SensorIntake, reading_table


class InnovationSeries(NamedTuple):
    """Results of the readings of one sensor, in the order of the table; NaN where a reading was refused."""

    stamps_ns: Integers  # when they were valid
    values: Array  # measured less predicted
    deviations: Array  # predicted standard deviation of each
    squared: Array  # normalised innovation squared
    outcomes: Integers  # index into OUTCOME_NAMES

    def outcome(self, index: int) -> str:
        """Outcome of a reading."""
        return OUTCOME_NAMES[int(self.outcomes[index])]

    def count(self, outcome: str) -> int:
        """Number of readings with this outcome."""
        return int(np.count_nonzero(self.outcomes == OUTCOME_NAMES.index(outcome)))


class FilterRun(NamedTuple):
    """Estimates after each arrival of readings, and the results of the readings."""

    stamps_ns: Integers
    states: Array
    sigma: Array  # standard deviation of each error coordinate
    innovations: dict[str, InnovationSeries]
    belief: Belief  # after the last reading
    memories: Array  # state and factors of each estimate, if they were kept
    sizes: FilterSizes

    def covariance(self, index: int) -> Array:
        """Covariance of an estimate of a run with `covariances=True`."""
        return covariance_of(*factors_in(self.memories[index], self.sizes))


class EventTable(NamedTuple):
    """Readings as arrays of events."""

    numbers: Integers  # time, kind, stamp and time of the residual
    data: Array
    status: Integers  # USED, or the outcome of a reading that is refused whatever the belief


def run(
    made: ErrorStateFilter,
    belief: Belief,
    readings: Sequence[Reading] | ReadingTable,
    *,
    apart: float = 0.0,
    covariances: bool = False,
) -> FilterRun:
    """Filter readings in one compiled call, with the results of `step` to the last bit.

    Readings that follow each other with the same arrival time are taken in together, as by one `step`.

    Parameters
    ----------
    made
        The filter.
    belief
        The belief before.
    readings
        Readings in the order of their arrival.
    apart
        Shortest time between two estimates of the result, s; each arrival gives one by default.
    covariances
        Whether the covariance of each estimate is kept.

    Raises
    ------
    InputError
        When a sensor is unknown, a reading has the wrong number of values, or the process model gives no finite state.
    """
    table = readings if isinstance(readings, ReadingTable) else _checked_table(made, readings)
    return run_groups(made, belief, table, table.arrivals_ns, apart=apart, covariances=covariances)


def run_groups(
    made: ErrorStateFilter,
    belief: Belief,
    table: ReadingTable,
    grouping: Integers,
    *,
    apart: float = 0.0,
    covariances: bool = False,
    truth: Array = NO_TRUTH,
) -> FilterRun:
    """As `run`, with the readings taken in together that follow each other with the same number of `grouping`.

    With a true state at the time of each reading the filter is linearised there and its innovations are zero; the
    belief must then be without events.
    """
    events, old, sizes = event_table(made, table), _old_events(made, belief), made.setup.sizes
    accepted, first = np.flatnonzero(events.status == USED), len(old.numbers)
    numbers = _joined(old.numbers, events.numbers, accepted)
    data = _joined(old.data, events.data, accepted)
    groups = first + _group_ends(grouping[accepted])
    shape = (len(numbers), 2 * made.most + 1)
    capacity = _capacity(made, numbers[:, 0], max([first, *np.diff(groups)]))
    outputs = (-1 if covariances else 1) * (len(groups) - 1), sizes.states + sizes.errors
    start, latest = belief.snapshots[0], belief.latest.copy()
    buffers = event_buffers(start, made.past_until(belief, start), shape, capacity, outputs)
    no_outputs = buffers._replace(out=NO_TRUTH, kept=NO_TRUTH)
    made.call(no_outputs, numbers, np.array([0, first]), data)
    known = truth[accepted] if truth.size else NO_TRUTH
    count = made.call(buffers, numbers, groups, data, latest, known, made.limits(round(1e9 * apart)))
    after = _belief_after(made, belief, buffers, EventTable(numbers, data, buffers.status), latest)
    events.status[accepted] = buffers.status[first:]
    results = _results_of_all(buffers.results[first:-1], accepted, events.status)
    out = buffers.out[:count]
    deviations = np.sqrt(out[:, sizes.states :], out=out[:, sizes.states :])
    return FilterRun(
        buffers.out_times[:count], out[:, : sizes.states], deviations, _series(made, events, results), after,
        buffers.kept[:count], sizes,
    )  # fmt: skip


def _joined(old: Any, new: Any, accepted: Integers) -> Any:
    """Rows of a belief and those that are accepted; an hour of readings is not copied without need."""
    rows = new if len(accepted) == len(new) else new[accepted]
    return np.concatenate([old, rows]) if len(old) else rows


def _results_of_all(found: Array, accepted: Integers, status: Integers) -> Array:
    """Results of all readings from the results of accepted ones; NaN where a reading never reached the filter."""
    results = found
    if len(accepted) < len(status):
        results = np.full((len(status), found.shape[1]), np.nan)
        results[accepted] = found
    results[np.isin(status, (TOO_LATE, DUPLICATE, FUTURE, REPEATED))] = np.nan
    return results


def _group_ends(grouping: Integers) -> Integers:
    """Zero, and the end of each stretch of equal numbers."""
    changes = np.flatnonzero(np.diff(grouping)) + 1
    return np.concatenate([[0], changes, [len(grouping)]]) if len(grouping) else np.zeros(1, dtype=np.int64)


def _checked_table(made: ErrorStateFilter, readings: Sequence[Reading]) -> ReadingTable:
    for reading in readings:
        made.intake_of(reading)
    return reading_table(readings)


def event_table(made: ErrorStateFilter, table: ReadingTable) -> EventTable:
    """Readings as events, and the outcome of those that are refused whatever the belief."""
    count = len(table.sensor)
    events = EventTable(np.zeros((count, 4), np.int64), np.zeros((count, made.length)), np.zeros(count, np.int64))
    for k, name in enumerate(table.sensors):
        intake = made.intakes.get(name)
        if intake is None or table.values.shape[1] < intake.length:
            values = (np.nan,) * table.values.shape[1]
            made.intake_of(Reading(name, 0, 0, Status.OK, values))
        else:
            _fill_events(made, table, np.flatnonzero(table.sensor == k), intake, events)
    return events


def _fill_events(
    made: ErrorStateFilter, table: ReadingTable, rows: Integers, intake: SensorIntake, events: EventTable
) -> None:
    """Events of one sensor: the same as by `event_of` and `screened`."""
    stamps, arrivals, values = table.stamps_ns[rows], table.arrivals_ns[rows], table.values[rows]
    valid, size, end = stamps - intake.latency_ns, intake.size, intake.size + intake.sigmas
    times = np.maximum(arrivals, valid) if intake.delayed else valid
    events.numbers[rows] = np.stack([times, np.full(len(rows), intake.kind), stamps, valid], axis=1)
    events.data[rows, :size] = values[:, :size]
    finite = np.isfinite(values[:, :size])
    sound = finite.any(axis=1) if intake.kind else finite.all(axis=1)
    if intake.kind:
        given = values[:, size:end] if intake.sigmas else np.full((len(rows), size), np.nan)
        sigma = np.where(np.isnan(given), intake.sigma, given)
        own = values[:, end : intake.length]
        events.data[rows, made.most : made.most + size] = sigma
        events.data[rows, 2 * made.most : 2 * made.most + intake.parameters] = own
        sound &= ((sigma > 0.0) & (sigma < np.inf)).all(axis=1) & np.isfinite(own).all(axis=1)
    limits = made.setup.limits
    status = np.where(times - valid > limits.delay_ns, TOO_LATE, USED)
    status = np.where(stamps - arrivals > limits.early_ns, FUTURE, status)
    status = np.where(sound, status, NOT_FINITE)
    events.status[rows] = status if intake.active else INACTIVE


def _old_events(made: ErrorStateFilter, belief: Belief) -> EventTable:
    """Events of a belief."""
    count = len(belief.events)
    numbers, data = np.zeros((count, 4), dtype=np.int64), np.zeros((count, made.length))
    for i, event in enumerate(belief.events):
        numbers[i], data[i] = event[:4], event.data
    return EventTable(numbers, data, np.zeros(count, dtype=np.int64))


def _capacity(made: ErrorStateFilter, times: Integers, group: int) -> int:
    """Most events within the lag at a time."""
    ordered = np.sort(times)
    counts = np.arange(1, len(ordered) + 1) - np.searchsorted(ordered, ordered - made.setup.lag_ns)
    return int(counts.max(initial=0)) + group + 2


def _belief_after(
    made: ErrorStateFilter, belief: Belief, buffers: EventBuffers, events: EventTable, latest: Array
) -> Belief:
    """The belief that the buffers hold."""
    snapshots = []
    for entry in buffers.entries[buffers.ends[HEAD] : buffers.ends[TAIL]].tolist():
        e, slot = entry[EVENT], entry[SLOT]
        last = belief.snapshots[0].last if e < 0 else _event_at(events, e)
        snapshots.append(FilterSnapshot(last, buffers.slots[slot].copy(), buffers.slot_since[slot].copy()))
    past = made.past_after(buffers) if made.delayed else belief.past
    return Belief(tuple(snapshots), belief.sizes, latest, past)


def _event_at(events: EventTable, e: int) -> FilterEvent:
    time, kind, stamp, residual = events.numbers[e].tolist()
    return FilterEvent(time, kind, stamp, residual, events.data[e].copy())


def _series(made: ErrorStateFilter, events: EventTable, results: Array) -> dict[str, InnovationSeries]:
    """Results by aiding sensor."""
    series = {}
    for name in made.aidings:
        kind, size = made.intakes[name].kind, made.intakes[name].size
        rows = np.flatnonzero(events.numbers[:, 1] == kind)
        found = results[rows]
        series[name] = InnovationSeries(
            events.numbers[rows, 3], found[:, :size], found[:, made.most : made.most + size], found[:, -1],
            events.status[rows],
        )  # fmt: skip
    return series
