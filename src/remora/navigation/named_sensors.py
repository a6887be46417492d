"""Sensors named for quantities: error budget of dead reckoning from their data sheets, and what they cannot provide."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from remora.equations.algebra.vectors import ZERO3
from remora.equations.types import Vector3
from remora.files.did_you_mean import suggestion
from remora.messages.estimate import ATTITUDE, DEPTH, POSITION, RATES, VELOCITY
from remora.messages.measured_quantities import MeasuredQuantity
from remora.messages.part_options import PartError, VehicleContext
from remora.messages.reading import Values
from remora.messages.site import Site
from remora.messages.stated_errors import InsAccuracy
from remora.navigation.dead_reckoning import LAUNCH_SIGMA, DeadReckoning, VelocityErrors
from remora.vehicles.vehicle import SensorEntry

# Parameters that are independent from reading to reading, and those that stay or change slowly.
_WHITE = ("std", "accuracy", "static_std", "dynamic_std")
_LASTING = ("bias", "bias_std", "bias_wander")
_LASTING_SCALE = ("scale_error", "scale_std")


class FixErrors(NamedTuple):
    """Standard deviation of a position fix: a constant part and one proportional to the measured range."""

    fixed: float = 0.0  # m
    per_metre: float = 0.0

    def sigma(self, values: Values) -> float:
        """Standard deviation of one reading; its first value is the range where one is measured."""
        return math.hypot(self.fixed, self.per_metre * values[0]) if self.per_metre else self.fixed


class DeadReckoningSetup(NamedTuple):
    """Dead reckoning from a known launch position."""

    law: DeadReckoning
    launch: Vector3  # m, in N
    launch_sigma: float  # m
    fix: FixErrors


class QuantitySensor(NamedTuple):
    """The sensor of a quantity, and how it measures it."""

    entry: SensorEntry
    measured: MeasuredQuantity


def carried_sensor(name: str, onboard: VehicleContext, *path: str | int) -> SensorEntry:
    """The sensor of a name, which the option at a path gives; PartError where the vehicle carries none."""
    if name not in onboard.sensors:
        hint = suggestion(name, onboard.sensors) if onboard.sensors else "Give it sensors."
        raise PartError(f"the vehicle carries no such sensor in this scenario. {hint}", *path)
    return onboard.sensors[name]


def dead_reckoning_setup(
    velocity: QuantitySensor,
    attitude: QuantitySensor,
    position: QuantitySensor | None,
    max_gap_ns: int,
    launch: Vector3,
    launch_sigma: float = LAUNCH_SIGMA,
) -> DeadReckoningSetup:
    """Dead reckoning with the error budget of these sensors."""
    late = 0.0
    if position is not None:
        entry = position.entry
        late = (entry.latency or 0.0) + 3.0 * _size(entry.parameters, ("latency_jitter",))
    law = DeadReckoning(velocity_errors(velocity, attitude), max_gap_ns, round(1e9 * late))
    fix = FixErrors() if position is None else fix_errors(position)
    return DeadReckoningSetup(law, launch, launch_sigma, fix)


def is_over_ground(velocity: QuantitySensor) -> bool:
    """Whether a velocity sensor measures over ground, not through the water."""
    return velocity.measured.over_ground(velocity.entry)


def velocity_errors(velocity: QuantitySensor, attitude: QuantitySensor) -> VelocityErrors:
    """Error budget from the parameters of a velocity and a heading sensor."""
    parameters, turned = velocity.entry.parameters, attitude.entry.parameters
    heading = _size(turned, (attitude.measured.prefix + name for name in _LASTING))
    shaking = _size(turned, (attitude.measured.prefix + name for name in _WHITE))
    if attitude.entry.kind == "ins":
        heading = _number(turned, "heading_accuracy", InsAccuracy().heading)
    if velocity.entry.kind == "ins":
        share = _number(parameters, "position_error_of_distance", InsAccuracy().position_of_distance)
        return VelocityErrors(scale=share, heading=0.0 if attitude.entry.kind == "ins" else heading)
    prefix = velocity.measured.prefix
    by_beam = _size(parameters, ("beam_std",)) / (math.sqrt(2.0) * math.sin(_number(parameters, "beam_angle", 0.5236)))
    return VelocityErrors(
        noise=math.hypot(_size(parameters, (*(prefix + name for name in _WHITE), "bottom_track_accuracy")), by_beam),
        noise_of_speed=math.hypot(_size(parameters, ("bottom_track_accuracy_of_speed",)), shaking),
        bias=_size(parameters, (prefix + name for name in _LASTING)),
        scale=_size(parameters, (prefix + name for name in _LASTING_SCALE)),
        heading=math.hypot(heading, _size(parameters, ("misalignment",))),
    )


def fix_errors(position: QuantitySensor) -> FixErrors:
    """Errors from the parameters of a position sensor; zero where they state none."""
    entry, names, prefix = position.entry, (*_WHITE, *_LASTING), position.measured.prefix
    fixed = _size(entry.parameters, (prefix + name for name in names))
    per_metre = _size(entry.parameters, (f"angle_{name}" for name in names)) if entry.kind == "usbl" else 0.0
    return FixErrors(fixed, per_metre)


def depth_sigma(depth: QuantitySensor, unit_per_metre: float) -> float:
    """One standard deviation of a depth, m; the parameters are in a unit with `unit_per_metre` of it per metre."""
    names = (depth.measured.prefix + name for name in (*_WHITE, *_LASTING))
    return _size(depth.entry.parameters, names) / unit_per_metre


def _size(parameters: Mapping[str, Any], names: Iterable[str]) -> float:
    """Several parameters together, each the largest of its numbers."""
    return math.hypot(*(_number(parameters, name, 0.0) for name in names))


def _number(parameters: Mapping[str, Any], name: str, default: float) -> float:
    given = parameters.get(name)
    if given is None:
        return default
    return max(abs(number) for number in given) if isinstance(given, (list, tuple)) else abs(given)


def unknown_quantities(sensors: Mapping[str, QuantitySensor], site: Site, is_reckoned: bool) -> dict[str, str]:
    """Quantities that these sensors cannot provide, each with the fix."""
    unknown: dict[str, str] = {}
    if ATTITUDE not in sensors:
        unknown[ATTITUDE] = "it names no attitude. Name a sensor of the kind ahrs, compass or ins"
    if RATES not in sensors:
        unknown[RATES] = "it names no rates. Name a sensor of the kind gyro or imu"
    if fault := _velocity_fault(sensors, unknown, site):
        unknown[VELOCITY] = fault
    reckoned = is_reckoned and VELOCITY not in unknown and ATTITUDE not in unknown
    if (fault := _position_fault(sensors, unknown)) and not reckoned:
        unknown[POSITION] = fault
    if fault := _depth_fault(sensors, unknown, reckoned):
        unknown[DEPTH] = fault
    return unknown


def _velocity_fault(sensors: Mapping[str, QuantitySensor], unknown: Mapping[str, str], site: Site) -> str | None:
    sensor = sensors.get(VELOCITY)
    if sensor is None:
        return "it names no velocity. Name a sensor of the kind dvl, ins, gps or current_meter"
    entry = sensor.entry
    if (entry.position or ZERO3) != ZERO3 and RATES in unknown:
        return f'"{entry.name}" is not at the origin of the body, so that its velocity needs rates. Name a gyro or imu'
    if sensor.measured.in_N and ATTITUDE in unknown:
        return (
            f'"{entry.name}" measures it in N, which needs an attitude. Name a sensor of the kind ahrs, compass or ins'
        )
    if sensor.measured.needs_bottom and is_over_ground(sensor) and not site.has_bottom:
        return f'"{entry.name}" tracks the bottom, and there is none. Give water: {{bottom_depth: 30 m}} or a bed'
    return None


def _position_fault(sensors: Mapping[str, QuantitySensor], unknown: Mapping[str, str]) -> str | None:
    sensor = sensors.get(POSITION)
    if sensor is None:
        return (
            "it names no position, and dead reckoning needs velocity over ground and attitude. Name a position (gps, "
            "ins, mocap_marker or usbl with a station), or a velocity (dvl on the bottom, ins) and an attitude"
        )
    entry = sensor.entry
    if (entry.position or ZERO3) != ZERO3 and ATTITUDE in unknown:
        return f'"{entry.name}" is not at the origin of the body, so that it needs an attitude. Name an ahrs or compass'
    return None


def _depth_fault(sensors: Mapping[str, QuantitySensor], unknown: Mapping[str, str], reckoned: bool) -> str | None:
    sensor = sensors.get(DEPTH)
    if sensor is None:
        position = sensors.get(POSITION)
        known = reckoned or (position is not None and position.measured.gives_depth and POSITION not in unknown)
        return None if known else "it names no depth. Name a sensor of the kind pressure"
    entry = sensor.entry
    if (entry.position or ZERO3) != ZERO3 and ATTITUDE in unknown:
        return f'"{entry.name}" is not at the origin of the body, so that it needs an attitude. Name an ahrs or compass'
    return None
