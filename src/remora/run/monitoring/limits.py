"""Bounds of the monitoring of a run; `monitor` compares a run with them."""

import math
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias, final

NAMES = (
    "upside_down", "tilt", "above_surface", "below_bed", "overlap", "keep_out", "tracking", "offset", "distance",
    "cross_track",
    "heading", "speed", "drift", "at_limit", "battery", "tether", "waiting", "lost_target", "unfinished",
    "estimate", "step",
)  # fmt: skip
BySize: TypeAlias = Literal["by size"]
BY_SIZE: Final = "by size"


@final
@dataclass(frozen=True)
class Watch:
    """Watched quantities of a vehicle and their bounds; None is not watched.

    The defaults are wide: a vehicle within them may still be controlled badly, but one outside them has not followed
    its scenario.
    """

    upside_down: float | None = math.radians(100.0)  # rad, between body z axis and down; a dive may be vertical
    tilt: float | None = math.radians(30.0)  # rad, the same angle where the reference implies level attitude
    above_surface: float | None = 0.0  # m, height of the whole vehicle above the water
    below_bed: float | None = 0.0  # m, depth of the body origin below the bed
    overlap: float | None = (
        0.0  # m by which hulls, guessed from the vehicle files, reach into each other or an obstacle
    )
    keep_out: float | None = 0.1  # m by which the body origin is inside a keep-out zone of guidance
    tracking: float | BySize | None = BY_SIZE  # m, position or depth error
    offset: float | BySize | None = BY_SIZE  # m, between the estimate and a position at rest that it is to hold
    distance: float | BySize | None = BY_SIZE  # m, error of the distance to a wall, bed or pipeline that it follows
    cross_track: float | BySize | None = BY_SIZE  # m, from the leg that guidance follows, by the estimate
    heading: float | None = math.radians(20.0)  # rad, heading or attitude error
    speed: float | None = 0.5  # relative shortfall of the speed
    drift: float | None = 0.5  # m/s over ground that a reference without a position does not ask for
    at_limit: float | None = 0.5  # share of time at the limit of an actuator
    battery: float | None = 0.0  # remaining state of charge
    tether: float | None = 0.99  # distance of its ends over its length
    waiting: float | None = 1.0  # s without output of a part
    lost_target: float | None = 5.0  # s for which guidance has lost what it follows
    unfinished: bool | None = True  # unfinished guidance at the end of the run
    estimate: bool | None = True  # waypoints that only the estimate has reached
    step: bool | None = True  # step too long for the motion that is reached


WATCH_ALL = Watch()
WATCH_NONE = Watch(*(None,) * len(NAMES))


class WatchWarning(NamedTuple):
    """A warning: the first occurrence and the number of episodes."""

    time_ns: int
    vehicle: str
    watch: str  # one of NAMES
    text: str
    times: int

    def __str__(self) -> str:
        often = f" ({self.times} times)" if self.times > 1 else ""
        return f"{self.vehicle}, {1e-9 * self.time_ns:.6g} s: {self.text}{often}"
