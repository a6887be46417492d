"""Sections of a scenario that concern the modules and links of a morphology."""

import math
from collections.abc import Callable
from typing import Annotated, ClassVar

from pydantic import model_validator

from remora.files.quantities import Is, Quantity, refused
from remora.files.section import Choice, Section
from remora.files.units import ANGLE, LENGTH, SPEED, TURN_RATE
from remora.messages.part_options import Moment


def _up_to(largest: float, words: str) -> Callable[[float], str | None]:
    """Rule for a tolerance: a latch catches ports that nearly touch, and sees their attitude error as a small angle."""
    return lambda value: None if 0.0 < value <= largest else f"must be above zero and at most {words}."


class LatchToleranceSection(Section):
    """Largest errors of two ports at which a latch closes."""

    distance: Annotated[Quantity[float], Is(LENGTH, rule=_up_to(0.5, "50 cm"))] | None = None
    angle: Annotated[Quantity[float], Is(ANGLE, rule=_up_to(math.radians(30.0), "30 deg"))] | None = None
    speed: Annotated[Quantity[float], Is(SPEED, rule=_up_to(1.0, "1 m/s"))] | None = None
    rate: Annotated[Quantity[float], Is(TURN_RATE, rule=_up_to(1.0, "1 rad/s"))] | None = None


class LinkEventsSection(Section):
    """When a link of a morphology attaches, detaches or fails."""

    choices: ClassVar = (
        Choice(("attach", "latch_from"), required=False),
        Choice(("detach", "fails"), required=False),
    )
    attach: Moment | None = None
    latch_from: Moment | None = None
    tolerance: LatchToleranceSection | None = None
    detach: Moment | None = None
    fails: Moment | None = None

    @model_validator(mode="after")
    def _in_order(self) -> "LinkEventsSection":
        begins = self.attach or self.latch_from
        ends = self.detach or self.fails
        if begins and ends and ends.value <= begins.value:
            key = "detach" if self.detach else "fails"
            raise refused("key", "must be later than the time at which the link attaches.", key)
        if self.tolerance and not begins:
            raise refused("key", "is used by a link with attach or latch_from only. Remove it.", "tolerance")
        return self
