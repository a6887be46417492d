"""Guidance by depth, heading and speed over time: dive, drive ahead, turn and stop; or the manoeuvre ID1."""

import math
from dataclasses import dataclass
from typing import Annotated, TypeAlias, final

from remora.equations.types import FourDof
from remora.files.quantities import Is, Quantity, value_or
from remora.files.units import LENGTH, SPEED
from remora.guidance.manoeuvres import Legs
from remora.guidance.parts import GuidancePart
from remora.guidance.parts.excitation import Id1Section
from remora.messages.part import PartInput, Role
from remora.messages.part_options import (
    Beginning,
    Duration,
    Goal,
    Moment,
    PartError,
    PartKind,
    PartOptions,
    VehicleContext,
)
from remora.messages.reference import DIVE, DIVE_FIELDS, Reference
from remora.vehicles.sections.device_sections import Angle

Depth: TypeAlias = Annotated[Quantity[float], Is(LENGTH)]

DEFAULT_DEPTH, DEFAULT_TURN, DEFAULT_SPEED = 5.0, math.radians(90.0), 0.5  # m, rad, m/s
DEFAULT_AHEAD_AT, DEFAULT_TURN_AT, DEFAULT_STOP_AT = 20.0, 35.0, 50.0  # s


class DiveOptions(PartOptions):
    """Depth, heading and speed, and their times."""

    depth: Depth | None = None
    heading: Angle | None = None
    speed: Annotated[Quantity[float], Is(SPEED)] | None = None
    ahead_at: Moment | None = None
    turn_at: Moment | None = None
    stop_at: Moment | None = None


@final
@dataclass(frozen=True)
class DiveAndTurn(GuidancePart):
    """Depth from the start, then speed, then a new heading, then zero speed."""

    depth: float
    heading: float
    speed: float
    ahead_ns: int
    turn_ns: int
    stop_ns: int
    requires_speed: bool = False  # whether the speed was given, so that the autopilot must reach it
    begins: tuple[Beginning, ...] = ()  # of the times that were given
    fields = DIVE_FIELDS

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The depth."""
        return (Goal(("depth",), self.depth),)

    @property
    def peak_speeds(self) -> FourDof:
        """The speed ahead, where it was given."""
        return (self.speed if self.requires_speed else 0.0, 0.0, 0.0, 0.0)

    def initial(self) -> tuple[()]:
        """Nothing is kept."""
        return ()

    def step(self, state: tuple[()], now: PartInput) -> tuple[tuple[()], Reference]:
        """The reference at this time."""
        speed = self.speed if self.ahead_ns <= now.time_ns < self.stop_ns else 0.0
        return state, Reference(self.depth, self.heading if now.time_ns >= self.turn_ns else 0.0, speed)


def make_dive(options: DiveOptions, onboard: VehicleContext) -> DiveAndTurn:
    """The guidance, with defaults for what is not given; PartError where it would stop before it drives ahead."""
    ahead, stop = value_or(options.ahead_at, DEFAULT_AHEAD_AT), value_or(options.stop_at, DEFAULT_STOP_AT)
    if stop <= ahead:
        key = "ahead_at" if options.stop_at is None else "stop_at"
        raise PartError(f"leaves no time to drive ahead: from {ahead:g} s until {stop:g} s. Give a later stop_at.", key)
    return DiveAndTurn(
        value_or(options.depth, DEFAULT_DEPTH),
        value_or(options.heading, DEFAULT_TURN),
        value_or(options.speed, DEFAULT_SPEED),
        round(1e9 * ahead),
        round(1e9 * value_or(options.turn_at, DEFAULT_TURN_AT)),
        round(1e9 * stop),
        options.speed is not None,
        tuple(
            Beginning((name,), round(1e9 * given.value))
            for name in ("ahead_at", "turn_at")  # a late stop_at means that it does not stop
            if (given := getattr(options, name)) is not None
        ),
    )


DIVE_AND_TURN = PartKind("dive_and_turn", Role.GUIDANCE, DiveOptions, make_dive, gives=DIVE)


class Id1Options(Id1Section, PartOptions):
    """The manoeuvre, where it begins, and how long it takes."""

    depth: Depth | None = None
    heading: Angle | None = None
    settle: Moment | None = None
    duration: Duration | None = None


@final
@dataclass(frozen=True)
class CourseLegs(GuidancePart):
    """Legs of depth, heading and speed after a time to settle; the last speed is kept after them."""

    legs: Legs
    depth: float  # m, at the start
    heading: float  # rad
    settle_ns: int
    fields = DIVE_FIELDS

    @property
    def goals(self) -> tuple[Goal, ...]:
        """Every depth once."""
        return tuple(Goal(("depth",), self.depth + change) for change in sorted({leg.depth for leg in self.legs.legs}))

    @property
    def peak_speeds(self) -> FourDof:
        """The largest speed ahead."""
        return (max(leg.speed for leg in self.legs.legs), 0.0, 0.0, 0.0)

    def initial(self) -> tuple[()]:
        """Nothing is kept."""
        return ()

    def step(self, state: tuple[()], now: PartInput) -> tuple[tuple[()], Reference]:
        """The reference at this time."""
        elapsed = 1e-9 * (now.time_ns - self.settle_ns)
        if elapsed < 0.0:
            return state, Reference(self.depth, self.heading, self.legs.legs[0].speed)
        leg = self.legs.leg_at(elapsed)
        return state, Reference(self.depth + leg.depth, math.remainder(self.heading + leg.heading, math.tau), leg.speed)


def make_id1(options: Id1Options, onboard: VehicleContext) -> CourseLegs:
    """The manoeuvre of a scenario."""
    legs = options.manoeuvre()
    if options.duration is not None:
        legs = legs.lasting(options.duration.value)
    return CourseLegs(
        legs,
        value_or(options.depth, onboard.launch[2]),
        value_or(options.heading),
        round(1e9 * options.settle.value) if options.settle else 0,
    )


ID1 = PartKind("id1", Role.GUIDANCE, Id1Options, make_id1, gives=DIVE)
