"""Path following by integral or adaptive line of sight as a part, with its options."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, final

from remora.equations.guidance.line_of_sight import ADAPTIVE, INTEGRAL, PROPORTIONAL
from remora.files.quantities import Is, Quantity, not_negative, positive
from remora.files.section import Length3
from remora.files.units import SPEED
from remora.guidance.line_of_sight import LineOfSightReference
from remora.guidance.parts.hold_and_tunnel import position_goal
from remora.guidance.parts.line_of_sight import PositiveLength
from remora.guidance.parts.progress import reached_points, unfinished_text
from remora.guidance.path_following import ADAPTIVE_GAIN, PathFollowing, PathFollowingState
from remora.logs.schema import Field
from remora.messages.estimate import DEPTH, POSITION
from remora.messages.part import PartInput, PartReport, Role
from remora.messages.part_options import Goal, PartError, PartKind, PartOptions, VehicleContext
from remora.messages.reference import DIVE, DIVE_FIELDS, flat

LAWS = {"proportional": PROPORTIONAL, "integral": INTEGRAL, "adaptive": ADAPTIVE}


class PathFollowingOptions(PartOptions):
    """Points, speed and parameters of the guidance law."""

    points: list[Length3]
    speed: Annotated[Quantity[float], Is(SPEED, rule=positive)]
    law: Literal["integral", "adaptive", "proportional"] = "integral"
    lookahead: PositiveLength | None = None
    radius: PositiveLength | None = None
    gain: Annotated[Quantity[float], Is(None, (), not_negative, plain_only=True)] | None = None


@final
@dataclass(frozen=True)
class PathFollowingPart:
    """Depth, heading and speed along straight legs in three dimensions."""

    guidance: PathFollowing
    needs = (POSITION, DEPTH)

    @property
    def fields(self) -> tuple[Field, ...]:
        """Depth, heading and speed, and the next point."""
        return (*DIVE_FIELDS, Field("waypoint", "1"))

    @property
    def goals(self) -> tuple[Goal, ...]:
        """All points."""
        return tuple(position_goal(point, "points", index) for index, point in enumerate(self.guidance.points))

    def initial(self) -> PathFollowingState | None:
        """Before the first step."""
        return self.guidance.initial()

    def step(
        self, state: PathFollowingState | None, now: PartInput
    ) -> tuple[PathFollowingState | None, LineOfSightReference | None]:
        """The reference; None while position or depth is unknown."""
        if now.estimate is None or not math.isfinite(sum(now.estimate.p_NB)):
            return state, None
        return self.guidance.step(state, now.time_ns, now.estimate.p_NB)

    def row(self, output: LineOfSightReference) -> Sequence[float]:
        """The reference as numbers."""
        return flat(output)

    def unfinished(self, state: PathFollowingState | None) -> str:
        """Number of points reached; empty when all are."""
        return unfinished_text(0 if state is None else state.leg, len(self.guidance.points))

    def reports(self, before: PathFollowingState | None, after: PathFollowingState | None) -> Iterator[PartReport]:
        """Points reached."""
        if after is not None:
            yield from reached_points(None if before is None else before.leg, after.leg, len(self.guidance.points))


def make_path_following(options: PathFollowingOptions, onboard: VehicleContext) -> PathFollowingPart:
    """Legs between the points of a scenario."""
    if not options.points:
        raise PartError("there is no point to go to. Give at least one.", "points")
    given = {
        name: quantity.value for name in ("lookahead", "radius") if (quantity := getattr(options, name)) is not None
    }
    if options.gain is not None:
        given["gain"] = options.gain.value
    elif options.law == "adaptive":
        given["gain"] = ADAPTIVE_GAIN
    points = tuple(point.value for point in options.points)
    return PathFollowingPart(PathFollowing(points, options.speed.value, LAWS[options.law], **given))


INTEGRAL_LINE_OF_SIGHT = PartKind(
    "integral_line_of_sight", Role.GUIDANCE, PathFollowingOptions, make_path_following, gives=DIVE
)
