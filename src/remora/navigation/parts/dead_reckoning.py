"""Dead reckoning from the sensors of a vehicle: error budget from their data sheets."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from remora.equations.types import Vector3
from remora.messages.ins_accuracy import InsAccuracy
from remora.messages.measured_quantities import MeasuredQuantity
from remora.messages.reading import Values
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
