"""Report of `remora check` on a morphology: modules, links, degrees of freedom, reachable wrench, redundancy, power."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from remora.equations.actuators.laws.law import FORCE_OUTPUT
from remora.equations.actuators.laws.table import law_with
from remora.files.arrays import Array
from remora.vehicles.checks.actuation import (
    RANK_TOLERANCE,
    allocation_matrix,
    command_range,
    steady_output,
    thrust_limits,
)
from remora.vehicles.checks.report import reach_lines, report_data, report_lines
from remora.vehicles.morphologies.composite import CompositeError, composite_vehicle
from remora.vehicles.morphologies.morphology import Module, Morphology
from remora.vehicles.morphologies.placement import free_motions
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
    return _summarised(allocation_matrix(parameters), (("", parameters),))


def morphology_actuation(morphology: Morphology) -> ActuationSummary:
    """Redundancy and power of a morphology; joints count among the degrees of freedom."""
    modules = morphology.modules
    motions = free_motions(modules, morphology.links).reshape(len(modules), BODY_AXES, -1)
    columns = [
        np.vstack([motions[i, :3].T @ np.array(module.pose.axes), motions[i, 3:].T]).reshape(2, -1, 3)
        for i, module in enumerate(modules)
    ]
    matrices = [
        force @ matrix[:3] + moment @ matrix[3:]
        for (force, moment), matrix in zip(
            columns, (allocation_matrix(module.vehicle.parameters) for module in modules), strict=True
        )
    ]
    return _summarised(np.hstack(matrices), [(f"{one.name}/", one.vehicle.parameters) for one in modules])


def _summarised(matrix: Array, owners: Sequence[tuple[str, VehicleParameters]]) -> ActuationSummary:
    """Summary of the thrusters of modules; the matrix has their forces, degrees of freedom x thrusters."""
    names = [f"{prefix}{name}" for prefix, p in owners for name in p.thruster_names]
    tolerance = RANK_TOLERANCE * max(1.0, np.abs(matrix).max(initial=0.0))

    def rank_without(*left_out: int) -> int:
        return int(np.linalg.matrix_rank(np.delete(matrix, left_out, axis=1), tol=tolerance))

    full, powers = rank_without(), [full_power(p) for _, p in owners if p.thrusters]
    supplies = [p.supply for _, p in owners if p.supply]
    return ActuationSummary(
        len(names),
        full,
        len(names) - full,
        tuple(name for i, name in enumerate(names) if rank_without(i) < full),
        None if None in powers or not powers else sum(power for power in powers if power is not None),
        sum(supply.hotel_load for supply in supplies) if supplies else None,
        sum(supply.battery.capacity for supply in supplies) if supplies else None,
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
    lines += _summary_lines(morphology_actuation(morphology), morphology.degrees_of_freedom)
    try:
        whole = composite_vehicle(morphology)
    except CompositeError as error:
        sound, details = _modules_alone(morphology)
        return sound, [*lines, "", str(error), *_locked_lines(morphology), *details]
    sound, details = report_lines(whole)
    return sound, [*lines, "", *details[2:]]


def _locked_lines(morphology: Morphology) -> list[str]:
    """The attainable wrench with all joints held, where the modules have a composite model."""
    held = None if morphology.is_rigid else _composite(morphology.locked)
    if held is None:
        return []
    first, *rest = reach_lines(held.parameters)
    return ["", f"joints held at their initial poses: {first}", *rest]


def _module_text(module: Module) -> str:
    place = ", ".join(f"{round(x, 6) + 0.0:.4g}" for x in module.pose.position)
    q = module.pose.quaternion
    turn = math.degrees(2.0 * math.atan2(math.hypot(*q[1:]), abs(q[0])))
    p = module.vehicle.parameters
    turned = f", turned by {turn:.4g} deg" if turn > 1e-6 else ""
    return f"{module.vehicle.name}, {p.mass:.4g} kg, {_thrusters(len(p.thrusters))}, at [{place}] m{turned}"


def _thrusters(number: int) -> str:
    return "1 thruster" if number == 1 else f"{number or 'no'} thrusters"


def _modules_alone(morphology: Morphology) -> tuple[bool, list[str]]:
    """Reports of the files of the modules, one line each."""
    lines, sound = [""], True
    for vehicle in {module.vehicle.name: module.vehicle for module in morphology.modules}.values():
        holds, report = report_lines(vehicle)
        sound = sound and holds
        lines.append(f"{vehicle.name}: {' '.join(report[-1:])}")
    return sound, lines


def _summary_lines(summary: ActuationSummary, freedom: int) -> list[str]:
    """Lines of a summary, beside the degrees of freedom of the morphology."""
    control, spare = "controls" if summary.thrusters == 1 else "control", summary.redundancy
    lines = [
        f"{_thrusters(summary.thrusters)} {control} {summary.rank} of {freedom} degrees of freedom"
        + (f"; {spare} of them {'is' if spare == 1 else 'are'} redundant" if spare else "")
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
    data["actuation"] = morphology_actuation(morphology)._asdict()
    whole = _composite(morphology)
    if whole is None:
        return data | {"sound": _modules_alone(morphology)[0], "composite": None}
    composite = report_data(whole)
    return data | {"sound": composite["sound"], "composite": composite}


def _composite(morphology: Morphology) -> Vehicle | None:
    try:
        return composite_vehicle(morphology)
    except CompositeError:
        return None
