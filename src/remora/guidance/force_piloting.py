"""Guidance of a vehicle that does not know its velocity: pilot forces, depth and heading, and missions of these.

The pilot flies by one of three modes, as on small ROVs: `manual` (forces only), `stabilise` (level, and the heading is
held while no yaw torque is given) and `depth_hold` (the depth is held too while no heave force is given). A waypoint
is a depth and a heading; a mission is a list of these, and of pushes that last for a time. Without authority the
vehicle holds its depth and heading. References of depth and heading change with minimum jerk.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, final

from remora.equations.algebra.four_axes import ZERO4, clipped4
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.types import Vector4
from remora.files.section import Section
from remora.files.units import SECOND
from remora.guidance.minimum_jerk import ScalarBlend, ScalarMotion, ScalarState, blended
from remora.guidance.mission import MissionTarget
from remora.messages.estimate import Estimate
from remora.messages.operator_command import MODE_WORDS, Authority, CommandError, OperatorCommand, parsed_command
from remora.messages.part_options import Moment, PartError
from remora.messages.reference import StabilisedReference
from remora.vehicles.names import FOUR_AXES

UNITS = ("N", "N", "N", "N m")
RAMP_TIME = 1.0  # s, in which a force rises to its limit
SAME_HEADING = 1e-9  # rad
NOT_HELD = ScalarMotion(math.nan, 0.0, 0.0)


class Mode(IntEnum):
    """What holds while a pilot gives forces."""

    MANUAL = 0  # nothing
    STABILISE = 1  # roll, pitch and heading
    DEPTH_HOLD = 2  # and depth


MODES = {mode.name.lower(): mode for mode in Mode}


class HeldValue(NamedTuple):
    """A depth or a heading to hold; NaN: the present one, as soon as it is known."""

    goal: float = math.nan
    blend: ScalarState = ScalarState(None, ScalarMotion(0.0, 0.0, 0.0), 0.0, 1.0)


class Progress(NamedTuple):
    """Progress of a mission, which stands still while it does not steer."""

    target: int = 0  # index of the present target; the number of targets at the end
    spent_ns: int = 0  # on the present target
    inside_ns: int = 0  # for which the errors have been within the tolerances
    depth: float = math.nan  # m, at which the present target began
    heading: float = math.nan  # rad


class ForcePilotingState(NamedTuple):
    """Who steers, what is held, and the progress of the mission."""

    authority: Authority
    mode: Mode
    depth: HeldValue = HeldValue()
    heading: HeldValue = HeldValue()
    asked: Vector4 = ZERO4  # N and N m, of the pilot
    force: Vector4 = ZERO4  # given, behind the ramp
    mission: Progress = Progress()
    dive: MissionTarget | None = None  # waypoint of the operator
    is_reached: bool = False  # whether that waypoint was reached
    heard_ns: int = 0  # latest command of the pilot
    time_ns: int | None = None  # of the latest step
    is_lost: bool = False  # whether the pilot lost the authority by silence
    ignored: int = 0  # commands without effect so far


class ForceDemand(NamedTuple):
    """What steers at one time: whether depth and heading are held, forces, and whether the vehicle is levelled."""

    holds_depth: bool = True
    holds_heading: bool = True
    force: Vector4 = ZERO4
    levels: bool = True


@final
@dataclass(frozen=True)
class ForcePiloting:
    """Guidance with an authority switch; its safe state holds depth and heading."""

    targets: tuple[MissionTarget, ...]
    default: Authority
    mode: Mode
    timeout: float  # s
    pushes: Vector4  # N and N m, largest forces
    sinking: ScalarBlend
    turning: ScalarBlend

    def initial(self) -> ForcePilotingState:
        """Before the first step."""
        return ForcePilotingState(self.default, self.mode)

    def commanded(
        self, state: ForcePilotingState, time_ns: int, commands: Iterable[OperatorCommand]
    ) -> ForcePilotingState:
        """State after the commands of an operator, and after the silence of a pilot."""
        for command in commands:
            state = self._after(state, time_ns, command)
        if state.authority == Authority.PILOT and time_ns - state.heard_ns > self.timeout * SECOND:
            return holding(state)._replace(is_lost=True)
        return state

    def _after(self, state: ForcePilotingState, time_ns: int, command: OperatorCommand) -> ForcePilotingState:
        """State after one command; a command without effect is counted."""
        word, is_pilot = command.word, state.authority == Authority.PILOT
        if word == "force" and is_pilot:
            X, Y, Z, N = command.numbers
            lowest = tuple(-most for most in self.pushes)
            asked = clipped4((X, Y, Z, N), (lowest[0], lowest[1], lowest[2], lowest[3]), self.pushes)
            return state._replace(asked=asked, heard_ns=time_ns)
        if word in MODES:
            return state._replace(mode=MODES[word], heard_ns=time_ns)
        if word == "take":
            return holding(state)._replace(authority=Authority.PILOT, heard_ns=time_ns)
        if word == "hold":
            return holding(state)
        if word == "mission" and self.targets:
            return holding(state)._replace(authority=Authority.MISSION)
        if word == "dive":
            depth, *heading = command.numbers
            target = MissionTarget("dive", 0, depth=depth, heading=heading[0] if heading else None)
            return state._replace(authority=Authority.GO_TO, dive=target, is_reached=False, asked=ZERO4, is_lost=False)
        return state._replace(ignored=state.ignored + 1)

    def limited(self, command: OperatorCommand) -> str:
        """Text: forces of a command that are reduced to the limits; empty for none."""
        axes = zip(FOUR_AXES, command.numbers, self.pushes, UNITS, strict=True)
        return ", ".join(
            f"{axis} is limited to {math.copysign(most, force):.3g} {unit}"
            for axis, force, most, unit in axes
            if abs(force) > most
        )

    def step(
        self, state: ForcePilotingState, time_ns: int, now: Estimate
    ) -> tuple[ForcePilotingState, StabilisedReference]:
        """One sample; depth or heading may be unknown."""
        elapsed_ns = 0 if state.time_ns is None else time_ns - state.time_ns
        place = (now.p_NB[2], to_euler_zyx(now.q_NB)[2])
        state, demand = self._steered(state, elapsed_ns, place)
        depth, sink = _tracked(self.sinking, state.depth, demand.holds_depth, time_ns, place[0])
        heading, turn = _tracked(self.turning, state.heading, demand.holds_heading, time_ns, place[1], is_angle=True)
        force = self._ramped(state.force, demand.force, 1e-9 * elapsed_ns)
        state = state._replace(depth=depth, heading=heading, force=force, time_ns=time_ns)
        course = math.remainder(turn.value, math.tau) if math.isfinite(turn.value) else math.nan
        return state, StabilisedReference(sink.value, sink.rate, course, turn.rate, force, demand.levels)

    def _steered(
        self, state: ForcePilotingState, elapsed_ns: int, place: tuple[float, float]
    ) -> tuple[ForcePilotingState, ForceDemand]:
        """What whoever has the authority asks for, at a depth and heading in m and rad."""
        if state.authority == Authority.PILOT:
            X, Y, Z, N = state.asked
            holds_depth = state.mode == Mode.DEPTH_HOLD and Z == 0.0
            levels = state.mode != Mode.MANUAL
            return state, ForceDemand(holds_depth, levels and N == 0.0, (X, Y, Z, N), levels)
        if state.authority == Authority.GO_TO and state.dive is not None:
            goals = _goals(state.dive, (state.depth.goal, state.heading.goal))
            near = is_near(state.dive, goals, place)
            return _towards(state, goals)._replace(is_reached=state.is_reached or near), ForceDemand()
        if state.authority == Authority.MISSION and state.mission.target < len(self.targets):
            return self._on_mission(state, elapsed_ns, place)
        return state, ForceDemand()

    def _on_mission(
        self, state: ForcePilotingState, elapsed_ns: int, place: tuple[float, float]
    ) -> tuple[ForcePilotingState, ForceDemand]:
        """The present target of the mission, or the next where it is done."""
        progress, target = state.mission, self.targets[state.mission.target]
        begun = (progress.depth, progress.heading)
        if not progress.spent_ns:
            begun = tuple(
                one.goal if math.isfinite(one.goal) else at
                for one, at in zip((state.depth, state.heading), place, strict=True)
            )  # type: ignore[assignment]
        goals = _goals(target, begun)
        inside_ns = progress.inside_ns + elapsed_ns if is_near(target, goals, place) else 0
        spent_ns = progress.spent_ns + max(elapsed_ns, 1)
        pushes = target.push is not None
        done = spent_ns >= target.lasts * SECOND if pushes else inside_ns > 0 and inside_ns >= target.dwell * SECOND
        after = Progress(progress.target + 1) if done else Progress(progress.target, spent_ns, inside_ns, *begun)
        holds_depth = target.push is None or target.push[2] == 0.0
        state = _towards(state, goals)._replace(mission=after)
        return state, ForceDemand(holds_depth, force=target.push or ZERO4)

    def _ramped(self, force: Vector4, asked: Vector4, elapsed: float) -> Vector4:
        """A force on its way to the asked one, after a time in s."""
        steps = [most * elapsed / RAMP_TIME for most in self.pushes]
        X, Y, Z, N = (
            old + min(max(new - old, -step), step) for old, new, step in zip(force, asked, steps, strict=True)
        )
        return (X, Y, Z, N)


def holding(state: ForcePilotingState) -> ForcePilotingState:
    """State that holds the present depth and heading."""
    held, progress = HeldValue(), state.mission._replace(inside_ns=0)
    state = state._replace(authority=Authority.HOLD, depth=held, heading=held, mission=progress)
    return state._replace(asked=ZERO4, dive=None, is_lost=False)


def is_near(target: MissionTarget, goals: tuple[float, float], place: tuple[float, float]) -> bool:
    """Whether depth and heading, m and rad, are within the tolerances of a target."""
    deep, turn = abs(goals[0] - place[0]), abs(math.remainder(goals[1] - place[1], math.tau))
    return deep <= target.tolerance and turn <= target.heading_tolerance


def _goals(target: MissionTarget, begun: tuple[float, float]) -> tuple[float, float]:
    """Depth and heading of a target that began at a depth and heading."""
    depth = begun[0] if target.depth is None else target.depth
    return depth - target.rise, begun[1] if target.heading is None else target.heading


def _towards(state: ForcePilotingState, goals: tuple[float, float]) -> ForcePilotingState:
    depth, heading = state.depth._replace(goal=goals[0]), state.heading._replace(goal=goals[1])
    return state._replace(depth=depth, heading=heading)


def _tracked(
    blend: ScalarBlend, held: HeldValue, holds: bool, time_ns: int, present: float, is_angle: bool = False
) -> tuple[HeldValue, ScalarMotion]:
    """The held value, and its reference; what is not held follows the vehicle."""
    if not holds:
        return HeldValue(), NOT_HELD
    goal, state = held.goal if math.isfinite(held.goal) else present, held.blend
    if not math.isfinite(goal):
        return held, NOT_HELD
    if is_angle:
        goal = _unwrapped(state, goal, time_ns, present)
    state, motion = blend.step(state, time_ns, goal, present)
    return HeldValue(goal, state), motion


def _unwrapped(state: ScalarState, goal: float, time_ns: int, present: float) -> float:
    """The goal plus full turns, so that the reference takes the short way, rad."""
    if state.anchor_ns is None:
        return present + math.remainder(goal - present, math.tau) if math.isfinite(present) else goal
    if abs(math.remainder(goal - state.goal, math.tau)) < SAME_HEADING:
        return state.goal
    now = blended(state.start, state.goal, state.duration, 1e-9 * (time_ns - state.anchor_ns)).value
    return now + math.remainder(goal - now, math.tau)


class ScheduledCommand(Section):
    """A command at a time, as text."""

    at: Moment
    command: str


def operator_schedule(entries: list[ScheduledCommand]) -> tuple[tuple[int, OperatorCommand], ...]:
    """Times and commands; PartError for lines that are no commands and times out of order."""
    found: list[tuple[int, OperatorCommand]] = []
    for index, entry in enumerate(entries):
        try:
            command = parsed_command(entry.command)
        except CommandError as error:
            raise PartError(f"{error}.", "operator", index, "command") from None
        found.append((round(1e9 * entry.at.value), command))
        if index and found[index][0] < found[index - 1][0]:
            raise PartError("is earlier than the command before it. Sort them by time.", "operator", index, "at")
    return tuple(found)


def check_words(schedule: tuple[tuple[int, OperatorCommand], ...], words: tuple[str, ...], fault: str) -> None:
    """PartError for scheduled commands with one of some words."""
    for index, (_, command) in enumerate(schedule):
        if command.word in words:
            raise PartError(f"{command.word} {fault}", "operator", index, "command")


def check_authority(
    schedule: tuple[tuple[int, OperatorCommand], ...], has_mission: bool, timeout: float, steering: str
) -> None:
    """PartError for scheduled commands without effect: a mission that is not there, steering without the authority.

    The timeout is in s; the word that steers is speeds or force.
    """
    until_ns = -1  # when the pilot loses the authority
    for index, (time_ns, command) in enumerate(schedule):
        path = ("operator", index, "command")
        if command.word == "mission" and not has_mission:
            raise PartError("there is no mission to go on with. Give a mission, or another command.", *path)
        if command.word == steering and time_ns > until_ns:
            silent = f"was silent for more than the timeout of {timeout:g} s"
            reason = "has not taken the authority" if until_ns < 0 else silent
            raise PartError(f"has no effect: the pilot {reason}. Give take before it.", *path)
        if command.word in MODE_WORDS:  # the pilot keeps the authority
            until_ns = time_ns + round(timeout * SECOND) if until_ns >= time_ns else until_ns
            continue
        steers = command.word in ("take", steering)
        until_ns = time_ns + round(timeout * SECOND) if steers else -1
