"""Errors of sensors as files give them: their units, and how large they are for any such sensor.

A bare number is in SI, so that degrees without their unit become radians. What is beyond the bound below is refused
where it is bare; with a unit it may be meant, as for a broken sensor, and is only noted.
"""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from remora.files.quantities import Quantity, unit_fault
from remora.files.units import (
    ACCELERATION,
    ANGLE,
    LENGTH,
    MAGNETIC_FIELD,
    PRESSURE,
    SPEED,
    TURN_RATE,
    Dimension,
    unit_named,
)

# Endings of parameters that are errors in the unit of what is measured; the bound holds for all but outliers.
_ERRORS = (
    "std", "static_std", "dynamic_std", "bias", "bias_std", "bias_wander", "accuracy",
    "resolution",
)  # fmt: skip
_OTHERS = ("outlier_std", "limit")


class MeasuredQuantity(NamedTuple):
    """What a group of channels measures, and the largest error that any such sensor has."""

    dimension: Dimension
    largest: float


_ATTITUDE = MeasuredQuantity(ANGLE, math.radians(20.0))
_VELOCITY = MeasuredQuantity(SPEED, 0.5)
_ECHO = MeasuredQuantity(LENGTH, 5.0)
_FIX = MeasuredQuantity(LENGTH, 50.0)
_TURNING = MeasuredQuantity(TURN_RATE, math.radians(10.0))
_FORCE = MeasuredQuantity(ACCELERATION, 1.0)
# By kind and by prefix of the parameters.
GROUPS: dict[str, dict[str, MeasuredQuantity]] = {
    "accelerometer": {"": _FORCE},
    "adcp": {"": _VELOCITY},
    "ahrs": {"roll_": _ATTITUDE, "pitch_": _ATTITUDE, "heading_": _ATTITUDE},
    "altimeter": {"": _ECHO},
    "camera": {"": _ATTITUDE},
    "compass": {"tilt_": _ATTITUDE, "heading_": _ATTITUDE},
    "current_meter": {"": _VELOCITY},
    "dvl": {"": _VELOCITY, "altitude_": _ECHO, "beam_": _VELOCITY, "range_": _ECHO, "bottom_track_": _VELOCITY},
    "echosounder": {"": _ECHO},
    "gps": {"position_": _FIX, "velocity_": _VELOCITY},
    "gyro": {"": _TURNING},
    "imu": {"accelerometer_": _FORCE, "gyro_": _TURNING},
    "inclinometer": {"": _ATTITUDE},
    "ins": {"roll_": _ATTITUDE, "pitch_": _ATTITUDE, "heading_": _ATTITUDE},
    "lbl": {"": _FIX},
    "magnetometer": {"": MeasuredQuantity(MAGNETIC_FIELD, 2e-5)},
    "mocap_marker": {"": MeasuredQuantity(LENGTH, 1.0)},
    "multibeam": {"": _ECHO},
    "pressure": {"": MeasuredQuantity(PRESSURE, 2e4)},
    "sbl": {"": _FIX},
    "usbl": {"range_": _FIX, "angle_": _ATTITUDE},
}


class ParameterFault(NamedTuple):
    """What is wrong with a parameter; one that may be meant need not be refused."""

    message: str
    may_be_meant: bool


def parameter_fault(kind: str, name: str, parameter: Quantity[Any]) -> ParameterFault | None:
    """What is wrong with the unit or the size of a parameter; None where nothing is, or nothing is known of it."""
    found = _measured(kind, name)
    values = list(_flat(parameter.value))
    if found is None or not all(isinstance(value, float) for value in values):
        return None
    is_bare = parameter.unit == "SI"
    if not is_bare and (fault := unit_fault(parameter.unit, found.dimension)):
        return ParameterFault(fault, may_be_meant=False)
    largest = max(map(abs, values), default=0.0)
    if name.endswith(_OTHERS) or largest <= found.largest:
        return None
    return ParameterFault(_too_large(largest, found, is_bare), may_be_meant=not is_bare)


def _measured(kind: str, name: str) -> MeasuredQuantity | None:
    """What a parameter is an error of; the longest prefix counts."""
    groups = GROUPS.get(kind, {})
    fitting = [prefix for prefix in groups if name.removeprefix(prefix) in (*_ERRORS, *_OTHERS)]
    return groups[max(fitting, key=len)] if fitting else None


def _too_large(largest: float, found: MeasuredQuantity, is_bare: bool) -> str:
    si = found.dimension.units[0]
    bound = f"no such sensor is off by more than {_shown(found.largest, found.dimension)}"
    if not is_bare:
        return f"{bound}, but this is {_shown(largest, found.dimension)}. Check its number and unit."
    smaller = [unit for unit in found.dimension.units[1:] if (known := unit_named(unit)) and known.factor < 1.0]
    fitting = next((unit for unit in smaller if largest * _factor(unit) <= found.largest), None)
    meant = f"{largest:g} {fitting}, or {largest:g} {si} if that is" if fitting else f"{largest:g} {si} if that is"
    return f"a bare number is in {si}, and {bound}. Write {meant} meant."


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
