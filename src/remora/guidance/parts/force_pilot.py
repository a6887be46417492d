"""Guidance `pilot` with a mode: forces of a pilot, depth and heading, and missions of these, without a velocity."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, final

from remora.equations.types import FourDof, Vector3, Vector4
from remora.files.problems import listed
from remora.files.quantities import Quantity
from remora.guidance.force_piloting import (
    ForcePiloting,
    ForcePilotingState,
    Mode,
    ScheduledCommand,
    check_authority,
    check_words,
    operator_schedule,
)
from remora.guidance.minimum_jerk import BlendLimits, ScalarBlend
from remora.guidance.parts.mission_sections import BehaviourSection, mission_goals, mission_targets
from remora.guidance.piloting import TIMEOUT
from remora.guidance.waypoints import unfinished_text
from remora.logs.schema import Field
from remora.messages.estimate import ATTITUDE, DEPTH
from remora.messages.operator_command import VELOCITY_WORDS, Authority, CommandError, OperatorCommand
from remora.messages.part import PartInput, PartReport
from remora.messages.part_options import Beginning, Goal, PartError, Remark, VehicleContext
from remora.messages.reference import STABILISED_FIELDS, StabilisedReference, flat
from remora.vehicles.checks.steady_push import steady_pushes

FORCE_PILOT_RATES = (0.2, 0.3)  # m/s and rad/s, of depth and heading on their way to a goal; chosen
RISE_TIME = 2.0  # s, in which they rise; chosen
MANOEUVRES = ("dive", "lift_off", "set_down", "rotate", "push")  # behaviours that need no position


class ForcePilotState(NamedTuple):
    """State of the part."""

    piloting: ForcePilotingState
    given: int = 0  # commands of the schedule so far


class ForcePilotOptions(Protocol):
    """Options of `pilot` that count with a mode."""

    @property
    def mission(self) -> list[BehaviourSection]:
        """Behaviours that need no position."""

    @property
    def authority(self) -> str:
        """Who steers at the start: hold or mission."""

    @property
    def timeout(self) -> Quantity[float] | None:
        """Of a silent pilot, s."""

    @property
    def max_speeds(self) -> Quantity[Vector4] | None:
        """The last two are rates of depth and heading, m/s and rad/s."""

    @property
    def operator(self) -> list[ScheduledCommand]:
        """Scheduled commands."""


@final
@dataclass(frozen=True)
class ForcePilotPart:
    """Depth, heading and forces of whoever has the authority."""

    piloting: ForcePiloting
    launch: Vector3  # m in N, expected start
    goals: tuple[Goal, ...]
    max_rates: tuple[float, float]  # m/s down, and rad/s of the heading
    schedule: tuple[tuple[int, OperatorCommand], ...] = ()  # ns, command
    takes_operator = True

    @property
    def needs(self) -> tuple[str, ...]:
        """The depth where the mode or the mission holds one."""
        return (ATTITUDE, DEPTH) if self.piloting.mode == Mode.DEPTH_HOLD or self.piloting.targets else (ATTITUDE,)

    @property
    def fields(self) -> tuple[Field, ...]:
        """Those of a `StabilisedReference`."""
        return STABILISED_FIELDS

    @property
    def peak_speeds(self) -> FourDof:
        """The rates of depth and heading; what forces lead to is not known."""
        return (0.0, 0.0, self.max_rates[0], self.max_rates[1])

    @property
    def timed_goals(self) -> tuple[Goal, ...]:
        """Goals of a mission that steers alone, which the run must have the time for."""
        return self.goals if self.piloting.default == Authority.MISSION and not self.schedule else ()

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Forces that are reduced to the limits."""
        found = []
        for index, (_, command) in enumerate(self.schedule):
            if command.word == "force" and (text := self.piloting.limited(command)):
                found.append(Remark(("operator", index, "command"), f"{text}."))
        for target in self.piloting.targets:
            if target.push and (text := self.piloting.limited(OperatorCommand("force", target.push))):
                found.append(Remark(("mission", target.entry, "force"), f"{text}: more would tip the vehicle over."))
        return tuple(found)

    @property
    def begins(self) -> tuple[Beginning, ...]:
        """Times of the commands."""
        return tuple(Beginning(("operator", i, "at"), time_ns) for i, (time_ns, _) in enumerate(self.schedule))

    def initial(self) -> ForcePilotState:
        """Before the first step."""
        return ForcePilotState(self.piloting.initial())

    def step(self, state: ForcePilotState, now: PartInput) -> tuple[ForcePilotState, StabilisedReference | None]:
        """The reference; none before the first estimate."""
        if now.estimate is None:
            return state, None
        due = [command for time_ns, command in self.schedule[state.given :] if time_ns <= now.time_ns]
        piloting = self.piloting.commanded(state.piloting, now.time_ns, (*due, *now.operator))
        piloting, reference = self.piloting.step(piloting, now.time_ns, now.estimate)
        return ForcePilotState(piloting, state.given + len(due)), reference

    def row(self, output: StabilisedReference) -> Sequence[float]:
        """The reference as numbers."""
        return [float(value) for value in flat(output)]

    @property
    def has_mission(self) -> bool:
        """Whether it has a mission."""
        return bool(self.piloting.targets)

    def check_operator(self, command: OperatorCommand, unknown: Collection[str]) -> str:
        """Remark on a command; CommandError for one without effect."""
        if command.word in VELOCITY_WORDS:
            raise CommandError(
                f"{command.word} needs a velocity or position, which mode does without: give force or dive"
            )
        lost = {"dive": (ATTITUDE, DEPTH), "mission": (ATTITUDE, DEPTH)}.get(command.word, ())
        if missing := [name for name in lost if name in unknown]:
            raise CommandError(
                f"{listed(missing)} of the vehicle unknown, a command would be lost: wait for its estimate"
            )
        return self.piloting.limited(command) if command.word == "force" else ""

    def operator_goal(self, command: OperatorCommand) -> Goal | None:
        """The depth of a `dive`."""
        return Goal((), command.numbers[0]) if command.word == "dive" else None

    def authority(self, state: ForcePilotState) -> Authority:
        """Who steers."""
        return state.piloting.authority

    def unfinished(self, state: ForcePilotState) -> str:
        """A `dive` under way, or targets of the mission where it was to steer."""
        piloting = state.piloting
        if piloting.authority == Authority.GO_TO and not piloting.is_reached and piloting.dive is not None:
            return f"the dive of the operator to {piloting.dive.depth:.4g} m not reached"
        if Authority.MISSION not in (self.piloting.default, piloting.authority):
            return ""
        return unfinished_text(piloting.mission.target, len(self.piloting.targets))

    def reports(self, before: ForcePilotState, after: ForcePilotState) -> Iterator[PartReport]:
        """Scheduled commands, changes of authority and mode, ignored commands, and progress."""
        old, new = before.piloting, after.piloting
        for _, command in self.schedule[before.given : after.given]:
            yield PartReport("info", f"command {command.text}", {"command": command.text})
        if old.time_ns is None or old.authority != new.authority:
            name = new.authority.name.lower()
            silent = "; the pilot was silent, the vehicle holds depth and heading" if new.is_lost else ""
            yield PartReport("warning" if silent else "info", f"authority: {name}{silent}", {"authority": name})
        if old.time_ns is None or old.mode != new.mode:
            yield PartReport("info", f"mode: {new.mode.name.lower()}", {"mode": new.mode.name.lower()})
        if new.ignored > old.ignored:
            text = "a command had no effect: force needs the authority (take), mission needs a mission"
            yield PartReport("warning", text, {"ignored": new.ignored})
        count = len(self.piloting.targets)
        for index in range(old.mission.target, new.mission.target):
            yield PartReport("info", f"target {index + 1} of {count} reached", {"waypoint": index + 1, "of": count})
        if new.is_reached and not old.is_reached:
            yield PartReport("info", "waypoint of the operator reached", {"go_to": "reached"})


def make_force_pilot(options: ForcePilotOptions, onboard: VehicleContext, mode: Mode) -> ForcePilotPart:
    """Guidance by forces, depth and heading; PartError for what needs a position or a velocity."""
    targets = mission_targets(options.mission) if options.mission else ()
    for target in targets:
        if target.behaviour not in MANOEUVRES or target.altitude is not None:
            known = listed(MANOEUVRES)
            raise PartError(f"needs a position; a mode does without, and knows {known}.", "mission", target.entry, "do")
    if options.authority == "mission" and not targets:
        raise PartError("there is no mission to steer by. Give a mission, or authority: hold.", "authority")
    timeout = options.timeout.value if options.timeout else TIMEOUT
    if timeout <= onboard.period:
        raise PartError(f"must be above the period of the part, {onboard.period:g} s.", "timeout")
    schedule = operator_schedule(options.operator)
    check_words(
        schedule, VELOCITY_WORDS, "needs a velocity or position, which a mode does without. Give force or dive."
    )
    check_authority(schedule, bool(targets), timeout, "force")
    sink, turn = options.max_speeds.value[2:] if options.max_speeds else FORCE_PILOT_RATES
    if not (sink > 0.0 and turn > 0.0):
        raise PartError("must be above zero in heave and yaw: depth and heading would never change.", "max_speeds")
    default = Authority.MISSION if options.authority == "mission" else Authority.HOLD
    pushes = steady_pushes(onboard.vehicle.parameters, onboard.plant.locked)
    blends = [ScalarBlend(limits=BlendLimits(rate, rate / RISE_TIME)) for rate in (sink, turn)]
    piloting = ForcePiloting(targets, default, mode, timeout, pushes, *blends)
    goals = (*mission_goals(targets, onboard.launch), *_dive_goals(schedule))
    anywhere = tuple(goal._replace(north_east=None) for goal in goals)
    return ForcePilotPart(piloting, onboard.launch, anywhere, (sink, turn), schedule)


def _dive_goals(schedule: tuple[tuple[int, OperatorCommand], ...]) -> Iterator[Goal]:
    """Depths of scheduled commands."""
    for index, (_, command) in enumerate(schedule):
        if command.word == "dive":
            yield Goal(("operator", index, "command"), command.numbers[0])
