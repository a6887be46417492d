"""What a line of `faults` may contain, by the word of its fault. docs/faults.md explains each."""

from typing import Annotated, Any, Literal, TypeAlias

from remora.equations.algebra.vectors import Vector3
from remora.files.quantities import Is, Quantity, not_negative, positive
from remora.files.section import Length3, Section
from remora.files.units import LENGTH, MASS, RATIO, SPEED, TIME, VOLUME, Dimension
from remora.messages.part_options import Duration, Moment

FLOW = Dimension("a flow of mass", ("kg/s", "g/s"))
Flow: TypeAlias = Annotated[Quantity[float], Is(FLOW, rule=positive)]
AnyNumber: TypeAlias = Annotated[Quantity[Any], Is(None, None)]


def _share(value: float) -> str | None:
    return None if 0.0 <= value <= 1.0 else "must lie between 0 and 1."


SomeShare: TypeAlias = Annotated[Quantity[float], Is(RATIO, rule=_share)]


class FaultLine(Section):
    """Any fault: what, and when."""

    fault: str
    at: Moment | None = None


class PassingLine(FaultLine):
    """One that may end."""

    until: Moment | None = None


class ActuatorLine(PassingLine):
    """A fault of an actuator."""

    of: str
    allocation: Literal["fault_tolerant", "nominal"] = "nominal"


class StuckLine(ActuatorLine):
    """Stuck at a command, or where it is."""

    value: AnyNumber | None = None


class PartialLine(ActuatorLine):
    """What is left of the thrust."""

    share: SomeShare


class SensorLine(PassingLine):
    """A fault of a sensor."""

    of: str


class BiasLine(SensorLine):
    """By how much, of which channel."""

    by: AnyNumber
    channel: str | None = None


class DropLine(SensorLine):
    """How many readings are lost: all unless given."""

    share: SomeShare | None = None


class GarbageLine(SensorLine):
    """What the sensor gives, in which channel."""

    gives: Literal["nan", "infinity"] = "nan"
    channel: str | None = None


class DelayLine(SensorLine):
    """How late."""

    by: Duration


class DuplicateLine(SensorLine):
    """How late the second one is; at once unless given."""

    by: Duration | None = None


class OrderLine(SensorLine):
    """Nothing to choose."""


class ClockLine(SensorLine):
    """How far the clock jumps, ahead or back."""

    by: Annotated[Quantity[float], Is(TIME)]


class LossLine(FaultLine):
    """What leaves for good, and where it was."""

    mass: Annotated[Quantity[float], Is(MASS, rule=positive)]
    place: Length3
    volume: Annotated[Quantity[float], Is(VOLUME, rule=positive)] | None = None


class FloodLine(PassingLine):
    """How fast water comes in, where to, and how much there is room for."""

    rate: Flow
    place: Length3
    volume: Annotated[Quantity[float], Is(VOLUME, rule=positive)]


class CurrentLine(PassingLine):
    """How the current changes."""

    change: Annotated[Quantity[Vector3], Is(SPEED, (3,))]


class SnagLine(PassingLine):
    """Which tether is caught, and where: metres from the vehicle, or half way."""

    of: str
    along: Annotated[Quantity[float], Is(LENGTH, rule=not_negative)] | None = None


ACTUATOR_LINES: dict[str, type[ActuatorLine]] = {
    "dead": ActuatorLine,
    "stuck": StuckLine,
    "reversed": ActuatorLine,
    "partial": PartialLine,
}
SENSOR_LINES: dict[str, type[SensorLine]] = {
    "frozen": SensorLine,
    "biased": BiasLine,
    "off": SensorLine,
    "dropped": DropLine,
    "garbage": GarbageLine,
    "clock": ClockLine,
    "delayed": DelayLine,
    "duplicated": DuplicateLine,
    "out_of_order": OrderLine,
}
BODY_LINES: dict[str, type[FaultLine]] = {
    "lost_ballast": LossLine,
    "payload_dropped": LossLine,
    "flooding": FloodLine,
    "current": CurrentLine,
    "snag": SnagLine,
}
LINES: dict[str, type[FaultLine]] = {**ACTUATOR_LINES, **SENSOR_LINES, **BODY_LINES}
