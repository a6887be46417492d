"""Sensors of model-aided navigation: their mounting, and standard deviations from their data sheets."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from remora.equations.algebra.quaternions import conjugate, from_euler_zyx, product, rotation_matrix, to_euler_zyx
from remora.equations.algebra.vectors import ZERO3, matvec3
from remora.equations.instruments import uniform_water_pressure
from remora.equations.types import Vector3
from remora.messages.measured_quantities import Conversion, DepthFromPressure, SelectedValues
from remora.messages.part_options import PartError, VehicleContext
from remora.messages.reading import Reading
from remora.messages.stated_errors import InsAccuracy
from remora.navigation.model_aided import INERTIAL_ERRORS, AidingErrors, InertialErrors, LeverArms, ModelAidedSettings
from remora.navigation.named_sensors import (
    QuantitySensor,
    carried_sensor,
    depth_sigma,
    fix_errors,
    is_over_ground,
    velocity_errors,
)
from remora.vehicles.vehicle import SensorEntry

# Uses in the order in which readings of one stamp are taken in: the inputs of the filter before what they need last.
USES = ("attitude", "specific_force", "shaft", "rates", "velocity", "depth", "position")
QUANTITIES = ("attitude", "rates", "velocity", "depth", "position")
CRUISE = 1.6  # m/s, at which errors in shares of the speed are taken
SLOW_INTERVAL = 1.0  # s, between used readings of heading and depth
SMALLEST_DEPTH_STD, DEPTH_SHARE = 0.01, 5.0  # m; depth at which errors in shares of it are taken, m
_FORCE_VALUES = {"accelerometer": SelectedValues(0, 1, 2), "imu": SelectedValues(0, 1, 2)}


@final
@dataclass(frozen=True)
class MountedSensors:
    """Sensors by use: scoped names, conversions and mounting."""

    names: Mapping[str, str]  # use -> scoped name
    conversions: Mapping[str, Conversion]
    entries: Mapping[str, SensorEntry]

    def use(self, sensor: str) -> str | None:
        """The use of a sensor; None for others."""
        return next((use for use, name in self.names.items() if name == sensor), None)

    def order(self, sensor: str) -> int:
        """Place of a sensor among the readings of one stamp."""
        use = self.use(sensor)
        return USES.index(use) if use else len(USES)

    def arm(self, use: str) -> Vector3:
        """Position of a sensor in body axes, m."""
        return self.entries[use].position or ZERO3

    def value(self, use: str, reading: Reading) -> Vector3:
        """Values of a reading in body axes; attitude as angles of the body."""
        found, q_BS = self.conversions[use](reading.values), self.entries[use].q_BS or (1.0, 0.0, 0.0, 0.0)
        if use == "attitude":
            return to_euler_zyx(product(from_euler_zyx(*found), conjugate(q_BS)))
        if use in ("rates", "specific_force", "velocity"):
            return matvec3(rotation_matrix(q_BS), found)
        return found


def mounted_sensors(options: Any, onboard: VehicleContext) -> tuple[MountedSensors, ModelAidedSettings]:
    """The sensors that options name for each use, and the settings that follow from their data sheets."""
    entries = {use: carried_sensor(name, onboard, use) for use in USES if (name := getattr(options, use)) is not None}
    conversions: dict[str, Conversion] = {}
    measured: dict[str, QuantitySensor] = {}
    for use in QUANTITIES:
        if use in entries:
            measured[use] = _measured(use, entries[use], onboard)
            conversions[use] = measured[use].measured.conversion(entries[use], onboard.site)
    conversions["specific_force"] = _force(entries["specific_force"])
    conversions["shaft"] = _shaft(entries["shaft"])
    if not is_over_ground(measured["velocity"]) or measured["velocity"].measured.in_N:
        raise PartError("must name a DVL with bottom track, which measures in its own axes.", "velocity")
    names = {use: f"{onboard.name}/{entry.name}" for use, entry in entries.items()}
    return MountedSensors(names, conversions, entries), _settings(entries, measured, conversions, onboard)


def _measured(use: str, entry: SensorEntry, onboard: VehicleContext) -> QuantitySensor:
    found = onboard.measured.get(entry.kind_key, {}).get(use)
    if found is None:
        raise PartError(f'"{entry.name}": a sensor of the kind {entry.kind} does not measure the {use}.', use)
    return QuantitySensor(entry, found)


def _force(entry: SensorEntry) -> Conversion:
    if entry.kind not in _FORCE_VALUES:
        raise PartError(f'"{entry.name}" is of the kind {entry.kind}. Name an accelerometer or imu.', "specific_force")
    return _FORCE_VALUES[entry.kind]


def _shaft(entry: SensorEntry) -> Conversion:
    if entry.kind != "shaft_speed":
        raise PartError(f'"{entry.name}" is of the kind {entry.kind}. Name a shaft_speed.', "shaft")
    return SelectedValues(0, -1, -1)


def _settings(
    entries: Mapping[str, SensorEntry],
    measured: Mapping[str, QuantitySensor],
    conversions: Mapping[str, Conversion],
    onboard: VehicleContext,
) -> ModelAidedSettings:
    """Settings from data sheets; what they do not state is taken from a tactical unit."""
    velocity = velocity_errors(measured["velocity"], measured["attitude"])
    dvl = math.hypot(velocity.noise, velocity.noise_of_speed * CRUISE, velocity.bias, velocity.scale * CRUISE)
    heading = max(velocity.heading, 1e-5)
    # Errors of heading and depth are slow: averaging readings within their correlation time must not reduce them.
    slow = math.sqrt(2.0 * InsAccuracy().correlation_time / SLOW_INTERVAL)
    aiding = AidingErrors(
        dvl=(max(dvl, 1e-3),) * 3,
        depth=slow * _depth_std(measured.get("depth"), conversions.get("depth"), onboard),
        compass=heading * slow,
    )
    if "position" in measured:
        fixed = max(fix_errors(measured["position"]).fixed, 0.1)
        aiding = aiding._replace(position=(fixed, fixed, 2.5 * fixed))
    places = {use: entry.position or ZERO3 for use, entry in entries.items()}
    arms = LeverArms(places["velocity"], places.get("depth", ZERO3), ZERO3, places.get("position", ZERO3))
    return ModelAidedSettings(_inertial(entries, heading), aiding=aiding, lever_arms=arms, gravity=onboard.site.gravity)


def _depth_std(sensor: QuantitySensor | None, convert: Conversion | None, onboard: VehicleContext) -> float:
    if sensor is None:
        return SMALLEST_DEPTH_STD
    is_pressure = isinstance(convert, DepthFromPressure)
    per_metre = uniform_water_pressure(1.0, onboard.site.density, onboard.site.gravity) if is_pressure else 1.0
    share = float(sensor.entry.parameters.get("accuracy_of_depth", 0.0))
    return max(math.hypot(depth_sigma(sensor, per_metre), share * DEPTH_SHARE), SMALLEST_DEPTH_STD)


def _inertial(entries: Mapping[str, SensorEntry], heading: float) -> InertialErrors:
    usual = INERTIAL_ERRORS["tactical"]

    def of(use: str, name: str, default: float) -> float:
        entry = entries[use]
        prefix = {"specific_force": "accelerometer_", "rates": "gyro_"}[use] if entry.kind == "imu" else ""
        given = entry.parameters.get(prefix + name)
        return default if given is None else float(max(given) if isinstance(given, (list, tuple)) else given)

    return InertialErrors(
        max(of("specific_force", "bias_std", usual.accelerometer_bias), 1e-5),
        max(of("rates", "bias_std", usual.gyro_bias), 1e-8),
        max(of("specific_force", "random_walk", usual.velocity_random_walk), 1e-5),
        max(of("rates", "random_walk", usual.angle_random_walk), 1e-7),
        max(heading, 1e-4),
        heading,
        heading,
    )
