"""Line-of-sight guidance of a vehicle that is steered under way: along straight legs between points.

The vehicle heads for a point on the leg that lies a lookahead distance in front of it. An integral of the cross-track
error turns the course against a current (Borhaug, Pavlov and Pettersen 2008; Fossen 2011, ch. 10).
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, final

from remora.equations.algebra.vectors import Vector3


class Course(NamedTuple):
    """Where to go now."""

    depth: float  # m
    heading: float  # rad
    speed: float  # m/s
    waypoint: int  # number of the point that the vehicle heads for, from 0; one past the last when all are behind it


class SightState(NamedTuple):
    """Where a vehicle is on its way."""

    start: tuple[float, float]  # north and east of the start of the present leg
    leg: int  # number of the point at its end
    integral: float  # m s, of the cross-track error
    time_ns: int


@final
@dataclass(frozen=True)
class LineOfSight:
    """Legs from the first known position to each point in turn; behind the last one the last course is kept.

    Parameters
    ----------
    points
        North, east and depth of each point, m.
    speed
        m/s.
    lookahead
        Distance in m; a few lengths of the vehicle.
    radius
        A point is reached within this distance in the plane, m, or when it is abeam.
    integral_gain
        How strongly the cross-track error of the past counts, m/s; zero leaves a current its offset.
    """

    points: tuple[Vector3, ...]
    speed: float
    lookahead: float = 10.0
    radius: float = 2.0
    integral_gain: float = 0.1

    def __post_init__(self) -> None:
        if not self.points:
            raise ValueError("there is no point to go to: give at least one")
        if not (self.speed > 0.0 and self.lookahead > 0.0 and self.radius > 0.0 and self.integral_gain >= 0.0):
            raise ValueError("speed, lookahead and radius must be above zero, the integral gain not below it")

    def initial(self) -> SightState | None:
        """Not yet begun."""
        return None

    def step(self, state: SightState | None, time_ns: int, p_NB: Vector3) -> tuple[SightState, Course]:
        """The course at a position."""
        if state is None:
            state = SightState((p_NB[0], p_NB[1]), 0, 0.0, time_ns)
        while state.leg < len(self.points) and self._is_reached(state, p_NB):
            here, following = self.points[state.leg][:2], self.points[state.leg + 1 : state.leg + 2]
            # A leg of no length has no course: an equal point, and the end of the list, keep that of the last leg.
            start = here if following and following[0][:2] != here else state.start
            state = state._replace(start=start, leg=state.leg + 1, integral=0.0)
        start, end = self._leg(state)
        _, across, course, _ = _on_leg(start, end, p_NB)
        pull = across + self.integral_gain * state.integral
        elapsed = 1e-9 * (time_ns - state.time_ns)
        growth = self.lookahead * across / (pull**2 + self.lookahead**2)
        heading = course - math.atan2(pull, self.lookahead)
        depth = self.points[min(state.leg, len(self.points) - 1)][2]
        state = state._replace(integral=state.integral + growth * elapsed, time_ns=time_ns)
        return state, Course(depth, math.remainder(heading, math.tau), self.speed, state.leg)

    def _leg(self, state: SightState) -> tuple[tuple[float, float], tuple[float, float]]:
        """Start and end of the present leg; behind the last point the last leg goes on."""
        north, east, _ = self.points[min(state.leg, len(self.points) - 1)]
        return state.start, (north, east)

    def _is_reached(self, state: SightState, p_NB: Vector3) -> bool:
        along, _, _, length = _on_leg(*self._leg(state), p_NB)
        north, east, _ = self.points[state.leg]
        return math.hypot(north - p_NB[0], east - p_NB[1]) <= self.radius or along >= length


def _on_leg(start: tuple[float, float], end: tuple[float, float], p_NB: Vector3) -> tuple[float, float, float, float]:
    """Distance along a leg and to starboard of it, its course and its length."""
    north, east = end[0] - start[0], end[1] - start[1]
    course, length = math.atan2(east, north), math.hypot(north, east)
    c, s = math.cos(course), math.sin(course)
    away = (p_NB[0] - start[0], p_NB[1] - start[1])
    return c * away[0] + s * away[1], -s * away[0] + c * away[1], course, length
