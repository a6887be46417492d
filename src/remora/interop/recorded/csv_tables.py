"""Recorded suite of CSV tables: a YAML file names columns, units, mounts and errors of the sensors."""

from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import Annotated, Any

import numpy as np

from remora.equations.algebra.vectors import ZERO3
from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.files.document import problem_at, read_document
from remora.files.file_kinds import FileKind
from remora.files.problems import Finding, InputError, InputFileError
from remora.files.quantities import Is, Quantity, positive
from remora.files.section import Section
from remora.files.structure import described
from remora.files.units import ACCELERATION, DENSITY, unit_named
from remora.interop.recorded.clock_checks import TableClock, check_interval, check_overlap
from remora.interop.recorded.number_table import NumberTable, read_table
from remora.interop.recorded.recorded_suite import RecordedSensors
from remora.interop.recorded.turn_rate_units import RecordedTable, check_turn_rates
from remora.messages.reading import Reading, SensorChannel, Status, partial_status
from remora.messages.site import GRAVITY, ORIGIN, SEA_WATER_DENSITY, Site
from remora.navigation.parts.filter_options import FilterLaunchSection, FurtherStatesSection, further_states, launch_of
from remora.sensors.library import make_sensor
from remora.vehicles.assembly.actuators import sensor as sensor_entry
from remora.vehicles.axes import axes_named
from remora.vehicles.sections.device_sections import SensorSection
from remora.vehicles.vehicle import SensorEntry

# Largest plausible magnitudes in SI: more is a wrong unit.
MOST = {"rad": 6.4, "rad/s": 35.0, "m/s": 30.0, "m/s2": 200.0, "Pa": 1.2e8, "m": 1.2e4}


class RecordedWaterSection(Section):
    """Water of the recording."""

    density: Annotated[Quantity[float], Is(DENSITY, rule=positive)] | None = None
    gravity: Annotated[Quantity[float], Is(ACCELERATION, rule=positive)] | None = None


class RecordedSensorSection(SensorSection):
    """A sensor with its table."""

    file: str
    time: str  # COLUMN or COLUMN:UNIT
    columns: dict[str, str]  # channel of the sensor -> COLUMN:UNIT
    over: str | None = None  # COLUMN:UNIT of the intervals of increments, which end at the stamps
    even_clock: bool | None = None  # stamps jitter, but the sensor samples at a constant rate


class RecordingDescription(Section):
    """A recording of another vehicle."""

    title: str = ""
    water: RecordedWaterSection | None = None
    launch: FilterLaunchSection | None = None
    states: FurtherStatesSection | None = None
    sensors: list[RecordedSensorSection] | None = None


RECORDING_FILE = FileKind(
    "recording", InputFileError, {"sensors": "Give a list of sensors with their tables."}, lambda key: None
)


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
    document = read_document(path, RECORDING_FILE)
    findings: list[Finding] = [*document.findings]
    data: dict[str, Any] = document.data if isinstance(document.data, dict) else {}
    given = described(RecordingDescription, data, RECORDING_FILE, findings)
    if findings or given.sensors is None:
        raise InputFileError(problem_at(document, finding) for finding in findings)
    water = given.water
    density = water.density.value if water and water.density else SEA_WATER_DENSITY
    gravity = water.gravity.value if water and water.gravity else GRAVITY
    start = f"{path.parent}/" if prefix is None else prefix
    tables = [(one, read_table(FilePath(start + one.file))) for one in given.sensors]
    clocks = [_clock(one, table) for one, table in tables]
    made = [_sensor(one, table, density * gravity, path.parent) for one, table in tables]
    _check_units(tables, clocks, made)
    origin = min((float(clock[0]) for clock in clocks if len(clock)), default=0.0)
    readings = []
    for (entry, values), clock in zip(made, clocks, strict=True):
        readings += _readings(entry, clock - origin, values)
    launch, site = launch_of(given.launch, ZERO3), Site(density, gravity, 0.0, ORIGIN, True)
    return RecordedSensors(
        tuple(entry for entry, _ in made), site, launch, tuple(readings), None, further_states(given.states)
    )


def _clock(one: RecordedSensorSection, table: NumberTable) -> Array:
    """Times of the readings, s."""
    times = _column(one.time if ":" in one.time else f"{one.time}:s", "s", table)[0]
    back = np.flatnonzero(~(np.diff(times) >= 0.0))
    if len(back):
        row = int(back[0]) + 1
        raise InputError(
            f'{table.file}, line {table.lines[row]}: the clock of "{one.name}" runs backwards, from '
            f"{times[row - 1]:.6f} to {times[row]:.6f} s. Sort the table, or remove the lines."
        ).about(f"sensors.{one.name}.time", float(times[row]))
    if one.even_clock and len(times) > 2:
        index = np.arange(len(times))
        times = np.polyval(np.polyfit(index, times - times[0], 1), index) + times[0]
    if one.over is not None:
        times = times - 0.5 * _column(one.over, "s", table)[0]  # an increment is a mean over its interval
    return np.asarray(times)


def _check_units(
    tables: Sequence[tuple[RecordedSensorSection, NumberTable]],
    clocks: Sequence[Array],
    made: Sequence[tuple[SensorEntry, Array]],
) -> None:
    """Refuse clocks and turn rates in wrong units."""
    found = []
    for (_, table), times, (entry, values) in zip(tables, clocks, made, strict=True):
        found.append(TableClock(entry.name, entry.kind, entry.rate, table.file, times))
        check_interval(found[-1], values)
    if not found:
        return
    check_overlap(found)
    rows = zip(tables, clocks, made, strict=True)
    recorded = [RecordedTable(entry, table.file, times, values) for (_, table), times, (entry, values) in rows]
    gyros = next((one for kind in ("imu", "gyro") for one in recorded if one.entry.kind == kind), None)
    attitude = next((one for one in recorded if one.entry.kind == "ahrs"), None)
    if gyros is not None and attitude is not None:
        check_turn_rates(gyros, attitude)


def _sensor(
    one: RecordedSensorSection, table: NumberTable, weight: float, folder: FilePath
) -> tuple[SensorEntry, Array]:
    """Entry of a sensor, and its values in SI in the order of its channels, with NaN for channels without a column."""
    entry = sensor_entry(one, axes_named("forward-right-down", "zyx"), folder)
    channels = {channel.name: channel for channel in make_sensor(entry, 0).description.channels}
    values = np.full((table.rows, len(channels)), np.nan)
    over = _column(one.over, "s", table)[0] if one.over is not None else None
    for name, text in one.columns.items():
        if name not in channels:
            raise InputError(f'sensors.{one.name}.columns: no channel "{name}". {suggestion(name, channels)}').about(
                f"sensors.{one.name}.columns", name, channels
            )
        numbers, is_depth = _values(entry, channels[name], text, table, over)
        values[:, list(channels).index(name)] = weight * numbers if is_depth else numbers
        entry = entry._replace(parameters={**entry.parameters, "water": "uniform"}) if is_depth else entry
    missing = [name for name in channels if name not in one.columns]
    if missing and entry.kind in ("imu", "gyro"):
        raise InputError(f'sensors.{one.name}.columns: "{missing[0]}" has no column').about(
            f"sensors.{one.name}.columns", missing[0]
        )
    return entry, values


def _values(
    entry: SensorEntry, channel: SensorChannel, text: str, table: NumberTable, over: Array | None
) -> tuple[Array, bool]:
    """A column in SI, and whether it is a depth in place of a pressure."""
    unit = channel.unit
    is_depth = entry.kind == "pressure" and text.rpartition(":")[2] == "m"
    if is_depth:
        unit = "m"
    numbers, column = _column(text, unit, table, of_increments=over is not None)
    if over is not None:
        numbers = numbers / over
    largest = float(np.nanquantile(np.abs(numbers), 0.99)) if np.isfinite(numbers).any() else 0.0
    if largest > MOST.get(unit, np.inf):
        raise InputError(
            f'{table.file}: column "{column}" reaches {largest:.4g} {unit}, more than {MOST[unit]:g}: is its unit '
            "right?"
        ).about(f"sensors.{entry.name}.columns", text)
    return numbers, is_depth


def _column(text: str, si: str, table: NumberTable, of_increments: bool = False) -> tuple[Array, str]:
    """A column in an SI unit, or in this unit times seconds, and its name."""
    column, _, unit = text.rpartition(":")
    given, wanted = unit_named(unit), unit_named(si)
    if not column or given is None:
        raise InputError(f'"{text}": give a column and its unit, as in {text or "speed"}:{si}').about("columns", text)
    powers = (wanted or given).powers
    powers = (*powers[:2], powers[2] + of_increments, *powers[3:])
    if given.powers != powers:
        what = f"increments of {si}" if of_increments else si
        raise InputError(f'"{text}": the unit {unit} does not fit {what}').about("columns", text)
    return given.factor * table.column(column), column


def _readings(entry: SensorEntry, times: Array, values: Array) -> list[Reading]:
    late = round(1e9 * (entry.latency or 0.0))
    stamps = np.rint(1e9 * times).astype(np.int64).tolist()
    found = []
    for stamp, row in zip(stamps, values.tolist(), strict=True):
        numbers = tuple(row)
        found.append(Reading(entry.name, stamp, stamp + late, partial_status(numbers, Status.NO_LOCK), numbers))
    return found
