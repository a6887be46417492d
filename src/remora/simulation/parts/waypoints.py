"""Waypoints: straight legs from point to point, each with minimum jerk from rest to rest."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple, TypeAlias, final

from remora.equations.vectors import ZERO3, Vector3, add3, scale3, subtract3
from remora.guidance.excitation import PoseReference
from remora.guidance.minimum_jerk import BlendLimits, Motion, blended, rest_to_rest_duration
from remora.logs.schema import Field
from remora.simulation.parts.guidance import Anchor, anchored
from remora.simulation.parts.needs import POSE as POSE_NEEDS
from remora.simulation.parts.part import Moment, Onboard, PartError, PartKind, PartOptions
from remora.simulation.parts.references import POSE, POSE_FIELDS, flat
from remora.simulation.roles import Now, Role
from remora.vehicles.devices import Angle
from remora.vehicles.quantities import Is, Quantity, positive
from remora.vehicles.section import Length3, Section
from remora.vehicles.units import ACCELERATION, SPEED, TURN_RATE

PositiveSpeed: TypeAlias = Annotated[Quantity[float], Is(SPEED, rule=positive)]


class WaypointSection(Section):
    """A point to go to, the heading to have there, and how long to stay."""

    position: Length3
    heading: Angle | None = None
    speed: PositiveSpeed | None = None
    stay: Moment | None = None


class WaypointOptions(PartOptions):
    """The points and how fast to go."""

    points: list[WaypointSection]
    speed: PositiveSpeed
    acceleration: Annotated[Quantity[float], Is(ACCELERATION, rule=positive)] | None = None
    turn_rate: Annotated[Quantity[float], Is(TURN_RATE, rule=positive)] | None = None


class Waypoint(NamedTuple):
    """A point, the heading there (None: as before), the peak speed towards it and the time to stay."""

    p_N: Vector3
    heading: float | None
    speed: float
    stay: float


class Leg(NamedTuple):
    """From one pose to the next."""

    start: Vector3
    way: Vector3
    heading: float
    turn: float
    duration: float


@final
@dataclass(frozen=True)
class Waypoints:
    """Legs one after the other, from the first known pose on; after the last one the vehicle stays there."""

    points: tuple[Waypoint, ...]
    acceleration: float = 0.1  # m/s2, peak
    turn_rate: float = 0.2  # rad/s, peak
    needs = POSE_NEEDS

    @property
    def fields(self) -> tuple[Field, ...]:
        """Those of a `PoseReference`."""
        return POSE_FIELDS

    def initial(self) -> Anchor | None:
        """Not yet begun."""
        return None

    def step(self, state: Anchor | None, now: Now) -> tuple[Anchor | None, PoseReference | None]:
        """The reference at this time."""
        state = anchored(state, now)
        if state is None:
            return None, None
        elapsed = 1e-9 * (now.time_ns - state.time_ns)
        place, heading = state.p_N, state.heading
        for point in self.points:
            leg = self._leg(place, heading, point)
            if elapsed < leg.duration:
                return state, _on_leg(leg, elapsed)
            elapsed -= leg.duration + point.stay
            place, heading = point.p_N, heading + leg.turn
            if elapsed < 0.0:
                break
        return state, PoseReference(place, heading, ZERO3, 0.0)

    def _leg(self, place: Vector3, heading: float, point: Waypoint) -> Leg:
        way = subtract3(point.p_N, place)
        turn = 0.0 if point.heading is None else math.remainder(point.heading - heading, 2.0 * math.pi)
        duration = max(
            rest_to_rest_duration(math.hypot(*way), BlendLimits(point.speed, self.acceleration)),
            rest_to_rest_duration(turn, BlendLimits(self.turn_rate, self.turn_rate)),
        )
        return Leg(place, way, heading, turn, duration)

    def row(self, output: PoseReference) -> Sequence[float]:
        """The reference as numbers."""
        return flat(output)


def _on_leg(leg: Leg, elapsed: float) -> PoseReference:
    share = blended(Motion(0.0, 0.0, 0.0), 1.0, leg.duration, elapsed)
    return PoseReference(
        add3(leg.start, scale3(share.value, leg.way)),
        leg.heading + share.value * leg.turn,
        scale3(share.rate, leg.way),
        share.rate * leg.turn,
    )


def make_waypoints(options: WaypointOptions, onboard: Onboard) -> Waypoints:
    """Legs between the points of a scenario."""
    if not options.points:
        raise PartError("there is no point to go to. Give at least one.", "points")
    points = tuple(
        Waypoint(
            point.position.value,
            point.heading.value if point.heading else None,
            (point.speed or options.speed).value,
            point.stay.value if point.stay else 0.0,
        )
        for point in options.points
    )
    limits = {
        name: given.value for name in ("acceleration", "turn_rate") if (given := getattr(options, name)) is not None
    }
    return Waypoints(points, **limits)


WAYPOINTS = PartKind("waypoints", Role.GUIDANCE, WaypointOptions, make_waypoints, gives=POSE)
