"""Plausible figures of data sheets, and the check of parameters in files against them.

A bare number is in SI, so that degrees without their unit become radians. A bare number beyond the range is refused;
with a unit it may be meant, as for a broken sensor, and is only noted. So are errors too small for any such sensor,
zero apart, and bare numbers that are doubtful.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias, final

from remora.files.quantities import Quantity, unit_fault
from remora.files.units import ACCELERATION, ANGLE, LENGTH, PRESSURE, RATIO, SPEED, TURN_RATE, Dimension, unit_named
from remora.vehicles.checks.plausible_ranges import Mistake, Range, doubt, is_inside
from remora.vehicles.sensor_kinds import ParameterFault

# Endings of parameters that are errors in the unit of what is measured; the bound holds for all but outliers.
_ERRORS = (
    "std", "static_std", "dynamic_std", "bias", "bias_std", "bias_wander", "accuracy",
    "resolution", "drift",
)  # fmt: skip
_NOISES = ("std", "static_std", "dynamic_std", "bias_std", "accuracy")  # which no sensor has below a least error
_OTHERS = ("outlier_std", "limit")
_DENSITIES = ("noise_density", "random_walk")  # per root hertz
_WALKS = ("bias_walk",)  # per root second
_SCALES = ("scale_error", "scale_std", "scale_difference", "scale_asymmetry")
_TURNS = ("misalignment", "nonorthogonality")
_LENGTHS = (
    Mistake(1e-2, "Did you mean {right:.4g} m ({value:.4g} cm)?"),
    Mistake(1e-3, "Did you mean {right:.4g} m ({value:.4g} mm)?"),
)
_SOUND = Range(
    1e3,
    2e7,
    "Hz",
    (
        Mistake(1e3, "Did you mean {value:.4g} kHz?"),
        Mistake(1e6, "Did you mean {value:.4g} MHz?"),
        Mistake(1e-3, "Check its prefix."),
    ),
)
_SPEED = Range(0.2, 30.0, "m/s", (Mistake(1e-2, "Did you mean {right:.4g} m/s ({value:.4g} cm/s)?"),))
FIGURES: dict[str, Range] = {
    "frequency": _SOUND,
    "max_speed": _SPEED,
    "max_range": Range(0.05, 15_000.0, "m", _LENGTHS[::-1]),
    "min_range": Range(0.0, 200.0, "m", _LENGTHS),
    "altitude_range": Range(0.0, 1000.0, "m", _LENGTHS),
}


@final
class ErrorRange(NamedTuple):
    """Dimension of a group of channels, and the maximum error that any such sensor has."""

    dimension: Dimension
    max_error: float  # SI; infinite: only the unit is checked
    density_share: float = 1.0  # largest noise density per root hertz and walk per root second, over the maximum error
    least_error: float = 0.0  # SI, that no such sensor falls below unless it has none at all
    doubtful: float = math.inf  # SI; a larger bare number was probably meant in a smaller unit


@final
class Unchecked(NamedTuple):
    """The errors of a group of channels have no plausible range."""

    reason: str


_LARGER = {"Pa": ("bar",)}  # units that messages propose beside the units of the dimension
_PER_METRE = 1e4  # Pa, of water

ErrorRanges: TypeAlias = Mapping[str, ErrorRange | Unchecked]  # by prefix of the error parameters

ATTITUDE_ERROR = ErrorRange(ANGLE, math.radians(20.0), least_error=1e-6, doubtful=0.06)
VELOCITY_ERROR = ErrorRange(SPEED, 0.5, least_error=1e-6, doubtful=0.2)
ECHO_ERROR = ErrorRange(LENGTH, 5.0, least_error=1e-6, doubtful=1.0)
FIX_ERROR = ErrorRange(LENGTH, 50.0, least_error=1e-5, doubtful=8.0)  # of acoustic and satellite positions
TURN_RATE_ERROR = ErrorRange(TURN_RATE, math.radians(10.0), 0.02, least_error=1e-10, doubtful=0.05)
ACCELERATION_ERROR = ErrorRange(ACCELERATION, 1.0, 0.02, least_error=1e-9)
PRESSURE_ERROR = ErrorRange(PRESSURE, 2e4, least_error=0.5)
SCALE_ERROR = ErrorRange(RATIO, 0.2)
AXIS_ERROR = ErrorRange(ANGLE, math.radians(20.0), doubtful=0.15)


def parameter_fault(ranges: ErrorRanges, name: str, parameter: Quantity[Any]) -> ParameterFault | None:
    """Fault in the unit or the size of a parameter of a kind of sensor; None where there is none or nothing is known.

    The name has the prefix of the parameter; the value is as the file gives it, in SI.
    """
    found = _range(ranges, name)
    values = list(_flat(parameter.value))
    if not isinstance(found, ErrorRange) or not all(isinstance(value, float) for value in values):
        return None
    is_bare = parameter.unit == "SI"
    if not is_bare and (fault := unit_fault(parameter.unit, found.dimension)):
        return ParameterFault(fault, may_be_meant=False)
    error = max(map(abs, values), default=0.0)
    if name.endswith(_OTHERS):
        return None
    if error > found.max_error:
        return ParameterFault(_too_large(error, found, is_bare), may_be_meant=not is_bare)
    if is_bare and error > found.doubtful:
        return ParameterFault(_doubtful(error, found), may_be_meant=True)
    if 0.0 < error < found.least_error and name.endswith(_NOISES):
        return ParameterFault(_too_small(error, found), may_be_meant=True)
    return None


def _range(ranges: ErrorRanges, name: str) -> ErrorRange | Unchecked | None:
    """The range of a parameter; the longest prefix counts."""
    endings = (*_ERRORS, *_OTHERS, *_DENSITIES, *_WALKS, *_SCALES, *_TURNS)
    fitting = [prefix for prefix in ranges if name.startswith(prefix) and name.removeprefix(prefix) in endings]
    if not fitting:
        return None
    prefix = max(fitting, key=len)
    ending, found = name.removeprefix(prefix), ranges[prefix]
    if ending in _SCALES or ending in _TURNS:
        return SCALE_ERROR if ending in _SCALES else AXIS_ERROR
    if isinstance(found, Unchecked) or ending not in (*_DENSITIES, *_WALKS):
        return found
    return _density(found, is_walk=ending in _WALKS)


def _density(found: ErrorRange, is_walk: bool) -> ErrorRange:
    """Range of a noise density per root hertz, or of a walk per root second."""
    words, names, counts = found.dimension
    units = tuple(f"rtHz {name}" if is_walk else f"{name}/rtHz" for name in names)
    per = "per root second" if is_walk else "per root hertz"
    return ErrorRange(Dimension(f"{words} {per}", units, counts), found.density_share * found.max_error)


def _too_large(error: float, found: ErrorRange, is_bare: bool) -> str:
    si = found.dimension.units[0]
    if found == SCALE_ERROR and is_bare:
        return f"a bare number is a ratio, and no sensor is off by more than 20 %. Write {error:g} % if that is meant."
    bound = f"no such sensor is off by more than {_shown(found.max_error, found.dimension)}"
    if not is_bare:
        return f"{bound}, but this is {_shown(error, found.dimension)}. Check its number and unit."
    smaller = [unit for unit in found.dimension.units[1:] if (known := unit_named(unit)) and known.factor < 1.0]
    fitting = next((unit for unit in smaller if error * _factor(unit) <= found.max_error), None)
    meant = f"{error:g} {fitting}, or {error:g} {si} if that is" if fitting else f"{error:g} {si} if that is"
    return f"a bare number is in {si}, and {bound}. Write {meant} meant."


def _doubtful(error: float, found: ErrorRange) -> str:
    """A bare number that only a bad sensor has, and the unit that was probably meant."""
    si, smaller = found.dimension.units[:2]
    return (
        f"a bare number is in {si}, and {_shown(error, found.dimension)} is the error of a very bad sensor. "
        f"Did you mean {error:g} {smaller}? Write {error:g} {si} if that is meant."
    )


def _too_small(error: float, found: ErrorRange) -> str:
    """An error smaller than any sensor has, and the larger units that were probably meant."""
    si, dimension = found.dimension.units[0], found.dimension
    larger = [unit for unit in (*dimension.units[1:], *_LARGER.get(si, ())) if _factor(unit) > 1.0]
    fitting = [u for u in larger if found.least_error <= error * _factor(u) <= found.max_error]
    meant = [f"{error:g} {unit}, which is {error * _factor(unit):.4g} {si}" for unit in fitting]
    if dimension == PRESSURE and error <= 1.0:
        meant.insert(0, f"{error:g} m of water, which is {error * _PER_METRE:.4g} Pa")
    question = f"Did you mean {', or '.join(meant[:2])}?" if meant else "Check its number and unit."
    return f"this is {error:.3g} {si}, and no such sensor is better than {found.least_error:g} {si}. {question}"


def _shown(value: float, dimension: Dimension) -> str:
    """A value in degrees where it is an angle, else in SI."""
    if dimension in (ANGLE, TURN_RATE):
        return f"{math.degrees(value):.3g} {'deg' if dimension == ANGLE else 'deg/s'}"
    return f"{value:.3g} {dimension.units[0]}"


def _factor(unit: str) -> float:
    known = unit_named(unit)
    return 1.0 if known is None else known.factor


def _flat(value: Any) -> Iterable[Any]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _flat(item)
    else:
        yield value


def figure_fault(name: str, parameter: Quantity[Any]) -> ParameterFault | None:
    """Doubt about a figure of a data sheet, in SI; None where there is none or nothing is known."""
    known = FIGURES.get(name)
    values = parameter.value if isinstance(parameter.value, tuple | list) else (parameter.value,)
    for value in values if known else ():
        if isinstance(value, float) and known is not None and not is_inside(known, value):
            return ParameterFault(doubt(known, "this figure", value, "that of any such instrument"), may_be_meant=True)
    return None
