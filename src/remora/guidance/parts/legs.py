"""Guidance along straight legs between points as a part: one step, log row and progress report for every law.

The depth is that of the points, or a constant altitude above the bed by an altimeter, an echosounder or a DVL.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, Protocol, TypeAlias, final

from remora.equations.types import FourDof, Vector3
from remora.files.quantities import Is, Quantity, positive
from remora.files.section import Length3
from remora.files.units import LENGTH, SPEED
from remora.guidance.line_of_sight import LineOfSightReference
from remora.guidance.parts import GuidancePart
from remora.guidance.parts.hold_and_tunnel import position_goal
from remora.guidance.parts.mission_soundings import Altimeter, altimeter, check_altitude
from remora.guidance.waypoints import reached_points, unfinished_text
from remora.logs.schema import Field
from remora.messages.estimate import DEPTH
from remora.messages.part import PartInput, PartReport
from remora.messages.part_options import Goal, Moment, PartError, PartOptions, VehicleContext
from remora.messages.reference import DIVE_FIELDS, LEG_FIELDS

PositiveLength: TypeAlias = Annotated[Quantity[float], Is(LENGTH, rule=positive)]

SMOOTHING = 2.0  # s, time constant of the filter of the bed and its slope; a metre of bed is not followed under way
LEAD = 6.5  # s by which the reference is ahead: the lag of a depth loop on a slope, one over its usual gain
FASTEST_HEADING = 1.0  # s, time constant of the heading loop of an agile vehicle


class LegOptions(PartOptions):
    """Points, speed and distances of a law."""

    points: list[Length3]
    speed: Annotated[Quantity[float], Is(SPEED, rule=positive)]
    lookahead: PositiveLength | None = None
    radius: PositiveLength | None = None
    altitude: PositiveLength | None = None
    altimeter: str | None = None
    lead: Moment | None = None

    def positions(self) -> tuple[Vector3, ...]:
        """The points, m."""
        if not self.points:
            raise PartError("there is no point to go to. Give at least one.", "points")
        return tuple(point.value for point in self.points)

    def given(self, *names: str) -> dict[str, float]:
        """Those of the named quantities that are given; the law has defaults for the others."""
        return {name: quantity.value for name in names if (quantity := getattr(self, name)) is not None}


def check_integral_gain(gain: float, lookahead: float, key: str) -> None:
    """PartError for an integral gain in m/s with which no heading loop is stable.

    On a leg, cross-track error and integral obey s^2 + U s / lookahead + U gain / lookahead^2 = 0 at speed U; behind a
    heading loop with time constant T that is stable for gain < lookahead / T (Routh). The key is the option.
    """
    if (most := lookahead / FASTEST_HEADING) <= gain:
        raise PartError(_unstable(most, "m/s", lookahead), key)


def check_adaptive_gain(gain: float, lookahead: float, key: str) -> None:
    """PartError for an adaptation gain in rad/(m s) with which no heading loop is stable.

    Stable are gains below 1 / (lookahead T) (Routh), with the time constant T of the heading loop. The key is the
    option.
    """
    if (most := 1.0 / (lookahead * FASTEST_HEADING)) <= gain:
        raise PartError(_unstable(most, "rad/(m s)", lookahead), key)


def _unstable(most: float, unit: str, lookahead: float) -> str:
    """Message on a gain, with the limit of stability in its unit and the lookahead distance in m."""
    loop = f"with a lookahead of {lookahead:g} m and a heading loop that takes {FASTEST_HEADING:g} s"
    return f"makes the course unstable {loop}: stay well below {most:.3g} {unit}."


class LegGuidance(Protocol):
    """A law along legs. Its state is None before the first step, then counts the points reached in `leg`."""

    @property
    def points(self) -> tuple[Vector3, ...]:
        """North, east and depth of each point, m."""

    @property
    def speed(self) -> float:
        """Speed ahead, m/s."""

    @property
    def radius(self) -> float:
        """Horizontal distance at which a point is reached, m."""

    def initial(self) -> Any:
        """Before the first step."""

    def step(self, state: Any, time_ns: int, p_NB: Vector3) -> tuple[Any, LineOfSightReference]:
        """The reference at a position."""


@final
@dataclass(frozen=True)
class LegPart(GuidancePart):
    """Depth, heading and speed along straight legs."""

    guidance: LegGuidance
    needs: tuple[str, ...]
    launch: Vector3  # m in N, expected start
    fields = (*DIVE_FIELDS, Field("waypoint", "1"), *LEG_FIELDS)

    @property
    def goals(self) -> tuple[Goal, ...]:
        """All points."""
        return tuple(
            position_goal(point, "points", index)._replace(tolerance=self.guidance.radius)
            for index, point in enumerate(self.guidance.points)
        )

    @property
    def peak_speeds(self) -> FourDof:
        """The speed ahead; other speeds follow from the path."""
        return (self.guidance.speed, 0.0, 0.0, 0.0)

    def initial(self) -> Any:
        """Before the first step."""
        return self.guidance.initial()

    def step(self, state: Any, now: PartInput) -> tuple[Any, LineOfSightReference | None]:
        """The reference; None while a needed coordinate is unknown."""
        needed = 3 if DEPTH in self.needs else 2
        if now.estimate is None or not math.isfinite(sum(now.estimate.p_NB[:needed])):
            return state, None
        return self.guidance.step(state, now.time_ns, now.estimate.p_NB)

    def unfinished(self, state: Any) -> str:
        """Number of points reached; empty when all are."""
        return unfinished_text(0 if state is None else state.leg, len(self.guidance.points))

    def reports(self, before: Any, after: Any) -> Iterator[PartReport]:
        """Points reached."""
        if after is not None:
            yield from reached_points(None if before is None else before.leg, after.leg, len(self.guidance.points))


class BedLegState(NamedTuple):
    """State of the legs, and what is known of the bed below."""

    legs: Any
    bed: float | None = None  # m, filtered depth; None before the first reading
    rate: float = 0.0  # m/s, at which it falls away under way
    error: float | None = None  # m, altitude minus the one to hold; None while the bed is not seen
    time_ns: int = 0


@final
@dataclass(frozen=True)
class BedLegs:
    """Depth, heading and speed along legs; the bed gives the depth once it is seen, and the last while it is lost."""

    legs: LegPart
    altimeter: Altimeter
    altitude: float  # m
    lead: float = LEAD  # s

    @property
    def needs(self) -> tuple[str, ...]:
        """Those of the legs, and the depth."""
        return tuple(dict.fromkeys((*self.legs.needs, DEPTH)))

    @property
    def launch(self) -> Any:
        """Expected start, m in N."""
        return self.legs.launch

    @property
    def fields(self) -> tuple[Field, ...]:
        """Those of the legs."""
        return self.legs.fields

    @property
    def goals(self) -> tuple[Goal, ...]:
        """All points, at the altitude."""
        return tuple(goal._replace(altitude=self.altitude) for goal in self.legs.goals)

    @property
    def peak_speeds(self) -> FourDof:
        """The speed ahead."""
        return self.legs.peak_speeds

    def initial(self) -> BedLegState:
        """Before the first step."""
        return BedLegState(self.legs.initial())

    def step(self, state: BedLegState, now: PartInput) -> tuple[BedLegState, LineOfSightReference | None]:
        """The reference; None while a needed coordinate is unknown."""
        after, reference = self.legs.step(state.legs, now)
        estimate = now.estimate
        if reference is None or estimate is None or not math.isfinite(estimate.p_NB[2]):
            return state._replace(legs=after), None
        height = self.altimeter.altitude(now)
        found = _followed(state, now.time_ns, None if height is None else estimate.p_NB[2] + height)
        found = found._replace(legs=after, error=None if height is None else height - self.altitude)
        if found.bed is None:
            return found, reference
        return found, reference._replace(depth=found.bed + self.lead * found.rate - self.altitude)

    def row(self, output: LineOfSightReference) -> Sequence[float]:
        """The reference as numbers."""
        return self.legs.row(output)

    def unfinished(self, state: BedLegState) -> str:
        """Number of points reached; empty when all are."""
        return self.legs.unfinished(state.legs)

    def lost_target(self, state: BedLegState) -> str:
        """That the bed is not seen; empty while it is."""
        return "" if state.error is not None else f"{self.altimeter.name} does not see the bed"

    def distance_error(self, state: BedLegState) -> float | None:
        """Altitude minus the one to hold, m; None while the bed is not seen."""
        return state.error

    def reports(self, before: BedLegState, after: BedLegState) -> Iterator[PartReport]:
        """Points reached."""
        yield from self.legs.reports(before.legs, after.legs)


def above_bed(legs: LegPart, options: LegOptions, onboard: VehicleContext) -> LegPart | BedLegs:
    """The legs, at an altitude where the options give one; PartError where nothing measures it."""
    if options.altitude is None:
        for key in ("altimeter", "lead"):
            if getattr(options, key) is not None:
                raise PartError("is for an altitude, and none is asked for. Give altitude, or remove it.", key)
        return legs
    if options.altimeter is None:
        message = "needs a measured altitude. Name an altimeter, echosounder or DVL of the vehicle as altimeter."
        raise PartError(message, "altitude")
    found = altimeter(options.altimeter, onboard)
    check_altitude(options.altitude.value, found, "altitude")
    return BedLegs(legs, found, options.altitude.value, options.lead.value if options.lead else LEAD)


def _followed(state: BedLegState, time_ns: int, measured: float | None) -> BedLegState:
    """The bed and its rate at a time, filtered from a measured depth in m; held level without one."""
    elapsed = 1e-9 * (time_ns - state.time_ns)
    if measured is None:
        return state._replace(rate=0.0, time_ns=time_ns)
    if state.bed is None:
        return state._replace(bed=measured, rate=0.0, time_ns=time_ns)
    share = min(elapsed / SMOOTHING, 0.5)
    ahead = state.bed + elapsed * state.rate
    wrong = measured - ahead
    return state._replace(bed=ahead + 2.0 * share * wrong, rate=state.rate + share / SMOOTHING * wrong, time_ns=time_ns)
