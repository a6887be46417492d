"""Manoeuvres of a vehicle under way: a turning circle, and legs of constant heading, depth and speed.

Both say where the reference is from the start: ahead and to the right at the start, down, and how far it has turned.
"""

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, final

# The manoeuvre ID1 of Randeni et al. 2018: when its parts end, and the stairs of shaft speed in rpm.
_ID1_YAW, _ID1_PITCH, _ID1_STAIRS = 260.0, 660.0, 900.0  # s
_ID1_RPM = tuple(range(450, 976, 75))
# Chosen, as nothing is printed: ten legs of heading, eight of depth, and zig-zags at three quarters of the top speed.
_ID1_HEADINGS, _ID1_DEPTHS, _ID1_CRUISE = 10, 8, 0.75


class Travelled(NamedTuple):
    """Where a manoeuvre is, and how that moves."""

    ahead: float  # m
    right: float
    down: float
    turned: float  # rad
    ahead_rate: float  # m/s
    right_rate: float
    down_rate: float
    turn_rate: float  # rad/s


@final
@dataclass(frozen=True)
class TurningCircle:
    """Round and round at a constant speed, to the right; to the left with a negative radius.

    Raises
    ------
    ValueError
        When the radius is zero or the speed is not positive.
    """

    radius: float  # m
    speed: float  # m/s

    def __post_init__(self) -> None:
        if self.radius == 0.0 or not math.isfinite(self.radius) or not 0.0 < self.speed < math.inf:
            raise ValueError(f"circle has radius {self.radius} m and speed {self.speed} m/s: give a positive speed")

    def at(self, elapsed: float) -> Travelled:
        """Where it is so many seconds after its start."""
        rate = self.speed / self.radius
        turned = rate * elapsed
        c, s = math.cos(turned), math.sin(turned)
        return Travelled(
            self.radius * s, self.radius * (1.0 - c), 0.0, turned, self.speed * c, self.speed * s, 0.0, rate
        )


class Leg(NamedTuple):
    """A stretch of a manoeuvre."""

    duration: float  # s
    heading: float  # rad, from that of the start
    depth: float  # m, from that of the start
    speed: float  # m/s, ahead


@final
@dataclass(frozen=True)
class Legs:
    """One leg after the other; heading, depth and speed jump between them. After the last one it stays.

    Raises
    ------
    ValueError
        When there is no leg, or one takes no time.
    """

    legs: tuple[Leg, ...]

    def __post_init__(self) -> None:
        if not self.legs or not all(0.0 < leg.duration < math.inf for leg in self.legs):
            raise ValueError("a manoeuvre needs legs, each with a positive duration")

    @property
    def duration(self) -> float:
        """Seconds until the last leg ends."""
        return sum(leg.duration for leg in self.legs)

    def at(self, elapsed: float) -> Travelled:
        """Where it is so many seconds after its start."""
        ahead = right = 0.0
        for leg, end in zip(self.legs, accumulate(leg.duration for leg in self.legs), strict=True):
            spent = min(elapsed - (end - leg.duration), leg.duration)
            c, s = math.cos(leg.heading), math.sin(leg.heading)
            ahead, right = ahead + c * leg.speed * spent, right + s * leg.speed * spent
            if elapsed < end:
                return Travelled(ahead, right, leg.depth, leg.heading, c * leg.speed, s * leg.speed, 0.0, 0.0)
        last = self.legs[-1]
        return Travelled(ahead, right, last.depth, last.heading, 0.0, 0.0, 0.0, 0.0)


def id1(speed: float, turn: float = math.radians(20.0), depth_change: float = 6.0) -> Legs:
    """The manoeuvre ID1 for a torpedo-shaped vehicle (Randeni et al. 2018): 900 s that shake all six motions.

    Headings zig-zag until 260 s, depths until 660 s (2 to 8 m there), then the shaft speed climbs stairs from 450 to
    975 rpm until 900 s. Here the stairs are of speed, in proportion. Angle and number of the legs are not printed.

    Parameters
    ----------
    speed
        At the top of the stairs, m/s.
    turn
        Of the heading to either side, rad.
    depth_change
        From the shallow to the deep legs, m; the start is shallow.
    """
    cruise = _ID1_CRUISE * speed
    yaw = [Leg(_ID1_YAW / _ID1_HEADINGS, turn if k % 2 == 0 else -turn, 0.0, cruise) for k in range(_ID1_HEADINGS)]
    pitch = [
        Leg((_ID1_PITCH - _ID1_YAW) / _ID1_DEPTHS, 0.0, depth_change if k % 2 == 0 else 0.0, cruise)
        for k in range(_ID1_DEPTHS)
    ]
    stairs = [Leg((_ID1_STAIRS - _ID1_PITCH) / len(_ID1_RPM), 0.0, 0.0, speed * rpm / _ID1_RPM[-1]) for rpm in _ID1_RPM]
    return Legs((*yaw, *pitch, *stairs))
