"""Initial states, rates, steps, rollouts and batches of packed vehicles: the public functions of the compiled kernels.

State of a vehicle, one row: position (3, m, in N), quaternion q_NB (4, scalar first), twist (6, m/s and rad/s, body),
the outputs of its actuators, the speeds of its moving masses, and the history of a multi-step method. Arguments are
never modified, so a run can be repeated from its inputs.
"""

from __future__ import annotations  # so that help() shows ArrayLike and not its expansion

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.packed import outputs_count
from remora.files.arrays import Array
from remora.plant.batches.batch_runner import BatchRunner, uses_lanes
from remora.plant.batches.packed_batch import PackedBatch, packed_batch
from remora.plant.batches.step_length import refused_steps, too_fast
from remora.plant.compilation import kernels_for
from remora.plant.failures import BatchError, RunError, check_locked, envelope_fault, refused_starts, with_failures
from remora.plant.forms.user_forms import codes_of
from remora.plant.inputs import (
    STILL_WATER,
    ZERO_WRENCH,
    check_quaternion,
    input_sheets,
    interval_count,
    numbers,
    water_width,
    writable,
)
from remora.plant.loops import RolloutInputs
from remora.plant.methods import RK4, IntegrationMethod, check_method
from remora.plant.pack import PackedVehicle, resting_outputs


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
    check_method(method)
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
    commands: ArrayLike | None = None,
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
        One command per actuator; at rest unless given.
    external
        External wrench about B in body axes, N and N m.
    water
        Velocity of the water in N, m/s, or the numbers of varying water (see `rollout`).
    """
    inputs = np.concatenate([
        numbers("external wrench", external, (6,)),
        resting_outputs(packed) if commands is None else numbers("commands", commands, (packed.actuators,)),
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
        When the step is too long for the method, or the motion leaves the vehicle's envelope or diverges.
    """
    check_method(method)
    size = BODY_SIZE + packed.actuator_states + method.history_size
    start = numbers("state", state, (size,))[None]
    inputs = [[commands], [external], [water]]
    states, failed = _rollout_all([packed], start, inputs, interval, steps, method, intervals, False, 1, False)
    if failed:
        raise failed[0]
    return np.asarray(states[0])


def batch(
    vehicles: Sequence[PackedVehicle] | PackedBatch,
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
        Packed vehicles with equal layouts (the same numbers of thrusters, fins and so on), or a `PackedBatch`.
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
        When vehicles leave their envelope, diverge, or have a step too long for the method. All others are run to
        their end: the error holds the states of the whole batch, and the number, time and cause of each failure.
    """
    check_method(method)
    inputs, simd = [commands, external, water], uses_lanes(method)
    result, failed = _rollout_all(vehicles, states, inputs, interval, steps, method, intervals, only_end, threads, simd)
    if failed:
        raise BatchError(failed, result)
    return result


def _rollout_all(
    vehicles: Sequence[PackedVehicle] | PackedBatch,
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
    fleet = packed_batch(vehicles)
    runner = BatchRunner(fleet, interval, steps, method, threads, simd)
    size = BODY_SIZE + fleet.actuator_states + method.history_size
    starts = numbers("states", states, (len(fleet), size))
    check_quaternion(starts)
    refused = refused_steps(fleet, interval, steps, method)
    sheets = RolloutInputs(
        input_sheets("commands", inputs[0], fleet.actuators, len(fleet)),
        input_sheets("external wrench", inputs[1], 6, len(fleet)),
        input_sheets("water", inputs[2], water_width(inputs[2]), len(fleet)),
    )
    count = interval_count([sheet.shape[1] for sheet in sheets], intervals)
    result = np.empty((len(fleet), 2 if only_end else count + 1, size))
    result[:, 0] = starts
    failures = np.empty(len(fleet), dtype=np.int64)
    failed = [*refused, *(one for one in refused_starts(fleet, starts, sheets.waters[:, 0]) if not refused)]
    runner.run(count, sheets, result, failures)
    errors = with_failures(failed, fleet, result, failures, sheets.waters, interval)
    known = [error.vehicle for error in errors]
    for error in too_fast(fleet, interval, steps, method, result, sheets.waters):
        if error.vehicle not in known:
            errors.append(error)
            result[error.vehicle, 1:] = np.nan
    return result, sorted(errors, key=lambda error: error.vehicle)
