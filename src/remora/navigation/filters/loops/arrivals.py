"""Out-of-sequence measurements: readings by arrival, processed by time; templates as in `event_loop`.

The entries of a filter are its events in order, each with the memory after it, from the last event before the lag to
the newest. A late event is inserted, and all from it on are processed again.
"""

from typing import Any

from remora.files.arrays import Array
from remora.navigation.filters.loops.event_loop import KIND, NEVER, STAMP, TIME
from remora.navigation.filters.loops.ud_factors import variances
from remora.navigation.filters.models import DUPLICATE, FUTURE, REPEATED, TOO_LATE, USED

process_event: Any = None
STATES, ERRORS, FACTORS, HELD = 0, 0, 0, 0

EVENT, SLOT = 3, 4  # columns of the entries after time, kind and stamp
HEAD, TAIL = 0, 1  # first entry, and the place after the last
LAG, GAP, PER_INTERVAL, OUTPUTS_APART = 0, 1, 2, 3  # limits: ns, ns, 0 or 1, ns


def comes_before(entry: Array, event: Array) -> bool:
    """Whether an entry is processed before an event."""
    if entry[TIME] != event[TIME]:
        return bool(entry[TIME] < event[TIME])
    # By sensor and stamp at equal times: the order of arrival must not show in the belief.
    if entry[KIND] != event[KIND]:
        return bool(entry[KIND] < event[KIND])
    return bool(entry[STAMP] < event[STAMP])


def is_same(entry: Array, event: Array) -> bool:
    """Whether an entry is a reading of the same sensor with the same stamp."""
    return bool(entry[TIME] == event[TIME] and entry[KIND] == event[KIND] and entry[STAMP] == event[STAMP])


def place_of(entries: Array, ends: Array, event: Array) -> int:
    """Place of an event among the entries: in front of the first one that does not come before it."""
    place = ends[TAIL]
    while place > ends[HEAD] and not comes_before(entries[place - 1], event):
        place -= 1
    return place


def refusal(time: int, now: int, base: int, lag: int, gap: int) -> int:
    """USED when a reading of this time can be taken in at the present time, else the reason; all times in ns.

    The base is the time of the oldest belief that is known. Lag and gap are the longest times by which a reading may be
    behind or ahead of the estimate.
    """
    if time < base or time < now - lag:
        return TOO_LATE
    return FUTURE if time - now > gap else USED


def insert(entries: Array, ends: Array, place: int, event: Array, e: int, free: Array) -> None:
    """Make room for an event among the entries; the first entries have been dropped before, so there is some."""
    if ends[TAIL] == entries.shape[0]:
        for p in range(ends[HEAD], ends[TAIL]):
            for c in range(5):
                entries[p - ends[HEAD], c] = entries[p, c]
        place, ends[TAIL], ends[HEAD] = place - ends[HEAD], ends[TAIL] - ends[HEAD], 0
    for p in range(ends[TAIL], place, -1):
        for c in range(5):
            entries[p, c] = entries[p - 1, c]
    ends[TAIL] += 1
    for c in range(3):
        entries[place, c] = event[c]
    free[0] -= 1
    entries[place, EVENT], entries[place, SLOT] = e, free[1 + free[0]]


def drop_old(entries: Array, ends: Array, horizon: int, free: Array) -> None:
    """Drop entries as long as another one lies before the lag."""
    while ends[TAIL] - ends[HEAD] > 1 and entries[ends[HEAD] + 1, TIME] < horizon:
        free[1 + free[0]] = entries[ends[HEAD], SLOT]
        free[0] += 1
        ends[HEAD] += 1


def take_in(
    first: int, last: int, now: int, events: Array, data: Array, latest: Array, once: Array, limits: Array,
    entries: Array, ends: Array, free: Array, status: Array,
) -> int:  # fmt: skip
    """Insert the events of one arrival; the number of entries from the first new one on."""
    changed = 0
    for e in range(first, last):
        base = entries[ends[HEAD]]
        # The first entry is the oldest belief that is kept, so that nothing can be put before it.
        status[e] = refusal(events[e, TIME], now, base[TIME], limits[LAG], limits[GAP])
        place = place_of(entries, ends, events[e])
        if status[e] == USED and place <= ends[HEAD] and not comes_before(base, events[e]):
            status[e] = DUPLICATE if is_same(base, events[e]) else TOO_LATE
        if status[e] == USED and place < ends[TAIL] and is_same(entries[place], events[e]):
            status[e] = DUPLICATE
        # Last, since it remembers the values: a refused reading is not one that a later reading could repeat.
        if status[e] == USED and once[events[e, KIND]] > 0 and repeats(events[e], data[e], latest):
            status[e] = REPEATED
        if status[e] == USED:
            insert(entries, ends, place, events[e], e, free)
            # Behind the first new entry it adds one to those that follow; in front of it, it is the first itself.
            changed = max(changed + 1, ends[TAIL] - place_of(entries, ends, events[e]))
    return changed


def repeats(event: Array, data: Array, latest: Array) -> bool:
    """Whether a reading has the values of the one that arrived before it, which it then replaces."""
    k, same = event[KIND], True
    for i in range(latest.shape[1]):
        same = same and (data[i] == latest[k, i] or (data[i] != data[i] and latest[k, i] != latest[k, i]))
    for i in range(latest.shape[1]):
        latest[k, i] = data[i]
    return same


def refilter(
    changed: int, first: int, memory: Array, since: Array, clock: Array, row: Array, noise: Array, gains: Array,
    limits: Array, wraps: Array, gates: Array, sizes: Array, recovery: Array, events: Array, data: Array, truth: Array,
    past_times: Array, past: Array, past_count: Array, results: Array, scratch: Array, status: Array, entries: Array,
    ends: Array, slots: Array, slot_since: Array, F: Array, W: Array, H: Array, trial: Array, spare: Array,
    work: Array, indices: Array,
) -> int:  # fmt: skip
    """Process the last entries; those before `first` had their results already. The event that failed, or -1."""
    start = ends[TAIL] - changed
    recall(entries[start - 1], memory, since, clock, slots, slot_since, past_times, past_count)
    for p in range(start, ends[TAIL]):
        e = entries[p, EVENT]
        found = process_event(
            memory, since, clock, row, noise, gains, limits[PER_INTERVAL], wraps, gates, sizes, recovery, events[e],
            data[e], truth, e, past_times, past, past_count, results[e] if e >= first else scratch, F, W, H, trial,
            spare, work, indices,
        )  # fmt: skip
        if found < 0:
            return int(e)
        if e >= first:
            status[e] = found
        for i in range(memory.size):
            slots[entries[p, SLOT], i] = memory[i]
        for i in range(since.size):
            slot_since[entries[p, SLOT], i] = since[i]
    return -1


def recall(
    entry: Array, memory: Array, since: Array, clock: Array, slots: Array, slot_since: Array, past_times: Array,
    past_count: Array,
) -> None:  # fmt: skip
    """Go back to the memory after an entry."""
    for i in range(memory.size):
        memory[i] = slots[entry[SLOT], i]
    for i in range(since.size):
        since[i] = slot_since[entry[SLOT], i]
    clock[0] = entry[TIME]
    # Later predictions did not know of the late event; they are made again.
    while past_count[0] > 0 and past_times[past_count[0] - 1] > clock[0]:
        past_count[0] -= 1


def run_arrivals(
    memory: Array, since: Array, clock: Array, row: Array, noise: Array, gains: Array, limits: Array, wraps: Array,
    gates: Array, sizes: Array, recovery: Array, once: Array, latest: Array, events: Array, groups: Array, data: Array,
    truth: Array, past_times: Array, past: Array, past_count: Array, results: Array, status: Array, entries: Array,
    ends: Array, free: Array, slots: Array, slot_since: Array, out_times: Array, out: Array, kept: Array, F: Array,
    W: Array, H: Array, trial: Array, spare: Array, work: Array, indices: Array,
) -> int:  # fmt: skip
    """Process groups of events that arrive together, in place; the number of outputs, or -1 less a failed event.

    `groups` holds the start of the first group, then the end of each. An output is the time and, in `out`, the state
    and the variances of its errors after a group; with rows of `kept`, its memory too.
    """
    first, outputs, due = groups[0], 0, NEVER
    scratch = results[results.shape[0] - 1]
    for g in range(1, groups.size):
        changed = take_in(first, groups[g], clock[0], events, data, latest, once, limits, entries, ends, free, status)
        if changed > 0:
            failed = refilter(
                changed, first, memory, since, clock, row, noise, gains, limits, wraps, gates, sizes, recovery, events,
                data, truth, past_times, past, past_count, results, scratch, status, entries, ends, slots, slot_since,
                F, W, H, trial, spare, work, indices,
            )  # fmt: skip
            if failed >= 0:
                return -1 - failed
            drop_old(entries, ends, clock[0] - limits[LAG], free)
            if outputs < out.shape[0] and clock[0] >= due:
                write_output(memory, clock[0], outputs, out_times, out, kept)
                outputs, due = outputs + 1, clock[0] + limits[OUTPUTS_APART]
        first = groups[g]
    return outputs


def write_output(memory: Array, time: int, index: int, out_times: Array, out: Array, kept: Array) -> None:
    """Store the estimate."""
    out_times[index] = time
    for i in range(STATES):
        out[index, i] = memory[i]
    variances(memory[FACTORS:HELD], memory[STATES:FACTORS], out[index, STATES:])
    if kept.shape[0] > 0:
        for i in range(memory.size):
            kept[index, i] = memory[i]
