"""L1 adaptive velocity control as a part."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from remora.control.allocation.thrusters import HELD_AXES, pseudo_inverse
from remora.control.autopilots.l1_adaptive import L1AdaptiveControl, L1ControlState, l1_radius
from remora.control.autopilots.velocity_tracking import FALCON_GAINS, LAG_SHARE
from remora.control.feedback.dynamic_inversion import DynamicInversion
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.control.feedback.l1_law import L1Gains
from remora.control.parts.controllers import HELD, FourNumbers, check_valid_speeds
from remora.control.parts.safe_output import LARGEST_AGE, Age, is_finite_reference, safe_output_reports, usable_estimate
from remora.control.tuning.thruster_lag import thruster_lag
from remora.equations.algebra.vectors import ZERO6, Wrench
from remora.files.problems import listed
from remora.messages.estimate import POSE_AND_MOTION
from remora.messages.part import PartInput, PartReport, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, QuietPart, VehicleContext
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
class L1Part(QuietPart):
    """Wrench that follows body velocities; zero while estimate or reference is unknown or old."""

    control: L1AdaptiveControl
    max_age: float = LARGEST_AGE  # s, of the estimate
    needs = POSE_AND_MOTION

    def initial(self) -> L1ControlState:
        """No compensation."""
        return self.control.initial()

    def step(self, state: L1ControlState, now: PartInput) -> tuple[L1ControlState, Wrench | None]:
        """The wrench; None before the first estimate and reference."""
        if now.estimate is None or now.reference is None:
            return state, None
        estimate, desired = usable_estimate(now, self.max_age), now.reference.velocity
        if estimate is None or not is_finite_reference(desired):
            return self.control.safe(state), ZERO6
        return self.control.step(state, estimate.q_NB, estimate.twist, desired, now.missing)

    def reports(self, before: L1ControlState, after: L1ControlState) -> Iterator[PartReport]:
        """Beginning and end of the safe output."""
        yield from safe_output_reports(before.is_safe, after.is_safe)


def make_l1(options: L1Options, onboard: VehicleContext) -> L1Part:
    """L1 adaptive control of a vehicle."""
    parameters, period = onboard.vehicle.parameters, onboard.period
    lost = pseudo_inverse(parameters, HELD_AXES).uncontrollable if parameters.thrusters else HELD
    if lost:
        message = f"the thrusters of {onboard.vehicle.name} cannot control {listed(lost)} independently"
        raise PartError(f"{message}; it follows velocities in {listed(HELD)}. Choose another controller.", "part")
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
    inversion = DynamicInversion(FeedbackLinearisation(onboard.plant.packed))
    age = options.max_age.value if options.max_age else LARGEST_AGE
    return L1Part(L1AdaptiveControl(inversion, tuple(gains), period), age)


L1_ADAPTIVE = PartKind("l1_adaptive", Role.CONTROL, L1Options, make_l1, takes=(VELOCITY,))
