"""Guidance that an operator can take over: pilot speeds, station keeping, waypoints and a mission.

The pilot gives speeds in surge, sway, heave and yaw. Without speed in heave or yaw, depth or heading is held; without
horizontal speed the position is held, or with `holds_position` off the vehicle is stopped. A pilot who is silent for
longer than the timeout loses the authority, and the vehicle keeps its station.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple, final

from remora.equations.algebra.four_axes import ZERO4, clipped4
from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import from_euler_zyx, to_euler_zyx
from remora.equations.algebra.vectors import subtract3
from remora.equations.guidance.lyapunov import LyapunovState
from remora.equations.types import Quaternion, Vector3, Vector4
from remora.files.units import SECOND
from remora.guidance.mission import NO_SOUNDING, MissionState, MissionTarget, Sounding, TargetPose
from remora.guidance.velocity_guidance import VelocityGuidance, VelocityGuidanceState
from remora.messages.estimate import Estimate
from remora.messages.operator_command import Authority, OperatorCommand
from remora.messages.reference import VelocityReference
from remora.vehicles.names import FOUR_AXES

UNITS = ("m/s", "m/s", "m/s", "rad/s")
TIMEOUT = 2.0  # s without a command of the pilot


class PilotingState(NamedTuple):
    """Who steers, and the progress of each kind of guidance."""

    authority: Authority
    mission: VelocityGuidanceState  # progress of the mission; it stands still while it does not steer
    other: VelocityGuidanceState  # of station keeping, or of a waypoint of the operator
    target: MissionTarget | None = None  # waypoint of the operator
    speeds: Vector4 = ZERO4  # m/s and rad/s, of the pilot
    heard_ns: int = 0  # latest command of the pilot
    is_lost: bool = False  # whether the pilot lost the authority by silence
    ignored: int = 0  # commands without effect so far

    @property
    def unreached(self) -> MissionTarget | None:
        """Waypoint of the operator towards which the vehicle is under way."""
        return self.target if self.authority == Authority.GO_TO and not self.other.mission.target else None


@final
@dataclass(frozen=True)
class Piloting:
    """Guidance with an authority switch; its safe state is station keeping."""

    mission: VelocityGuidance
    default: Authority = Authority.HOLD
    timeout: float = TIMEOUT  # s
    holds_position: bool = True

    def begun(self, time_ns: int, now: Estimate) -> PilotingState:
        """State at the first estimate."""
        start = self.mission.begun(time_ns, now)
        return PilotingState(self.default, start, start)

    def commanded(
        self, state: PilotingState, time_ns: int, now: Estimate, commands: Iterable[OperatorCommand]
    ) -> PilotingState:
        """State after the commands of an operator, and after the silence of a pilot."""
        for command in commands:
            state = self._after(state, time_ns, now, command)
        is_silent = time_ns - state.heard_ns > self.timeout * SECOND
        if state.authority == Authority.PILOT and is_silent:
            return self.holding(state, time_ns, now)._replace(is_lost=True)
        return state

    def _after(self, state: PilotingState, time_ns: int, now: Estimate, command: OperatorCommand) -> PilotingState:
        """State after one command; a command without effect is counted."""
        held = self.holding(state, time_ns, now)
        if command.word == "speeds" and state.authority == Authority.PILOT:
            u, v, w, r = command.numbers
            return state._replace(speeds=clipped4((u, v, w, r), *self.limits), heard_ns=time_ns)
        if command.word == "take":
            return held._replace(authority=Authority.PILOT, heard_ns=time_ns)
        if command.word == "hold":
            return held
        if command.word == "mission" and self.mission.targets:
            return held._replace(authority=Authority.MISSION)
        if command.word == "go_to":
            return held._replace(authority=Authority.GO_TO, target=operator_target(command))
        return state._replace(ignored=state.ignored + 1)

    @property
    def limits(self) -> tuple[Vector4, Vector4]:
        """Lowest and highest speeds, m/s and rad/s."""
        return self.mission.law.lowest, self.mission.law.highest

    def limited(self, command: OperatorCommand) -> str:
        """Text: speeds of a command that are reduced to the limits; empty for none."""
        axes = zip(FOUR_AXES, command.numbers, *self.limits, UNITS, strict=True)
        return ", ".join(
            f"{axis} is limited to {high if speed > 0.0 else low:g} {unit}"
            for axis, speed, low, high, unit in axes
            if not low <= speed <= high
        )

    def holding(self, state: PilotingState, time_ns: int, now: Estimate) -> PilotingState:
        """State that keeps the station at the pose of an estimate."""
        other = self.mission.begun(time_ns, now)
        return PilotingState(Authority.HOLD, state.mission, other, ignored=state.ignored)

    def step(
        self, state: PilotingState, time_ns: int, now: Estimate, sounding: Sounding = NO_SOUNDING
    ) -> tuple[PilotingState, VelocityReference]:
        """One sample; the sounding holds altitude, pipeline and obstacles from ranging sensors."""
        if state.authority == Authority.MISSION:
            progress, reference = self.mission.step(state.mission, time_ns, now, sounding)
            return state._replace(mission=progress), reference
        if state.authority == Authority.GO_TO and state.target is not None:
            towards = replace(self.mission, targets=(state.target,))
            progress, reference = towards.step(state.other, time_ns, now, sounding)
            return state._replace(other=progress), reference
        return self._held(state, time_ns, now, sounding)

    def _held(
        self, state: PilotingState, time_ns: int, now: Estimate, sounding: Sounding
    ) -> tuple[PilotingState, VelocityReference]:
        """The speeds of the pilot, and a held pose in the axes without one."""
        moves = (*self._moves(state.speeds), state.speeds[2] != 0.0, state.speeds[3] != 0.0)
        pose = _anchored(state.other.mission.begun, now, moves)
        mission = MissionState(pose, pose, 0, time_ns, obstacles=state.other.mission.obstacles)
        keeping = replace(self.mission, targets=())
        before = _without_integral(state.other, moves)._replace(mission=mission)
        other, held = keeping.step(before, time_ns, now, sounding)
        u, v, w, r = (
            speed if moving else kept for speed, moving, kept in zip(state.speeds, moves, held.velocity, strict=True)
        )
        velocity = keeping.kept_out((u, v, w, r), now, other.mission.obstacles)
        return state._replace(other=other), held._replace(velocity=velocity, waypoint=0)

    def _moves(self, speeds: Vector4) -> tuple[bool, bool]:
        """Whether surge and sway follow the pilot: both where either moves, and where no position is held."""
        moves = speeds[0] != 0.0 or speeds[1] != 0.0 or not self.holds_position
        return moves, moves


def operator_target(command: OperatorCommand) -> MissionTarget:
    """The waypoint of a `go_to`."""
    north, east, down, *heading = command.numbers
    return MissionTarget("go_to", 0, (north, east), down, heading=heading[0] if heading else None)


def _anchored(pose: TargetPose, now: Estimate, moves: tuple[bool, ...]) -> TargetPose:
    """The held pose; axes that move follow the vehicle."""
    here, heading = now.p_NB, to_euler_zyx(now.q_NB)[2]
    north, east = here[:2] if moves[0] else pose.p_N[:2]
    return TargetPose((north, east, here[2] if moves[2] else pose.p_N[2]), heading if moves[3] else pose.heading)


def _without_integral(state: VelocityGuidanceState, moves: tuple[bool, ...]) -> VelocityGuidanceState:
    """The state with zero integrals in the axes that move."""
    north, east, down, turn = (0.0 if moving else one for one, moving in zip(state.law.integral, moves, strict=True))
    return state._replace(law=LyapunovState((north, east, down, turn), state.law.integrates))


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
