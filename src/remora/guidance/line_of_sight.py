"""Line of sight: guidance of a vehicle under way along straight legs between points (integral LOS).

The vehicle steers for a point on the leg one lookahead distance ahead. An integral of the cross-track error compensates
a current (Borhaug, Pavlov and Pettersen 2008; Fossen 2011, ch. 10).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

from remora.equations.guidance.line_of_sight import INTEGRAL, line_of_sight
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
    """A leg between two points with the cross-track error of a position; NO_LEG where it is vertical.

    Parameters
    ----------
    start, end
        Of the leg, m in N.
    p_NB
        Position, m in N.
    """
    if math.hypot(end[0] - start[0], end[1] - start[1]) < SHORTEST:
        return NO_LEG
    return Leg(start, end, _on_leg(start[:2], end[:2], p_NB)[1])


def check_path(points: Sequence[Vector3], lengths: Sequence[float], gain: float) -> None:
    """Refuse an empty path and impossible settings; ValueError.

    Parameters
    ----------
    points
        Of the path, m in N.
    lengths
        Speed (m/s), lookahead distance and radius (m).
    gain
        Of the integral or the adaptation.
    """
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
