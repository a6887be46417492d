"""Recorded suite of CSV tables: a YAML file names columns, units, mounts and errors of the sensors."""

from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.vectors import ZERO3
from remora.equations.geometry.earth import Geodetic
from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.files.document import problem_at, read_document
from remora.files.problems import Finding, InputError, InputFileError
from remora.files.structure import described
from remora.files.units import LENGTH, unit_named
from remora.interop.recorded.number_table import NumberTable, read_table
from remora.interop.recorded.recorded_suite import RecordedSensors
from remora.interop.recorded.recording_file import (
    RECORDING_FILE,
    RecordedSensorSection,
    RecordingDescription,
    missing_origin,
    names_twice,
)
from remora.interop.recorded.table_checks import (
    ATTITUDE_AT,
    RecordedTable,
    TableClock,
    check_gravity_direction,
    check_interval,
    check_overlap,
    check_turn_rates,
    check_vertical_speeds,
)
from remora.messages.reading import Reading, SensorChannel, Status, partial_status
from remora.messages.site import GRAVITY, ORIGIN, SEA_WATER_DENSITY, Site
from remora.navigation.parts.filter_options import further_states, launch_of, rests_of
from remora.sensors.library import make_sensor
from remora.vehicles.assembly.actuators import sensor as sensor_entry
from remora.vehicles.axes import BODY_AXES
from remora.vehicles.vehicle import SensorEntry

# Largest plausible magnitudes in SI: more is a wrong unit.
MOST = {"rad": 6.4, "rad/s": 35.0, "m/s": 30.0, "m/s2": 200.0, "Pa": 1.2e8, "m": 1.2e4}
FASTEST_LOG = 10.0  # m/s, of a Doppler log or current meter
_LENGTH = LENGTH.powers


class TableReadings(NamedTuple):
    """Readings of one table."""

    entry: SensorEntry
    file: str
    times: Array  # s
    arrivals: Array  # s
    values: Array  # SI, a row for each time
    remark: str  # on lines that were left out; empty for none


def suite_of_tables(path: FilePath, prefix: str | None = None) -> RecordedSensors:
    """Sensors and readings of CSV tables.

    Parameters
    ----------
    path
        YAML file.
    prefix
        Folder of the tables and start of their names; None for the folder of the file.

    Raises
    ------
    InputError
        When the file or a table is refused: a missing column, a wrong unit, a clock that runs backwards.
    """
    given = _description(path)
    water, origin = given.water, given.origin
    density = water.density.value if water and water.density else SEA_WATER_DENSITY
    gravity = water.gravity.value if water and water.gravity else GRAVITY
    start = f"{path.parent}/" if prefix is None else prefix
    made = [_table_readings(one, start, density * gravity, path.parent) for one in given.sensors or ()]
    _check_units(made)
    start_time = min((float(one.times[0]) for one in made), default=0.0)
    place = ORIGIN
    if origin is not None:
        place = Geodetic(origin.latitude.value, origin.longitude.value, origin.height.value if origin.height else 0.0)
    return RecordedSensors(
        tuple(one.entry for one in made),
        Site(density, gravity, 0.0, place, True),
        launch_of(given.launch, (0.0, 0.0, _first_depth(made, density * gravity))),
        tuple(reading for one in made for reading in _readings(one, start_time)),
        None,
        further_states(given.states),
        rests_of(given.at_rest),
        tuple(one.remark for one in made if one.remark),
    )


def _description(path: FilePath) -> RecordingDescription:
    """The file; InputFileError with all mistakes of it."""
    document = read_document(path, RECORDING_FILE)
    findings: list[Finding] = [*document.findings]
    data: dict[str, Any] = document.data if isinstance(document.data, dict) else {}
    given = described(RecordingDescription, data, RECORDING_FILE, findings)
    if not findings:
        findings += [*names_twice(given.sensors or ()), *missing_origin(given)]
    if findings:
        raise InputFileError(problem_at(document, finding) for finding in findings)
    return given


def _table_readings(one: RecordedSensorSection, start: str, weight: float, folder: FilePath) -> TableReadings:
    """Times and values of one sensor; the weight of the water, N/m3, turns depths into pressures."""
    table = read_table(FilePath(start + one.file), one.texts, one.time)
    times = _times(one.time, table)
    is_first, remark = _unrepeated(one.name, times, table)
    table = table.of_rows(is_first)
    times = _clock(one, times[is_first], table)
    entry, values = _sensor(one, table, weight, folder)
    if one.arrival is None:
        return TableReadings(entry, table.file, times, times + (entry.latency or 0.0), values, remark)
    arrivals = _times(one.arrival, table)
    early = np.flatnonzero(~(arrivals >= times))
    if len(early):
        line = table.lines[early[0]]
        raise InputError(
            f'{table.file}, line {line}: a reading of "{one.name}" arrives before its measurement, at '
            f"{arrivals[early[0]]:.6f} s after {times[early[0]]:.6f} s"
        ).about(f"sensors.{one.name}.arrival", float(arrivals[early[0]]))
    if entry.latency is None:
        entry = entry._replace(latency=float(np.max(arrivals - times)))
    return TableReadings(entry, table.file, times, arrivals, values, remark)


def _first_depth(made: Sequence[TableReadings], weight: float) -> float:
    """Depth of a level vehicle in the first second of its pressure sensor, m; the weight of the water is in N/m3."""
    for one in made:
        if one.entry.kind == "pressure":
            known = np.isfinite(one.values[:, 0])
            early = one.values[known, 0][one.times[known] <= one.times[known][0] + 1.0]
            return float(np.median(early)) / weight - (one.entry.position or ZERO3)[2]
    return 0.0


def _times(text: str, table: NumberTable) -> Array:
    """A column of times, s."""
    if not table.units[text]:
        return table.columns[text]
    return _column(text, "s", table)


def _unrepeated(name: str, times: Array, table: NumberTable) -> tuple[NDArray[np.bool_], str]:
    """Rows that do not repeat the row before them, and a remark on the others.

    InputError where a clock runs backwards, or two readings of one time differ.
    """
    back = np.flatnonzero(~(np.diff(times) >= 0.0))
    if len(back):
        row = int(back[0]) + 1
        raise InputError(
            f'{table.file}, line {table.lines[row]}: the clock of "{name}" runs backwards, from '
            f"{times[row - 1]:.6f} to {times[row]:.6f} s. Sort the table, or remove the lines."
        ).about(f"sensors.{name}.time", float(times[row]))
    values = np.column_stack(list(table.columns.values()))
    is_repeated = np.zeros(len(times), dtype=bool)
    is_repeated[1:] = np.diff(times) == 0.0
    is_same = np.ones(len(times), dtype=bool)
    is_same[1:] = ((values[1:] == values[:-1]) | (np.isnan(values[1:]) & np.isnan(values[:-1]))).all(axis=1)
    if (is_repeated & ~is_same).any():
        row = int(np.flatnonzero(is_repeated & ~is_same)[0])
        raise InputError(
            f'{table.file}, line {table.lines[row]}: "{name}" has two readings at {times[row]:.6f} s. Remove one.'
        ).about(f"sensors.{name}.time", float(times[row]))
    count = int(is_repeated.sum())
    remark = f"{name}: {count} lines that repeat the line before them were left out" if count else ""
    return ~is_repeated, remark


def _clock(one: RecordedSensorSection, times: Array, table: NumberTable) -> Array:
    """Times of the measurements, s."""
    if one.even_clock and len(times) > 2:
        index = np.arange(len(times))
        times = np.polyval(np.polyfit(index, times - times[0], 1), index) + times[0]
    if one.over is not None:
        times = times - 0.5 * _column(one.over, "s", table)  # an increment is a mean over its interval
    return np.asarray(times)


def _check_units(made: Sequence[TableReadings]) -> None:
    """Refuse clocks and speeds in wrong units."""
    clocks = []
    for one in made:
        clocks.append(TableClock(one.entry.name, one.entry.kind, one.entry.rate, one.file, one.times))
        check_interval(clocks[-1], one.values)
    if not clocks:
        return
    check_overlap(clocks)
    recorded = [RecordedTable(one.entry, one.file, one.times, one.values) for one in made]
    attitude = next((one for one in recorded if one.entry.kind in ATTITUDE_AT), None)
    gyros = next((one for kind in ("imu", "gyro") for one in recorded if one.entry.kind == kind), None)
    if gyros is not None and attitude is not None:
        check_turn_rates(gyros, attitude)
        if gyros.entry.kind == "imu":
            check_gravity_direction(gyros, attitude)
    log = next((one for one in recorded if one.entry.kind == "dvl"), None)
    pressure = next((one for one in recorded if one.entry.kind == "pressure"), None)
    if log is not None and pressure is not None and attitude is not None:
        check_vertical_speeds(log, pressure, attitude)


def _sensor(
    one: RecordedSensorSection, table: NumberTable, weight: float, folder: FilePath
) -> tuple[SensorEntry, Array]:
    """Entry of a sensor, and its values in SI in the order of its channels, with NaN for channels without a column."""
    entry = sensor_entry(one, BODY_AXES, folder)
    channels = {channel.name: channel for channel in make_sensor(entry, 0).description.channels}
    values = np.full((table.rows, len(channels)), np.nan)
    over = _column(one.over, "s", table) if one.over is not None else None
    for name, text in one.columns.items():
        if name not in channels:
            raise InputError(f'sensors.{one.name}.columns: no channel "{name}". {suggestion(name, channels)}').about(
                f"sensors.{one.name}.columns", name, channels
            )
        is_depth = entry.kind == "pressure" and table.unit(text, "Pa").powers == _LENGTH
        numbers = _values(entry, channels[name]._replace(unit="m") if is_depth else channels[name], text, table, over)
        values[:, list(channels).index(name)] = weight * numbers if is_depth else numbers
        entry = entry._replace(parameters={**entry.parameters, "water": "uniform"}) if is_depth else entry
    missing = [name for name in channels if name not in one.columns]
    if missing and entry.kind in ("imu", "gyro"):
        raise InputError(f'sensors.{one.name}.columns: "{missing[0]}" has no column').about(
            f"sensors.{one.name}.columns", missing[0]
        )
    return entry, values


def _values(entry: SensorEntry, channel: SensorChannel, text: str, table: NumberTable, over: Array | None) -> Array:
    """A column in SI."""
    numbers = _column(text, channel.unit, table, of_increments=over is not None)
    if over is not None:
        numbers = numbers / over
    if not np.isfinite(numbers).any():
        raise InputError(f'{table.file}: column "{text}" of "{entry.name}" holds no number').about(
            f"sensors.{entry.name}.columns", text
        )
    largest = float(np.nanquantile(np.abs(numbers), 0.99))
    most = MOST.get(channel.unit, np.inf)
    if channel.unit == "m/s" and entry.kind in ("dvl", "dvl_beams", "current_meter"):
        most = FASTEST_LOG
    if largest > most:
        raise InputError(
            f'{table.file}: column "{text}" reaches {largest:.4g} {channel.unit}, more than {most:g}: is its unit '
            "right?"
        ).about(f"sensors.{entry.name}.columns", text)
    return numbers


def _column(text: str, si: str, table: NumberTable, of_increments: bool = False) -> Array:
    """A column in an SI unit, or in this unit times seconds."""
    given, wanted = table.unit(text, si), unit_named(si)
    powers = (wanted or given).powers
    powers = (*powers[:2], powers[2] + of_increments, *powers[3:])
    if given.powers != powers:
        what = f"increments of {si}" if of_increments else si
        raise InputError(f'"{text}": the unit {table.units[text]} does not fit {what}').about("columns", text)
    return np.asarray(given.factor * table.columns[text])


def _readings(one: TableReadings, start: float) -> list[Reading]:
    """Readings with times since the start of the recording, s."""
    stamps = np.rint(1e9 * (one.times - start)).astype(np.int64).tolist()
    arrivals = np.rint(1e9 * (one.arrivals - start)).astype(np.int64).tolist()
    found = []
    for stamp, arrival, row in zip(stamps, arrivals, one.values.tolist(), strict=True):
        numbers = tuple(row)
        found.append(Reading(one.entry.name, stamp, arrival, partial_status(numbers, Status.NO_LOCK), numbers))
    return found
