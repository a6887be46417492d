"""Estimate of a filter, what it keeps to take in late readings, and its arrays for a call of the event loop."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.navigation.filters.compiling import FilterSizes, filter_sizes
from remora.navigation.filters.loops.ud_factors import covariance_of, padded_size
from remora.plant.dual.dual_functions import SLOPES

Integers: TypeAlias = NDArray[np.signedinteger[Any]]
_NOTHING = np.zeros((0, 0))
_new_tuple = tuple.__new__


class FilterEvent(NamedTuple):
    """A reading at the time at which it is used; events are processed in the order of the first three fields."""

    valid_ns: int
    kind: int  # 0 for inputs, else 1 plus the index of the sensor
    stamp_ns: int
    residual_ns: int  # time of the state that predicts it
    data: Array  # values, standard deviations, parameters


class FilterSnapshot(NamedTuple):
    """Memory of a filter after all events up to one of them."""

    last: FilterEvent
    memory: Array  # state, D, columns of U, inputs
    since: Integers  # ns, the first of the rejections in a row of each sensor


class FilterPast(NamedTuple):
    """Predicted states and inputs of past times, for delayed residuals."""

    times: Integers  # ns
    rows: Array


class Belief(NamedTuple):
    """Estimate of a filter, and what it needs to take in late readings."""

    snapshots: tuple[FilterSnapshot, ...]  # one per event, from the last before the lag to the newest
    sizes: FilterSizes
    latest: Array  # values of the last reading of each sensor
    past: FilterPast

    @property
    def events(self) -> tuple[FilterEvent, ...]:
        """Events after the first snapshot, in order."""
        return tuple(snapshot.last for snapshot in self.snapshots[1:])

    @property
    def stamp_ns(self) -> int:
        """Time of the estimate."""
        return self.snapshots[-1].last.valid_ns

    @property
    def state(self) -> Array:
        """Estimated state."""
        return self.snapshots[-1].memory[: self.sizes.states]

    @property
    def inputs(self) -> Array:
        """Inputs of the process model that are held."""
        return self.snapshots[-1].memory[filter_sizes(self.sizes)["HELD"] :]

    @property
    def covariance(self) -> Array:
        """Covariance of the error."""
        return covariance_of(*factors_in(self.snapshots[-1].memory, self.sizes))


def factors_in(memory: Array, sizes: FilterSizes) -> tuple[Array, Array]:
    """Columns of U, as rows, and D in the memory of a filter."""
    names, n = filter_sizes(sizes), sizes.errors
    V = memory[names["FACTORS"] : names["HELD"]].reshape(n, names["PADDED"])[:, :n]
    return V, memory[sizes.states : sizes.states + n]


def memory_of(state: Array, V: Array, D: Array, held: Array, sizes: FilterSizes) -> Array:
    """Memory of a filter: state, D, columns of U (the rows of V), and held inputs."""
    padded = np.zeros((sizes.errors, filter_sizes(sizes)["PADDED"]))
    diagonal = np.zeros(padded.shape[1])
    padded[:, : sizes.errors], diagonal[: sizes.errors] = V, D
    return np.concatenate([state, diagonal, padded.ravel(), held])


class EventBuffers(NamedTuple):
    """Arrays that a call changes, in the order of the arguments of `run_arrivals`."""

    memory: Array
    since: Integers
    clock: Integers
    past_times: Integers
    past: Array
    past_count: Integers
    results: Array
    status: Integers
    entries: Integers
    ends: Integers
    free: Integers
    slots: Array
    slot_since: Integers
    out_times: Integers
    out: Array
    kept: Array


def event_buffers(
    start: FilterSnapshot, past: FilterPast, shape: tuple[int, int], capacity: int, outputs: tuple[int, int] = (0, 0)
) -> EventBuffers:
    """Buffers that start from a snapshot; no past states are stored where `past` has no rows.

    The shape is the number of events and the numbers of a result, the capacity the number of events that are kept at a
    time. Outputs are the number of estimates that are stored, negative to store their memories too, and the numbers of
    each.
    """
    memory, events = start.memory.copy(), shape[0]
    entries = np.empty((2 * capacity + 2, 5), dtype=np.int64)
    entries[0] = (start.last.valid_ns, start.last.kind, start.last.stamp_ns, -1, 0)
    slots, slot_since = np.empty((capacity + 2, memory.size)), np.empty((capacity + 2, start.since.size), np.int64)
    slots[0], slot_since[0] = memory, start.since
    free = np.arange(capacity + 2, 0, -1)
    free[0] = capacity + 1
    count = abs(outputs[0])
    return EventBuffers(
        memory, start.since.copy(), np.array([start.last.valid_ns]), *past_buffers(past, events),
        np.zeros((events + 1, shape[1])), np.empty(events, dtype=np.int64), entries, np.array([0, 1]), free, slots,
        slot_since, np.empty(count, dtype=np.int64), np.empty((count, outputs[1])),
        np.empty((count, memory.size)) if outputs[0] < 0 else _NOTHING,
    )  # fmt: skip


def past_buffers(past: FilterPast, events: int) -> tuple[Integers, Array, Integers]:
    """Times and past states with room for one more per event, and their number; no rows if none are stored."""
    known, width = len(past.times), past.rows.shape[1]
    count = known + events if width else 0
    times, rows = np.zeros(count, dtype=np.int64), np.zeros((count, width))
    times[:known], rows[:known] = past.times, past.rows
    return times, rows, np.array([known])


def restarted_buffers(buffers: EventBuffers, start: FilterSnapshot, count: int) -> EventBuffers:
    """Buffers without past states, used again for events after a snapshot; slot i + 1 holds the memory after event i.

    Slots are new, because the snapshots of a belief keep them.
    """
    slots, slot_since = np.empty((count + 1, start.memory.size)), np.empty((count + 1, start.since.size), np.int64)
    slots[0], slot_since[0] = start.memory, start.since
    buffers.entries[0] = (*start.last[:3], -1, 0)
    buffers.ends[0], buffers.ends[1], buffers.free[0] = 0, 1, buffers.free.size - 1
    return _new_tuple(EventBuffers, (*buffers[:11], slots, slot_since, *buffers[13:]))  # as `_replace`, and quicker


def work_arrays(sizes: FilterSizes) -> tuple[Any, ...]:
    """Work space of a filter: F, W, H, trial, spare, work, indices."""
    n, padded, most = sizes.errors, padded_size(sizes.errors), max([1, *sizes.measured])
    points = 2 * n + 1 if sizes.unscented else n
    columns, width = points + max(sizes.noises, most), -(-n // SLOPES) * SLOPES
    long = max(columns, sizes.states, most, padded)
    return (
        np.zeros((n, width)),
        np.zeros(columns * padded),
        np.zeros((most, width)),
        np.zeros(n * padded),
        np.zeros(n * padded),
        np.zeros((10 + (max(points, most) if sizes.unscented else 0), long)),
        np.zeros(columns, dtype=np.int64),
    )
