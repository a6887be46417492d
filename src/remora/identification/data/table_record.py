"""Records from tables of other programs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.files.units import unit_named
from remora.identification.data.checks import check_ratio
from remora.identification.data.record import WRENCH_NAMES, InputKind, Record, Times, inputs_of, record_from_arrays
from remora.identification.data.stamp_checks import check_clock, check_stamp_order
from remora.identification.problems import RecordError
from remora.identification.sampling.mixed_rates import one_row_per_stamp
from remora.identification.sampling.own_stamps import signal_of, values_at
from remora.logs.readers.tables import TableColumns, read_columns, read_header
from remora.vehicles.axes import axes_named
from remora.vehicles.names import DEGREES_OF_FREEDOM

_HEADING = {"yaw"}
EULER_ANGLES, QUATERNION_PARTS = ("roll", "pitch", "yaw"), ("w", "x", "y", "z")
# Largest roll and pitch, rad, and the step of an angle from which on it is a wrap-around, rad.
_LARGEST_ANGLE = {"roll": 3.2, "pitch": 1.6}
_WRAPPED = 3.0
# Tolerance of the norm of a quaternion with few digits.
_UNIT_LENGTH = 0.02


class Column(NamedTuple):
    """A column of a table and its unit."""

    name: str
    unit: str


def record_from_csv(
    path: str | PathLike[str],
    twist: Mapping[str, str | Column],
    inputs: Mapping[str, str | Column],
    *,
    kind: InputKind = "outputs",
    time: str | Column = "time",
    attitude: Mapping[str, str | Column] | None = None,
    depth: str | Column | None = None,
    axes: str = "forward-right-down",
    held: bool | None = None,
    gap: float | None = None,
    keep_first_of_repeated: bool = False,
    salvage: bool = False,
) -> Record:
    """Record from a table with a line of names; a name may include its unit in brackets: `surge [m/s]`.

    For the table format see `remora.logs.readers.tables`.

    Parameters
    ----------
    path
        The file.
    twist
        Degree of freedom -> column, e.g. {"surge": "linear_x", "yaw": Column("yaw_rate", "deg/s")}.
    inputs
        Name of an actuator of the vehicle (or X, Y, Z, K, M, N for a wrench) -> column.
    kind
        Kind of the inputs: commands, outputs or wrench.
    time
        Column of stamps, in s unless it has a unit; ISO 8601 dates and times of day are accepted.
    attitude
        "roll", "pitch", "yaw" -> column; or "w", "x", "y", "z" of the quaternion q_NB from body axes to N.
        "yaw" alone is enough without rates of roll and pitch; the vehicle is then level.
    depth
        Column of the depth of B, positive down.
    axes
        Body axes of the table: forward-right-down or forward-left-up.
    held, gap
        As for `record_from_arrays`.
    keep_first_of_repeated
        Whether only the first value of a stamp is used. Otherwise rows of equal stamps are joined if no column has
        several values, else refused.
    salvage
        Whether unreadable lines are skipped instead of refused.
    """
    head = read_header(Path(path), RecordError)
    units = head.unit_of
    stamped = _with_unit(time, units)
    twist = {name: _with_unit(column, units) for name, column in twist.items()}
    inputs = {name: _with_unit(column, units) for name, column in inputs.items()}
    attitude = {name: _with_unit(column, units) for name, column in attitude.items()} if attitude else None
    depth = _with_unit(depth, units) if depth else None
    measured = {**twist, **inputs, **(attitude or {}), **({"depth": depth} if depth else {})}
    if shared := [name for name, column in measured.items() if _column(column).name == stamped.name]:
        raise RecordError(f'"{stamped.name}" is the column of the time. Give {shared[0]} a column of its own.', path)
    wanted = [stamped, *twist.values(), *inputs.values(), *(attitude or {}).values(), *([depth] if depth else [])]
    found = read_columns(head, [_column(column).name for column in wanted], stamped.name, salvage)
    table = found.values
    if len(table[stamped.name]) < 2:
        raise RecordError(f"has {len(table[stamped.name])} rows of numbers. A record needs many.", path)
    if found.dates and stamped.unit not in ("", "s"):
        raise RecordError(f'time is written as dates, which have no unit "{stamped.unit}". Leave it out.', path)
    _check_finite(found, path)
    stamps, table, lines = _rows_by_stamp(found, stamped, keep_first_of_repeated, path)
    signs = axes_named(axes, "zyx")
    motion = _twists(table, twist, signs.six, path)
    driven = np.column_stack([_in_si(table, column, "") for column in inputs.values()])
    if kind == "wrench":
        driven = driven * np.array([signs.six[WRENCH_NAMES.index(name)] for name in inputs])
    record = record_from_arrays(
        stamps,
        motion,
        inputs_of(kind, driven, tuple(inputs), [_column(column).unit for column in inputs.values()], held),
        position=_places(table, depth),
        quaternion=_quaternion(table, stamps, attitude, twist, signs.signs, str(path)),
        gap=gap,
        source=str(path),
    )
    record = replace(record, lines=lines)
    _check_angles(table, attitude, twist, record)
    if attitude is not None and set(attitude) == _HEADING:
        record = record.with_note("Only the heading is known of the attitude; roll and pitch are taken as level.")
    if joined := len(found.lines) - len(stamps):
        record = record.with_note(f"{joined} rows that repeat a stamp were joined with the first of that stamp.")
    if bad := found.left_out:
        record = record.with_note(f"{len(bad)} lines that cannot be read were left out, the first is line {bad[0]}.")
    return record


def _rows_by_stamp(
    found: TableColumns, stamped: Column, keep_first: bool, path: str | PathLike[str]
) -> tuple[Array, dict[str, Array], Times]:
    """Stamps in s, the other columns and the lines of a table, with rows of one stamp joined; refuses a bad clock."""
    read = _in_si(found.values, stamped, "s")
    check_clock(read, path)
    others = {name: values for name, values in found.values.items() if name != stamped.name}
    stamps, table = one_row_per_stamp(read, others, keep_first)
    is_joined = len(stamps) < len(read)
    if not is_joined or np.any(np.diff(stamps) < 0.0):
        check_stamp_order(read, lambda row: int(found.lines[row]), str(path))
    return stamps, table, found.lines[np.diff(read, prepend=np.nan) != 0.0] if is_joined else found.lines


def _check_finite(found: TableColumns, path: str | PathLike[str]) -> None:
    """Refuse infinite values, with their line."""
    for name, values in found.values.items():
        if np.isinf(values).any():
            line = int(found.lines[np.flatnonzero(np.isinf(values))[0]])
            raise RecordError(f"{name} is infinite. Leave the cell empty if it was not measured.", path, line)


def _twists(
    table: Mapping[str, Array], twist: Mapping[str, str | Column], signs: Sequence[float], path: str | PathLike[str]
) -> Array:
    """Twist in body axes forward-right-down; NaN without a column."""
    columns = [np.full(len(next(iter(table.values()))), np.nan)] * 6
    for axis, column in twist.items():
        if axis not in DEGREES_OF_FREEDOM:
            raise RecordError(f'"{axis}" is no degree of freedom. {suggestion(axis, DEGREES_OF_FREEDOM)}', path)
        i = DEGREES_OF_FREEDOM.index(axis)
        columns[i] = signs[i] * _in_si(table, column, "m/s" if i < 3 else "rad/s")
    return np.column_stack(columns)


def _places(table: Mapping[str, Array], depth: str | Column | None) -> Array | None:
    """Positions with only the depth known; None without a depth."""
    if depth is None:
        return None
    down = _in_si(table, depth, "m")
    return np.column_stack([np.full(len(down), np.nan)] * 2 + [down])


def _quaternion(
    table: Mapping[str, Array],
    stamps: Array,
    attitude: Mapping[str, str | Column] | None,
    twist: Mapping[str, str | Column],
    signs: Sequence[float],
    path: str,
) -> Array | None:
    """Attitudes from three angles, the heading of a level vehicle, or a quaternion."""
    if attitude is None:
        return None
    if set(attitude) == _HEADING and not any(axis in twist for axis in ("roll", "pitch")):
        level = np.zeros(len(stamps))
        return np.column_stack(from_euler_zyx(level, level, signs[2] * _in_si(table, attitude["yaw"], "rad")))  # type: ignore[arg-type]
    parts = QUATERNION_PARTS if any(part in attitude for part in QUATERNION_PARTS) else EULER_ANGLES
    if extra := [name for name in attitude if name not in parts]:
        raise RecordError(f"attitude is given twice, by a quaternion and {', '.join(extra)}. Give one of them.", path)
    if missing := [part for part in parts if part not in attitude]:
        fix = ", or leave out the rates of roll and pitch" if set(attitude) == _HEADING else ""
        raise RecordError(f"attitude lacks {', '.join(missing)}. Give {', '.join(parts)}{fix}.", path)
    if parts == EULER_ANGLES:
        angles = [s * _in_si(table, attitude[a], "rad") for s, a in zip(signs, EULER_ANGLES, strict=True)]
        return np.column_stack(from_euler_zyx(*_at_same_rows(stamps, angles)))  # type: ignore[arg-type]
    # Reversed axes also reverse the components of the rotation.
    quaternion = np.column_stack([table[_column(attitude[part]).name] for part in parts]) * (1.0, *signs)
    length = np.linalg.norm(quaternion, axis=1)
    if np.nanmax(np.abs(length - 1.0), initial=0.0) > _UNIT_LENGTH:
        found = float(length[np.nanargmax(np.abs(length - 1.0))])
        raise RecordError(f"the quaternion has a length of {found:.4g}, not 1. Give its four columns.", path)
    return np.asarray(quaternion / length[:, None])


def _at_same_rows(stamps: Array, angles: Sequence[Array]) -> list[Array]:
    """Angles at the readings of the slowest one, the others interpolated."""
    known = [np.isfinite(angle) for angle in angles]
    fewest = min(known, key=lambda rows: int(rows.sum()))
    if all(np.array_equal(rows, fewest) for rows in known):
        return list(angles)
    found = []
    for angle, rows in zip(angles, known, strict=True):
        turned = np.full(len(angle), np.nan)
        turned[rows] = np.unwrap(angle[rows])
        filled = np.full(len(angle), np.nan)
        filled[fewest] = values_at(signal_of(stamps - stamps[0], turned), stamps[fewest] - stamps[0])
        found.append(filled)
    return found


def _check_angles(
    table: Mapping[str, Array],
    attitude: Mapping[str, str | Column] | None,
    twist: Mapping[str, str | Column],
    record: Record,
) -> None:
    """Refuse angles in degrees read as radians: too large, or faster than their rates."""
    given = attitude or {}
    for angle in (name for name in EULER_ANGLES if name in given):
        values = _in_si(table, given[angle], "rad")
        if float(np.nanmax(np.abs(values))) > _LARGEST_ANGLE.get(angle, np.inf):
            largest = float(np.nanmax(np.abs(values)))
            raise RecordError(f"{angle} reaches {largest:.4g} rad: it is in degrees. Name the unit.", record.source)
        if angle in twist:
            turned = np.diff(values) / np.diff(record.time)
            turned[np.abs(np.diff(values)) > _WRAPPED] = np.nan
            check_ratio(turned, _in_si(table, twist[angle], "rad/s")[1:], angle, record.source)


def _column(column: str | Column) -> Column:
    return Column(column, "") if isinstance(column, str) else column


def _in_si(table: Mapping[str, Array], column: str | Column, usual: str) -> Array:
    """A column of the table in SI."""
    name, unit = _column(column)
    known = unit_named(unit or usual) if unit or usual else None
    if unit and known is None:
        raise RecordError(f'column "{name}": the unit "{unit}" is not known.')
    return table[name] * (known.factor if known else 1.0)


def column_units(path: str | PathLike[str]) -> dict[str, str]:
    """Names of the columns of a table with their units; empty where none is given."""
    return read_header(Path(path), RecordError).unit_of


def _with_unit(column: str | Column, units: Mapping[str, str]) -> Column:
    """Column with the unit of its table, unless it has one already."""
    name, unit = _column(column)
    return Column(name, unit or units.get(name, ""))
