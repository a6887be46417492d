"""Readings of one sensor as arrays."""

from typing import NamedTuple

from remora.files.arrays import Array, Integers
from remora.messages.reading import Reading, Status


class ReadingArrays(NamedTuple):
    """Readings of one sensor in the order of their samples; with a first axis of seeds where several are drawn."""

    stamp_ns: Integers
    arrival_ns: Integers
    status: Integers  # of `Status`
    values: Array  # the last axis is that of the channels; NaN where there is no value

    def readings(self, sensor: str) -> list[Reading]:
        """The readings one by one, of a sensor of this name."""
        statuses = tuple(Status)
        rows = zip(*(column.tolist() for column in self), strict=True)
        return [Reading(sensor, stamp, late, statuses[status], tuple(row)) for stamp, late, status, row in rows]
