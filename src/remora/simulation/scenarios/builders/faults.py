"""From the lines of a scenario to the faults of a vehicle."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from remora.control.allocation.fault_tolerant import can_be_informed
from remora.files.did_you_mean import suggestion
from remora.files.problems import Path
from remora.files.quantities import unit_fault
from remora.files.units import Dimension, unit_named
from remora.kernels.plant import Plant
from remora.messages.part import Role
from remora.messages.reading import SensorChannel, Status
from remora.sensors.errors.streams import Stream
from remora.sensors.sensor import Sensor
from remora.simulation.faults.active_faults import after_change
from remora.simulation.faults.actuators import Dead, Partial, Reversed, Stuck
from remora.simulation.faults.body import CurrentStep, Flooding, Loss, Snag
from remora.simulation.faults.fault import Fault, FaultEffect
from remora.simulation.faults.sensors import (
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
from remora.simulation.scenarios import fault_lines as lines
from remora.simulation.scenarios.problems import Desk
from remora.simulation.setup import ScheduledPart
from remora.vehicles.checks.actuation import command_limits, input_dimension


class Victim(NamedTuple):
    """The vehicle that things happen to."""

    name: str
    plant: Plant
    sensors: Mapping[str, Sensor]  # by name
    parts: Sequence[ScheduledPart]
    tethers: tuple[str, ...] = ()


class Line(NamedTuple):
    """A line as it stands in the file, and where."""

    data: Any
    path: Path


def lines_of(given: Any, path: Path, desk: Desk) -> list[Line]:
    """The lines of a list of faults."""
    if given is None:
        return []
    if not isinstance(given, list):
        desk.refuse(path, "expected a list of faults, e.g. [{fault: dead, of: front_port, at: 20 s}].")
        return []
    return [Line(data, (*path, index)) for index, data in enumerate(given)]


def vehicle_faults(given: Sequence[Line], victim: Victim, desk: Desk) -> tuple[Fault, ...]:
    """The faults of one vehicle; what is wrong with them goes to the desk."""
    made = [(fault, line.path) for line in given if (fault := _fault(line, victim, desk)) is not None]
    _check_masses(sorted(made, key=lambda item: item[0].start_ns), victim, desk)
    return tuple(fault for fault, _ in made)


def read_line(line: Line, desk: Desk) -> tuple[str, Any, tuple[int, int | None]] | None:
    """The word of a line, its options and its times, whatever it happens to; None with findings."""
    word = line.data.get("fault") if isinstance(line.data, dict) else None
    if not isinstance(word, str) or word not in lines.LINES:
        place = (*line.path, "fault") if isinstance(line.data, dict) else line.path
        near = suggestion(word if isinstance(word, str) else "", lines.LINES)
        desk.refuse(place, f"expected a fault, e.g. {{fault: dead, of: front_port, at: 20 s}}. {near}")
        return None
    section = desk.section(lines.LINES[word], line.data, line.path)
    return None if section is None else (word, section, _times(section, line.path, desk))


def _fault(line: Line, victim: Victim, desk: Desk) -> Fault | None:
    """One fault, or None with findings."""
    before = len(desk.findings)
    read = read_line(line, desk)
    if read is None:
        return None
    word, section, (start_ns, stop_ns) = read
    effect = _effect(word, section, line.path, victim, desk)
    informed = False
    if isinstance(section, lines.ActuatorLine) and section.allocation == "informed":
        informed = True
        _check_informed(section.of, line.path, victim, desk)
    if effect is None or len(desk.findings) > before:
        return None
    return Fault(word, effect, getattr(section, "of", ""), start_ns, stop_ns, informed)


def _times(section: lines.FaultLine, path: Path, desk: Desk) -> tuple[int, int | None]:
    until = section.until if isinstance(section, lines.PassingLine) else None
    start_ns = round(1e9 * section.at.value) if section.at else 0
    stop_ns = round(1e9 * until.value) if until else None
    desk.check_multiple((*path, "at"), start_ns, "a time")
    desk.check_beginning((*path, "at"), start_ns)
    if stop_ns is not None:
        desk.check_multiple((*path, "until"), stop_ns, "a time")
        if stop_ns <= start_ns:
            desk.refuse((*path, "until"), "must be later than its start, at.")
    return start_ns, stop_ns


def _effect(word: str, section: Any, path: Path, victim: Victim, desk: Desk) -> FaultEffect | None:
    """What a line does; None with findings."""
    if word in lines.ACTUATOR_LINES:
        return _actuator_effect(word, section, path, victim, desk)
    if word in lines.SENSOR_LINES:
        return _sensor_effect(word, section, path, victim, desk)
    if word == "current":
        return CurrentStep(section.change.value)
    if word == "flooding":
        return Flooding(section.rate.value, section.place.value, section.volume.value)
    if word == "snag":
        if section.of not in victim.tethers:
            known = suggestion(section.of, victim.tethers) if victim.tethers else "It has none in this scenario."
            desk.refuse((*path, "of"), f"the vehicle has no such tether that can be caught. {known}")
        return Snag(section.along.value if section.along else None)
    return Loss(section.mass.value, section.place.value, section.volume.value if section.volume else 0.0)


def _actuator_effect(word: str, section: Any, path: Path, victim: Victim, desk: Desk) -> FaultEffect | None:
    names = victim.plant.actuator_names
    if section.of not in names:
        known = suggestion(section.of, names) if names else "It has none."
        desk.refuse((*path, "of"), f"the vehicle has no such actuator. {known}")
        return None
    if word == "partial":
        return Partial(section.share.value)
    if word == "stuck" and section.value is not None:
        return _stuck_at(section, path, victim, desk)
    return {"dead": Dead(), "stuck": Stuck(), "reversed": Reversed()}[word]


def _stuck_at(section: lines.StuckLine, path: Path, victim: Victim, desk: Desk) -> FaultEffect | None:
    """Stuck at a value that the actuator can reach."""
    assert section.value is not None
    parameters, given = victim.plant.vehicle.parameters, section.value
    wanted = input_dimension(parameters, section.of)
    fault = None if given.unit == "SI" else unit_fault(given.unit, wanted)
    if not isinstance(given.value, float):
        fault = f"expected one number, {wanted.words}."
    lowest, highest = command_limits(parameters)[victim.plant.actuator_names.index(section.of)]
    if fault is None and not lowest <= given.value <= highest:
        fault = f"lies outside the limits of this actuator, {lowest:g} to {highest:g} {wanted.units[0]}."
    if fault is not None:
        desk.refuse((*path, "value"), fault)
        return None
    return Stuck(given.value)


def _check_informed(name: str, path: Path, victim: Victim, desk: Desk) -> None:
    """Whether there is an allocation that can do without a thruster."""
    allocation = next((part for part in victim.parts if part.role == Role.ALLOCATION), None)
    if name in victim.plant.vehicle.parameters.fin_names:
        desk.refuse((*path, "allocation"), "only thrusters are shared out; a fin cannot be left out of it.")
    elif allocation is None or not can_be_informed(allocation.part):
        what = "there is no allocation" if allocation is None else f'"{allocation.name}" cannot be told of failures'
        desk.refuse((*path, "allocation"), f"{what}. Give e.g. allocation: bounded, or leave this out.", False)


def _sensor_effect(word: str, section: Any, path: Path, victim: Victim, desk: Desk) -> FaultEffect | None:
    sensor = victim.sensors.get(section.of)
    if sensor is None:
        known = suggestion(section.of, victim.sensors) if victim.sensors else "It carries none in this scenario."
        desk.refuse((*path, "of"), f"the vehicle has no such sensor. {known}")
        return None
    channels = sensor.description.channels
    if word == "biased":
        return _bias(section, path, channels, desk)
    if word == "garbage":
        chosen = _chosen(section.channel, path, channels, desk)
        return Garbage(chosen, math.nan if section.gives == "nan" else math.inf) if chosen else None
    if word == "dropped" and section.share is not None:
        stream = Stream(desk.seed, f"{sensor.description.name}/fault at {'.'.join(map(str, path))}")
        return Dropping(section.share.value, stream)
    if word in ("delayed", "duplicated", "clock"):
        by_ns = round(1e9 * section.by.value) if section.by else 0
        return {"delayed": DelayedReadings(by_ns), "duplicated": Duplicated(by_ns), "clock": ClockJump(by_ns)}[word]
    plain = {"frozen": Frozen(), "off": Silent(), "dropped": Silent(Status.DROPPED), "out_of_order": OutOfOrder()}
    return plain[word]


def _chosen(name: str | None, path: Path, channels: Sequence[SensorChannel], desk: Desk) -> tuple[int, ...]:
    """The channels that are meant: all, or the one of a name."""
    names = [channel.name for channel in channels]
    if name is None:
        return tuple(range(len(names)))
    if name not in names:
        desk.refuse((*path, "channel"), f"the sensor has no such channel. {suggestion(name, names)}")
        return ()
    return (names.index(name),)


def _bias(section: lines.BiasLine, path: Path, channels: Sequence[SensorChannel], desk: Desk) -> FaultEffect | None:
    """One number for the channels that it can measure, or a list with one for each."""
    value, unit = section.by.value, section.by.unit
    if isinstance(value, tuple):
        if len(value) != len(channels) or not all(isinstance(number, float) for number in value):
            named = ", ".join(channel.name for channel in channels)
            desk.refuse((*path, "by"), f"expected one number, or one for each of {named}.")
            return None
        return Biased(value)
    meant = _chosen(section.channel, path, channels, desk)
    chosen = [i for i in meant if _measures(unit, channels[i])]
    units = {channels[i].unit for i in chosen}
    if not meant:
        return None
    if not chosen:
        known = ", ".join(sorted({channel.unit for channel in channels}))
        desk.refuse((*path, "by"), f"no such channel of this sensor is measured in this unit. It gives: {known}.")
        return None
    if len(units) > 1:
        desk.refuse((*path, "by"), "the channels have different units. Name a channel, or give a unit or a list.")
        return None
    return Biased(tuple(value if i in chosen else 0.0 for i in range(len(channels))))


def _measures(unit: str, channel: SensorChannel) -> bool:
    """Whether a channel can be off by a number of this unit; a bare number fits any."""
    if unit == "SI" or unit_named(channel.unit) is None:
        return True
    return unit_fault(unit, Dimension("", (channel.unit,), angle_counts=True)) is None


def _check_masses(made: Sequence[tuple[Fault, Path]], victim: Victim, desk: Desk) -> None:
    """Whether a vehicle is left after all that comes and goes."""
    parameters = victim.plant.vehicle.parameters
    for fault, path in made:
        try:
            parameters = after_change(fault.effect, parameters)
        except ValueError as error:
            desk.refuse(path, f"{str(error).rstrip('.')}.", shows_value=False)
