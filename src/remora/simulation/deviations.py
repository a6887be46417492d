"""How far a vehicle is from what its guidance asks for, as shares of the bounds of its watch."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from remora.equations.kinematics import position_rate
from remora.equations.quaternions import Quaternion
from remora.guidance.excitation import PoseReference
from remora.guidance.tunnel import TunnelReference
from remora.simulation.pilot import Reference
from remora.simulation.watch import Watch

SLOW = 0.05  # m/s: a reference below this speed does not say whether a vehicle moves
STEEP = 0.1  # horizontal share of the x axis below which a heading says nothing


class Deviation(NamedTuple):
    """Something that is beyond its bound."""

    watch: str
    subject: str  # the part or actuator; empty for the vehicle as a whole
    ratio: float  # of what is found to the bound
    words: Callable[[], str]


def deviations(reference: Any, body: Sequence[float], watch: Watch) -> Iterator[Deviation]:
    """What is beyond its bound at a state of the body; nothing for a reference of a kind that is not known."""
    if isinstance(reference, PoseReference):
        away = math.dist(reference.p_NR, body[:3])
        yield from _beyond("tracking", away, watch.tracking, lambda: f"{away:.2g} m from its reference")
        yield from _turned(heading_error(reference.heading, _attitude(body)), watch)
    elif isinstance(reference, Reference):
        deep = abs(reference.depth - body[2])
        yield from _beyond("tracking", deep, watch.tracking, lambda: f"{deep:.2g} m from its reference depth")
        yield from _turned(heading_error(reference.heading, _attitude(body)), watch)
        yield from _slow(reference.speed, body[7], watch)
    elif isinstance(reference, TunnelReference):
        yield from _turned(attitude_error(reference.q_NR, _attitude(body)), watch)
        yield from _slow(reference.surge, body[7], watch)


def _attitude(body: Sequence[float]) -> Quaternion:
    return (body[3], body[4], body[5], body[6])


def _beyond(watch: str, found: float, bound: float | None, words: Callable[[], str]) -> Iterator[Deviation]:
    if bound is not None and found > bound:
        yield Deviation(watch, "", found / bound if bound > 0.0 else 1.0 + found, words)


def _turned(error: float, watch: Watch) -> Iterator[Deviation]:
    words = lambda: f"{math.degrees(error):.0f} deg from its reference heading"  # noqa: E731
    return _beyond("heading", error, watch.heading, words)


def _slow(asked: float, speed: float, watch: Watch) -> Iterator[Deviation]:
    """How much is missing of a speed ahead; its own direction counts, so that going back is worse than standing."""
    if abs(asked) > SLOW:
        missing = 1.0 - speed / asked
        words = lambda: f"{speed:.2g} m/s ahead where {asked:.2g} m/s is asked"  # noqa: E731
        yield from _beyond("speed", missing, watch.speed, words)


def heading_error(heading: float, q_NB: Quaternion) -> float:
    """Angle between a heading and that of the x axis, rad; zero where this points up or down."""
    north, east, _ = position_rate(q_NB, (1.0, 0.0, 0.0))
    if math.hypot(north, east) < STEEP:
        return 0.0
    return abs(math.remainder(heading - math.atan2(east, north), 2.0 * math.pi))


def attitude_error(q_NR: Quaternion, q_NB: Quaternion) -> float:
    """Angle of the rotation from one attitude to another, rad."""
    overlap = abs(sum(a * b for a, b in zip(q_NR, q_NB, strict=True)))
    return 2.0 * math.acos(min(1.0, overlap))
