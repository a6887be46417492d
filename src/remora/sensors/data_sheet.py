"""Data sheet of a sensor: parameters read by name, of which those that no model reads are refused, and its mounting."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, final

from remora.equations.algebra.quaternions import from_axis_angle, product
from remora.equations.types import Matrix3
from remora.files.did_you_mean import suggestion
from remora.messages.reading import Values
from remora.messages.truth import Mount, make_mount
from remora.sensors.sensor import SensorError, SensorProblem

_DOWN = from_axis_angle((0.0, 1.0, 0.0), -0.5 * math.pi)  # turns x_S straight down


@final
class DataSheet:
    """Reads named parameters and collects mistakes; `finish` raises them."""

    def __init__(self, sensor: str, given: Mapping[str, Any]) -> None:
        self.sensor = sensor
        self._given = dict(given)
        self._asked: set[str] = set()
        self._problems: list[SensorProblem] = []

    @property
    def asked(self) -> frozenset[str]:
        """Names of all parameters that are known so far."""
        return frozenset(self._asked)

    def fill(self, defaults: Mapping[str, Any]) -> None:
        """Values for parameters that are not given; all of them are known from now on."""
        self._given = {**defaults, **self._given}
        self._asked.update(defaults)

    def refuse(self, field: str, message: str) -> None:
        """Note a mistake."""
        self._problems.append(SensorProblem(field, message))

    def finish(self) -> None:
        """Raise a SensorError with all mistakes, unknown parameters included."""
        for name in self._given:
            if name not in self._asked:
                self.refuse(name, f"unknown parameter. {suggestion(name, self._asked)}")
        if self._problems:
            raise SensorError.of(self.sensor, *dict.fromkeys(self._problems))

    def has(self, name: str) -> bool:
        """Whether a parameter is given; it is known from now on."""
        self._asked.add(name)
        return self._given.get(name) is not None

    def note(self, *names: str) -> None:
        """Parameters that are known and that the model does not use."""
        self._asked.update(names)

    def value(self, name: str) -> Any:
        """A parameter as it is given, in SI; None where it is not."""
        return self._given[name] if self.has(name) else None

    def word(self, name: str, choices: Iterable[str], default: str) -> str:
        """One of several words."""
        value = self._given[name] if self.has(name) else default
        if value not in choices:
            self.refuse(name, f"found {value!r}. {suggestion(str(value), choices)}")
            return default
        return str(value)

    def flag(self, name: str, default: bool = False) -> bool:
        """True or false."""
        value = self._given[name] if self.has(name) else default
        if not isinstance(value, bool):
            self.refuse(name, f"found {value!r}; give true or false.")
        return bool(value)

    def number(self, name: str, default: float, least: float = -math.inf, most: float = math.inf) -> float:
        """A number between bounds."""
        if not self.has(name):
            return default
        value = self._number(name, self._given[name])
        if not least <= value <= most:
            bounds = f"not below {least:g}" if most == math.inf else f"from {least:g} to {most:g}"
            self.refuse(name, f"found {value:g}; give a number {bounds}.")
            return default
        return value

    def whole(self, name: str, default: int, least: int = 1) -> int:
        """A whole number."""
        value = self.number(name, float(default), float(least))
        if value != round(value):
            self.refuse(name, f"found {value:g}; give a whole number.")
        return round(value)

    def numbers(self, name: str, count: int, least: float = -math.inf) -> Values | None:
        """One number per channel; a single one counts for all. None where the parameter is not given."""
        if not self.has(name):
            return None
        raw = self._given[name]
        items = list(raw) if isinstance(raw, (list, tuple)) else [raw] * count
        if len(items) != count:
            self.refuse(name, f"found {len(items)} numbers; give one, or {count}.")
            return (max(least, 0.0),) * count
        values = tuple(self._number(name, item) for item in items)
        if any(value < least for value in values):
            self.refuse(name, f"found {min(values):g}; give numbers not below {least:g}.")
        return values

    def interval(self, name: str, least: float = -math.inf) -> Values | None:
        """Two numbers, the lower one first. None where the parameter is not given."""
        found = self.numbers(name, 2, least)
        if found is not None and not found[0] <= found[1]:
            self.refuse(name, f"found {found[0]:g} to {found[1]:g}; give the lower number first.")
        return found

    def limits(self, lower: str, upper: str) -> tuple[float, float]:
        """Two parameters that must not be negative, the first below the second; zero and infinity where not given."""
        least, most = self.number(lower, 0.0, 0.0), self.number(upper, math.inf, 0.0)
        if not least < most:
            self.refuse(lower, f"found {least:g}; give less than the {upper} of {most:g}.")
        return least, most

    def points(self, name: str, named: bool = False) -> tuple[Any, ...] | None:
        """Points of three numbers each, or where that is allowed names of points. None where not given."""
        if not self.has(name):
            return None
        raw = self._given[name]
        one = not isinstance(raw, (list, tuple)) or (raw and not _nested(raw))
        return tuple(self._point(name, item, named) for item in ([raw] if one else raw))

    def matrix(self, name: str) -> Matrix3 | None:
        """Three rows of three numbers. None where not given."""
        rows = self.points(name)
        if rows is None or len(rows) != 3:
            if rows is not None:
                self.refuse(name, f"found {len(rows)} rows; give three rows of three numbers.")
            return None
        (a, b, c), (d, e, f), (g, h, i) = rows
        return ((a, b, c), (d, e, f), (g, h, i))

    def _point(self, name: str, raw: Any, named: bool) -> Any:
        if named and isinstance(raw, str):
            return raw
        if not isinstance(raw, (list, tuple)) or len(raw) != 3:
            other = ", or the name of a point" if named else ""
            self.refuse(name, f"found {raw!r}; give three numbers{other}.")
            return (0.0, 0.0, 0.0)
        return tuple(self._number(name, item) for item in raw)

    def _number(self, name: str, raw: Any) -> float:
        if isinstance(raw, bool) or not isinstance(raw, (int, float)) or not math.isfinite(raw):
            self.refuse(name, f"found {raw!r}; give a number.")
            return 1.0
        return float(raw)


def assumed_sound_speed(sheet: DataSheet) -> float | None:
    """Sound speed set in the instrument, m/s; None: the true one."""
    return sheet.number("assumed_sound_speed", 1500.0, 1300.0, 1700.0) if sheet.has("assumed_sound_speed") else None


def _nested(raw: Any) -> bool:
    """Whether a list holds points or names instead of numbers."""
    return any(isinstance(item, (list, tuple, str)) for item in raw)


class Mounting(NamedTuple):
    """Mount of a sensor, and whether its orientation was given."""

    mount: Mount
    is_oriented: bool


def down_unless_oriented(mounting: Mounting) -> Mount:
    """Straight down, y_S to starboard, unless the file says otherwise."""
    placed = mounting.mount
    return placed if mounting.is_oriented else make_mount(placed.p_BS, product(placed.q_BS, _DOWN))


def require_orientation(sheet: DataSheet, mounting: Mounting) -> None:
    """Refuse a sensor without an orientation."""
    if not mounting.is_oriented:
        sheet.refuse("orientation", "is missing: give that of the sensor, whose x axis is the viewing direction.")
