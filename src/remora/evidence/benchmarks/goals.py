"""What a figure is: a number, its unit, and the goal it should reach."""

from collections.abc import Callable, Mapping
from typing import NamedTuple


class Goal(NamedTuple):
    """A limit that a figure should reach from above, or stay below."""

    limit: float
    at_least: bool = True  # False: the figure must stay below the limit

    def __str__(self) -> str:
        return f"{'>=' if self.at_least else '<'} {self.limit:g}"

    def is_met_by(self, value: float) -> bool:
        """Whether a value is good enough."""
        return value >= self.limit if self.at_least else value < self.limit


class Wanted(NamedTuple):
    """A figure before it is measured: its name, what it says in words, and its goal."""

    name: str
    words: str
    unit: str
    goal: Goal | None = None  # None: reported only


class Measurement(NamedTuple):
    """Some figures that are measured together, and the function that measures them.

    The function returns a number for each figure by name, or a text that says why there is none.
    """

    title: str
    wanted: tuple[Wanted, ...]
    measure: Callable[[], Mapping[str, float | str]]


class Figure(NamedTuple):
    """A measured figure; without a value it says why, and its goal does not hold."""

    wanted: Wanted
    value: float | None
    reason: str = ""  # why there is no value

    @property
    def holds(self) -> bool:
        """Whether the goal is reached; a figure without a goal always holds."""
        if self.wanted.goal is None:
            return True
        return self.value is not None and self.wanted.goal.is_met_by(self.value)
