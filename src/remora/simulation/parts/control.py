"""Controllers: from estimate and reference to a wrench about B in body axes."""

import math
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, final

from remora.control.cascade import CascadeControl, CascadeState, ardusub_cascade
from remora.control.position import (
    LARGEST_SPEEDS,
    POSITION_GAINS,
    VELOCITY_GAINS,
    Four,
    PositionControl,
    PositionControlState,
    position_control,
)
from remora.control.stabiliser import Stabiliser
from remora.control.tunnel import TunnelControl, TunnelControlState, simu2vita_control
from remora.equations.quaternions import Quaternion, from_euler_zyx
from remora.equations.vectors import Wrench
from remora.simulation.parts.echoes import EchoOptions, Echosounders, echosounders
from remora.simulation.parts.needs import ATTITUDE, MOTION, POSE_AND_MOTION, RATES
from remora.simulation.parts.part import Onboard, PartError, PartKind, PartOptions, QuietPart
from remora.simulation.parts.references import POSE, TUNNEL
from remora.simulation.roles import Now, Role
from remora.vehicles.description import DegreeOfFreedom
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.quantities import Is, Quantity, not_negative

Gain: TypeAlias = Annotated[Quantity[float], Is(None, (), not_negative, plain_only=True)]
FourNumbers: TypeAlias = Annotated[Quantity[Four], Is(None, (4,), not_negative, plain_only=True)]
# A missing newton below this is rounding and blocks no integral.
LEAST_MISSING = 1e-6
ALL_ACT: Wrench = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0)


class TunnelControlOptions(EchoOptions):
    """Gains of the centring, and whether torques are its business too."""

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
        """Nothing summed yet."""
        return self.control.initial()

    def step(self, state: TunnelControlState, now: Now) -> tuple[TunnelControlState, Wrench | None]:
        """The wrench of three controllers; their integrals rest where allocation cannot follow."""
        estimate, reference = now.estimate, now.reference
        if estimate is None or reference is None:
            return state, None
        lateral, vertical = self.echoes.offsets(now)
        blocked = (_sign(now.missing[0]), _sign(now.missing[1]), _sign(now.missing[2]))
        return self.control.step(state, estimate.q_NB, estimate.twist, lateral, vertical, reference, blocked)


def _sign(missing: float) -> int:
    return 0 if abs(missing) < LEAST_MISSING else 1 if missing > 0.0 else -1


def make_tunnel(options: TunnelControlOptions, onboard: Onboard) -> TunnelFollowing:
    """The outer controllers of the tunnel mission."""
    gains = {
        name: given.value
        for name in ("lateral_derivative", "vertical_derivative")
        if (given := getattr(options, name)) is not None
    }
    control = simu2vita_control(onboard.vehicle.parameters, onboard.period, orientation=options.orientation, **gains)
    return TunnelFollowing(control, echosounders(options, onboard))


class AxesOptions(PartOptions):
    """In which degrees of freedom a controller acts."""

    axes: list[DegreeOfFreedom] | None = None

    def acts(self) -> Wrench:
        """One for each degree of freedom in which it acts, else zero."""
        one, *others = (1.0 if self.axes is None or name in self.axes else 0.0 for name in DEGREES_OF_FREEDOM)
        return (one, others[0], others[1], others[2], others[3], others[4])


class LinearisationOptions(AxesOptions):
    """In which degrees of freedom it cancels; all unless given."""


@final
@dataclass(frozen=True, eq=False)
class FeedbackLinearisation(QuietPart):
    """What cancels drag, weight and buoyancy by the model, so that the other controllers see plain inertia."""

    stabiliser: Stabiliser
    acts: Wrench = ALL_ACT
    needs = MOTION

    def initial(self) -> tuple[()]:
        """Nothing is kept."""
        return ()

    def step(self, state: tuple[()], now: Now) -> tuple[tuple[()], Any]:
        """The linearising wrench; it does not depend on the position, which need not be known."""
        estimate = now.estimate
        if estimate is None:
            return state, None
        body = (0.0, 0.0, 0.0, *estimate.q_NB, *estimate.twist)
        wrench = self.stabiliser.wrench(body).tolist()  # type: ignore[arg-type]
        return state, tuple(a * b for a, b in zip(self.acts, wrench, strict=True))


def make_linearisation(options: LinearisationOptions, onboard: Onboard) -> FeedbackLinearisation:
    """The stabiliser of a vehicle."""
    return FeedbackLinearisation(Stabiliser(onboard.plant.packed), options.acts())


class CascadeOptions(AxesOptions):
    """About which axes it turns; all three unless given."""


@final
@dataclass(frozen=True)
class AttitudeCascade(QuietPart):
    """Angle to rate to torque with the public gains of ArduSub; it gives no forces."""

    control: CascadeControl
    acts: Wrench = ALL_ACT
    needs = (ATTITUDE, RATES)

    def initial(self) -> CascadeState:
        """Nothing summed yet."""
        return self.control.initial()

    def step(self, state: CascadeState, now: Now) -> tuple[CascadeState, Wrench | None]:
        """The torque towards the attitude of the reference."""
        if now.estimate is None or now.reference is None:
            return state, None
        after, torque = self.control.step(state, now.estimate.q_NB, now.estimate.twist, wanted_attitude(now.reference))
        K, M, N = (a * b for a, b in zip(self.acts[3:], torque, strict=True))
        return after, (0.0, 0.0, 0.0, K, M, N)


def wanted_attitude(reference: Any) -> Quaternion:
    """The attitude of a reference; a pose reference asks for its heading, level."""
    q_NR: Quaternion | None = getattr(reference, "q_NR", None)
    return from_euler_zyx(0.0, 0.0, reference.heading) if q_NR is None else q_NR


def make_cascade(options: CascadeOptions, onboard: Onboard) -> AttitudeCascade:
    """The cascade scaled to a vehicle."""
    if not onboard.vehicle.parameters.thrusters:
        raise PartError("the vehicle has no thrusters whose torques the gains could be scaled to.", "part")
    return AttitudeCascade(ardusub_cascade(onboard.vehicle.parameters, onboard.period), options.acts())


class PositionOptions(PartOptions):
    """Gains and limits for surge, sway, heave and yaw."""

    position_gains: FourNumbers | None = None
    velocity_gains: FourNumbers | None = None
    largest_speeds: FourNumbers | None = None
    follows_velocity: bool = False


@final
@dataclass(frozen=True)
class PositionHolding(QuietPart):
    """Position P, velocity P and buoyancy compensation (Britto Neto 2018)."""

    control: PositionControl
    needs = POSE_AND_MOTION

    def initial(self) -> PositionControlState:
        """No turn asked for yet."""
        return self.control.initial()

    def step(self, state: PositionControlState, now: Now) -> tuple[PositionControlState, Wrench | None]:
        """The wrench towards the pose of the reference."""
        estimate = now.estimate
        if estimate is None or now.reference is None:
            return state, None
        return self.control.step(state, estimate.p_NB, estimate.q_NB, estimate.twist, now.reference)


def make_position(options: PositionOptions, onboard: Onboard) -> PositionHolding:
    """Position control for a vehicle."""
    gains = [
        quantity.value if quantity else usual
        for quantity, usual in (
            (options.position_gains, POSITION_GAINS),
            (options.velocity_gains, VELOCITY_GAINS),
            (options.largest_speeds, LARGEST_SPEEDS),
        )
    ]
    control = position_control(onboard.vehicle.parameters, gains[0], gains[1], gains[2], options.follows_velocity)
    if not math.isfinite(sum(control.masses)):
        raise PartError("the vehicle has no finite inertia.", "part")
    return PositionHolding(control)


TUNNEL_CONTROL = PartKind("tunnel", Role.CONTROL, TunnelControlOptions, make_tunnel, takes=(TUNNEL,))
LINEARISATION = PartKind("feedback_linearisation", Role.CONTROL, LinearisationOptions, make_linearisation)
CASCADE = PartKind("cascade", Role.CONTROL, CascadeOptions, make_cascade, takes=(TUNNEL, POSE))
POSITION = PartKind("position", Role.CONTROL, PositionOptions, make_position, takes=(POSE,))
