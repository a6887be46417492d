"""Controllers as parts: a wrench about B in body axes from estimate and reference."""

import math
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, TypeAlias, final

from remora.control.autopilots.cascade import CascadeControl, CascadeState, ardusub_cascade
from remora.control.autopilots.position import (
    INTEGRAL_GAINS,
    LARGEST_SPEEDS,
    LEAST_MISSING,
    POSITION_GAINS,
    PositionControl,
    PositionControlState,
    mission_control,
    mission_velocity_gains,
    position_control,
    valid_speeds,
)
from remora.control.autopilots.tunnel import TunnelControl, TunnelControlState, simu2vita_control
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.control.tuning.loop_margins import STABLE, CascadeGains, cascade_radius
from remora.control.tuning.sampled_plant import LoopTiming, largest_stable, thruster_lag
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.types import FourDof, Quaternion, Wrench
from remora.files.quantities import Is, Quantity, not_negative
from remora.messages.estimate import ATTITUDE, MOTION, POSE_AND_MOTION, RATES
from remora.messages.part import PartInput, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, QuietPart, VehicleContext
from remora.messages.reference import POSE, TUNNEL, VELOCITY
from remora.navigation.echosounders import EchoOptions, Echosounders, echosounders
from remora.vehicles.checks.actuation import levelled_axes
from remora.vehicles.names import DEGREES_OF_FREEDOM, FOUR_AXES
from remora.vehicles.sections.vehicle_sections import DegreeOfFreedom

Gain: TypeAlias = Annotated[Quantity[float], Is(None, (), not_negative, plain_only=True)]
FourNumbers: TypeAlias = Annotated[Quantity[FourDof], Is(None, (4,), not_negative, plain_only=True)]
ALL_AXES: Wrench = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
SPEED_MARGIN = 1.25  # factor of speed limits over the speeds of the guidance, so that the vehicle can catch up


class TunnelControlOptions(EchoOptions):
    """Derivative gains of centring, and whether torques are included."""

    lateral_derivative: Gain | None = None
    vertical_derivative: Gain | None = None
    orientation: bool = True


@final
@dataclass(frozen=True)
class TunnelFollowing(QuietPart):
    """Speed, centring and orientation in a tunnel (Gava et al. 2022)."""

    control: TunnelControl
    echoes: Echosounders
    needs = MOTION

    def initial(self) -> TunnelControlState:
        """Zero integrals."""
        return self.control.initial()

    def step(self, state: TunnelControlState, now: PartInput) -> tuple[TunnelControlState, Wrench | None]:
        """The wrench, with anti-windup by the missing wrench of the allocation."""
        estimate, reference = now.estimate, now.reference
        if estimate is None or reference is None:
            return state, None
        lateral, vertical = self.echoes.offsets(now)
        blocked = (_sign(now.missing[0]), _sign(now.missing[1]), _sign(now.missing[2]))
        return self.control.step(state, estimate.q_NB, estimate.twist, lateral, vertical, reference, blocked)


def _sign(missing: float) -> int:
    return 0 if abs(missing) < LEAST_MISSING else 1 if missing > 0.0 else -1


def make_tunnel(options: TunnelControlOptions, onboard: VehicleContext) -> TunnelFollowing:
    """The outer controllers of the tunnel mission."""
    gains = {
        name: given.value
        for name in ("lateral_derivative", "vertical_derivative")
        if (given := getattr(options, name)) is not None
    }
    control = simu2vita_control(onboard.vehicle.parameters, onboard.period, orientation=options.orientation, **gains)
    return TunnelFollowing(control, echosounders(options, onboard))


class AxesOptions(PartOptions):
    """Degrees of freedom of a controller."""

    axes: list[DegreeOfFreedom] | None = None

    def acts(self) -> Wrench:
        """One for each degree of freedom in which it acts, else zero."""
        one, *others = (1.0 if self.axes is None or name in self.axes else 0.0 for name in DEGREES_OF_FREEDOM)
        return (one, others[0], others[1], others[2], others[3], others[4])


class LinearisationOptions(AxesOptions):
    """Linearised degrees of freedom; default all."""


@final
@dataclass(frozen=True, eq=False)
class LinearisationPart(QuietPart):
    """Feedback linearisation: cancels drag, weight and buoyancy by the model."""

    linearisation: FeedbackLinearisation
    acts: Wrench = ALL_AXES
    needs = MOTION

    def initial(self) -> tuple[()]:
        """No state."""
        return ()

    def step(self, state: tuple[()], now: PartInput) -> tuple[tuple[()], Any]:
        """The linearising wrench; the position may be unknown."""
        estimate = now.estimate
        if estimate is None:
            return state, None
        body = (0.0, 0.0, 0.0, *estimate.q_NB, *estimate.twist)
        wrench = self.linearisation.wrench(body).tolist()  # type: ignore[arg-type]
        return state, tuple(a * b for a, b in zip(self.acts, wrench, strict=True))


def make_linearisation(options: LinearisationOptions, onboard: VehicleContext) -> LinearisationPart:
    """Feedback linearisation of a vehicle."""
    return LinearisationPart(FeedbackLinearisation(onboard.plant.packed), options.acts())


class CascadeOptions(AxesOptions):
    """Controlled axes; default all three."""


@final
@dataclass(frozen=True)
class AttitudeCascade(QuietPart):
    """Attitude cascade with the public gains of ArduSub; torques only."""

    control: CascadeControl
    acts: Wrench = ALL_AXES
    needs = (ATTITUDE, RATES)

    def initial(self) -> CascadeState:
        """Zero integrals."""
        return self.control.initial()

    def step(self, state: CascadeState, now: PartInput) -> tuple[CascadeState, Wrench | None]:
        """The torque towards the attitude of the reference."""
        if now.estimate is None or now.reference is None:
            return state, None
        after, torque = self.control.step(
            state, now.estimate.q_NB, now.estimate.twist, reference_attitude(now.reference)
        )
        K, M, N = (a * b for a, b in zip(self.acts[3:], torque, strict=True))
        return after, (0.0, 0.0, 0.0, K, M, N)


def reference_attitude(reference: Any) -> Quaternion:
    """Attitude of a reference; a pose reference means its heading, level."""
    q_NR: Quaternion | None = getattr(reference, "q_NR", None)
    return from_euler_zyx(0.0, 0.0, reference.heading) if q_NR is None else q_NR


def make_cascade(options: CascadeOptions, onboard: VehicleContext) -> AttitudeCascade:
    """The cascade scaled to a vehicle."""
    if not onboard.vehicle.parameters.thrusters:
        raise PartError("the vehicle has no thrusters whose torques the gains could be scaled to.", "part")
    return AttitudeCascade(ardusub_cascade(onboard.vehicle.parameters, onboard.period), options.acts())


class PositionOptions(PartOptions):
    """Gains and limits for surge, sway, heave and yaw."""

    position_gains: FourNumbers | None = None
    velocity_gains: FourNumbers | None = None
    integral_gains: FourNumbers | None = None
    max_speeds: FourNumbers | None = None
    follows_velocity: bool = True
    feedforward: bool | None = None
    levels: bool | None = None


@final
@dataclass(frozen=True)
class PositionHolding(QuietPart):
    """Station keeping: position P, velocity PI and buoyancy compensation (Britto Neto 2018, there without integral)."""

    control: PositionControl
    needs = POSE_AND_MOTION

    def initial(self) -> PositionControlState:
        """Zero integrals."""
        return self.control.initial()

    def step(self, state: PositionControlState, now: PartInput) -> tuple[PositionControlState, Wrench | None]:
        """The wrench towards the pose of the reference."""
        estimate = now.estimate
        if estimate is None or now.reference is None:
            return state, None
        return self.control.step(state, estimate.p_NB, estimate.q_NB, estimate.twist, now.reference, now.missing)


def make_position(options: PositionOptions, onboard: VehicleContext) -> PositionHolding:
    """Position control for a vehicle."""
    gains = [
        quantity.value if quantity else default
        for quantity, default in (
            (options.position_gains, POSITION_GAINS),
            (options.velocity_gains, mission_velocity_gains(onboard.vehicle.parameters, onboard.period)),
            (options.integral_gains, INTEGRAL_GAINS),
        )
    ]
    parameters, plant = onboard.vehicle.parameters, onboard.plant
    limits = speed_limits(options.max_speeds, onboard)
    control = mission_control(
        position_control(parameters, gains[0], gains[1], limits, options.follows_velocity),
        parameters,
        plant.packed,
        gains[2],
        onboard.period,
        levelled_axes(parameters, plant.locked) if _levels(options, onboard) else (),
        _adds_drag(options, onboard),
    )
    if not math.isfinite(sum(control.masses)):
        raise PartError("the vehicle has no finite inertia.", "part")
    timing = LoopTiming(onboard.period, thruster_lag(parameters))
    _check_stable(control, timing, options)
    return PositionHolding(control)


def _check_stable(control: PositionControl, timing: LoopTiming, options: PositionOptions) -> None:
    """Refuse gains with which the sampled loop of an axis is unstable behind the thruster lag."""
    rows = zip(FOUR_AXES, control.position_gains, control.velocity_gains, control.integral_gains, strict=True)
    for axis, *values in rows:
        gains = CascadeGains(*values)
        radius = cascade_radius(gains, timing)
        if radius <= STABLE:
            continue
        loop, others = _unstable_loop(gains, timing)
        most = largest_stable(partial(_radius_with, others, loop, timing), getattr(gains, loop))
        change = f"Keep {loop}_gains in {axis} well below {most:.2g} 1/s" if most else f"Lower {loop}_gains in {axis}"
        given = [one for one in (loop, *CascadeGains._fields) if getattr(options, f"{one}_gains") is not None]
        raise PartError(
            f"make the {axis} loop unstable: with a period of {timing.period:.3g} s and a thruster time "
            f"constant of {timing.lag:.3g} s its largest pole is {radius:.3g} per step. {change}; "
            "`remora tune` selects gains.",
            f"{given[0] if given else loop}_gains",
        )


def _unstable_loop(gains: CascadeGains, timing: LoopTiming) -> tuple[str, CascadeGains]:
    """Loop that makes unstable gains so, and these gains without the loops outside of it where they matter.

    An inner loop is to blame that would be unstable alone, the velocity loop also at twice its gain.
    """
    velocity, position = gains._replace(position=0.0, integral=0.0), gains._replace(integral=0.0)
    if cascade_radius(velocity._replace(velocity=2.0 * gains.velocity), timing) > STABLE:
        return "velocity", velocity if cascade_radius(velocity, timing) > STABLE else gains
    return ("position", position) if cascade_radius(position, timing) > STABLE else ("integral", gains)


def _radius_with(gains: CascadeGains, loop: str, timing: LoopTiming, value: float) -> float:
    """Spectral radius with another value of one gain."""
    return cascade_radius(gains._replace(**{loop: value}), timing)


def _levels(options: PositionOptions, onboard: VehicleContext) -> bool:
    """Whether it levels the vehicle; by default unless a cascade does."""
    return "cascade" not in onboard.controllers if options.levels is None else options.levels


def _adds_drag(options: PositionOptions, onboard: VehicleContext) -> bool:
    """Whether drag feedforward is added; by default unless feedback linearisation cancels drag."""
    cancelled = "feedback_linearisation" in onboard.controllers
    if options.feedforward and cancelled:
        raise PartError(
            "feedback_linearisation cancels drag already. Leave it out, or remove that part.", "feedforward"
        )
    return not cancelled if options.feedforward is None else options.feedforward


def check_valid_speeds(onboard: VehicleContext) -> None:
    """PartError where the guidance asks for speeds beyond those for which the parameters of the vehicle are valid."""
    asked = onboard.asked_speeds or (0.0,) * 4
    for axis, want, valid in zip(FOUR_AXES, asked, valid_speeds(onboard.vehicle.parameters), strict=True):
        if want > valid:
            unit = "rad/s" if axis == "yaw" else "m/s"
            message = (
                f"the guidance asks for {want:.3g} {unit} in {axis}, but the parameters of {onboard.vehicle.name} are "
            )
            raise PartError(
                f"{message}valid up to {valid:.3g} {unit} only. Ask for less speed in the guidance.", "part"
            )


def speed_limits(given: Quantity[FourDof] | None, onboard: VehicleContext) -> FourDof:
    """Speed limits: as given, or defaults raised for the guidance. PartError where given ones are too low for it."""
    check_valid_speeds(onboard)
    asked = onboard.asked_speeds or (0.0,) * 4
    limits = given.value if given else LARGEST_SPEEDS
    if given is None:
        u, v, w, r = (max(limit, SPEED_MARGIN * want) for limit, want in zip(limits, asked, strict=True))
        return (u, v, w, r)
    for axis, want, limit in zip(FOUR_AXES, asked, limits, strict=True):
        unit = "rad/s" if axis == "yaw" else "m/s"
        if limit == 0.0 and axis not in (*onboard.plant.locked, *onboard.vehicle.parameters.locked):
            raise PartError(f"must be above zero in {axis}: the vehicle would never move to its target.", "max_speeds")
        if want > limit:
            message = f"the guidance asks for {want:.3g} {unit} in {axis}, and the limit here is {limit:.3g} {unit}."
            raise PartError(f"{message} Raise it, leave it out so that it follows, or ask for less.", "max_speeds")
    return limits


TUNNEL_CONTROL = PartKind("tunnel", Role.CONTROL, TunnelControlOptions, make_tunnel, takes=(TUNNEL,))
LINEARISATION = PartKind("feedback_linearisation", Role.CONTROL, LinearisationOptions, make_linearisation)
CASCADE = PartKind("cascade", Role.CONTROL, CascadeOptions, make_cascade, takes=(TUNNEL, POSE, VELOCITY))
POSITION = PartKind("position", Role.CONTROL, PositionOptions, make_position, takes=(POSE,))
