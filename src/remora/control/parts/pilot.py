"""Pilot as a part: commands that hold depth, heading and speed."""

import math
from dataclasses import dataclass
from typing import Annotated, final

from remora.control.autopilots.pilot import Pilot, PilotState, make_pilot, piloted
from remora.equations.algebra.vectors import ZERO3, Vector3
from remora.files.arrays import Array
from remora.files.quantities import Is, Quantity
from remora.files.units import SPEED
from remora.messages.estimate import DEPTH, MOTION
from remora.messages.part import PartInput, Role
from remora.messages.part_options import (
    PartError,
    PartKind,
    PartOptions,
    QuietPart,
    VehicleContext,
)
from remora.messages.reference import DIVE


class PilotOptions(PartOptions):
    """What the pilot takes the water to do; it does not measure it."""

    current: Annotated[Quantity[Vector3], Is(SPEED, (3,))] | None = None


@final
@dataclass(frozen=True, eq=False)
class PilotPart(QuietPart):
    """Holds depth, heading and speed by the model; gives commands, no wrench."""

    pilot: Pilot
    needs = (*MOTION, DEPTH)

    def initial(self) -> PilotState:
        """Nothing summed yet."""
        return PilotState()

    def step(self, state: PilotState, now: PartInput) -> tuple[PilotState, Array | None]:
        """Commands for what is asked; none while the state is not known."""
        estimate, asked = now.estimate, now.reference
        if (
            estimate is None
            or asked is None
            or not math.isfinite(estimate.p_NB[2] + sum(estimate[2]) + sum(estimate[3]))
        ):
            return state, None
        return piloted(self.pilot, state, estimate, asked)


def make_pilot_part(options: PilotOptions, onboard: VehicleContext) -> PilotPart:
    """The pilot for a vehicle."""
    try:
        water = options.current.value if options.current else ZERO3
        pilot = make_pilot(
            onboard.plant, onboard.period, water, onboard.asked_speeds[0] if onboard.asked_speeds else 0.0
        )
    except ValueError as error:
        raise PartError(str(error), "part") from None
    return PilotPart(pilot)


PILOT = PartKind("pilot", Role.CONTROL, PilotOptions, make_pilot_part, takes=(DIVE,), gives_commands=True)
