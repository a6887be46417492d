"""Goals of guidance and operators, compared with bed and surface."""

from typing import NamedTuple

from remora.messages.part_options import Goal
from remora.vehicles.parameters import VehicleParameters, buoyancy_elements_of
from remora.world.ground.beds import FlatBed
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


def judge_goal(goal: Goal, extent: Extent, world: World) -> GoalFindings:
    """Compare a goal with bed and surface."""
    problems, remarks, bed = [], [], bed_depth(goal, world)
    if bed is not None and goal.depth > bed:
        problems.append(f"asks for a depth of {goal.depth:.4g} m, below the bed at {bed:.4g} m. Give less depth.")
    elif bed is not None and goal.depth + extent.below > bed:
        room = f"leaves {bed - goal.depth:.2g} m to the bed at {bed:.4g} m"
        remarks.append(f"{room}, but the vehicle reaches {extent.below:.2g} m below its origin: it would touch it.")
    surface = world.surface_depth
    if goal.depth + extent.below < surface:
        message = f"asks for a depth of {goal.depth:.4g} m, above the surface at {surface:.4g} m"
        if world.has_surface:
            problems.append(f"{message}. Depths are positive downwards.")
        elif not world.scene.tunnels:
            remarks.append(f"{message}, which is not simulated unless water gives a surface_depth.")
    elif world.has_surface and goal.depth - extent.above < surface:
        remarks.append(f"brings a part of the vehicle above the surface at {surface:.4g} m.")
    return GoalFindings(tuple(problems), tuple(remarks))


def bed_depth(goal: Goal, world: World) -> float | None:
    """Depth of the bed below a goal; without a position only for a flat bed."""
    bed = world.scene.bed
    if bed is None or (goal.north_east is None and not isinstance(bed, FlatBed)):
        return None
    return bed.depth_at(*(goal.north_east or (0.0, 0.0)))
