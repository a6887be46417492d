"""Guidance parts: station keeping at a pose (`hold`), and the references of the tunnel mission."""

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple, TypeAlias, final

from remora.equations.algebra.quaternions import from_euler_zyx, normalize, to_euler_zyx
from remora.equations.algebra.vectors import ZERO3
from remora.equations.types import FourDof, Quaternion, Vector3
from remora.files.quantities import Is, Quantity, bare_angle_fault, unit_fault
from remora.files.section import Choice, Length3, Section
from remora.files.units import ANGLE, LENGTH, RATIO, SPEED, TURN_RATE, Dimension
from remora.guidance.parts import GuidancePart
from remora.guidance.signals import PoseReference, Sinusoid
from remora.guidance.tunnel import (
    TunnelGoal,
    TunnelGuidance,
    TunnelGuidanceState,
    TunnelMeasurements,
    TunnelReference,
    simu2vita_guidance,
)
from remora.messages.estimate import ATTITUDE, DEPTH, POSITION, VELOCITY, Estimate
from remora.messages.part import PartInput, Role
from remora.messages.part_options import Duration, Goal, Moment, PartError, PartKind, PartOptions, VehicleContext
from remora.messages.reference import POSE, POSE_FIELDS, TUNNEL, TUNNEL_FIELDS
from remora.navigation.echosounders import EchoOptions, Echosounders, echosounders
from remora.vehicles.sections.device_sections import Angle, Angles

Speed: TypeAlias = Annotated[Quantity[float], Is(SPEED)]
Offset: TypeAlias = Annotated[Quantity[float], Is(LENGTH)]
FourParts: TypeAlias = Annotated[Quantity[Quaternion], Is(RATIO, (4,))]


def position_goal(position: Vector3, *path: str | int) -> Goal:
    """The goal to be at a position."""
    return Goal(path, position[2], (position[0], position[1]))


def in_unit(quantity: Quantity[float], wanted: Dimension, *path: str | int) -> float:
    """Value of a quantity; PartError when its unit does not fit the axis."""
    fault = None if quantity.unit == "SI" else unit_fault(quantity.unit, wanted)
    if quantity.unit == "SI" and wanted == ANGLE:
        fault = bare_angle_fault(quantity.value)
    if fault:
        raise PartError(fault, *path)
    return quantity.value


def period_of(section: Any, *path: str | int) -> float:
    """Period in s, given directly or as an angular frequency."""
    if section.period is not None:
        return section.period.value
    if section.frequency is None:
        raise PartError("gives no period. Give period in s, or frequency in rad/s.", *path)
    if not section.frequency.value > 0.0:
        raise PartError("must be above zero.", *path, "frequency")
    return 2.0 * math.pi / section.frequency.value


class SwingSection(Section):
    """A sinusoid by its period or its angular frequency."""

    choices: ClassVar = (Choice(("period", "frequency")),)
    amplitude: Annotated[Quantity[float], Is(None)]
    period: Duration | None = None
    frequency: Annotated[Quantity[float], Is(TURN_RATE)] | None = None
    ramp: Moment | None = None

    def sinusoid(self, *path: str) -> Sinusoid:
        """The sinusoid in metres; PartError when its amplitude has the wrong unit or its frequency is not positive."""
        amplitude = in_unit(self.amplitude, LENGTH, *path, "amplitude")
        return Sinusoid(amplitude, period_of(self, *path), self.ramp.value if self.ramp else 0.0)


class TunnelOptions(EchoOptions):
    """Desired speed, offsets and attitude in a tunnel."""

    choices: ClassVar = (*EchoOptions.choices, Choice(("angles", "quaternion"), required=False))
    surge: Speed
    lateral: Offset | None = None
    vertical: Offset | None = None
    angles: Angles | None = None
    quaternion: FourParts | None = None
    vertical_swing: SwingSection | None = None


@final
@dataclass(frozen=True)
class TunnelReferences(GuidancePart):
    """Smooth references for the tunnel mission (Gava et al. 2022)."""

    guidance: TunnelGuidance
    goal: TunnelGoal
    echoes: Echosounders
    needs = (ATTITUDE, VELOCITY)
    follows_walls = True
    fields = TUNNEL_FIELDS

    @property
    def offsets(self) -> dict[str, float]:
        """Desired differences of opposite readings, m."""
        return {"lateral": self.goal.lateral, "vertical": self.goal.vertical}

    @property
    def peak_speeds(self) -> FourDof:
        """The speed ahead."""
        return (abs(self.goal.surge), 0.0, 0.0, 0.0)

    def initial(self) -> TunnelGuidanceState:
        """Before the first step."""
        return self.guidance.initial()

    def step(self, state: TunnelGuidanceState, now: PartInput) -> tuple[TunnelGuidanceState, TunnelReference | None]:
        """References, from the first estimate with attitude and speed on."""
        estimate = now.estimate
        if estimate is None or (state.start_ns is None and not _has_attitude_and_speed(estimate)):
            return state, None
        lateral, vertical = self.echoes.offsets(now)
        present = TunnelMeasurements(estimate.twist[0], lateral, vertical, estimate.q_NB)
        return self.guidance.step(state, now.time_ns, self.goal, present)

    def lost_target(self, state: TunnelGuidanceState) -> str:
        """Text while walls are not seen; empty otherwise."""
        pairs = ((state.sees_sides, self.echoes[:2]), (state.sees_heights, self.echoes[2:]))
        lost = [" and ".join(names) for sees, names in pairs if not sees]
        return f"no echoes of the tunnel from {', '.join(lost)}: it is not centred there" if lost else ""


def _has_attitude_and_speed(estimate: Estimate) -> bool:
    return math.isfinite(sum(estimate.q_NB) + estimate.twist[0])


def make_tunnel(options: TunnelOptions, onboard: VehicleContext) -> TunnelReferences:
    """The guidance of the tunnel mission."""
    goal = TunnelGoal(
        options.surge.value,
        options.lateral.value if options.lateral else 0.0,
        options.vertical.value if options.vertical else 0.0,
        attitude(options.angles, options.quaternion, "quaternion"),
    )
    swing = options.vertical_swing.sinusoid("vertical_swing") if options.vertical_swing else None
    return TunnelReferences(simu2vita_guidance(swing), goal, echosounders(options, onboard))


def attitude(angles: Quantity[Vector3] | None, quaternion: Quantity[Quaternion] | None, *path: str | int) -> Quaternion:
    """Attitude from roll, pitch and yaw (zyx) or from a quaternion, which is normalised."""
    if quaternion is not None:
        size = math.hypot(*quaternion.value)
        if abs(size - 1.0) > 1e-3:
            raise PartError(f"must have unit length, scalar first; found a length of {size:.4g}.", *path)
        return normalize(quaternion.value)
    return from_euler_zyx(*(angles.value if angles else ZERO3))


class PoseOptions(PartOptions):
    """A pose; what is not given is taken from the first estimate."""

    position: Length3 | None = None
    heading: Angle | None = None


class Anchor(NamedTuple):
    """Time and pose at the start of guidance."""

    time_ns: int
    p_N: Vector3
    heading: float


def anchored(
    anchor: Anchor | None, now: PartInput, position: Vector3 | None = None, heading: float | None = None
) -> Anchor | None:
    """The anchor, set by the first estimate with the quantities that are not given; None before it."""
    if anchor is not None:
        return anchor
    estimate = now.estimate
    if position is None and (estimate is None or not math.isfinite(sum(estimate.p_NB))):
        return None
    if heading is None and (estimate is None or not math.isfinite(sum(estimate.q_NB))):
        return None
    place = position if position is not None or estimate is None else estimate.p_NB
    course = heading if heading is not None or estimate is None else to_euler_zyx(estimate.q_NB)[2]
    assert place is not None
    assert course is not None
    return Anchor(now.time_ns, place, course)


def anchor_needs(position: Vector3 | None, heading: float | None) -> tuple[str, ...]:
    """Quantities of the estimate that `anchored` needs."""
    return (*((DEPTH, POSITION) if position is None else ()), *((ATTITUDE,) if heading is None else ()))


@final
@dataclass(frozen=True)
class HeldPose(GuidancePart):
    """Station keeping: a constant pose."""

    position: Vector3 | None
    heading: float | None
    launch: Vector3 | None = None  # m in N, initial position of the vehicle
    fields = POSE_FIELDS

    @property
    def needs(self) -> tuple[str, ...]:
        """Quantities taken from the first estimate."""
        return anchor_needs(self.position, self.heading)

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The position, where it is given."""
        return () if self.position is None else (position_goal(self.position, "position"),)

    def initial(self) -> Anchor | None:
        """Before the first step."""
        return None

    def step(self, state: Anchor | None, now: PartInput) -> tuple[Anchor | None, PoseReference | None]:
        """The pose."""
        state = anchored(state, now, self.position, self.heading)
        return state, None if state is None else PoseReference(state.p_N, state.heading, ZERO3, 0.0)


def make_hold(options: PoseOptions, onboard: VehicleContext) -> HeldPose:
    """Station keeping at a pose."""
    return HeldPose(
        options.position.value if options.position else None,
        options.heading.value if options.heading else None,
        onboard.launch,
    )


TUNNEL_GUIDANCE = PartKind("tunnel", Role.GUIDANCE, TunnelOptions, make_tunnel, gives=TUNNEL)
HOLD = PartKind("hold", Role.GUIDANCE, PoseOptions, make_hold, gives=POSE)
