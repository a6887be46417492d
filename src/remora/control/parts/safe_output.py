"""Safe output of controllers: a zero wrench while the estimate or the reference cannot be used."""

import math
from collections.abc import Iterator
from typing import Annotated, TypeAlias

from remora.files.quantities import Is, Quantity, positive
from remora.files.units import TIME
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, PartReport

LARGEST_AGE = 1.0  # s, of an estimate
Age: TypeAlias = Annotated[Quantity[float], Is(TIME, rule=positive)]


def usable_estimate(now: PartInput, max_age: float) -> Estimate | None:
    """The estimate unless it has an unknown number or is older than the largest age in s."""
    estimate = now.estimate
    if estimate is None or not estimate.is_complete or now.time_ns - estimate.time_ns > 1e9 * max_age:
        return None
    return estimate


def is_finite_reference(values: tuple[float, ...]) -> bool:
    """Whether every number of a reference is known."""
    return math.isfinite(sum(values))


def safe_output_reports(was_safe: bool, is_safe: bool) -> Iterator[PartReport]:
    """Events at the beginning and at the end of the safe output."""
    if is_safe and not was_safe:
        text = "estimate or reference unknown or too old: the wrench is zero until both are known again"
        yield PartReport("warning", text, {"safe_output": True})
    elif was_safe and not is_safe:
        yield PartReport("info", "estimate and reference known again: control continues", {"safe_output": False})
