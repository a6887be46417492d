"""Readings of many sensors as arrays."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.messages.reading import Reading
from remora.navigation.filters.beliefs import Integers


class ReadingTable(NamedTuple):
    """Readings in the order in which they are processed; those of one arrival time that follow each other together."""

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
