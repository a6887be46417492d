"""Description of a run in the header of its log: origin, environment and vehicles, as plain data.

Lengths are in m, velocities in m/s, angles in rad. Positions of the scene are in N, those of a vehicle in body axes.
"""

import dataclasses
import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

import remora
from remora.logs.schema import RunHeader, channel_name
from remora.run.monitoring.command_limits import command_period, full_commands, outages, reached_limits
from remora.run.setup import Setup, VehicleSetup
from remora.vehicles.assembly.looks import guessed_looks
from remora.vehicles.vehicle import SensorEntry
from remora.world.ground.beds import Bed
from remora.world.ground.grid_bed import GridBed
from remora.world.ground.tunnels import Tunnel
from remora.world.water.waves import Waves
from remora.world.world import World

MOST_NUMBERS = 10_000  # of one array; a grid of depths is thinned to it, other arrays are left out


def run_header(setup: Setup) -> RunHeader:
    """Header of the log: version, seed, input files with their hashes, environment, vehicles, notes."""
    simplifications = {
        f"{vehicle.name}: {word}" for vehicle in setup.vehicles for word in vehicle.plant.simplifications
    }
    notes = {"name": setup.name, "step": f"{setup.step_ns} ns", "duration": f"{setup.duration_ns} ns", **setup.notes}
    drives = {vehicle.name: vehicle.drive.drawn for vehicle in setup.vehicles if vehicle.drive is not None}
    notes |= {f"drives {name}": json.dumps(drawn) for name, drawn in drives.items() if drawn}
    labels = (sensor.description for vehicle in setup.vehicles for sensor in vehicle.sensors)
    notes |= {
        f"beams {channel_name(label.name)}": json.dumps(label.geometry._asdict()) for label in labels if label.geometry
    }
    return RunHeader(
        version=remora.__version__,
        seed=setup.seed,
        scenario_hash=setup.scenario_hash,
        vehicle_hashes=setup.vehicle_hashes,
        simplifications=tuple(sorted(simplifications)),
        notes=notes,
        texts=setup.texts,
        scene=_as_read(scene_data(setup.environment) | links_data(setup)),
        vehicles=_as_read({vehicle.name: vehicle_data(vehicle) for vehicle in setup.vehicles}),
    )


def _as_read(data: Any) -> Any:
    """Plain data as a reader of the log gets them: lists in place of tuples."""
    return json.loads(json.dumps(data, allow_nan=False))


def scene_data(world: World) -> dict[str, Any]:
    """The environment of a run: water, surface, currents, waves, ground, obstacles and named points."""
    waves = [part for part in world.water.fields if isinstance(part, Waves)]
    found = {name: getattr(world, name) for name in ("density", "gravity", "sound_speed", "surface_depth")}
    found |= {
        "has_surface": world.has_surface,
        "magnetic_field": world.magnetic_field,
        "origin": world.origin._asdict(),
        "currents": [described(part, "kind") for part in world.water.fields if not isinstance(part, Waves)],
        "waves": [{**described(one, "kind"), "components": _components(one)} for one in waves],
        "tunnels": [tunnel_data(tunnel) for tunnel in world.scene.tunnels],
        "obstacles": [described(obstacle) for obstacle in world.scene.obstacles],
        "points": dict(world.points),
    }
    if world.scene.bed is not None:
        found["bed"] = bed_data(world.scene.bed)
    if world.column is not None:
        found["column"] = [layer._asdict() for layer in world.column.layers]
    return found


def links_data(setup: Setup) -> dict[str, Any]:
    """Links between the vehicles of a run, with their joint points in the axes of each body; none without links."""
    keys = ("name", "kind", "first", "second", "point_first", "point_second")
    links = [{key: getattr(one.link, key) for key in keys} for one in setup.links]
    return {"links": links} if links else {}


def described(thing: Any, key: str = "shape") -> dict[str, Any]:
    """Class, under a key, and plain numbers of a frozen dataclass; other fields are listed under `omitted`."""
    found: dict[str, Any] = {key: type(thing).__name__.lower()}
    given = [entry.name for entry in dataclasses.fields(thing) if entry.init] if dataclasses.is_dataclass(thing) else []
    omitted = []
    for name in given:
        try:
            value = _plain(getattr(thing, name))
        except TypeError:
            omitted.append(name)
            continue
        if value is not None:
            found[name] = value
    return found | ({"omitted": omitted} if omitted else {})


def _plain(value: Any) -> Any:
    """Numbers, texts, lists and mappings of a value, infinity as None; TypeError for anything else."""
    if isinstance(value, bool | str | int) or value is None:
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, np.ndarray) and value.size <= MOST_NUMBERS:
        return _plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return _plain(value._asdict())
    if isinstance(value, tuple | list):
        return [_plain(entry) for entry in value]
    raise TypeError(f"{type(value).__name__} is no plain data")


def tunnel_data(tunnel: Tunnel) -> dict[str, Any]:
    """Section and place of a tunnel; one without an end has no length."""
    width, height = tunnel.section.size
    outline = {"section": type(tunnel.section).__name__.lower(), "width": width, "height": height}
    place = {"start": tunnel.start, "heading": tunnel.heading, "slope": tunnel.slope}
    return {**outline, **place, **({} if math.isinf(tunnel.length) else {"length": tunnel.length})}


def bed_data(bed: Bed) -> dict[str, Any]:
    """Shape of a bed; of a large grid every n-th row and column, with the key `every`."""
    if not isinstance(bed, GridBed):
        return described(bed)
    every = max(1, math.ceil(math.sqrt(bed.depths.size / MOST_NUMBERS)))
    norths, easts = _thinned(len(bed.norths), every), _thinned(len(bed.easts), every)
    return {
        "shape": "gridbed",
        "norths": [bed.norths[i] for i in norths],
        "easts": [bed.easts[i] for i in easts],
        "depths": _plain(bed.depths[np.ix_(norths, easts)].tolist()),
        **({"every": every} if every > 1 else {}),
    }


def _thinned(count: int, every: int) -> list[int]:
    """Every n-th index, and the last."""
    return sorted({*range(0, count, every), count - 1})


def _components(waves: Waves) -> dict[str, Any]:
    """Amplitude, frequency, wave number, direction and phase of all regular waves, a list each."""
    found: dict[str, Any] = _plain(waves.components)
    return found


def vehicle_data(vehicle: VehicleSetup) -> dict[str, Any]:
    """File, actuators and their limits, sensor mounts, keep-out zones and tethers of one vehicle."""
    parameters = vehicle.plant.vehicle.parameters
    thrusters = zip(parameters.thruster_names, parameters.thrusters, strict=True)
    fins = zip(parameters.fin_names, parameters.fins, strict=True)
    return {
        "file": vehicle.file,
        "title": vehicle.plant.vehicle.title,
        "looks": vehicle.plant.vehicle.looks or guessed_looks(parameters),
        "thrusters": {name: {"position": one.position, "axis": one.axis} for name, one in thrusters},
        "fins": {name: {"position": one.position, "chord": one.chord, "normal": one.normal} for name, one in fins},
        "limits": _limits(vehicle),
        **_commands(vehicle),
        "sensors": {entry.name: _mount(entry) for entry in vehicle.sensor_entries},
        "keep_out": [_plain(zone) for part in vehicle.parts for zone in getattr(part.part, "zones", ())],
        "tethers": {
            one.name: {"attachment": one.p_BA, "far_end": one.far, "far_velocity": one.far_velocity}
            | described(one.tether, "kind")
            for one in vehicle.tethers
        },
    }


def _limits(vehicle: VehicleSetup) -> dict[str, Any]:
    """Inputs at which each actuator is at its limits, None without one, and the times in ns when it is faulty."""
    inputs = zip(vehicle.plant.actuator_names, reached_limits(vehicle).tolist(), strict=True)
    return {
        "inputs": {name: _plain(limits) for name, limits in inputs},
        "outages": [tuple(outage) for outage in outages(vehicle)],
    }


def _commands(vehicle: VehicleSetup) -> dict[str, Any]:
    """Time between samples of the commands, s, and the full command of each actuator; nothing without control."""
    period = command_period(vehicle)
    if period is None:
        return {}
    full = zip(vehicle.plant.actuator_names, full_commands(vehicle), strict=True)
    known = {name: one if math.isfinite(one) else None for name, one in full}
    return {"commands": {"period": 1e-9 * period, "full": known}}


def _mount(entry: SensorEntry) -> dict[str, Any]:
    """Kind, device, place, rate and data sheet of a sensor, as far as they are given."""
    given = {"device": entry.device, "position": entry.position, "q_BS": entry.q_BS}
    timing = {"rate": entry.rate, "latency": entry.latency}
    known = {key: value for key, value in {**given, **timing}.items() if value not in (None, "")}
    return {"kind": entry.kind, **known, "parameters": _plain(entry.parameters)}
