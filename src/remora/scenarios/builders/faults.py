"""Faults of a scenario: their sections of text, and the faults made from them. docs/faults.md explains each."""

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from remora.control.allocation.bumpless_transfer import is_fault_tolerant
from remora.equations.types import Vector3
from remora.files.did_you_mean import suggestion
from remora.files.quantities import Is, Quantity, not_negative, positive, unit_fault
from remora.files.section import Length3, Section
from remora.files.units import LENGTH, MASS, RATIO, SPEED, TIME, VOLUME, Dimension, unit_named
from remora.messages.part import Role, detects_thruster_faults
from remora.messages.part_options import Duration, Moment
from remora.messages.reading import SensorChannel, Status
from remora.plant.plant import Plant
from remora.run.faults.active_faults import after_change
from remora.run.faults.actuators import Dead, Partial, Reversed, Stuck
from remora.run.faults.body import CurrentStep, Flooding, Loss, Snag
from remora.run.faults.fault import Fault, FaultEffect
from remora.run.faults.sensors import (
    Biased,
    ClockJump,
    DelayedReadings,
    Dropping,
    Duplicated,
    Frozen,
    Garbage,
    OutOfOrder,
    Silent,
)
from remora.run.setup import ScheduledPart
from remora.scenarios.load_context import LoadContext
from remora.sensors.errors.streams import Stream
from remora.sensors.sensor import Sensor
from remora.vehicles.checks.actuation import command_limits, input_dimension

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


class FaultsContext(NamedTuple):
    """The vehicle as needed to build its faults."""

    name: str
    plant: Plant
    sensors: Mapping[str, Sensor]  # by name
    parts: Sequence[ScheduledPart]
    tethers: tuple[str, ...] = ()


class FaultEntry(NamedTuple):
    """An entry of a list of faults and its context."""

    data: Any
    context: LoadContext


def fault_entries(given: Any, context: LoadContext) -> list[FaultEntry]:
    """The entries of a list of faults."""
    if given is None:
        return []
    if not isinstance(given, list):
        context.refuse("expected a list of faults, e.g. [{fault: dead, of: front_port, at: 20 s}].")
        return []
    return [FaultEntry(data, context.at(index)) for index, data in enumerate(given)]


def vehicle_faults(given: Sequence[FaultEntry], vehicle: FaultsContext) -> tuple[Fault, ...]:
    """The faults of one vehicle; findings go to the context."""
    made = [(fault, line.context) for line in given if (fault := _fault(line, vehicle)) is not None]
    _check_masses(sorted(made, key=lambda item: item[0].start_ns), vehicle)
    return tuple(fault for fault, _ in made)


def read_fault_entry(line: FaultEntry) -> tuple[str, Any, tuple[int, int | None]] | None:
    """Kind, options and times of an entry, without its vehicle; None with findings."""
    kind = line.data.get("fault") if isinstance(line.data, dict) else None
    if not isinstance(kind, str) or kind not in FAULTS:
        place = line.context.at("fault") if isinstance(line.data, dict) else line.context
        near = suggestion(kind if isinstance(kind, str) else "", FAULTS)
        place.refuse(f"expected a fault, e.g. {{fault: dead, of: front_port, at: 20 s}}. {near}")
        return None
    section = line.context.section(FAULTS[kind], line.data)
    return None if section is None else (kind, section, _times(section, line.context))


def _fault(line: FaultEntry, vehicle: FaultsContext) -> Fault | None:
    """One fault, or None with findings."""
    before = len(line.context.findings)
    read = read_fault_entry(line)
    if read is None:
        return None
    kind, section, (start_ns, stop_ns) = read
    effect = _effect(kind, section, vehicle, line.context)
    known_to_allocation = False
    if isinstance(section, ActuatorFaultSection) and section.allocation == "fault_tolerant":
        known_to_allocation = True
        _check_fault_tolerant(section.of, vehicle, line.context)
    if effect is None or len(line.context.findings) > before:
        return None
    return Fault(kind, effect, getattr(section, "of", ""), start_ns, stop_ns, known_to_allocation)


def _times(section: FaultSection, context: LoadContext) -> tuple[int, int | None]:
    until = section.until if isinstance(section, TemporaryFaultSection) else None
    start_ns = round(1e9 * section.at.value) if section.at else 0
    stop_ns = round(1e9 * until.value) if until else None
    context.at("at").check_multiple(start_ns, "a time")
    context.at("at").check_beginning(start_ns)
    if stop_ns is not None:
        context.at("until").check_multiple(stop_ns, "a time")
        if stop_ns <= start_ns:
            context.at("until").refuse("must be later than its start, at.")
    return start_ns, stop_ns


def _effect(kind: str, section: Any, vehicle: FaultsContext, context: LoadContext) -> FaultEffect | None:
    """The effect of an entry; None with findings."""
    if kind in ACTUATOR_FAULTS:
        return _actuator_effect(kind, section, vehicle, context)
    if kind in SENSOR_FAULTS:
        return _sensor_effect(kind, section, vehicle, context)
    if kind == "current":
        return CurrentStep(section.change.value)
    if kind == "flooding":
        return Flooding(section.rate.value, section.place.value, section.volume.value)
    if kind == "snag":
        if section.of not in vehicle.tethers:
            known = suggestion(section.of, vehicle.tethers) if vehicle.tethers else "It has none in this scenario."
            context.at("of").refuse(f"the vehicle has no such tether that can be caught. {known}")
        return Snag(section.along.value if section.along else None)
    return Loss(section.mass.value, section.place.value, section.volume.value if section.volume else 0.0)


def _actuator_effect(kind: str, section: Any, vehicle: FaultsContext, context: LoadContext) -> FaultEffect | None:
    names = vehicle.plant.actuator_names
    if section.of not in names:
        known = suggestion(section.of, names) if names else "It has none."
        context.at("of").refuse(f"the vehicle has no such actuator. {known}")
        return None
    if kind == "partial":
        return Partial(section.share.value)
    if kind == "stuck" and section.value is not None:
        return _stuck_at(section, vehicle, context)
    return {"dead": Dead(), "stuck": Stuck(), "reversed": Reversed()}[kind]


def _stuck_at(section: StuckFaultSection, vehicle: FaultsContext, context: LoadContext) -> FaultEffect | None:
    """Stuck at a value that the actuator can reach."""
    assert section.value is not None
    parameters, given = vehicle.plant.vehicle.parameters, section.value
    wanted = input_dimension(parameters, section.of)
    fault = None if given.unit == "SI" else unit_fault(given.unit, wanted)
    if not isinstance(given.value, float):
        fault = f"expected one number, {wanted.words}."
    lowest, highest = command_limits(parameters)[vehicle.plant.actuator_names.index(section.of)]
    if fault is None and not lowest <= given.value <= highest:
        fault = f"lies outside the limits of this actuator, {lowest:g} to {highest:g} {wanted.units[0]}."
    if fault is not None:
        context.at("value").refuse(fault)
        return None
    return Stuck(given.value)


def _check_fault_tolerant(name: str, vehicle: FaultsContext, context: LoadContext) -> None:
    """Whether there is an allocation that can do without a thruster."""
    allocation = max(
        (part for part in vehicle.parts if part.role >= Role.CONTROL), key=lambda part: part.role, default=None
    )  # the part that gives commands
    if name in vehicle.plant.vehicle.parameters.fin_names:
        context.at("allocation").refuse("only thrusters are shared out; a fin cannot be left out of it.")
    elif allocation is None or not is_fault_tolerant(allocation.part):
        what = (
            "there is no allocation" if allocation is None else f'"{allocation.name}" cannot exclude failed thrusters'
        )
        context.at("allocation").refuse(f"{what}. Give e.g. allocation: bounded, or leave this out.", False)
    elif any(detects_thruster_faults(part.part) for part in vehicle.parts if part.role == Role.NAVIGATION):
        found = "the navigation of this vehicle detects failed thrusters, and informs the allocation itself"
        context.at("allocation").refuse(f"{found}. Leave this out, or set thruster_faults: false.", False)


def _sensor_effect(kind: str, section: Any, vehicle: FaultsContext, context: LoadContext) -> FaultEffect | None:
    sensor = vehicle.sensors.get(section.of)
    if sensor is None:
        known = suggestion(section.of, vehicle.sensors) if vehicle.sensors else "It carries none in this scenario."
        context.at("of").refuse(f"the vehicle has no such sensor. {known}")
        return None
    channels = sensor.description.channels
    if kind == "biased":
        return _bias(section, channels, context)
    if kind == "garbage":
        chosen = _chosen(section.channel, channels, context)
        return Garbage(chosen, math.nan if section.gives == "nan" else math.inf) if chosen else None
    if kind == "dropped" and section.share is not None:
        stream = Stream(context.seed, f"{sensor.description.name}/fault at {'.'.join(map(str, context.path))}")
        return Dropping(section.share.value, stream)
    if kind in ("delayed", "duplicated", "clock"):
        by_ns = round(1e9 * section.by.value) if section.by else 0
        return {"delayed": DelayedReadings(by_ns), "duplicated": Duplicated(by_ns), "clock": ClockJump(by_ns)}[kind]
    plain = {"frozen": Frozen(), "off": Silent(), "dropped": Silent(Status.DROPPED), "out_of_order": OutOfOrder()}
    return plain[kind]


def _chosen(name: str | None, channels: Sequence[SensorChannel], context: LoadContext) -> tuple[int, ...]:
    """Indices of the selected channels: all, or the named one."""
    names = [channel.name for channel in channels]
    if name is None:
        return tuple(range(len(names)))
    if name not in names:
        context.at("channel").refuse(f"the sensor has no such channel. {suggestion(name, names)}")
        return ()
    return (names.index(name),)


def _bias(section: BiasFaultSection, channels: Sequence[SensorChannel], context: LoadContext) -> FaultEffect | None:
    """Offsets from one number for all channels of its unit, or from a list with one per channel."""
    value, unit = section.by.value, section.by.unit
    if isinstance(value, tuple):
        if len(value) != len(channels) or not all(isinstance(number, float) for number in value):
            named = ", ".join(channel.name for channel in channels)
            context.at("by").refuse(f"expected one number, or one for each of {named}.")
            return None
        return Biased(value)
    meant = _chosen(section.channel, channels, context)
    chosen = [i for i in meant if _measures(unit, channels[i])]
    units = {channels[i].unit for i in chosen}
    if not meant:
        return None
    if not chosen:
        known = ", ".join(sorted({channel.unit for channel in channels}))
        context.at("by").refuse(f"no such channel of this sensor is measured in this unit. It gives: {known}.")
        return None
    if len(units) > 1:
        context.at("by").refuse("the channels have different units. Name a channel, or give a unit or a list.")
        return None
    return Biased(tuple(value if i in chosen else 0.0 for i in range(len(channels))))


def _measures(unit: str, channel: SensorChannel) -> bool:
    """Whether a unit fits a channel; a bare number fits any."""
    if unit == "SI" or unit_named(channel.unit) is None:
        return True
    return unit_fault(unit, Dimension("", (channel.unit,), angle_counts=True)) is None


def _check_masses(made: Sequence[tuple[Fault, LoadContext]], vehicle: FaultsContext) -> None:
    """Check that a valid vehicle remains after all mass changes."""
    parameters = vehicle.plant.vehicle.parameters
    for fault, context in made:
        try:
            parameters = after_change(fault.effect, parameters)
        except ValueError as error:
            context.refuse(f"{str(error).rstrip('.')}.", shows_value=False)
