"""Line-of-sight guidance as a part, with its options."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias, final

from remora.files.quantities import Is, Quantity, not_negative, positive
from remora.files.section import Length3
from remora.files.units import LENGTH, SPEED
from remora.guidance.line_of_sight import LineOfSight, LineOfSightReference, LineOfSightState
from remora.guidance.parts.hold_and_tunnel import position_goal
from remora.guidance.parts.progress import reached_points, unfinished_text
from remora.logs.schema import Field
from remora.messages.estimate import POSITION
from remora.messages.part import PartInput, PartReport, Role
from remora.messages.part_options import Goal, PartError, PartKind, PartOptions, VehicleContext
from remora.messages.reference import DIVE, DIVE_FIELDS, flat

PositiveLength: TypeAlias = Annotated[Quantity[float], Is(LENGTH, rule=positive)]


class LineOfSightOptions(PartOptions):
    """Points, speed and parameters of the guidance law."""

    points: list[Length3]
    speed: Annotated[Quantity[float], Is(SPEED, rule=positive)]
    lookahead: PositiveLength | None = None
    radius: PositiveLength | None = None
    integral_gain: Annotated[Quantity[float], Is(SPEED, rule=not_negative)] | None = None


@final
@dataclass(frozen=True)
class LineOfSightPart:
    """Depth, heading and speed along straight legs."""

    guidance: LineOfSight
    needs = (POSITION,)

    @property
    def fields(self) -> tuple[Field, ...]:
        """Depth, heading and speed, and the next point."""
        return (*DIVE_FIELDS, Field("waypoint", "1"))

    @property
    def goals(self) -> tuple[Goal, ...]:
        """All points."""
        return tuple(position_goal(point, "points", index) for index, point in enumerate(self.guidance.points))

    def initial(self) -> LineOfSightState | None:
        """Before the first step."""
        return self.guidance.initial()

    def step(
        self, state: LineOfSightState | None, now: PartInput
    ) -> tuple[LineOfSightState | None, LineOfSightReference | None]:
        """The reference; None while the position is unknown."""
        if now.estimate is None or not math.isfinite(now.estimate.p_NB[0] + now.estimate.p_NB[1]):
            return state, None
        return self.guidance.step(state, now.time_ns, now.estimate.p_NB)

    def row(self, output: LineOfSightReference) -> Sequence[float]:
        """The reference as numbers."""
        return flat(output)

    def unfinished(self, state: LineOfSightState | None) -> str:
        """Number of points reached; empty when all are."""
        return unfinished_text(0 if state is None else state.leg, len(self.guidance.points))

    def reports(self, before: LineOfSightState | None, after: LineOfSightState | None) -> Iterator[PartReport]:
        """Points reached."""
        if after is not None:
            yield from reached_points(None if before is None else before.leg, after.leg, len(self.guidance.points))


def make_line_of_sight(options: LineOfSightOptions, onboard: VehicleContext) -> LineOfSightPart:
    """Legs between the points of a scenario."""
    if not options.points:
        raise PartError("there is no point to go to. Give at least one.", "points")
    given = {
        name: quantity.value
        for name in ("lookahead", "radius", "integral_gain")
        if (quantity := getattr(options, name)) is not None
    }
    return LineOfSightPart(LineOfSight(tuple(point.value for point in options.points), options.speed.value, **given))


LINE_OF_SIGHT = PartKind("line_of_sight", Role.GUIDANCE, LineOfSightOptions, make_line_of_sight, gives=DIVE)
