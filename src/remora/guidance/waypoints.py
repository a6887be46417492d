"""Waypoint guidance: straight minimum-jerk legs from rest to rest, with a reference that waits for the vehicle.

The reference follows the leg in time while the vehicle keeps up, slows down when the vehicle falls behind, and stops at
the largest lead. A waypoint is reached when the vehicle is within the tolerances.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, final

from remora.equations.algebra.vectors import ZERO3, add3, scale3, subtract3
from remora.equations.guidance.minimum_snap import SNAP_PEAK_RATE, SnapMotion, minimum_snap, minimum_snap_duration
from remora.equations.types import Vector3
from remora.files.units import SECOND
from remora.guidance.minimum_jerk import PEAK_RATE, BlendLimits, ScalarMotion, blended, rest_to_rest_duration
from remora.guidance.signals import PoseReference
from remora.messages.part import PartReport

ACCELERATION, TURN_RATE = 0.1, 0.2  # m/s2 and rad/s, peaks
TOLERANCE, HEADING_TOLERANCE = 0.3, math.radians(10.0)  # m, rad
MAX_LEAD, LARGEST_HEADING_LEAD = 1.0, math.radians(60.0)  # of the reference over the vehicle; m, rad
PATIENCE = 5.0  # s of waiting on one leg before a warning


class Waypoint(NamedTuple):
    """A position, the heading there (None: unchanged), the peak speed of the leg and the time to stay."""

    p_N: Vector3
    heading: float | None
    speed: float
    stay: float


class WaypointLeg(NamedTuple):
    """Straight leg from one pose to the next."""

    start: Vector3
    way: Vector3
    heading: float
    turn: float
    duration: float  # s, when the vehicle keeps up
    is_snap: bool = False  # whether the motion along it has minimum snap instead of minimum jerk

    @property
    def peak_speed(self) -> float:
        """The largest speed of the reference, m/s."""
        peak = SNAP_PEAK_RATE if self.is_snap else PEAK_RATE
        return peak * math.hypot(*self.way) / self.duration if self.duration > 0.0 else 0.0


class WaypointState(NamedTuple):
    """Progress along the list of waypoints."""

    time_ns: int  # of the last step
    target: int  # index of the next waypoint; the number of waypoints when the list is finished
    start: Vector3  # of the leg
    heading: float  # at the start of the leg
    elapsed: float = 0.0  # s, along the leg
    reached_ns: int | None = None  # when the waypoint was reached
    waited: float = 0.0  # s, on this leg
    begun_ns: int = 0  # when the first leg began
    planned: float = 0.0  # s, duration of all earlier legs and stays when the vehicle keeps up


@final
@dataclass(frozen=True)
class WaypointGuidance:
    """Successive legs from the first known pose; after the last one, station keeping at the last waypoint."""

    points: tuple[Waypoint, ...]
    acceleration: float = ACCELERATION  # m/s2, peak
    turn_rate: float = TURN_RATE  # rad/s, peak
    tolerance: float = TOLERANCE  # m
    heading_tolerance: float = HEADING_TOLERANCE  # rad, at waypoints with a heading
    max_lead: float = MAX_LEAD  # m
    jerk: float | None = None  # m/s3, peak; legs are of minimum snap then, else of minimum jerk

    def begun(self, time_ns: int, p_NB: Vector3, heading: float) -> WaypointState:
        """State at the start of the first leg."""
        return WaypointState(time_ns, 0, p_NB, heading, begun_ns=time_ns)

    def planned_ns(self, state: WaypointState) -> int:
        """Planned arrival at the next waypoint."""
        leg = self.leg(state.start, state.heading, self.points[state.target])
        return state.begun_ns + round((state.planned + leg.duration) * SECOND)

    def step(
        self, state: WaypointState, time_ns: int, p_NB: Vector3, heading: float
    ) -> tuple[WaypointState, PoseReference]:
        """The reference at a time, for a vehicle at a pose; while the pose is unknown the reference waits."""
        step = (time_ns - state.time_ns) / SECOND
        state = self._next_leg(state._replace(time_ns=time_ns), time_ns)
        if state.target == len(self.points):
            return state, PoseReference(state.start, state.heading, ZERO3, 0.0)
        leg, point = self.leg(state.start, state.heading, self.points[state.target]), self.points[state.target]
        pace = 0.0 if state.reached_ns is not None else self._pace(on_leg(leg, state.elapsed, 1.0), p_NB, heading)
        elapsed = min(state.elapsed + pace * step, leg.duration)
        state = state._replace(elapsed=elapsed)
        if elapsed >= leg.duration and state.reached_ns is None and self._is_there(leg, point, p_NB, heading):
            state = state._replace(reached_ns=time_ns)
        elif state.reached_ns is None and (pace < 1.0 or elapsed >= leg.duration):
            state = state._replace(waited=state.waited + step)
        return state, on_leg(leg, elapsed, pace)

    def leg(self, place: Vector3, heading: float, point: Waypoint) -> WaypointLeg:
        """The leg to a waypoint."""
        way = subtract3(point.p_N, place)
        turn = 0.0 if point.heading is None else math.remainder(point.heading - heading, 2.0 * math.pi)
        if self.jerk is not None:
            turning = minimum_snap_duration(turn, self.turn_rate, self.turn_rate, self.turn_rate)
            moving = minimum_snap_duration(math.hypot(*way), point.speed, self.acceleration, self.jerk)
            return WaypointLeg(place, way, heading, turn, max(moving, turning), is_snap=True)
        duration = max(
            rest_to_rest_duration(math.hypot(*way), BlendLimits(point.speed, self.acceleration)),
            rest_to_rest_duration(turn, BlendLimits(self.turn_rate, self.turn_rate)),
        )
        return WaypointLeg(place, way, heading, turn, duration)

    def _next_leg(self, state: WaypointState, time_ns: int) -> WaypointState:
        """State on the next leg, once the stay at a waypoint is over."""
        if state.reached_ns is None or time_ns - state.reached_ns < self.points[state.target].stay * SECOND:
            return state
        point = self.points[state.target]
        leg = self.leg(state.start, state.heading, point)
        planned, heading = state.planned + leg.duration + point.stay, state.heading + leg.turn
        return WaypointState(time_ns, state.target + 1, point.p_N, heading, begun_ns=state.begun_ns, planned=planned)

    def _pace(self, reference: PoseReference, p_NB: Vector3, heading: float) -> float:
        """Speed factor of the reference: one near the vehicle, decreasing with the distance, then zero."""
        behind = math.dist(reference.p_NR, p_NB) / self.max_lead
        off = abs(math.remainder(reference.heading - heading, 2.0 * math.pi)) / LARGEST_HEADING_LEAD
        room = 2.0 * (1.0 - max(behind, off))
        return min(max(room, 0.0), 1.0) if math.isfinite(behind + off) else 0.0

    def _is_there(self, leg: WaypointLeg, point: Waypoint, p_NB: Vector3, heading: float) -> bool:
        off = 0.0 if point.heading is None else abs(math.remainder(point.heading - heading, 2.0 * math.pi))
        return math.dist(point.p_N, p_NB) <= self.tolerance and off <= self.heading_tolerance


def on_leg(leg: WaypointLeg, elapsed: float, pace: float) -> PoseReference:
    """Reference on a leg, a time in seconds after its start, moving at a fraction `pace` of the planned speed."""
    if elapsed >= leg.duration:
        return PoseReference(add3(leg.start, leg.way), leg.heading + leg.turn, ZERO3, 0.0)
    share: ScalarMotion | SnapMotion
    if leg.is_snap:
        share = minimum_snap(SnapMotion(0.0, 0.0, 0.0, 0.0), 1.0, leg.duration, elapsed)
    else:
        share = blended(ScalarMotion(0.0, 0.0, 0.0), 1.0, leg.duration, elapsed)
    return PoseReference(
        add3(leg.start, scale3(share.value, leg.way)),
        leg.heading + share.value * leg.turn,
        scale3(pace * share.rate, leg.way),
        pace * share.rate * leg.turn,
    )


def start_event(count: int) -> PartReport:
    """The event at the start of the list."""
    return PartReport("info", f"goes to {count} waypoint{'s' if count > 1 else ''}", {"waypoint": 0, "of": count})


def unfinished_text(reached: int, count: int) -> str:
    """Number of waypoints reached; empty when all are."""
    return "" if reached >= count else f"{reached} of {count} waypoint{'s' if count > 1 else ''} reached"


def reached_points(before: int | None, after: int, count: int) -> Iterator[PartReport]:
    """Events of points, out of a number, that were reached on legs whose last course is kept."""
    if before is None:
        yield start_event(count)
    for number in range(1 + (before or 0), after + 1):
        yield PartReport("info", f"waypoint {number} of {count} reached", {"waypoint": number, "of": count})
    if (before or 0) < count == after:
        yield PartReport(
            "info", f"all {count} waypoints reached, the last course is kept", {"finished": True, "of": count}
        )
