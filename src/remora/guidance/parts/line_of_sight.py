"""Line-of-sight guidance as a part: straight legs between points."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias, final

from remora.files.quantities import Is, Quantity, not_negative, positive
from remora.files.section import Length3
from remora.files.units import LENGTH, SPEED
from remora.guidance.line_of_sight import Course, LineOfSight, SightState
from remora.guidance.parts.hold_and_tunnel import place_goal
from remora.guidance.parts.progress import left_over, setting_out
from remora.logs.schema import Field
from remora.messages.estimate import POSITION
from remora.messages.part import PartInput, PartReport, Role
from remora.messages.part_options import Goal, PartError, PartKind, PartOptions, VehicleContext
from remora.messages.reference import DIVE, DIVE_FIELDS, flat

PositiveLength: TypeAlias = Annotated[Quantity[float], Is(LENGTH, rule=positive)]


class SightOptions(PartOptions):
    """The points, and how to go from one to the next."""

    points: list[Length3]
    speed: Annotated[Quantity[float], Is(SPEED, rule=positive)]
    lookahead: PositiveLength | None = None
    radius: PositiveLength | None = None
    integral_gain: Annotated[Quantity[float], Is(SPEED, rule=not_negative)] | None = None


@final
@dataclass(frozen=True)
class SightPart:
    """Depth, heading and speed along straight legs."""

    guidance: LineOfSight
    needs = (POSITION,)

    @property
    def fields(self) -> tuple[Field, ...]:
        """Depth, heading and speed, and the point that the vehicle heads for."""
        return (*DIVE_FIELDS, Field("waypoint", "1"))

    @property
    def goals(self) -> tuple[Goal, ...]:
        """All points."""
        return tuple(place_goal(point, "points", index) for index, point in enumerate(self.guidance.points))

    def initial(self) -> SightState | None:
        """Not yet begun."""
        return self.guidance.initial()

    def step(self, state: SightState | None, now: PartInput) -> tuple[SightState | None, Course | None]:
        """The course; none while the position is not known."""
        if now.estimate is None or not math.isfinite(now.estimate.p_NB[0] + now.estimate.p_NB[1]):
            return state, None
        return self.guidance.step(state, now.time_ns, now.estimate.p_NB)

    def row(self, output: Course) -> Sequence[float]:
        """The reference as numbers."""
        return flat(output)

    def unfinished(self, state: SightState | None) -> str:
        """How many points are behind the vehicle, where it is not all of them."""
        return left_over(0 if state is None else state.leg, len(self.guidance.points))

    def reports(self, before: SightState | None, after: SightState | None) -> Iterator[PartReport]:
        """Points that have been reached."""
        if after is None:
            return
        count = len(self.guidance.points)
        if before is None:
            yield setting_out(count)
        for number in range(1 + (before.leg if before else 0), after.leg + 1):
            yield PartReport("info", f"waypoint {number} of {count} reached", {"waypoint": number, "of": count})
        if (before.leg if before else 0) < count == after.leg:
            yield PartReport(
                "info", f"all {count} waypoints reached, the last course is kept", {"finished": True, "of": count}
            )


def make_sight(options: SightOptions, onboard: VehicleContext) -> SightPart:
    """Legs between the points of a scenario."""
    if not options.points:
        raise PartError("there is no point to go to. Give at least one.", "points")
    given = {
        name: quantity.value
        for name in ("lookahead", "radius", "integral_gain")
        if (quantity := getattr(options, name)) is not None
    }
    return SightPart(LineOfSight(tuple(point.value for point in options.points), options.speed.value, **given))


LINE_OF_SIGHT = PartKind("line_of_sight", Role.GUIDANCE, SightOptions, make_sight, gives=DIVE)
