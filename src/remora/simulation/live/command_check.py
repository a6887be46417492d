"""Checks of a command of an operator against scene, vehicle and guidance, before the vehicle gets it."""

from remora.guidance.parts.pilot import PilotPart
from remora.messages.operator_command import CommandError, OperatorCommand
from remora.messages.part import Role
from remora.messages.part_options import Goal
from remora.simulation.monitoring.goals import inside_zones, judge_goal, vehicle_extent
from remora.simulation.setup import VehicleSetup
from remora.world.world import World


def takes_commands(vehicle: VehicleSetup) -> bool:
    """Whether the guidance of a vehicle takes commands of operators."""
    return any(part.role == Role.GUIDANCE and getattr(part.part, "takes_operator", False) for part in vehicle.parts)


def check_command(command: OperatorCommand, vehicle: VehicleSetup, world: World) -> str:
    """Remark on a command that does other than it says, empty for none; CommandError for one without effect."""
    pilot = next((part.part for part in vehicle.parts if isinstance(part.part, PilotPart)), None)
    if command.word == "mission" and pilot is not None and not pilot.piloting.mission.targets:
        raise CommandError(f"there is no mission: give guidance of {vehicle.name} one in the scenario")
    if command.word == "speeds" and pilot is not None:
        return pilot.piloting.limited(command)
    if command.word != "go_to":
        return ""
    north, east, down = command.numbers[:3]
    goal = Goal((), down, (north, east))
    for text in inside_zones(goal, () if pilot is None else pilot.zones, world):
        raise CommandError(f"go_to cannot be reached: {text}")
    found = judge_goal(goal, vehicle_extent(vehicle.plant.vehicle.parameters), world)
    if found.problems:
        raise CommandError(f"go_to {' '.join(found.problems)}")
    return " ".join(found.remarks)
