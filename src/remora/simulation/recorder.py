"""Recorder: writes readings, part outputs, events and samples of all vehicles of a run into its log.

Rows are buffered by channel and written in blocks, so that a row costs little and memory stays bounded.
"""

from collections.abc import Callable, Mapping
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, final

import numpy as np

from remora.files.arrays import Array
from remora.kernels.loops import BODY_SIZE
from remora.logs.schema import Level
from remora.logs.writer import LogMark, LogWriter
from remora.messages.part import Lifecycle, Role
from remora.messages.reading import Reading
from remora.simulation.log_channels import (
    channel_name,
    estimate_row,
    flag_row,
    gives_sigma,
    has_flags,
    has_inputs,
    has_varying_water,
    reading_row,
    run_channels,
    run_header,
)
from remora.simulation.monitoring.command_limits import input_limits
from remora.simulation.setup import ScheduledPart, Setup, VehicleSetup
from remora.vehicles.checks.thruster_flags import thruster_flags

if TYPE_CHECKING:
    from remora.simulation.loop.vehicle_run import VehicleRun

BLOCK = 256  # rows of a channel that are written together
_Take = Callable[[int, Any], None]  # takes a row of a channel: time in ns, numbers


@final
class Recorder:
    """Log of one run; a run without a log has no recorder.

    Parameters
    ----------
    setup
        The run.
    writer
        Its open log; `open` creates a new one.
    """

    def __init__(self, setup: Setup, writer: LogWriter) -> None:
        self._writer = writer
        self._flushes: list[Callable[[], None]] = []
        self._readings: dict[str, _Take] = {}
        self._outputs: dict[tuple[str, str], _Take] = {}
        self._samples: dict[str, _Samples] = {}
        has_water = has_varying_water(setup)
        for vehicle in setup.vehicles:
            for sensor in vehicle.sensors:
                name = sensor.description.name
                self._readings[name] = self._rows(channel_name(name))
            for part in vehicle.parts:
                if part.part.fields:
                    what = "reference" if part.role == Role.GUIDANCE else part.name
                    self._outputs[vehicle.name, part.name] = self._rows(channel_name(vehicle.name, what))
            self._samples[vehicle.name] = _Samples(self, vehicle, has_water)
            self._flushes.append(self._samples[vehicle.name].flush)

    @classmethod
    def open(cls, setup: Setup, log: str | PathLike[str]) -> "Recorder":
        """A recorder with a new log file, replaced if it exists."""
        return cls(setup, LogWriter(log, run_header(setup), run_channels(setup)))

    def reading(self, reading: Reading, measured_ns: int) -> None:
        """Record a reading at the time of its measurement, whatever its stamp."""
        self._readings[reading.sensor](measured_ns, reading_row(reading))

    def output(self, vehicle: str, scheduled: ScheduledPart, time_ns: int, value: Any) -> None:
        """Record the output of a part that has log fields."""
        self._outputs[vehicle, scheduled.name](time_ns, scheduled.part.row(value))

    def lifecycle(self, vehicle: str, scheduled: ScheduledPart, time_ns: int, old: Lifecycle, new: Lifecycle) -> None:
        """Record a transition in the life cycle of a part as an event."""
        data = {"role": scheduled.role.name.lower(), "from": old.name.lower(), "to": new.name.lower()}
        self.event(time_ns, f"{vehicle}/{scheduled.name}", "info", f"{data['from']} -> {data['to']}", data)

    def event(self, time_ns: int, source: str, level: Level, text: str, data: Mapping[str, Any] | None = None) -> None:
        """Record an event."""
        self._writer.event(time_ns, source, level, text, data)

    def sample(self, run: "VehicleRun", time_ns: int) -> None:
        """Record state and signals of a vehicle."""
        self._samples[run.name].take(run, time_ns)

    def write(self, channel: str, times: list[int], rows: Array) -> None:
        """Write a block of rows."""
        if times:
            self._writer.write_rows(channel, np.array(times, dtype=np.int64), rows)

    def mark(self) -> LogMark:
        """Flush all rows to the file; the position of the log for a checkpoint."""
        self._flush()
        return self._writer.mark()

    def close(self) -> None:
        """Flush all rows and close the log."""
        try:
            self._flush()
        finally:
            self._writer.close()

    def _flush(self) -> None:
        for flush in self._flushes:
            flush()

    def _rows(self, channel: str) -> _Take:
        """A buffer of rows of a channel."""
        times: list[int] = []
        rows: list[Any] = []

        def flush() -> None:
            self.write(channel, times, np.array(rows, dtype=float))
            times.clear()
            rows.clear()

        def take(time_ns: int, row: Any) -> None:
            times.append(time_ns)
            rows.append(row)
            if len(times) >= BLOCK:
                flush()

        self._flushes.append(flush)
        return take


def _tether_row(index: int, run: "VehicleRun") -> tuple[float, ...]:
    """Forces of a tether over the last step, and its length."""
    load = run.external_loads.tethers[index]
    return (*load.pull.vehicle, *load.pull.far, load.state.length)


@final
class _Samples:
    """Samples of one vehicle: buffered as they are and split into channels when a block is full."""

    def __init__(self, recorder: Recorder, vehicle: VehicleSetup, has_water: bool) -> None:
        self._recorder, self._name = recorder, vehicle.name
        self._actuators = len(vehicle.plant.actuator_names)
        self._limits = input_limits(vehicle).T
        self._has_inputs = has_inputs(vehicle)
        self._optional = _optional_channels(vehicle, has_water)
        self._times: list[int] = []
        self._last = -1  # time of the latest sample
        self._states: list[Any] = []
        self._commands: list[Any] = []
        self._inputs: list[Any] = []

    def take(self, run: "VehicleRun", time_ns: int) -> None:
        """Buffer state and signals; a run replaces its arrays and never writes into them."""
        if time_ns == self._last:  # the end of a run that failed within a step
            return
        self._last = time_ns
        self._times.append(time_ns)
        self._states.append(run.state)
        self._commands.append(run.commands)
        self._inputs.append(run.inputs)
        for _, row_of, rows in self._optional:
            rows.append(row_of(run))
        if len(self._times) >= BLOCK:
            self.flush()

    def flush(self) -> None:
        """Write all buffered samples."""
        times, states = self._times, np.array(self._states, dtype=float)
        if times:
            self._write("truth", states[:, :BODY_SIZE])
        if times and self._actuators:
            self._write("commands", np.array(self._commands))
            inputs = np.array(self._inputs)
            if self._has_inputs:
                self._write("inputs", inputs)
            self._write("limited", np.clip(inputs, *self._limits))
            self._write("outputs", states[:, BODY_SIZE : BODY_SIZE + self._actuators])
        for name, _, rows in self._optional:
            self._write(name, np.array(rows, dtype=float))
            rows.clear()
        for buffer in (times, self._states, self._commands, self._inputs):
            buffer.clear()

    def _write(self, channel: str, rows: Any) -> None:
        self._recorder.write(channel_name(self._name, channel), self._times, rows)


def _optional_channels(
    vehicle: VehicleSetup, has_water: bool
) -> list[tuple[str, Callable[["VehicleRun"], Any], list[Any]]]:
    """Name, row function and buffer of the sampled channels that not every vehicle has."""
    roles = {part.role for part in vehicle.parts}
    found: list[tuple[str, Callable[[VehicleRun], Any], list[Any]]] = []
    if Role.NAVIGATION in roles:
        has_sigma = gives_sigma(vehicle)
        found.append(("estimate", lambda run: estimate_row(run.estimate, has_sigma), []))
    if Role.CONTROL in roles and Role.ALLOCATION in roles:
        found.append(("wrench", lambda run: run.wrench, []))
    if vehicle.battery is not None:
        found.append(("power", lambda run: run.power, []))
    if has_water:
        found.append(("water", lambda run: run.water_velocity, []))
    for i, tether in enumerate(vehicle.tethers):
        found.append((tether.name, partial(_tether_row, i), []))
    if has_flags(vehicle):
        plant = vehicle.plant.vehicle
        flags = lambda run: flag_row(thruster_flags(plant, run.state, run.water_velocity))  # noqa: E731
        found.append(("thruster_flags", flags, []))
    return found
