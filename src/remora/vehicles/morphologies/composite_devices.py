"""Thrusters, drives, batteries, sensors and solids of the modules of a morphology, in the axes of its origin."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from remora.equations.actuators.drives import Battery
from remora.equations.actuators.thrusters import Thruster
from remora.equations.algebra.quaternions import product
from remora.equations.algebra.vectors import add3, angular, cross, join, linear, matvec3
from remora.equations.types import Vector3
from remora.vehicles.assembly.looks import guessed_looks
from remora.vehicles.drives import DIRECT, Supply, ThrusterDrive
from remora.vehicles.morphologies.morphology import Module
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.vehicle import SensorEntry, ThrusterFacts


def scoped(module: Module, name: str) -> str:
    """Name of a thruster or sensor of a module: left/thruster_2."""
    return f"{module.name}/{name}"


def in_common_axes(module: Module, p_M: Vector3) -> Vector3:
    """A point of a module in the frame of the origin."""
    return add3(module.pose.position, matvec3(module.pose.axes, p_M))


def conflicts(modules: Sequence[Module]) -> list[str]:
    """Reasons why the thrusters of the modules cannot be those of one vehicle."""
    driven = [module for module in modules if module.vehicle.parameters.thrusters]
    found = []
    if len({module.vehicle.parameters.thrust_law for module in driven}) > 1:
        found.append("its modules have different thruster laws")
    if len({module.vehicle.parameters.mapped_commands for module in driven}) > 1:
        found.append("only some of its modules have a command map")
    return found


def actuators(modules: Sequence[Module]) -> dict[str, Any]:
    """Fields of the vehicle parameters that concern thrusters."""
    driven = [module for module in modules if module.vehicle.parameters.thrusters]
    laws = [module.vehicle.parameters.thrust_law for module in driven]
    return {
        "thrusters": tuple(_moved(module, one) for module in driven for one in module.vehicle.parameters.thrusters),
        "thruster_names": tuple(
            scoped(module, name) for module in driven for name in module.vehicle.parameters.thruster_names
        ),
        "thrust_law": laws[0] if laws else 0,
        "mapped_commands": any(module.vehicle.parameters.mapped_commands for module in driven),
        "drives": _drives([module.vehicle.parameters.drives for module in driven], driven),
        "pulse_drives": _drives([module.vehicle.parameters.pulse_drives for module in driven], driven),
        "motors": _per_thruster(driven, "motors"),
        "quadrants": _per_thruster(driven, "quadrants"),
    }


def _moved(module: Module, thruster: Thruster) -> Thruster:
    """A thruster in common axes."""
    axes, effect = module.pose.axes, thruster.effect
    force, torque = matvec3(axes, linear(effect)), matvec3(axes, angular(effect))
    return thruster._replace(
        position=in_common_axes(module, thruster.position),
        axis=matvec3(axes, thruster.axis),
        effect=join(force, add3(torque, cross(module.pose.position, force))),
    )


def _drives(given: Sequence[tuple[ThrusterDrive, ...]], driven: Sequence[Module]) -> tuple[ThrusterDrive, ...]:
    """Drives of all thrusters; empty where no module has any."""
    if not any(given):
        return ()
    counts = [len(module.vehicle.parameters.thrusters) for module in driven]
    return tuple(drive for own, n in zip(given, counts, strict=True) for drive in (own or (DIRECT,) * n))


def _per_thruster(driven: Sequence[Module], field: str) -> tuple[Any, ...]:
    """A field with one entry per thruster; empty where no module has it."""
    given: list[VehicleParameters] = [module.vehicle.parameters for module in driven]
    if not any(getattr(p, field) for p in given):
        return ()
    return tuple(entry for p in given for entry in (getattr(p, field) or (None,) * len(p.thrusters)))


def supply(modules: Sequence[Module]) -> Supply | None:
    """All batteries in parallel, and the sum of the hotel loads; None without a battery."""
    given = [p.supply for module in modules if (p := module.vehicle.parameters).supply is not None]
    own = [one for one in given if one is not None]
    if not own:
        return None
    capacity = sum(one.battery.capacity for one in own)
    full, empty = (
        sum(getattr(one.battery, key) * one.battery.capacity for one in own) / capacity
        for key in ("full_voltage", "empty_voltage")
    )
    conductance = sum(1.0 / one.battery.resistance for one in own if one.battery.resistance > 0.0)
    return Supply(
        Battery(full, empty, 1.0 / conductance if conductance else 0.0, capacity), sum(s.hotel_load for s in own)
    )


def sensor_entries(modules: Sequence[Module]) -> Iterator[SensorEntry]:
    """Sensors of all modules, mounted in common axes."""
    for module in modules:
        for entry in module.vehicle.sensors:
            place = None if entry.position is None else in_common_axes(module, entry.position)
            q_BS = module.pose.quaternion if entry.q_BS is None else product(module.pose.quaternion, entry.q_BS)
            yield entry._replace(name=scoped(module, entry.name), position=place, q_BS=q_BS)


def thruster_facts(modules: Sequence[Module]) -> Iterator[ThrusterFacts]:
    """Data of all thrusters that the equations do not use."""
    for module in modules:
        for facts in module.vehicle.thruster_facts:
            yield facts._replace(name=scoped(module, facts.name))


def solids(modules: Sequence[Module]) -> Iterator[Mapping[str, Any]]:
    """Solids of all modules in common axes; a box that is turned by no right angle becomes its bounding box."""
    for module in modules:
        axes = module.pose.axes
        for solid in module.vehicle.looks or guessed_looks(module.vehicle.parameters):
            moved = {**solid, "position": in_common_axes(module, solid["position"])}
            if "axis" in solid:
                moved["axis"] = matvec3(axes, solid["axis"])
            if "size" in solid:
                moved["size"] = tuple(sum(abs(r) * x for r, x in zip(row, solid["size"], strict=True)) for row in axes)
            if "triangles" in solid:
                moved["triangles"] = (np.reshape(solid["triangles"], (-1, 3)) @ np.array(axes).T).ravel().tolist()
            yield moved
