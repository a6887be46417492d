"""Checks of a command of an operator against scene, vehicle and guidance, before the vehicle gets it."""

from collections.abc import Collection

from remora.messages.operator_command import CommandError, OperatorCommand
from remora.messages.part import Role, checks_operator, takes_operator
from remora.run.monitoring.goals import inside_zones, judge_goal, vehicle_extent
from remora.run.setup import VehicleSetup
from remora.world.world import World


def takes_commands(vehicle: VehicleSetup) -> bool:
    """Whether the guidance of a vehicle takes commands of operators."""
    return any(part.role == Role.GUIDANCE and takes_operator(part.part) for part in vehicle.parts)


def check_command(command: OperatorCommand, vehicle: VehicleSetup, world: World, unknown: Collection[str] = ()) -> str:
    """Remark on a command that does other than it says, empty for none; CommandError for one without effect.

    Parameters
    ----------
    command, vehicle, world
        The command, who gets it, and where.
    unknown
        Quantities of the estimate that are unknown at present.
    """
    guidance = next((part.part for part in vehicle.parts if part.role == Role.GUIDANCE), None)
    if not checks_operator(guidance):
        return ""
    if command.word == "mission" and not guidance.has_mission:
        raise CommandError(f"there is no mission: give guidance of {vehicle.name} one in the scenario")
    remark, goal = guidance.check_operator(command, unknown), guidance.operator_goal(command)
    if goal is None:
        return remark
    for text in inside_zones(goal, getattr(guidance, "zones", ()), world):
        raise CommandError(f"{command.word} cannot be reached: {text}")
    found = judge_goal(goal, vehicle_extent(vehicle.plant.vehicle.parameters), world)
    if found.problems:
        raise CommandError(f"{command.word} {' '.join(found.problems)}")
    return " ".join((remark, *found.remarks)).strip()
