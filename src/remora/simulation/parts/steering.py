"""Vehicles that are steered by fins under way: guidance along a line of sight, and the autopilot."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias, final

from remora.control.fin_autopilot import FinAutopilot, FinAutopilotState, FinGains, fin_autopilot
from remora.files.quantities import Is, Quantity, not_negative, positive
from remora.files.section import Length3
from remora.files.units import ANGLE, LENGTH, SPEED, TURN_RATE
from remora.guidance.line_of_sight import Course, LineOfSight, SightState
from remora.kernels.pack import resting_outputs
from remora.logs.schema import Field
from remora.messages.part import Now, Role, Told
from remora.messages.reference import DIVE, DIVE_FIELDS, flat
from remora.simulation.parts.guidance import place_goal
from remora.simulation.parts.needs import DEPTH, MOTION, POSITION
from remora.simulation.parts.part import Goal, Onboard, PartError, PartKind, PartOptions, QuietPart
from remora.simulation.parts.progress import left_over, setting_out

Gain: TypeAlias = Annotated[Quantity[float], Is(None, (), not_negative, plain_only=True)]
PositiveLength: TypeAlias = Annotated[Quantity[float], Is(LENGTH, rule=positive)]
LARGEST_PITCH = math.radians(60.0)


class SightOptions(PartOptions):
    """The points, and how to go from one to the next."""

    points: list[Length3]
    speed: Annotated[Quantity[float], Is(SPEED, rule=positive)]
    lookahead: PositiveLength | None = None
    radius: PositiveLength | None = None
    integral_gain: Annotated[Quantity[float], Is(SPEED, rule=not_negative)] | None = None


@final
@dataclass(frozen=True)
class SightPart:
    """Depth, heading and speed along straight legs."""

    guidance: LineOfSight
    needs = (POSITION,)

    @property
    def fields(self) -> tuple[Field, ...]:
        """Depth, heading and speed, and the point that the vehicle heads for."""
        return (*DIVE_FIELDS, Field("waypoint", "1"))

    @property
    def goals(self) -> tuple[Goal, ...]:
        """All points."""
        return tuple(place_goal(point, "points", index) for index, point in enumerate(self.guidance.points))

    def initial(self) -> SightState | None:
        """Not yet begun."""
        return self.guidance.initial()

    def step(self, state: SightState | None, now: Now) -> tuple[SightState | None, Course | None]:
        """The course; none while the position is not known."""
        if now.estimate is None or not math.isfinite(now.estimate.p_NB[0] + now.estimate.p_NB[1]):
            return state, None
        return self.guidance.step(state, now.time_ns, now.estimate.p_NB)

    def row(self, output: Course) -> Sequence[float]:
        """The reference as numbers."""
        return flat(output)

    def unfinished(self, state: SightState | None) -> str:
        """How many points are behind the vehicle, where it is not all of them."""
        return left_over(0 if state is None else state.leg, len(self.guidance.points))

    def told(self, before: SightState | None, after: SightState | None) -> Iterator[Told]:
        """Points that have been reached."""
        if after is None:
            return
        count = len(self.guidance.points)
        if before is None:
            yield setting_out(count)
        for number in range(1 + (before.leg if before else 0), after.leg + 1):
            yield Told("info", f"waypoint {number} of {count} reached", {"waypoint": number, "of": count})
        if (before.leg if before else 0) < count == after.leg:
            yield Told(
                "info", f"all {count} waypoints reached, the last course is kept", {"finished": True, "of": count}
            )


def make_sight(options: SightOptions, onboard: Onboard) -> SightPart:
    """Legs between the points of a scenario."""
    if not options.points:
        raise PartError("there is no point to go to. Give at least one.", "points")
    given = {
        name: quantity.value
        for name in ("lookahead", "radius", "integral_gain")
        if (quantity := getattr(options, name)) is not None
    }
    return SightPart(LineOfSight(tuple(point.value for point in options.points), options.speed.value, **given))


def _pitch(value: float) -> str | None:
    return None if 0.0 < value <= LARGEST_PITCH else "must lie above zero and be at most 60 deg."


class FinOptions(PartOptions):
    """Limits and gains of the autopilot; `FinGains` has the usual ones."""

    depth_gain: Gain | None = None
    angle_gain: Gain | None = None
    rate_gain: Gain | None = None
    speed_gain: Gain | None = None
    largest_pitch: Annotated[Quantity[float], Is(ANGLE, rule=_pitch)] | None = None
    largest_pitch_rate: Annotated[Quantity[float], Is(TURN_RATE, rule=positive)] | None = None
    largest_turn_rate: Annotated[Quantity[float], Is(TURN_RATE, rule=positive)] | None = None


OPTION_OF_GAIN = {
    "depth": "depth_gain",
    "angle": "angle_gain",
    "rate": "rate_gain",
    "speed": "speed_gain",
    "largest_pitch": "largest_pitch",
    "largest_pitch_rate": "largest_pitch_rate",
    "largest_turn_rate": "largest_turn_rate",
}


@final
@dataclass(frozen=True, eq=False)
class FinPart(QuietPart):
    """Holds depth, heading and speed; gives commands, no wrench."""

    autopilot: FinAutopilot
    others: tuple[float, ...]  # of servos and loads, which rest
    needs = (*MOTION, DEPTH)

    def initial(self) -> FinAutopilotState:
        """Nothing summed yet."""
        return self.autopilot.initial()

    def step(self, state: FinAutopilotState, now: Now) -> tuple[FinAutopilotState, list[float] | None]:
        """Commands for what is asked; none while the state is not known."""
        estimate, asked = now.estimate, now.reference
        if estimate is None or asked is None:
            return state, None
        if not math.isfinite(estimate.p_NB[2] + sum(estimate.q_NB) + sum(estimate.twist)):
            return state, None
        wanted = (asked.depth, asked.heading, asked.speed)
        state, commands = self.autopilot.step(state, estimate.p_NB[2], estimate.q_NB, estimate.twist, wanted)
        return state, [*commands, *self.others]


def make_fin_part(options: FinOptions, onboard: Onboard) -> FinPart:
    """The autopilot of a vehicle."""
    given = {
        name: quantity.value
        for name, option in OPTION_OF_GAIN.items()
        if (quantity := getattr(options, option)) is not None
    }
    parameters = onboard.vehicle.parameters
    try:
        autopilot = fin_autopilot(parameters, onboard.period, FinGains()._replace(**given))
    except ValueError as error:
        raise PartError(f"{onboard.vehicle.name} cannot be steered by fins: {error}.", "part") from None
    steered = len(parameters.thrusters) + len(parameters.fins)
    return FinPart(autopilot, tuple(resting_outputs(onboard.plant.packed)[steered:].tolist()))


LINE_OF_SIGHT = PartKind("line_of_sight", Role.GUIDANCE, SightOptions, make_sight, gives=DIVE)
FIN_AUTOPILOT = PartKind("fin_autopilot", Role.CONTROL, FinOptions, make_fin_part, takes=(DIVE,), gives_commands=True)
