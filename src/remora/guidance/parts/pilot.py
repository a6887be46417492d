"""Piloted guidance as a part: authority switch, commands of an operator, and a remote pilot behind a delay."""

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, final

from pydantic import Field as Default

from remora.equations.guidance.keep_out import Zone
from remora.equations.types import FourDof, Vector3
from remora.files.quantities import Is, Quantity, positive
from remora.files.section import Length3, Section
from remora.guidance.force_piloting import MODES, ScheduledCommand, check_authority, check_words, operator_schedule
from remora.guidance.parts import GuidancePart
from remora.guidance.parts.force_pilot import ForcePilotPart, make_force_pilot
from remora.guidance.parts.lyapunov import FourPositive, LyapunovOptions, velocity_guidance
from remora.guidance.parts.mission_sections import (
    BehaviourSection,
    PositiveLength,
    battery_capacity,
    check_start,
    keep_out_zones,
    mission_goals,
    mission_remarks,
    mission_targets,
)
from remora.guidance.parts.mission_soundings import MissionSensors, mission_sensors
from remora.guidance.piloting import TIMEOUT, Piloting, PilotingState, RemotePilot, RemotePilotState
from remora.guidance.velocity_guidance import VelocityGuidance
from remora.guidance.waypoints import unfinished_text
from remora.messages.estimate import POSE_AND_MOTION
from remora.messages.operator_command import FORCE_WORDS, Authority, CommandError, OperatorCommand
from remora.messages.part import PartInput, PartReport, Role
from remora.messages.part_options import (
    Beginning,
    Duration,
    Goal,
    Moment,
    PartError,
    PartKind,
    PartOptions,
    Remark,
    VehicleContext,
)
from remora.messages.reference import STABILISED, VELOCITY, VELOCITY_FIELDS, VelocityReference
from remora.vehicles.names import FOUR_AXES
from remora.vehicles.sections.device_sections import Angle

REMOTE_GAIN, REMOTE_TOLERANCE = 0.2, 0.3  # 1/s and m, of a pilot who watches a screen; chosen
LARGEST_STEADY_GAIN_DELAY = 1.0 / math.e  # gain times delay from which a proportional pilot overshoots
LEFT = 2.0  # tolerances from a point that was reached and left again
LARGEST_GAIN_DELAY = math.pi / 2.0  # gain times delay from which a proportional pilot is unstable


class RemoteSection(Section):
    """A simulated pilot behind a link with delay."""

    points: list[Length3]
    delay: Moment
    heading: Angle | None = None
    gain: Annotated[Quantity[float], Is(None, (), positive, plain_only=True)] | None = None
    speeds: FourPositive | None = None
    tolerance: PositiveLength | None = None


class PilotOptions(LyapunovOptions):
    """Mission, gains and limits as those of `lyapunov`; authority, timeout, commands and remote pilot.

    With a mode it steers by forces, depth and heading in place of velocities.
    """

    mission: list[BehaviourSection] = Default(default_factory=list)
    mode: Literal["manual", "stabilise", "depth_hold"] | None = None
    authority: Literal["hold", "mission"] = "hold"
    timeout: Duration | None = None
    holds_position: bool = True
    operator: list[ScheduledCommand] = Default(default_factory=list)
    remote: RemoteSection | None = None


class PilotPartState(NamedTuple):
    """State of the part."""

    piloting: PilotingState
    remote: RemotePilotState = RemotePilotState()
    given: int = 0  # commands of the schedule so far


@final
@dataclass(frozen=True)
class PilotPart(GuidancePart):
    """Body velocities of whoever has the authority; none while the estimate is incomplete."""

    piloting: Piloting
    sensors: MissionSensors
    goals: tuple[Goal, ...]
    launch: Vector3  # m in N, expected start
    schedule: tuple[tuple[int, OperatorCommand], ...] = ()  # ns, command
    remote: RemotePilot | None = None
    needs = POSE_AND_MOTION
    takes_operator = True
    fields = VELOCITY_FIELDS

    @property
    def peak_speeds(self) -> FourDof:
        """The speed limits."""
        return self.piloting.mission.law.highest

    @property
    def station_keeping(self) -> VelocityGuidance:
        """The law from position to velocity, for the linearisation of the loop."""
        return self.piloting.mission

    @property
    def zones(self) -> tuple[Zone, ...]:
        """Keep-out zones, for pictures of the log."""
        return self.piloting.mission.zones

    @property
    def timed_goals(self) -> tuple[Goal, ...]:
        """Goals that the run must have the time for: all of a remote pilot, or of a mission that steers alone."""
        steers_alone = self.piloting.default == Authority.MISSION and not self.schedule
        return self.goals if self.remote is not None or steers_alone else ()

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Behaviours and commands that may not do what they say."""
        found = [*mission_remarks(self.piloting.mission.targets)]
        for index, (_, command) in enumerate(self.schedule):
            if command.word == "speeds" and (text := self.piloting.limited(command)):
                found.append(Remark(("operator", index, "command"), f"{text}."))
        if self.remote is not None and self.remote.gain * self.remote.delay > LARGEST_STEADY_GAIN_DELAY:
            most = LARGEST_STEADY_GAIN_DELAY / self.remote.delay
            text = f"makes the pilot overshoot behind a delay of {self.remote.delay:g} s. Give at most {most:.3g} 1/s."
            found.append(Remark(("remote", "gain"), text))
        return tuple(found)

    @property
    def begins(self) -> tuple[Beginning, ...]:
        """Times of the commands."""
        return tuple(Beginning(("operator", i, "at"), time_ns) for i, (time_ns, _) in enumerate(self.schedule))

    def initial(self) -> PilotPartState | None:
        """Before the first step."""
        return None

    def step(
        self, state: PilotPartState | None, now: PartInput
    ) -> tuple[PilotPartState | None, VelocityReference | None]:
        """The reference; None while the estimate is incomplete."""
        estimate = now.estimate
        if estimate is None or not estimate.is_complete:
            return state, None
        if state is None:
            state = PilotPartState(self.piloting.begun(now.time_ns, estimate))
        due = [command for time_ns, command in self.schedule[state.given :] if time_ns <= now.time_ns]
        seen, remote = self._remote(state, now)
        commands = (*due, *now.operator, *remote)
        piloting = self.piloting.commanded(state.piloting, now.time_ns, estimate, commands)
        piloting, reference = self.piloting.step(piloting, now.time_ns, estimate, self.sensors.sounding(now))
        return PilotPartState(piloting, seen, state.given + len(due)), reference

    def _remote(self, state: PilotPartState, now: PartInput) -> tuple[RemotePilotState, tuple[OperatorCommand, ...]]:
        """Commands of the simulated pilot."""
        if self.remote is None or now.estimate is None:
            return state.remote, ()
        seen, speeds = self.remote.step(state.remote, now.time_ns, now.estimate)
        take = () if state.piloting.authority == Authority.PILOT else (OperatorCommand("take"),)
        return seen, (*take, OperatorCommand("speeds", speeds))

    @property
    def has_mission(self) -> bool:
        """Whether it has a mission."""
        return bool(self._targets)

    def check_operator(self, command: OperatorCommand, unknown: Collection[str]) -> str:
        """Remark on a command; CommandError for one without effect."""
        if command.word in FORCE_WORDS:
            raise CommandError(f"{command.word} is for guidance by forces (mode: depth_hold): give speeds or go_to")
        if unknown:
            raise CommandError("the pose of the vehicle is unknown, a command would be lost: wait for its estimate")
        return self.piloting.limited(command) if command.word == "speeds" else ""

    def operator_goal(self, command: OperatorCommand) -> Goal | None:
        """The place of a `go_to`."""
        if command.word != "go_to":
            return None
        north, east, down = command.numbers[:3]
        return Goal((), down, (north, east))

    def authority(self, state: PilotPartState | None) -> Authority:
        """Who steers."""
        return self.piloting.default if state is None else state.piloting.authority

    def unfinished(self, state: PilotPartState | None) -> str:
        """Points of the remote pilot, a `go_to` under way, or targets of the mission where it was to steer."""
        if self.remote is not None:
            return self._remote_unfinished(self.remote, state)
        if state is not None and (target := state.piloting.unreached) is not None:
            north, east = target.north_east or (math.nan, math.nan)
            return f"the waypoint of the operator at {north:.4g}, {east:.4g}, {target.depth:.4g} m not reached"
        steered = self.piloting.default == Authority.MISSION or self.authority(state) == Authority.MISSION
        if not steered:
            return ""
        text = unfinished_text(0 if state is None else state.piloting.mission.mission.target, len(self._targets))
        return text if state is None or not text else text + self.piloting.mission.zone_text(state.piloting.mission)

    @staticmethod
    def _remote_unfinished(remote: RemotePilot, state: PilotPartState | None) -> str:
        """Points that the remote pilot has not reached, or the distance from the last one that it has left again."""
        text = unfinished_text(0 if state is None else state.remote.point, len(remote.points))
        if text or state is None or not state.remote.views:
            return text
        away = math.dist(state.remote.views[-1].p_N, remote.points[-1])
        return f"{away:.2g} m from the last point of the remote pilot" if away > LEFT * remote.tolerance else ""

    @property
    def _targets(self) -> tuple[object, ...]:
        return self.piloting.mission.targets

    def lost_target(self, state: PilotPartState | None) -> str:
        """Text while a pipeline or the bed is not seen on the mission; empty otherwise."""
        if state is None or state.piloting.authority != Authority.MISSION:
            return ""
        return self.piloting.mission.lost_target(state.piloting.mission)

    def charging_power(self, state: PilotPartState | None) -> float:
        """Power that the station of the mission gives at present, W."""
        if state is None or state.piloting.authority != Authority.MISSION:
            return 0.0
        return self.piloting.mission.charging_power(state.piloting.mission)

    def reports(self, before: PilotPartState | None, after: PilotPartState | None) -> Iterator[PartReport]:
        """Scheduled commands, changes of the authority, ignored commands, and progress."""
        if after is None:
            return
        old, new = None if before is None else before.piloting, after.piloting
        for _, command in self.schedule[0 if before is None else before.given : after.given]:
            yield PartReport("info", f"command {command.text}", {"command": command.text})
        if old is None or old.authority != new.authority:
            name = new.authority.name.lower()
            silent = "; the pilot was silent, the vehicle keeps its station" if new.is_lost else ""
            yield PartReport("warning" if silent else "info", f"authority: {name}{silent}", {"authority": name})
        if new.ignored > (0 if old is None else old.ignored):
            text = "a command had no effect: speeds need the authority (take), mission needs a mission"
            yield PartReport("warning", text, {"ignored": new.ignored})
        yield from self._progress(before, after)

    def _progress(self, before: PilotPartState | None, after: PilotPartState) -> Iterator[PartReport]:
        """Targets and points reached."""
        new, old = after.piloting, None if before is None else before.piloting
        for index in range(0 if old is None else old.mission.mission.target, new.mission.mission.target):
            data = {"waypoint": index + 1, "of": len(self._targets)}
            yield PartReport("info", f"target {index + 1} of {len(self._targets)} reached", data)
        if new.target is not None and new.other.mission.target > (0 if old is None else old.other.mission.target):
            yield PartReport("info", "waypoint of the operator reached", {"go_to": "reached"})
        if self.remote is not None and after.remote.point > (0 if before is None else before.remote.point):
            count = len(self.remote.points)
            text = f"point {after.remote.point} of {count} reached"
            yield PartReport("info", text, {"waypoint": after.remote.point, "of": count})


def make_pilot(options: PilotOptions, onboard: VehicleContext) -> PilotPart | ForcePilotPart:
    """Piloted guidance of a scenario; PartError for commands, limits and targets that cannot work."""
    if options.mode is not None:
        _check_no_velocity(options)
        return make_force_pilot(options, onboard, MODES[options.mode])
    targets = mission_targets(options.mission, battery_capacity(onboard)) if options.mission else ()
    if options.authority == "mission" and not targets:
        raise PartError("there is no mission to steer by. Give a mission, or authority: hold.", "authority")
    zones = keep_out_zones(options.keep_out)
    check_start(zones, onboard.launch)
    sensors = mission_sensors(options.altimeter, options.pipe, options.avoid, targets, onboard)
    guidance = velocity_guidance(options, targets, zones, sensors, onboard)
    timeout = options.timeout.value if options.timeout else TIMEOUT
    if timeout <= onboard.period:
        raise PartError(f"must be above the period of the part, {onboard.period:g} s.", "timeout")
    default = Authority.MISSION if options.authority == "mission" else Authority.HOLD
    piloting = Piloting(guidance, default, timeout, options.holds_position)
    remote = None if options.remote is None else _remote_pilot(options.remote, guidance.law.highest)
    schedule = operator_schedule(options.operator)
    check_words(
        schedule, FORCE_WORDS, "needs guidance by forces. Give the guidance mode: depth_hold, or other commands."
    )
    check_authority(schedule, bool(targets), timeout, "speeds")
    goals = (*mission_goals(targets, onboard.launch), *_command_goals(schedule), *_remote_goals(remote))
    return PilotPart(piloting, sensors, goals, onboard.launch, schedule, remote)


def _check_no_velocity(options: PilotOptions) -> None:
    """PartError for options that a mode does without."""
    for name in LyapunovOptions.model_fields:
        if name not in (*PartOptions.model_fields, "mission", "max_speeds") and name in options.model_fields_set:
            raise PartError("needs a velocity or a position, which a mode does without. Remove it, or the mode.", name)
    for name in ("remote", "holds_position"):
        if name in options.model_fields_set:
            raise PartError("needs a position, which a mode does without. Remove it, or the mode.", name)


def _command_goals(schedule: tuple[tuple[int, OperatorCommand], ...]) -> Iterator[Goal]:
    """Positions of scheduled commands."""
    for index, (_, command) in enumerate(schedule):
        if command.word == "go_to":
            north, east, down = command.numbers[:3]
            yield Goal(("operator", index, "command"), down, (north, east))


def _remote_goals(remote: RemotePilot | None) -> Iterator[Goal]:
    """Points of a remote pilot."""
    if remote is None:
        return
    for index, point in enumerate(remote.points):
        yield Goal(("remote", "points", index), point[2], (point[0], point[1]), tolerance=remote.tolerance)


def _remote_pilot(section: RemoteSection, highest: FourDof) -> RemotePilot:
    """The simulated pilot; PartError for a gain that is unstable behind the delay."""
    if not section.points:
        raise PartError("there is no point to go to. Give at least one.", "remote", "points")
    gain, delay = section.gain.value if section.gain else REMOTE_GAIN, section.delay.value
    if gain * delay >= LARGEST_GAIN_DELAY:
        most = LARGEST_GAIN_DELAY / delay
        message = f"is unstable behind a delay of {delay:g} s: stay well below {most:.3g} 1/s."
        raise PartError(message, "remote", "gain")
    points = tuple(point.value for point in section.points)
    heading = section.heading.value if section.heading else 0.0
    speeds = section.speeds.value if section.speeds else highest
    for axis, speed, most in zip(FOUR_AXES, speeds, highest, strict=True):
        if not 0.0 < speed <= most:
            message = f"must be above zero and at most the max_speeds: {speed:g} and {most:g} in {axis}."
            raise PartError(message, "remote", "speeds")
    tolerance = section.tolerance.value if section.tolerance else REMOTE_TOLERANCE
    return RemotePilot(points, (heading,) * len(points), delay, gain, speeds, tolerance)


def _reference_kind(options: PilotOptions) -> str:
    return VELOCITY if options.mode is None else STABILISED


PILOT = PartKind("pilot", Role.GUIDANCE, PilotOptions, make_pilot, gives=VELOCITY, gives_by=_reference_kind)
