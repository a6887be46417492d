"""A figure: a number next to its printed value and the bound that is required of it."""

import math
from typing import Any, Literal, NamedTuple, TypeAlias

Relation: TypeAlias = Literal["within", "at most", "at least", "below", "reported"]


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

    @property
    def holds(self) -> bool:
        """Whether the requirement is met."""
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
    def value(self) -> float | None:
        """Our number, or None where it is not finite."""
        return self.ours if math.isfinite(self.ours) else None

    def as_json(self) -> dict[str, Any]:
        """The figure as plain data with eight keys; a number that is not finite becomes null."""
        return {
            "name": self.name,
            "printed": self.printed,
            "ours": self.value,
            "relation": self.relation,
            "bound": self.bound,
            "unit": self.unit,
            "holds": self.holds,
            "differs": self.differs,
        }
