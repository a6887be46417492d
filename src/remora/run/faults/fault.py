"""A fault: its effect, its target and its active time."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, final

from remora.files.units import NEVER


class FaultEffect(ABC):
    """Effect of a fault; the other modules of this package define the kinds."""

    logged: ClassVar[tuple[str, ...]] = ()  # fields for the log

    @property
    @abstractmethod
    def summary(self) -> str:
        """Text for the log."""

    @property
    def data(self) -> Mapping[str, Any]:
        """Numbers for the log, without those that are not given."""
        given = {name: value for name in self.logged if (value := getattr(self, name)) is not None}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}


@final
@dataclass(frozen=True)
class Fault:
    """One fault. It depends on time only, so that a run can continue from a checkpoint."""

    kind: str  # name in scenarios: dead, frozen, flooding
    effect: FaultEffect
    target: str = ""  # name of the actuator, sensor or tether; empty for the body and the water
    start_ns: int = 0
    stop_ns: int | None = None  # excluded; None: no end
    known_to_allocation: bool = False  # so that the thruster is not used

    def is_active(self, time_ns: int) -> bool:
        """Whether the fault is active at a time."""
        return self.start_ns <= time_ns < self.until_ns

    @property
    def until_ns(self) -> int:
        """End of the fault, ns; NEVER without one."""
        return NEVER if self.stop_ns is None else self.stop_ns


@final
@dataclass(frozen=True)
class DisturbanceEvent(FaultEffect):
    """Event of a disturbance that begins or ends; its wrench belongs to the external loads."""

    disturbance: str  # constant, sinusoidal, pulse, stochastic

    @property
    def summary(self) -> str:
        """What happens."""
        return f"a {self.disturbance} wrench from outside"
