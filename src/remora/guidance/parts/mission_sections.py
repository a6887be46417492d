"""Sections of a mission: behaviours and keep-out zones, and their checks."""

import math
from itertools import pairwise
from typing import Annotated, Literal, TypeAlias, TypeVar

from pydantic import Field as Alias

from remora.equations.guidance.keep_out import Zone, zone_distance
from remora.equations.types import Vector3, Vector4
from remora.files.problems import listed
from remora.files.quantities import Is, Quantity, positive
from remora.files.section import Length3, Section
from remora.files.units import ANGLE, FORCE, LENGTH, POWER, SPEED
from remora.guidance.mission import (
    DOCK_DWELL,
    DOCK_HEADING_TOLERANCE,
    DOCK_TOLERANCE,
    MissionTarget,
    pipeline_targets,
    survey_targets,
)
from remora.messages.part_options import Duration, Goal, Moment, PartError, Remark, VehicleContext
from remora.vehicles.sections.device_sections import Angle

T = TypeVar("T")
MOST_LINES = 1000  # of a survey
CHARGING_TIME = 3600.0  # s, for a full charge, unless a power is given
PositiveLength: TypeAlias = Annotated[Quantity[float], Is(LENGTH, rule=positive)]

# Keys of each behaviour: those that it needs, and those that it may have.
COMMON = ("tolerance", "heading_tolerance", "dwell")
KEYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "go_to": (("position",), ("heading", "altitude", "velocity")),
    "lift_off": (("height",), ()),
    "rotate": (("heading",), ()),
    "transit": (("position",), ("altitude",)),
    "set_down": (("depth",), ()),
    "dive": ((), ("depth", "heading")),
    "push": (("force", "for"), ()),
    "survey": (("position", "length", "spacing", "lines"), ("heading", "altitude")),
    "pipeline": (("points",), ("altitude",)),
    "return": ((), ()),
    "dock": (("position", "heading"), ()),
    "recharge": (("dwell",), ("power",)),
}


class BehaviourSection(Section):
    """One behaviour of a mission."""

    do: Literal[
        "go_to", "lift_off", "rotate", "transit", "set_down", "dive", "push", "survey", "pipeline", "return", "dock",
        "recharge",
    ]  # fmt: skip
    position: Length3 | None = None
    heading: Angle | None = None
    depth: Annotated[Quantity[float], Is(LENGTH)] | None = None
    height: PositiveLength | None = None
    altitude: PositiveLength | None = None
    velocity: Annotated[Quantity[Vector3], Is(SPEED, (3,))] | None = None
    length: PositiveLength | None = None
    spacing: PositiveLength | None = None
    lines: int | None = None
    points: list[Length3] | None = None
    dwell: Moment | None = None
    force: Annotated[Quantity[Vector3], Is(FORCE, (3,))] | None = None
    for_: Duration | None = Alias(default=None, alias="for")
    power: Annotated[Quantity[float], Is(POWER, rule=positive)] | None = None
    tolerance: PositiveLength | None = None
    heading_tolerance: Annotated[Quantity[float], Is(ANGLE, rule=positive)] | None = None


class ZoneSection(Section):
    """A keep-out zone: a sphere, or with `column` a cylinder over the whole depth."""

    position: Length3
    radius: PositiveLength
    column: bool = False


def mission_targets(entries: list[BehaviourSection], capacity: float | None = None) -> tuple[MissionTarget, ...]:
    """All targets of a mission; PartError for behaviours with missing or wrong keys.

    The battery, with a capacity in J, sets the charging power where an entry gives none; None without battery.
    """
    if not entries:
        raise PartError("there is no behaviour. Give at least one.", "mission")
    targets: list[MissionTarget] = []
    for index, entry in enumerate(entries):
        _check_keys(entry, index)
        targets += _targets(entry, index)
        if entry.do == "recharge":
            targets[-1] = targets[-1]._replace(charging_power=_charging_power(entry, index, capacity))
    return tuple(targets)


def _charging_power(entry: BehaviourSection, index: int, capacity: float | None) -> float:
    """Power of the station, W; zero without a battery."""
    if entry.power is None:
        return 0.0 if capacity is None else capacity / CHARGING_TIME
    if capacity is None:
        raise PartError(
            "the vehicle has no battery to charge. Leave it out, or give its file a section battery.",
            "mission",
            index,
            "power",
        )
    return entry.power.value


def battery_capacity(onboard: VehicleContext) -> float | None:
    """Capacity of the battery of a vehicle, J; None without one."""
    supply = onboard.vehicle.parameters.supply
    return None if supply is None else supply.battery.capacity


def _check_keys(entry: BehaviourSection, index: int) -> None:
    needed, allowed = KEYS[entry.do]
    given = {
        name.rstrip("_")
        for name in type(entry).model_fields
        if name not in ("do", "source") and getattr(entry, name) is not None
    }
    if missing := [name for name in needed if name not in given]:
        raise PartError(f'"{entry.do}" needs {listed(missing)}.', "mission", index)
    if entry.do == "dive" and not given & {"depth", "heading"}:
        raise PartError('"dive" needs depth, heading or both.', "mission", index)
    if wrong := sorted(given - {*needed, *allowed, *COMMON}):
        known = listed((*needed, *allowed, *COMMON))
        raise PartError(f'"{entry.do}" takes no {listed(wrong)}, only {known}.', "mission", index, wrong[0])


def _targets(entry: BehaviourSection, index: int) -> list[MissionTarget]:
    """The targets of one behaviour."""
    position, heading = _value(entry.position), _value(entry.heading)
    altitude = _value(entry.altitude)
    if entry.do == "survey":
        assert position is not None
        assert entry.length is not None
        assert entry.spacing is not None
        if entry.lines is None or not 1 <= entry.lines <= MOST_LINES:
            raise PartError(f"must be from 1 to {MOST_LINES}.", "mission", index, "lines")
        ends = survey_targets(position, heading or 0.0, entry.length.value, entry.spacing.value, entry.lines, index)
        return [_tolerant(end._replace(altitude=altitude), entry) for end in ends]
    if entry.do == "pipeline":
        ends = pipeline_targets(_route(entry, index), index)
        return [_tolerant(end._replace(altitude=altitude), entry) for end in ends]
    target = MissionTarget(
        entry.do,
        index,
        None if position is None else position[:2],
        position[2] if position is not None else _value(entry.depth),
        _value(entry.height) or 0.0,
        altitude,
        heading,
        is_along=entry.do == "transit",
        velocity=_value(entry.velocity) or (0.0, 0.0, 0.0),
        is_return=entry.do == "return",
        at_rest=entry.do in ("dock", "recharge"),
        push=None if entry.force is None else (*entry.force.value, 0.0),
        lasts=_value(entry.for_) or 0.0,
    )
    if entry.do == "dock":
        target = target._replace(tolerance=DOCK_TOLERANCE, heading_tolerance=DOCK_HEADING_TOLERANCE, dwell=DOCK_DWELL)
    return [_tolerant(target, entry)]


def _route(entry: BehaviourSection, index: int) -> tuple[Vector3, ...]:
    """Charted points of a pipeline; PartError for fewer than two, and for equal ones."""
    route = tuple(point.value for point in entry.points or ())
    if len(route) < 2:
        raise PartError("must hold at least two points, the ends of the pipeline.", "mission", index, "points")
    for number, (start, end) in enumerate(pairwise(route)):
        if start[:2] == end[:2]:
            message = f"must differ from point {number + 1} in north or east."
            raise PartError(message, "mission", index, "points", number + 1)
    return route


def _value(quantity: Quantity[T] | None) -> T | None:
    return None if quantity is None else quantity.value


def _tolerant(target: MissionTarget, entry: BehaviourSection) -> MissionTarget:
    """The target with the tolerances and the dwell time of its entry, where it gives them."""
    if entry.tolerance is not None:
        target = target._replace(tolerance=entry.tolerance.value)
    if entry.heading_tolerance is not None:
        target = target._replace(heading_tolerance=entry.heading_tolerance.value)
    return target if entry.dwell is None else target._replace(dwell=entry.dwell.value)


def keep_out_zones(entries: list[ZoneSection]) -> tuple[Zone, ...]:
    """The zones of a scenario."""
    return tuple(Zone(one.position.value, one.radius.value, 0.0 if one.column else 1.0) for one in entries)


def check_start(zones: tuple[Zone, ...], launch: Vector3) -> None:
    """PartError for a start inside a keep-out zone."""
    for number, zone in enumerate(zones):
        if (inside := -zone_distance(zone, launch)[0]) > 0.0:
            message = f"holds the start of the vehicle, {inside:.2g} m inside its edge. Move the zone or the vehicle."
            raise PartError(message, "keep_out", number)


def check_moving_targets(targets: tuple[MissionTarget, ...], max_speeds: Vector4) -> None:
    """PartError for a moving target that is faster than the speed limits in m/s allow at any heading."""
    level, climb = math.hypot(max_speeds[0], max_speeds[1]), max_speeds[2]
    for target in targets:
        along, down = math.hypot(target.velocity[0], target.velocity[1]), abs(target.velocity[2])
        if along > level or down > climb:
            message = (
                f"the target moves at {along:.3g} m/s and {down:.3g} m/s up or down, but max_speeds allow at most "
                f"{level:.3g} and {climb:.3g} m/s. Give a slower target, or larger max_speeds."
            )
            raise PartError(message, "mission", target.entry, "velocity")


def check_no_push(targets: tuple[MissionTarget, ...]) -> None:
    """PartError for a push, which guidance by velocities does not give."""
    for target in targets:
        if target.push is not None:
            message = "is a force, but this guidance gives velocities. Use pilot with mode: depth_hold, or a go_to."
            raise PartError(message, "mission", target.entry, "do")


def mission_goals(targets: tuple[MissionTarget, ...], launch: Vector3) -> tuple[Goal, ...]:
    """Depth or altitude and place of every target, followed from the launch on."""
    place, depth, altitude, found = (launch[0], launch[1]), launch[2], None, list[Goal]()
    for target in targets:
        if target.is_return:
            place, depth, altitude = (launch[0], launch[1]), launch[2], None
        if target.altitude is not None or target.depth is not None:
            altitude = target.altitude
        place = target.north_east or place
        depth = (depth if target.depth is None else target.depth) - target.rise
        altitude = None if altitude is None else altitude + target.rise
        tolerance = math.inf if any(target.velocity) else target.tolerance  # a moving target may come closer
        found.append(Goal(("mission", target.entry), depth, place, altitude, tolerance, target.dwell))
    return tuple(found)


def mission_remarks(targets: tuple[MissionTarget, ...]) -> tuple[Remark, ...]:
    """A recharge that follows no dock."""
    found = []
    for before, target in pairwise((None, *targets)):
        if target is None or target.behaviour != "recharge" or (before and before.behaviour in ("dock", "recharge")):
            continue
        text = "follows no dock: the vehicle is charged wherever it rests. Put a dock at the station before it."
        found.append(Remark(("mission", target.entry, "do"), text))
    return tuple(found)
