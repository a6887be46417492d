"""Report of `remora check` on a morphology: modules, links, degrees of freedom, reachable wrench, redundancy, power."""

import math
from typing import Any, NamedTuple

import numpy as np

from remora.equations.actuators.laws.law import FORCE_OUTPUT
from remora.equations.actuators.laws.table import law_with
from remora.vehicles.checks.actuation import (
    RANK_TOLERANCE,
    allocation_matrix,
    command_range,
    rank,
    steady_output,
    thrust_limits,
)
from remora.vehicles.checks.report import report_data, report_lines
from remora.vehicles.morphologies.composite import CompositeError, composite_vehicle
from remora.vehicles.morphologies.morphology import Module, Morphology
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.vehicle import Vehicle

BODY_AXES = 6


class ActuationSummary(NamedTuple):
    """Redundancy and power of the thrusters of an assembly."""

    thrusters: int
    rank: int  # controllable degrees of freedom
    redundancy: int  # thrusters beyond the rank
    essential: tuple[str, ...]  # thrusters whose loss reduces the rank
    full_power: float | None  # W, all thrusters at their limits; None where the files give no power
    hotel_load: float | None  # W; None without a battery
    energy: float | None  # J, of all batteries; None without one


def actuation_summary(parameters: VehicleParameters) -> ActuationSummary:
    """Redundancy and power of a vehicle."""
    matrix, full = allocation_matrix(parameters), rank(parameters)
    tolerance = RANK_TOLERANCE * max(1.0, np.abs(matrix).max(initial=0.0))
    essential = tuple(
        name
        for i, name in enumerate(parameters.thruster_names)
        if np.linalg.matrix_rank(np.delete(matrix, i, axis=1), tol=tolerance) < full
    )
    supply = parameters.supply
    return ActuationSummary(
        len(parameters.thrusters),
        full,
        len(parameters.thrusters) - full,
        essential,
        full_power(parameters),
        supply.hotel_load if supply else None,
        supply.battery.capacity if supply else None,
    )


def full_power(parameters: VehicleParameters) -> float | None:
    """Electrical power of all thrusters at the stronger of their limits, W; None where a drive gives no power."""
    drives = parameters.drives or parameters.pulse_drives
    if not drives:
        return None
    total, limits = 0.0, thrust_limits(parameters)
    is_force = law_with(parameters.thrust_law).output == FORCE_OUTPUT
    for i, drive in enumerate(drives):
        if not (drive.power_per_cubed_speed or drive.power_per_thrust):
            return None
        thrust = float(np.abs(limits[i]).max())
        speed = 0.0 if is_force else max(abs(steady_output(parameters, i, end)) for end in command_range(parameters, i))
        total += drive.power_per_thrust * thrust**1.5 + drive.power_per_cubed_speed * speed**3
    return total


def morphology_lines(morphology: Morphology) -> tuple[bool, list[str]]:
    """Whether all invariants of its modules and of the whole hold, and the lines of the report."""
    lines = [f"{morphology.name}: {morphology.title}", f"source: {morphology.source}", ""]
    lines += [f"module {module.name}: {_module_text(module)}" for module in morphology.modules]
    lines += [f"link {link.name}: {link.kind}, {link.first}/{link.ports[0]} to {link.second}/{link.ports[1]}"
              for link in morphology.links]  # fmt: skip
    freedom = f"{morphology.degrees_of_freedom} degrees of freedom"
    lines.append(f"{freedom}, {morphology.redundant_rows} redundant constraint rows")
    try:
        whole = composite_vehicle(morphology)
    except CompositeError as error:
        sound, details = _modules_alone(morphology)
        return sound, [*lines, "", str(error), *details]
    sound, details = report_lines(whole)
    return sound, [*lines, *_summary_lines(actuation_summary(whole.parameters)), "", *details[2:]]


def _module_text(module: Module) -> str:
    place = ", ".join(f"{x:.4g}" for x in module.pose.position)
    q = module.pose.quaternion
    turn = math.degrees(2.0 * math.atan2(math.hypot(*q[1:]), abs(q[0])))
    p = module.vehicle.parameters
    turned = f", turned by {turn:.4g} deg" if turn > 1e-6 else ""
    return f"{module.vehicle.name}, {p.mass:.4g} kg, {len(p.thrusters)} thrusters, at [{place}] m{turned}"


def _modules_alone(morphology: Morphology) -> tuple[bool, list[str]]:
    """Reports of the files of the modules, one line each."""
    lines, sound = [""], True
    for vehicle in {module.vehicle.name: module.vehicle for module in morphology.modules}.values():
        holds, report = report_lines(vehicle)
        sound = sound and holds
        lines.append(f"{vehicle.name}: {' '.join(report[-1:])}")
    return sound, lines


def _summary_lines(summary: ActuationSummary) -> list[str]:
    lines = [
        f"{summary.thrusters} thrusters control {summary.rank} of {BODY_AXES} degrees of freedom; "
        f"{summary.redundancy} of them are redundant"
    ]
    if summary.essential:
        lines.append(f"loss of one of these takes a degree of freedom: {', '.join(summary.essential)}")
    power = "not given by the files" if summary.full_power is None else f"{summary.full_power:.4g} W"
    lines.append(f"power of all thrusters at their limits: {power}")
    if summary.energy is not None and summary.hotel_load is not None:
        lines.append(f"batteries: {summary.energy / 3600.0:.4g} Wh, hotel load {summary.hotel_load:.4g} W")
    return lines


def morphology_data(morphology: Morphology) -> dict[str, Any]:
    """The report as data."""
    modules = {
        module.name: {
            "vehicle": module.vehicle.name,
            "position": module.pose.position,
            "quaternion": module.pose.quaternion,
        }
        for module in morphology.modules
    }
    links = {
        link.name: {"kind": link.kind, "between": [f"{link.first}/{link.ports[0]}", f"{link.second}/{link.ports[1]}"]}
        for link in morphology.links
    }
    data = {
        "name": morphology.name,
        "modules": modules,
        "links": links,
        "degrees_of_freedom": morphology.degrees_of_freedom,
        "redundant_rows": morphology.redundant_rows,
    }
    whole = _composite(morphology)
    if whole is None:
        return data | {"sound": _modules_alone(morphology)[0], "composite": None}
    composite = report_data(whole)
    actuation = actuation_summary(whole.parameters)._asdict()
    return data | {"sound": composite["sound"], "actuation": actuation, "composite": composite}


def _composite(morphology: Morphology) -> Vehicle | None:
    try:
        return composite_vehicle(morphology)
    except CompositeError:
        return None
