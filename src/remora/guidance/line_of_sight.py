"""Line of sight: guidance of a vehicle under way along straight legs between points, level or in three dimensions.

The vehicle steers for a point on the leg one lookahead distance ahead. An integral of the cross-track error compensates
a current (Borhaug, Pavlov and Pettersen 2008; Fossen 2011, ch. 10); `PathFollowing` has an adaptive law as well.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

from remora.equations.guidance.line_of_sight import (
    INTEGRAL,
    PathErrors,
    line_of_sight,
    line_of_sight_3d,
    path_angles,
    path_errors,
)
from remora.equations.types import Vector3
from remora.messages.reference import NO_LEG, Leg

SHORTEST = 0.1  # m, horizontal length of a leg


class LineOfSightReference(NamedTuple):
    """Depth, heading and speed to follow."""

    depth: float  # m
    heading: float  # rad
    speed: float  # m/s
    waypoint: int  # index of the next point; the number of points when all are passed
    leg: Leg = NO_LEG  # that leads there


class LineOfSightState(NamedTuple):
    """Progress along the legs."""

    start: tuple[float, float]  # north and east of the start of the present leg, m
    leg: int  # index of the point at its end
    integral: float  # m s, of the cross-track error
    time_ns: int


@final
@dataclass(frozen=True)
class LineOfSight:
    """Legs from the first known position to each point in turn; after the last point the course is kept.

    Parameters
    ----------
    points
        North, east and depth of each point, m.
    speed
        Speed ahead, m/s.
    lookahead
        Lookahead distance, m; a few vehicle lengths.
    radius
        Horizontal distance at which a point is reached, m; one that is abeam is reached too.
    integral_gain
        Gain of the integrated cross-track error, m/s; with zero a current causes a steady offset.
    """

    points: tuple[Vector3, ...]
    speed: float
    lookahead: float = 10.0
    radius: float = 2.0
    integral_gain: float = 0.1

    def __post_init__(self) -> None:
        check_path(self.points, (self.speed, self.lookahead, self.radius), self.integral_gain)

    def initial(self) -> LineOfSightState | None:
        """Before the first step."""
        return None

    def step(
        self, state: LineOfSightState | None, time_ns: int, p_NB: Vector3
    ) -> tuple[LineOfSightState, LineOfSightReference]:
        """The reference at a position."""
        if state is None:
            state = LineOfSightState((p_NB[0], p_NB[1]), 0, 0.0, time_ns)
        while state.leg < len(self.points) and self._is_reached(state, p_NB):
            here, following = self.points[state.leg][:2], self.points[state.leg + 1 : state.leg + 2]
            # A leg of no length has no course: an equal point, and the end of the list, keep that of the last leg.
            start = here if following and following[0][:2] != here else state.start
            state = state._replace(start=start, leg=state.leg + 1, integral=0.0)
        start, end = self._leg(state)
        _, across, course, _ = _on_leg(start, end, p_NB)
        elapsed = 1e-9 * (time_ns - state.time_ns)
        heading, growth = line_of_sight(INTEGRAL, course, across, state.integral, self.lookahead, self.integral_gain)
        depth = self.points[min(state.leg, len(self.points) - 1)][2]
        state = state._replace(integral=state.integral + growth * elapsed, time_ns=time_ns)
        leg = Leg((*start, depth), (*end, depth), across)
        return state, LineOfSightReference(depth, math.remainder(heading, math.tau), self.speed, state.leg, leg)

    def _leg(self, state: LineOfSightState) -> tuple[tuple[float, float], tuple[float, float]]:
        """Start and end of the present leg; after the last point the last leg continues."""
        north, east, _ = self.points[min(state.leg, len(self.points) - 1)]
        return state.start, (north, east)

    def _is_reached(self, state: LineOfSightState, p_NB: Vector3) -> bool:
        along, _, _, length = _on_leg(*self._leg(state), p_NB)
        north, east, _ = self.points[state.leg]
        return math.hypot(north - p_NB[0], east - p_NB[1]) <= self.radius or along >= length


def leg_at(start: Vector3, end: Vector3, p_NB: Vector3) -> Leg:
    """A leg between two points in N, m, with the cross-track error of a position; NO_LEG where it is vertical."""
    if math.hypot(end[0] - start[0], end[1] - start[1]) < SHORTEST:
        return NO_LEG
    return Leg(start, end, _on_leg(start[:2], end[:2], p_NB)[1])


def check_path(points: Sequence[Vector3], lengths: Sequence[float], gain: float) -> None:
    """Refuse an empty path and impossible settings: speed, lookahead distance and radius, and the gain; ValueError."""
    if not points:
        raise ValueError("there is no point to go to: give at least one")
    if not (all(length > 0.0 for length in lengths) and gain >= 0.0):
        raise ValueError("speed, lookahead and radius must be above zero, the gain not below it")


def _on_leg(start: tuple[float, float], end: tuple[float, float], p_NB: Vector3) -> tuple[float, float, float, float]:
    """Distance along a leg and to starboard of it, its course and its length."""
    north, east = end[0] - start[0], end[1] - start[1]
    course, length = math.atan2(east, north), math.hypot(north, east)
    c, s = math.cos(course), math.sin(course)
    away = (p_NB[0] - start[0], p_NB[1] - start[1])
    return c * away[0] + s * away[1], -s * away[0] + c * away[1], course, length


STEEPEST = math.radians(45.0)  # pitch towards the path
SHORTEST_COURSE = 1e-6  # m; a leg without horizontal length keeps the course of the last one
ADAPTIVE_GAIN = 0.002  # rad/(m s)


class PathFollowingState(NamedTuple):
    """Progress along the legs."""

    start: Vector3  # of the present leg, m
    leg: int  # index of the point at its end
    course: float  # of the present leg, rad
    memory: tuple[float, float]  # of the law: horizontal, vertical
    time_ns: int


@final
@dataclass(frozen=True)
class PathFollowing:
    """Depth, heading and speed along legs from the first position to each point in turn; the last course is kept.

    The depth is that of the line of sight one lookahead distance ahead, so that a sloping leg is followed without lag.

    Parameters
    ----------
    points
        North, east and depth of each point, m.
    speed
        Speed ahead, m/s.
    law
        PROPORTIONAL, INTEGRAL or ADAPTIVE.
    lookahead
        Lookahead distance, m; a few vehicle lengths.
    radius
        Horizontal distance at which a point is reached, m; one that is abeam is reached too.
    gain
        Of the integral in m/s, or of the adaptation in rad/(m s).
    """

    points: tuple[Vector3, ...]
    speed: float
    law: int = INTEGRAL
    lookahead: float = 10.0
    radius: float = 2.0
    gain: float = 0.1

    def __post_init__(self) -> None:
        check_path(self.points, (self.speed, self.lookahead, self.radius), self.gain)

    def initial(self) -> PathFollowingState | None:
        """Before the first step."""
        return None

    def step(
        self, state: PathFollowingState | None, time_ns: int, p_NB: Vector3
    ) -> tuple[PathFollowingState, LineOfSightReference]:
        """The reference at a position; `time_ns` in ns, `p_NB` in m."""
        if state is None:
            state = self._on_leg(p_NB, 0, 0.0, time_ns)
        while state.leg < len(self.points) and self._is_reached(state, p_NB):
            state = self._on_leg(self.points[state.leg], state.leg + 1, state.course, state.time_ns, state.start)
        errors, climb = self._errors(state, p_NB)
        pair = (self.lookahead, self.lookahead)
        (heading, pitch), rates = line_of_sight_3d(
            self.law, (state.course, climb), errors, state.memory, pair, (self.gain, self.gain)
        )
        elapsed = 1e-9 * (time_ns - state.time_ns)
        memory = (state.memory[0] + elapsed * rates[0], state.memory[1] + elapsed * rates[1])
        depth = p_NB[2] - self.lookahead * math.tan(min(max(pitch, -STEEPEST), STEEPEST))
        end = self.points[min(state.leg, len(self.points) - 1)]
        leg = Leg(state.start, end, errors.across)
        reference = LineOfSightReference(depth, math.remainder(heading, math.tau), self.speed, state.leg, leg)
        return state._replace(memory=memory, time_ns=time_ns), reference

    def _on_leg(
        self, start: Vector3, leg: int, course: float, time_ns: int, last: Vector3 | None = None
    ) -> PathFollowingState:
        """State at the start of a leg; after the last point the last leg continues."""
        if leg >= len(self.points):
            return PathFollowingState(last or start, leg, course, (0.0, 0.0), time_ns)
        end = self.points[leg]
        if math.hypot(end[0] - start[0], end[1] - start[1]) > SHORTEST_COURSE:
            course = path_angles(start, end)[0]
        return PathFollowingState(start, leg, course, (0.0, 0.0), time_ns)

    def _errors(self, state: PathFollowingState, p_NB: Vector3) -> tuple[PathErrors, float]:
        """Position relative to the leg, and its climb angle; after the last point level at its depth."""
        end = self.points[min(state.leg, len(self.points) - 1)]
        if state.leg >= len(self.points):
            return path_errors((state.start[0], state.start[1], end[2]), state.course, 0.0, p_NB), 0.0
        climb = path_angles(state.start, end)[1]
        return path_errors(state.start, state.course, climb, p_NB), climb

    def _is_reached(self, state: PathFollowingState, p_NB: Vector3) -> bool:
        """Whether the end of the leg is within the radius, or abeam."""
        end = self.points[state.leg]
        errors, _ = self._errors(state, p_NB)
        near = math.hypot(end[0] - p_NB[0], end[1] - p_NB[1]) <= self.radius
        return near or errors.along >= math.dist(state.start, end)
