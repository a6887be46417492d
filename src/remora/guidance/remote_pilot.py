"""A pilot who steers to points by what is seen on a screen, late by the delay of the link."""

import math
from dataclasses import dataclass
from typing import NamedTuple, final

from remora.equations.algebra.four_axes import clipped4
from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import from_euler_zyx, to_euler_zyx
from remora.equations.algebra.vectors import subtract3
from remora.equations.types import Quaternion, Vector3, Vector4
from remora.guidance.minimum_jerk import SECOND
from remora.messages.estimate import Estimate


class SeenPose(NamedTuple):
    """A pose and its time."""

    time_ns: int
    p_N: Vector3  # m
    q_NB: Quaternion


class RemotePilotState(NamedTuple):
    """Poses that are still on their way to the pilot, and the number of points reached."""

    views: tuple[SeenPose, ...] = ()
    point: int = 0


@final
@dataclass(frozen=True)
class RemotePilot:
    """Speeds in proportion to the error that the pilot sees; a point within the tolerance is reached."""

    points: tuple[Vector3, ...]  # m in N
    headings: tuple[float, ...]  # rad
    delay: float  # s, of the whole link, there and back
    gain: float  # 1/s
    speeds: Vector4  # m/s and rad/s, largest
    tolerance: float  # m

    def step(self, state: RemotePilotState, time_ns: int, now: Estimate) -> tuple[RemotePilotState, Vector4]:
        """One sample: the next state and the speeds; zero before anything is seen."""
        views = (*state.views, SeenPose(time_ns, now.p_NB, now.q_NB))
        shown = [view for view in views if view.time_ns <= time_ns - self.delay * SECOND]
        if not shown:
            return state._replace(views=views), (0.0, 0.0, 0.0, 0.0)
        seen, kept = shown[-1], views[len(shown) - 1 :]
        point = state.point
        if point < len(self.points) and math.dist(seen.p_N, self.points[point]) < self.tolerance:
            point += 1
        return RemotePilotState(kept, point), self._speeds(seen, min(point, len(self.points) - 1))

    def _speeds(self, seen: SeenPose, point: int) -> Vector4:
        """Speeds towards a point from the pose that is seen."""
        yaw = to_euler_zyx(seen.q_NB)[2]
        ahead, aside, down = to_body(from_euler_zyx(0.0, 0.0, yaw), subtract3(self.points[point], seen.p_N))
        turn = math.remainder(self.headings[point] - yaw, math.tau)
        u, v, w, r = self.speeds
        asked = (self.gain * ahead, self.gain * aside, self.gain * down, self.gain * turn)
        return clipped4(asked, (-u, -v, -w, -r), self.speeds)
