"""Recorder: the channels of a run, and the log of readings, part outputs, events and samples of its vehicles.

Rows are buffered by channel and written in blocks, so that a row costs little and memory stays bounded.
"""

import math
import struct
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from os import PathLike
from typing import TYPE_CHECKING, Any, final

import numpy as np

from remora.equations.algebra.pose import BODY_SIZE
from remora.files.arrays import Array
from remora.files.user_code import is_user_defined
from remora.logs.schema import Channel, Field, Level, channel_name, field_name
from remora.logs.writer import LogMark, LogWriter
from remora.messages.estimate import Estimate
from remora.messages.part import Lifecycle, Part, Role
from remora.messages.reading import Reading
from remora.run.log_channels import (
    MOTION_SIGMA,
    POSE,
    POWER,
    READING,
    SIGMA,
    VALID,
    WATER,
    WRENCH,
    SampledChannel,
    flag_fields,
    flag_row,
    link_channels,
    table_of,
    tether_channels,
)
from remora.run.monitoring.command_limits import input_limits
from remora.run.run_description import run_header
from remora.run.setup import ScheduledPart, Setup, VehicleSetup
from remora.sensors.sensor import Sensor
from remora.vehicles.checks.actuation import input_dimension, output_dimension
from remora.vehicles.checks.thruster_flags import thruster_flags

if TYPE_CHECKING:
    from remora.run.loop.vehicle_run import VehicleRun

BLOCK = 256  # rows of a channel that are written together


def stacked(rows: list[Array]) -> Array:
    """Arrays of one length as a table, as `np.array` and quicker."""
    return np.concatenate(rows).reshape(len(rows), -1)


def run_channels(setup: Setup) -> tuple[Channel, ...]:
    """All channels of a run."""
    found: list[Channel] = []
    for vehicle in setup.vehicles:
        found += [sampled.channel for sampled in sampled_channels(setup, vehicle)]
        found += [part_channel(vehicle, part) for part in vehicle.parts if part.part.fields]
        found += [sensor_channel(sensor) for sensor in vehicle.sensors]
    for one in setup.assemblies:
        found += [part_channel(one.vehicle, part) for part in one.vehicle.parts if part.part.fields]
    return tuple(found)


def log_period(setup: Setup) -> int:
    """Time between two samples, ns: as given, or 10 ms rounded to a multiple of the step."""
    return setup.log_period_ns or max(1, round(10_000_000 / setup.step_ns)) * setup.step_ns


def part_channel(vehicle: VehicleSetup, scheduled: ScheduledPart) -> Channel:
    """Log channel of a part that has log fields."""
    what = "reference" if scheduled.role == Role.GUIDANCE else scheduled.name
    return Channel(channel_name(vehicle.name, what), scheduled.part.fields, scheduled.name)


def sensor_channel(sensor: Sensor) -> Channel:
    """Log channel of a sensor."""
    label = sensor.description
    values = tuple(Field(field_name(c.name), c.unit, c.frame, optional=True) for c in label.channels)
    return Channel(channel_name(label.name), (*values, *READING), label.kind)


def sampled_channels(setup: Setup, vehicle: VehicleSetup) -> list[SampledChannel]:
    """The sampled channels of one vehicle; some depend on its parts, its drive and the water."""

    def named(name: str, fields: tuple[Field, ...], description: str = "") -> Channel:
        return Channel(channel_name(vehicle.name, name), fields, description)

    truth = named("truth", POSE, "position, attitude and motion of the body")
    found = [SampledChannel(truth, _state, lambda states: stacked(states)[:, :BODY_SIZE])]
    found += _actuator_channels(vehicle, named)
    roles = {part.role for part in vehicle.parts}
    if Role.NAVIGATION in roles:
        found.append(_estimate_channel(vehicle, named))
    if Role.CONTROL in roles and Role.ALLOCATION in roles:
        wrench = named("wrench", WRENCH, "what all controllers ask for")
        found.append(SampledChannel(wrench, lambda run: tuple(run.parts.wrench())))
    if vehicle.battery is not None:
        found.append(SampledChannel(named("power", POWER), lambda run: run.actuators.power))
    if setup.environment.steady_current is None:
        water = named("water", WATER, "velocity of the water around the body")
        found.append(SampledChannel(water, lambda run: run.motion.water_velocity))
    for i, tether in enumerate(vehicle.tethers):
        found += tether_channels(i, tether.name, tether.start, named)
    found += link_channels(setup, vehicle.name)
    plant = vehicle.plant.vehicle
    if any(fact.valid_speed or fact.critical_advance_ratio for fact in plant.thruster_facts):
        flags = named("thruster_flags", flag_fields(plant), "where laws hold")
        found.append(
            SampledChannel(
                flags, lambda run: flag_row(thruster_flags(plant, run.motion.state.tolist(), run.motion.water_velocity))
            )
        )
    return found


def _actuator_channels(vehicle: VehicleSetup, named: Callable[..., Channel]) -> list[SampledChannel]:
    """Commands, inputs of the drives where they differ, limited inputs and outputs of the actuators."""
    names, parameters = vehicle.plant.actuator_names, vehicle.plant.vehicle.parameters
    if not names:
        return []
    drives = vehicle.drive.drives if vehicle.drive is not None else ()
    pulses = {name for name, drive in zip(names, drives, strict=False) if drive.law is not None}
    taken = tuple(Field(field_name(name), input_dimension(parameters, name).units[0]) for name in names)
    asked = tuple(f._replace(unit="us") if name in pulses else f for name, f in zip(names, taken, strict=True))
    given = tuple(Field(field_name(name), output_dimension(parameters, name).units[0]) for name in names)
    limits, last = input_limits(vehicle).T, BODY_SIZE + len(names)
    inputs = [SampledChannel(named("inputs", taken, "of the drives"), _inputs, stacked)]
    limited = named("limited", taken, "what reaches the actuators within their limits")
    return [
        SampledChannel(named("commands", asked, "as asked"), lambda run: run.actuators.commands, stacked),
        *(inputs if vehicle.drive is not None and not vehicle.drive.is_direct else []),
        SampledChannel(limited, _inputs, lambda taken: np.clip(stacked(taken), *limits)),
        SampledChannel(
            named("outputs", given, "of actuators"), _state, lambda states: stacked(states)[:, BODY_SIZE:last]
        ),
    ]


def _state(run: "VehicleRun") -> Array:
    return run.motion.state


def _inputs(run: "VehicleRun") -> Array:
    return run.actuators.inputs


def _estimate_channel(vehicle: VehicleSetup, named: Callable[..., Channel]) -> SampledChannel:
    """Estimates of navigation; user code may write into its arrays again, so its rows are made at once."""
    sigma = sigma_fields(vehicle)
    fields = tuple(field._replace(optional=True) for field in (*POSE, *sigma))
    channel, row = named("estimate", (*fields, VALID)), partial(estimate_row, sigmas=len(sigma))
    if any(is_user_code(part.part) for part in vehicle.parts if part.role == Role.NAVIGATION):
        return SampledChannel(channel, lambda run: row(run.parts.estimate))
    return SampledChannel(channel, lambda run: run.parts.estimate, lambda taken: table_of([row(one) for one in taken]))


def is_user_code(part: Part) -> bool:
    """Whether a part, or the one within it, is user-defined."""
    return is_user_defined(getattr(part, "inner", part))


def sigma_fields(vehicle: VehicleSetup) -> tuple[Field, ...]:
    """Fields of the standard deviations that the navigation of a vehicle gives: of position, and of motion.

    User-defined navigation may give any of them with each estimate; those that it leaves out are NaN.
    """
    navigation = next((part.part for part in vehicle.parts if part.role == Role.NAVIGATION), None)
    if navigation is None:
        return ()
    usual = is_user_code(navigation)
    if not getattr(navigation, "gives_sigma", usual):
        return ()
    return (*SIGMA, *MOTION_SIGMA) if getattr(navigation, "gives_motion_sigma", usual) else SIGMA


def estimate_row(estimate: Estimate | None, sigmas: int) -> tuple[float, ...]:
    """An estimate as a row with this many standard deviations; one with an unknown number is not valid."""
    if estimate is None:
        return (*(math.nan,) * (13 + sigmas), 0.0)
    sigma = (*estimate.sigma_p_N, *estimate.sigma_v_B, *estimate.sigma_turn_B)[:sigmas] if sigmas else ()
    return (*estimate.p_NB, *estimate.q_NB, *estimate.twist, *sigma, float(estimate.is_complete))


def reading_row(reading: Reading) -> tuple[float, ...]:
    """A reading as a row: values, status, latency in s."""
    _, stamp_ns, arrival_ns, status, values = reading
    return (*values, status, (arrival_ns - stamp_ns) * 1e-9)


@final
class RowBuffer:
    """Rows of a channel that are not written yet.

    Values wait as they are and become rows together, which is quicker than one by one between other work.
    """

    __slots__ = ("_channel", "_pack", "_row", "_waiting", "_width", "_writer")

    def __init__(self, writer: LogWriter, channel: Channel) -> None:
        self._writer, self._channel, self._width = writer, channel.name, len(channel.fields)
        self._pack = struct.Struct(f"=q{self._width}d").pack
        self._row = np.dtype([("time", np.int64), ("numbers", float, (self._width,))])
        self._waiting: list[tuple[int, Callable[[Any], Sequence[float]], Any]] = []  # time, function to a row, value

    def add_reading(self, time_ns: int, reading: Reading) -> None:
        """Take a reading."""
        if len(reading[4]) + 2 != self._width:
            raise self._wrong_length(len(reading[4]) + 2)
        self._waiting.append((time_ns, reading_row, reading))
        if len(self._waiting) >= BLOCK:
            self.flush()

    def add(self, time_ns: int, row: Callable[[Any], Sequence[float]], value: Any) -> None:
        """Take a value and the function that gives its row, and write a block where it is full."""
        self._waiting.append((time_ns, row, value))
        if len(self._waiting) >= BLOCK:
            self.flush()

    def checked(self, row: Sequence[float]) -> Sequence[float]:
        """A row of numbers; ValueError or TypeError otherwise."""
        if len(row) != self._width:
            raise self._wrong_length(len(row))
        return array("d", row)

    def _wrong_length(self, length: int) -> ValueError:
        return ValueError(f"a row of {self._channel} has {length} numbers, not {self._width}")

    def flush(self) -> None:
        """Write all rows."""
        if self._waiting:
            pack = self._pack
            packed = b"".join([pack(time_ns, *row(value)) for time_ns, row, value in self._waiting])
            rows = np.frombuffer(packed, self._row)
            self._writer.write_rows(self._channel, rows["time"], rows["numbers"])
            self._waiting.clear()


@final
class SampleGroup:
    """Sampled channels that follow each other and have rows at the same times."""

    __slots__ = ("_columns", "_period_ns", "_takes", "_times", "_writer")

    def __init__(self, writer: LogWriter, channels: Sequence[SampledChannel]) -> None:
        self._writer = writer
        self._times: list[int] = []
        taken: dict[Any, list[Any]] = {one.take: [] for one in channels}  # channels may share values
        self._takes = [(values.append, take) for take, values in taken.items()]
        self._columns = [(one.channel.name, one.table, taken[one.take]) for one in channels]
        self._period_ns = channels[0].period_ns

    def sample(self, run: "VehicleRun", time_ns: int, period_ns: int) -> None:
        """Take a value of each channel, where one is due."""
        if self._period_ns and time_ns % self._period_ns >= period_ns:
            return
        for add, take in self._takes:
            add(take(run))
        self._times.append(time_ns)
        if len(self._times) >= BLOCK:
            self.flush()

    def flush(self) -> None:
        """Write all values as rows."""
        if not self._times:
            return
        times = np.array(self._times, dtype=np.int64)
        for channel, table, values in self._columns:
            self._writer.write_rows(channel, times, table(values))
        for _, _, values in self._columns:
            values.clear()
        self._times.clear()


@final
class Recorder:
    """Log of one run; a run without a log has no recorder."""

    def __init__(self, setup: Setup, writer: LogWriter) -> None:
        self._writer, self._period_ns = writer, log_period(setup)
        self.on_event: Callable[[int, str, Level, str], None] | None = None  # also gets every event, for a live view
        self._readings: dict[str, RowBuffer] = {}
        self._outputs: dict[tuple[str, str], tuple[RowBuffer, bool]] = {}  # and whether user code gives the rows
        self._samples: dict[str, list[SampleGroup]] = {}
        self._sampled_ns: dict[str, int] = {}  # vehicle -> time of its latest sample
        for vehicle in setup.vehicles:
            for sensor in vehicle.sensors:
                self._readings[sensor.description.name] = RowBuffer(writer, sensor_channel(sensor))
            groups = groupby(sampled_channels(setup, vehicle), key=lambda sampled: sampled.period_ns)
            self._samples[vehicle.name] = [SampleGroup(writer, list(group)) for _, group in groups]
        for vehicle in (*setup.vehicles, *(one.vehicle for one in setup.assemblies)):
            for part in vehicle.parts:
                if part.part.fields:
                    buffer = RowBuffer(writer, part_channel(vehicle, part))
                    self._outputs[vehicle.name, part.name] = (buffer, is_user_code(part.part))

    @classmethod
    def open(cls, setup: Setup, log: str | PathLike[str]) -> "Recorder":
        """A recorder with a new log file, replaced if it exists."""
        return cls(setup, LogWriter(log, run_header(setup), run_channels(setup)))

    def reading_log(self, sensor: str) -> Callable[[int, Reading], None]:
        """Function that records a reading of a sensor at the time of its measurement, whatever its stamp."""
        return self._readings[sensor].add_reading

    def output(self, vehicle: str, scheduled: ScheduledPart, time_ns: int, value: Any) -> None:
        """Record the output of a part that has log fields; a failure of a user-defined part shows at once."""
        buffer, is_user_code = self._outputs[vehicle, scheduled.name]
        if is_user_code:
            buffer.add(time_ns, tuple, buffer.checked(scheduled.part.row(value)))
        else:
            buffer.add(time_ns, scheduled.part.row, value)

    def lifecycle(self, vehicle: str, scheduled: ScheduledPart, time_ns: int, old: Lifecycle, new: Lifecycle) -> None:
        """Record a transition in the life cycle of a part as an event."""
        data = {"role": scheduled.role.name.lower(), "from": old.name.lower(), "to": new.name.lower()}
        self.event(time_ns, f"{vehicle}/{scheduled.name}", "info", f"{data['from']} -> {data['to']}", data)

    def event(self, time_ns: int, source: str, level: Level, text: str, data: Mapping[str, Any] | None = None) -> None:
        """Record an event."""
        if self.on_event is not None:
            self.on_event(time_ns, source, level, text)
        self._writer.event(time_ns, source, level, text, data)

    def sample(self, run: "VehicleRun", time_ns: int) -> None:
        """Record state and signals of a vehicle."""
        if time_ns == self._sampled_ns.get(run.name):  # the end of a run that failed within a step
            return
        self._sampled_ns[run.name] = time_ns
        for group in self._samples[run.name]:
            group.sample(run, time_ns, self._period_ns)

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
        for buffer in (*self._readings.values(), *(buffer for buffer, _ in self._outputs.values())):
            buffer.flush()
        for groups in self._samples.values():
            for group in groups:
                group.flush()
