"""Navigation from the true state, for simulations that ask for it by name. See `instruments` for readings."""

from dataclasses import dataclass
from typing import Any, final

from remora.equations.algebra.vectors import ZERO3
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, Role
from remora.messages.part_options import PartKind, PartOptions, QuietPart, VehicleContext
from remora.navigation.parts.instruments import InstrumentOptions, Instruments, make_instruments


class TruthOptions(PartOptions):
    """The sensor that replaces the true attitude."""

    attitude: str | None = None


@final
@dataclass(frozen=True)
class TrueState(QuietPart):
    """The true state as an estimate without error."""

    def initial(self) -> tuple[()]:
        """Nothing is kept."""
        return ()

    def step(self, state: tuple[()], now: PartInput) -> tuple[tuple[()], Estimate | None]:
        """The true state."""
        truth = now.truth
        if truth is None:
            return state, None
        return state, Estimate(now.time_ns, truth.p_NB, truth.q_NB, truth.twist, ZERO3)


@final
@dataclass(frozen=True)
class TrueMotion(QuietPart):
    """True position and velocities with the measured attitude of a sensor."""

    attitude: Instruments

    def initial(self) -> Any:
        """No readings yet."""
        return self.attitude.initial()

    def step(self, state: Any, now: PartInput) -> tuple[Any, Estimate | None]:
        """The estimate; None while the sensor has no valid reading."""
        state, measured = self.attitude.step(state, now)
        _, true = TrueState().step((), now)
        if measured is None or true is None:
            return state, None
        return state, true._replace(q_NB=measured.q_NB)


def make_truth(options: TruthOptions, onboard: VehicleContext) -> TrueState | TrueMotion:
    """The true state as an estimate, with the attitude of a sensor where one is named."""
    if options.attitude is None:
        return TrueState()
    return TrueMotion(make_instruments(InstrumentOptions(part="instruments", attitude=options.attitude), onboard))


TRUTH = PartKind("truth", Role.NAVIGATION, TruthOptions, make_truth, sees_truth=True)
