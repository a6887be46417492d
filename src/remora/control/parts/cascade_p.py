"""Control chain of the FlatFish as a part: position P, velocity P and buoyancy compensation (Britto Neto 2018)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, final

from remora.control.autopilots.position import (
    POSITION_GAINS,
    VELOCITY_GAINS,
    PositionControl,
    PositionControlState,
    position_control,
)
from remora.control.feedback.loop_stability import loop_radius
from remora.control.parts.controllers import HELD, FourNumbers, speed_limits
from remora.control.parts.safe_output import LARGEST_AGE, Age, is_finite_reference, safe_output_reports, usable_estimate
from remora.equations.algebra.vectors import ZERO6, Wrench
from remora.messages.estimate import POSE_AND_MOTION
from remora.messages.part import PartInput, PartReport, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, QuietPart, VehicleContext
from remora.messages.reference import POSE


class CascadePOptions(PartOptions):
    """Gains and limits for surge, sway, heave and yaw."""

    position_gains: FourNumbers | None = None
    velocity_gains: FourNumbers | None = None
    max_speeds: FourNumbers | None = None
    max_age: Age | None = None


class CascadePState(NamedTuple):
    """State of the position control, and whether the last output was the safe one."""

    control: PositionControlState
    is_safe: bool = False


@final
@dataclass(frozen=True)
class CascadeP(QuietPart):
    """P-P chain without integral action: a current leaves a steady offset."""

    control: PositionControl
    max_age: float = LARGEST_AGE  # s, of the estimate
    needs = POSE_AND_MOTION

    def initial(self) -> CascadePState:
        """Before the first step."""
        return CascadePState(self.control.initial())

    def step(self, state: CascadePState, now: PartInput) -> tuple[CascadePState, Wrench | None]:
        """The wrench towards the pose of the reference; zero while estimate or reference is unknown or old."""
        if now.estimate is None or now.reference is None:
            return state, None
        estimate = usable_estimate(now, self.max_age)
        if estimate is None or not is_finite_reference((*now.reference.p_NR, now.reference.heading)):
            return CascadePState(state.control, is_safe=True), ZERO6
        after, wrench = self.control.step(
            state.control, estimate.p_NB, estimate.q_NB, estimate.twist, now.reference, now.missing
        )
        return CascadePState(after), wrench

    def reports(self, before: CascadePState, after: CascadePState) -> Iterator[PartReport]:
        """Beginning and end of the safe output."""
        yield from safe_output_reports(before.is_safe, after.is_safe)


def make_cascade_p(options: CascadePOptions, onboard: VehicleContext) -> CascadeP:
    """The chain for a vehicle."""
    parameters = onboard.vehicle.parameters
    position = options.position_gains.value if options.position_gains else POSITION_GAINS
    velocity = options.velocity_gains.value if options.velocity_gains else VELOCITY_GAINS
    lag = max((thruster.rise_time for thruster in parameters.thrusters), default=0.0)
    for axis, outer, inner in zip(HELD, position, velocity, strict=True):
        # P over P is a PI law on the velocity: its integral is the position.
        radius = loop_radius(inner, inner * outer, onboard.period, lag)
        if radius >= 1.0 and inner * outer > 0.0:
            raise PartError(
                f"make the {axis} loop unstable: with a period of {onboard.period:.3g} s, a thruster time constant of "
                f"{lag:.3g} s and a position gain of {outer:.3g} 1/s its largest pole is {radius:.3g} per step. "
                "Lower both gains.",
                "velocity_gains",
            )
    limits = speed_limits(options.max_speeds, onboard)
    age = options.max_age.value if options.max_age else LARGEST_AGE
    return CascadeP(position_control(parameters, position, velocity, limits), age)


CASCADE_P = PartKind("cascade_p", Role.CONTROL, CascadePOptions, make_cascade_p, takes=(POSE,))
