"""Clocks of recorded tables: intervals that fit the stated rates, and times in common."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.identification.data.stamp_checks import check_clock

_INPUT_KINDS = ("imu", "gyro")  # their rate is never so low that its stamps are taken for milliseconds


class TableClock(NamedTuple):
    """Times of one table."""

    name: str  # of the sensor
    kind: str
    rate: float | None  # Hz, as stated
    file: str
    times: Array  # s


def check_interval(clock: TableClock, values: Array) -> None:
    """Refuse stamps that contradict the stated rate; rows that repeat the values before them are no new readings."""
    is_new = np.ones(len(values), dtype=bool)
    is_new[1:] = np.any((values[1:] != values[:-1]) & ~np.isnan(values[1:]), axis=1)
    if clock.rate is not None or clock.kind in _INPUT_KINDS:
        times = clock.times[is_new]
        check_clock(times[np.diff(times, prepend=-np.inf) > 0.0], clock.file, clock.rate)


def check_overlap(clocks: Sequence[TableClock]) -> None:
    """Refuse a table without a time in common with the inertial unit, or with the first table where there is none."""
    main = next((one for kind in _INPUT_KINDS for one in clocks if one.kind == kind), clocks[0])
    for one in clocks:
        if one.times[-1] < main.times[0] or one.times[0] > main.times[-1]:
            raise InputError(
                f'{one.file}: "{one.name}" has times from {one.times[0]:.10g} to {one.times[-1]:.10g} s, but '
                f'"{main.name}" from {main.times[0]:.10g} to {main.times[-1]:.10g} s: they have no time in common. '
                "Give both the same clock and unit, as in COLUMN:ms."
            ).about(f"sensors.{one.name}.time", float(one.times[0]))
