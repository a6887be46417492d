"""Sensors from vehicle files and from plain mappings.

>>> imu = make_sensor({"name": "imu", "kind": "imu", "position": [0, 0, 0], "rate": 100.0,
...                    "parameters": {"grade": "tactical"}}, seed=1, scope="rov")
>>> imu.description.name
'rov/imu'
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from remora.equations.algebra.quaternions import normalize
from remora.equations.types import Quaternion, Vector3
from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError
from remora.messages.reading import LOWEST_RATE
from remora.messages.truth import make_mount
from remora.sensors.data_sheet import DataSheet, Mounting
from remora.sensors.errors.streams import Stream
from remora.sensors.errors.wrappers import WithDropout
from remora.sensors.kind import SensorKind, read_sheet
from remora.sensors.registry import find_kind
from remora.sensors.sensor import Description, Instrument, Latency, Sensor, SensorError, SensorProblem, period_from_rate
from remora.vehicles.vehicle import SensorEntry

_NANOSECOND = 1e-9


def make_sensor(
    entry: SensorEntry | Mapping[str, Any], seed: int, scope: str = "", changes: Mapping[str, Any] | None = None
) -> Sensor:
    """A sensor from the entry of a vehicle file, or from a mapping with the same fields in SI.

    Parameters
    ----------
    entry
        name, kind, position (m, in body axes), q_BS, rate (Hz), latency (s), parameters (SI); device, notes, and the
        folder to which the path of a user-defined kind is relative.
    seed
        Of the run. With the scoped name it decides all random numbers of this sensor.
    scope
        Name of the vehicle, put before the name of the sensor.
    changes
        Fields that replace fields of the entry; parameters are added to its parameters one by one.

    Raises
    ------
    SensorError
        With a line for everything that is wrong: no place, no rate, unknown parameters, impossible numbers.
    """
    fields = _merged(entry, changes or {})
    name = f"{scope}/{fields.name}" if scope else fields.name
    try:
        kind = find_kind(fields.kind, Path(fields.folder))
    except InputError as error:
        raise SensorError.of(name, SensorProblem("kind", str(error))) from error
    sheet = DataSheet(name, fields.parameters)
    mounting, rate = _mounting(fields, kind, sheet), _rate(fields, sheet)
    latency = fields.latency if fields.latency is not None else 0.0
    if not _is_number(latency) or latency < 0.0:
        sheet.refuse("latency", f"found {latency!r}; give seconds, not below zero.")
        latency = 0.0
    sensor = _assembled(sheet, kind, mounting, rate, latency, Stream(seed, name))
    sheet.finish()
    return sensor


def sensor_problems(entries: tuple[SensorEntry, ...]) -> list[tuple[str, SensorProblem]]:
    """What keeps sensors of a vehicle file from being built as they are: name of the sensor, field and message.

    The reader of vehicle files refuses wrong parameters; a scenario may add what is missing, such as a position or a
    rate.
    """
    found = []
    for entry in entries:
        try:
            make_sensor(entry, seed=0)
        except SensorError as error:
            problems = error.problems or (SensorProblem("", str(error)),)
            found += [(entry.name, problem) for problem in problems]
    return found


def make_sensors(
    entries: tuple[SensorEntry | Mapping[str, Any], ...], seed: int, scope: str = ""
) -> tuple[Sensor, ...]:
    """Several sensors of one vehicle with different names.

    Parameters
    ----------
    entries
        As for `make_sensor`.
    seed
        Of the run.
    scope
        Name of the vehicle.
    """
    sensors = tuple(make_sensor(entry, seed, scope) for entry in entries)
    names = [sensor.description.name for sensor in sensors]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SensorError(f'two sensors are called "{twice[0]}". Give each a name of its own.')
    return sensors


def _assembled(
    sheet: DataSheet, kind: SensorKind, mounting: Mounting, rate: float, latency: float, stream: Stream
) -> Sensor:
    """The sensor with its error model."""
    parts, effects, (start, jitter, dropout) = read_sheet(kind, sheet, mounting, rate, stream)
    label = Description(
        sheet.sensor,
        kind.name,
        parts.channels or parts.measurement.channels,
        period_from_rate(rate),
        round(start / _NANOSECOND),
        parts.geometry,
    )
    delay = Latency(round(latency / _NANOSECOND), jitter / _NANOSECOND, stream.of("latency") if jitter else None)
    sensor = Instrument(label, parts.measurement, effects, delay)
    return WithDropout(sensor, stream.of("dropout"), dropout) if dropout > 0.0 else sensor


def _merged(entry: SensorEntry | Mapping[str, Any], changes: Mapping[str, Any]) -> SensorEntry:
    """An entry with its changes."""
    start: Mapping[str, Any] = entry._asdict() if isinstance(entry, SensorEntry) else entry
    fields: dict[str, Any] = dict.fromkeys(SensorEntry._fields)
    name = str(start.get("name", "?"))
    for given in (start, changes):
        for key, value in given.items():
            if key not in fields:
                hint = suggestion(key, fields)
                raise SensorError.of(name, SensorProblem("", f'unknown field "{key}". {hint}'))
            fields[key] = {**(fields[key] or {}), **value} if key == "parameters" and value else value
    for key in ("name", "kind"):
        if not isinstance(fields[key], str) or not fields[key]:
            raise SensorError.of(name, SensorProblem("", f"{key} is missing."))
    fields["parameters"] = fields["parameters"] or {}
    fields["folder"] = fields["folder"] or ""
    return SensorEntry(**fields)


def _mounting(fields: SensorEntry, kind: SensorKind, sheet: DataSheet) -> Mounting:
    """Mounting of the sensor; the position is required unless the kind does not depend on it."""
    p_BS: Vector3 = (0.0, 0.0, 0.0)
    if fields.position is None:
        if kind.needs_position:
            sheet.refuse("position", "is missing: a sensor has a place on the vehicle. Give three numbers in m.")
    elif len(fields.position) != 3 or not all(map(_is_number, fields.position)):
        sheet.refuse("position", f"found {fields.position!r}; give three numbers in m.")
    else:
        x, y, z = map(float, fields.position)
        p_BS = (x, y, z)
    q_BS: Quaternion = (1.0, 0.0, 0.0, 0.0)
    if fields.q_BS is not None:
        if len(fields.q_BS) != 4 or not all(map(_is_number, fields.q_BS)) or not any(fields.q_BS):
            sheet.refuse("q_BS", f"found {fields.q_BS!r}; give four numbers, the scalar part first.")
        else:
            s, x, y, z = map(float, fields.q_BS)
            q_BS = normalize((s, x, y, z))
    return Mounting(make_mount(p_BS, q_BS), fields.q_BS is not None)


def _rate(fields: SensorEntry, sheet: DataSheet) -> float:
    """Sampling rate, Hz; required."""
    if fields.rate is None:
        sheet.refuse("rate", "is missing: how often does it measure? Give a number in Hz.")
    elif not _is_number(fields.rate) or fields.rate < LOWEST_RATE:
        sheet.refuse("rate", f"found {fields.rate!r}; give a number above zero in Hz, at least {LOWEST_RATE:g}.")
    else:
        return float(fields.rate)
    return 1.0


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
