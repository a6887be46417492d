"""Goals of guidance and commands of operators, compared with bed, surface, obstacles and keep-out zones."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from remora.equations.guidance.keep_out import Zone, zone_distance
from remora.messages.operator_command import CommandError, OperatorCommand
from remora.messages.part import Role, checks_operator, takes_operator
from remora.messages.part_options import Goal
from remora.run.setup import VehicleSetup
from remora.vehicles.parameters import VehicleParameters, buoyancy_elements_of
from remora.world.ground.beds import FlatBed
from remora.world.ground.obstacles import Obstacle
from remora.world.world import World


class Extent(NamedTuple):
    """Extent of a level vehicle above and below its body origin, m."""

    above: float
    below: float


class GoalFindings(NamedTuple):
    """Sentences on a goal: why it cannot be reached, and what happens on the way."""

    problems: tuple[str, ...]
    remarks: tuple[str, ...]


def vehicle_extent(parameters: VehicleParameters) -> Extent:
    """Extent from the buoyancy spheres of the vehicle."""
    elements = buoyancy_elements_of(parameters)
    above, below = zip(*((one.radius - one.position[2], one.radius + one.position[2]) for one in elements), strict=True)
    return Extent(max(above), max(below))


def at_known_depth(goal: Goal, world: World) -> Goal | None:
    """The goal with the depth that its altitude gives; None where there is no bed below it."""
    if goal.altitude is None:
        return goal
    bed = bed_depth(goal, world)
    return None if bed is None else goal._replace(depth=bed - goal.altitude)


def judge_goal(goal: Goal, extent: Extent, world: World) -> GoalFindings:
    """Compare a goal with bed, surface and obstacles."""
    known, scene = at_known_depth(goal, world), world.scene
    if known is None and (scene.tunnels or scene.obstacles):  # an altimeter may see these
        return GoalFindings((), ())
    if known is None:
        text = f"asks for an altitude of {goal.altitude:.4g} m, but there is no bed. Give water a bottom_depth."
        return GoalFindings((text,), ())
    vertical = _compared_with_bed_and_surface(known, extent, world)
    return GoalFindings(vertical.problems, (*vertical.remarks, *_inside_obstacles(known, scene.obstacles)))


def _inside_obstacles(goal: Goal, obstacles: tuple[Obstacle, ...]) -> Iterator[str]:
    """Obstacles that hold a goal and all places that count as reaching it."""
    for obstacle in obstacles if goal.north_east is not None else ():
        assert goal.north_east is not None
        if (inside := -obstacle.nearest((*goal.north_east, goal.depth)).distance) > goal.tolerance:
            yield f"lies {inside:.2g} m inside {obstacle.name}: it cannot be reached without touching it. Move it."


def _compared_with_bed_and_surface(goal: Goal, extent: Extent, world: World) -> GoalFindings:
    """Goals below the bed and above the surface, and those that are close to them."""
    problems, remarks, bed = [], [], bed_depth(goal, world)
    if bed is not None and goal.depth > bed:
        problems.append(f"asks for a depth of {goal.depth:.4g} m, below the bed at {bed:.4g} m. Give less depth.")
    elif bed is not None and goal.depth + extent.below > bed:
        room = f"leaves {bed - goal.depth:.2g} m to the bed at {bed:.4g} m"
        remarks.append(f"{room}, but the vehicle reaches {extent.below:.2g} m below its origin: it would touch it.")
    surface = world.surface_depth
    if goal.depth + extent.below < surface:
        by = "" if goal.altitude is None else f"an altitude of {goal.altitude:.4g} m, which is "
        message = f"asks for {by}a depth of {goal.depth:.4g} m, above the surface at {surface:.4g} m"
        if world.has_surface:
            problems.append(f"{message}. {'Give less altitude.' if by else 'Depths are positive downwards.'}")
        elif not world.scene.tunnels:
            remarks.append(f"{message}, which is not simulated unless water gives a surface_depth.")
    elif world.has_surface and goal.depth - extent.above < surface:
        remarks.append(f"brings a part of the vehicle above the surface at {surface:.4g} m.")
    return GoalFindings(tuple(problems), tuple(remarks))


def inside_zones(goal: Goal, zones: tuple[Zone, ...], world: World) -> Iterator[str]:
    """Keep-out zones that hold a goal; spheres are left out where its depth is unknown."""
    known = at_known_depth(goal, world)
    for number, zone in enumerate(zones if goal.north_east is not None else (), start=1):
        if known is None and zone.vertical > 0.0:
            continue
        assert goal.north_east is not None
        place = (*goal.north_east, goal.depth if known is None else known.depth)
        if (inside := -zone_distance(zone, place)[0]) > 0.0:
            at = f"({place[0]:.4g}, {place[1]:.4g}, {place[2]:.4g}) m"
            center = f"({zone.center[0]:g}, {zone.center[1]:g}, {zone.center[2]:g}) m"
            yield f"{at} lies {inside:.2g} m inside the edge of keep-out zone {number} at {center}"


def bed_depth(goal: Goal, world: World) -> float | None:
    """Depth of the bed below a goal; without a position only for a flat bed."""
    bed = world.scene.bed
    if bed is None or (goal.north_east is None and not isinstance(bed, FlatBed)):
        return None
    return bed.depth_at(*(goal.north_east or (0.0, 0.0)))


def takes_commands(vehicle: VehicleSetup) -> bool:
    """Whether the guidance of a vehicle takes commands of operators."""
    return any(part.role == Role.GUIDANCE and takes_operator(part.part) for part in vehicle.parts)


def check_command(command: OperatorCommand, vehicle: VehicleSetup, world: World, unknown: Collection[str] = ()) -> str:
    """Remark on a command that does other than it says, empty for none; CommandError for one without effect.

    `unknown` names the quantities of the estimate that are unknown at present.
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
