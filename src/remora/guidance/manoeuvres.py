"""Manoeuvres for identification: a turning circle, and legs of constant heading, depth and speed.

Both give the motion of the reference relative to its start, in level axes along the initial heading.
"""

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, final

# The manoeuvre ID1 of Randeni et al. 2018: end times of its phases, and the steps of shaft speed in rpm.
_ID1_YAW, _ID1_PITCH, _ID1_STEPS = 260.0, 660.0, 900.0  # s
_ID1_RPM = tuple(range(450, 976, 75))
# Chosen, as none are printed: ten heading legs, eight depth legs, and zig-zags at three quarters of the top speed.
_ID1_HEADINGS, _ID1_DEPTHS, _ID1_CRUISE = 10, 8, 0.75


class RelativeMotion(NamedTuple):
    """Displacement and turn since the start, and their rates."""

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
    """Turning circle at constant speed, to starboard; to port with a negative radius.

    Raises a ValueError when the radius is zero or the speed is not positive.
    """

    radius: float  # m
    speed: float  # m/s

    def __post_init__(self) -> None:
        if self.radius == 0.0 or not math.isfinite(self.radius) or not 0.0 < self.speed < math.inf:
            raise ValueError(f"circle has radius {self.radius} m and speed {self.speed} m/s: give a positive speed")

    def at(self, elapsed: float) -> RelativeMotion:
        """Motion relative to the start, a time in seconds after it."""
        rate = self.speed / self.radius
        turned = rate * elapsed
        c, s = math.cos(turned), math.sin(turned)
        return RelativeMotion(
            self.radius * s, self.radius * (1.0 - c), 0.0, turned, self.speed * c, self.speed * s, 0.0, rate
        )


class ManoeuvreLeg(NamedTuple):
    """One leg of a manoeuvre."""

    duration: float  # s
    heading: float  # rad, relative to the start
    depth: float  # m, relative to the start
    speed: float  # m/s, ahead


@final
@dataclass(frozen=True)
class Legs:
    """Successive legs; heading, depth and speed jump between them. After the last leg the reference stops.

    Raises a ValueError when there is no leg, or one takes no time.
    """

    legs: tuple[ManoeuvreLeg, ...]

    def __post_init__(self) -> None:
        if not self.legs or not all(0.0 < leg.duration < math.inf for leg in self.legs):
            raise ValueError("a manoeuvre needs legs, each with a positive duration")

    @property
    def duration(self) -> float:
        """Seconds until the last leg ends."""
        return sum(leg.duration for leg in self.legs)

    def leg_at(self, elapsed: float) -> ManoeuvreLeg:
        """The leg a time in seconds after the start; the last one after the end."""
        ends = accumulate(leg.duration for leg in self.legs)
        return next((leg for leg, end in zip(self.legs, ends, strict=True) if elapsed < end), self.legs[-1])

    def lasting(self, duration: float) -> "Legs":
        """The same legs, shortened or lengthened in proportion to a duration in s."""
        share = duration / self.duration
        return Legs(tuple(leg._replace(duration=share * leg.duration) for leg in self.legs))

    def at(self, elapsed: float) -> RelativeMotion:
        """Motion relative to the start, a time in seconds after it."""
        ahead = right = 0.0
        for leg, end in zip(self.legs, accumulate(leg.duration for leg in self.legs), strict=True):
            spent = min(elapsed - (end - leg.duration), leg.duration)
            c, s = math.cos(leg.heading), math.sin(leg.heading)
            ahead, right = ahead + c * leg.speed * spent, right + s * leg.speed * spent
            if elapsed < end:
                return RelativeMotion(ahead, right, leg.depth, leg.heading, c * leg.speed, s * leg.speed, 0.0, 0.0)
        last = self.legs[-1]
        return RelativeMotion(ahead, right, last.depth, last.heading, 0.0, 0.0, 0.0, 0.0)


def id1(speed: float, turn: float = math.radians(20.0), depth_change: float = 6.0) -> Legs:
    """Manoeuvre ID1 for a torpedo-shaped vehicle (Randeni et al. 2018): 900 s that excite all six degrees of freedom.

    Heading zig-zags until 260 s, depth zig-zags until 660 s (2 to 8 m in the source), then shaft speed steps from 450
    to 975 rpm until 900 s. Here the steps are of speed, in proportion. Angle and number of legs are not printed.

    Parameters
    ----------
    speed
        Speed of the last step, m/s.
    turn
        Heading change to either side, rad.
    depth_change
        Depth of the deep legs below the shallow ones, m; the start is shallow.
    """
    cruise = _ID1_CRUISE * speed
    yaw = [
        ManoeuvreLeg(_ID1_YAW / _ID1_HEADINGS, turn if k % 2 == 0 else -turn, 0.0, cruise) for k in range(_ID1_HEADINGS)
    ]
    pitch = [
        ManoeuvreLeg((_ID1_PITCH - _ID1_YAW) / _ID1_DEPTHS, 0.0, depth_change if k % 2 == 0 else 0.0, cruise)
        for k in range(_ID1_DEPTHS)
    ]
    steps = [
        ManoeuvreLeg((_ID1_STEPS - _ID1_PITCH) / len(_ID1_RPM), 0.0, 0.0, speed * rpm / _ID1_RPM[-1])
        for rpm in _ID1_RPM
    ]
    return Legs((*yaw, *pitch, *steps))
