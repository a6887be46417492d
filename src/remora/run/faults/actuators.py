"""Faults of thrusters and fins, applied between drive and actuator; the logged commands stay unchanged."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, final

from remora.run.faults.fault import FaultEffect


class InputEffect(FaultEffect):
    """Changes the input of an actuator."""

    @abstractmethod
    def applied(self, commanded: float, held: float, rest: float) -> float:
        """The faulty input; `held` keeps the output at the start of the fault, `rest` stops the actuator."""


@final
@dataclass(frozen=True)
class Dead(InputEffect):
    """No power: a thruster runs down, a fin returns to zero deflection."""

    summary: ClassVar = "is dead"

    def applied(self, commanded: float, held: float, rest: float) -> float:
        """The input at rest."""
        return rest


@final
@dataclass(frozen=True)
class Stuck(InputEffect):
    """Stuck at an input or output."""

    value: float | None = None  # plant input; None: the output at the start of the fault

    logged: ClassVar = ("value",)

    @property
    def summary(self) -> str:
        """Text for the log."""
        return "is stuck where it is" if self.value is None else f"is stuck at {self.value:g}"

    def applied(self, commanded: float, held: float, rest: float) -> float:
        """A constant input."""
        return held if self.value is None else self.value


@final
@dataclass(frozen=True)
class Reversed(InputEffect):
    """Reversed sign: swapped phases, wrong propeller, crossed linkage."""

    summary: ClassVar = "is reversed"

    def applied(self, commanded: float, held: float, rest: float) -> float:
        """The input with the opposite sign."""
        return -commanded


@final
@dataclass(frozen=True)
class Partial(FaultEffect):
    """Reduced effectiveness: broken blade, fouled propeller, growth on a fin."""

    share: float

    logged: ClassVar = ("share",)

    @property
    def summary(self) -> str:
        """Text for the log."""
        return f"pushes only {100.0 * self.share:g} % as hard"
