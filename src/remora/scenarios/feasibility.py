"""Checks of what parts are asked to do against the scene and the vehicle, and of the step against its motion."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from remora.control.allocation.null_space import hidden_errors
from remora.control.parts.allocation import LeastForces, LimitedForces
from remora.equations.algebra.vectors import ZERO3, dot3
from remora.equations.types import FourDof, Vector3
from remora.files.arrays import Array
from remora.files.problems import listed
from remora.logs.problems import seconds
from remora.messages.part import Role
from remora.messages.part_options import Goal
from remora.plant.batches.step_length import longest_step
from remora.plant.methods import IntegrationMethod
from remora.plant.plant import Plant
from remora.run.monitoring.goals import Extent, at_known_depth, bed_depth, inside_zones, judge_goal, vehicle_extent
from remora.run.setup import ScheduledPart, VehicleSetup
from remora.scenarios.load_context import LoadContext
from remora.vehicles.checks.actuation import RANK_TOLERANCE, allocation_matrix, reachable_wrench, thrust_limits
from remora.vehicles.checks.plausibility import terminal_speed
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, net_buoyancy

NEAR = 1.0  # m from a goal, more than any usual tolerance
HIDDEN_OFFSET, HIDDEN_TURN = 0.1, math.radians(5.0)  # m and rad; smaller errors inside dead bands are not noted
FASTER = 1.05  # times the terminal speed; higher speeds are infeasible


def check_feasibility(scheduled: ScheduledPart, plant: Plant, disabled: Sequence[str], context: LoadContext) -> None:
    """Refuse goals below the bed or above the surface; warn of late starts and infeasible speeds.

    The allocation does without the disabled thrusters.
    """
    part, parameters = scheduled.part, plant.vehicle.parameters
    context.at("start").check_beginning(scheduled.start_ns)
    if scheduled.period_ns >= context.duration_ns > context.step_ns:
        period, end = seconds(scheduled.period_ns), seconds(context.duration_ns)
        context.note(f"runs only once: its period of {period} is not shorter than the run of {end}.", False)
    for beginning in getattr(part, "begins", ()):
        context.at(*beginning.path).check_beginning(beginning.time_ns)
    for remark in getattr(part, "remarks", ()):
        context.at(*remark.path).note(remark.text)
    extent = vehicle_extent(parameters)
    _check_goals(part, extent, context)
    names = {field.name for field in part.fields} if scheduled.role == Role.GUIDANCE else set()
    if "p_NR_z" in names or (
        "depth" in names and not parameters.fins
    ):  # fins control depth under way, but not position
        _check_lift(getattr(part, "goals", ()), parameters, extent, context)
    if "p_NR_z" in names:
        _check_axes(plant, disabled, context)
        _check_current(getattr(part, "launch", None), parameters, context)
    asked = getattr(part, "peak_speeds", None)
    if asked is not None:
        _check_speeds(asked, parameters, context)
    _check_walls_to_follow(part, context)
    goals, launch = getattr(part, "timed_goals", getattr(part, "goals", ())), getattr(part, "launch", None)
    if goals and launch is not None and context.watch.unfinished is not None:
        current = context.environment.at(0, launch).velocity
        fastest = asked or full_speeds(parameters, current)
        if "p_NR_z" not in names:  # a speed ahead through the water
            _check_current_on_legs(fastest[0], current, context)
            fastest = (fastest[0] + math.hypot(*current), *fastest[1:])
        _check_time(goals, launch, fastest, context)


def check_slopes(guidance: ScheduledPart, control: ScheduledPart, context: LoadContext) -> None:
    """Warn of legs that are steeper than the pitch by which fins change the depth.

    `max_pitch` of the controller is in rad.
    """
    most, place = getattr(control.part, "max_pitch", math.inf), getattr(guidance.part, "launch", ZERO3)
    for goal in getattr(guidance.part, "goals", ()):
        if goal.north_east is None:
            continue
        way, down = math.dist(place[:2], goal.north_east), abs(goal.depth - place[2])
        place = (*goal.north_east, goal.depth)
        slope = math.atan2(max(down - NEAR, 0.0), way + goal.tolerance)
        if slope > most:
            message = (
                f"lies {down:.3g} m above or below the point before it and {way:.3g} m away, a slope of "
                f"{math.degrees(slope):.0f} deg, but {control.name} pitches by at most {math.degrees(most):.0f} deg: "
                "the depth is not reached there. Give a longer leg"
            )
            context.at(*goal.path).warn("tracking", message)


def _check_walls_to_follow(part: Any, context: LoadContext) -> None:
    """Refuse guidance along walls where there is none, and offsets beyond the walls of a tunnel."""
    scene = context.environment.scene
    if not getattr(part, "follows_walls", False):
        return
    if not (scene.tunnels or scene.obstacles or scene.bed):
        message = (
            "follows walls by their echoes, but there is neither tunnel nor obstacle. Give one, or other guidance."
        )
        context.at("part").refuse(message, shows_value=False)
    for key, offset in getattr(part, "offsets", {}).items():
        sizes = [tunnel.section.size[key == "vertical"] for tunnel in scene.tunnels]
        if sizes and abs(offset) >= max(sizes):
            message = f"is a difference of opposite readings: {abs(offset):g} m is beyond the walls, which are"
            context.at(key).refuse(f"{message} {max(sizes):g} m apart. Give less.")


def _check_current_on_legs(speed: float, current: Vector3, context: LoadContext) -> None:
    """Note a current, m/s in N, that is not slower than the vehicle ahead, m/s."""
    if (flow := math.hypot(current[0], current[1])) >= speed > 0.0:
        message = f"asks for {speed:.3g} m/s ahead in a current of {flow:.3g} m/s, in which legs cannot be followed"
        context.note(f"{message} but downstream. Ask for more speed.", False)


def _check_goals(part: Any, extent: Extent, context: LoadContext) -> None:
    """Compare the goals of a part with bed, surface, obstacles and its keep-out zones."""
    for goal in getattr(part, "goals", ()):
        found, where = judge_goal(goal, extent, context.environment), context.at(*goal.path)
        for problem in found.problems:
            where.refuse(problem)
        for text in found.remarks:
            where.note(text)
        for text in inside_zones(goal, getattr(part, "zones", ()), context.environment):
            fix = "Move it, or make the zone smaller."
            where.refuse(f"cannot be reached: {text}. {fix}", shows_value=False)


def check_walls(guidance: ScheduledPart, control: ScheduledPart, context: LoadContext) -> None:
    """Refuse goals of the guidance beyond a wall that its controller keeps.

    `walls` of the controller are n and d of half-spaces n.p <= d in N, m.
    """
    for goal in getattr(guidance.part, "goals", ()):
        for number, (normal, distance) in enumerate(getattr(control.part, "walls", ()), start=1):
            beyond = dot3(normal, (*goal.north_east, goal.depth)) - distance if goal.north_east else 0.0
            if beyond > 0.0:
                message = f"cannot be reached: it lies {beyond:.3g} m beyond wall {number} of {control.name}."
                context.at(*goal.path).refuse(f"{message} Move it, or the wall.")


def check_dead_bands(control: ScheduledPart, allocation: ScheduledPart, context: LoadContext) -> None:
    """Note errors that dead bands hide from a controller without integral action.

    The controller may have a `stiffness`: N/m in surge, sway and heave, N m/rad in yaw. The allocation has the drives.
    """
    stiffness, forces = getattr(control.part, "stiffness", None), allocation.part
    if stiffness is None or not isinstance(forces, LimitedForces | LeastForces):
        return
    if getattr(forces, "avoidance", None) is not None:
        return
    found = hidden_errors(forces.parameters, stiffness)
    hidden = [f"{error:.2g} m in {axis}" for axis, error in zip(("surge", "sway", "heave"), found, strict=False)]
    hidden = [text for text, error in zip(hidden, found, strict=False) if error > HIDDEN_OFFSET]
    hidden += [f"{math.degrees(found[3]):.2g} deg in yaw"] if found[3] > HIDDEN_TURN else []
    if hidden:
        message = f"has no integral action, and the dead bands of the drives hide errors of up to {listed(hidden)}"
        context.note(f"{message}. Give the allocation avoid_dead_bands: true, or use position.", False)


def full_speeds(parameters: VehicleParameters, current: Vector3) -> FourDof:
    """Speeds over ground at full thrust, for guidance that states none; infinite where they are unknown.

    The current, m/s in N, may add to each of them.
    """
    if not parameters.thrusters or not np.isfinite(thrust_limits(parameters)).all():
        return (math.inf,) * 4
    thrusts = [max(abs(end) for end in reach.most) for reach in reachable_wrench(parameters)[:3]]
    thrusts[2] += abs(net_buoyancy(parameters))
    found = [terminal_speed(parameters, axis, one) if one > 0.0 else 0.0 for axis, one in enumerate(thrusts)]
    u, v, w = (math.inf if speed is None else speed + math.hypot(*current) for speed in found)
    return (u, v, w, math.inf)


def _check_time(goals: Sequence[Goal], launch: Vector3, fastest: FourDof, context: LoadContext) -> None:
    """Warn where the run is too short for the plan of the guidance, or for the way at the largest speeds."""
    level, climb = math.hypot(fastest[0], fastest[1]), fastest[2]
    place, depth, needed, stays = (launch[0], launch[1]), launch[2], 0.0, 0.0
    for goal in goals:
        there, near = goal.north_east or place, max(NEAR, 2.0 * goal.tolerance)
        known = at_known_depth(goal, context.environment)
        down = depth if known is None else known.depth
        ways = ((math.dist(place, there), level), (abs(down - depth), climb))
        needed += goal.waits + max(max(way - near, 0.0) / speed if speed > 0.0 else 0.0 for way, speed in ways)
        place, depth, stays = there, down, stays + goal.waits
        needed = needed if goal.planned is None else goal.planned.time
        if needed > 1e-9 * context.duration_ns:
            rest = f", of which {stays:.3g} s at rest" if stays else ""
            speeds = f"{level:.3g} m/s over ground" + (f" and {climb:.3g} m/s up or down" if climb > 0.0 else "")
            speeds = speeds if goal.planned is None else f"up to {goal.planned.peak_speed:.3g} m/s"
            message = (
                f"cannot be reached: the way to it takes at least {needed:.3g} s at {speeds}{rest}, "
                f"but the run lasts {seconds(context.duration_ns)}. Give more time or speed"
            )
            context.at(*goal.path).warn("unfinished", message)
            return


def _check_lift(goals: Sequence[Goal], parameters: VehicleParameters, extent: Extent, context: LoadContext) -> None:
    """Compare net buoyancy with the vertical thrust, except for vehicles with moving masses or tanks."""
    if parameters.moving_masses or "heave" in parameters.locked:
        return
    if not np.isfinite(thrust_limits(parameters)).all():
        return
    up, heave = net_buoyancy(parameters), reachable_wrench(parameters)[2].alone
    thrust, way, other = (heave[1], "buoyancy", "downwards") if up > 0.0 else (-heave[0], "weight", "upwards")
    is_carried = bool(goals) and all(_is_carried(goal, up > 0.0, extent, context) for goal in goals)
    if is_carried or (thrust > 0.0 and abs(up) <= thrust):
        return
    message = f"asks for a depth, but a net {way} of {abs(up):.3g} N is more than the thrust of {thrust:.3g} N {other}"
    if thrust <= 0.0:
        message = f"asks for a depth, but no thruster pushes {other}"
    context.warn("tracking", message)


def _check_axes(plant: Plant, disabled: Sequence[str], context: LoadContext) -> None:
    """Warn where the thrusters cannot drive a vehicle in each horizontal, vertical and yaw direction that is free."""
    parameters = plant.vehicle.parameters
    free = [axis for axis in (0, 1, 2, 5) if DEGREES_OF_FREEDOM[axis] not in (*parameters.locked, *plant.locked)]
    if not parameters.thrusters or parameters.moving_masses:
        return
    used = np.array([name not in disabled for name in parameters.thruster_names])
    rows = allocation_matrix(parameters)[free] * used
    rank = int(np.linalg.matrix_rank(rows, tol=RANK_TOLERANCE * max(1.0, np.abs(rows).max(initial=0.0))))
    if rank == len(free):
        return
    lost = [
        DEGREES_OF_FREEDOM[axis] for axis, row in zip(free, rows, strict=True) if not np.abs(row).max(initial=0.0) > 0.0
    ]
    which = f": none drives {listed(lost)}" if lost else ", because some of them push along the same lines"
    which = f" without {listed(disabled)}{which}" if disabled else which
    message = (
        f"asks for a position and heading, but the thrusters control {rank} of the {len(free)} free directions{which}"
    )
    context.warn("tracking", f"{message}. Add thrusters, or steer under way, e.g. by line_of_sight")


def _check_current(launch: Vector3 | None, parameters: VehicleParameters, context: LoadContext) -> None:
    """Warn where the current at the start is faster than the vehicle at full thrust in any horizontal direction."""
    current = context.environment.at(0, launch or ZERO3).velocity
    u, v = full_speeds(parameters, ZERO3)[:2]
    speed, most = math.hypot(current[0], current[1]), math.hypot(u, v)
    if speed > most:
        message = (
            f"asks for a position in a current of {speed:.3g} m/s, but full thrust gives at most {u:.3g} m/s ahead and "
            f"{v:.3g} m/s to the side through the water. Lower the current, or choose stronger thrusters"
        )
        context.warn("tracking", message)


def _is_carried(goal: Goal, floats: bool, extent: Extent, context: LoadContext) -> bool:
    """Whether surface or bed supports the vehicle at a goal."""
    if floats:
        return context.environment.has_surface and goal.depth - extent.above < context.environment.surface_depth
    bed = bed_depth(goal, context.environment)
    return bed is not None and goal.depth + extent.below >= bed


def _check_speeds(asked: FourDof, parameters: VehicleParameters, context: LoadContext) -> None:
    """Compare with the terminal speeds at full thrust; any heading is possible, so surge is the best case."""
    if not np.isfinite(thrust_limits(parameters)).all():
        return
    reaches = reachable_wrench(parameters)
    axes = ((0, asked[0], "m/s", "ahead"), (2, asked[2], "m/s", "up or down"), (5, asked[3], "rad/s", "in yaw"))
    for axis, speed, unit, words in axes:
        thrust = max(abs(end) for end in reaches[axis].alone)
        most = terminal_speed(parameters, axis, thrust) if thrust > 0.0 else None
        if most is not None and speed > FASTER * most:
            message = f"asks for {speed:.2g} {unit} {words}, but full thrust gives {most:.2g} {unit} against drag"
            context.warn("speed", message)


def check_step(vehicle: VehicleSetup, method: IntegrationMethod, context: LoadContext) -> None:
    """Refuse a step that is unstable at the start of a vehicle; note one that is at its full speed along an axis."""
    interval, start = 1e-9 * context.step_ns, np.asarray(vehicle.start, dtype=float)
    north, east, down = start[:3].tolist()
    current = np.array(context.environment.at(0, (north, east, down)).velocity)
    packed = vehicle.plant.packed
    at_rest = longest_step(packed, interval, method)
    longest = min(at_rest, longest_step(packed, interval, method, start, current))
    step, fix = f"the step of {seconds(context.step_ns)}", "Give a step of at most"
    if longest < interval:
        when = "damps or rights itself too fast at rest" if at_rest < interval else "starts with a motion too fast"
        context.refuse(f"{when}: {step} is unstable. {fix} {1e3 * longest:.2g} ms.", shows_value=False)
        return
    for state, speed, words in _at_full_speed(vehicle):
        if (longest := longest_step(packed, interval, method, state)) < interval:
            message = f"reaches {speed:.2g} m/s {words} at full thrust, where {step} is unstable. {fix}"
            context.note(f"{message} {1e3 * longest:.2g} ms.", shows_value=False)


def _at_full_speed(vehicle: VehicleSetup) -> list[tuple[Array, float, str]]:
    """Level states at the largest speed through the water along each axis, with the speeds and words for them."""
    found = []
    for axis, (speed, words) in enumerate(
        zip(full_speeds(vehicle.plant.vehicle.parameters, ZERO3)[:3], ("ahead", "sideways", "downwards"), strict=True)
    ):
        if math.isfinite(speed) and speed > 0.0:
            state = np.asarray(vehicle.start, dtype=float).copy()
            state[3:13] = (1.0, *(0.0,) * 9)
            state[7 + axis] = speed
            found.append((state, speed, words))
    return found
