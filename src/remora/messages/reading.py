"""What a sensor hands on: values with their time, and whether they are to be believed."""

import math
from enum import IntEnum
from typing import NamedTuple, TypeAlias

Values: TypeAlias = tuple[float, ...]
LOWEST_RATE = 1e-9  # Hz, of sensors and parts; a log counts nanoseconds in 63 bits


class Status(IntEnum):
    """How a reading came out. Only OK and PARTIAL carry numbers; otherwise every value is NaN, never a zero."""

    OK = 0
    PARTIAL = 1  # some channels are NaN: a shadowed transponder, a hidden marker, a cell below the bottom
    NO_LOCK = 2  # the sensor works and finds nothing to measure: no bottom, no satellites, no marker
    OUT_OF_RANGE = 3  # what it would measure lies outside its limits
    DROPPED = 4  # the reading was lost
    OFF = 5  # the sensor is broken or switched off


class Channel(NamedTuple):
    """One number of a reading."""

    name: str
    unit: str  # SI, e.g. "m/s"; "1" for a plain number
    frame: str = ""  # N, B or S for the axes of the sensor; empty where no axes are meant


class Reading(NamedTuple):
    """One measurement."""

    sensor: str  # scoped name: vehicle/sensor
    stamp_ns: int  # when it was measured
    arrival_ns: int  # when it is handed over; readings may arrive in another order than they were measured
    status: Status
    values: Values


def nothing(count: int) -> Values:
    """The values of a reading that has none."""
    return (math.nan,) * count


def partial_status(values: Values, otherwise: Status) -> Status:
    """OK where every value is a number, `otherwise` where none is, PARTIAL in between."""
    missing = sum(map(math.isnan, values))
    return Status.OK if not missing else otherwise if missing == len(values) else Status.PARTIAL


def axes3(name: str, unit: str, frame: str) -> tuple[Channel, Channel, Channel]:
    """Three channels of a vector."""
    ends = ("north", "east", "down") if frame == "N" else ("x", "y", "z")
    first, second, third = (Channel(f"{name}_{end}", unit, frame) for end in ends)
    return (first, second, third)
