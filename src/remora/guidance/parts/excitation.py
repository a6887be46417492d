"""Excitation for identification as a part: signals about a pose, or a manoeuvre from it."""

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, final

from remora.equations.algebra.vectors import ZERO3
from remora.equations.types import FourDof, Vector3
from remora.files.quantities import Is, Quantity, positive
from remora.files.section import Choice, Section
from remora.files.units import ANGLE, LENGTH, SPEED, TURN_RATE, Dimension
from remora.guidance.manoeuvres import Legs, TurningCircle, id1
from remora.guidance.parts import GuidancePart
from remora.guidance.parts.hold_and_tunnel import (
    Anchor,
    Offset,
    PoseOptions,
    anchor_needs,
    anchored,
    in_unit,
    period_of,
    position_goal,
)
from remora.guidance.signals import (
    ExcitationGuidance,
    ExcitationSignal,
    ExcitationState,
    Multisine,
    PoseReference,
    Sinusoid,
    Steps,
    ZigZag,
)
from remora.messages.part import PartInput, Role
from remora.messages.part_options import Beginning, Duration, Goal, Moment, PartError, PartKind, VehicleContext
from remora.messages.reference import POSE, POSE_FIELDS
from remora.vehicles.names import FOUR_AXES
from remora.vehicles.sections.device_sections import Angle

PEAK_TIME, PEAK_STEP = 120.0, 0.1  # s, duration and step of the search for its peak speeds


class LineSection(Section):
    """One line of a multisine."""

    choices: ClassVar = (Choice(("period", "frequency")),)
    amplitude: Annotated[Quantity[float], Is(None)]
    period: Duration | None = None
    frequency: Annotated[Quantity[float], Is(TURN_RATE)] | None = None
    phase: Angle | None = None


class SignalSection(Section):
    """Signal of one axis: a sinusoid (amplitude), a multisine (lines), a zig-zag or steps (levels)."""

    choices: ClassVar = (
        Choice(("amplitude", "lines", "zig_zag", "levels")),
        Choice(("period", "frequency"), required=False),
    )
    amplitude: Annotated[Quantity[float], Is(None)] | None = None
    lines: list[LineSection] | None = None
    zig_zag: Annotated[Quantity[float], Is(None)] | None = None
    levels: list[Annotated[Quantity[float], Is(None)]] | None = None
    period: Duration | None = None
    frequency: Annotated[Quantity[float], Is(TURN_RATE)] | None = None
    hold: Duration | None = None
    ramp: Moment | None = None
    start: Moment | None = None
    stop: Moment | None = None

    def signal(self, axis: str) -> ExcitationSignal:
        """The signal; PartError when a key is missing, does not apply, or has the wrong unit."""
        wanted = ANGLE if axis == "yaw" else LENGTH
        if self.lines is not None:
            self._only(axis, "lines", "ramp", "start", "stop")
            return self._multisine(axis, wanted, self.lines)
        if self.levels is not None:
            self._only(axis, "levels", "hold")
            if self.hold is None or not self.levels:
                raise PartError("needs at least one level, and hold: how long each of them lasts.", axis, "levels")
            levels = (in_unit(level, wanted, axis, "levels", i) for i, level in enumerate(self.levels))
            return Steps(tuple(levels), self.hold.value)
        if self.zig_zag is not None:
            self._only(axis, "zig_zag", "period", "frequency")
            return ZigZag(in_unit(self.zig_zag, wanted, axis, "zig_zag"), period_of(self, axis))
        assert self.amplitude is not None
        self._only(axis, "amplitude", "period", "frequency", "ramp")
        ramp = self.ramp.value if self.ramp else 0.0
        return Sinusoid(in_unit(self.amplitude, wanted, axis, "amplitude"), period_of(self, axis), ramp)

    def _multisine(self, axis: str, wanted: Dimension, lines: list[LineSection]) -> Multisine:
        amplitudes = tuple(
            in_unit(line.amplitude, wanted, axis, "lines", i, "amplitude") for i, line in enumerate(lines)
        )
        periods = [period_of(line, axis, "lines", i) for i, line in enumerate(lines)]
        try:
            return Multisine(
                amplitudes,
                tuple(2.0 * math.pi / period for period in periods),
                tuple(line.phase.value if line.phase else 0.0 for line in lines),
                self.ramp.value if self.ramp else 0.0,
                self.start.value if self.start else 0.0,
                self.stop.value if self.stop else math.inf,
            )
        except ValueError as error:
            raise PartError(f"{error}.", axis, "lines") from None

    def _only(self, axis: str, *used: str) -> None:
        """Refuse keys that do not apply to the chosen kind of signal."""
        for name in sorted(self.model_fields_set - {*used, "source"}):
            if getattr(self, name) is not None:
                raise PartError(f"does not go with {used[0]}, which takes {', '.join(used[1:])}.", axis, name)


class CircleSection(Section):
    """A turning circle; to port with a negative radius."""

    radius: Annotated[Quantity[float], Is(LENGTH)]
    speed: Annotated[Quantity[float], Is(SPEED, rule=positive)]

    def manoeuvre(self) -> TurningCircle:
        """The circle."""
        if self.radius.value == 0.0:
            raise PartError("must not be zero.", "circle", "radius")
        return TurningCircle(self.radius.value, self.speed.value)


class Id1Section(Section):
    """The manoeuvre ID1 of Randeni et al. 2018."""

    speed: Annotated[Quantity[float], Is(SPEED, rule=positive)]
    turn: Angle | None = None
    depth_change: Offset | None = None

    def manoeuvre(self) -> Legs:
        """Its legs."""
        given = {name: one.value for name in ("turn", "depth_change") if (one := getattr(self, name)) is not None}
        return id1(self.speed.value, **given)


class ExcitationOptions(PoseOptions):
    """Signals about a pose, or a manoeuvre from it, after a time to settle."""

    choices: ClassVar = (*PoseOptions.choices, Choice(("circle", "id1"), required=False))
    settle: Moment | None = None
    surge: SignalSection | None = None
    sway: SignalSection | None = None
    heave: SignalSection | None = None
    yaw: SignalSection | None = None
    circle: CircleSection | None = None
    id1: Id1Section | None = None


@final
@dataclass(frozen=True)
class ExcitedPose(GuidancePart):
    """A pose that is held, then excited (Britto Neto 2018)."""

    excitation: ExcitationGuidance
    position: Vector3 | None
    heading: float | None
    settle_ns: int
    fields = POSE_FIELDS

    @property
    def needs(self) -> tuple[str, ...]:
        """Quantities taken from the first estimate."""
        return anchor_needs(self.position, self.heading)

    @property
    def peak_speeds(self) -> FourDof:
        """Peak speeds of the reference in its first two minutes: surge, sway, heave and yaw."""
        rates = [self.excitation.relative_motion(PEAK_STEP * k)[4:] for k in range(round(PEAK_TIME / PEAK_STEP))]
        ahead, right, down, turning = (max(abs(rate[i]) for rate in rates) for i in range(4))
        if self.excitation.manoeuvre is None and self.excitation.yaw is None:
            return (ahead, right, down, turning)
        level = max(
            math.hypot(rate[0], rate[1]) for rate in rates
        )  # the heading changes: surge is not along the initial heading
        return (level, right if self.excitation.manoeuvre is None else 0.0, down, turning)

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The mean position, where it is given."""
        return () if self.position is None else (position_goal(self.position, "position"),)

    @property
    def begins(self) -> tuple[Beginning, ...]:
        """The earliest start of the excitation."""
        return (Beginning(("settle",), self.settle_ns),)

    def initial(self) -> Anchor | None:
        """Before the first step."""
        return None

    def step(self, state: Anchor | None, now: PartInput) -> tuple[Anchor | None, PoseReference | None]:
        """The reference at this time."""
        state = anchored(state, now, self.position, self.heading)
        if state is None:
            return None, None
        start_ns = state.time_ns + self.settle_ns
        if now.time_ns < start_ns:
            return state, PoseReference(state.p_N, state.heading, ZERO3, 0.0)
        begun = ExcitationState(start_ns, state.p_N, state.heading)
        return state, self.excitation.step(begun, now.time_ns, state.p_N, state.heading)[1]


def make_excitation(options: ExcitationOptions, onboard: VehicleContext) -> ExcitedPose:
    """Signals in one axis or several, and a manoeuvre."""
    signals: dict[str, Any] = {
        axis: section.signal(axis) for axis in FOUR_AXES if (section := getattr(options, axis)) is not None
    }
    manoeuvre_section = options.circle or options.id1
    if not signals and manoeuvre_section is None:
        raise PartError(f"excites nothing. Give at least one of {', '.join(FOUR_AXES)}, circle or id1.", "part")
    return ExcitedPose(
        ExcitationGuidance(**signals, manoeuvre=manoeuvre_section.manoeuvre() if manoeuvre_section else None),
        options.position.value if options.position else None,
        options.heading.value if options.heading else None,
        round(options.settle.value * 1e9) if options.settle else 0,
    )


EXCITATION = PartKind("excitation", Role.GUIDANCE, ExcitationOptions, make_excitation, gives=POSE)
