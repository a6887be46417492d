"""Sensor readings: values with time stamps and a status."""

import math
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from remora.files.arrays import Array, Integers

Values: TypeAlias = tuple[float, ...]
LOWEST_RATE = 1e-9  # Hz, of sensors and parts; a log counts nanoseconds in 63 bits


class Status(IntEnum):
    """Status of a reading. Only OK and PARTIAL carry numbers; otherwise every value is NaN, never zero."""

    OK = 0
    PARTIAL = 1  # some channels are NaN: a shadowed transponder, a hidden marker, a cell below the bottom
    NO_LOCK = 2  # the sensor works without a target: no bottom, no satellites, no marker
    OUT_OF_RANGE = 3  # the measured quantity is outside the limits of the sensor
    DROPPED = 4  # the reading was lost
    OFF = 5  # the sensor is broken or switched off


class SensorChannel(NamedTuple):
    """One number of a reading."""

    name: str
    unit: str  # SI, e.g. "m/s"; "1" for a plain number
    frame: str = ""  # N, B or S for the axes of the sensor; empty for scalars


class Reading(NamedTuple):
    """One measurement."""

    sensor: str  # scoped name: vehicle/sensor
    stamp_ns: int  # when it was measured
    arrival_ns: int  # when it is delivered; readings may arrive out of order
    status: Status
    values: Values


def no_values(count: int) -> Values:
    """NaN for every value of a reading without numbers."""
    return (math.nan,) * count


def partial_status(values: Values, otherwise: Status) -> Status:
    """OK if every value is a number, `otherwise` if none is, else PARTIAL."""
    missing = 0
    for value in values:  # no generator: measurements of points compile this function
        if math.isnan(value):
            missing += 1
    if missing == 0:
        return Status.OK
    return otherwise if missing == len(values) else Status.PARTIAL


def axes3(name: str, unit: str, frame: str) -> tuple[SensorChannel, SensorChannel, SensorChannel]:
    """Three channels of a vector."""
    ends = ("north", "east", "down") if frame == "N" else ("x", "y", "z")
    first, second, third = (SensorChannel(f"{name}_{end}", unit, frame) for end in ends)
    return (first, second, third)


class ReadingArrays(NamedTuple):
    """Readings of one sensor in the order of their samples; with a first axis of seeds where several are drawn."""

    stamp_ns: Integers
    arrival_ns: Integers
    status: Integers  # of `Status`
    values: Array  # the channels along the last axis; NaN where there is no value

    def readings(self, sensor: str) -> list[Reading]:
        """The readings one by one, of a sensor of this name."""
        statuses = tuple(Status)
        rows = zip(*(column.tolist() for column in self), strict=True)
        return [Reading(sensor, stamp, late, statuses[status], tuple(row)) for stamp, late, status, row in rows]
