"""Log of a run: its channels, its header, and readings, estimates and flags as rows."""

import dataclasses
import json
import math
import re
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from remora.equations.actuators.thrusters import OUTPUT_IS_FORCE
from remora.logs.schema import Channel, Field, RunHeader
from remora.messages.estimate import Estimate
from remora.messages.part import Role
from remora.messages.reading import Reading
from remora.sensors.sensor import Sensor
from remora.simulation.setup import Setup, VehicleSetup
from remora.vehicles.checks.thruster_flags import REGIMES, ThrusterFlag
from remora.vehicles.parameters import VehicleParameters
from remora.world.ground.beds import FlatBed, ProfileBed
from remora.world.ground.tunnels import Tunnel
from remora.world.scene import Scene

_AXES = ("x", "y", "z")
_POSE = (
    *(Field(f"p_NB_{axis}", "m", "N") for axis in _AXES),
    *(Field(f"q_NB_{i}", "1") for i in range(4)),
    *(Field(f"v_NB_B_{axis}", "m/s", "B") for axis in _AXES),
    *(Field(f"w_NB_B_{axis}", "rad/s", "B") for axis in _AXES),
)
_SIGMA = tuple(Field(f"sigma_p_N_{axis}", "m", "N", description="one standard deviation of p_NB") for axis in _AXES)
_VALID = Field("valid", "1", kind="bool", description="whether every number is known")
_WRENCH = (*(Field(axis, "N", "B") for axis in "XYZ"), *(Field(axis, "N m", "B") for axis in "KMN"))
_WATER = tuple(Field(f"v_NW_{axis}", "m/s", "N") for axis in _AXES)
_TETHER = (
    *(Field(f"pull_{axis}", "N", "N", description="on the vehicle") for axis in _AXES),
    *(Field(f"far_pull_{axis}", "N", "N", description="on the other end") for axis in _AXES),
    Field("length", "m", description="paid out, without load"),
)
_POWER = (Field("power", "W"), Field("voltage", "V"), Field("charge", "1"))
_READING = (
    Field("status", "1", kind="int", description="0 ok, 1 partial, 2 no lock, 3 out of range, 4 dropped, 5 off"),
    Field("latency", "s", description="from measurement to arrival"),
)


_REGIME_NUMBERS = {words: int(number) for number, words in REGIMES.items()}


def field_name(words: str) -> str:
    """Log field name from the name of a part or actuator."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", words).strip("_")
    return name if name[:1].isalpha() else f"a{name}"


def channel_name(*words: str) -> str:
    """Channel name from scoped names."""
    parts = [part for word in words for part in word.split("/")]
    names = (re.sub(r"[^A-Za-z0-9_-]+", "_", part) for part in parts)
    return "/".join(name if name[:1].isalpha() else f"a{name}" for name in names)


def _unknown_allowed(fields: Sequence[Field]) -> tuple[Field, ...]:
    return tuple(field._replace(optional=True) for field in fields)


def _actuator_fields(parameters: VehicleParameters, names: Sequence[str], unit: str) -> tuple[Field, ...]:
    fins = set(parameters.fin_names)
    return tuple(Field(field_name(name), "rad" if name in fins else unit) for name in names)


def sensor_channel(sensor: Sensor) -> Channel:
    """Log channel of a sensor."""
    label = sensor.description
    values = tuple(Field(field_name(c.name), c.unit, c.frame, optional=True) for c in label.channels)
    return Channel(channel_name(label.name), (*values, *_READING), label.kind)


def has_varying_water(setup: Setup) -> bool:
    """Whether the current varies in space or time and is therefore logged."""
    return setup.environment.world.steady_current is None


def has_inputs(vehicle: VehicleSetup) -> bool:
    """Whether a drive changes commands before they reach the actuators."""
    return vehicle.drive is not None and not vehicle.drive.is_direct


def has_flags(vehicle: VehicleSetup) -> bool:
    """Whether the vehicle file gives the validity range of a thruster law."""
    facts = vehicle.plant.vehicle.thruster_facts
    return any(fact.valid_speed or fact.critical_advance_ratio for fact in facts)


def _flag_fields(vehicle: VehicleSetup) -> tuple[Field, ...]:
    """Flow regime of each thruster, and whether its law is valid at its shaft speed."""
    regime = "-1 unknown, 0 at rest, 1 equi-directional, 2 anti-directional, 3 vague-directional"
    return tuple(
        Field(f"{field_name(name)}_{what}", "1", description=words, kind="int")
        for name in vehicle.plant.vehicle.parameters.thruster_names
        for what, words in (("regime", regime), ("valid", "-1 unknown, 0 no, 1 yes"))
    )


def flag_row(flags: Sequence[ThrusterFlag]) -> tuple[int, ...]:
    """Flags of all thrusters as a row of integers."""
    return tuple(
        number
        for flag in flags
        for number in (
            -1 if flag.regime is None else _REGIME_NUMBERS[flag.regime],
            -1 if flag.is_valid is None else int(flag.is_valid),
        )
    )


def vehicle_channels(vehicle: VehicleSetup, varying_water: bool = False) -> list[Channel]:
    """All channels of one vehicle."""
    names, parameters = vehicle.plant.actuator_names, vehicle.plant.vehicle.parameters
    own = [Channel(channel_name(vehicle.name, "truth"), _POSE, "position, attitude and motion of the body")]
    if names:
        unit = "N" if parameters.thrust_law == OUTPUT_IS_FORCE else "rad/s"
        asked = tuple(Field(field_name(name), "1") for name in names)
        own += [
            Channel(channel_name(vehicle.name, "commands"), asked, "as asked"),
            *([Channel(channel_name(vehicle.name, "inputs"), asked, "of the drives")] if has_inputs(vehicle) else []),
            Channel(channel_name(vehicle.name, "limited"), asked, "what reaches the actuators within their limits"),
            Channel(channel_name(vehicle.name, "outputs"), _actuator_fields(parameters, names, unit), "of actuators"),
        ]
    roles = {part.role.name for part in vehicle.parts}
    if "NAVIGATION" in roles:
        stated = _SIGMA if gives_sigma(vehicle) else ()
        own.append(Channel(channel_name(vehicle.name, "estimate"), (*_unknown_allowed((*_POSE, *stated)), _VALID)))
    if "CONTROL" in roles and "ALLOCATION" in roles:
        own.append(Channel(channel_name(vehicle.name, "wrench"), _WRENCH, "what all controllers ask for"))
    if vehicle.battery is not None:
        own.append(Channel(channel_name(vehicle.name, "power"), _POWER))
    if varying_water:
        own.append(Channel(channel_name(vehicle.name, "water"), _WATER, "velocity of the water around the body"))
    for tether in vehicle.tethers:
        own.append(Channel(channel_name(vehicle.name, tether.name), _TETHER, "a tether: pulls on its ends, length"))
    if has_flags(vehicle):
        own.append(Channel(channel_name(vehicle.name, "thruster_flags"), _flag_fields(vehicle), "where laws hold"))
    for scheduled in vehicle.parts:
        if scheduled.part.fields:
            what = "reference" if scheduled.role.name == "GUIDANCE" else scheduled.name
            own.append(Channel(channel_name(vehicle.name, what), scheduled.part.fields, scheduled.name))
    return own + [sensor_channel(sensor) for sensor in vehicle.sensors]


def run_channels(setup: Setup) -> tuple[Channel, ...]:
    """All channels of a run."""
    varying = has_varying_water(setup)
    return tuple(channel for vehicle in setup.vehicles for channel in vehicle_channels(vehicle, varying))


def run_header(setup: Setup) -> RunHeader:
    """Header of the log: version, seed, hashes, simplifications and notes."""
    simplifications = {
        f"{vehicle.name}: {word}" for vehicle in setup.vehicles for word in vehicle.plant.simplifications
    }
    notes = {"name": setup.name, "step": f"{setup.step_ns} ns", "duration": f"{setup.duration_ns} ns", **setup.notes}
    if setup.environment.tunnel is not None:
        notes["tunnel"] = json.dumps(_tunnel_note(setup.environment.tunnel))
    notes |= _scene_notes(setup.environment.world.scene)
    drives = {vehicle.name: vehicle.drive.drawn for vehicle in setup.vehicles if vehicle.drive is not None}
    notes |= {f"drives {name}": json.dumps(drawn) for name, drawn in drives.items() if drawn}
    labels = (sensor.description for vehicle in setup.vehicles for sensor in vehicle.sensors)
    notes |= {
        f"beams {channel_name(label.name)}": json.dumps(label.geometry._asdict()) for label in labels if label.geometry
    }
    return RunHeader(
        version=version("remora"),
        seed=setup.seed,
        scenario_hash=setup.scenario_hash,
        vehicle_hashes=setup.vehicle_hashes,
        simplifications=tuple(sorted(simplifications)),
        notes=notes,
    )


def _tunnel_note(tunnel: Tunnel) -> dict[str, Any]:
    """Shape and position of a tunnel, for plots of the log."""
    width, height = tunnel.section.size
    outline = {"section": type(tunnel.section).__name__.lower(), "width": width, "height": height}
    place = {"start": tunnel.start, "heading": tunnel.heading, "slope": tunnel.slope}
    length = {} if math.isinf(tunnel.length) else {"length": tunnel.length}
    return {**outline, **place, **length}


def _scene_notes(scene: Scene) -> dict[str, str]:
    """Obstacles and simple beds, for plots of the log."""
    notes = {}
    if scene.obstacles:
        notes["obstacles"] = json.dumps([_shape_note(obstacle) for obstacle in scene.obstacles])
    if isinstance(scene.bed, FlatBed | ProfileBed):
        notes["bed"] = json.dumps(_shape_note(scene.bed))
    return notes


def _shape_note(shape: Any) -> dict[str, Any]:
    """Class and fields of a solid shape."""
    given = {field.name: getattr(shape, field.name) for field in dataclasses.fields(shape) if field.init}
    return {"shape": type(shape).__name__.lower(), **given}


def reading_row(reading: Reading) -> tuple[float, ...]:
    """A reading as a row: values, status, latency in s."""
    return (*reading.values, int(reading.status), (reading.arrival_ns - reading.stamp_ns) * 1e-9)


def gives_sigma(vehicle: VehicleSetup) -> bool:
    """Whether the navigation of a vehicle gives the standard deviation of its position."""
    return any(part.role == Role.NAVIGATION and getattr(part.part, "gives_sigma", False) for part in vehicle.parts)


def estimate_row(estimate: Estimate | None, has_sigma: bool) -> tuple[float, ...]:
    """An estimate as a row; an incomplete one is logged as invalid."""
    if estimate is None or not estimate.is_complete:
        return (*(math.nan,) * (16 if has_sigma else 13), 0.0)
    sigma = estimate.sigma_p_N if has_sigma else ()
    return (*estimate.p_NB, *estimate.q_NB, *estimate.twist, *sigma, 1.0)
