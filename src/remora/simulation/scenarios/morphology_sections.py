"""Sections of a scenario that concern the modules and links of a morphology."""

from typing import Annotated, ClassVar

from pydantic import model_validator

from remora.files.quantities import Is, Quantity, positive, refused
from remora.files.section import Choice, Length, Section
from remora.files.units import ANGLE, SPEED, TURN_RATE
from remora.messages.part_options import Moment

PositiveAngle = Annotated[Quantity[float], Is(ANGLE, rule=positive)]
PositiveSpeed = Annotated[Quantity[float], Is(SPEED, rule=positive)]
PositiveRate = Annotated[Quantity[float], Is(TURN_RATE, rule=positive)]


class LatchToleranceSection(Section):
    """Largest errors of two ports at which a latch closes."""

    distance: Length | None = None
    angle: PositiveAngle | None = None
    speed: PositiveSpeed | None = None
    rate: PositiveRate | None = None


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
