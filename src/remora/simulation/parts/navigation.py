"""Navigation from the truth itself, where a scenario says so by name. Navigation from readings is in `instruments`."""

from dataclasses import dataclass
from typing import final

from remora.equations.vectors import ZERO3
from remora.navigation.estimate import Estimate
from remora.simulation.parts.part import Onboard, PartKind, PartOptions, QuietPart
from remora.simulation.roles import Now, Role


class TruthOptions(PartOptions):
    """Nothing to choose."""


@final
@dataclass(frozen=True)
class TrueState(QuietPart):
    """An estimate without error."""

    def initial(self) -> tuple[()]:
        """Nothing is kept."""
        return ()

    def step(self, state: tuple[()], now: Now) -> tuple[tuple[()], Estimate | None]:
        """The true state."""
        truth = now.truth
        if truth is None:
            return state, None
        return state, Estimate(now.time_ns, truth.p_NB, truth.q_NB, truth.twist, ZERO3)


def make_truth(options: TruthOptions, onboard: Onboard) -> TrueState:
    """The true state as an estimate."""
    return TrueState()


TRUTH = PartKind("truth", Role.NAVIGATION, TruthOptions, make_truth, sees_truth=True)
