"""Controllers of body velocities as parts: `pid`, `adaptive` and `sliding_mode`."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias, final

from remora.control.autopilots.position import valid_speeds
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
from remora.control.feedback.attitude import Levelling, levelling, slowest_rise_time
from remora.control.feedback.dynamic_inversion import DynamicInversion, inversion_in_current
from remora.control.feedback.shaft_speed_loop import ShaftFeedback, shaft_feedback
from remora.control.parts.controllers import FourNumbers, check_valid_speeds
from remora.control.parts.safe_output import LARGEST_AGE, Age, SafePart, age_of, check_held_axes
from remora.control.tuning.sampled_plant import ON_CIRCLE, largest_stable, largest_stable_gain, spectral_radius
from remora.equations.control.adaptive_network import Network, learning_decay
from remora.equations.control.velocity_tracking import TrackingGains
from remora.equations.types import Wrench
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, VehicleContext
from remora.messages.reference import VELOCITY
from remora.vehicles.names import FOUR_AXES


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


FOLLOWS = "follows velocities"
VelocityState: TypeAlias = VelocityTrackingState | SlidingModeState


@final
@dataclass(frozen=True, eq=False)
class VelocityFollowing(SafePart):
    """Wrench that follows body velocities; zero while estimate or reference is unknown or old."""

    control: VelocityTracking | SlidingModeControl
    levelling: Levelling
    shafts: ShaftFeedback | None = None
    max_age: float = LARGEST_AGE  # s, of the estimate

    def wanted(self, reference: Any) -> tuple[float, ...]:
        """Velocity."""
        return tuple(reference.velocity)

    def controlled(self, state: VelocityState, estimate: Estimate, now: PartInput) -> tuple[VelocityState, Wrench]:
        """The wrench of the law, with levelling: a current would tilt a vehicle with little righting moment."""
        after, wrench = self._tracked(state, estimate, now)
        return after, self.levelling.added_to(wrench, estimate.q_NB, estimate.twist)

    def _tracked(self, state: VelocityState, estimate: Estimate, now: PartInput) -> tuple[VelocityState, Wrench]:
        q, twist, desired = estimate.q_NB, estimate.twist, now.reference.velocity
        if isinstance(self.control, SlidingModeControl):
            assert isinstance(state, SlidingModeState)
            return self.control.step(state, q, twist, desired, now.missing)
        assert isinstance(state, VelocityTrackingState)
        applied = None if self.shafts is None else self.shafts.wrench(now.readings, twist)
        return self.control.step(state, q, twist, desired, now.missing, applied)


def make_pid(options: PidOptions, onboard: VehicleContext) -> VelocityFollowing:
    """Reference model, PI law and dynamic inversion."""
    gains = _checked_gains(options, onboard, slowest_rise_time(onboard.vehicle.parameters))
    parameters, packed = onboard.vehicle.parameters, onboard.plant.packed
    control = velocity_tracking(parameters, packed, gains, onboard.period, inversion=inversion_of(onboard))
    return VelocityFollowing(control, levelling_of(onboard), max_age=age_of(options.max_age))


def make_adaptive(options: AdaptiveOptions, onboard: VehicleContext) -> VelocityFollowing:
    """The same with pseudo-control hedging and the adaptive network."""
    parameters, packed = onboard.vehicle.parameters, onboard.plant.packed
    shafts = shaft_feedback(parameters, onboard.sensors) if options.hedging else None
    # Hedging by measured shaft speeds hides the lag from the loop, hedging by missing thrust does not.
    gains = _checked_gains(options, onboard, 0.0 if shafts else slowest_rise_time(parameters))
    network = Network() if options.network else None
    if network is not None:
        _check_learning(network, gains, onboard)
    inversion = inversion_of(onboard)
    control = velocity_tracking(parameters, packed, gains, onboard.period, network, options.hedging, inversion)
    return VelocityFollowing(control, levelling_of(onboard), shafts, age_of(options.max_age))


def make_sliding_mode(options: SlidingModeOptions, onboard: VehicleContext) -> VelocityFollowing:
    """Sliding mode with dynamic inversion."""
    check_held_axes(onboard, FOLLOWS)
    check_valid_speeds(onboard)
    default = default_surfaces(onboard.vehicle.parameters, onboard.period)
    slopes = options.slopes.value if options.slopes else default.slopes
    gains = options.switching_gains.value if options.switching_gains else default.switching_gains
    layers = options.layers.value if options.layers else default.layers
    for axis, layer in zip(FOUR_AXES, layers, strict=True):
        if not layer > 0.0:
            raise PartError(f"must be above zero in {axis}: without a layer the thrusters would chatter.", "layers")
    proportional = [slope + gain / layer for slope, gain, layer in zip(slopes, gains, layers, strict=True)]
    integral = [slope * gain / layer for slope, gain, layer in zip(slopes, gains, layers, strict=True)]
    lag = slowest_rise_time(onboard.vehicle.parameters)
    _check_stable(proportional, integral, (onboard.period, lag), "switching_gains", "inside the layer, ")
    inversion = inversion_of(onboard)
    control = SlidingModeControl(inversion, SlidingSurfaces(slopes, gains, layers), onboard.period)
    return VelocityFollowing(control, levelling_of(onboard), max_age=age_of(options.max_age))


def inversion_of(onboard: VehicleContext) -> DynamicInversion:
    """Inverse of a vehicle, with the current from its thrust."""
    parameters, (u, v, w, _) = onboard.vehicle.parameters, valid_speeds(onboard.vehicle.parameters)
    return inversion_in_current(parameters, onboard.plant.packed, (u, v, w), onboard.period)


def levelling_of(onboard: VehicleContext) -> Levelling:
    """Levelling of a vehicle, in no axis where a cascade levels it."""
    others = ("roll", "pitch") if "cascade" in onboard.controllers else ()
    return levelling(onboard.vehicle.parameters, (*onboard.plant.locked, *others))


def _checked_gains(options: PidOptions, onboard: VehicleContext, lag: float) -> TrackingGains:
    """Gains, after the checks of axes, speeds and stability behind a lag in s."""
    check_held_axes(onboard, FOLLOWS)
    check_valid_speeds(onboard)
    default = default_velocity_gains(onboard.vehicle.parameters, onboard.period)
    proportional = options.velocity_gains.value if options.velocity_gains else default
    gains = critical_gains(proportional, options.integral_gains.value if options.integral_gains else None)
    timing = onboard.period, lag
    if options.integral_gains:
        _check_integral(gains, timing)
    _check_stable(gains.proportional, gains.integral, timing, "velocity_gains")
    return gains


def _check_integral(gains: TrackingGains, timing: tuple[float, float]) -> None:
    """Refuse integral gains that make a loop unstable which is stable without them; timing as in `_check_stable`."""
    for axis, p, i in zip(FOUR_AXES, gains.proportional, gains.integral, strict=True):
        alone, radius = spectral_radius(p, 0.0, *timing), spectral_radius(p, i, *timing)
        if alone <= ON_CIRCLE and radius >= 1.0 and p > 0.0 and i > 0.0:
            most = largest_stable(partial(spectral_radius, p, period=timing[0], lag=timing[1]), i)
            raise PartError(
                f"make the {axis} loop unstable: with a period of {timing[0]:.3g} s, a thruster time constant of "
                f"{timing[1]:.3g} s and a velocity gain of {p:.3g} 1/s its largest pole is {radius:.3g} per step. "
                f"Stay well below {most:.2g} 1/s2.",
                "integral_gains",
            )


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


def _check_stable(
    proportional: Sequence[float],
    integral: Sequence[float],
    timing: tuple[float, float],
    option: str,
    where: str = "",
) -> None:
    """Refuse gains with which the sampled loop is unstable at a timing of period and thruster lag, s."""
    period, lag = timing
    for axis, p, i in zip(FOUR_AXES, proportional, integral, strict=True):
        radius = spectral_radius(p, i, period, lag)
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
