"""Runs packed vehicles through time: the public face of the compiled kernels.

State of a vehicle, one row: position (3, m, in N), quaternion q_NB (4, scalar first), twist (6, m/s and rad/s, body),
the outputs of its actuators, the speeds of its loads, and for a multi-step method what it carries along. Nothing is
ever written into an argument, so a run can be repeated from what went in.
"""

from __future__ import annotations  # so that help() shows ArrayLike and not all that it stands for

import os
from collections.abc import Sequence
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.packed import is_uncommon, outputs_count
from remora.equations.water.local_water import STEADY_SIZE
from remora.files.arrays import Array
from remora.kernels.compilation import abreast_kernel, kernels, kernels_for, uncommon_abreast_kernel
from remora.kernels.entries import Integers, layout_at, prepared_size, work_width
from remora.kernels.failures import (
    BatchError,
    RunError,
    check_locked,
    check_start,
    envelope_fault,
    failure,
    has_bounds,
    refused_starts,
    with_failures,
)
from remora.kernels.inputs import (
    check_interval,
    check_quaternion,
    interval_count,
    numbers,
    sheets,
    water_width,
    writable,
)
from remora.kernels.loops import BODY_SIZE, FINISHED
from remora.kernels.methods import CHAINED_RUNGE_KUTTA, RK4, RUNGE_KUTTA, Method
from remora.kernels.pack import PackedVehicle, resting_outputs
from remora.kernels.simd.batch import ASTRAY, memory_size
from remora.kernels.simd.lanes import WIDTH
from remora.kernels.threads import shares, work_off

ZERO_WRENCH = np.zeros(6)
STILL_WATER = np.zeros(3)
STEADY_SURROUNDINGS = 6 + STEADY_SIZE  # numbers of an external wrench and a steady current
STILL_SURROUNDINGS = np.zeros(9)  # no external wrench, no current


def initial_state(
    packed: PackedVehicle,
    position: ArrayLike = (0.0, 0.0, 0.0),
    quaternion: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    twist: ArrayLike = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    outputs: ArrayLike | None = None,
    method: Method = RK4,
) -> Array:
    """A state to start from; the quaternion is scaled to unit length, actuators are at rest unless outputs are given.

    At rest means zero, and for loads the neutral output at which the numbers of the vehicle hold.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, the quaternion has no length, or a held degree of freedom moves.
    """
    q = numbers("quaternion", quaternion, (4,))
    if not 1e-6 < np.linalg.norm(q) < 1e6:
        raise ValueError(f"quaternion has length {np.linalg.norm(q):.3g}: give a rotation, e.g. (1, 0, 0, 0)")
    moving = numbers("twist", twist, (6,))
    y = resting_outputs(packed) if outputs is None else numbers("outputs", outputs, (packed.actuators,))
    carried = np.zeros(packed.layout.loads + method.history_size)  # loads stand still
    pose = numbers("position", position, (3,)), q / np.linalg.norm(q)
    state = np.concatenate([*pose, moving, y, carried])
    check_locked(packed, state)
    return state


def derivative(
    packed: PackedVehicle,
    state: ArrayLike,
    commands: ArrayLike = (),
    external: ArrayLike = ZERO_WRENCH,
    water: ArrayLike = STILL_WATER,
) -> Array:
    """Rate of a state (body and actuators) under commands, an external wrench and water in N (see `rollout`)."""
    inputs = np.concatenate([
        numbers("external wrench", external, (6,)),
        numbers("commands", commands, (packed.actuators,)),
        around := numbers("water", water, (water_width([water]),)),
    ])  # fmt: skip
    start = numbers("state", state, (BODY_SIZE + packed.carried,))
    result, outputs = np.empty(start.size), np.empty(outputs_count(packed.layout))
    check_quaternion(start)
    if outside := envelope_fault(packed, start, around):
        raise RunError(outside, 0.0)
    rate = kernels_for(packed.layout, around.size).rate
    rate(writable("row", packed.row), _codes(packed), start, inputs, outputs, result)
    if not np.all(np.isfinite(result)):
        raise RunError("the rate is no finite number: speeds or inputs are too large", 0.0)
    return result


@final
class Stepper:
    """Steps one vehicle by one fixed interval per call, as fast as a call from Python can be.

    Parameters
    ----------
    packed
        The vehicle.
    step
        Length of a step in seconds.
    method
        How to step.
    """

    def __init__(self, packed: PackedVehicle, step: float, method: Method = RK4) -> None:
        check_interval(step, 1)
        self.packed, self.step, self.method = packed, float(step), method
        self._size = BODY_SIZE + packed.carried + method.history_size
        sizes = (method.stages, method.nodes)
        self._codes = np.array([*packed.layout, method.rule, *sizes, packed.row.size, self._size], dtype=np.int64)
        self._prepared = np.zeros(prepared_size(packed.layout, packed.row.size, *sizes))
        known = np.concatenate([packed.row, method.weights.ravel(), _tolerances(method), [self.step]])
        self._prepared[: known.size] = known
        kernels().prepare(self._prepared, self._codes, packed.row.size, *sizes)
        self._kernel = kernels_for(packed.layout).step_once
        self._kernels = {STEADY_SURROUNDINGS: self._kernel}  # by the size of the surroundings, once asked for
        self._has_bounds = has_bounds(packed)

    def __call__(
        self,
        state: Array,
        commands: Array,
        surroundings: Array = STILL_SURROUNDINGS,
        *,
        external: ArrayLike | None = None,
        water: ArrayLike | None = None,
    ) -> Array:
        """The state one step later.

        Parameters
        ----------
        state
            The state now.
        commands
            Commands of the actuators, held over the step.
        surroundings
            External wrench about B in body axes, then the water in N: its velocity, or the numbers of water that
            varies (see `rollout`).
        external, water
            The same apart, as `rollout` takes them; a row of surroundings that is made once is faster in a loop.

        Raises
        ------
        ValueError
            When an input has the wrong shape or holds a NaN.
        RunError
            When the motion leaves the vehicle's envelope or is no longer a number.
        """
        if water is not None or external is not None:
            surroundings = _surroundings(surroundings, external, water)
        try:
            end = state.copy()
            if self._has_bounds:
                check_start(self.packed, end, surroundings[6:])
            kernel = self._kernel if surroundings.size == STEADY_SURROUNDINGS else self._kernel_for(surroundings.size)
            if kernel(self._prepared, self._codes, end, commands, surroundings) == FINISHED:
                return end
        except (AttributeError, TypeError):  # not contiguous rows of floats, which is what the compiled code takes
            pass
        return self._converted(state, commands, surroundings)

    def _converted(self, state: ArrayLike, commands: ArrayLike, surroundings: ArrayLike) -> Array:
        """The same for anything that can be made an array, and the errors for what cannot."""
        end = numbers("state", state, (self._size,)).copy()
        check_quaternion(end)
        held = numbers("commands", commands, (self.packed.actuators,)).copy()
        width = water_width([np.ravel(surroundings)[6:]])
        size = 6 + width
        around = numbers("surroundings", surroundings, (size,)).copy()
        if self._kernel_for(size)(self._prepared, self._codes, end, held, around) != FINISHED:
            raise failure(self.packed, end, around[6:], self.step, 0)
        return end

    def _kernel_for(self, surroundings: int) -> Any:
        if surroundings not in self._kernels:
            self._kernels[surroundings] = kernels_for(self.packed.layout, surroundings - 6).step_once
        return self._kernels[surroundings]


def _surroundings(given: Array, external: ArrayLike | None, water: ArrayLike | None) -> Array:
    """One row of a wrench and water that are given apart."""
    if given is not STILL_SURROUNDINGS:
        raise ValueError("surroundings hold an external wrench and the water: give either them, or external and water")
    around = STILL_WATER if water is None else numbers("water", water, (water_width([water]),))
    wrench = ZERO_WRENCH if external is None else numbers("external wrench", external, (6,))
    return np.concatenate([wrench, around])


def rollout(
    packed: PackedVehicle,
    state: ArrayLike,
    commands: ArrayLike,
    interval: float,
    steps: int = 1,
    external: ArrayLike = ZERO_WRENCH,
    water: ArrayLike = STILL_WATER,
    method: Method = RK4,
    intervals: int | None = None,
) -> Array:
    """Run one vehicle through intervals of held inputs; the states at their ends, the start first.

    Parameters
    ----------
    packed
        The vehicle.
    state
        Where it starts, from `initial_state` or from an earlier run.
    commands
        One row for all the run, or one row per interval.
    interval
        Seconds for which inputs are held, and between the rows of the result.
    steps
        Steps of the method in each interval; an adaptive method chooses its own.
    external
        External wrench about B in body axes, one row or one per interval.
    water
        Velocity of the water in N, one row or one per interval. Water that varies has more numbers in a row: velocity
        at the origin of N, slope with depth, rate, and how many seconds before the start of the interval the velocity
        was that (10); or velocity, gradient row after row, rate and those seconds (16), and the z of the surface (17).
        See `remora.equations.water.local_water`.
    method
        How to step through time.
    intervals
        Number of intervals when no input has a row for each.

    Raises
    ------
    ValueError
        When an input has the wrong shape, holds a NaN, or the interval is not positive.
    RunError
        When the motion leaves the vehicle's envelope or is no longer a number.
    """
    size = BODY_SIZE + packed.carried + method.history_size
    start = numbers("state", state, (size,))[None]
    inputs = [[commands], [external], [water]]
    states, failed = _rolled([packed], start, inputs, interval, steps, method, intervals, False, 1, False)
    if failed:
        raise failed[0]
    return np.asarray(states[0])


def batch(
    vehicles: Sequence[PackedVehicle],
    states: ArrayLike,
    commands: Sequence[ArrayLike],
    interval: float,
    steps: int = 1,
    external: Sequence[ArrayLike] = (ZERO_WRENCH,),
    water: Sequence[ArrayLike] = (STILL_WATER,),
    method: Method = RK4,
    intervals: int | None = None,
    only_end: bool = False,
    threads: int | None = None,
) -> Array:
    """Run many vehicles of one kind, each with its own parameters, on all cores: states[vehicle, interval, number].

    Vehicles must have the same numbers of thrusters, fins and so on; their values are their own. Each of the inputs has
    one entry per vehicle, or one for all. With `only_end` the result holds the start and the end of each run.
    The other arguments are those of `rollout`.

    Runge-Kutta methods with fixed steps take several vehicles through the processor side by side. A vehicle comes out
    the same to the last bit in any company and on any number of threads; from `rollout` it may differ by rounding.

    Raises
    ------
    ValueError
        When an input has the wrong shape or holds a NaN; it names the vehicle.
    BatchError
        When vehicles leave their envelope or their motion is no longer a number. All others are run to their end: the
        error holds the states of the whole batch, and the number, time and cause of each failure.
    """
    inputs, abreast = [commands, external, water], method.rule in (RUNGE_KUTTA, CHAINED_RUNGE_KUTTA)
    result, failed = _rolled(vehicles, states, inputs, interval, steps, method, intervals, only_end, threads, abreast)
    if failed:
        raise BatchError(failed, result)
    return result


def _rolled(
    vehicles: Sequence[PackedVehicle],
    states: ArrayLike,
    inputs: Sequence[Sequence[ArrayLike]],
    interval: float,
    steps: int,
    method: Method,
    intervals: int | None,
    only_end: bool,
    threads: int | None,
    abreast: bool,
) -> tuple[Array, list[RunError]]:
    """Run vehicles one by one or side by side: their states, and what stopped those that could not go on."""
    check_interval(interval, steps)
    rows, codes = _rows_of_one_kind(vehicles)
    first = vehicles[0]
    size = BODY_SIZE + first.carried + method.history_size
    starts = numbers("states", states, (len(vehicles), size))
    check_quaternion(starts)
    books = [
        sheets("commands", inputs[0], first.actuators, len(vehicles)),
        sheets("external wrench", inputs[1], 6, len(vehicles)),
        sheets("water", inputs[2], water_width(inputs[2]), len(vehicles)),
    ]
    count = interval_count([book.shape[1] for book in books], intervals)
    result = np.empty((len(vehicles), 2 if only_end else count + 1, size))
    result[:, 0] = starts
    failures = np.empty(len(vehicles), dtype=np.int64)
    waters = [books[2][min(i, len(books[2]) - 1)] for i in range(len(vehicles))]
    failed = refused_starts(vehicles, starts, [water[0] for water in waters])
    _run_on_threads(rows, codes, method, interval, steps, count, books, result, failures, threads, abreast)
    return result, with_failures(failed, vehicles, result, failures, waters, interval)


def _run_on_threads(
    rows: Array,
    codes: Integers,
    method: Method,
    interval: float,
    steps: int,
    count: int,
    books: list[Array],
    result: Array,
    failures: Integers,
    threads: int | None,
    abreast: bool,
) -> None:
    """Share the vehicles out among threads; compiled code runs without the interpreter's lock."""
    layout, actuators, sizes = layout_at(codes), books[0].shape[2], (method.stages, method.nodes)
    water = books[2].shape[2]
    run, uncommon = kernels_for(layout, water).roll_many, is_uncommon(layout) or water > STEADY_SIZE
    run_abreast = (uncommon_abreast_kernel if uncommon else abreast_kernel)() if abreast else None
    how = (method.rule, method.weights, _tolerances(method))
    span = (float(interval), int(steps), count)

    def one_by_one(first: int, last: int) -> None:
        decays = np.empty((actuators, 2, method.nodes))
        work = np.empty((2 * method.nodes + method.stages + 1, work_width(layout)))
        run(rows, codes, *how, *span, *books, first, last, decays, work, result, failures)

    def share(first: int, last: int) -> None:
        if run_abreast is None:
            return one_by_one(first, last)
        memory = np.empty(memory_size(layout, rows.shape[1], *sizes))

        def together(start: int, end: int) -> None:
            run_abreast(rows[:, None], codes, *how, *span, *books, start, end, method.nodes, memory, result, failures)

        together(first, last)
        for i in [i for i in range(first, last) if failures[i] == ASTRAY]:
            together(i, i + 1)  # one without fault comes out as it would in any other company
            if failures[i] == ASTRAY:
                one_by_one(i, i + 1)

    threads = os.cpu_count() or 1 if threads is None else threads
    if threads < 1:
        raise ValueError(f"threads is {threads}: give at least 1, or None for all cores")
    work_off(share, shares(len(rows), WIDTH if abreast else 1, 1 if threads == 1 else 8 * threads), threads)


def _tolerances(method: Method) -> Array:
    return np.array([method.relative_tolerance, method.absolute_tolerance, method.maximum_step])


def _codes(packed: PackedVehicle) -> Integers:
    return np.array(packed.layout, dtype=np.int64)


def _rows_of_one_kind(vehicles: Sequence[PackedVehicle]) -> tuple[Array, Integers]:
    """The packed rows of vehicles that share one layout."""
    if not vehicles:
        raise ValueError("no vehicles: give at least one")
    for i, vehicle in enumerate(vehicles):
        if vehicle.layout != vehicles[0].layout:
            raise ValueError(
                f"vehicle {i} has layout {vehicle.layout}, the first has {vehicles[0].layout}: run them apart"
            )
    return np.stack([vehicle.row for vehicle in vehicles]), _codes(vehicles[0])
