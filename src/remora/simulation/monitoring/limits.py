"""Bounds within which a run is taken to go as asked; `watching` compares a run with them."""

import math
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias, final

NAMES = (
    "upside_down", "tilt", "above_surface", "below_bed", "overlap", "tracking", "heading", "speed", "at_limit",
    "battery", "tether", "waiting", "unfinished",
)  # fmt: skip
BySize: TypeAlias = Literal["by size"]
BY_SIZE: Final = "by size"


@final
@dataclass(frozen=True)
class Watch:
    """What is watched in the run of a vehicle, and the bound of each; None is not watched.

    The defaults are wide: a vehicle that keeps to them may still be controlled badly, but one that leaves them has not
    done what its scenario asks for.
    """

    upside_down: float | None = math.radians(100.0)  # between the z axis of the body and down; a dive may be vertical
    tilt: float | None = math.radians(30.0)  # the same angle, of a vehicle that is asked to be level
    above_surface: float | None = 0.0  # m of air between the whole vehicle and the water
    below_bed: float | None = 0.0  # m, of the body origin
    overlap: float | None = (
        0.0  # m by which hulls, guessed from the vehicle files, reach into each other or an obstacle
    )
    tracking: float | BySize | None = BY_SIZE  # m from the reference, in depth alone where it gives no more
    heading: float | None = 0.25 * math.pi  # rad from the reference heading or attitude
    speed: float | None = 0.5  # share of the reference speed that is missing
    at_limit: float | None = 0.5  # share of time that the command of an actuator is at its limit
    battery: float | None = 0.0  # share of its charge that is left
    tether: float | None = 0.99  # distance of its ends as a share of its length
    waiting: float | None = 1.0  # s for which a part has nothing to give
    unfinished: bool | None = True  # guidance that has not come to its end when the run ends


EVERYTHING = Watch()
NOTHING = Watch(*(None,) * len(NAMES))


class Warned(NamedTuple):
    """A run that did not go as asked: what was found first, and how many episodes of it there were."""

    time_ns: int
    vehicle: str
    watch: str  # one of NAMES
    text: str
    times: int

    def __str__(self) -> str:
        often = f" ({self.times} times)" if self.times > 1 else ""
        return f"{self.vehicle}, {1e-9 * self.time_ns:.6g} s: {self.text}{often}"
