"""Control chain of the FlatFish as a part: position P, velocity P and buoyancy compensation (Britto Neto 2018)."""

from dataclasses import dataclass
from typing import Any, NamedTuple, final

from remora.control.autopilots.position import (
    POSITION_GAINS,
    PositionControl,
    PositionControlState,
    mission_velocity_gains,
    position_control,
)
from remora.control.feedback.attitude import slowest_rise_time
from remora.control.parts.controllers import FourNumbers, speed_limits
from remora.control.parts.safe_output import HELD, LARGEST_AGE, Age, SafePart, age_of
from remora.control.tuning.sampled_plant import ON_CIRCLE, spectral_radius
from remora.equations.types import Wrench
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, VehicleContext
from remora.messages.reference import POSE


class CascadePOptions(PartOptions):
    """Gains and limits for surge, sway, heave and yaw."""

    position_gains: FourNumbers | None = None
    velocity_gains: FourNumbers | None = None
    max_speeds: FourNumbers | None = None
    max_age: Age | None = None


class CascadePState(NamedTuple):
    """State of the position control, and whether the last output was the safe one."""

    control: PositionControlState = PositionControlState()
    is_safe: bool | None = None  # None before the first sample


@final
@dataclass(frozen=True)
class SafePositionControl:
    """Position control with a state after a safe output."""

    law: PositionControl

    def initial(self) -> CascadePState:
        """Before the first step."""
        return CascadePState()

    def safe(self, state: CascadePState) -> CascadePState:
        """State after a safe output."""
        return CascadePState(state.control, is_safe=True)


@final
@dataclass(frozen=True)
class CascadeP(SafePart):
    """P-P chain without integral action: a current leaves a steady offset."""

    control: SafePositionControl
    max_age: float = LARGEST_AGE  # s, of the estimate

    @property
    def stiffness(self) -> tuple[float, ...]:
        """Wrench per error in surge, sway, heave and yaw, N/m and N m/rad."""
        law = self.control.law
        gains = zip(law.masses, law.velocity_gains, law.position_gains, strict=True)
        return tuple(mass * inner * outer for mass, inner, outer in gains)

    def wanted(self, reference: Any) -> tuple[float, ...]:
        """Pose."""
        return (*reference.p_NR, reference.heading)

    def controlled(self, state: CascadePState, estimate: Estimate, now: PartInput) -> tuple[CascadePState, Wrench]:
        """The wrench towards the pose of the reference."""
        after, wrench = self.control.law.step(
            state.control, estimate.p_NB, estimate.q_NB, estimate.twist, now.reference, now.missing
        )
        return CascadePState(after, is_safe=False), wrench


def make_cascade_p(options: CascadePOptions, onboard: VehicleContext) -> CascadeP:
    """The chain for a vehicle."""
    parameters = onboard.vehicle.parameters
    position = options.position_gains.value if options.position_gains else POSITION_GAINS
    usual = mission_velocity_gains(parameters, onboard.period)
    velocity = options.velocity_gains.value if options.velocity_gains else usual
    lag = slowest_rise_time(parameters)
    for axis, outer, inner in zip(HELD, position, velocity, strict=True):
        # P over P is a PI law on the velocity: its integral is the position.
        radius = spectral_radius(inner, inner * outer, onboard.period, lag)
        if radius >= 1.0 and inner * outer > 0.0:
            is_inner = spectral_radius(inner, 0.0, onboard.period, lag) > ON_CIRCLE
            loop, gain = ("velocity", inner) if is_inner else ("position", outer)
            raise PartError(
                f"make the {axis} loop unstable: with a period of {onboard.period:.3g} s, a thruster time constant of "
                f"{lag:.3g} s and a {loop} gain of {gain:.3g} 1/s its largest pole is {radius:.3g} per step. "
                f"Lower {loop}_gains.",
                "position_gains" if options.position_gains and not is_inner else "velocity_gains",
            )
    limits = speed_limits(options.max_speeds, onboard)
    control = SafePositionControl(position_control(parameters, position, velocity, limits))
    return CascadeP(control, age_of(options.max_age))


CASCADE_P = PartKind("cascade_p", Role.CONTROL, CascadePOptions, make_cascade_p, takes=(POSE,))
