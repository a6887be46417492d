"""A figure: a number next to its printed value and the bound that is required of it."""

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

Relation: TypeAlias = Literal["within", "at most", "at least", "below", "reported"]

NEEDED = 0.95  # share of the sets of seeds in which a figure shall hold


class SeedSpread(NamedTuple):
    """How the scores of single seeds scatter."""

    mean: float
    deviation: float
    least: float
    largest: float

    @classmethod
    def of(cls, scores: Sequence[float | None]) -> "SeedSpread | None":
        """Of at least two finite scores; None where all seeds give the same, as what has no chance in it does."""
        known = np.array([score for score in scores if score is not None])
        if len(known) < 2 or np.ptp(known) == 0.0:
            return None
        return cls(float(known.mean()), float(known.std(ddof=1)), float(known.min()), float(known.max()))


class AssessedFigure(NamedTuple):
    """One number of a study, check-case or benchmark, and the requirement on it.

    "within" means that ours is no further than the bound from the printed value, or from the target where nothing is
    printed. "reported" requires nothing. A number that is not finite never holds, unless a reason explains why a
    reported figure has no value.
    """

    name: str
    printed: float | None  # in the source
    ours: float
    relation: Relation
    bound: float | None  # None where nothing is required
    unit: str
    target: float | None = None  # required value where nothing is printed
    differs: str = ""  # how the set-up of this figure differs from that of its source; empty where it does not
    words: str = ""  # what it is, where the name is an identifier
    reason: str = ""  # why there is no value
    is_measured: bool = False  # whether the bound is measured as well
    probability: float | None = None  # share of the sets of seeds in which it holds; None for a single run
    spread: SeedSpread | None = None  # over all seeds

    @property
    def holds(self) -> bool:
        """Whether the requirement is met: by the sets of seeds where there are such, else by our number."""
        if self.probability is not None and self.relation != "reported":
            return self.probability >= NEEDED
        if self.relation == "reported":
            return bool(self.reason) or math.isfinite(self.ours)
        if self.bound is None or not math.isfinite(self.ours):
            return False
        if self.relation == "within":
            center = self.target if self.printed is None else self.printed
            return center is not None and abs(self.ours - center) <= self.bound
        if self.relation == "at least":
            return self.ours >= self.bound
        return self.ours <= self.bound if self.relation == "at most" else self.ours < self.bound

    @property
    def is_required(self) -> bool:
        """Whether it counts for the verdict: a reported number does so only where it is not finite."""
        return self.relation != "reported" or not self.holds

    @property
    def key(self) -> tuple[str, str]:
        """A figure may have a bound on either side."""
        return self.name, self.relation

    @property
    def value(self) -> float | None:
        """Our number, or None where it is not finite."""
        return self.ours if math.isfinite(self.ours) else None

    def as_json(self) -> dict[str, Any]:
        """The figure as plain data; a number that is not finite becomes null."""
        return {
            "name": self.name,
            "printed": self.printed,
            "ours": self.value,
            "relation": self.relation,
            "bound": self.bound,
            "unit": self.unit,
            "holds": self.holds,
            "differs": self.differs,
            "probability": self.probability,
            "over_seeds": None if self.spread is None else self.spread._asdict(),
        }
