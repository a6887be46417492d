"""What is run for evidence, and the verdict that follows from its figures."""

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from remora_evidence.figure import NEEDED, AssessedFigure
from remora_evidence.kernel_parts import KernelPart
from remora_evidence.seed_sets import ENOUGH_SEEDS, SeedRun, decided

Verdict: TypeAlias = Literal["holds", "partly", "fails", "undecided", "data absent"]


class Study(NamedTuple):
    """A study of the literature, a check-case or a benchmark: something that is run and gives figures.

    The function takes seeds, at least one; a study without random numbers ignores them. Studies of the same `shares`
    use the same simulations and run in the same process, so that these are made once.
    """

    id: str
    source: str
    title: str
    run: Callable[[Sequence[int]], list[AssessedFigure]]
    seeds: int = 1  # number that `remora reproduce` uses
    shares: str = ""
    full_seeds: int = 0  # number of the set that a verdict speaks of, where that is more
    differs: str = ""  # for every figure without a note of its own
    kernels: tuple[KernelPart, ...] = ("equations",)  # compiled before it runs
    scores: Path | None = None  # where the run with all seeds is kept; None for a study without chance

    @property
    def set_size(self) -> int:
        """Number of seeds of the set that a verdict speaks of."""
        return max(self.seeds, self.full_seeds)

    @property
    def all_seeds(self) -> int:
        """Number of seeds that decide a verdict: `--full` runs them."""
        return self.seeds if self.scores is None else max(self.set_size, ENOUGH_SEEDS)


class DataAbsentError(Exception):
    """A study cannot be run here, because it needs recorded data that are not on this machine."""


class Assessment(NamedTuple):
    """Figures and verdict of a study; one that raised, or lacked its data, has no figures and a message."""

    id: str
    source: str
    title: str
    figures: tuple[AssessedFigure, ...]
    error: str = ""
    absent: str = ""  # which data were not there
    seeds: int = 1
    seconds: float = 0.0  # of processor time
    is_drawn: bool = False  # whether chance enters it, so that the run with all seeds decides
    run: SeedRun | None = None  # with all seeds; None where none is kept
    unlike: str = ""  # how the seeds that were run differ from the kept ones

    @property
    def verdict(self) -> Verdict:
        """The verdict of all required figures; a study that requires nothing has shown nothing, and fails.

        Where chance enters, all of them together hold in a share of the sets of seeds, which decides.
        """
        if self.absent:
            return "data absent"
        required = [figure.holds for figure in self.figures if figure.is_required]
        if self.error or not any(required):
            return "undecided" if self.is_undecided else "fails"
        if self.is_undecided:
            return "undecided"
        return "holds" if all(required) and (self.run is None or self.run.probability >= NEEDED) else "partly"

    @property
    def is_undecided(self) -> bool:
        """Whether chance enters, and no run with enough seeds is kept that agrees with this one."""
        if not self.is_drawn or self.error:
            return False
        return self.run is None or bool(self.unlike) or not decided(self.run)

    @property
    def holds(self) -> bool:
        """Whether every required figure holds."""
        return self.verdict == "holds"

    @property
    def misses(self) -> bool:
        """Whether it was run, and a requirement is not met."""
        return self.verdict in ("partly", "fails", "undecided")

    @property
    def held(self) -> tuple[AssessedFigure, ...]:
        """The required figures that hold."""
        return tuple(figure for figure in self.figures if figure.is_required and figure.holds)

    @property
    def missed(self) -> tuple[AssessedFigure, ...]:
        """The required figures that do not hold."""
        return tuple(figure for figure in self.figures if not figure.holds)

    @property
    def why(self) -> str:
        """Why there are no figures; empty where there are."""
        return f"did not finish: {self.error}" if self.error else f"data absent: {self.absent}" if self.absent else ""

    def as_json(self) -> dict[str, Any]:
        """The assessment as plain data; why a study did not finish stands where its figures would."""
        figures = [figure.as_json() for figure in self.figures]
        if not self.figures and self.why:
            figures.append(AssessedFigure(self.why, None, math.nan, "reported", None, "").as_json())
        return {
            "id": self.id,
            "source": self.source,
            "title": self.title,
            "figures": figures,
            "holds": self.holds,
            "verdict": self.verdict,
            "seeds": self.seeds,
            "all_seeds": self.run.seeds if self.run else None,
            "set_size": self.run.set_size if self.run else None,
            "probability": self.run.probability if self.run else None,
        }


def assessments_as_json(assessments: Iterable[Assessment]) -> dict[str, Any]:
    """All assessments as plain data: the content of `remora reproduce --json FILE`."""
    return {"studies": [assessment.as_json() for assessment in assessments]}
