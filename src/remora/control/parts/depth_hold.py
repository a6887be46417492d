"""Part `depth_hold`: depth and heading hold, stabilised and manual force, from attitude, turn rates and depth alone."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

from remora.control.autopilots.stabilisation import Stabilisation, StabilisationState, stabilisation
from remora.control.feedback.held_axes import check_held_axes
from remora.control.parts.safe_output import LARGEST_AGE, Age, SafePart, age_of
from remora.equations.algebra.vectors import ZERO6
from remora.equations.types import Wrench
from remora.messages.estimate import ATTITUDE, RATES, Estimate
from remora.messages.part import PartInput, PartReport, Role
from remora.messages.part_options import PartKind, PartOptions, VehicleContext
from remora.messages.reference import STABILISED


class DepthHoldOptions(PartOptions):
    """Gains follow from the inertia of the vehicle and the lag of its thrusters."""

    max_age: Age | None = None


@final
@dataclass(frozen=True)
class DepthHold(SafePart):
    """Wrench that holds depth and attitude, plus the forces of the reference.

    Without a depth the heave force is that of the reference, and the attitude is held; without attitude or turn rates
    the wrench is zero.
    """

    control: Stabilisation
    max_age: float = LARGEST_AGE  # s, of the estimate
    needs = (ATTITUDE, RATES)

    def wanted(self, reference: Any) -> tuple[float, ...]:
        """Forces and rates; a depth or heading that is not held is not a number."""
        sink_rate = reference.sink_rate if math.isfinite(reference.depth) else 0.0
        return (*reference.force, sink_rate, reference.heading_rate)

    def controlled(
        self, state: StabilisationState, estimate: Estimate, now: PartInput
    ) -> tuple[StabilisationState, Wrench]:
        """The wrench of the law."""
        twist = estimate.twist
        turn_rate = (twist[3], twist[4], twist[5])
        return self.control.step(state, estimate.p_NB[2], estimate.q_NB, turn_rate, now.reference, now.missing)

    def safe_output(self) -> Wrench:
        """Zero wrench."""
        return ZERO6

    def reports(self, before: StabilisationState, after: StabilisationState) -> Iterator[PartReport]:
        """Beginning and end of the safe output, and of an unknown depth."""
        yield from super().reports(before, after)
        if before.has_depth and not after.has_depth:
            text = "the depth is unknown: the heave force is zero, attitude and heading are held"
            yield PartReport("warning", text, {"holds_depth": False})
        elif after.has_depth and not before.has_depth:
            yield PartReport("info", "the depth is known again and held", {"holds_depth": True})


def make_depth_hold(options: DepthHoldOptions, onboard: VehicleContext) -> DepthHold:
    """The controller of a vehicle; PartError where its thrusters cannot control it."""
    check_held_axes(onboard, "holds depth and heading", ("heave", "yaw"))
    control = stabilisation(onboard.vehicle.parameters, onboard.period, onboard.plant.locked)
    return DepthHold(control, age_of(options.max_age))


DEPTH_HOLD = PartKind("depth_hold", Role.CONTROL, DepthHoldOptions, make_depth_hold, takes=(STABILISED,))
