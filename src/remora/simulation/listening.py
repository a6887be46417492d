"""Writes what happens to a vehicle in the loop into the channels of the log."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, final

import numpy as np

from remora.kernels.loops import BODY_SIZE
from remora.logs.schema import Level
from remora.messages.part import Lifecycle, Role
from remora.messages.reading import Reading
from remora.simulation.journal import (
    BLOCK,
    Journal,
    channel_name,
    estimate_row,
    flag_row,
    gives_sigma,
    has_flags,
    has_inputs,
    reading_row,
)
from remora.simulation.listener import Listener
from remora.simulation.loop.vehicle_run import VehicleRun
from remora.simulation.monitoring.command_limits import input_limits
from remora.simulation.setup import ScheduledPart, VehicleSetup
from remora.vehicles.checks.thruster_flags import thruster_flags


def listener(journal: Journal, vehicle: VehicleSetup, has_water: bool = False) -> Listener:
    """Writes readings, outputs of parts, changes of life and samples of a vehicle into the journal."""
    readings = {
        sensor.description.name: journal.rows(channel_name(sensor.description.name)) for sensor in vehicle.sensors
    }
    outputs = {
        part.name: journal.rows(channel_name(vehicle.name, "reference" if part.role == Role.GUIDANCE else part.name))
        for part in vehicle.parts
        if part.part.fields
    }

    def reading(found: Reading, measured_ns: int) -> None:
        readings[found.sensor](measured_ns, reading_row(found))

    def output(scheduled: ScheduledPart, time_ns: int, value: Any) -> None:
        outputs[scheduled.name](time_ns, scheduled.part.row(value))

    def life(scheduled: ScheduledPart, time_ns: int, old: Lifecycle, new: Lifecycle) -> None:
        words = {"role": scheduled.role.name.lower(), "from": old.name.lower(), "to": new.name.lower()}
        text = f"{words['from']} -> {words['to']}"
        journal.event(time_ns, f"{vehicle.name}/{scheduled.name}", "info", text, words)

    def event(source: str, time_ns: int, level: Level, text: str, data: Mapping[str, Any]) -> None:
        journal.event(time_ns, source, level, text, data)

    return Listener(reading, output, life, event, _Samples(journal, vehicle, has_water).take)


def _line_row(index: int, run: VehicleRun) -> tuple[float, ...]:
    """A tether as numbers: how it pulled over the last step, and its length."""
    line = run.influences.lines[index]
    return (*line.pull.vehicle, *line.pull.far, line.state.length)


@final
class _Samples:
    """States and signals in force, gathered as they are and cut into channels when a block is full."""

    def __init__(self, journal: Journal, vehicle: VehicleSetup, has_water: bool) -> None:
        self._journal, self._name = journal, vehicle.name
        self._actuators = len(vehicle.plant.actuator_names)
        self._limits = input_limits(vehicle).T
        self._has_inputs = has_inputs(vehicle)
        roles = {part.role for part in vehicle.parts}
        self._extras: list[tuple[str, Callable[[VehicleRun], Any], list[Any]]] = []
        if Role.NAVIGATION in roles:
            stated = gives_sigma(vehicle)
            self._extras.append(("estimate", lambda run: estimate_row(run.estimate, stated), []))
        if Role.CONTROL in roles and Role.ALLOCATION in roles:
            self._extras.append(("wrench", lambda run: run.wrench, []))
        if vehicle.energy is not None:
            self._extras.append(("power", lambda run: run.power, []))
        if has_water:
            self._extras.append(("water", lambda run: run.water_velocity, []))
        for i, tether in enumerate(vehicle.tethers):
            self._extras.append((tether.name, partial(_line_row, i), []))
        if has_flags(vehicle):
            real = vehicle.plant.vehicle
            look = lambda run: flag_row(thruster_flags(real, run.state, run.water_velocity))  # noqa: E731
            self._extras.append(("thruster_flags", look, []))
        self._times: list[int] = []
        self._last = -1  # time of the latest sample
        self._states: list[Any] = []
        self._commands: list[Any] = []
        self._inputs: list[Any] = []
        journal.add_block(self._write)

    def take(self, run: VehicleRun, time_ns: int) -> None:
        """Note the state and the signals in force; arrays are replaced by a run, never written into."""
        if time_ns == self._last:  # the end of a run that failed in the middle of a step
            return
        self._last = time_ns
        self._times.append(time_ns)
        self._states.append(run.state)
        self._commands.append(run.commands)
        self._inputs.append(run.inputs)
        for _, look, rows in self._extras:
            rows.append(look(run))
        if len(self._times) >= BLOCK:
            self._write()

    def _write(self) -> None:
        times, states = self._times, np.array(self._states, dtype=float)
        if times:
            self._put("truth", states[:, :BODY_SIZE])
        if times and self._actuators:
            self._put("commands", np.array(self._commands))
            inputs = np.array(self._inputs)
            if self._has_inputs:
                self._put("inputs", inputs)
            self._put("limited", np.clip(inputs, *self._limits))
            self._put("outputs", states[:, BODY_SIZE : BODY_SIZE + self._actuators])
        for name, _, rows in self._extras:
            self._put(name, np.array(rows, dtype=float))
            rows.clear()
        for waiting in (times, self._states, self._commands, self._inputs):
            waiting.clear()

    def _put(self, channel: str, rows: Any) -> None:
        self._journal.write(channel_name(self._name, channel), self._times, rows)
