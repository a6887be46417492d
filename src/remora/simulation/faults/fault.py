"""What a fault is: an effect, on what, from when until when."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from remora.simulation.loop.clock import NEVER


class Effect(ABC):
    """What a fault does; the kinds of effects are in the other files of this room."""

    @property
    @abstractmethod
    def words(self) -> str:
        """What happens, for the log."""

    @property
    def figures(self) -> Mapping[str, Any]:
        """Its numbers, for the log."""
        return {}


@final
@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong. It depends on time and on nothing that happened, so that a run can be taken up again.

    Parameters
    ----------
    kind
        Its word in scenarios: dead, frozen, flooding.
    effect
        What it does.
    of
        The actuator or sensor that it happens to, by name; empty for the body and the water.
    start_ns, stop_ns
        When it begins and ends; the end itself no longer counts. None: it stays.
    known_to_allocation
        Of a thruster: whether fault-tolerant allocation stops using it.
    """

    kind: str
    effect: Effect
    of: str = ""
    start_ns: int = 0
    stop_ns: int | None = None
    known_to_allocation: bool = False

    def holds(self, time_ns: int) -> bool:
        """Whether it is there at a time."""
        return self.start_ns <= time_ns < self.until_ns

    @property
    def until_ns(self) -> int:
        """When it ends; later than any run where it stays."""
        return NEVER if self.stop_ns is None else self.stop_ns


@final
@dataclass(frozen=True)
class Outside(Effect):
    """A wrench from outside begins or ends: the disturbance itself is with the vehicle, this is its event."""

    disturbance: str  # constant, sinusoidal, pulse, stochastic

    @property
    def words(self) -> str:
        """What happens."""
        return f"a {self.disturbance} wrench from outside"
