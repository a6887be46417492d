"""Sections of the list `faults`, by kind of fault. docs/faults.md explains each."""

from typing import Annotated, Any, Literal, TypeAlias

from remora.equations.types import Vector3
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


class FaultSection(Section):
    """Any fault: kind and start."""

    fault: str
    at: Moment | None = None


class TemporaryFaultSection(FaultSection):
    """A fault that may end."""

    until: Moment | None = None


class ActuatorFaultSection(TemporaryFaultSection):
    """A fault of an actuator."""

    of: str
    allocation: Literal["fault_tolerant", "nominal"] = "nominal"


class StuckFaultSection(ActuatorFaultSection):
    """Stuck at an input, or at the present output."""

    value: AnyNumber | None = None


class PartialFaultSection(ActuatorFaultSection):
    """Remaining share of the thrust."""

    share: SomeShare


class SensorFaultSection(TemporaryFaultSection):
    """A fault of a sensor."""

    of: str


class BiasFaultSection(SensorFaultSection):
    """Offset and channel."""

    by: AnyNumber
    channel: str | None = None


class DropFaultSection(SensorFaultSection):
    """Share of lost readings, all by default."""

    share: SomeShare | None = None


class GarbageFaultSection(SensorFaultSection):
    """Invalid value and channel."""

    gives: Literal["nan", "infinity"] = "nan"
    channel: str | None = None


class DelayFaultSection(SensorFaultSection):
    """Delay."""

    by: Duration


class DuplicateFaultSection(SensorFaultSection):
    """Delay of the second reading, zero by default."""

    by: Duration | None = None


class OrderFaultSection(SensorFaultSection):
    """Without options."""


class ClockFaultSection(SensorFaultSection):
    """Clock jump, positive ahead."""

    by: Annotated[Quantity[float], Is(TIME)]


class LossFaultSection(FaultSection):
    """Lost mass and its position."""

    mass: Annotated[Quantity[float], Is(MASS, rule=positive)]
    place: Length3
    volume: Annotated[Quantity[float], Is(VOLUME, rule=positive)] | None = None


class FloodFaultSection(TemporaryFaultSection):
    """Intake rate, position and volume of the compartment."""

    rate: Flow
    place: Length3
    volume: Annotated[Quantity[float], Is(VOLUME, rule=positive)]


class CurrentFaultSection(TemporaryFaultSection):
    """Change of the current."""

    change: Annotated[Quantity[Vector3], Is(SPEED, (3,))]


class SnagFaultSection(TemporaryFaultSection):
    """Snagged tether and distance along it from the vehicle, half way by default."""

    of: str
    along: Annotated[Quantity[float], Is(LENGTH, rule=not_negative)] | None = None


ACTUATOR_FAULTS: dict[str, type[ActuatorFaultSection]] = {
    "dead": ActuatorFaultSection,
    "stuck": StuckFaultSection,
    "reversed": ActuatorFaultSection,
    "partial": PartialFaultSection,
}
SENSOR_FAULTS: dict[str, type[SensorFaultSection]] = {
    "frozen": SensorFaultSection,
    "biased": BiasFaultSection,
    "off": SensorFaultSection,
    "dropped": DropFaultSection,
    "garbage": GarbageFaultSection,
    "clock": ClockFaultSection,
    "delayed": DelayFaultSection,
    "duplicated": DuplicateFaultSection,
    "out_of_order": OrderFaultSection,
}
BODY_FAULTS: dict[str, type[FaultSection]] = {
    "lost_ballast": LossFaultSection,
    "payload_dropped": LossFaultSection,
    "flooding": FloodFaultSection,
    "current": CurrentFaultSection,
    "snag": SnagFaultSection,
}
FAULTS: dict[str, type[FaultSection]] = {**ACTUATOR_FAULTS, **SENSOR_FAULTS, **BODY_FAULTS}
