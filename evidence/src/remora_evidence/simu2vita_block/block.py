"""The vehicle block of Gava et al. 2022 (Sensors 22, 3255): actuators, allocation and dynamics with named signals.

It runs the compiled plant and contains no equations. Parameters are frozen, the state is passed:
`initial() -> state`, `step(state, inputs, dt) -> (state, outputs)`.
"""

import itertools
import math
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.actuators.thrusters import saturate
from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.water.current import current_twist
from remora.files.arrays import Array
from remora.plant import rollouts
from remora.plant.inputs import numbers
from remora.plant.methods import ADAPTIVE, RK4, IntegrationMethod
from remora.plant.pack import PackedVehicle, pack
from remora.plant.stepper import Stepper
from remora.run.plant.packed_overrides import (
    MatrixFunction,
    WrenchFunction,
    checked_matrix,
    checked_wrench,
    quaternion_in,
    with_effects,
)
from remora.vehicles.parameters import total_inertia
from remora.vehicles.vehicle import Vehicle
from remora_evidence.simu2vita_block.parameters import (
    ActuatorTab,
    AllocationTab,
    BlockNumbers,
    DynamicsTab,
    checked,
    current_velocity,
    nanoseconds,
    tabs_from_vehicle,
)

MAX_INTERVAL = 600.0  # s; a longer jump of the clock is an error
_CACHE_SIZE = 64
_NEGATED_QUATERNION = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0])


class BlockInputs(NamedTuple):
    """Inputs of the block, held over a step (zero-order hold); None: not connected, the value of the tab is used."""

    u_input: ArrayLike = ()  # n references: N for propellers, rad for fins
    external_forces: ArrayLike | WrenchFunction = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # wrench about B, body axes
    Alloc_matrix: ArrayLike | MatrixFunction | None = None  # 6 x n, used with use_external_matrix
    current_velocity: ArrayLike | None = None  # m/s, 3 or 6
    init_actuator_time: ArrayLike | None = None  # s, n start times
    simulation_time: float | Decimal | None = None  # s, used with use_external_clock


class BlockOutputs(NamedTuple):
    """Outputs of the block at the time of the state."""

    actuator_output: Array  # y, n
    tau_input: Array  # wrench of the actuators
    tau: Array  # with the external wrench
    nu_dot: Array
    nu: Array
    eta_dot: Array  # 7
    eta: Array  # north, east, down, quaternion with its scalar first and not negative
    current_velocity: Array  # 6, in body axes
    vehicle_resultant_forces: Array  # all forces together: total inertia times nu_dot
    before_saturation: Array  # references as given, n
    after_saturation: Array  # references within limits, n


class BlockState(NamedTuple):
    """State of a block: plain numbers that can be stored, compared and restored."""

    time_ns: int  # since the start, or since the first value of the external clock
    base_ns: int | None  # the first value of the external clock
    body_and_actuators: tuple[float, ...]  # position, quaternion, velocity, actuator outputs

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return self.time_ns / 1e9


class _Signals(NamedTuple):
    """Checked inputs of one step, with the values of the tabs where an input is not connected."""

    raw: Array
    limited: Array
    external: Array | WrenchFunction
    matrix: Array | MatrixFunction
    current: Array
    starts_ns: list[int]


@final
class _Steppers:
    """Steppers of the compiled plant for any allocation matrix and step."""

    def __init__(self, packed: PackedVehicle, method: IntegrationMethod) -> None:
        self.packed, self.method = packed, method
        self._steppers: dict[tuple[bytes, float], Stepper] = {}

    def stepper(self, matrix: Array, step: float) -> Stepper:
        """A stepper for a matrix and a step, cached."""
        key = (matrix.tobytes(), step)
        if key not in self._steppers:
            if len(self._steppers) >= _CACHE_SIZE:
                self._steppers.clear()
            self._steppers[key] = Stepper(with_effects(self.packed, matrix), step, self.method)
        return self._steppers[key]


@final
@dataclass(frozen=True, eq=False)
class VehicleBlock:
    """A vehicle with the inputs, outputs and parameters of the block of Gava et al. 2022.

    Parameters
    ----------
    actuators, allocation, dynamics
        The three tabs.
    nonlinear_allocation
        Adds f(outputs, velocity relative to the water, time) to the wrench of the actuators, e.g. for fins.
    current_frame
        ``world``: currents are given in N. ``body``: in body axes, updated at each step.
    before_start
        Actuators before their start time ``hold`` their state, or ``decay`` as with a reference of zero.
    method
        Integration method; `dormand_prince` has variable steps.
    maximum_step
        Longest internal step in seconds.

    Raises
    ------
    BlockError
        Lists all mistakes of the parameters.
    """

    actuators: ActuatorTab
    allocation: AllocationTab
    dynamics: DynamicsTab
    nonlinear_allocation: WrenchFunction | None = None
    current_frame: Literal["world", "body"] = "world"
    before_start: Literal["hold", "decay"] = "hold"
    method: IntegrationMethod = field(default=RK4, repr=False)
    maximum_step: float = 1e-3
    _numbers: BlockNumbers = field(init=False, repr=False)
    _plant: _Steppers = field(init=False, repr=False)
    _inertia: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        has_function = self.nonlinear_allocation is not None
        found = checked(self.actuators, self.allocation, self.dynamics, has_function, self._option_problems())
        method = self.method
        if method.rule == ADAPTIVE:
            method = method._replace(maximum_step=min(method.maximum_step, self.maximum_step))
        object.__setattr__(self, "_numbers", found)
        object.__setattr__(self, "_plant", _Steppers(pack(found.vehicle), method))
        object.__setattr__(self, "_inertia", np.array(total_inertia(found.vehicle)))

    @classmethod
    def from_vehicle(cls, vehicle: Vehicle) -> "VehicleBlock":
        """The block of a vehicle at rest at the origin; modify its tabs with `dataclasses.replace`."""
        return cls(*tabs_from_vehicle(vehicle))

    def initial(self) -> BlockState:
        """Initial state of the tabs, before the first value of an external clock."""
        start = self._numbers
        row = rollouts.initial_state(
            self._plant.packed, start.pose[:3], start.pose[3:], start.velocity, start.initial_states
        )
        return BlockState(0, None, tuple(row.tolist()))

    def step(
        self, state: BlockState, inputs: BlockInputs, dt: float | Decimal | None = None
    ) -> tuple[BlockState, BlockOutputs]:
        """Hold the inputs for dt seconds, or until the time of the external clock; state and outputs at the end.

        The first value of an external clock is its base; a clock that runs backwards is refused. Functions among the
        inputs are evaluated at the middle of each internal step. Raises a ValueError for an input of the wrong shape,
        missing or not finite, and a RunError when the motion is not finite.
        """
        signals = self._signals(inputs)
        end_ns, base_ns = self._end_of_step(state, inputs, dt)
        row = np.array(state.body_and_actuators)
        starts = {start for start in signals.starts_ns if state.time_ns < start < end_ns}
        for begin, end in itertools.pairwise(sorted({state.time_ns, *starts, end_ns})):
            row = self._advanced(row, begin, end, signals)
        state = BlockState(end_ns, base_ns, tuple(row.tolist()))
        return state, self._outputs(row, end_ns, signals)

    def outputs(self, state: BlockState, inputs: BlockInputs) -> BlockOutputs:
        """Outputs in a state under inputs, without advancing time."""
        return self._outputs(np.array(state.body_and_actuators), state.time_ns, self._signals(inputs))

    def _option_problems(self) -> list[str]:
        """Mistakes of the other parameters."""
        problems = []
        for name, value, known in (
            ("current_frame", self.current_frame, ("world", "body")),
            ("before_start", self.before_start, ("hold", "decay")),
        ):
            if value not in known:
                problems.append(f"{name} is {value!r}: give {' or '.join(known)}")
        if not 0.0 < self.maximum_step < math.inf:
            problems.append(f"maximum_step is {self.maximum_step}: give a positive number of seconds")
        if self.method.history_size:
            problems.append(f"method {self.method.name} carries a history, which the block does not: give rk4")
        return problems

    def _signals(self, inputs: BlockInputs) -> _Signals:
        """The inputs, checked."""
        own, count = self._numbers, self.actuators.number
        raw = numbers("u_input", inputs.u_input, (count,))
        limited = raw
        if not self.actuators.disable_saturation:
            limited = np.asarray(saturate(raw, own.lower_limits, own.upper_limits))  # type: ignore[arg-type]
        external: Array | WrenchFunction
        if callable(inputs.external_forces):
            external = inputs.external_forces
        else:
            external = numbers("external_forces", inputs.external_forces, (6,))
        current, starts = own.current, own.starts_ns
        if inputs.current_velocity is not None:
            current = current_velocity("current_velocity", inputs.current_velocity)
        if inputs.init_actuator_time is not None:
            given = numbers("init_actuator_time", np.ravel(inputs.init_actuator_time), (count,)).tolist()
            starts = [nanoseconds("init_actuator_time", start) for start in given]
        return _Signals(raw, limited, external, self._chosen_matrix(inputs), current, starts)

    def _chosen_matrix(self, inputs: BlockInputs) -> Array | MatrixFunction:
        """Allocation matrix, of the tab or external."""
        if not self.allocation.use_external_matrix:
            return self._numbers.matrix
        if inputs.Alloc_matrix is None:
            raise ValueError("Alloc_matrix is not connected, but use_external_matrix is set: give 6 x n numbers")
        if callable(inputs.Alloc_matrix):
            return inputs.Alloc_matrix
        return numbers("Alloc_matrix", inputs.Alloc_matrix, (6, self.actuators.number))

    def _end_of_step(
        self, state: BlockState, inputs: BlockInputs, dt: float | Decimal | None
    ) -> tuple[int, int | None]:
        """The time at the end of a step and the base of the clock, in nanoseconds."""
        base: int | None = None
        if not self.actuators.use_external_clock:
            if dt is None:
                raise ValueError("dt is missing: give seconds, or set use_external_clock and give simulation_time")
            end = state.time_ns + nanoseconds("dt", dt)
            if end == state.time_ns and dt > 0:
                raise ValueError(f"dt is {dt}: time counts in whole nanoseconds, so give 1e-9 or more")
        else:
            if dt is not None or inputs.simulation_time is None:
                raise ValueError("use_external_clock is set: give simulation_time among the inputs, and no dt")
            now = nanoseconds("simulation_time", inputs.simulation_time)
            base = now if state.base_ns is None else state.base_ns
            end = now - base
        progress = (end - state.time_ns) / 1e9
        if progress < 0.0:
            raise ValueError(f"time goes back by {-progress:g} s, from {state.time:g} s: it must not")
        if progress > MAX_INTERVAL:
            raise ValueError(
                f"time jumps by {progress:g} s, from {state.time:g} s: at most {MAX_INTERVAL:g} s are allowed"
            )
        return end, base

    def _advanced(self, row: Array, begin: int, end: int, signals: _Signals) -> Array:
        """State at the end of an interval in which no actuator starts."""
        y = row[BODY_SIZE:]
        waiting = y if self.before_start == "hold" else np.zeros_like(y)
        commands = np.where([begin >= start for start in signals.starts_ns], signals.limited, waiting)
        water = self._water(row, signals)
        interval = (end - begin) / 1e9
        held = not (self.nonlinear_allocation or callable(signals.external) or callable(signals.matrix))
        # An excess of 1e-9 of a step is rounding and needs no further step.
        count = max(1, math.ceil(interval / self.maximum_step - 1e-9))
        if held:
            if self.method.rule == ADAPTIVE:
                count = 1
            matrix, wrench, _ = self._wrenches(row, water, begin / 1e9, signals)
            step = self._plant.stepper(matrix, interval / count)
            environment = np.concatenate([wrench, water])
            for _ in range(count):
                row = step(row, commands, environment)
            return row
        for k in range(count):
            row = self._midpoint(row, commands, water, begin / 1e9 + k * interval / count, interval / count, signals)
        return row

    def _midpoint(
        self, row: Array, commands: Array, water: Array, time: float, step: float, signals: _Signals
    ) -> Array:
        """One step of the midpoint rule: functions are evaluated after half a step."""
        matrix, wrench, _ = self._wrenches(row, water, time, signals)
        middle = self._plant.stepper(matrix, 0.5 * step)(row, commands, np.concatenate([wrench, water]))
        matrix, wrench, _ = self._wrenches(middle, water, time + 0.5 * step, signals)
        return self._plant.stepper(matrix, step)(row, commands, np.concatenate([wrench, water]))

    def _water(self, row: Array, signals: _Signals) -> Array:
        """The velocity of the water in N."""
        if self.current_frame == "world":
            return signals.current
        return np.array(position_rate(quaternion_in(row), tuple(signals.current.tolist())))

    def _wrenches(self, row: Array, water: Array, time: float, signals: _Signals) -> tuple[Array, Array, Array]:
        """Allocation matrix, the wrench in addition to it, and the external part of that wrench."""
        matrix, external, count = signals.matrix, signals.external, self.actuators.number
        if callable(matrix):
            matrix = checked_matrix("Alloc_matrix", matrix, row[BODY_SIZE:])
        if callable(external):
            external = checked_wrench("external_forces", external, row, count, water, time)
        if self.nonlinear_allocation is None:
            return matrix, external, external
        own = checked_wrench("nonlinear_allocation", self.nonlinear_allocation, row, count, water, time)
        return matrix, external + own, external

    def _outputs(self, row: Array, time_ns: int, signals: _Signals) -> BlockOutputs:
        """All outputs in a state."""
        y, water = row[BODY_SIZE:].copy(), self._water(row, signals)
        matrix, wrench, external = self._wrenches(row, water, time_ns / 1e9, signals)
        rate = rollouts.derivative(with_effects(self._plant.packed, matrix), row, signals.limited, wrench, water)
        of_actuators = matrix @ y + (wrench - external)
        # A quaternion and its negative are one attitude; the output has a non-negative scalar.
        sign = _NEGATED_QUATERNION if row[3] < 0.0 else 1.0
        return BlockOutputs(
            actuator_output=y,
            tau_input=of_actuators,
            tau=of_actuators + external,
            nu_dot=rate[7:BODY_SIZE],
            nu=row[7:BODY_SIZE].copy(),
            eta_dot=sign * rate[:7],
            eta=sign * row[:7],
            current_velocity=np.array(current_twist(quaternion_in(row), tuple(water.tolist()))),
            vehicle_resultant_forces=self._inertia @ rate[7:BODY_SIZE],
            before_saturation=signals.raw.copy(),
            after_saturation=signals.limited.copy(),
        )
