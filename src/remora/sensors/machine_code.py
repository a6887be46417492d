"""Machine code of measurements: their fields as a row of numbers, and a loop over samples that calls `read`."""

import dataclasses
import hashlib
import math
from collections import namedtuple
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import numba
import numpy as np
from numba import float64, int64, void

import remora.sensors
from remora.equations.geometry.earth import Geodetic
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.messages import reading, truth
from remora.messages.reading import Status, partial_status
from remora.messages.truth import Truth
from remora.plant.compilation import cache_folder, from_cache
from remora.plant.strict import StrictCopies, ground_altitude, ground_distance, strict_options
from remora.sensors import environment as plain
from remora.sensors.compiled_measurement import CompiledMeasurement, PointsMeasurement
from remora.sensors.environment import PackedEnvironment

SIGNATURE = void(float64[::1], float64[:, ::1], float64[::1], float64[:, ::1], int64[::1], float64[:, ::1])
SECONDS = 3  # to compile, for the announcement


def environment_of(site: Array, rows: Array) -> PackedEnvironment:
    """The inverse of `site_row`."""
    origin, field = Geodetic(site[4], site[5], site[6]), (site[7], site[8], site[9])
    current = (site[10], site[11], site[12])
    return PackedEnvironment(site[0], site[1], site[2], site[3], site[4], origin, field, current, rows, False)


def packed_place(target: Vector3, environment: PackedEnvironment) -> Vector3:
    """See `environment.place_of`; named points have no compiled form."""
    return target


def packed_altitude(environment: PackedEnvironment, p_N: Vector3) -> float:
    """See `environment.altitude_above_bottom`."""
    return ground_altitude(environment.rows, p_N)


def packed_distance(environment: PackedEnvironment, origin_N: Vector3, direction_N: Vector3) -> float:
    """See `environment.surface_distance`."""
    return ground_distance(environment.rows, origin_N, direction_N)


def packed_water(environment: PackedEnvironment, p_N: Vector3) -> Vector3:
    """See `environment.water_velocity_at`."""
    return environment.current


def packed_wave_head(environment: PackedEnvironment, p_N: Vector3) -> float:
    """See `environment.wave_head_at`; still water."""
    return 0.0


_COPIES = StrictCopies(
    {
        plain.place_of: packed_place,
        plain.altitude_above_bottom: packed_altitude,
        plain.surface_distance: packed_distance,
        plain.water_velocity_at: packed_water,
        plain.wave_head_at: packed_wave_head,
    }
)


class CompiledForm(NamedTuple):
    """The machine code of a measurement and its numbers."""

    function: Any  # of row, motion, site, ground, status and values
    row: Array


class _Fields:
    """Fields of a measurement as an expression that compiled code builds them with, and the numbers in it."""

    def __init__(self) -> None:
        self.numbers: list[float] = []
        self.types: dict[str, Any] = {}

    def expression(self, value: Any) -> str:
        """The expression of a value; TypeError for one without numbers."""
        if value is None:
            return "None"
        if isinstance(value, (bool, int, float)):
            self.numbers.append(float(value))
            return f"row[{len(self.numbers) - 1}]"
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
            return self._record(namedtuple(type(value).__name__, list(fields)), list(fields.values()))
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return self._record(type(value), list(value))
        if isinstance(value, tuple) and value:
            return "(" + "".join(f"{self.expression(item)}, " for item in value) + ")"
        raise TypeError(f"{value!r} has no compiled form")

    def _record(self, kind: Any, values: list[Any]) -> str:
        self.types.setdefault(kind.__name__, kind)
        return f"{kind.__name__}({', '.join(map(self.expression, values))})"


def compiled_form(measurement: CompiledMeasurement, place: PackedEnvironment) -> CompiledForm | None:
    """The compiled form of a measurement in an environment; None where it runs in Python."""
    if (measurement.needs_current and math.isnan(place.current[0])) or (measurement.feels_waves and place.has_waves):
        return None
    fields = _Fields()
    try:
        text = fields.expression(measurement)
    except TypeError:
        return None
    points = len(measurement.points) if isinstance(measurement, PointsMeasurement) else None
    source = _source(text, len(measurement.channels), points)
    return CompiledForm(_function(type(measurement), source, fields.types), np.array(fields.numbers))


_made: dict[str, Any] = {}  # by the key of their sources, as classes of users are made again by every scenario


def _function(kind: Any, source: str, types: Mapping[str, Any]) -> Any:
    """The machine code of a loop over samples for measurements of a class."""
    origin = f"{_sources_key()}\0{_user_file(kind)}\0{kind.__qualname__}\0{source}"
    key = hashlib.sha256(origin.encode()).hexdigest()[:24]
    if key not in _made:

        def make(options: dict[str, Any]) -> Any:
            names = {**types, "Truth": Truth, "NO_LOCK": Status.NO_LOCK}
            called = {"environment_of": environment_of, "partial_status": partial_status, "read": kind.read}
            if issubclass(kind, PointsMeasurement):
                called["read_point"] = kind.read_point
            names |= {name: _COPIES.compiled(function) for name, function in called.items()}
            return numba.njit(SIGNATURE, **strict_options(options))(_from_source(source, key, names))

        _made[key] = from_cache(f"the sensor {kind.__name__}", make, seconds=SECONDS, key=key)
    return _made[key]


@lru_cache(maxsize=256)
def _user_file(kind: Any) -> str:
    """Module and content of the file of a class that a user wrote, or a number of its own; empty for classes of Remora.

    Cached code imports the module of its functions, whose name depends on the place of the file.
    """
    if kind.__module__.startswith(f"{remora.sensors.__name__}."):
        return ""
    file = Path(kind.read.__code__.co_filename)
    content = hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else f"{uuid4()}"
    return f"{kind.__module__}\0{content}"


def _source(text: str, channels: int, points: int | None) -> str:
    """Source of the loop over samples; measurements of points are read point by point, others by a compiled `read`."""

    def part(first: int, count: int) -> str:
        return "(" + ", ".join(f"motion[k, {i}]" for i in range(first, first + count)) + ")"

    truth = ", ".join(("0", part(0, 3), part(3, 4), part(7, 6), part(13, 6), part(19, 3), "()"))
    reading = ["found, numbers = read(sensor, truth, environment)"]
    if points is not None:
        each = (f"read_point(sensor, sensor.points[{i}], truth, environment)" for i in range(points))
        reading = [f"numbers = {' + '.join(each)}", "found = partial_status(numbers, NO_LOCK)"]
    lines = (
        "def measure(row, motion, site, ground, status, values):",
        f"    sensor, environment = {text}, environment_of(site, ground)",
        "    for k in range(motion.shape[0]):",
        f"        truth = Truth({truth})",
        *(f"        {line}" for line in reading),
        "        status[k] = found",
        f"        if found <= {int(Status.PARTIAL)}:",
        *(f"            values[k, {i}] = numbers[{i}]" for i in range(channels)),
        "",
    )
    return "\n".join(lines)


def _from_source(source: str, key: str, names: dict[str, Any]) -> Any:
    """The plain function of a source, which is kept in a file of the cache as Numba's cache requires.

    It has a name of its own: the machine code of a function is found by its name, whatever process compiled it.
    """
    folder, name = cache_folder(), f"measure_{key}"
    file, text = Path(f"{name}.py"), source.replace("def measure(", f"def {name}(")
    if folder is not None:
        file = folder / file
        if not file.exists():
            file.write_text(text, encoding="utf-8")
    namespace = {**names, "__name__": __name__}
    exec(compile(text, str(file), "exec"), namespace)
    return namespace[name]


@lru_cache(maxsize=1)
def _sources_key() -> str:
    """Hash of the sources of all sensors, and of the messages that they return."""
    digest = hashlib.sha256()
    messages = (Path(str(module.__file__)) for module in (reading, truth))
    for path in (*messages, *sorted(Path(remora.sensors.__path__[0]).rglob("*.py"))):
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()
