"""The drive stage: what stands between the commands of allocation and what the compiled plant takes.

Commands pass through a stage of the user's own if there is one, through steps, dead band and law of each drive, then
wait for the delay of their actuator. An actuator that has not started holds its output. The state is plain numbers and
carries all changes that are still to come, so a run can be stored and taken up again anywhere.

    state, demand = drive.step(state, time_ns, commands, voltage)
    while time_ns < end_ns:
        inputs = drive.inputs(state, time_ns)
        until = min(drive.due(state, time_ns) or end_ns, end_ns)
        ... run the plant from time_ns to until with these inputs held
        time_ns = until
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias, final

import numpy as np

from remora.equations.actuators.thrusters import saturate
from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.kernels.inputs import numbers
from remora.kernels.pack import PackedVehicle
from remora.kernels.plant import Plant
from remora.sensors.errors.streams import Stream
from remora.simulation.plant.packed_overrides import with_strengths, without_limits
from remora.vehicles.checks.actuation import command_limits, holding_input
from remora.vehicles.drives import (
    DIRECT,
    ThrusterDrive,
    full_voltage,
    input_from_command,
    is_outside_table,
    shapes_commands,
)
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.thrust_table import ThrustTable
from remora.vehicles.vehicle import Vehicle

Values: TypeAlias = tuple[float, ...]


class DriveStage(Protocol):
    """A sampled part of the user's own in front of the drives; its state is plain numbers and tuples."""

    def initial(self) -> Any:
        """The state before the first commands."""

    def step(self, state: Any, time_ns: int, commands: Values) -> tuple[Any, Sequence[float]]:
        """The next state, and the commands that the drives shall take."""


@final
@dataclass(frozen=True)
class DriveOptions:
    """What a run may change about its drives.

    Parameters
    ----------
    saturation
        False takes all limits off the actuators; `Drive.fitted` gives the plant without them.
    starts
        For actuators by name the time in nanoseconds before which they hold their output.
    stage
        A part of the user's own in front.
    """

    saturation: bool = True
    starts: Mapping[str, int] = field(default_factory=dict)
    stage: DriveStage | None = None


class Change(NamedTuple):
    """A change that is still to come."""

    time_ns: int
    actuator: int
    value: float


class DriveState(NamedTuple):
    """Where a drive stands: plain numbers, to be stored, compared and taken up again."""

    stage: Any  # of the user's own part
    applied: Values  # what each actuator is given since the last change
    held: Values  # what an actuator is given that has not started
    pending: tuple[Change, ...]  # in the order of their times


class Demand(NamedTuple):
    """What became of commands, for the log."""

    before_saturation: Values  # in the unit of the plant, before limits and delays
    beyond_table: tuple[str, ...]  # actuators whose pulse width or voltage lies outside their table


@final
@dataclass(frozen=True)
class Drive:
    """The drives of all actuators of one vehicle; `make_drive` builds it."""

    names: tuple[str, ...]  # of the actuators
    parameters: VehicleParameters
    drives: tuple[ThrusterDrive, ...]  # one per actuator
    strengths: Values  # of the thrusters: thrust of this unit over that of the file
    limits: tuple[tuple[float, float], ...]  # lowest and highest input of each actuator
    starts_ns: tuple[int, ...]
    stage: DriveStage | None
    saturation: bool
    voltage: float  # where a step is given none
    shaping: tuple[int, ...] = field(init=False)  # actuators whose commands do not go through as they are
    is_direct: bool = field(init=False)  # all commands go through at once as they are

    def __post_init__(self) -> None:
        shaping = tuple(i for i, drive in enumerate(self.drives) if shapes_commands(drive))
        late = any(self.starts_ns) or any(drive.delay_ns for drive in self.drives)
        object.__setattr__(self, "shaping", shaping)
        object.__setattr__(self, "is_direct", not (self.stage or shaping or late))

    @property
    def drawn(self) -> dict[str, dict[str, float]]:
        """Strength and dead band of the thrusters that differ from the file by chance, by name."""
        found: dict[str, dict[str, float]] = {}
        for name, strength, drive, known in zip(
            self.names, self.strengths, self.drives, self.parameters.drives, strict=False
        ):
            unit = {"strength": strength} if strength != 1.0 else {}
            unit |= {"dead_band": drive.dead_band} if drive.dead_band != known.dead_band else {}
            found |= {name: unit} if unit else {}
        return found

    def fitted(self, packed: PackedVehicle) -> PackedVehicle:
        """The plant that belongs to this drive: with the strengths of its units, and without limits if so chosen."""
        if any(strength != 1.0 for strength in self.strengths):
            packed = with_strengths(packed, self.strengths)
        return packed if self.saturation else without_limits(packed)

    def initial(self, outputs: Sequence[float] | None = None) -> DriveState:
        """The state before the first commands, which keeps the actuators at these outputs, at rest unless given."""
        rest = (0.0,) * len(self.names) if outputs is None else outputs
        given = numbers("outputs", rest, (len(self.names),)).tolist()
        held = tuple(holding_input(self.parameters, i, output) for i, output in enumerate(given))
        return DriveState(self.stage.initial() if self.stage else None, held, held, ())

    def step(
        self, state: DriveState, time_ns: int, commands: Sequence[float] | Array, voltage: float | None = None
    ) -> tuple[DriveState, Demand]:
        """Take new commands: the next state, and what becomes of them.

        Parameters
        ----------
        state
            The state before.
        time_ns
            Now; never before the time of an earlier step.
        commands
            One per actuator, in the units that their drives take.
        voltage
            At the thrusters, for tables; that of the full battery unless given.

        Raises
        ------
        ValueError
            When the number of commands is wrong or one of them is not finite.
        """
        given = _values("commands", commands, len(self.names))
        if self.is_direct:
            return DriveState(None, given, state.held, ()), Demand(given, ())
        memory = state.stage
        if self.stage is not None:
            memory, own = self.stage.step(memory, time_ns, given)
            given = _values("commands of the stage", own, len(self.names))
        at = self.voltage if voltage is None else voltage
        inputs = list(given)
        for i in self.shaping:
            inputs[i] = input_from_command(self.drives[i], given[i], at)
        demand = Demand(
            tuple(inputs),
            tuple(self.names[i] for i in self.shaping if is_outside_table(self.drives[i], given[i], at)),
        )
        return self._scheduled(state, memory, time_ns, demand.before_saturation), demand

    def _scheduled(self, state: DriveState, memory: Any, time_ns: int, inputs: Values) -> DriveState:
        """The state with changes that have come by now applied, and those put down that these inputs will bring."""
        applied = list(_applied(state, time_ns))
        pending = [change for change in state.pending if change.time_ns > time_ns]
        last = list(applied)  # what each actuator will have been given in the end
        for change in pending:
            last[change.actuator] = change.value
        for i, value in enumerate(inputs):
            if self.drives[i].delay_ns == 0:
                applied[i] = value
            elif value != last[i]:
                pending.append(Change(time_ns + self.drives[i].delay_ns, i, value))
        return DriveState(memory, tuple(applied), state.held, tuple(sorted(pending, key=_when)))

    def due(self, state: DriveState, time_ns: int) -> int | None:
        """The next time after now at which some actuator is given something else; None when there is none."""
        if self.is_direct:
            return None
        times = [change.time_ns for change in state.pending if change.time_ns > time_ns]
        times += [start for start in self.starts_ns if start > time_ns]
        return min(times, default=None)

    def inputs(self, state: DriveState, time_ns: int) -> Array:
        """What the plant takes from now until the next due time, before its own limits."""
        if self.is_direct:
            return np.array(state.applied, dtype=float)
        started = zip(_applied(state, time_ns), state.held, self.starts_ns, strict=True)
        return np.array([value if time_ns >= start else held for value, held, start in started], dtype=float)

    def after_saturation(self, inputs: Sequence[float]) -> Values:
        """What the limits of the actuators leave of inputs, for the log."""
        return tuple(saturate(value, *ends) for value, ends in zip(inputs, self.limits, strict=True))


def _values(name: str, values: Sequence[float] | Array, count: int) -> Values:
    """Finite numbers as a tuple, or an error that says what was found; quick, because it is asked at every step."""
    plain = tuple(values.tolist() if isinstance(values, np.ndarray) else values)
    if len(plain) == count and math.isfinite(sum(plain)):
        return plain
    return tuple(numbers(name, values, (count,)).tolist())


def _when(change: Change) -> int:
    return change.time_ns


def _applied(state: DriveState, time_ns: int) -> Values:
    """What each actuator has been given by a time, whether it has started or not."""
    if not state.pending or state.pending[0].time_ns > time_ns:
        return state.applied
    values = list(state.applied)
    for change in state.pending:
        if change.time_ns <= time_ns:
            values[change.actuator] = change.value
    return tuple(values)


def make_drive(vehicle: Vehicle, seed: int, scope: str = "", options: DriveOptions | None = None) -> Drive:
    """The drive stage of a vehicle, with the strengths and dead bands of its thrusters drawn for this run.

    Parameters
    ----------
    vehicle
        The vehicle whose file describes the drives.
    seed
        Of the run. With the scoped name of a thruster it decides how strong this unit is.
    scope
        Name of the vehicle, put before those of its thrusters.
    options
        Limits, start times and a stage of one's own.

    Raises
    ------
    ValueError
        When a start time is negative or names no actuator.
    """
    options = options or DriveOptions()
    names, parameters = Plant(vehicle).actuator_names, vehicle.parameters
    scoped = [f"{scope}/{name}" if scope else name for name in parameters.thruster_names]
    file_drives = parameters.drives or (DIRECT,) * len(parameters.thrusters)
    drives = [_unit(drive, seed, name) for drive, name in zip(file_drives, scoped, strict=True)]
    ends = command_limits(parameters) if options.saturation else np.full((len(names), 2), (-math.inf, math.inf))
    return Drive(
        names=names,
        parameters=parameters,
        drives=(*drives, *(DIRECT,) * (len(names) - len(drives))),
        strengths=tuple(_strength(drive, seed, name) for drive, name in zip(drives, scoped, strict=True)),
        limits=tuple((low, high) for low, high in ends.tolist()),
        starts_ns=_starts(names, options.starts),
        stage=options.stage,
        saturation=options.saturation,
        voltage=_usual_voltage(parameters),
    )


def _unit(drive: ThrusterDrive, seed: int, name: str) -> ThrusterDrive:
    """The drive of one unit, with its dead band drawn; controllers keep that of the file."""
    if drive.dead_band_spread == 0.0:
        return drive
    drawn = drive.dead_band_spread * Stream(seed, name).of("dead_band").uniforms(0, 1)[0]
    return drive._replace(dead_band=drive.dead_band + drawn, dead_band_spread=0.0)


def _strength(drive: ThrusterDrive, seed: int, name: str) -> float:
    """How hard a unit pushes compared to the thruster of the file; it never pushes backwards."""
    stream, (low, high) = Stream(seed, name).of("strength"), drive.scatter_range
    if (low, high) != (0.0, 0.0):
        return 1.0 + low + (high - low) * stream.uniforms(0, 1)[0]
    return 1.0 if drive.scatter == 0.0 else max(0.0, 1.0 + drive.scatter * stream.normals(0, 1)[0])


def _starts(names: tuple[str, ...], given: Mapping[str, int]) -> tuple[int, ...]:
    """The start time of each actuator."""
    for name, start in given.items():
        if name not in names:
            raise ValueError(f'there is no actuator "{name}" that could start. {suggestion(name, names)}')
        if not isinstance(start, int) or start < 0:
            raise ValueError(f'the start of "{name}" is {start!r}: give whole nanoseconds, not below zero')
    return tuple(given.get(name, 0) for name in names)


def _usual_voltage(parameters: VehicleParameters) -> float:
    """The voltage at which tables are read when a step is given none."""
    tables = [drive.law for drive in parameters.drives if isinstance(drive.law, ThrustTable)]
    return full_voltage(tables[0], parameters.supply) if tables else 0.0
