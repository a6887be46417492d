"""Drive model of a vehicle: actuator inputs from commands (user-defined stage, quantisation, dead band, law, delay).

The drive model sits between allocation and plant. An actuator that has not started holds its output. Inputs are held
between changes (zero-order hold). The state is plain data with all pending inputs, so that a run can be checkpointed.

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
from remora.plant.inputs import numbers
from remora.plant.pack import PackedVehicle
from remora.plant.plant import Plant
from remora.run.plant.packed_overrides import with_thrust_factors, without_limits
from remora.sensors.errors.streams import Stream
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
    """A user-defined sampled stage before the drives; its state is made of numbers and tuples."""

    def initial(self) -> Any:
        """The state before the first commands."""

    def step(self, state: Any, time_ns: int, commands: Values) -> tuple[Any, Sequence[float]]:
        """The next state, and the commands for the drives."""


@final
@dataclass(frozen=True)
class DriveOptions:
    """Options of the drive model of a run."""

    saturation: bool = True  # False removes all actuator limits; `Drive.apply_to` gives the plant without them
    starts: Mapping[str, int] = field(default_factory=dict)  # ns, by actuator name; outputs are held before
    stage: DriveStage | None = None  # user-defined stage before the drives


class PendingInput(NamedTuple):
    """A delayed input of one actuator."""

    time_ns: int
    actuator: int
    value: float


class DriveState(NamedTuple):
    """State of the drive model, as plain data."""

    stage: Any  # state of the user-defined stage
    applied: Values  # present input of each actuator
    held: Values  # input of an actuator that has not started
    pending: tuple[PendingInput, ...]  # sorted by time


class DriveDemand(NamedTuple):
    """Inputs that result from commands, for the log."""

    before_saturation: Values  # plant inputs before limits and delays
    outside_table: tuple[str, ...]  # actuators whose pulse width or voltage is outside their table


@final
@dataclass(frozen=True)
class Drive:
    """Drive model of all actuators of one vehicle; `make_drive` builds it."""

    names: tuple[str, ...]  # of the actuators
    parameters: VehicleParameters
    drives: tuple[ThrusterDrive, ...]  # one per actuator
    thrust_factors: Values  # thrust of each thruster unit relative to the file
    limits: tuple[tuple[float, float], ...]  # lowest and highest input of each actuator
    starts_ns: tuple[int, ...]
    stage: DriveStage | None
    saturation: bool
    voltage: float  # V, default of `step`
    shaping: tuple[int, ...] = field(init=False)  # actuators whose commands are changed
    tabulated: tuple[int, ...] = field(init=False)  # those among them with a thrust table
    is_late: bool = field(init=False)  # whether an actuator has a delay
    is_direct: bool = field(init=False)  # all commands pass unchanged and without delay

    def __post_init__(self) -> None:
        shaping = tuple(i for i, drive in enumerate(self.drives) if shapes_commands(drive))
        is_late = any(drive.delay_ns for drive in self.drives)
        object.__setattr__(self, "shaping", shaping)
        object.__setattr__(self, "tabulated", tuple(i for i in shaping if isinstance(self.drives[i].law, ThrustTable)))
        object.__setattr__(self, "is_late", is_late)
        object.__setattr__(self, "is_direct", not (self.stage or shaping or is_late or any(self.starts_ns)))

    @property
    def drawn(self) -> dict[str, dict[str, float]]:
        """Randomly drawn thrust factor and dead band by thruster name, where they differ from the file."""
        found: dict[str, dict[str, float]] = {}
        for name, factor, drive, known in zip(
            self.names, self.thrust_factors, self.drives, self.parameters.drives, strict=False
        ):
            unit = {"strength": factor} if factor != 1.0 else {}
            unit |= {"dead_band": drive.dead_band} if drive.dead_band != known.dead_band else {}
            found |= {name: unit} if unit else {}
        return found

    def apply_to(self, packed: PackedVehicle) -> PackedVehicle:
        """The packed vehicle with the thrust factors of this run, and without limits unless `saturation`."""
        if any(factor != 1.0 for factor in self.thrust_factors):
            packed = with_thrust_factors(packed, self.thrust_factors)
        return packed if self.saturation else without_limits(packed)

    def initial(self, outputs: Sequence[float] | None = None) -> DriveState:
        """The state before the first commands, which holds the given outputs; at rest by default."""
        rest = (0.0,) * len(self.names) if outputs is None else outputs
        given = numbers("outputs", rest, (len(self.names),)).tolist()
        held = tuple(holding_input(self.parameters, i, output) for i, output in enumerate(given))
        return DriveState(self.stage.initial() if self.stage else None, held, held, ())

    def step(
        self, state: DriveState, time_ns: int, commands: Sequence[float] | Array, voltage: float | None = None
    ) -> tuple[DriveState, DriveDemand]:
        """Process new commands in the units of the drives: the next state and the resulting demand.

        Time never decreases. The voltage at the thrusters, V, for thrust tables, is that of the full battery by
        default. Raises a ValueError when the number of commands is wrong or one of them is not finite.
        """
        given = _values("commands", commands, len(self.names))
        if self.is_direct:
            return DriveState(None, given, state.held, ()), DriveDemand(given, ())
        stage_state = state.stage
        if self.stage is not None:
            stage_state, own = self.stage.step(stage_state, time_ns, given)
            given = _values("commands of the stage", own, len(self.names))
        at = self.voltage if voltage is None else voltage
        inputs = list(given)
        for i in self.shaping:
            inputs[i] = input_from_command(self.drives[i], given[i], at)
        outside = [self.names[i] for i in self.tabulated if is_outside_table(self.drives[i], given[i], at)]
        demand = DriveDemand(tuple(inputs), tuple(outside))
        return self._scheduled(state, stage_state, time_ns, demand.before_saturation), demand

    def _scheduled(self, state: DriveState, stage_state: Any, time_ns: int, inputs: Values) -> DriveState:
        """The state with due inputs applied and delayed inputs queued."""
        if not self.is_late and not state.pending:
            return DriveState(stage_state, inputs, state.held, ())
        applied = list(_applied(state, time_ns))
        pending = [change for change in state.pending if change.time_ns > time_ns]
        last = list(applied)  # final input of each actuator after all pending changes
        for change in pending:
            last[change.actuator] = change.value
        for i, value in enumerate(inputs):
            if self.drives[i].delay_ns == 0:
                applied[i] = value
            elif value != last[i]:
                pending.append(PendingInput(time_ns + self.drives[i].delay_ns, i, value))
        pending.sort(key=lambda change: change.time_ns)
        return DriveState(stage_state, tuple(applied), state.held, tuple(pending))

    def due(self, state: DriveState, time_ns: int) -> int | None:
        """Next time at which an input changes, ns; None without one."""
        if self.is_direct:
            return None
        times = [change.time_ns for change in state.pending if change.time_ns > time_ns]
        times += [start for start in self.starts_ns if start > time_ns]
        return min(times, default=None)

    def inputs(self, state: DriveState, time_ns: int) -> Array:
        """Plant inputs from now until the next due time, before saturation."""
        if self.is_direct:
            return np.array(state.applied, dtype=float)
        started = zip(_applied(state, time_ns), state.held, self.starts_ns, strict=True)
        return np.array([value if time_ns >= start else held for value, held, start in started], dtype=float)

    def after_saturation(self, inputs: Sequence[float]) -> Values:
        """Saturated inputs, for the log."""
        return tuple(saturate(value, *ends) for value, ends in zip(inputs, self.limits, strict=True))


def _values(name: str, values: Sequence[float] | Array, count: int) -> Values:
    """Finite numbers as a tuple, or an error; called at every step, hence the fast path."""
    plain = tuple(values.tolist() if isinstance(values, np.ndarray) else values)
    if len(plain) == count and math.isfinite(sum(plain)):
        return plain
    return tuple(numbers(name, values, (count,)).tolist())


def _applied(state: DriveState, time_ns: int) -> Values:
    """Input of each actuator at a time, regardless of its start."""
    if not state.pending or state.pending[0].time_ns > time_ns:
        return state.applied
    values = list(state.applied)
    for change in state.pending:
        if change.time_ns <= time_ns:
            values[change.actuator] = change.value
    return tuple(values)


def make_drive(vehicle: Vehicle, seed: int, scope: str = "", options: DriveOptions | None = None) -> Drive:
    """The drive model of a vehicle, with thrust factors and dead bands of its thrusters drawn for a run.

    Seed and thruster names, with the name of the vehicle (`scope`) as prefix, determine the random draws. Raises a
    ValueError for a start time that is negative or names no actuator.
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
        thrust_factors=tuple(_thrust_factor(drive, seed, name) for drive, name in zip(drives, scoped, strict=True)),
        limits=tuple((low, high) for low, high in ends.tolist()),
        starts_ns=_starts(names, options.starts),
        stage=options.stage,
        saturation=options.saturation,
        voltage=_usual_voltage(parameters),
    )


def _unit(drive: ThrusterDrive, seed: int, name: str) -> ThrusterDrive:
    """The drive of one unit with a drawn dead band; controllers use that of the file."""
    if drive.dead_band_spread == 0.0:
        return drive
    drawn = drive.dead_band_spread * Stream(seed, name).of("dead_band").uniforms(0, 1)[0]
    return drive._replace(dead_band=drive.dead_band + drawn, dead_band_spread=0.0)


def _thrust_factor(drive: ThrusterDrive, seed: int, name: str) -> float:
    """Thrust of a unit relative to the file, never negative."""
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
    """Default voltage of thrust tables, V."""
    tables = [drive.law for drive in parameters.drives if isinstance(drive.law, ThrustTable)]
    return full_voltage(tables[0], parameters.supply) if tables else 0.0
