"""Line-of-sight guidance as a part, with its options."""

from typing import Annotated

from remora.files.quantities import Is, Quantity, not_negative
from remora.files.units import SPEED
from remora.guidance.line_of_sight import LineOfSight
from remora.guidance.parts.legs import BedLegs, LegOptions, LegPart, above_bed, check_integral_gain
from remora.messages.estimate import POSITION
from remora.messages.part import Role
from remora.messages.part_options import PartKind, VehicleContext
from remora.messages.reference import DIVE


class LineOfSightOptions(LegOptions):
    """Points, speed and parameters of the guidance law."""

    integral_gain: Annotated[Quantity[float], Is(SPEED, rule=not_negative)] | None = None


def make_line_of_sight(options: LineOfSightOptions, onboard: VehicleContext) -> LegPart | BedLegs:
    """Legs between the points of a scenario."""
    law = LineOfSight(options.positions(), options.speed.value, **options.given("lookahead", "radius", "integral_gain"))
    check_integral_gain(law.integral_gain, law.lookahead, "integral_gain")
    return above_bed(LegPart(law, (POSITION,), onboard.launch), options, onboard)


LINE_OF_SIGHT = PartKind("line_of_sight", Role.GUIDANCE, LineOfSightOptions, make_line_of_sight, gives=DIVE)
