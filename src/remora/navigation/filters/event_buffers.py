"""Arrays of one call of the compiled event loop."""

from typing import Any, NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.navigation.filters.beliefs import FilterPast, FilterSnapshot, Integers
from remora.navigation.filters.compiling import FilterSizes
from remora.navigation.filters.loops.ud_factors import padded_size
from remora.plant.dual.dual_functions import SLOPES

_NOTHING = np.zeros((0, 0))
_new_tuple = tuple.__new__


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
    """Buffers that start from a snapshot.

    Parameters
    ----------
    start
        The snapshot.
    past
        Past states; without rows none are stored.
    shape
        Number of events, and numbers of a result.
    capacity
        Number of events that are kept at a time.
    outputs
        Number of estimates that are stored, and numbers of each; the memory of each too if the first is negative.
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
    """Buffers used again for events after a snapshot, with new slots for their memories; slot i + 1 is that of event i.

    Parameters
    ----------
    buffers
        Buffers for at least as many events, without past states.
    start
        The snapshot.
    count
        Number of events.
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
