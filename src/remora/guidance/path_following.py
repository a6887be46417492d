"""Path following in three dimensions: line of sight along straight legs, plain, integral or adaptive."""

import math
from dataclasses import dataclass
from typing import NamedTuple, final

from remora.equations.guidance.line_of_sight import INTEGRAL, PathErrors, line_of_sight_3d, path_angles, path_errors
from remora.equations.types import Vector3
from remora.guidance.line_of_sight import LineOfSightReference, check_path
from remora.messages.reference import Leg

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
