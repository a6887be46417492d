"""Autopilot as a part: commands for depth, heading and speed."""

import math
from dataclasses import dataclass
from typing import Annotated, final

from remora.control.autopilots.autopilot import (
    Autopilot,
    AutopilotState,
    autopilot_allocation,
    autopilot_step,
    make_autopilot,
    out_of_reach,
)
from remora.equations.algebra.vectors import ZERO3
from remora.equations.types import Vector3
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
from remora.vehicles.names import DEGREES_OF_FREEDOM


class AutopilotOptions(PartOptions):
    """Assumed current; the autopilot does not measure it."""

    current: Annotated[Quantity[Vector3], Is(SPEED, (3,))] | None = None


@final
@dataclass(frozen=True, eq=False)
class AutopilotPart(QuietPart):
    """Model-based control of depth, heading and speed; its output is commands, not a wrench."""

    autopilot: Autopilot
    disabled: tuple[str, ...] = ()
    needs = (*MOTION, DEPTH)

    def without_thrusters(self, disabled: tuple[str, ...]) -> "AutopilotPart":
        """The same autopilot without some thrusters."""
        off = (*self.disabled, *disabled)
        allocation = autopilot_allocation(self.autopilot.plant, off)
        return AutopilotPart(self.autopilot._replace(allocation=allocation), off)

    @property
    def uncontrollable(self) -> tuple[str, ...]:
        """Needed degrees of freedom that cannot be controlled."""
        return tuple(DEGREES_OF_FREEDOM[i] for i in out_of_reach(self.autopilot.allocation))

    def initial(self) -> AutopilotState:
        """Zero integrals."""
        return AutopilotState()

    def step(self, state: AutopilotState, now: PartInput) -> tuple[AutopilotState, Array | None]:
        """Commands; None while the state is unknown."""
        estimate, reference = now.estimate, now.reference
        if (
            estimate is None
            or reference is None
            or not math.isfinite(estimate.p_NB[2] + sum(estimate[2]) + sum(estimate[3]))
        ):
            return state, None
        return autopilot_step(self.autopilot, state, estimate, reference, now.wrench)


def make_autopilot_part(options: AutopilotOptions, onboard: VehicleContext) -> AutopilotPart:
    """The autopilot for a vehicle."""
    try:
        water = options.current.value if options.current else ZERO3
        autopilot = make_autopilot(
            onboard.plant, onboard.period, water, onboard.asked_speeds[0] if onboard.asked_speeds else 0.0
        )
    except ValueError as error:
        raise PartError(str(error), "part") from None
    return AutopilotPart(autopilot)


AUTOPILOT = PartKind(
    "autopilot", Role.CONTROL, AutopilotOptions, make_autopilot_part, takes=(DIVE,), gives_commands=True
)
