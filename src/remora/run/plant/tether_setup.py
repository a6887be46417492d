"""Setup of a tether in a run: model, attachment, far end and winch."""

from dataclasses import dataclass
from typing import Any, final

from remora.equations.algebra.vectors import ZERO3, add3, scale3
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.run.plant.tethered_motion import attachment
from remora.world.tethers.ends import RIGID, TetherEnd, fixed_end
from remora.world.tethers.models import AnyTether
from remora.world.world import World


@final
@dataclass(frozen=True, eq=False)
class TetherSetup:
    """A tether between a vehicle and a fixed point or a ship at constant velocity."""

    name: str
    tether: AnyTether
    start: Any  # initial state of the tether, from `resting`
    p_BA: Vector3 = ZERO3  # m, attachment on the body, in body axes
    far: Vector3 = ZERO3  # m, initial position of the far end in N
    far_velocity: Vector3 = ZERO3  # m/s, in N
    winch_rate: float = 0.0  # m/s paid out at the far end; negative to reel in
    winch_from_ns: int = 0
    winch_until_ns: int | None = None

    def far_end(self, time_ns: int) -> TetherEnd:
        """Motion of the far end over the step that begins at a time: steady."""
        if self.far_velocity == ZERO3:
            return fixed_end(self.far)
        here = add3(self.far, scale3(1e-9 * time_ns, self.far_velocity))
        return TetherEnd(here, self.far_velocity, ZERO3, ZERO3, RIGID)

    def length_rate(self, time_ns: int) -> float:
        """Winch speed over the step that begins at a time, m/s."""
        turns = self.winch_from_ns <= time_ns and (self.winch_until_ns is None or time_ns < self.winch_until_ns)
        return self.winch_rate if turns else 0.0


def resting(tether: AnyTether, state: Array, p_BA: Vector3, far: Vector3, world: World) -> Any:
    """Equilibrium state of a tether from p_BA (body axes, m) to its far end (m in N) at the start of a run.

    The current is that at the middle of the tether. Raises a ValueError when the ends coincide, or no equilibrium is
    found.
    """
    place, _ = attachment(state, p_BA)
    middle = scale3(0.5, add3(place, far))
    return tether.initial(place, far, world.at(0, middle).velocity)
