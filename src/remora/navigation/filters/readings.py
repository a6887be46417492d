"""Readings as a filter takes them: tables of many sensors, and events with checks apart from the belief."""

from collections.abc import Mapping, Sequence
from math import inf, isfinite, isnan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.messages.reading import Reading
from remora.navigation.filters.beliefs import FilterEvent, Integers
from remora.navigation.filters.models import FUTURE, INACTIVE, NOT_FINITE, TOO_LATE, USED, AidingModel

LONGEST = 2**62  # ns, instead of infinity
_new_tuple = tuple.__new__


class ReadingTable(NamedTuple):
    """Readings in the order in which they are processed; neighbours of one arrival time together."""

    sensors: tuple[str, ...]
    sensor: Integers  # index of the sensor of each reading
    stamps_ns: Integers
    arrivals_ns: Integers
    values: Array  # one row per reading, filled up with NaN


def reading_table(readings: Sequence[Reading]) -> ReadingTable:
    """A table of readings, in their order."""
    sensors = tuple(dict.fromkeys(reading.sensor for reading in readings))
    places = {name: i for i, name in enumerate(sensors)}
    widest = max([0, *(len(reading.values) for reading in readings)])
    values = np.full((len(readings), widest), np.nan)
    for i, reading in enumerate(readings):
        values[i, : len(reading.values)] = reading.values
    return ReadingTable(
        sensors,
        np.array([places[reading.sensor] for reading in readings], dtype=np.int64),
        np.array([reading.stamp_ns for reading in readings], dtype=np.int64),
        np.array([reading.arrival_ns for reading in readings], dtype=np.int64),
        values,
    )


def table_of_series(
    series: Mapping[str, tuple[ArrayLike, ArrayLike]], latencies: Mapping[str, float] | None = None
) -> ReadingTable:
    """A table in the order of arrival; readings of one arrival time in the order of the sensors.

    Parameters
    ----------
    series
        Sensor name -> stamps, ns, and values with one row per stamp.
    latencies
        Sensor name -> time from the stamp of a reading to its arrival, s; zero by default.

    Raises
    ------
    InputError
        When stamps and values differ in number.
    """
    late = {name: round(1e9 * seconds) for name, seconds in (latencies or {}).items()}
    arrays = {}
    for name, (given, values) in series.items():
        stamps = np.asarray(given, dtype=np.int64)
        arrays[name] = SensorArrays(stamps, stamps + late.get(name, 0), np.asarray(values, dtype=float))
    return table_of_arrays(arrays)


class SensorArrays(NamedTuple):
    """Readings of one sensor as a filter takes them."""

    stamps_ns: Integers
    arrivals_ns: Integers
    values: Array  # one row per reading


def table_of_arrays(arrays: Mapping[str, SensorArrays]) -> ReadingTable:
    """A table in the order of arrival; readings of one arrival time in the order of the sensors.

    Raises
    ------
    InputError
        When stamps and values differ in number.
    """
    widest = max([0, *(one.values.shape[-1] for one in arrays.values())])
    parts = []
    for k, (name, (stamps, arrivals, rows)) in enumerate(arrays.items()):
        if rows.ndim != 2 or stamps.shape != rows.shape[:1]:
            raise InputError(f"{name}: {stamps.shape} stamps for values of {rows.shape}: give one row per stamp").about(
                name, rows.shape
            )
        padded = np.full((len(rows), widest), np.nan)
        padded[:, : rows.shape[1]] = rows
        parts.append((np.full(len(rows), k), stamps, arrivals, padded))
    sensor, stamp, arrival, numbers = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((stamp, sensor, arrival))
    return ReadingTable(tuple(arrays), sensor[order], stamp[order], arrival[order], numbers[order])


class IntakeLimits(NamedTuple):
    """Times that readings must keep to."""

    early_ns: int  # by which a stamp may be later than its arrival
    delay_ns: int  # by which a reading with a delayed residual may be late


class SensorIntake(NamedTuple):
    """How readings of a sensor become events."""

    kind: int  # 0 for inputs, else 1 plus the index of the sensor
    size: int  # measured values
    sigmas: int  # own standard deviations
    parameters: int  # own parameters
    latency_ns: int
    delayed: bool
    padding: tuple[float, ...]  # after values and sigmas
    filling: tuple[float, ...]  # after all numbers of an event
    sigma: tuple[float, ...]
    active: bool
    once: bool
    length: int  # numbers of a reading
    rest: tuple[float, ...] | None  # of an event after its values; None with own standard deviations or parameters


def inputs_intake(size: int, width: int) -> SensorIntake:
    """Intake of the inputs of the process model, for events of this many numbers."""
    filling = (0.0,) * (width - size)
    return SensorIntake(0, size, 0, 0, 0, False, (), filling, (), True, False, size, filling)


def aiding_intake(kind: int, aiding: AidingModel, most: int, width: int) -> SensorIntake:
    """Intake of an aiding sensor, for events of its kind.

    An event has `width` numbers, and room for the `most` values of the longest measurement.
    """
    size, own = len(aiding.sigma), aiding.own_parameters
    latency, sigmas = nanoseconds(aiding.latency), size if aiding.own_sigma else 0
    padding, filling = (0.0,) * (most - size), (0.0,) * (width - 2 * most - own)
    rest = None if sigmas or own else (*padding, *aiding.sigma, *padding, *filling)
    return SensorIntake(
        kind, size, sigmas, own, latency, aiding.delayed_residual, padding, filling, aiding.sigma, aiding.active,
        not aiding.repeats, size + sigmas + own, rest,
    )  # fmt: skip


def event_of(reading: Reading, intake: SensorIntake) -> FilterEvent:
    """A reading as an event.

    It is used at its time of validity, or on arrival with the residual of that time.
    """
    _, stamp_ns, arrival_ns, _, values = reading
    valid = stamp_ns - intake.latency_ns
    data = _numbers(values, intake) if intake.rest is None else (*values, *intake.rest)
    time = max(arrival_ns, valid) if intake.delayed else valid
    return _new_tuple(FilterEvent, (time, intake.kind, stamp_ns, valid, np.array(data, float)))


def _numbers(values: tuple[float, ...], intake: SensorIntake) -> tuple[float, ...]:
    """Numbers of an event from a reading with own standard deviations or parameters."""
    size, end, padding, sigma = intake.size, intake.size + intake.sigmas, intake.padding, intake.sigma
    if intake.sigmas:
        given = values[size:end]
        sigma = tuple([usual if isnan(one) else one for one, usual in zip(given, sigma, strict=True)])
    return (*values[:size], *padding, *sigma, *padding, *values[end:], *intake.filling)


def screened(reading: Reading, intake: SensorIntake, event: FilterEvent, limits: IntakeLimits) -> int:
    """Why a reading is refused, whatever the belief; USED when it is not."""
    if not intake.active:
        return INACTIVE
    _, stamp_ns, arrival_ns, _, values = reading
    if not isfinite(sum(values)):  # seldom, so that single numbers are seldom looked at
        measured = values[: intake.size]
        if not (any if intake.kind else all)(map(isfinite, measured)) or not _extras_are_sound(event, intake):
            return NOT_FINITE
    elif intake.sigmas and not _extras_are_sound(event, intake):
        return NOT_FINITE
    if stamp_ns - arrival_ns > limits.early_ns:
        return FUTURE
    return TOO_LATE if event[0] - event[3] > limits.delay_ns else USED


def _extras_are_sound(event: FilterEvent, intake: SensorIntake) -> bool:
    """Whether the standard deviations of an event are positive and its parameters finite."""
    if not intake.sigmas and not intake.parameters:
        return True
    numbers, most = event.data.tolist(), intake.size + len(intake.padding)
    sigma = numbers[most : most + intake.size]
    return all(0.0 < one < inf for one in sigma) and all(map(isfinite, numbers[2 * most :]))


def nanoseconds(seconds: float) -> int:
    """A time in ns, at most LONGEST."""
    return round(min(1e9 * seconds, LONGEST))
