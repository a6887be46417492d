"""Options of fits and validations: how logs are read and replayed, and the degrees of freedom; checked, with fixes."""

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from os import PathLike

from remora.equations.types import Vector3
from remora.files.did_you_mean import suggestion
from remora.files.problems import Fix, InputError
from remora.files.quantities import Is
from remora.files.units import LENGTH
from remora.identification.data.checks import moves
from remora.identification.data.column_map import TableOptions, read_column_map
from remora.identification.data.log_files import LogReadOptions
from remora.identification.data.record import Record
from remora.identification.problems import RecordError
from remora.vehicles.axes import axes_named, in_body_axes
from remora.vehicles.names import DEGREES_OF_FREEDOM

INPUT_KINDS = ("outputs", "commands", "wrench")
MOTIONS = ("estimate", "truth")
CONVENTIONS = ("forward-right-down", "forward-left-up")


def make_read_options(
    *,
    columns: Mapping[str, str] | str | PathLike[str] | None = None,
    inputs: str = "outputs",
    motion: str | Mapping[str, tuple[str, str]] = "estimate",
    log_vehicle: str | None = None,
    axes_convention: str = "forward-right-down",
    lever_arm: Sequence[float | str] | None = None,
    gap: float | None = None,
    skip_nan: bool = False,
    keep_first: bool = False,
    salvage: bool = False,
) -> LogReadOptions:
    """Checked options for reading logs, as `remora.fit` describes them."""
    check_choice("inputs", inputs, INPUT_KINDS, "inputs are of another kind")
    check_choice("axes_convention", axes_convention, CONVENTIONS, "there are no such axes")
    if not isinstance(motion, Mapping):
        check_choice("motion", motion, MOTIONS, "there is no such motion")
    if gap is not None:
        check_number("gap", gap, above=0.0)
    mapped = read_column_map(columns) if isinstance(columns, str | PathLike) else dict(columns or {})
    table = TableOptions(mapped, inputs, axes_convention, gap, keep_first, salvage)  # type: ignore[arg-type]
    arm = None if lever_arm is None else in_body_axes(axes_named(axes_convention, "zyx"), _position(lever_arm))
    return LogReadOptions(table, motion, log_vehicle, salvage, skip_nan, arm)


def _position(lever_arm: Sequence[float | str]) -> Vector3:
    """The position of a sensor, m."""
    try:
        found: Vector3 = Is(LENGTH, (3,)).read(list(lever_arm)).value
    except (TypeError, ValueError):
        shown = ",".join(map(str, lever_arm)) if isinstance(lever_arm, Sequence) else repr(lever_arm)
        fix = Fix("{lever_arm}: give three lengths, such as 0.2 m, 0 and 15 cm", {"lever_arm": shown})
        raise InputError(fix).about("lever_arm", lever_arm, fix=fix) from None
    return found


def check_choice(field: str, value: object, choices: Sequence[str], fault: str) -> None:
    """Refuse a value that is none of the choices, with a suggestion."""
    if value not in choices:
        hint = suggestion(str(value), choices)
        fix = Fix(f"{{{field}}}: {fault}. {hint}", {field: str(value)})
        raise InputError(fix).about(field, value, choices, fix)


def check_number(field: str, value: object, *, above: float = -math.inf, least: float = -math.inf) -> None:
    """Refuse anything but a finite number above or at least a bound."""
    number = float(value) if not isinstance(value, bool) and isinstance(value, Real) else None
    if number is not None and above < number < math.inf and least <= number:
        return
    what = "zero or more" if least == 0.0 else "a positive number" if above == 0.0 else "a finite number"
    shown = repr(value) if number is None else f"{number:g}"
    fix = Fix(f"{{{field}}}: give {what}", {field: shown})
    raise InputError(fix).about(field, value, fix=fix)


def chosen_axes(records: Sequence[Record], given: Sequence[str] = ()) -> tuple[str, ...]:
    """Degrees of freedom, as given or all that were measured; roll and pitch only where they move."""
    for axis in given:
        check_choice("axes", axis, DEGREES_OF_FREEDOM, "there is no such degree of freedom")
    if missing := [axis for axis in given for record in records if axis not in record.measured]:
        known = ", ".join(records[0].measured) or "nothing"
        raise RecordError(f"has no speed of {missing[0]}. It has: {known}.", records[0].source)
    shared = [axis for axis in DEGREES_OF_FREEDOM if all(axis in record.measured for record in records)]
    if not given:  # roll and pitch that stay level are no mistake of an experiment; other axes that rest are
        shared = [
            axis for axis in shared if axis not in ("roll", "pitch") or any(moves(record, axis) for record in records)
        ]
    return tuple(axis for axis in DEGREES_OF_FREEDOM if axis in (given or shared))
