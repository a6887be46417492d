"""Faults of thrusters and fins. They sit between the drive and the actuator: commands as asked stay as they are."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from remora.simulation.faults.fault import Effect


class InputEffect(Effect):
    """Changes what an actuator is given."""

    @abstractmethod
    def given(self, asked: float, held: float, rest: float) -> float:
        """The input instead of the one asked for; `held` kept its output when the fault began, `rest` stops it."""


@final
@dataclass(frozen=True)
class Dead(InputEffect):
    """It gets no power and runs down; a fin goes in line."""

    @property
    def words(self) -> str:
        """What happens."""
        return "is dead"

    def given(self, asked: float, held: float, rest: float) -> float:
        """Nothing."""
        return rest


@final
@dataclass(frozen=True)
class Stuck(InputEffect):
    """It does not follow commands any more."""

    value: float | None = None  # a command; None: where it is when the fault begins

    @property
    def words(self) -> str:
        """What happens."""
        return "is stuck where it is" if self.value is None else f"is stuck at {self.value:g}"

    @property
    def figures(self) -> Mapping[str, Any]:
        """Where."""
        return {} if self.value is None else {"value": self.value}

    def given(self, asked: float, held: float, rest: float) -> float:
        """Always the same."""
        return held if self.value is None else self.value


@final
@dataclass(frozen=True)
class Reversed(InputEffect):
    """It turns the other way: swapped phases, a propeller on the wrong shaft, a crossed linkage."""

    @property
    def words(self) -> str:
        """What happens."""
        return "is reversed"

    def given(self, asked: float, held: float, rest: float) -> float:
        """The opposite."""
        return -asked


@final
@dataclass(frozen=True)
class Partial(Effect):
    """It does what it is told and pushes less: a broken blade, a line in the propeller, growth on a fin."""

    share: float

    @property
    def words(self) -> str:
        """What happens."""
        return f"pushes only {100.0 * self.share:g} % as hard"

    @property
    def figures(self) -> Mapping[str, Any]:
        """How much is left."""
        return {"share": self.share}
