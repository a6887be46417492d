"""Records from log files: logs of every format with a reader, and tables of other programs.

Motion measured at a sensor is transformed to the body origin; the motion of a navigation estimate begins with the first
complete one.
"""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.kinematics import twist_at
from remora.equations.algebra.vectors import IDENTITY3, matvec3, scale3, transpose3
from remora.equations.instruments.inertial import point_velocity
from remora.equations.types import Matrix3, Vector3
from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.files.problems import Fix, listed
from remora.identification.data.column_map import TableOptions, read_table
from remora.identification.data.log_record import record_from_log
from remora.identification.data.record import Record
from remora.identification.problems import RecordError
from remora.identification.sampling.mixed_rates import (
    interval_of_inputs,
    only_at_readings,
    rates_text,
    slowest_interval,
    without_repeated_readings,
)
from remora.identification.sampling.resampling import resampled, with_inputs_moved, without_holes
from remora.logs import Log, read_log
from remora.logs.log import navigation_entry
from remora.logs.problems import seconds
from remora.logs.readers.csv_reader import CSV
from remora.logs.readers.registry import format_of
from remora.logs.schema import field_name
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import actuator_names
from remora.vehicles.vehicle import Vehicle

TABLES = (".csv", ".tsv", ".txt", ".dat")  # endings of tables of other programs


class LogReadOptions(NamedTuple):
    """Options for reading logs; those of other kinds of log are ignored."""

    table: TableOptions  # for tables of other programs
    motion: str | Mapping[str, tuple[str, str]] = "estimate"  # of Remora logs, as for `record_from_log`
    name: str | None = None  # of the vehicle in a Remora log; its only one unless given
    salvage: bool = False  # whether the readable part of a damaged log may be used
    skip_nan: bool = False  # whether rows with missing values are removed
    lever_arm: Vector3 | None = None  # position of the velocity sensor in body axes, m


def read_log_record(path: str | PathLike[str], vehicle: Vehicle, how: LogReadOptions) -> Record:
    """Record of a log, as recorded: a file, a folder, or a `LogFile` with its own reader.

    Raises a RecordError or LogError with the file and the fix, when it cannot be read or used.
    """
    file = Path(path)
    if not file.exists():
        raise RecordError("there is no such file.", file)
    if is_table(path):
        return _cleaned(read_table(file, vehicle, how.table), how)
    return with_actuator_names(record_of_log(read_log(path), how, file), vehicle)


def with_actuator_names(record: Record, vehicle: Vehicle) -> Record:
    """The record with inputs named as the actuators of a vehicle, whose names may hold what a log cannot: left/port."""
    if record.inputs is None or record.inputs.kind == "wrench":
        return record
    known = {field_name(name): name for name in actuator_names(vehicle.parameters)}
    names = tuple(known.get(name, name) for name in record.inputs.names)
    return record if names == record.inputs.names else replace(record, inputs=record.inputs._replace(names=names))


def record_of_log(log: Log, how: LogReadOptions, path: Path) -> Record:
    """Record of a log in memory; the path names it in messages."""
    return _cleaned(_of_log(log, path, how), how)


def _cleaned(record: Record, how: LogReadOptions) -> Record:
    record = without_repeated_readings(record)
    if how.lever_arm is not None:
        record = velocity_at_origin(record, how.lever_arm)
    # A table with several rates is resampled first: nearly all of its rows lack a value.
    return without_holes(record) if how.skip_nan and slowest_interval(record) is None else record


def is_table(path: str | PathLike[str]) -> bool:
    """Whether a file is a table, by its ending, and no other format by its content."""
    file = Path(path)
    return file.suffix.lower() in TABLES and file.is_file() and format_of(path) in (None, CSV)


def _of_log(log: Log, path: Path, how: LogReadOptions) -> Record:
    if log.problems and not how.salvage:
        raise _damaged(log, path)
    if how.lever_arm is not None and isinstance(how.motion, str):
        raise _at_origin_already(how.motion, path)
    name = _vehicle_in(log, how.name, path)
    record = record_from_log(log, name, how.motion, how.table.kind, how.table.gap, str(path))
    if how.motion != "estimate":
        return record
    part = navigation_entry(log, name).get("part")
    return replace(from_first_estimate(record), estimated_by=str(part or ""))


def _at_origin_already(motion: str, path: Path) -> RecordError:
    """The error for a lever arm of a motion that is that of the body origin."""
    fix = Fix("Leave {lever_arm} out.", {"lever_arm": ""}, {"lever_arm": "lever_arm"})
    return RecordError(f"the {motion} of a log is the motion of the body origin: no lever arm.", path, fix=fix,
                       field="lever_arm")  # fmt: skip


def _damaged(log: Log, path: Path) -> RecordError:
    """The error for a damaged log: rows, channels and last time of the part that can be read."""
    filled = [series for series in log.series.values() if len(series)]
    if not filled:
        return RecordError(f"is damaged: {log.problems[0]}. No rows can be read.", path)
    rows, last = sum(len(series) for series in filled), max(int(series.time_ns[-1]) for series in filled)
    part = f"A part of {rows} rows in {len(filled)} channels, up to {seconds(last)}, can be read."
    fix = Fix("With {salvage} it is used.", {"salvage": ""}, {"salvage": "salvage=True"})
    return RecordError(f"is damaged: {log.problems[0]}. {part}", path, fix=fix)


def _vehicle_in(log: Log, name: str | None, path: Path) -> str:
    known = sorted({channel.partition("/")[0] for channel in log.channels if "/" in channel})
    if name is not None and not any(channel.startswith(f"{name}/") for channel in log.channels):
        hint = suggestion(name, known)
        raise RecordError(f'has no vehicle "{name}". {hint}', path, field="log_vehicle", found=name, choices=known)
    if name is None and len(known) != 1:
        if not known:
            raise RecordError("holds no vehicle.", path)
        fix = Fix("Choose one with {log_vehicle}.", {"log_vehicle": ""}, {"log_vehicle": "`name`"})
        raise RecordError(f"has the vehicles {listed(known)}.", path, fix=fix, field="log_vehicle", choices=known)
    return name or known[0]


def at_one_rate(record: Record, rate: float | None, shortest: float = 0.0, inputs_late: float = 0.0) -> Record:
    """The record at one rate inside each segment, without times at which a signal is unknown.

    Without a rate, Hz, the record is unchanged, unless a speed is missing in some rows; then the rate of the slowest
    speed is used. Segments shorter than `shortest`, s, are dropped. `inputs_late` is the delay of the stamps of the
    inputs, s, which is corrected.
    """
    uniform = _resampled(record, rate, shortest)
    return with_inputs_moved(uniform, inputs_late) if inputs_late else uniform


def at_input_rate(record: Record, rate: float | None, inputs_late: float = 0.0, sparse: bool = False) -> Record:
    """The record at the rate of its inputs where these are faster than the slowest speed.

    A given rate takes precedence; else as `at_one_rate`. Sparse: speeds are NaN between their readings instead of
    interpolated.
    """
    interval = interval_of_inputs(record) if rate is None else None
    if interval is None:
        return at_one_rate(record, rate, inputs_late=inputs_late)
    uniform = at_one_rate(record, 1.0 / interval, inputs_late=inputs_late)
    return only_at_readings(uniform, record) if sparse else uniform


def _resampled(record: Record, rate: float | None, shortest: float) -> Record:
    interval = 1.0 / rate if rate is not None else slowest_interval(record)
    if interval is None:
        return record
    if slowest_interval(record) is not None:
        record = record.with_note(f"Speeds come at rates of their own: {rates_text(record)}.")
    return without_holes(resampled(record, interval, shortest))


def moved_to_body(record: Record, p_BS: Vector3, R_BS: Matrix3 = IDENTITY3) -> Record:
    """Record with the twist of a sensor S transformed to the body origin B.

    Parameters
    ----------
    record
        Record with the twist of S in the axes of S, including rates.
    p_BS, R_BS
        Position of the sensor in body axes, m (lever arm), and rotation from its axes to body axes.
    """
    if np.isnan(record.twist[:, 3:]).all():
        raise RecordError("has no rates, so the lever arm cannot be corrected.", record.source)
    p_SB = scale3(-1.0, matvec3(transpose3(R_BS), p_BS))
    a, b, c, d, e, f = record.twist.T
    moved = twist_at((a, b, c, d, e, f), p_SB, transpose3(R_BS))
    place = ", ".join(f"{x:g}" for x in p_BS)
    return record.with_note(f"Twist moved from the sensor at ({place}) m to B.", twist=np.column_stack(moved))


def velocity_at_origin(record: Record, p_BS: Vector3) -> Record:
    """Record with the velocity of a sensor at p_BS (m), measured in body axes, transformed to the body origin B."""
    unknown = [axis for axis in DEGREES_OF_FREEDOM[3:] if axis not in record.measured]
    if "yaw" in unknown:
        raise RecordError("has no rate of yaw, so the lever arm cannot be corrected.", record.source)
    u, v, w, p, q, r = np.column_stack([record.twist[:, :3], *(_filled(record, k) for k in (3, 4, 5))]).T
    moved = point_velocity((u, v, w, p, q, r), scale3(-1.0, p_BS))
    place = ", ".join(f"{x:g}" for x in p_BS)
    zero = f" The rate of {listed(unknown)} was not measured and counts as zero." if unknown else ""
    sentence = f"Velocity moved from the sensor at ({place}) m to B.{zero}"
    return record.with_note(sentence, twist=np.column_stack([*moved, record.twist[:, 3:]]))


def _filled(record: Record, column: int) -> Array:
    """A rate at all stamps, interpolated inside each segment; zero where it was never measured."""
    rate = record.twist[:, column].copy()
    if np.isnan(rate).all():
        return np.zeros_like(rate)
    for segment in record.segments:
        part, time = rate[segment.start : segment.stop], record.time[segment.start : segment.stop]
        known = ~np.isnan(part)
        if known.any():
            part[~known] = np.interp(time[~known], time[known], part[known], np.nan, np.nan)
    return rate


def from_first_estimate(record: Record) -> Record:
    """The record from the first row on in which all estimated speeds and, where estimated, the attitude are known."""
    places = [DEGREES_OF_FREEDOM.index(axis) for axis in record.measured]
    tables = [record.twist[:, places], *([] if record.quaternion is None else [record.quaternion])]
    known = ~np.isnan(np.column_stack(tables)).any(axis=1)
    first = int(np.argmax(known))
    if first == 0:
        return record
    count = f"{first} rows were" if first > 1 else "a row was"
    sentence = f"The first complete estimate is at {record.time[first]:.4g} s; {count} left out before it."
    return record.rows(first, len(record)).with_note(sentence)
