"""Runs packed vehicles through time: the public face of the compiled kernels.

State of a vehicle, one row: position (3, m, in N), quaternion q_NB (4, scalar first), twist (6, m/s and rad/s, body),
the outputs of its actuators, and for a multi-step method what it carries along. Nothing is ever written into an
argument, so a run can be repeated from what went in.
"""

import itertools
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.packed import ENVELOPE_START
from remora.kernels.compilation import kernels
from remora.kernels.entries import Integers, prepared_size
from remora.kernels.loops import BODY_SIZE, FINISHED, Array
from remora.kernels.methods import RK4, Method
from remora.kernels.pack import DEGREES_OF_FREEDOM, NO_LIMIT, PackedVehicle

ZERO_WRENCH = np.zeros(6)
STILL_WATER = np.zeros(3)
STILL_SURROUNDINGS = np.zeros(9)  # no external wrench, no current


class RunError(RuntimeError):
    """A run that cannot go on: what happened, to which number, and when."""

    def __init__(self, message: str, time: float, vehicle: int = 0) -> None:
        super().__init__(message)
        self.time = time
        self.vehicle = vehicle


def initial_state(
    packed: PackedVehicle,
    position: ArrayLike = (0.0, 0.0, 0.0),
    quaternion: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    twist: ArrayLike = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    outputs: ArrayLike | None = None,
    method: Method = RK4,
) -> Array:
    """A state to start from; the quaternion is scaled to unit length, actuators are at rest unless outputs are given.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, the quaternion has no length, or a held degree of freedom moves.
    """
    q = _numbers("quaternion", quaternion, (4,))
    if not 1e-6 < np.linalg.norm(q) < 1e6:
        raise ValueError(f"quaternion has length {np.linalg.norm(q):.3g}: give a rotation, e.g. (1, 0, 0, 0)")
    moving = _numbers("twist", twist, (6,))
    for name, speed in zip(DEGREES_OF_FREEDOM, moving, strict=True):
        if name in packed.locked and speed != 0.0:
            raise ValueError(f"twist: {name} is locked but starts with {speed:g}: start it with 0 or unlock it")
    y = np.zeros(packed.actuators) if outputs is None else _numbers("outputs", outputs, (packed.actuators,))
    history = np.zeros(method.history_size)
    return np.concatenate([_numbers("position", position, (3,)), q / np.linalg.norm(q), moving, y, history])


def derivative(
    packed: PackedVehicle,
    state: ArrayLike,
    commands: ArrayLike = (),
    external: ArrayLike = ZERO_WRENCH,
    water: ArrayLike = STILL_WATER,
) -> Array:
    """Rate of a state (body and actuators) under commands, an external wrench and a steady uniform current in N."""
    inputs = np.concatenate([
        _numbers("external wrench", external, (6,)),
        _numbers("water velocity", water, (3,)),
        _numbers("commands", commands, (packed.actuators,)),
    ])  # fmt: skip
    start = _numbers("state", state, (BODY_SIZE + packed.actuators,))
    result = np.empty(start.size)
    kernels().rate(packed.row, _codes(packed), start, inputs, result)
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
        _check_interval(step, 1)
        self.packed, self.step, self.method = packed, float(step), method
        self._size = BODY_SIZE + packed.actuators + method.history_size
        self._codes = np.array([*packed.layout, method.rule, method.stages, packed.row.size], dtype=np.int64)
        self._prepared = np.zeros(prepared_size(packed.row.size, method.stages, packed.actuators))
        known = np.concatenate([packed.row, method.weights.ravel(), _tolerances(method), [self.step]])
        self._prepared[: known.size] = known
        kernels().prepare(self._prepared, self._codes, packed.row.size, method.stages)
        self._kernel = kernels().step_once

    def __call__(self, state: Array, commands: Array, surroundings: Array = STILL_SURROUNDINGS) -> Array:
        """The state one step later.

        Parameters
        ----------
        state
            The state now.
        commands
            Commands of the actuators, held over the step.
        surroundings
            Nine numbers: external wrench about B in body axes, then the velocity of the water in N.

        Raises
        ------
        ValueError
            When an input has the wrong shape or holds a NaN.
        RunError
            When the motion leaves the vehicle's envelope or is no longer a number.
        """
        states = np.empty((2, self._size))
        try:
            done = self._kernel(self._prepared, self._codes, state, commands, surroundings, states)
        except TypeError:  # not contiguous rows of floats, which is what the compiled code takes: convert them
            state, commands, surroundings = _rows(state), _rows(commands), _rows(surroundings)
            done = self._kernel(self._prepared, self._codes, state, commands, surroundings, states)
        if done != FINISHED:
            _numbers("state", state, (self._size,))
            _numbers("commands", commands, (self.packed.actuators,))
            _numbers("surroundings", surroundings, (9,))
            raise _failure(self.packed, states[1], self.step, 0)
        return np.asarray(states[1])


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
        Velocity of the water in N, one row or one per interval.
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
    size = BODY_SIZE + packed.actuators + method.history_size
    start = _numbers("state", state, (size,))
    book = batch([packed], start[None], [commands], interval, steps, [external], [water], method, intervals, threads=1)
    return np.asarray(book[0])


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
    """
    _check_interval(interval, steps)
    rows, codes = _rows_of_one_kind(vehicles)
    first = vehicles[0]
    size = BODY_SIZE + first.actuators + method.history_size
    starts = _numbers("states", states, (len(vehicles), size))
    books = [
        _sheets("commands", commands, first.actuators, len(vehicles)),
        _sheets("external wrench", external, 6, len(vehicles)),
        _sheets("water velocity", water, 3, len(vehicles)),
    ]
    count = _interval_count([book.shape[1] for book in books], intervals)
    result = np.empty((len(vehicles), 2 if only_end else count + 1, size))
    result[:, 0] = starts
    failures = np.empty(len(vehicles), dtype=np.int64)
    _run_on_threads(rows, codes, method, interval, steps, count, books, result, failures, threads)
    if np.any(failures != FINISHED):
        i = int(np.flatnonzero(failures != FINISHED)[0])
        last = result[i, min(failures[i] + 1, result.shape[1] - 1)]
        raise _failure(vehicles[i], last, (failures[i] + 1) * interval, i)
    return result


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
) -> None:
    """Share the vehicles out among threads; compiled code runs without the interpreter's lock."""
    run, actuators = kernels().roll_many, books[0].shape[2]

    def share(first: int, last: int) -> None:
        decays = np.empty((actuators, 2, method.stages + 1))
        work = np.empty((2 * method.stages + 2, max(BODY_SIZE, actuators)))
        run(
            rows, codes, method.rule, method.weights, _tolerances(method), float(interval), int(steps), count,
            *books, first, last, decays, work, result, failures,
        )  # fmt: skip

    limits = np.linspace(0, len(rows), min(threads or os.cpu_count() or 1, len(rows)) + 1).astype(int).tolist()
    shares = list(itertools.pairwise(limits))
    if len(shares) == 1:
        share(*shares[0])
        return
    with ThreadPoolExecutor(len(shares)) as pool:
        for task in [pool.submit(share, *limits) for limits in shares]:
            task.result()


def _rows(values: ArrayLike) -> Array:
    """A contiguous row of floats of its own."""
    return np.array(values, dtype=float, order="C", copy=True)


def _numbers(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Array:
    """An array of finite numbers of this shape, or an error that says what was found."""
    try:
        array = np.ascontiguousarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} is not an array of numbers: {error}") from error
    if array.shape != shape and not (array.size == 0 and 0 in shape):
        raise ValueError(f"{name} has shape {array.shape}: give {shape}")
    if not np.all(np.isfinite(array)):
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name}{list(where)} is {array[where]}: give finite numbers")
    return array.reshape(shape)


def _sheets(name: str, values: Sequence[ArrayLike], width: int, vehicles: int) -> Array:
    """Inputs as [vehicle or one for all, interval or one for all, number]."""
    if len(values) not in (1, vehicles):
        raise ValueError(f"{name} are given for {len(values)} vehicles: give them for {vehicles}, or one for all")
    arrays = [np.atleast_2d(np.asarray(value, dtype=float)) for value in values]
    shape = (arrays[0].shape[0], width)
    return np.stack([_numbers(name, array, shape) for array in arrays])


def _interval_count(rows: list[int], intervals: int | None) -> int:
    """Number of intervals: as asked, or as many as the inputs have rows; inputs with one row hold all along."""
    count = max(rows) if intervals is None else int(intervals)
    if count < 1:
        raise ValueError(f"intervals is {count}: give at least 1")
    if any(n not in (1, count) for n in rows):
        raise ValueError(f"commands, external wrench and water velocity have {rows} rows: give 1 or {count} each")
    return count


def _check_interval(interval: float, steps: int) -> None:
    if not 0.0 < interval < np.inf:
        raise ValueError(f"time step is {interval}: give a positive number of seconds")
    if steps < 1 or steps != int(steps):
        raise ValueError(f"steps per interval is {steps}: give a whole number of at least 1")


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


def _failure(packed: PackedVehicle, state: Array, time: float, vehicle: int) -> RunError:
    """What went wrong in a state that the kernel refused."""
    speeds, limits = state[7:BODY_SIZE], packed.row[ENVELOPE_START : ENVELOPE_START + 6]
    for name, speed, limit in zip(DEGREES_OF_FREEDOM, speeds, limits, strict=True):
        if limit < NO_LIMIT and abs(speed) > limit:
            text = f"{name} speed {speed:.4g} left the envelope of {limit:.4g} in which this vehicle's numbers hold"
            return RunError(f"{text}, before {time:.9g} s", time, vehicle)
    names = [name for name, speed in zip(DEGREES_OF_FREEDOM, speeds, strict=True) if not abs(speed) < NO_LIMIT]
    what = f"{', '.join(names) or 'the state'} is no longer a finite number"
    return RunError(f"{what} before {time:.9g} s: try a shorter step, or look for a force that grows", time, vehicle)
