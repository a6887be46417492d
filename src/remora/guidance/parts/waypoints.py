"""Waypoint guidance as a part: options, limits and events."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, TypeAlias, final

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.types import FourDof, Vector3
from remora.files.problems import Path
from remora.files.quantities import Is, Quantity, positive
from remora.files.section import Length3, Section
from remora.files.units import ACCELERATION, ANGLE, JERK, LENGTH, SPEED, TURN_RATE
from remora.guidance.parts import GuidancePart
from remora.guidance.parts.hold_and_tunnel import position_goal
from remora.guidance.signals import PoseReference
from remora.guidance.waypoints import PATIENCE, Waypoint, WaypointGuidance, WaypointState, start_event, unfinished_text
from remora.messages.estimate import POSE as POSE_NEEDS
from remora.messages.part import PartInput, PartReport, ReachedPoint, Role
from remora.messages.part_options import (
    Goal,
    Moment,
    PartError,
    PartKind,
    PartOptions,
    PlannedArrival,
    Remark,
    VehicleContext,
)
from remora.messages.reference import POSE, POSE_FIELDS
from remora.vehicles.sections.device_sections import Angle

REACHED = 0.9  # fraction of the requested speed that counts as reached
PositiveSpeed: TypeAlias = Annotated[Quantity[float], Is(SPEED, rule=positive)]
PositiveLength: TypeAlias = Annotated[Quantity[float], Is(LENGTH, rule=positive)]


class WaypointSection(Section):
    """A waypoint: position, heading, speed towards it and time to stay."""

    position: Length3
    heading: Angle | None = None
    speed: PositiveSpeed | None = None
    stay: Moment | None = None


class WaypointOptions(PartOptions):
    """Waypoints, speeds and tolerances."""

    points: list[WaypointSection]
    speed: PositiveSpeed
    acceleration: Annotated[Quantity[float], Is(ACCELERATION, rule=positive)] | None = None
    turn_rate: Annotated[Quantity[float], Is(TURN_RATE, rule=positive)] | None = None
    tolerance: PositiveLength | None = None
    heading_tolerance: Annotated[Quantity[float], Is(ANGLE, rule=positive)] | None = None
    max_lead: PositiveLength | None = None
    jerk: Annotated[Quantity[float], Is(JERK, rule=positive)] | None = None


@final
@dataclass(frozen=True)
class Waypoints(GuidancePart):
    """Legs from the first known pose, with a reference that waits for the vehicle."""

    guidance: WaypointGuidance
    launch: Vector3  # expected start of the first leg, m in N
    own_speeds: frozenset[int] = frozenset()  # indices of the waypoints with a speed of their own
    needs = POSE_NEEDS
    fields = POSE_FIELDS

    @property
    def peak_speeds(self) -> FourDof:
        """Largest speeds of the reference: surge and sway (at any heading), heave and yaw."""
        law, place, level, down, turning = self.guidance, self.launch, 0.0, 0.0, 0.0
        for point in law.points:
            leg = law.leg(place, 0.0, point)
            length = math.hypot(*leg.way) or 1.0
            level = max(level, leg.peak_speed * math.hypot(leg.way[0], leg.way[1]) / length)
            down = max(down, leg.peak_speed * abs(leg.way[2]) / length)
            turning = max(turning, 0.0 if point.heading is None else law.turn_rate)
            place = point.p_N
        return (level, level, down, turning)

    @property
    def goals(self) -> tuple[Goal, ...]:
        """All points; each waits for the stay at the one before."""
        stays, tolerance = (0.0, *(point.stay for point in self.guidance.points)), self.guidance.tolerance
        return tuple(
            position_goal(point.p_N, "points", index, "position")._replace(
                tolerance=tolerance, waits=stay, planned=planned
            )
            for index, (point, stay, planned) in enumerate(
                zip(self.guidance.points, stays, self._planned(), strict=False)
            )
        )

    def _planned(self) -> Iterator[PlannedArrival]:
        """Arrival of the reference at each waypoint, without a turn on the first leg: the start heading is unknown."""
        place, heading, time, peak = self.launch, self.guidance.points[0].heading or 0.0, 0.0, 0.0
        for point in self.guidance.points:
            leg = self.guidance.leg(place, heading, point)
            time, peak = time + leg.duration, max(peak, leg.peak_speed)
            yield PlannedArrival(time, peak)
            place, heading, time = point.p_N, heading + leg.turn, time + point.stay

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Speeds that cannot be reached with the acceleration: of single waypoints, and of the whole list."""
        legs = [(index, asked, peak) for index, asked, peak in self._speeds() if peak > 0.0]
        found = [
            _not_reached(("points", index, "speed"), "this leg", peak)
            for index, asked, peak in legs
            if index in self.own_speeds and peak < REACHED * asked
        ]
        others = [(asked, peak) for index, asked, peak in legs if index not in self.own_speeds]
        if others and all(peak < REACHED * asked for asked, peak in others):
            found.append(_not_reached(("speed",), "any leg", max(peak for _, peak in others)))
        return tuple(found)

    def _speeds(self) -> Iterator[tuple[int, float, float]]:
        """Index of each waypoint, requested speed and peak speed of the leg to it."""
        place = self.launch
        for index, point in enumerate(self.guidance.points):
            yield index, point.speed, self.guidance.leg(place, 0.0, point).peak_speed
            place = point.p_N

    def initial(self) -> WaypointState | None:
        """Before the first step."""
        return None

    def step(self, state: WaypointState | None, now: PartInput) -> tuple[WaypointState | None, PoseReference | None]:
        """The reference; None before the first known pose."""
        p_NB, heading = (math.nan, math.nan, math.nan), math.nan
        if now.estimate is not None:
            p_NB, heading = now.estimate.p_NB, to_euler_zyx(now.estimate.q_NB)[2]
        if state is None and not math.isfinite(sum(p_NB) + heading):
            return None, None
        begun = self.guidance.begun(now.time_ns, p_NB, heading) if state is None else state
        return self.guidance.step(begun, now.time_ns, p_NB, heading)

    def unfinished(self, state: WaypointState | None) -> str:
        """Number of waypoints reached; empty when all are."""
        return unfinished_text(self._reached_count(state), len(self.guidance.points))

    def latest_reached(self, state: WaypointState | None) -> ReachedPoint | None:
        """The latest waypoint that was reached; None before the first."""
        number = self._reached_count(state)
        return ReachedPoint(number, self.guidance.tolerance) if number else None

    def _reached_count(self, state: WaypointState | None) -> int:
        if state is None:
            return 0
        return state.target + (state.reached_ns is not None and state.target < len(self.guidance.points))

    def reports(self, before: WaypointState | None, after: WaypointState | None) -> Iterator[PartReport]:
        """Waypoints reached, and a warning when the vehicle does not keep up."""
        if after is None:
            return
        count = len(self.guidance.points)
        if before is None:
            yield start_event(count)
            before = after._replace(target=0, reached_ns=None, waited=0.0)
        # A point that is the same as the one before is reached in the step in which its leg begins.
        is_new = before.reached_ns is None or before.target < after.target
        if is_new and after.reached_ns is not None:
            yield self._reached(after, after.reached_ns)
        if before.target < count == after.target:
            yield PartReport(
                "info", f"all {count} waypoints reached, the list is finished", {"finished": True, "of": count}
            )
        if before.waited < PATIENCE <= after.waited:
            where = f"waypoint {after.target + 1} of {count}"
            text = f"the vehicle does not keep up: the reference has waited for {PATIENCE:g} s on the way to {where}"
            yield PartReport("warning", text, {"waypoint": after.target + 1, "of": count})

    def _reached(self, state: WaypointState, time_ns: int) -> PartReport:
        """The event of a waypoint reached, with the delay when it is large."""
        number, count = state.target + 1, len(self.guidance.points)
        planned, data = self.guidance.planned_ns(state), {"waypoint": number, "of": count}
        late, text = 1e-9 * (time_ns - planned), f"waypoint {number} of {count} reached"
        if late < PATIENCE:
            return PartReport("info", text, data)
        return PartReport("info", f"{text}, {late:.3g} s later than planned", {**data, "planned": 1e-9 * planned})


def make_waypoints(options: WaypointOptions, onboard: VehicleContext) -> Waypoints:
    """Legs between the points of a scenario."""
    if not options.points:
        raise PartError("there is no point to go to. Give at least one.", "points")
    points = tuple(
        Waypoint(
            point.position.value,
            point.heading.value if point.heading else None,
            (point.speed or options.speed).value,
            point.stay.value if point.stay else 0.0,
        )
        for point in options.points
    )
    names = ("acceleration", "turn_rate", "tolerance", "heading_tolerance", "max_lead", "jerk")
    limits = {name: given.value for name in names if (given := getattr(options, name)) is not None}
    if (lead := limits.get("max_lead", math.inf)) < limits.get("tolerance", 0.0):
        raise PartError(f"must not be above the max_lead of {lead:g} m.", "tolerance")
    own_speeds = frozenset(index for index, point in enumerate(options.points) if point.speed)
    return Waypoints(WaypointGuidance(points, **limits), onboard.launch, own_speeds)


def _not_reached(path: Path, where: str, peak: float) -> Remark:
    """The remark on a speed for which the legs are too short."""
    text = f"is not reached on {where}: length and acceleration allow for {peak:.2g} m/s at most"
    return Remark(path, f"{text}. Give a larger acceleration or a lower speed.")


WAYPOINTS = PartKind("waypoints", Role.GUIDANCE, WaypointOptions, make_waypoints, gives=POSE)
