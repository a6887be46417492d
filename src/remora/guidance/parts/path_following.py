"""Path following by integral or adaptive line of sight as a part, with its options."""

from typing import Annotated, Literal

from remora.equations.guidance.line_of_sight import ADAPTIVE, INTEGRAL, PROPORTIONAL
from remora.files.quantities import Is, Quantity, not_negative
from remora.guidance.line_of_sight import ADAPTIVE_GAIN, PathFollowing
from remora.guidance.parts.legs import BedLegs, LegOptions, LegPart, above_bed, check_adaptive_gain, check_integral_gain
from remora.messages.estimate import DEPTH, POSITION
from remora.messages.part import Role
from remora.messages.part_options import PartKind, VehicleContext
from remora.messages.reference import DIVE

LAWS = {"proportional": PROPORTIONAL, "integral": INTEGRAL, "adaptive": ADAPTIVE}


class PathFollowingOptions(LegOptions):
    """Points, speed and parameters of the guidance law."""

    law: Literal["integral", "adaptive", "proportional"] = "integral"
    gain: Annotated[Quantity[float], Is(None, (), not_negative, plain_only=True)] | None = None


def make_path_following(options: PathFollowingOptions, onboard: VehicleContext) -> LegPart | BedLegs:
    """Legs in three dimensions between the points of a scenario."""
    given = options.given("lookahead", "radius", "gain")
    if options.law == "adaptive":
        given.setdefault("gain", ADAPTIVE_GAIN)
    law = PathFollowing(options.positions(), options.speed.value, LAWS[options.law], **given)
    if options.law == "integral":
        check_integral_gain(law.gain, law.lookahead, "gain")
    if options.law == "adaptive":
        check_adaptive_gain(law.gain, law.lookahead, "gain")
    return above_bed(LegPart(law, (POSITION, DEPTH), onboard.launch), options, onboard)


INTEGRAL_LINE_OF_SIGHT = PartKind(
    "integral_line_of_sight", Role.GUIDANCE, PathFollowingOptions, make_path_following, gives=DIVE
)
