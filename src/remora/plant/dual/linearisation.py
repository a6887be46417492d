"""Linearisation of a plant: exact Jacobians of its rate and of its steps, by dual numbers in compiled code.

Derivatives are taken in error coordinates, so that an attitude has three: position in N (m), rotation vector about the
body axes (rad, q_NB turned by it on the right), twist (m/s and rad/s), actuator states.
"""

from __future__ import annotations  # so that help() shows ArrayLike and not its expansion

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, final

import numba
import numpy as np
from numba import float64, int64
from numpy.typing import ArrayLike

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.packed import Layout, is_general
from remora.equations.water.local_water import SIZES, STEADY_SIZE
from remora.files.arrays import Array
from remora.plant import registration
from remora.plant.compilation import from_cache, kernels
from remora.plant.dual import plant_derivatives
from remora.plant.dual.dual_functions import SLOPES
from remora.plant.dual.plant_derivatives import BODY_ERRORS, OUTSIDE, memory_size
from remora.plant.failures import RunError, check_start, failure
from remora.plant.forms.user_forms import codes_of
from remora.plant.inputs import (
    STILL_WATER,
    ZERO_WRENCH,
    check_interval,
    check_quaternion,
    numbers,
    water_width,
)
from remora.plant.loops import FINISHED
from remora.plant.methods import CHAINED_RUNGE_KUTTA, EULER, RK4, RUNGE_KUTTA, IntegrationMethod
from remora.plant.pack import PackedVehicle

SIGNATURE = int64(float64[::1], int64[::1], float64[::1], float64[::1])


@lru_cache(maxsize=1)
def _register() -> None:
    names = ("memory_size", "differentiate", "differentiate_general")
    registration.register_functions(plant_derivatives, without=names)


def _entry_point(function: Callable[..., Any], cached: dict[str, Any]) -> Any:
    """Compile or load an entry point; a call is too short to release the interpreter's lock."""
    _register()
    # Held, the lock also keeps threads from using the one work space of a `PlantJacobian` at the same time.
    return numba.njit(SIGNATURE, **{**cached, "nogil": False})(function)


@lru_cache(maxsize=1)
def _basic() -> Any:
    kernels()  # registers all it calls
    return from_cache(
        "the derivatives of the equations", lambda cached: _entry_point(plant_derivatives.differentiate, cached)
    )


@lru_cache(maxsize=1)
def _general() -> Any:
    kernels()
    return from_cache(
        "the derivatives of the equations for general actuators and water",
        lambda cached: _entry_point(plant_derivatives.differentiate_general, cached),
        seconds=60,
    )


def derivative_kernel(layout: Layout, water: int = STEADY_SIZE) -> Any:
    """The compiled derivatives for a layout, in water of this many numbers."""
    return _general() if is_general(layout) or water > STEADY_SIZE else _basic()


STATE = ("position", "rotation", "twist", "actuators")  # error coordinates of a state
GROUPS = (*STATE, "commands", "external", "current")  # inputs of a derivative


class Linearisation(NamedTuple):
    """Rate of a state and its derivatives: d(error)/dt = A error + B (change of the commands)."""

    rate: Array  # of the state, as `Plant.derivative` gives it
    A: Array
    B: Array


class StepJacobian(NamedTuple):
    """State after an interval and its derivatives: error after = A (error before) + B (change of the commands)."""

    state: Array
    A: Array
    B: Array


@final
class PlantJacobian:
    """Exact derivatives of one vehicle's rate or step, with the least overhead of a call from Python.

    Parameters
    ----------
    packed
        The vehicle.
    groups
        Inputs to differentiate by, in the order of the columns: position, rotation, twist, actuators, commands,
        external (wrench about B), current (velocity of the water in N).
    interval
        Length of a step, s; None for the rate.
    steps
        Steps of that length.
    method
        Runge-Kutta method with fixed steps.

    Raises
    ------
    ValueError
        When the vehicle has user-defined force models, a group is unknown or repeated, the step is not positive, or the
        method has no fixed Runge-Kutta steps.
    """

    def __init__(
        self,
        packed: PackedVehicle,
        groups: tuple[str, ...] = GROUPS,
        interval: float | None = None,
        steps: int = 1,
        method: IntegrationMethod = RK4,
    ) -> None:
        if interval is None:
            # Its single stage is the rate itself; with zero steps nothing is integrated.
            method = EULER
        else:
            check_interval(interval, steps)
            _check_method(method)
        self.packed, self.groups = packed, tuple(groups)
        self.interval, self.steps = interval, 0 if interval is None else int(steps)
        columns = _columns(packed, self.groups)
        self.directions = int(columns.max(initial=-1)) + 1
        sizes = (method.stages, method.nodes)
        codes = [method.rule, *sizes, packed.row.size, self.directions, 1, self.steps, *columns]
        self._codes = np.append(codes_of(packed.layout, derivatives=True), codes)
        known = np.concatenate([packed.row, method.weights.ravel(), method.tolerances, [interval or 0.0]])
        decays = 2 * packed.actuators * method.nodes
        self._prepared = np.zeros(known.size + decays + memory_size(packed.layout, *sizes))
        self._prepared[: known.size] = known
        kernels().prepare(self._prepared, self._codes, packed.row.size, *sizes)
        rows, padded = BODY_ERRORS + packed.actuator_states, -(-self.directions // SLOPES) * SLOPES
        self._values = rows + 1
        self._fixed = self._values + packed.actuators + 6  # inputs before the water
        self._size = self._values + rows * padded
        # The Jacobian in a row of results: its rows are padded to whole groups of directions.
        self._shape, self._strides, self._offset = (rows, self.directions), (8 * padded, 8), 8 * self._values
        self._kernels: dict[int, Any] = {}  # by the number of inputs, once used

    def __call__(self, inputs: Array) -> tuple[Array, Array]:
        """Value and Jacobian, from state, commands, external wrench and water in one row, which `inputs` makes.

        The rows of the Jacobian are the error coordinates of a state, its columns those of the groups. Raises a
        RunError when the step leaves the vehicle's envelope, or a derivative does not exist.
        """
        # A new row each time: value and Jacobian are views of it.
        result = np.empty(self._size)
        try:
            kernel = self._kernels[inputs.size]
        except KeyError:
            kernel = self._kernel_for(inputs.size)
        code = kernel(self._prepared, self._codes, inputs, result)
        jacobian = np.ndarray(self._shape, float, result, self._offset, self._strides)
        if code != FINISHED:
            raise self._failure(code, result[: self._values], jacobian, inputs[self._fixed :])
        return result[: self._values], jacobian

    def _kernel_for(self, inputs: int) -> Any:
        if inputs - self._fixed not in SIZES:
            raise ValueError(f"{inputs} inputs: make the row with `inputs`, from state, commands, wrench and water")
        self._kernels[inputs] = derivative_kernel(self.packed.layout, inputs - self._fixed)
        return self._kernels[inputs]

    def inputs(
        self, state: ArrayLike, commands: ArrayLike, external: ArrayLike = ZERO_WRENCH, water: ArrayLike = STILL_WATER
    ) -> Array:
        """Checked inputs of a call.

        Parameters
        ----------
        state
            The state, from `initial_state` or a run.
        commands
            One command per actuator.
        external
            External wrench about B in body axes, N and N m.
        water
            Velocity of the water in N, m/s, or the numbers of varying water (see `rollout`).

        Raises
        ------
        ValueError
            When an input has the wrong shape, holds a NaN, or the quaternion is not of unit length.
        RunError
            When the state is outside the vehicle's envelope.
        """
        packed = self.packed
        start = numbers("state", state, (BODY_SIZE + packed.actuator_states,))
        held = numbers("commands", commands, (packed.actuators,))
        wrench = numbers("external wrench", external, (6,))
        flow = numbers("water", water, (water_width([water]),))
        check_quaternion(start)
        check_start(packed, start, flow)
        return np.concatenate([start, held, wrench, flow])

    def _failure(self, code: int, value: Array, jacobian: Array, water: Array) -> RunError:
        """The error for a derivative that the kernel refused."""
        time = self.steps * (self.interval or 0.0)
        if code == OUTSIDE:
            return failure(self.packed, value, water, time, 0)
        if np.isfinite(value).all():
            row, column = np.argwhere(~np.isfinite(jacobian))[0].tolist()
            what = f"the derivative of error coordinate {row} by input {column} is {jacobian[row, column]}"
            return RunError(f"{what}: it does not exist at this state", time)
        return RunError("the rate is no finite number: speeds or inputs are too large", time)


def linearise(
    packed: PackedVehicle,
    state: ArrayLike,
    commands: ArrayLike,
    external: ArrayLike = ZERO_WRENCH,
    water: ArrayLike = STILL_WATER,
) -> Linearisation:
    """Rate of a state and its exact derivatives A and B, in error coordinates.

    Parameters
    ----------
    packed
        The vehicle.
    state
        The state, from `initial_state` or a run.
    commands
        One command per actuator. The output of an actuator without lag follows its command at once, whatever the state
        says: its column of A is zero, and B holds its effect on the twist.
    external
        External wrench about B in body axes, N and N m.
    water
        Velocity of the water in N, m/s, or the numbers of varying water (see `rollout`).

    Raises
    ------
    ValueError
        When an input has the wrong shape, holds a NaN, or the quaternion is not of unit length.
    RunError
        When the state is outside the vehicle's envelope, or the derivative does not exist there.
    """
    prepared = PlantJacobian(packed, (*STATE, "commands"))
    value, jacobian = prepared(prepared.inputs(state, commands, external, water))
    # Copies, as views would keep the padded row of all results alive.
    states = BODY_ERRORS + packed.actuator_states
    return Linearisation(value, jacobian[:, :states].copy(), jacobian[:, states:].copy())


def step_jacobian(
    packed: PackedVehicle,
    state: ArrayLike,
    commands: ArrayLike,
    interval: float,
    steps: int = 1,
    external: ArrayLike = ZERO_WRENCH,
    water: ArrayLike = STILL_WATER,
    method: IntegrationMethod = RK4,
) -> StepJacobian:
    """State after an interval of held inputs and its exact derivatives A and B, in error coordinates.

    Parameters
    ----------
    packed
        The vehicle.
    state
        The state, from `initial_state` or a run.
    commands
        One command per actuator, held over the interval.
    interval
        Length of the interval, s.
    steps
        Steps of the method in the interval.
    external
        External wrench about B in body axes, N and N m.
    water
        Velocity of the water in N, m/s, or the numbers of varying water (see `rollout`).
    method
        Runge-Kutta method with fixed steps.

    Raises
    ------
    ValueError
        When an input has the wrong shape or holds a NaN, or the method has no fixed Runge-Kutta steps.
    RunError
        When the motion leaves the vehicle's envelope, or the derivative does not exist.
    """
    check_interval(interval, steps)
    prepared = PlantJacobian(packed, (*STATE, "commands"), interval / steps, steps, method)
    value, jacobian = prepared(prepared.inputs(state, commands, external, water))
    states = BODY_ERRORS + packed.actuator_states
    return StepJacobian(value, jacobian[:, :states].copy(), jacobian[:, states:].copy())


def _columns(packed: PackedVehicle, groups: tuple[str, ...]) -> Array:
    """Column of each error coordinate of all groups; -1 for those that are not differentiated by."""
    for name in groups:
        if name not in GROUPS:
            raise ValueError(f"group of inputs {name!r} is unknown: give some of {', '.join(GROUPS)}")
    if len(set(groups)) < len(groups):
        raise ValueError(f"groups of inputs {', '.join(groups)}: give each once")
    sizes = dict(zip(GROUPS, (3, 3, 6, packed.actuator_states, packed.actuators, 6, 3), strict=True))
    columns, first = {name: np.full(size, -1, dtype=np.int64) for name, size in sizes.items()}, 0
    for name in groups:
        columns[name] = np.arange(first, first + sizes[name])
        first += sizes[name]
    return np.concatenate([columns[name] for name in GROUPS])


def _check_method(method: IntegrationMethod) -> None:
    if method.rule not in (RUNGE_KUTTA, CHAINED_RUNGE_KUTTA):
        raise ValueError(f"method {method.name} has no Jacobian here: give a Runge-Kutta method with fixed steps")
