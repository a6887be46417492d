"""L1 adaptive velocity control as a part."""

from dataclasses import dataclass
from typing import Any, final

from remora.control.allocation.thrusters import HELD_AXES
from remora.control.autopilots.l1_adaptive import L1AdaptiveControl, L1ControlState, l1_radius
from remora.control.autopilots.velocity_tracking import FALCON_GAINS, LAG_SHARE
from remora.control.feedback.held_axes import HELD, check_held_axes
from remora.control.feedback.levelling import Levelling
from remora.control.parts.controllers import FourNumbers, check_valid_speeds
from remora.control.parts.safe_output import LARGEST_AGE, Age, SafePart, age_of
from remora.control.parts.velocity_controllers import inversion_of, levelling_of
from remora.control.tuning.thruster_lag import thruster_lag
from remora.equations.algebra.vectors import ZERO6
from remora.equations.control.l1_adaptive import L1Gains
from remora.equations.types import Wrench
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, VehicleContext
from remora.messages.reference import VELOCITY

LARGEST_RADIUS = 0.9999  # per sample
FILTER_SHARE = 0.5  # bandwidth of the compensation over the gain, unless given


class L1Options(PartOptions):
    """Gains for surge, sway, heave and yaw."""

    model_gains: FourNumbers | None = None
    filter_bandwidths: FourNumbers | None = None
    max_age: Age | None = None


@final
@dataclass(frozen=True, eq=False)
class L1Part(SafePart):
    """Wrench that follows body velocities; zero while estimate or reference is unknown or old."""

    control: L1AdaptiveControl
    levelling: Levelling
    max_age: float = LARGEST_AGE  # s, of the estimate

    def wanted(self, reference: Any) -> tuple[float, ...]:
        """Velocity."""
        return tuple(reference.velocity)

    def controlled(self, state: L1ControlState, estimate: Estimate, now: PartInput) -> tuple[L1ControlState, Wrench]:
        """The wrench of the law, with levelling."""
        q, twist = estimate.q_NB, estimate.twist
        after, wrench = self.control.step(state, q, twist, now.reference.velocity, now.missing)
        return after, self.levelling.added_to(wrench, q, twist)

    def safe_output(self) -> Wrench:
        """Zero wrench."""
        return ZERO6


def make_l1(options: L1Options, onboard: VehicleContext) -> L1Part:
    """L1 adaptive control of a vehicle."""
    parameters, period = onboard.vehicle.parameters, onboard.period
    check_held_axes(onboard, "follows velocities")
    check_valid_speeds(onboard)
    lags = [thruster_lag(parameters, axis) for axis in HELD_AXES]
    default = [min(gain, LAG_SHARE / (lag + period)) for gain, lag in zip(FALCON_GAINS, lags, strict=True)]
    model = options.model_gains.value if options.model_gains else default
    filters = options.filter_bandwidths.value if options.filter_bandwidths else [FILTER_SHARE * one for one in model]
    gains = []
    for k, axis in enumerate(HELD):
        one = L1Gains(model[k], filters[k], lags[k])
        radius = l1_radius(one, period)
        if not radius < LARGEST_RADIUS or not one.model > 0.0:
            raise PartError(
                f"make the {axis} loop unstable: with a period of {period:.3g} s and a thruster time constant of "
                f"{one.lag:.3g} s its largest pole is {radius:.4g} per step. Stay near {default[k]:.2g} 1/s.",
                "model_gains" if options.model_gains or not options.filter_bandwidths else "filter_bandwidths",
            )
        gains.append(one)
    control = L1AdaptiveControl(inversion_of(onboard), tuple(gains), period)
    return L1Part(control, levelling_of(onboard), age_of(options.max_age))


L1_ADAPTIVE = PartKind("l1_adaptive", Role.CONTROL, L1Options, make_l1, takes=(VELOCITY,))
