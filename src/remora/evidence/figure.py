"""What a study is, what a figure of it says (printed, ours, what is demanded), and the verdict that follows."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from remora.evidence.studies.kernel_parts import KernelPart

Relation: TypeAlias = Literal["within", "at most", "at least", "reported"]
Verdict: TypeAlias = Literal["holds", "partly", "fails", "data absent"]


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
    differs: str = ""  # how the set-up of this figure differs from that of its source; empty where it does not

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

    @property
    def is_demanded(self) -> bool:
        """Whether it counts for the verdict: a reported number does so only where it is not finite."""
        return self.relation != "reported" or not self.holds

    def as_json(self) -> dict[str, Any]:
        """The figure as plain data with eight keys; a number that is not finite becomes null."""
        return {
            "name": self.name,
            "printed": self.printed,
            "ours": self.ours if math.isfinite(self.ours) else None,
            "relation": self.relation,
            "bound": self.bound,
            "unit": self.unit,
            "holds": self.holds,
            "differs": self.differs,
        }


def within(name: str, ours: float, printed: float, bound: float, unit: str, *, differs: str = "") -> Figure:
    """Ours shall be no further than the bound from the printed number."""
    return Figure(name, printed, float(ours), "within", float(bound), unit, differs=differs)


def near(name: str, ours: float, target: float, bound: float, unit: str, *, differs: str = "") -> Figure:
    """Ours shall be no further than the bound from a target that the source does not print; the name tells it."""
    return Figure(f"{name} (target {target:g})", None, float(ours), "within", float(bound), unit, target, differs)


def at_most(
    name: str, ours: float, bound: float, unit: str, printed: float | None = None, *, differs: str = ""
) -> Figure:
    """Ours shall not be above the bound."""
    return Figure(name, printed, float(ours), "at most", float(bound), unit, differs=differs)


def at_least(
    name: str, ours: float, bound: float, unit: str, printed: float | None = None, *, differs: str = ""
) -> Figure:
    """Ours shall not be below the bound."""
    return Figure(name, printed, float(ours), "at least", float(bound), unit, differs=differs)


def reported(name: str, ours: float, unit: str, printed: float | None = None, *, differs: str = "") -> Figure:
    """Ours is reported and nothing is demanded."""
    return Figure(name, printed, float(ours), "reported", None, unit, differs=differs)


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
    full_seeds: int = 0  # how many `--full` uses, where that is more
    differs: str = ""  # for every figure without a text of its own
    kernels: tuple[KernelPart, ...] = ("equations",)  # what is compiled before it runs

    @property
    def all_seeds(self) -> int:
        """How many seeds a verdict without reservations takes."""
        return max(self.seeds, self.full_seeds)


class DataAbsentError(Exception):
    """A study cannot be run here, because it needs recorded data that are not on this machine."""


class Outcome(NamedTuple):
    """What came of a study; one that raised, or lacked its data, has no figures and a message."""

    id: str
    source: str
    title: str
    figures: tuple[Figure, ...]
    error: str = ""
    absent: str = ""  # which data were not there
    seeds: int = 1
    all_seeds: int = 1  # of a verdict without reservations
    seconds: float = 0.0  # of processor time

    @property
    def verdict(self) -> Verdict:
        """What the demanded figures say together; a study that demands nothing has shown nothing, and fails."""
        if self.absent:
            return "data absent"
        demanded = [figure.holds for figure in self.figures if figure.is_demanded]
        if self.error or not any(demanded):
            return "fails"
        return "holds" if all(demanded) else "partly"

    @property
    def holds(self) -> bool:
        """Whether every figure that is demanded holds."""
        return self.verdict == "holds"

    @property
    def misses(self) -> bool:
        """Whether it was run, and something that is demanded does not hold."""
        return self.verdict in ("partly", "fails")

    @property
    def held(self) -> tuple[Figure, ...]:
        """The demanded figures that hold."""
        return tuple(figure for figure in self.figures if figure.is_demanded and figure.holds)

    @property
    def missed(self) -> tuple[Figure, ...]:
        """The demanded figures that do not hold."""
        return tuple(figure for figure in self.figures if not figure.holds)

    @property
    def why(self) -> str:
        """Why there are no figures; empty where there are."""
        return f"did not finish: {self.error}" if self.error else f"data absent: {self.absent}" if self.absent else ""

    def as_json(self) -> dict[str, Any]:
        """The outcome as plain data; why a study did not finish stands where its figures would."""
        figures = [figure.as_json() for figure in self.figures]
        if not self.figures and self.why:
            figures.append(Figure(self.why, None, math.nan, "reported", None, "").as_json())
        return {
            "id": self.id,
            "source": self.source,
            "title": self.title,
            "figures": figures,
            "holds": self.holds,
            "verdict": self.verdict,
            "seeds": self.seeds,
            "all_seeds": self.all_seeds,
        }


def outcomes_as_json(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """All outcomes as plain data: what `remora reproduce --json FILE` writes."""
    return {"studies": [outcome.as_json() for outcome in outcomes]}
