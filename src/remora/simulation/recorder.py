"""Recorder: the channels of a run, and the log of readings, part outputs, events and samples of its vehicles.

Rows are buffered by channel and written in blocks, so that a row costs little and memory stays bounded.
"""

import math
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, final

import numpy as np

from remora.equations.actuators.laws.law import FORCE_OUTPUT
from remora.equations.actuators.laws.table import law_with
from remora.files.arrays import Array
from remora.kernels.loops import BODY_SIZE
from remora.logs.schema import Channel, Field, Level, channel_name, field_name
from remora.logs.writer import LogMark, LogWriter
from remora.messages.estimate import Estimate
from remora.messages.part import Lifecycle, Role
from remora.messages.reading import Reading
from remora.sensors.sensor import Sensor
from remora.simulation.log_fields import (
    AXES,
    LINK,
    MOTION_SIGMA,
    POSE,
    POWER,
    READING,
    SIGMA,
    TETHER,
    VALID,
    WATER,
    WRENCH,
    flag_fields,
    flag_row,
)
from remora.simulation.monitoring.command_limits import input_limits
from remora.simulation.run_description import run_header
from remora.simulation.setup import ScheduledPart, Setup, VehicleSetup
from remora.vehicles.checks.thruster_flags import thruster_flags

if TYPE_CHECKING:
    from remora.simulation.loop.vehicle_run import VehicleRun

NODES_NS = 500_000_000  # shortest time between two rows of tether nodes
BLOCK = 256  # rows of a channel that are written together
MOST_NODES = 100  # of one tether in the log


def stacked(rows: list[Array]) -> Array:
    """Rows of one length as a table, as `np.array` and quicker."""
    return np.concatenate(rows).reshape(len(rows), -1)


class SampledChannel(NamedTuple):
    """A channel with a row per sample of a vehicle."""

    channel: Channel
    take: Callable[["VehicleRun"], Any]  # value of one sample; a run replaces its arrays and never writes into them
    rows: Callable[[list[Any]], Array] | None = None  # its rows from several values; None: a value is a row of numbers
    period_ns: int = 0  # shortest time between two rows; zero for every sample


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
    found = [SampledChannel(truth, lambda run: run.motion.state, lambda states: stacked(states)[:, :BODY_SIZE])]
    found += _actuator_channels(vehicle, named)
    roles = {part.role for part in vehicle.parts}
    if Role.NAVIGATION in roles:
        sigma = sigma_fields(vehicle)
        fields = tuple(field._replace(optional=True) for field in (*POSE, *sigma))
        take = lambda run: estimate_row(run.estimate, len(sigma))  # noqa: E731
        found.append(SampledChannel(named("estimate", (*fields, VALID)), take))
    if Role.CONTROL in roles and Role.ALLOCATION in roles:
        found.append(SampledChannel(named("wrench", WRENCH, "what all controllers ask for"), lambda run: run.wrench))
    if vehicle.battery is not None:
        found.append(SampledChannel(named("power", POWER), lambda run: run.actuators.power))
    if setup.environment.steady_current is None:
        water = named("water", WATER, "velocity of the water around the body")
        found.append(SampledChannel(water, lambda run: run.motion.water_velocity))
    for i, tether in enumerate(vehicle.tethers):
        found += _tether_channels(i, tether.name, tether.start, named)
    found += _link_channels(setup, vehicle.name)
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
    asked = tuple(Field(field_name(name), "1") for name in names)
    unit, fins = "N" if law_with(parameters.thrust_law).output == FORCE_OUTPUT else "rad/s", set(parameters.fin_names)
    given = tuple(Field(field_name(name), "rad" if name in fins else unit) for name in names)
    limits, last = input_limits(vehicle).T, BODY_SIZE + len(names)
    inputs = [SampledChannel(named("inputs", asked, "of the drives"), lambda run: run.actuators.inputs, stacked)]
    limited = named("limited", asked, "what reaches the actuators within their limits")
    return [
        SampledChannel(named("commands", asked, "as asked"), lambda run: run.actuators.commands, stacked),
        *(inputs if vehicle.drive is not None and not vehicle.drive.is_direct else []),
        SampledChannel(limited, lambda run: run.actuators.inputs, lambda taken: np.clip(stacked(taken), *limits)),
        SampledChannel(
            named("outputs", given, "of actuators"),
            lambda run: run.motion.state,
            lambda states: stacked(states)[:, BODY_SIZE:last],
        ),
    ]


def _link_channels(setup: Setup, vehicle: str) -> list[SampledChannel]:
    """Reaction wrench and gap of each link whose second body is this vehicle."""
    return [
        SampledChannel(Channel(channel_name(one.name), LINK, f"{one.link.kind} link"), partial(_link_row, one.name))
        for one in setup.links
        if one.link.second == vehicle
    ]


def _link_row(name: str, run: "VehicleRun") -> tuple[float, ...]:
    assert run.motion.links is not None
    return run.motion.links.link_row(name)


def _tether_channels(index: int, name: str, start: Any, named: Callable[..., Channel]) -> list[SampledChannel]:
    """Pulls and length of a tether, and the positions of its nodes where its model has some."""
    forces = named(name, TETHER, "a tether: pulls on its ends, length")
    found = [SampledChannel(forces, partial(_tether_row, index))]
    positions = getattr(start, "positions", None)
    if positions is not None:
        nodes = np.unique(np.linspace(0, len(positions) - 1, MOST_NODES).round().astype(int)).tolist()
        fields = tuple(Field(f"node_{node}_{axis}", "m", "N") for node in nodes for axis in AXES)
        channel = named(f"{name}_nodes", fields, "positions along a tether, from the vehicle to its far end")
        found.append(SampledChannel(channel, partial(_node_row, index, nodes), period_ns=NODES_NS))
    return found


def _tether_row(index: int, run: "VehicleRun") -> tuple[float, ...]:
    """Forces of a tether over the last step, and its length."""
    load = run.external_loads.tethers[index]
    return (*load.pull.vehicle, *load.pull.far, load.state.length)


def _node_row(index: int, nodes: list[int], run: "VehicleRun") -> Array:
    """Positions of some nodes of a tether in N."""
    positions: Array = run.external_loads.tethers[index].state.positions
    return positions[nodes].ravel()


def sigma_fields(vehicle: VehicleSetup) -> tuple[Field, ...]:
    """Fields of the standard deviations that the navigation of a vehicle gives: of position, and of motion."""
    navigation = next((part.part for part in vehicle.parts if part.role == Role.NAVIGATION), None)
    if not getattr(navigation, "gives_sigma", False):
        return ()
    return (*SIGMA, *MOTION_SIGMA) if getattr(navigation, "gives_motion_sigma", False) else SIGMA


def estimate_row(estimate: Estimate | None, sigmas: int) -> tuple[float, ...]:
    """An estimate as a row with this many standard deviations; an incomplete one is logged as invalid."""
    if estimate is None or not estimate.is_complete:
        return (*(math.nan,) * (13 + sigmas), 0.0)
    sigma = (*estimate.sigma_p_N, *estimate.sigma_v_B, *estimate.sigma_turn_B)[:sigmas]
    return (*estimate.p_NB, *estimate.q_NB, *estimate.twist, *sigma, 1.0)


@final
class RowBuffer:
    """Rows of a channel that are not written yet, as plain numbers: objects would keep the garbage collector busy."""

    __slots__ = ("_channel", "_numbers", "_times", "_width", "_writer")

    def __init__(self, writer: LogWriter, channel: Channel) -> None:
        self._writer, self._channel, self._width = writer, channel.name, len(channel.fields)
        self._times: list[int] = []
        self._numbers = array("d")

    def add_reading(self, time_ns: int, reading: Reading) -> None:
        """Take a reading: values, status, latency in s."""
        late = (reading.arrival_ns - reading.stamp_ns) * 1e-9
        self.add_row(time_ns, (*reading.values, reading.status, late))

    def add_row(self, time_ns: int, row: Sequence[float]) -> None:
        """Take a row, and write a block where it is full."""
        if len(row) != self._width:
            raise ValueError(f"a row of {self._channel} has {len(row)} numbers, not {self._width}")
        self._numbers.extend(row)
        self._times.append(time_ns)
        if len(self._times) >= BLOCK:
            self.flush()

    def add_table(self, times_ns: Sequence[int], table: Array) -> None:
        """Take several rows, and write each block that is full."""
        self._times += times_ns
        self._numbers.frombytes(table.tobytes())
        while len(self._times) >= BLOCK:
            self.flush()

    def flush(self) -> None:
        """Write at most a block of rows."""
        count = min(len(self._times), BLOCK)
        if count:
            table = np.array(self._numbers[: count * self._width]).reshape(count, self._width)
            self._writer.write_rows(self._channel, np.array(self._times[:count], dtype=np.int64), table)
            del self._numbers[: count * self._width], self._times[:count]


@final
class SampleGroup:
    """Sampled channels that follow each other and have rows at the same times."""

    __slots__ = ("_columns", "_period_ns", "_takes", "_times", "_writer")

    def __init__(self, writer: LogWriter, channels: Sequence[SampledChannel]) -> None:
        self._writer = writer
        self._times: list[int] = []
        self._columns: list[tuple[str, Any, Any]] = [
            (one.channel.name, one.rows, array("d") if one.rows is None else []) for one in channels
        ]
        added = [values.extend if rows is None else values.append for _, rows, values in self._columns]
        self._takes = [(add, one.take) for add, one in zip(added, channels, strict=True)]
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
        for channel, rows, values in self._columns:
            table = np.array(values).reshape(len(times), -1) if rows is None else rows(values)
            self._writer.write_rows(channel, times, table)
            del values[:]
        self._times.clear()


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
        self._writer, self._period_ns = writer, log_period(setup)
        self.on_event: Callable[[int, str, Level, str], None] | None = None  # also gets every event, for a live view
        self._readings: dict[str, RowBuffer] = {}
        self._outputs: dict[tuple[str, str], RowBuffer] = {}
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
                    self._outputs[vehicle.name, part.name] = RowBuffer(writer, part_channel(vehicle, part))

    @classmethod
    def open(cls, setup: Setup, log: str | PathLike[str]) -> "Recorder":
        """A recorder with a new log file, replaced if it exists."""
        return cls(setup, LogWriter(log, run_header(setup), run_channels(setup)))

    def reading_log(self, sensor: str) -> Callable[[int, Reading], None]:
        """Function that records a reading of a sensor at the time of its measurement, whatever its stamp."""
        return self._readings[sensor].add_reading

    def reading_block(self, sensor: str, times_ns: Sequence[int], values: Array) -> None:
        """Record valid readings of one sensor without latency.

        Parameters
        ----------
        sensor
            Scoped name.
        times_ns
            Times of the measurements, ns.
        values
            Values, a row each.
        """
        rows = np.zeros((len(values), values.shape[1] + 2))  # status OK and no latency
        rows[:, :-2] = values
        self._readings[sensor].add_table(times_ns, rows)

    def output(self, vehicle: str, scheduled: ScheduledPart, time_ns: int, value: Any) -> None:
        """Record the output of a part that has log fields."""
        self._outputs[vehicle, scheduled.name].add_row(time_ns, scheduled.part.row(value))

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
        for buffer in (*self._readings.values(), *self._outputs.values()):
            buffer.flush()
        for groups in self._samples.values():
            for group in groups:
                group.flush()
