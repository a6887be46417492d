"""Column map of a foreign table: quantity and unit of each column.

A map is written as lines `NAME: COLUMN` or `NAME: COLUMN:UNIT`. Names are `time`, the six degrees of freedom for speeds
and rates, `roll_angle`, `pitch_angle`, `yaw_angle` or `quaternion_w` to `quaternion_z` for the attitude, `depth`, the
actuators of the vehicle, X, Y, Z, K, M, N for a wrench, and `voltage` of the supply where drives take pulse widths. An
actuator with one of the other names, such as `surge`, is written `surge_thruster` or `surge_fin`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.files.document import read_document
from remora.files.file_kinds import FileKind
from remora.files.problems import Fix, InputFileError, listed
from remora.files.units import (
    ANGLE,
    FORCE,
    LENGTH,
    PULSE,
    RATIO,
    SPEED,
    TIME,
    TORQUE,
    TURN_RATE,
    VOLTAGE,
    Dimension,
    unit_named,
)
from remora.identification.data.record import WRENCH_NAMES, InputKind, Record
from remora.identification.data.table_record import QUATERNION_PARTS, Column, column_units, record_from_csv
from remora.identification.problems import RecordError
from remora.identification.sampling.own_stamps import signal_of, values_at
from remora.logs.readers.tables import column_and_unit
from remora.vehicles.assembly.drives import MICROSECONDS
from remora.vehicles.checks.actuation import input_dimension, output_dimension
from remora.vehicles.drives import ThrusterDrive, full_voltage, input_from_command, is_outside_table
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.thrust_table import ThrustTable
from remora.vehicles.vehicle import Vehicle

SUPPLY = "voltage"
ANGLES = {"roll_angle": "roll", "pitch_angle": "pitch", "yaw_angle": "yaw"}
QUATERNION = {f"quaternion_{part}": part for part in QUATERNION_PARTS}
_MOTION = {
    "time": TIME,
    **{axis: SPEED if i < 3 else TURN_RATE for i, axis in enumerate(DEGREES_OF_FREEDOM)},
    **dict.fromkeys(ANGLES, ANGLE),
    **dict.fromkeys(QUATERNION, RATIO),
    "depth": LENGTH,
}
_OF_THRUSTERS = (FORCE, TURN_RATE, RATIO, VOLTAGE)
_NO_DRIVE = " Pulse widths need commands as inputs, and a drive with a pulse law in the vehicle file."
_MAP_FILE = FileKind("column map", InputFileError, {"time": "Give its column."}, lambda key: None)


class TableOptions(NamedTuple):
    """Options for reading a foreign table."""

    columns: Mapping[str, str]  # name -> COLUMN or COLUMN:UNIT; other names are searched in the table
    kind: InputKind = "outputs"
    axes: str = "forward-right-down"
    gap: float | None = None
    keep_first_of_repeated: bool = False
    salvage: bool = False


def read_column_map(path: str | PathLike[str]) -> dict[str, str]:
    """Read a column map; empty lines count as not given."""
    document = read_document(Path(path), _MAP_FILE)
    if document.findings:
        raise RecordError(document.findings[0].message, path)
    if not isinstance(document.data, dict):
        raise RecordError("is no column map. Give lines like surge: linear_x:m/s.", path)
    wrong = [name for name, column in document.data.items() if not isinstance(column, str | int | float | None)]
    if wrong:
        raise RecordError(f'"{wrong[0]}" needs the name of one column, e.g. {wrong[0]}: my_column:rad/s.', path)
    return {str(name): str(column) for name, column in document.data.items() if column is not None}


def read_table(path: str | PathLike[str], vehicle: Vehicle, table: TableOptions) -> Record:
    """Record of a foreign table by its column map.

    Raises a RecordError with the columns found and a map to fill in, when a quantity has no column.
    """
    units = column_units(path)
    found = tuple(units)
    known = _dimensions(vehicle, table.kind)
    for name in table.columns:
        if name not in known:
            message = f'"{name}" is not a quantity of a column. {suggestion(name, known)}'
            raise RecordError(message, path, field="columns", found=name, choices=known)
    chosen = {**{name: name for name in known if name in found}, **table.columns}
    pulses = _pulse_inputs(vehicle, table.kind)
    columns = {
        name: _column(name, text, units, (known[name], *([PULSE] if name in pulses else [])), path)
        for name, text in chosen.items()
    }
    inputs = {name: columns[key] for key, name in _inputs(vehicle, table.kind).items() if key in columns}
    twist = {axis: columns[axis] for axis in DEGREES_OF_FREEDOM if axis in columns}
    lacking = [
        what for what, given in (("time", "time" in columns), ("a speed", twist), ("an input", inputs)) if not given
    ]
    if lacking:
        message, fix = _to_fill(lacking, found, known, columns)
        raise RecordError(message, path, fix=fix, field="columns", choices=found)
    attitude = {part: columns[name] for name, part in {**ANGLES, **QUATERNION}.items() if name in columns}
    supply = {SUPPLY: columns[SUPPLY]} if SUPPLY in columns and pulses else {}
    record = record_from_csv(
        path, twist, {**inputs, **supply}, kind=table.kind, time=columns["time"], attitude=attitude or None,
        depth=columns.get("depth"), axes=table.axes, gap=table.gap,
        keep_first_of_repeated=table.keep_first_of_repeated, salvage=table.salvage,
    )  # fmt: skip
    record = _through_drives(record, vehicle)
    for sentence in _shared(columns):
        record = record.with_note(sentence)
    return record


def _through_drives(record: Record, vehicle: Vehicle) -> Record:
    """The record without the voltage among its inputs, and with pulse widths converted by the drives."""
    inputs = record.inputs
    if inputs is None or SUPPLY not in inputs.names:
        return through_drives(record, vehicle.parameters)
    place = inputs.names.index(SUPPLY)
    kept = [k for k in range(len(inputs.names)) if k != place]
    names, units = (tuple(texts[k] for k in kept) for texts in (inputs.names, inputs.units))
    own = inputs._replace(names=names, units=units, values=inputs.values[:, kept])
    return through_drives(replace(record, inputs=own), vehicle.parameters, inputs.values[:, place])


def _pulse_inputs(vehicle: Vehicle, kind: InputKind) -> set[str]:
    """Names of inputs that may be pulse widths."""
    if kind != "commands":
        return set()
    return {key for key, name in _inputs(vehicle, kind).items() if takes_pulses(vehicle.parameters, name)}


def _shared(columns: Mapping[str, Column]) -> list[str]:
    """Notes on columns used for several quantities: right for thrusters with a common command, else a mistake."""
    users: dict[str, list[str]] = {}
    for name, column in columns.items():
        users.setdefault(column.name, []).append(name)
    return [f'Column "{column}" is taken for {listed(names)}.' for column, names in users.items() if len(names) > 1]


def _inputs(vehicle: Vehicle, kind: InputKind) -> dict[str, str]:
    """Names of inputs in a map -> names in the vehicle."""
    if kind == "wrench":
        return {name: name for name in WRENCH_NAMES}
    parameters = vehicle.parameters
    whose = {**dict.fromkeys(parameters.thruster_names, "thruster"), **dict.fromkeys(parameters.fin_names, "fin")}
    return {f"{name}_{what}" if name in _MOTION else name: name for name, what in whose.items()}


def _dimensions(vehicle: Vehicle, kind: InputKind) -> dict[str, Dimension]:
    """Every name of a column map, with its dimension."""
    inputs = {key: _input_dimension(vehicle, kind, name) for key, name in _inputs(vehicle, kind).items()}
    supply = {SUPPLY: VOLTAGE} if _pulse_inputs(vehicle, kind) else {}
    return {**_MOTION, **supply, **inputs}


def _input_dimension(vehicle: Vehicle, kind: InputKind, name: str) -> Dimension:
    if kind == "wrench":
        return FORCE if name in WRENCH_NAMES[:3] else TORQUE
    return (input_dimension if kind == "commands" else output_dimension)(vehicle.parameters, name)


def _column(
    name: str, text: str, units: Mapping[str, str], dimensions: Sequence[Dimension], path: str | PathLike[str]
) -> Column:
    """Column and its unit, checked against the quantity."""
    possible = tuple(unit for dimension in dimensions for unit in dimension.units)
    column, unit = column_and_unit(text, units)
    if column not in units:
        raise RecordError(f'has no column "{column}" for {name}. {suggestion(column, tuple(units))}', path, 1)
    unit = unit or units[column]
    known = unit_named(unit) if unit else None
    if unit and known is None:
        raise RecordError(f'{name}: the unit "{unit}" is not known. Use {listed(possible)}.', path)
    if known and not any(dimension.accepts(known) for dimension in dimensions):
        what = " or ".join(dimension.words for dimension in dimensions)
        hint = _NO_DRIVE if PULSE.accepts(known) and dimensions[0] in _OF_THRUSTERS else ""
        raise RecordError(f'{name}: "{unit}" does not measure {what}. Use {listed(possible)}.{hint}', path)
    return Column(column, unit)


def _to_fill(
    lacking: Sequence[str], found: Sequence[str], known: Mapping[str, Dimension], columns: Mapping[str, Column]
) -> tuple[str, Fix]:
    """The missing quantities, and a column map to be filled in."""
    lines = []
    for name, dimension in known.items():
        given = f" {columns[name].name}" if name in columns else ""
        lines.append(f"{name}:{given}  # {dimension.units[0]}")
    sentence = (
        "\nWrite these lines to a file, fill in the columns that there are, with a unit where it is another one (as\n"
        "in yaw: my_column:deg/s), and give it with {columns}:\n" + "\n".join(lines)
    )
    fix = Fix(sentence, {"columns": "FILE.yaml"}, {"columns": "`read_column_map`"})
    return f"no column is known for {listed(lacking)}. It has: {', '.join(found)}.", fix


# Largest share of samples outside the table of a drive.
_MOST_BEYOND = 0.5


def takes_pulses(vehicle: VehicleParameters, name: str) -> bool:
    """Whether the drive of a thruster takes pulse widths."""
    return _drive(vehicle, name).law is not None


def through_drives(record: Record, vehicle: VehicleParameters, voltage: Array | None = None) -> Record:
    """The record with pulse-width commands, s, converted to thruster commands.

    Resolution, dead band and law of each drive apply, but not its delay. The voltage, V, has one value per row, NaN
    where unknown; that of the full battery unless given.
    """
    inputs = record.inputs
    if inputs is None or inputs.kind != "commands":
        return record
    values, units = inputs.values.copy(), list(inputs.units)
    tables: list[ThrustTable] = []
    supply = None if voltage is None else _everywhere(record, voltage)
    for k, name in enumerate(inputs.names):
        unit = unit_named(units[k]) if units[k] else None
        if unit is None or not PULSE.accepts(unit):
            continue
        drive = _drive(vehicle, name)
        # Rounded as in vehicle files, so that a pulse at the edge of a dead band stays there.
        values[:, k] = _driven(record, drive, name, np.round(MICROSECONDS * values[:, k], 6), supply, vehicle)
        units[k] = input_dimension(vehicle, name).units[0]
        tables += [drive.law] if isinstance(drive.law, ThrustTable) else []
    if tuple(units) == inputs.units:
        return record
    message = "Pulse widths were converted to thruster commands by the drives of the vehicle"
    if tables:
        usual = f"at {full_voltage(tables[0], vehicle.supply):g} V, since no voltage was recorded"
        message += f", tables {usual if supply is None else 'at the recorded voltage'}"
    return record.with_note(f"{message}.", inputs=inputs._replace(values=values, units=tuple(units)))


def _drive(vehicle: VehicleParameters, name: str) -> ThrusterDrive:
    known = dict(zip(vehicle.thruster_names, vehicle.pulse_drives, strict=False))
    return known.get(name, ThrusterDrive())


def _driven(
    record: Record, drive: ThrusterDrive, name: str, pulses: Array, supply: Array | None, vehicle: VehicleParameters
) -> Array:
    """Command of one thruster."""
    table = drive.law if isinstance(drive.law, ThrustTable) else None
    usual = full_voltage(table, vehicle.supply) if table else 0.0
    volts = np.full(len(pulses), usual) if table is None or supply is None else supply
    # The law is scalar; only distinct pairs of pulse and voltage are evaluated.
    pairs, places = np.unique(np.column_stack([pulses, volts]), axis=0, return_inverse=True)
    known = np.isfinite(pairs).all(axis=1)
    found = np.full(len(pairs), np.nan)
    found[known] = [input_from_command(drive, pulse, volt) for pulse, volt in pairs[known].tolist()]
    beyond = np.zeros(len(pairs), dtype=bool)
    beyond[known] = [is_outside_table(drive, pulse, volt) for pulse, volt in pairs[known].tolist()]
    share = float(np.mean(beyond[places.ravel()]))
    if share > _MOST_BEYOND:
        message = f"{name}: {100.0 * share:.0f} % of the pulse widths or voltages lie outside the table of the drive"
        raise RecordError(f"{message}. Name the unit of the column, or give a table that reaches them.", record.source)
    return found[places.ravel()]


def _everywhere(record: Record, voltage: Array) -> Array:
    """Voltage in every row by interpolation, constant before the first and after the last reading."""
    signal = signal_of(record.time, voltage, longest=np.inf)
    if not len(signal.time):
        raise RecordError("the column of the voltage is empty. Leave it out of the map.", record.source)
    return values_at(signal, np.clip(record.time, signal.time[0], signal.time[-1]))
