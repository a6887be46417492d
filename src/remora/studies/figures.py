"""What a study is, and what a figure of it says: printed, ours, what is demanded, and whether that holds."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

Relation: TypeAlias = Literal["within", "at most", "at least", "reported"]


class Figure(NamedTuple):
    """One number of a study next to what is demanded of it.

    "within" means that ours is no further than the bound from the printed number, or from the target where nothing is
    printed. "reported" demands nothing; a number that is not finite never holds.
    """

    name: str
    printed: float | None  # in the source
    ours: float
    relation: Relation
    bound: float | None  # None where nothing is demanded
    unit: str
    target: float | None = None  # what is wanted where nothing is printed

    @property
    def holds(self) -> bool:
        """Whether what is demanded came out."""
        if not math.isfinite(self.ours):
            return False
        if self.relation == "reported":
            return True
        if self.bound is None:
            return False
        if self.relation == "at most":
            return self.ours <= self.bound
        if self.relation == "at least":
            return self.ours >= self.bound
        wanted = self.target if self.printed is None else self.printed
        return wanted is not None and abs(self.ours - wanted) <= self.bound

    def as_json(self) -> dict[str, Any]:
        """The figure as plain data with seven keys; a number that is not finite becomes null."""
        return {
            "name": self.name,
            "printed": self.printed,
            "ours": self.ours if math.isfinite(self.ours) else None,
            "relation": self.relation,
            "bound": self.bound,
            "unit": self.unit,
            "holds": self.holds,
        }


def within(name: str, ours: float, printed: float, bound: float, unit: str) -> Figure:
    """Ours shall be no further than the bound from the printed number."""
    return Figure(name, printed, float(ours), "within", float(bound), unit)


def near(name: str, ours: float, target: float, bound: float, unit: str) -> Figure:
    """Ours shall be no further than the bound from a target that the source does not print; the name tells it."""
    return Figure(f"{name} (target {target:g})", None, float(ours), "within", float(bound), unit, target)


def at_most(name: str, ours: float, bound: float, unit: str, printed: float | None = None) -> Figure:
    """Ours shall not be above the bound."""
    return Figure(name, printed, float(ours), "at most", float(bound), unit)


def at_least(name: str, ours: float, bound: float, unit: str, printed: float | None = None) -> Figure:
    """Ours shall not be below the bound."""
    return Figure(name, printed, float(ours), "at least", float(bound), unit)


def reported(name: str, ours: float, unit: str, printed: float | None = None) -> Figure:
    """Ours is told and nothing is demanded."""
    return Figure(name, printed, float(ours), "reported", None, unit)


class Study(NamedTuple):
    """An experiment of the literature that can be run again.

    The function is given seeds, at least one; a study without chance in it leaves them aside. Studies of the same
    `shares` lean on the same simulations and run in the same process, so that these are made once.
    """

    id: str
    source: str
    title: str
    run: Callable[[Sequence[int]], list[Figure]]
    seeds: int = 1  # how many `remora reproduce` uses
    shares: str = ""


class DataAbsentError(Exception):
    """A study cannot be run here, because it needs recorded data that are not on this machine."""


class Outcome(NamedTuple):
    """What came of a study; one that raised, or lacked its data, has no figures and a message."""

    id: str
    source: str
    title: str
    figures: tuple[Figure, ...]
    error: str = ""
    absent: str = ""  # which data were not there; such a study neither holds nor fails

    @property
    def holds(self) -> bool:
        """Whether there are figures and all of them hold."""
        return not self.error and bool(self.figures) and all(figure.holds for figure in self.figures)

    @property
    def fails(self) -> bool:
        """Whether it was run, and does not hold."""
        return not self.holds and not self.absent

    @property
    def why(self) -> str:
        """Why there are no figures; empty where there are."""
        return f"did not finish: {self.error}" if self.error else f"data absent: {self.absent}" if self.absent else ""

    def as_json(self) -> dict[str, Any]:
        """The outcome as plain data; why a study did not finish stands where its figures would."""
        figures = [figure.as_json() for figure in self.figures]
        if not self.figures and self.why:
            figures.append(Figure(self.why, None, math.nan, "reported", None, "").as_json())
        return {"id": self.id, "source": self.source, "title": self.title, "figures": figures, "holds": self.holds}


def outcomes_as_json(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """All outcomes as plain data: what `remora reproduce --json FILE` writes."""
    return {"studies": [outcome.as_json() for outcome in outcomes]}
