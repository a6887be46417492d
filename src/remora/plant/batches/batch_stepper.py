"""`BatchStepper`: many vehicles stepped together, prepared once, for learning environments and Monte Carlo runs."""

from __future__ import annotations  # so that help() shows ArrayLike and not its expansion

from collections.abc import Sequence
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.water.local_water import STEADY_SIZE
from remora.files.arrays import Array
from remora.plant.batches.batch_runner import BatchRunner, uses_lanes
from remora.plant.batches.packed_batch import PackedBatch, packed_batch
from remora.plant.batches.step_length import refused_steps, too_fast
from remora.plant.entries import Integers
from remora.plant.failures import RunError, check_all_locked, failure, refused_starts
from remora.plant.inputs import check_quaternion, numbers, water_width, writable
from remora.plant.loops import FINISHED, RolloutInputs, held_index
from remora.plant.methods import RK4, IntegrationMethod, check_method
from remora.plant.pack import PackedVehicle
from remora.plant.rollouts import initial_state

_NO_WRENCH, _STILL_WATER = np.zeros((1, 1, 6)), np.zeros((1, 1, STEADY_SIZE))


@final
class BatchStepper:
    """Steps many vehicles of one layout by one fixed interval per call and holds their states.

    A vehicle whose motion diverges, leaves its envelope or gets a command that is no finite number fails: it is set in
    the mask `failed`, named by its index in `failures`, its state becomes NaN, and the others go on. It stays so until
    `reset`. Results are bit-identical to `batch` with one row of commands per interval, for any number of threads.

    Parameters
    ----------
    vehicles
        Packed vehicles of one layout, each with its own parameters: a list, or the batch of `Plant.variations`.
    states
        Initial state of each vehicle [vehicle, number], or one for all.
    interval
        Seconds of one call, over which inputs are held.
    steps
        Steps of the method in a call; an adaptive method chooses its own.
    method
        Integration method.
    threads
        Number of threads; None for all cores.

    Raises
    ------
    ValueError
        When a vehicle, a state, the interval or another argument is not valid.
    RunError
        When the step is too long for the method.
    """

    def __init__(
        self,
        vehicles: Sequence[PackedVehicle] | PackedBatch,
        states: ArrayLike,
        interval: float,
        steps: int = 1,
        method: IntegrationMethod = RK4,
        threads: int | None = None,
    ) -> None:
        check_method(method)
        self.vehicles = packed_batch(vehicles)
        if refused := refused_steps(self.vehicles, interval, steps, method):
            raise refused[0]
        self._runner = BatchRunner(self.vehicles, interval, steps, method, threads, uses_lanes(method))
        count = len(self.vehicles)
        self._size = BODY_SIZE + self.vehicles.actuator_states + method.history_size
        self._initial = self._checked_states(states, np.arange(count))
        self._states = self._initial[:, None].copy()  # [vehicle, 1, number]: the kernels step it in place
        self._commands = np.zeros((count, 1, self.vehicles.actuators))
        self._intervals: Integers = np.full(count, FINISHED, dtype=np.int64)
        self._failed = np.zeros(count, dtype=bool)
        self._failures: dict[int, RunError] = {}
        # Failed vehicles rest in this state while the others run: a NaN would stop the vehicles in its SIMD lanes.
        self._parked = initial_state(self.vehicles[0], method=method)

    def __len__(self) -> int:
        return len(self.vehicles)

    @property
    def states(self) -> Array:
        """States now [vehicle, number]: a read-only view that changes with the next call; NaN for failed vehicles."""
        return _read_only(self._states[:, 0])

    @property
    def positions(self) -> Array:
        """Position of each vehicle in N, m: a view of `states`."""
        return self.states[:, :3]

    @property
    def quaternions(self) -> Array:
        """q_NB of each vehicle, scalar first: a view of `states`."""
        return self.states[:, 3:7]

    @property
    def twists(self) -> Array:
        """Linear and angular velocity of each vehicle in body axes, m/s and rad/s: a view of `states`."""
        return self.states[:, 7:BODY_SIZE]

    @property
    def outputs(self) -> Array:
        """Outputs of the actuators of each vehicle: a view of `states`."""
        return self.states[:, BODY_SIZE : BODY_SIZE + self.vehicles.actuators]

    @property
    def failed(self) -> NDArray[np.bool_]:
        """Mask of the vehicles that failed and were not reset: a read-only view that changes with the next call."""
        return _read_only(self._failed)

    @property
    def failures(self) -> tuple[RunError, ...]:
        """Error of each failed vehicle, in the order of vehicles: index, cause, time since the start of the call."""
        return tuple(self._failures[i] for i in sorted(self._failures))

    def __call__(self, commands: ArrayLike, external: ArrayLike | None = None, water: ArrayLike | None = None) -> Array:
        """Step all vehicles by one interval; their states, as `states`.

        Parameters
        ----------
        commands
            Commands of each vehicle [vehicle, actuator], or one row for all. Those of failed vehicles are ignored.
        external
            External wrench about B in body axes, N and N m: [vehicle, 6], or one row for all; None for no wrench.
        water
            Velocity of the water in N, m/s, or the numbers of varying water (see `rollout`): one row per vehicle, or
            one for all; None for still water.

        Raises
        ------
        ValueError
            When an input has the wrong shape, or a row for all vehicles holds a NaN.
        """
        sheets = self._inputs(commands, external, water)
        parked = np.flatnonzero(self._failed)
        self._states[parked] = self._parked
        known = refused_starts(self.vehicles, self._states[:, 0], sheets.waters[:, 0])
        self._runner.run(1, sheets, self._states, self._intervals)
        self._states[parked] = np.nan
        for error in known:
            self._fail(error)
        for i in np.flatnonzero((self._intervals != FINISHED) & ~self._failed).tolist():
            water_there = sheets.waters[held_index(sheets.waters, i), 0]
            self._fail(failure(self.vehicles[i], self._states[i, 0], water_there, self._runner.interval, i))
        runner = self._runner
        for error in too_fast(self.vehicles, runner.interval, runner.steps, runner.method, self._states, sheets.waters):
            self._fail(error)
        return self.states

    def reset(self, which: ArrayLike, states: ArrayLike | None = None) -> None:
        """Put some vehicles into new states; failed ones among them take part again.

        Parameters
        ----------
        which
            Index or indices of the vehicles, or a mask [vehicle].
        states
            New states [chosen vehicle, number], or one for all of them; None for the initial states.

        Raises
        ------
        ValueError
            When there is no such vehicle, one is named twice, or a state is not valid.
        """
        chosen = self._indices(which)
        self._states[chosen, 0] = self._initial[chosen] if states is None else self._checked_states(states, chosen)
        self._failed[chosen] = False
        for i in chosen.tolist():
            self._failures.pop(i, None)

    def _fail(self, error: RunError) -> None:
        """Record the failure of a vehicle; the first cause is kept."""
        i = error.vehicle
        self._failures.setdefault(i, error)
        self._failed[i], self._states[i] = True, np.nan

    def _inputs(self, commands: ArrayLike, external: ArrayLike | None, water: ArrayLike | None) -> RolloutInputs:
        """The inputs as sheets without a NaN; vehicles that own one fail."""
        width = STEADY_SIZE if water is None else water_width([water])
        self._commands[:, 0] = self._rows("commands", commands, self.vehicles.actuators)
        given = {
            "commands": self._commands,
            "external wrench": _NO_WRENCH if external is None else self._own_rows("external wrench", external, 6),
            "water": _STILL_WATER if water is None else self._own_rows("water", water, width),
        }
        for name, sheet in given.items():
            self._fail_at_nan(name, sheet)
        return RolloutInputs(*given.values())

    def _rows(self, name: str, values: ArrayLike, width: int) -> Array:
        """Rows of one input [vehicle, number], or one row for all without a NaN."""
        array = writable(name, values)
        if array.ndim == 1:
            return numbers(name, array, (width,))
        if array.shape != (len(self), width):
            raise ValueError(
                f"{name} has shape {array.shape}: give {(len(self), width)}, or {(width,)} for all vehicles"
            )
        return array

    def _own_rows(self, name: str, values: ArrayLike, width: int) -> Array:
        """A sheet of one input [vehicle or one for all, 1, number] that may be written to."""
        return np.atleast_2d(self._rows(name, values, width))[:, None].copy()

    def _fail_at_nan(self, name: str, sheet: Array) -> None:
        """Fail the vehicles whose row holds a number that is not finite, and give them zeros."""
        finite = np.isfinite(sheet)
        if finite.all():
            return
        for i, _, k in np.argwhere(~finite).tolist():
            if not self._failed[i]:
                self._fail(RunError(f"{name}[{i}, {k}] is {sheet[i, 0, k]}", 0.0, i))
        sheet[~finite] = 0.0

    def _indices(self, which: ArrayLike) -> Integers:
        """Indices of the chosen vehicles."""
        array, count = np.asarray(which), len(self)
        if array.dtype == bool:
            if array.shape != (count,):
                raise ValueError(f"the mask has shape {array.shape}: give {(count,)}")
            return np.flatnonzero(array)
        chosen = np.atleast_1d(array)
        if chosen.size == 0:
            return np.zeros(0, dtype=np.int64)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
            raise ValueError(f"vehicles to reset are {which!r}: give indices, or a mask of {count} truth values")
        if chosen.min() < 0 or chosen.max() >= count:
            wrong = chosen[(chosen < 0) | (chosen >= count)][0]
            raise ValueError(f"there is no vehicle {wrong}: give indices from 0 to {count - 1}")
        if len(np.unique(chosen)) < len(chosen):
            raise ValueError("a vehicle to reset is named twice: give each index once")
        return chosen.astype(np.int64)

    def _checked_states(self, states: ArrayLike, chosen: Integers) -> Array:
        """States of the chosen vehicles [chosen vehicle, number], a copy."""
        array, count = writable("states", states), len(chosen)
        shape = (self._size,) if array.ndim == 1 else (count, self._size)
        checked = np.broadcast_to(numbers("states", array, shape), (count, self._size)).copy()
        check_quaternion(checked)
        check_all_locked(self.vehicles, checked, chosen)
        return checked


def _read_only(array: Any) -> Any:
    view = array[...]
    view.flags.writeable = False
    return view
