"""Command schedule: open-loop commands at given times, with a zero-order hold in between."""

import math
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from remora.files.did_you_mean import suggestion
from remora.files.quantities import Quantity, bare_angle_fault, unit_fault
from remora.files.section import NamedQuantities, Section
from remora.files.units import ANGLE, PULSE
from remora.messages.part import PartInput, Role
from remora.messages.part_options import (
    Beginning,
    Moment,
    PartError,
    PartKind,
    PartOptions,
    QuietPart,
    Remark,
    VehicleContext,
)
from remora.vehicles.assembly.drives import microseconds
from remora.vehicles.checks.actuation import command_limits, input_dimension, resting_commands
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.pulse_range import pulse_range, width_fault

BEYOND = 1e-3  # fraction of the range of an actuator, for limits written with few digits


class CommandSection(Section):
    """Commands of some actuators from a time on; those of the others are held."""

    at: Moment
    set: NamedQuantities


class CommandScheduleOptions(PartOptions):
    """Commands in order of time; before the first all actuators are at rest."""

    commands: list[CommandSection]


@final
@dataclass(frozen=True)
class CommandSchedule(QuietPart):
    """Zero-order hold: each entry stays in force until the next."""

    times_ns: tuple[int, ...]
    commands: tuple[tuple[float, ...], ...]  # before the first time, then from each time on
    remarks: tuple[Remark, ...] = ()

    @property
    def begins(self) -> tuple[Beginning, ...]:
        """When each entry takes effect."""
        return tuple(Beginning(("commands", index, "at"), time_ns) for index, time_ns in enumerate(self.times_ns))

    def initial(self) -> tuple[()]:
        """No state."""
        return ()

    def step(self, state: tuple[()], now: PartInput) -> tuple[tuple[()], tuple[float, ...]]:
        """The commands in force."""
        return state, self.commands[bisect_right(self.times_ns, now.time_ns)]


def make_command_schedule(options: CommandScheduleOptions, onboard: VehicleContext) -> CommandSchedule:
    """The command schedule of a vehicle."""
    names = onboard.plant.actuator_names
    parameters, times, remarks = onboard.vehicle.parameters, list[int](), list[Remark]()
    rows = [tuple(resting_commands(parameters, np.zeros(len(names))).tolist())]
    for index, entry in enumerate(options.commands):
        time_ns = round(entry.at.value * 1e9)
        if times and time_ns <= times[-1]:
            raise PartError("must be later than the entry before. Put the times in order.", "commands", index, "at")
        row = list(rows[-1])
        for name, quantity in entry.set.items():
            place = _place(name, names, index)
            row[place] = _value(parameters, name, quantity, index)
            remarks += _beyond_limits(parameters, place, name, row[place], index)
        times.append(time_ns)
        rows.append(tuple(row))
    return CommandSchedule(tuple(times), tuple(rows), tuple(remarks))


def _beyond_limits(parameters: VehicleParameters, place: int, name: str, command: float, index: int) -> list[Remark]:
    """The remark on a command beyond the limits of its actuator."""
    pulses = pulse_range(parameters, name)
    low, high = (pulses.lowest, pulses.highest) if pulses else command_limits(parameters)[place].tolist()
    margin = BEYOND * (high - low)
    if not math.isfinite(margin) or low - margin <= command <= high + margin:
        return []
    unit = "us" if pulses else input_dimension(parameters, name).units[0]
    text = f"is cut to the limits of this actuator, {low:.4g} to {high:.4g} {unit}."
    return [Remark(("commands", index, "set", name), text)]


def _place(name: str, names: tuple[str, ...], index: int) -> int:
    if name not in names:
        raise PartError(f"the vehicle has no such actuator. {suggestion(name, names)}", "commands", index, "set", name)
    return names.index(name)


def _value(parameters: VehicleParameters, name: str, quantity: Quantity[Any], index: int) -> float:
    """Value of a command in the unit of its actuator."""
    pulses = pulse_range(parameters, name)
    wanted = PULSE if pulses else input_dimension(parameters, name)
    is_bare = quantity.unit == "SI"
    fault = None if is_bare else unit_fault(quantity.unit, wanted)
    if not isinstance(quantity.value, float):
        fault = "expected one number."
    elif fault is None and pulses:
        fault = width_fault(pulses, quantity)
    elif is_bare and wanted == ANGLE:
        fault = bare_angle_fault(quantity.value)
    if fault:
        raise PartError(fault, "commands", index, "set", name)
    return microseconds(quantity.value) if pulses else float(quantity.value)


COMMAND_SCHEDULE = PartKind("command_schedule", Role.ALLOCATION, CommandScheduleOptions, make_command_schedule)
