"""Quantities of input files: numbers with unit, source and uncertainty, converted to SI and checked."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, final

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from remora.files.did_you_mean import suggestion
from remora.files.problems import listed
from remora.files.units import ANGLE, DENSITY, Dimension, unit_named

T = TypeVar("T")

# A rule returns what is wrong with a value of the right unit and shape, or None.
Rule: TypeAlias = Callable[[Any], str | None]

_TEXT = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*?)\s*")
_NUMBER = re.compile(r"\s*[-+]?\.?\d")
LARGEST = 1e12  # in SI; larger numbers are mistakes and overflow later
_KEYS = ("value", "unit", "source", "sigma")
# Numbers in messages where 1.5 of the unit would be no such thing.
_EXAMPLES = {DENSITY: "1025"}


@final
@dataclass(frozen=True)
class Quantity(Generic[T]):
    """A number, vector or matrix in SI."""

    value: T
    unit: str  # as written in the file
    source: str | None  # source text; None: the source of its section
    sigma: Any  # standard deviation in SI, of the same shape or one for all; None: unknown


def value_or(quantity: Quantity[float] | None, otherwise: float = 0.0) -> float:
    """The value of a quantity that a file may leave out."""
    return quantity.value if quantity else otherwise


def refused(kind: str, message: str, *path: str | int) -> PydanticCustomError:
    """Error for a value; the kind "physics" marks readable but impossible values."""
    return PydanticCustomError(kind, "{message}", {"message": message, "path": list(path)})


class _Reading(NamedTuple):
    """Settings for reading the numbers of a quantity."""

    dimension: Dimension | None  # None: any known unit
    unit: str | None  # unit given for the whole quantity
    plain_only: bool


@final
@dataclass(frozen=True)
class Is:
    """Dimension, shape and validity rule of a field.

    Put it beside the type of a field: `Annotated[Quantity[float], Is(MASS, rule=positive)]`.
    """

    dimension: Dimension | None  # None: any known unit
    shape: tuple[int, ...] | None = ()  # None: any
    rule: Rule | None = None
    plain_only: bool = False  # True: the elements differ in unit, so they are plain SI numbers

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    @property
    def words(self) -> str:
        """Description of valid input: a list of 3 numbers, a length in m, cm, mm."""
        shape = f"{_shape_words(self.shape)}, " if self.shape else ""
        if self.dimension is None:
            return f"{shape}plain SI numbers" if self.plain_only else f"{shape}numbers"
        return f"{shape}{self.dimension.words} in {', '.join(self.dimension.units)}"

    def read(self, raw: Any) -> Quantity[Any]:
        """The quantity in a raw value: a number, a text like "13.5 kg", nested lists, or a mapping with these."""
        given = raw if isinstance(raw, dict) else {"value": raw}
        for key in given:
            if key not in _KEYS:
                raise refused("key", f'unknown key "{key}" in a quantity. {suggestion(key, _KEYS)}', key)
        if "value" not in given:
            raise refused("key", "a quantity written as a mapping needs a value, e.g. {value: 13.5, unit: kg}.")
        unit, source = given.get("unit"), given.get("source")
        for key, text in (("unit", unit), ("source", source)):
            if text is not None and not isinstance(text, str):
                raise refused("type", f"the {key} must be a text.", key)
        reading = _Reading(self.dimension, unit, self.plain_only)
        value = _numbers(given["value"], self.shape, reading)
        fault = self.rule(value) if self.rule else None
        if fault:
            raise refused("physics", fault)
        return Quantity(value, _unit_as_written(given["value"], reading), source, self._sigma(given, value, reading))

    def _sigma(self, given: dict[str, Any], value: Any, reading: _Reading) -> Any:
        """Standard deviation: in the unit of the value, in another unit, or relative in %."""
        raw = given.get("sigma")
        if raw is None:
            return None
        share = re.fullmatch(r"\s*([\d.]+)\s*%\s*", raw) if isinstance(raw, str) else None
        if share and isinstance(value, float):
            return abs(value) * float(share[1]) / 100.0
        sigma = _numbers(raw, self.shape if isinstance(raw, list) else (), reading)
        if any(number < 0.0 for number in _flat(sigma)):
            raise refused("physics", "a standard deviation cannot be negative.", "sigma")
        return sigma


@final
@dataclass(frozen=True, eq=False)
class Entries:
    """A mapping with known keys, each with its dimension."""

    table: Mapping[str, Is]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        fields = {
            key: core_schema.typed_dict_field(core_schema.no_info_plain_validator_function(entry.read), required=False)
            for key, entry in self.table.items()
        }
        return core_schema.typed_dict_schema(fields, extra_behavior="forbid")


@final
class NumbersOrWords:
    """Parameter of a sensor: numbers with any unit, or words such as `uniform`, `true` and point names."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def read(self, raw: Any) -> Quantity[Any]:
        """Words unchanged, numbers in SI."""
        given = raw if isinstance(raw, dict) else {"value": raw}
        value = given.get("value")
        if (
            not set(given) <= {"value", "source"}
            or not isinstance(given.get("source", ""), str)
            or not _is_wordy(value)
        ):
            return Is(None, None).read(raw)
        return Quantity(tuple(value) if isinstance(value, list) else value, "SI", given.get("source"), None)


def _is_wordy(value: Any) -> bool:
    """Whether a value is true, false, a word or a list of words."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, str) and _is_wordy(item) for item in value)
    return isinstance(value, bool) or (isinstance(value, str) and not _NUMBER.match(value))


def number_or_word(raw: Any) -> Any:
    """A value of any kind as plain data: texts that start with a number are quantities in SI, other texts words.

    Lists are read item by item, mappings with a value are quantities, other mappings are read key by key.
    """
    if isinstance(raw, list):
        return [number_or_word(item) for item in raw]
    if isinstance(raw, dict) and "value" not in raw:
        return {key: number_or_word(item) for key, item in raw.items()}
    is_word = isinstance(raw, str) and not _NUMBER.match(raw)
    return raw if raw is None or isinstance(raw, bool) or is_word else Is(None, None).read(raw).value


def _numbers(raw: Any, shape: tuple[int, ...] | None, reading: _Reading) -> Any:
    """Nested tuples of floats in SI, of the required shape."""
    if shape is None:
        return _items(raw, None, reading) if isinstance(raw, list) else _number(raw, reading)
    if not shape:
        if isinstance(raw, list):
            raise refused("shape", f"expected one number, found a list of {len(raw)}.")
        return _number(raw, reading)
    deeper = len(shape) > 1
    if not isinstance(raw, list) or len(raw) != shape[0] or any(isinstance(item, list) != deeper for item in raw):
        raise refused("shape", f"expected {_shape_words(shape)}, found {_found_shape(raw)}.")
    return _items(raw, shape[1:], reading)


def _items(raw: list[Any], shape: tuple[int, ...] | None, reading: _Reading) -> tuple[Any, ...]:
    """Items of a list; all faults at once, with their indices where there are several."""
    values, faults = [], []
    for index, item in enumerate(raw):
        try:
            values.append(_numbers(item, shape, reading))
        except PydanticCustomError as error:
            faults.append((index, error))
    if len(faults) == 1:
        raise faults[0][1]
    if faults:
        messages = [(index, str((error.context or {})["message"])) for index, error in faults]
        raise refused("type", " ".join(f"[{index}]: {message}" for index, message in messages))
    return tuple(values)


def _number(raw: Any, reading: _Reading) -> float:
    """One float in SI."""
    text = None
    if isinstance(raw, str):
        match = _TEXT.fullmatch(raw)
        if match is None:
            raise refused("type", f'expected a number{_example(reading)}, found the text "{raw}".')
        raw, text = float(match[1]), match[2] or None
    if isinstance(raw, bool) or not isinstance(raw, (int, float)):
        raise refused("type", f"expected a number{_example(reading)}, found {_found_shape(raw)}.")
    unit = text or reading.unit
    value = float(raw) * (_factor(unit, reading) if unit else 1.0)
    if unit is None and reading.dimension == ANGLE and (fault := bare_angle_fault(value)):
        raise refused("unit", fault)
    if not math.isfinite(value):
        raise refused("type", "expected a finite number.")
    if abs(value) > LARGEST:
        raise refused("type", f"{value:g} in SI is beyond anything of a vehicle. Check its digits, exponent and unit.")
    return value


def bare_angle_fault(value: float) -> str | None:
    """Fault of an angle without unit: beyond a full turn, degrees are meant; None if there is none."""
    if not 2.0 * math.pi < abs(value) < math.inf:
        return None
    turn = "a bare number is in radians, and this is more than a full turn"
    return f"{turn}. Write {value:g} deg, or {value:g} rad if that is meant."


def _factor(unit: str, reading: _Reading) -> float:
    """Factor from a unit to SI; raises an error that lists the accepted units."""
    if reading.plain_only:
        raise refused("unit", f'found the unit "{unit}"; the elements have different units, so give plain SI numbers.')
    fault = unit_fault(unit, reading.dimension)
    known = unit_named(unit)
    if fault or known is None:
        raise refused("unit", fault or "")
    return known.factor


def unit_fault(unit: str, dimension: Dimension | None) -> str | None:
    """Fault of a unit for a dimension, with the accepted units; None if there is none."""
    known = unit_named(unit)
    if dimension is None:
        return f'the unit "{unit}" is not known.' if known is None else None
    if known is not None and dimension.accepts(known):
        return None
    problem = "is not known" if known is None else f"does not measure {dimension.words}"
    return f'the unit "{unit}" {problem}. Give {dimension.words} in one of: {", ".join(dimension.units)}.'


def _unit_as_written(raw: Any, reading: _Reading) -> str:
    """The unit in the file; the SI unit for a bare number."""
    first = raw
    while isinstance(first, list) and first:
        first = first[0]
    match = _TEXT.fullmatch(first) if isinstance(first, str) else None
    if match and match[2]:
        return match[2]
    return reading.unit or (reading.dimension.units[0] if reading.dimension else "SI")


def _example(reading: _Reading) -> str:
    if reading.dimension is None or reading.plain_only:
        return ""
    return f' such as "{_EXAMPLES.get(reading.dimension, "1.5")} {reading.dimension.units[0]}"'


def _shape_words(shape: tuple[int, ...]) -> str:
    if len(shape) == 1:
        return f"a list of {shape[0]} numbers"
    return " x ".join(str(size) for size in shape) + " numbers in nested lists"


def _found_shape(raw: Any) -> str:
    if isinstance(raw, list):
        inner = {len(item) if isinstance(item, list) else 0 for item in raw}
        size = f" x {inner.pop()}" if len(inner) == 1 and inner != {0} else ""
        return f"{len(raw)}{size} numbers" if size else f"a list of {len(raw)}"
    names = {dict: "a mapping", str: "a text", bool: "true or false", type(None): "nothing"}
    return names.get(type(raw), "one number")


def _flat(value: Any) -> list[float]:
    return [number for item in value for number in _flat(item)] if isinstance(value, tuple) else [value]


def positive(value: float) -> str | None:
    """Rule: above zero."""
    return None if value > 0.0 else f"must be above zero, found {value:g}."


def not_negative(value: Any) -> str | None:
    """Rule: zero or more, each of them."""
    return None if all(number >= 0.0 for number in _flat(value)) else "must not be negative."


def has_direction(value: tuple[float, float, float]) -> str | None:
    """Rule: a vector of nonzero length."""
    if math.hypot(*value) > 1e-9:
        return None
    return "direction has zero length. Give a unit vector, e.g. [0, 0, 1]."


def symmetric(value: tuple[tuple[float, ...], ...]) -> str | None:
    """Rule: a symmetric matrix, to 1e-9 of its largest element (invariant S1)."""
    scale = max(abs(number) for number in _flat(value))
    pairs = [(i, j) for i in range(len(value)) for j in range(i) if abs(value[i][j] - value[j][i]) > 1e-9 * scale]
    if not pairs:
        return None
    words = [f"[{i}][{j}] = {value[i][j]:g} but [{j}][{i}] = {value[j][i]:g}" for i, j in pairs[:3]]
    return f"must be symmetric: {listed(words)}. Give both partners the same value."
