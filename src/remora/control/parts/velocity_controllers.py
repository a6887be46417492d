"""Controllers of body velocities as parts: `pid`, `adaptive` and `sliding_mode`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

from remora.control.allocation.thrusters import HELD_AXES, pseudo_inverse
from remora.control.autopilots.sliding_mode import (
    SlidingModeControl,
    SlidingModeState,
    SlidingSurfaces,
    default_surfaces,
)
from remora.control.autopilots.velocity_tracking import (
    SPEED_SCALES,
    VelocityTracking,
    VelocityTrackingState,
    critical_gains,
    default_velocity_gains,
    velocity_tracking,
)
from remora.control.feedback.dynamic_inversion import DynamicInversion
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.control.feedback.loop_stability import largest_stable_gain, loop_radius
from remora.control.feedback.shaft_feedback import ShaftFeedback, shaft_feedback
from remora.control.parts.controllers import HELD, FourNumbers, check_valid_speeds
from remora.control.parts.safe_output import LARGEST_AGE, Age, is_finite_reference, safe_output_reports, usable_estimate
from remora.equations.algebra.vectors import ZERO6, Wrench
from remora.equations.control.adaptive_network import Network, learning_decay
from remora.equations.control.velocity_tracking import TrackingGains
from remora.files.problems import listed
from remora.messages.estimate import POSE_AND_MOTION
from remora.messages.part import PartInput, PartReport, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, QuietPart, VehicleContext
from remora.messages.reference import VELOCITY


class PidOptions(PartOptions):
    """Gains for surge, sway, heave and yaw."""

    velocity_gains: FourNumbers | None = None
    integral_gains: FourNumbers | None = None
    max_age: Age | None = None


class AdaptiveOptions(PidOptions):
    """Switches of the adaptive elements."""

    hedging: bool = True
    network: bool = True


class SlidingModeOptions(PartOptions):
    """Parameters of the sliding surfaces for surge, sway, heave and yaw."""

    slopes: FourNumbers | None = None
    switching_gains: FourNumbers | None = None
    layers: FourNumbers | None = None
    max_age: Age | None = None


VelocityState: TypeAlias = VelocityTrackingState | SlidingModeState


@final
@dataclass(frozen=True, eq=False)
class VelocityFollowing(QuietPart):
    """Wrench that follows body velocities; zero while estimate or reference is unknown or old."""

    control: VelocityTracking | SlidingModeControl
    shafts: ShaftFeedback | None = None
    max_age: float = LARGEST_AGE  # s, of the estimate
    needs = POSE_AND_MOTION

    def initial(self) -> VelocityState:
        """Zero integrals."""
        return self.control.initial()

    def step(self, state: VelocityState, now: PartInput) -> tuple[VelocityState, Wrench | None]:
        """The wrench; None before the first estimate and reference."""
        if now.estimate is None or now.reference is None:
            return state, None
        estimate, desired = usable_estimate(now, self.max_age), now.reference.velocity
        if estimate is None or not is_finite_reference(desired):
            return self._safe(state), ZERO6
        q, twist = estimate.q_NB, estimate.twist
        if isinstance(self.control, SlidingModeControl):
            assert isinstance(state, SlidingModeState)
            return self.control.step(state, q, twist, desired, now.missing)
        assert isinstance(state, VelocityTrackingState)
        applied = None if self.shafts is None else self.shafts.wrench(now.readings, twist)
        return self.control.step(state, q, twist, desired, now.missing, applied)

    def _safe(self, state: VelocityState) -> VelocityState:
        if isinstance(self.control, SlidingModeControl):
            assert isinstance(state, SlidingModeState)
            return self.control.safe(state)
        assert isinstance(state, VelocityTrackingState)
        return self.control.safe(state)

    def reports(self, before: VelocityState, after: VelocityState) -> Iterator[PartReport]:
        """Beginning and end of the safe output."""
        yield from safe_output_reports(before.is_safe, after.is_safe)


def make_pid(options: PidOptions, onboard: VehicleContext) -> VelocityFollowing:
    """Reference model, PI law and dynamic inversion."""
    gains = _checked_gains(options, onboard, _thruster_lag(onboard))
    parameters, packed = onboard.vehicle.parameters, onboard.plant.packed
    return VelocityFollowing(
        velocity_tracking(parameters, packed, gains, onboard.period), max_age=_age(options.max_age)
    )


def make_adaptive(options: AdaptiveOptions, onboard: VehicleContext) -> VelocityFollowing:
    """The same with pseudo-control hedging and the adaptive network."""
    parameters, packed = onboard.vehicle.parameters, onboard.plant.packed
    shafts = shaft_feedback(parameters, onboard.sensors) if options.hedging else None
    # Hedging by measured shaft speeds hides the lag from the loop, hedging by missing thrust does not.
    gains = _checked_gains(options, onboard, 0.0 if shafts else _thruster_lag(onboard))
    network = Network() if options.network else None
    if network is not None:
        _check_learning(network, gains, onboard)
    control = velocity_tracking(parameters, packed, gains, onboard.period, network, options.hedging)
    return VelocityFollowing(control, shafts, _age(options.max_age))


def make_sliding_mode(options: SlidingModeOptions, onboard: VehicleContext) -> VelocityFollowing:
    """Sliding mode with dynamic inversion."""
    _check_axes(onboard)
    check_valid_speeds(onboard)
    default = default_surfaces(onboard.vehicle.parameters, onboard.period)
    slopes = options.slopes.value if options.slopes else default.slopes
    gains = options.switching_gains.value if options.switching_gains else default.switching_gains
    layers = options.layers.value if options.layers else default.layers
    for axis, layer in zip(HELD, layers, strict=True):
        if not layer > 0.0:
            raise PartError(f"must be above zero in {axis}: without a layer the thrusters would chatter.", "layers")
    proportional = [slope + gain / layer for slope, gain, layer in zip(slopes, gains, layers, strict=True)]
    integral = [slope * gain / layer for slope, gain, layer in zip(slopes, gains, layers, strict=True)]
    lag = _thruster_lag(onboard)
    _check_stable(proportional, integral, (onboard.period, lag), "switching_gains", "inside the layer, ")
    inversion = DynamicInversion(FeedbackLinearisation(onboard.plant.packed))
    control = SlidingModeControl(inversion, SlidingSurfaces(slopes, gains, layers), onboard.period)
    return VelocityFollowing(control, max_age=_age(options.max_age))


def _age(given: object) -> float:
    return LARGEST_AGE if given is None else float(given.value)  # type: ignore[attr-defined]


def _thruster_lag(onboard: VehicleContext) -> float:
    """Largest time constant of the thrusters, s."""
    return max((thruster.rise_time for thruster in onboard.vehicle.parameters.thrusters), default=0.0)


def _checked_gains(options: PidOptions, onboard: VehicleContext, lag: float) -> TrackingGains:
    """Gains, after the checks of axes, speeds and stability behind a lag in s."""
    _check_axes(onboard)
    check_valid_speeds(onboard)
    default = default_velocity_gains(onboard.vehicle.parameters, onboard.period)
    proportional = options.velocity_gains.value if options.velocity_gains else default
    gains = critical_gains(proportional, options.integral_gains.value if options.integral_gains else None)
    given = "velocity_gains" if options.velocity_gains or not options.integral_gains else "integral_gains"
    _check_stable(gains.proportional, gains.integral, (onboard.period, lag), given)
    return gains


def _check_learning(network: Network, gains: TrackingGains, onboard: VehicleContext) -> None:
    """Refuse gains with which the learning law of the network overshoots at an error of full scale."""
    decay = learning_decay(network, gains, SPEED_SCALES, onboard.period)
    if decay >= 1.0:
        raise PartError(
            f"make the network of adaptive diverge: with a period of {onboard.period:.3g} s its weights change by "
            f"{decay:.3g} of themselves per step at full speed error, which must be below 1. Lower the gains, or set "
            "network: false.",
            "velocity_gains",
        )


def _check_axes(onboard: VehicleContext) -> None:
    """Refuse vehicles whose thrusters cannot control surge, sway, heave and yaw."""
    parameters = onboard.vehicle.parameters
    lost = pseudo_inverse(parameters, HELD_AXES).uncontrollable if parameters.thrusters else HELD
    if lost:
        message = f"the thrusters of {onboard.vehicle.name} cannot control {listed(lost)} independently"
        raise PartError(f"{message}; it follows velocities in {listed(HELD)}. Choose another controller.", "part")


def _check_stable(
    proportional: Sequence[float],
    integral: Sequence[float],
    timing: tuple[float, float],
    option: str,
    where: str = "",
) -> None:
    """Refuse gains with which the sampled loop is unstable at a timing of period and thruster lag, s."""
    period, lag = timing
    for axis, p, i in zip(HELD, proportional, integral, strict=True):
        radius = loop_radius(p, i, period, lag)
        if radius >= 1.0 and p > 0.0:
            most = largest_stable_gain(period, lag, 0.0)
            raise PartError(
                f"{where}make the {axis} loop unstable: with a period of {period:.3g} s and a thruster time constant "
                f"of {lag:.3g} s its largest pole is {radius:.3g} per step. Stay well below a gain of {most:.2g} 1/s.",
                option,
            )


PID = PartKind("pid", Role.CONTROL, PidOptions, make_pid, takes=(VELOCITY,))
ADAPTIVE = PartKind("adaptive", Role.CONTROL, AdaptiveOptions, make_adaptive, takes=(VELOCITY,))
SLIDING_MODE = PartKind("sliding_mode", Role.CONTROL, SlidingModeOptions, make_sliding_mode, takes=(VELOCITY,))
