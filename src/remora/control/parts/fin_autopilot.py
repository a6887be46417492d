"""Fin autopilot as a part: commands for depth, heading and speed."""

import math
from dataclasses import dataclass
from typing import Annotated, TypeAlias, final

from remora.control.autopilots.fin_autopilot import FinAutopilot, FinAutopilotState, FinGains, fin_autopilot
from remora.files.quantities import Is, Quantity, not_negative, positive
from remora.files.units import ANGLE, TURN_RATE
from remora.messages.estimate import DEPTH, MOTION
from remora.messages.part import PartInput, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, QuietPart, VehicleContext
from remora.messages.reference import DIVE
from remora.plant.pack import resting_outputs

Gain: TypeAlias = Annotated[Quantity[float], Is(None, (), not_negative, plain_only=True)]
LARGEST_PITCH = math.radians(60.0)


def _pitch(value: float) -> str | None:
    return None if 0.0 < value <= LARGEST_PITCH else "must lie above zero and be at most 60 deg."


class FinOptions(PartOptions):
    """Limits and gains of the autopilot; defaults are in `FinGains`."""

    depth_gain: Gain | None = None
    depth_integral_gain: Gain | None = None
    angle_gain: Gain | None = None
    rate_gain: Gain | None = None
    rate_integral_gain: Gain | None = None
    speed_gain: Gain | None = None
    max_pitch: Annotated[Quantity[float], Is(ANGLE, rule=_pitch)] | None = None
    max_pitch_rate: Annotated[Quantity[float], Is(TURN_RATE, rule=positive)] | None = None
    max_turn_rate: Annotated[Quantity[float], Is(TURN_RATE, rule=positive)] | None = None


OPTION_OF_GAIN = {
    "depth": "depth_gain",
    "depth_integral": "depth_integral_gain",
    "angle": "angle_gain",
    "rate": "rate_gain",
    "rate_integral": "rate_integral_gain",
    "speed": "speed_gain",
    "max_pitch": "max_pitch",
    "max_pitch_rate": "max_pitch_rate",
    "max_turn_rate": "max_turn_rate",
}


@final
@dataclass(frozen=True, eq=False)
class FinPart(QuietPart):
    """Control of depth, heading and speed; its output is commands, not a wrench."""

    autopilot: FinAutopilot
    others: tuple[float, ...]  # commands of servos and moving masses, at rest
    needs = (*MOTION, DEPTH)

    @property
    def max_pitch(self) -> float:
        """Largest pitch, rad."""
        return self.autopilot.gains.max_pitch

    def initial(self) -> FinAutopilotState:
        """Zero integrals."""
        return self.autopilot.initial()

    def step(self, state: FinAutopilotState, now: PartInput) -> tuple[FinAutopilotState, list[float] | None]:
        """Commands; None while the state is unknown."""
        estimate, goal = now.estimate, now.reference
        if estimate is None or goal is None:
            return state, None
        if not math.isfinite(estimate.p_NB[2] + sum(estimate.q_NB) + sum(estimate.twist)):
            return state, None
        reference = (goal.depth, goal.heading, goal.speed)
        state, commands = self.autopilot.step(state, estimate.p_NB[2], estimate.q_NB, estimate.twist, reference)
        return state, [*commands, *self.others]


def make_fin_part(options: FinOptions, onboard: VehicleContext) -> FinPart:
    """The fin autopilot of a vehicle."""
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
    asked, least = (onboard.asked_speeds or (0.0,))[0], autopilot.gains.least_speed
    if 0.0 < asked < least:
        message = f"steers from {least:g} m/s on, but the guidance asks for {asked:.3g} m/s only. Ask for more speed."
        raise PartError(message, "part")
    steered = len(parameters.thrusters) + len(parameters.fins)
    return FinPart(autopilot, tuple(resting_outputs(onboard.plant.packed)[steered:].tolist()))


FIN_AUTOPILOT = PartKind("fin_autopilot", Role.CONTROL, FinOptions, make_fin_part, takes=(DIVE,), gives_commands=True)
