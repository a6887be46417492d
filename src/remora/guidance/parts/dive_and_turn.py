"""Guidance: dive, drive ahead, turn and stop."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias, final

from remora.files.quantities import Is, Quantity
from remora.files.units import LENGTH, SPEED
from remora.logs.schema import Field
from remora.messages.part import PartInput, Role
from remora.messages.part_options import (
    Beginning,
    FourDof,
    Goal,
    Moment,
    PartKind,
    PartOptions,
    VehicleContext,
)
from remora.messages.reference import DIVE, DIVE_FIELDS, Reference, flat
from remora.vehicles.sections.device_sections import Angle

Depth: TypeAlias = Annotated[Quantity[float], Is(LENGTH)]

USUAL_DEPTH, USUAL_TURN, USUAL_SPEED = 5.0, math.radians(90.0), 0.5  # m, rad, m/s
USUAL_AHEAD_AT, USUAL_TURN_AT, USUAL_STOP_AT = 20.0, 35.0, 50.0  # s


class DiveOptions(PartOptions):
    """What is asked, and when."""

    depth: Depth | None = None
    heading: Angle | None = None
    speed: Annotated[Quantity[float], Is(SPEED)] | None = None
    ahead_at: Moment | None = None
    turn_at: Moment | None = None
    stop_at: Moment | None = None


@final
@dataclass(frozen=True)
class DiveAndTurn:
    """Depth from the start on, then speed, then another heading, then no speed."""

    depth: float
    heading: float
    speed: float
    ahead_ns: int
    turn_ns: int
    stop_ns: int
    insists: bool = False  # whether the speed was asked for, so that a vehicle must not be slower
    begins: tuple[Beginning, ...] = ()  # of the times that were asked for

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The depth."""
        return (Goal(("depth",), self.depth),)

    @property
    def peak_speeds(self) -> FourDof:
        """The speed ahead, where it was asked for."""
        return (self.speed if self.insists else 0.0, 0.0, 0.0, 0.0)

    @property
    def fields(self) -> tuple[Field, ...]:
        """Depth, heading and speed."""
        return DIVE_FIELDS

    def initial(self) -> tuple[()]:
        """Nothing is kept."""
        return ()

    def step(self, state: tuple[()], now: PartInput) -> tuple[tuple[()], Reference]:
        """What is asked now."""
        speed = self.speed if self.ahead_ns <= now.time_ns < self.stop_ns else 0.0
        return state, Reference(self.depth, self.heading if now.time_ns >= self.turn_ns else 0.0, speed)

    def row(self, output: Reference) -> Sequence[float]:
        """The reference as numbers."""
        return flat(output)


def _given(quantity: Quantity[float] | None, usual: float) -> float:
    return usual if quantity is None else quantity.value


def make_dive(options: DiveOptions, onboard: VehicleContext) -> DiveAndTurn:
    """The guidance with what the options leave as usual."""
    return DiveAndTurn(
        _given(options.depth, USUAL_DEPTH),
        _given(options.heading, USUAL_TURN),
        _given(options.speed, USUAL_SPEED),
        round(1e9 * _given(options.ahead_at, USUAL_AHEAD_AT)),
        round(1e9 * _given(options.turn_at, USUAL_TURN_AT)),
        round(1e9 * _given(options.stop_at, USUAL_STOP_AT)),
        options.speed is not None,
        tuple(
            Beginning((name,), round(1e9 * given.value))
            for name in ("ahead_at", "turn_at")  # a late stop_at says that it does not stop
            if (given := getattr(options, name)) is not None
        ),
    )


DIVE_AND_TURN = PartKind("dive_and_turn", Role.GUIDANCE, DiveOptions, make_dive, gives=DIVE)
