"""Sections of a mission: behaviours and keep-out zones, and their checks."""

from itertools import pairwise
from typing import Annotated, Literal, TypeAlias, TypeVar

from remora.equations.algebra.vectors import Vector3
from remora.equations.guidance.keep_out import Zone, zone_distance
from remora.files.problems import listed
from remora.files.quantities import Is, Quantity, positive
from remora.files.section import Length3, Section
from remora.files.units import ANGLE, LENGTH, POWER, SPEED
from remora.guidance.mission import (
    DOCK_DWELL,
    DOCK_HEADING_TOLERANCE,
    DOCK_TOLERANCE,
    MissionTarget,
    pipeline_targets,
    survey_targets,
)
from remora.messages.part_options import Goal, Moment, PartError, VehicleContext
from remora.vehicles.sections.device_sections import Angle

T = TypeVar("T")
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
    "survey": (("position", "length", "spacing", "lines"), ("heading", "altitude")),
    "pipeline": (("points",), ("altitude",)),
    "return": ((), ()),
    "dock": (("position", "heading"), ()),
    "recharge": (("dwell",), ("power",)),
}


class BehaviourSection(Section):
    """One behaviour of a mission."""

    do: Literal[
        "go_to", "lift_off", "rotate", "transit", "set_down", "survey", "pipeline", "return", "dock", "recharge"
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
        name for name in type(entry).model_fields if name not in ("do", "source") and getattr(entry, name) is not None
    }
    if missing := [name for name in needed if name not in given]:
        raise PartError(f'"{entry.do}" needs {listed(missing)}.', "mission", index)
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
        if entry.lines is None or entry.lines < 1:
            raise PartError("must be at least 1.", "mission", index, "lines")
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


def check_reachable(targets: tuple[MissionTarget, ...], zones: tuple[Zone, ...], launch: Vector3) -> None:
    """PartError for a target inside a keep-out zone, and for a start inside one."""
    for number, zone in enumerate(zones):
        if (inside := -zone_distance(zone, launch)[0]) > 0.0:
            message = f"holds the start of the vehicle, {inside:.2g} m inside its edge. Move the zone or the vehicle."
            raise PartError(message, "keep_out", number)
        for target in targets:
            if target.north_east is None or (target.depth is None and zone.vertical > 0.0):
                continue
            place = (*target.north_east, target.depth or 0.0)
            if (inside := -zone_distance(zone, place)[0]) > 0.0:
                where = (
                    f"it lies {inside:.2g} m inside the edge of keep-out zone {number + 1} at "
                    f"({zone.center[0]:g}, {zone.center[1]:g}) m. Move it, or make the zone smaller."
                )
                if target.behaviour in ("survey", "pipeline"):
                    point = (
                        f"the point at ({place[0]:.4g}, {place[1]:.4g}, {place[2]:.4g}) m of this {target.behaviour}"
                    )
                    raise PartError(f"{point} cannot be reached: {where}", "mission", target.entry, "do")
                raise PartError(f"cannot be reached: {where}", "mission", target.entry, "position")


def mission_goals(targets: tuple[MissionTarget, ...], launch: Vector3) -> tuple[Goal, ...]:
    """Depth and place of every target, followed from the launch on."""
    place, depth, found = (launch[0], launch[1]), launch[2], []
    for target in targets:
        if target.is_return:
            place, depth = (launch[0], launch[1]), launch[2]
        place = target.north_east or place
        depth = (depth if target.depth is None else target.depth) - target.rise
        found.append(Goal(("mission", target.entry), depth, place))
    return tuple(found)
