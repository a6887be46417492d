"""Tracking errors of a vehicle against its reference, relative to the bounds of its watch."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeGuard

from remora.equations.algebra.kinematics import position_rate
from remora.equations.types import Quaternion
from remora.guidance.line_of_sight import LineOfSightReference, leg_at
from remora.guidance.signals import PoseReference
from remora.guidance.tunnel import TunnelReference
from remora.messages.estimate import Estimate
from remora.messages.part import ReachedPoint
from remora.messages.reference import NO_LEG, Reference, StabilisedReference, VelocityReference, WallReference
from remora.run.monitoring.limits import BY_SIZE, Watch
from remora.vehicles.parameters import VehicleParameters
from remora.world.contact import size_from_parameters

SLOW = 0.05  # m/s; slower references are not compared
STEEP = 0.1  # horizontal share of the x axis below which the heading is undefined
LENGTHS_AWAY = 2.0  # default tracking bound in lengths of the vehicle
SMALLEST_BOUND, LARGEST_BOUND = 1.0, 2.0  # m; waypoint references lead the vehicle by up to a metre
LENGTHS_OFFSET = 0.5  # default bound of the offset from a position at rest, in lengths of the vehicle
SMALLEST_OFFSET, LARGEST_OFFSET = 0.2, 0.5  # m
SMALLEST_CROSS_TRACK, LARGEST_CROSS_TRACK = 0.3, 1.0  # m, around half a length of a vehicle without fins
LEAD = 10.0  # s, from a moving pose to the end of its leg
AT_REST = 1e-3  # m/s, of a reference
SWING_SHARE = 0.5  # of the heading bound; errors beyond it on alternating sides are swings
MOST_SWINGS = 4  # about one setpoint: an initial error, its overshoot, and one more period
SWING_NS = 20_000_000_000  # longest time between swings of one oscillation
_HEADED = PoseReference | VelocityReference | Reference | StabilisedReference | WallReference  # with a heading to hold


class Bounds(NamedTuple):
    """Bounds of the tracking errors; None is not watched."""

    tracking: float | None  # m
    offset: float | None  # m
    distance: float | None  # m
    heading: float | None  # rad
    speed: float | None  # relative shortfall
    drift: float | None  # m/s
    cross_track: float | None = None  # m


def bounds_of(watch: Watch, parameters: VehicleParameters) -> Bounds:
    """The bounds of a watch for a vehicle; those of position scale with its length by default."""
    length, tracking, offset = vehicle_length(parameters), watch.tracking, watch.offset
    by_size = min(max(LENGTHS_OFFSET * length, SMALLEST_OFFSET), LARGEST_OFFSET)
    distance = by_size if watch.distance == BY_SIZE else watch.distance
    far = min(max(LENGTHS_AWAY * length, SMALLEST_BOUND), LARGEST_BOUND)
    across = watch.cross_track
    if across == BY_SIZE:  # a vehicle that steers comes onto a leg slowly
        near = min(max(LENGTHS_OFFSET * length, SMALLEST_CROSS_TRACK), LARGEST_CROSS_TRACK)
        across = far if parameters.fins else near
    if offset == BY_SIZE:  # a scenario that accepts larger tracking errors accepts them at rest too
        accepted = 0.0 if tracking == BY_SIZE else tracking
        offset = None if accepted is None else max(by_size, accepted)
    if tracking == BY_SIZE:
        tracking = far
    return Bounds(tracking, offset, distance, watch.heading, watch.speed, watch.drift, across)


def vehicle_length(parameters: VehicleParameters) -> float:
    """Largest side of the displaced volume, or the extent of thrusters and fins if larger, m."""
    hull = size_from_parameters(parameters) if parameters.displaced_mass > 0.0 else (0.0,)
    places = [t.position for t in parameters.thrusters] + [fin.position for fin in parameters.fins]
    return max(*hull, 2.0 * max((math.dist(place, parameters.p_BC) for place in places), default=0.0))


class Deviation(NamedTuple):
    """A quantity beyond its bound."""

    watch: str
    subject: str  # part, actuator or tether; empty for the vehicle
    ratio: float  # value over bound
    text: Callable[[], str]


def deviations(reference: Any, body: Sequence[float], watch: Bounds) -> list[Deviation]:
    """Quantities beyond their bounds at a state of the body; none for references of unknown kinds."""
    found: list[Deviation] = []
    if isinstance(reference, PoseReference | VelocityReference):
        away = math.dist(reference.p_NR, body[:3])
        if watch.tracking is not None and away > watch.tracking:
            found.append(_beyond("tracking", away, watch.tracking, f"{away:.2g} m from its reference"))
        _turn(found, heading_error(reference.heading, _attitude(body)), watch.heading)
    elif isinstance(reference, Reference | LineOfSightReference):
        _deep(found, abs(reference.depth - body[2]), watch.tracking)
        # No heading check for line-of-sight courses, which swing while a vehicle overshoots a leg.
        if isinstance(reference, Reference):
            _turn(found, heading_error(reference.heading, _attitude(body)), watch.heading)
            _drift(found, reference.speed, body, watch.drift)
        _slow(found, reference.speed, body[7], watch.speed)
    elif isinstance(reference, StabilisedReference):  # NaN where nothing is held: beyond no bound
        _deep(found, abs(reference.depth - body[2]), watch.tracking)
        _turn(found, heading_error(reference.heading, _attitude(body)), watch.heading)
    elif isinstance(reference, WallReference):
        _deep(found, abs(reference.depth - body[2]), watch.tracking)
        _turn(found, heading_error(reference.heading, _attitude(body)), watch.heading)
        _slow(found, reference.velocity[0], body[7], watch.speed)
    elif isinstance(reference, TunnelReference):
        _turn(found, attitude_error(reference.q_NR, _attitude(body)), watch.heading)
        _slow(found, reference.surge, body[7], watch.speed)
    return found


def offset_at_rest(reference: Any, p_NB: Sequence[float], bound: float | None) -> list[Deviation]:
    """Offset of an estimated position (m) from a pose at rest: the error of the controller, not of the estimate.

    Without a bound, m, nothing is watched.
    """
    if bound is None or not is_at_rest(reference):
        return []
    away = math.dist(reference.p_NR, p_NB)
    text = f"rests {away:.2g} m from the position that it is to hold"
    return [_beyond("offset", away, bound, text)] if away > bound else []


def estimate_error(estimate: Estimate, p_NB: Sequence[float], reached: ReachedPoint) -> str:
    """Text on a waypoint that only the estimate has reached; empty where the true position, m, agrees.

    The error of the estimate may be the tolerance of the waypoint and three of its standard deviations together.
    """
    error, sigma = math.dist(estimate.p_NB, p_NB), three_sigma(estimate)
    if not error > reached.tolerance + sigma:
        return ""
    stated = f"three standard deviations, {sigma:.2g} m," if sigma > 0.0 else "no stated deviation"
    return (
        f"counts waypoint {reached.number} as reached, but its position estimate is {error:.2g} m off: more than the "
        f"tolerance of {reached.tolerance:.2g} m and {stated} allow"
    )


def three_sigma(estimate: Estimate) -> float:
    """Three standard deviations of the position, all components together, m; zero where they are not stated."""
    size = math.hypot(*estimate.sigma_p_N)
    return 3.0 * size if math.isfinite(size) else 0.0


def is_at_rest(reference: Any) -> TypeGuard[PoseReference]:
    """Whether a reference is a pose that does not move."""
    return isinstance(reference, PoseReference) and math.hypot(*reference.v_NR_N) <= AT_REST


def distance_error(error: float | None, bound: float | None) -> list[Deviation]:
    """Error of the distance that guidance keeps to what it follows, m; None where it follows nothing."""
    if bound is None or error is None or not abs(error) > bound:
        return []
    side = "too far from" if error > 0.0 else "too near to"
    return [_beyond("distance", abs(error), bound, f"{abs(error):.2g} m {side} what it follows")]


def leg_error(reference: Any, p_NB: Sequence[float] | None) -> tuple[tuple[float, ...], float] | None:
    """The leg that a reference follows, and the cross-track error of an estimated position, m; None without a leg.

    A pose that moves is on a leg in the direction of its velocity.
    """
    if isinstance(reference, VelocityReference | LineOfSightReference):
        leg = reference.leg
    elif isinstance(reference, PoseReference) and p_NB is not None and math.hypot(*reference.v_NR_N[:2]) > SLOW:
        p, v, here = reference.p_NR, reference.v_NR_N, (p_NB[0], p_NB[1], p_NB[2])
        leg = leg_at(p, (p[0] + LEAD * v[0], p[1] + LEAD * v[1], p[2]), here)._replace(start=NO_LEG.start, end=v)
    else:
        return None
    return ((*leg.start, *leg.end), leg.cross_track) if math.isfinite(leg.cross_track) else None


def off_leg(error: float, bound: float | None) -> list[Deviation]:
    """A cross-track error, m, beyond its bound."""
    if bound is None or not abs(error) > bound:
        return []
    side = "starboard" if error > 0.0 else "port"
    return [_beyond("cross_track", abs(error), bound, f"{abs(error):.2g} m to {side} of its leg")]


class Setpoint(NamedTuple):
    """A constant reference with the present error, in rad (heading) or m (position, leg)."""

    watch: str
    value: tuple[float, ...]
    error: tuple[float, ...]
    bound: float  # of a swing


class Oscillation(NamedTuple):
    """Swings about a setpoint: errors beyond a bound, each opposite to the one before."""

    setpoint: tuple[float, ...]
    side: tuple[float, ...]  # error at the latest swing
    swings: int
    last_ns: int  # of the latest swing
    largest: float  # error in this oscillation


def setpoints(reference: Any, body: Sequence[float], watch: Bounds) -> list[Setpoint]:
    """What a reference asks to hold: heading, position, distance or leg. One that moves has another value each time."""
    found = []
    leg = leg_error(reference, body[:3])
    if watch.cross_track is not None and leg is not None:
        found.append(Setpoint("cross_track", leg[0], (leg[1],), watch.cross_track))
    if watch.heading is not None and isinstance(reference, _HEADED) and math.isfinite(reference.heading):
        turn = signed_heading_error(reference.heading, _attitude(body))
        found.append(Setpoint("heading", (reference.heading,), (turn,), SWING_SHARE * watch.heading))
    if watch.tracking is not None and isinstance(reference, PoseReference):
        away = tuple(a - b for a, b in zip(body[:3], reference.p_NR, strict=True))
        found.append(Setpoint("tracking", tuple(reference.p_NR), away, watch.tracking))
    if watch.distance is not None and isinstance(reference, WallReference) and reference.sees_wall:
        off = reference.measured - reference.distance
        found.append(Setpoint("distance", (reference.distance,), (off,), watch.distance))
    return found


def swung(old: Oscillation | None, now: Setpoint, time_ns: int) -> Oscillation:
    """The oscillation after one more check; a new setpoint starts a new one."""
    size = math.hypot(*now.error)
    if old is None or old.setpoint != now.value or time_ns - old.last_ns > SWING_NS:
        old = Oscillation(now.value, (0.0,) * len(now.error), 0, time_ns, 0.0)
    largest = max(old.largest, size)
    is_opposite = sum(a * b for a, b in zip(now.error, old.side, strict=True)) < 0.0
    if size > now.bound and (is_opposite or not old.swings):
        return Oscillation(now.value, now.error, old.swings + 1, time_ns, largest)
    return old._replace(largest=largest)


def swing_text(watch: str, largest: float) -> str:
    """Text of the warning about an oscillation."""
    if watch == "heading":
        return f"swings about the heading that it is to hold, by up to {math.degrees(largest):.0f} deg"
    what = {"cross_track": "leg that it is to follow", "distance": "distance that it is to hold"}
    text = what.get(watch, "position that it is to hold")
    return f"swings about the {text}, by up to {largest:.2g} m"


def implies_level(reference: Any, is_controlled: bool, has_fins: bool) -> bool:
    """Whether nothing asks for a tilt: a vehicle with fins pitches, and a reference may state the attitude itself.

    A vehicle that follows neither a reference nor a controller may lie as it likes, and so may one that a pilot steers
    by forces alone.
    """
    if isinstance(reference, StabilisedReference) and not reference.levels:
        return False
    is_steered = is_controlled or reference is not None
    return is_steered and not has_fins and getattr(reference, "q_NR", None) is None


def tilted(reference: Any, xy: tuple[float, float], bound: float, levels: Callable[[Any], bool]) -> list[Deviation]:
    """The tilt of a vehicle of which nothing asks for it, from two numbers of its attitude and the bound, rad."""
    upright = 1.0 - 2.0 * (xy[0] ** 2 + xy[1] ** 2)
    if upright >= math.cos(bound) or not levels(reference):
        return []
    lean = math.acos(max(-1.0, upright))
    words = f"tilted, its z axis {math.degrees(lean):.0f} deg from down where it is asked to be level"
    return [_beyond("tilt", lean, bound, words)]


def _attitude(body: Sequence[float]) -> Quaternion:
    return (body[3], body[4], body[5], body[6])


def _beyond(watch: str, found: float, bound: float, text: str) -> Deviation:
    return Deviation(watch, "", found / bound, lambda: text)


def _deep(found: list[Deviation], error: float, bound: float | None) -> None:
    if bound is not None and error > bound:
        found.append(_beyond("tracking", error, bound, f"{error:.2g} m from its reference depth"))


def _turn(found: list[Deviation], error: float, bound: float | None) -> None:
    if bound is not None and error > bound:
        found.append(_beyond("heading", error, bound, f"{math.degrees(error):.0f} deg from its reference heading"))


def _slow(found: list[Deviation], asked: float, speed: float, bound: float | None) -> None:
    """Relative shortfall of the surge speed; above 1 for motion in the opposite direction."""
    if bound is not None and abs(asked) > SLOW and 1.0 - speed / asked > bound:
        text = f"{speed:.2g} m/s ahead where {asked:.2g} m/s is asked"
        found.append(_beyond("speed", 1.0 - speed / asked, bound, text))


def _drift(found: list[Deviation], asked: float, body: Sequence[float], bound: float | None) -> None:
    """Horizontal speed over ground across the heading, and along it where no speed is asked for."""
    north, east, _ = position_rate(_attitude(body), (body[7], body[8], body[9]))
    x, y, _ = position_rate(_attitude(body), (1.0, 0.0, 0.0))
    level = max(math.hypot(x, y), STEEP)
    ahead, sideways = (north * x + east * y) / level, (east * x - north * y) / level
    drift = abs(sideways) if abs(asked) > SLOW else math.hypot(ahead, sideways)
    if bound is not None and drift > bound:
        text = f"drifts over ground at {drift:.2g} m/s; its reference has no position"
        found.append(_beyond("drift", drift, bound, text))


def heading_error(heading: float, q_NB: Quaternion) -> float:
    """Angle between a heading and that of the x axis, rad; zero where the axis is nearly vertical."""
    return abs(signed_heading_error(heading, q_NB))


def signed_heading_error(heading: float, q_NB: Quaternion) -> float:
    """Reference heading minus that of the x axis, rad in [-pi, pi]; zero where the axis is nearly vertical."""
    north, east, _ = position_rate(q_NB, (1.0, 0.0, 0.0))
    if math.hypot(north, east) < STEEP:
        return 0.0
    return math.remainder(heading - math.atan2(east, north), 2.0 * math.pi)


def attitude_error(q_NR: Quaternion, q_NB: Quaternion) -> float:
    """Angle of the rotation from one attitude to another, rad."""
    overlap = abs(sum(a * b for a, b in zip(q_NR, q_NB, strict=True)))
    return 2.0 * math.acos(min(1.0, overlap))
