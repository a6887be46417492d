"""Initial states, rates, steps, rollouts and batches of packed vehicles: the public functions of the compiled kernels.

State of a vehicle, one row: position (3, m, in N), quaternion q_NB (4, scalar first), twist (6, m/s and rad/s, body),
the outputs of its actuators, the speeds of its moving masses, and the history of a multi-step method. Arguments are
never modified, so a run can be repeated from its inputs.
"""

from __future__ import annotations  # so that help() shows ArrayLike and not its expansion

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.packed import is_general, outputs_count
from remora.equations.water.local_water import STEADY_SIZE
from remora.files.arrays import Array
from remora.kernels.compilation import batch_kernel, general_batch_kernel, kernels_for
from remora.kernels.entries import Integers, layout_at, work_width
from remora.kernels.failures import (
    BatchError,
    RunError,
    check_locked,
    envelope_fault,
    refused_starts,
    with_failures,
)
from remora.kernels.forms.user_forms import codes_of
from remora.kernels.inputs import (
    STILL_WATER,
    ZERO_WRENCH,
    check_interval,
    check_quaternion,
    interval_count,
    numbers,
    sheets,
    water_width,
    writable,
)
from remora.kernels.loops import BODY_SIZE
from remora.kernels.methods import CHAINED_RUNGE_KUTTA, RK4, RUNGE_KUTTA, IntegrationMethod
from remora.kernels.pack import PackedVehicle, resting_outputs
from remora.kernels.simd.batch import LANE_FAILED, memory_size
from remora.kernels.simd.lanes import WIDTH
from remora.kernels.threads import shares, work_off


def initial_state(
    packed: PackedVehicle,
    position: ArrayLike = (0.0, 0.0, 0.0),
    quaternion: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    twist: ArrayLike = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    outputs: ArrayLike | None = None,
    method: IntegrationMethod = RK4,
) -> Array:
    """Initial state of a vehicle.

    Parameters
    ----------
    packed
        The vehicle.
    position
        Position of the body origin in N, m.
    quaternion
        q_NB, scalar first; scaled to unit length.
    twist
        Linear and angular velocity in body axes, m/s and rad/s.
    outputs
        Outputs of the actuators; by default at rest: zero, and for moving masses their neutral output.
    method
        Integration method; a multi-step method appends its history to the state.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, the quaternion is zero, or a locked degree of freedom moves.
    """
    q = numbers("quaternion", quaternion, (4,))
    if not 1e-6 < np.linalg.norm(q) < 1e6:
        raise ValueError(f"quaternion has length {np.linalg.norm(q):.3g}: give a rotation, e.g. (1, 0, 0, 0)")
    moving = numbers("twist", twist, (6,))
    y = resting_outputs(packed) if outputs is None else numbers("outputs", outputs, (packed.actuators,))
    carried = np.zeros(packed.layout.moving_masses + method.history_size)  # moving masses start at rest
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
    """Rate of a state, body and actuators.

    Parameters
    ----------
    packed
        The vehicle.
    state
        The state, from `initial_state` or a run.
    commands
        One command per actuator.
    external
        External wrench about B in body axes, N and N m.
    water
        Velocity of the water in N, m/s, or the numbers of varying water (see `rollout`).
    """
    inputs = np.concatenate([
        numbers("external wrench", external, (6,)),
        numbers("commands", commands, (packed.actuators,)),
        flow := numbers("water", water, (water_width([water]),)),
    ])  # fmt: skip
    start = numbers("state", state, (BODY_SIZE + packed.actuator_states,))
    result, outputs = np.empty(start.size), np.empty(outputs_count(packed.layout))
    check_quaternion(start)
    if outside := envelope_fault(packed, start, flow):
        raise RunError(outside, 0.0)
    rate = kernels_for(packed.layout, flow.size).rate
    rate(writable("row", packed.row), codes_of(packed.layout), start, inputs, outputs, result)
    if not np.all(np.isfinite(result)):
        raise RunError("the rate is no finite number: speeds or inputs are too large", 0.0)
    return result


def rollout(
    packed: PackedVehicle,
    state: ArrayLike,
    commands: ArrayLike,
    interval: float,
    steps: int = 1,
    external: ArrayLike = ZERO_WRENCH,
    water: ArrayLike = STILL_WATER,
    method: IntegrationMethod = RK4,
    intervals: int | None = None,
) -> Array:
    """Roll out one vehicle over intervals with zero-order-hold inputs; the states at their ends, the start first.

    Parameters
    ----------
    packed
        The vehicle.
    state
        Initial state, from `initial_state` or an earlier run.
    commands
        One row for all the run, or one row per interval.
    interval
        Seconds over which inputs are held, and between the rows of the result.
    steps
        Steps of the method in each interval; an adaptive method chooses its own.
    external
        External wrench about B in body axes, one row or one per interval.
    water
        Velocity of the water in N, m/s, one row or one per interval. Varying water has more numbers in a row: velocity
        at the origin of N, slope with depth, rate, and the age of the velocity in seconds at the start of the interval
        (10); or velocity, gradient row by row, rate and age (16), and the z of the surface (17).
        See `remora.equations.water.local_water`.
    method
        Integration method.
    intervals
        Number of intervals, when no input has a row per interval.

    Raises
    ------
    ValueError
        When an input has the wrong shape, holds a NaN, or the interval is not positive.
    RunError
        When the motion leaves the vehicle's envelope or is no longer a number.
    """
    size = BODY_SIZE + packed.actuator_states + method.history_size
    start = numbers("state", state, (size,))[None]
    inputs = [[commands], [external], [water]]
    states, failed = _rollout_all([packed], start, inputs, interval, steps, method, intervals, False, 1, False)
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
    method: IntegrationMethod = RK4,
    intervals: int | None = None,
    only_end: bool = False,
    threads: int | None = None,
) -> Array:
    """Roll out many vehicles of one layout on all cores: states[vehicle, interval, number].

    Fixed-step Runge-Kutta methods process several vehicles at once in SIMD lanes. The result of a vehicle is
    bit-identical for any batch and any number of threads; it may differ from `rollout` by rounding.

    Parameters
    ----------
    vehicles
        Packed vehicles with equal layouts: the same numbers of thrusters, fins and so on.
    states
        Initial state of each vehicle.
    commands, external, water
        As in `rollout`: one entry per vehicle, or one for all.
    interval, steps, method, intervals
        As in `rollout`.
    only_end
        Keep only the start and the end of each run.
    threads
        Number of threads; None for all cores.

    Raises
    ------
    ValueError
        When an input has the wrong shape or holds a NaN; it names the vehicle.
    BatchError
        When vehicles leave their envelope or their motion is no longer finite. All others are run to their end: the
        error holds the states of the whole batch, and the number, time and cause of each failure.
    """
    inputs, simd = [commands, external, water], method.rule in (RUNGE_KUTTA, CHAINED_RUNGE_KUTTA)
    result, failed = _rollout_all(vehicles, states, inputs, interval, steps, method, intervals, only_end, threads, simd)
    if failed:
        raise BatchError(failed, result)
    return result


def _rollout_all(
    vehicles: Sequence[PackedVehicle],
    states: ArrayLike,
    inputs: Sequence[Sequence[ArrayLike]],
    interval: float,
    steps: int,
    method: IntegrationMethod,
    intervals: int | None,
    only_end: bool,
    threads: int | None,
    simd: bool,
) -> tuple[Array, list[RunError]]:
    """Roll out vehicles one by one or in SIMD lanes: their states, and the errors of those that failed."""
    check_interval(interval, steps)
    rows, codes = _rows_of_one_kind(vehicles)
    first = vehicles[0]
    size = BODY_SIZE + first.actuator_states + method.history_size
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
    _run_on_threads(rows, codes, method, interval, steps, count, books, result, failures, threads, simd)
    return result, with_failures(failed, vehicles, result, failures, waters, interval)


def _run_on_threads(
    rows: Array,
    codes: Integers,
    method: IntegrationMethod,
    interval: float,
    steps: int,
    count: int,
    books: list[Array],
    result: Array,
    failures: Integers,
    threads: int | None,
    simd: bool,
) -> None:
    """Distribute the vehicles over threads; compiled code runs without the interpreter's lock."""
    layout, actuators, sizes = layout_at(codes), books[0].shape[2], (method.stages, method.nodes)
    water = books[2].shape[2]
    run, general = kernels_for(layout, water).rollout_many, is_general(layout) or water > STEADY_SIZE
    run_batch = (general_batch_kernel if general else batch_kernel)() if simd else None
    how = (method.rule, method.weights, method.tolerances)
    span = (float(interval), int(steps), count)

    def one_by_one(first: int, last: int) -> None:
        decays = np.empty((actuators, 2, method.nodes))
        work = np.empty((2 * method.nodes + method.stages + 1, work_width(layout)))
        run(rows, codes, *how, *span, *books, first, last, decays, work, result, failures)

    def share(first: int, last: int) -> None:
        if run_batch is None:
            return one_by_one(first, last)
        memory = np.empty(memory_size(layout, rows.shape[1], *sizes))

        def together(start: int, end: int) -> None:
            run_batch(rows[:, None], codes, *how, *span, *books, start, end, method.nodes, memory, result, failures)

        together(first, last)
        for i in [i for i in range(first, last) if failures[i] == LANE_FAILED]:
            together(i, i + 1)  # alone in its lanes: a sound vehicle gives the result of any batch
            if failures[i] == LANE_FAILED:
                one_by_one(i, i + 1)

    threads = os.cpu_count() or 1 if threads is None else threads
    if threads < 1:
        raise ValueError(f"threads is {threads}: give at least 1, or None for all cores")
    work_off(share, shares(len(rows), WIDTH if simd else 1, 1 if threads == 1 else 8 * threads), threads)


def _rows_of_one_kind(vehicles: Sequence[PackedVehicle]) -> tuple[Array, Integers]:
    """The packed rows of vehicles that share one layout."""
    if not vehicles:
        raise ValueError("no vehicles: give at least one")
    for i, vehicle in enumerate(vehicles):
        if vehicle.layout != vehicles[0].layout:
            raise ValueError(
                f"vehicle {i} has layout {vehicle.layout}, the first has {vehicles[0].layout}: run them apart"
            )
    return np.stack([vehicle.row for vehicle in vehicles]), codes_of(vehicles[0].layout)
