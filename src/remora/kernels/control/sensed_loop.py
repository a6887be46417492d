"""Attitude and rate sensor, attitude cascade, control allocation and plant of a basic vehicle in one compiled loop.

Sensors, navigation and cascade run at the rate of the plant. Between two samples of slower parts the wrench of all
other controllers and the reference attitude are held, and a vehicle needs no Python.
"""

import math
import sys
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, final

import numba
import numpy as np
from numba import float64, int64
from numpy.typing import NDArray

from remora.equations.algebra.quaternions import Quaternion, conjugate, from_euler_zyx, product
from remora.equations.algebra.vectors import Matrix3, Vector3, Wrench, matvec3
from remora.equations.control.attitude_cascade import (
    AxisGains,
    AxisMemory,
    PidGains,
    PidMemory,
    cascade_torque,
    rotation_to_reference,
)
from remora.equations.instruments import attitude_angles, turn_rate
from remora.files.arrays import Array
from remora.kernels import compilation, registration
from remora.kernels.entries import step_with
from remora.kernels.layouts.array_views import array_view
from remora.kernels.loops import FINISHED, rollout_basic
from remora.kernels.stepper import Stepper

Row4: TypeAlias = tuple[float, float, float, float]

CHANNELS = 6  # roll, pitch, heading and three turn rates
NOISES = 2 * CHANNELS  # of a sample: increments of the biases, then white noise
_ERRORS_AT, _AXES_AT, _ACTS_AT, _INVERSE_AT = 26, 50, 80, 83  # in the numbers of a law
_AXIS_SIZE, _MEMORY_SIZE = 10, CHANNELS + 12
_row = float64[::1]
_SIGNATURE = int64(_row, int64[::1], _row, _row, _row, _row, _row, _row, float64[:, ::1], float64[:, ::1], int64)


class ChannelErrors(NamedTuple):
    """Errors of one channel of a sensor: constant bias, Gauss-Markov bias and white noise."""

    offset: float = 0.0
    kept: float = 0.0  # share of the Gauss-Markov bias that is left after one sample
    fresh: float = 0.0  # standard deviation of its increment
    std: float = 0.0  # of the white noise


class SensedLaw(NamedTuple):
    """Sensors, navigation, cascade and allocation."""

    attitude_q_BS: Quaternion  # true mount of the attitude sensor
    rate_R_BS: Matrix3  # and of the rate sensor
    assumed_q_BS: Quaternion  # mounts as navigation knows them
    assumed_R_BS: Matrix3
    errors: tuple[ChannelErrors, ...]  # of roll, pitch, heading and three turn rates
    axes: tuple[AxisGains, AxisGains, AxisGains]
    acts: Vector3  # one for each controlled axis, else zero
    inverse: Array  # n x 6, forces of thrusters from a wrench

    def numbers(self) -> Array:
        """The law in a row."""
        axes = [number for gains in self.axes for number in (*gains[:3], *gains.rate)]
        errors = [number for channel in self.errors for number in channel]
        mounts = (*self.attitude_q_BS, *_flat(self.rate_R_BS), *self.assumed_q_BS, *_flat(self.assumed_R_BS))
        return np.array([*mounts, *errors, *axes, *self.acts, *self.inverse.ravel().tolist()])


class LoopMemory(NamedTuple):
    """Gauss-Markov biases of the six channels, and what the cascade keeps between samples."""

    biases: tuple[float, ...]
    axes: tuple[AxisMemory, ...]


class SensedSteps(NamedTuple):
    """Result of several steps."""

    steps: int  # that were finished
    state: Array  # after them
    before: Array  # state at the beginning of the last one
    commands: Array  # of the last one
    memory: LoopMemory
    torque: Vector3  # of the cascade, N m
    readings: Array  # a row of six values for each step


@final
class SensedLoop:
    """Steps a vehicle under a cascade that is fed by sensors at every step.

    Parameters
    ----------
    stepper
        The plant, a basic vehicle without speed bounds and without the history of a multi-step method.
    law
        Sensors, navigation, cascade and allocation.
    """

    def __init__(self, stepper: Stepper, law: SensedLaw) -> None:
        self._stepper, self._kernel, self._law = stepper, sensed_loop_kernel(), law.numbers()
        self._actuators = len(law.inverse)

    def run(
        self, state: Array, environment: Array, held: Wrench, q_NR: Quaternion, memory: LoopMemory, noise: Array
    ) -> SensedSteps:
        """Steps from a state, as many as there are rows of noise; fewer where one fails.

        Parameters
        ----------
        state
            The state now.
        environment
            External wrench and steady current, as for `Stepper`.
        held
            Wrench of all other controllers about B in body axes, N and N m.
        q_NR
            Reference attitude.
        memory
            Before the first step.
        noise
            Standard normal numbers, a row for each step.
        """
        end, commands, steps, plant = state.copy(), np.zeros(self._actuators), len(noise), self._stepper
        kept = [number for axis in memory.axes for number in (axis.error, *axis.rate)]
        work, readings = np.zeros(2 * _MEMORY_SIZE + 3 + end.size), np.empty((steps, CHANNELS))
        work[:_MEMORY_SIZE] = (*memory.biases, *kept)
        done = self._kernel(
            plant.prepared, plant.codes, end, commands, environment, self._law, work, np.array((*held, *q_NR)),
            noise, readings, steps,
        )  # fmt: skip
        numbers = work.tolist()
        axes = [numbers[i : i + 4] for i in range(CHANNELS, _MEMORY_SIZE, 4)]
        after = LoopMemory(tuple(numbers[:CHANNELS]), tuple(AxisMemory(a, PidMemory(b, c, d)) for a, b, c, d in axes))
        K, M, N = numbers[2 * _MEMORY_SIZE : 2 * _MEMORY_SIZE + 3]
        before = work[2 * _MEMORY_SIZE + 3 :]
        return SensedSteps(done, end, before, commands, after, (K, M, N), readings[:done])


def _flat(matrix: Matrix3) -> tuple[float, ...]:
    return tuple(number for row in matrix for number in row)


def three_at(row: Array, at: int) -> Vector3:
    """Three numbers of a row."""
    return (row[at], row[at + 1], row[at + 2])


def four_at(row: Array, at: int) -> Row4:
    """Four numbers of a row."""
    return (row[at], row[at + 1], row[at + 2], row[at + 3])


def nine_at(row: Array, at: int) -> Matrix3:
    """A 3 x 3 matrix of a row."""
    return (three_at(row, at), three_at(row, at + 3), three_at(row, at + 6))


def axis_gains_at(row: Array, at: int) -> AxisGains:
    """Gains of one axis of a row."""
    rate = PidGains(row[at + 3], row[at + 4], row[at + 5], row[at + 6], row[at + 7], row[at + 8], row[at + 9])
    return AxisGains(row[at], row[at + 1], row[at + 2], rate)


def sensed_value(value: float, law: Array, memory: Array, noise: Array, channel: int) -> float:
    """A value with the errors of its channel, whose bias is advanced in the memory.

    Parameters
    ----------
    value
        Without errors.
    law, memory
        Numbers of the law, and the biases first in the memory.
    noise
        Standard normal numbers of the sample.
    channel
        Number of the channel.
    """
    offset, kept, fresh, std = four_at(law, _ERRORS_AT + 4 * channel)
    memory[channel] = kept * memory[channel] + fresh * noise[channel]
    return value + offset + memory[channel] + std * noise[CHANNELS + channel]


def wrapped_angle(angle: float) -> float:
    """An angle within a turn of it, in (-pi, pi]."""
    if angle > math.pi:
        return angle - math.tau
    return angle + math.tau if angle <= -math.pi else angle


def sense(law: Array, memory: Array, state: Array, noise: Array, reading: Array) -> None:
    """Readings of the attitude and of the rate sensor.

    Parameters
    ----------
    law, memory
        Numbers of the law, and the biases.
    state
        State of the plant.
    noise
        Standard normal numbers of the sample.
    reading
        Filled with roll, pitch, heading and three turn rates.
    """
    twist = (state[7], state[8], state[9], state[10], state[11], state[12])
    angles = attitude_angles(four_at(state, 3), four_at(law, 0))
    rates = turn_rate(twist, nine_at(law, 4), (0.0, 0.0, 0.0))
    for i in range(3):
        reading[i] = wrapped_angle(sensed_value(angles[i], law, memory, noise, i))
    for i in range(3):
        reading[3 + i] = sensed_value(rates[i], law, memory, noise, 3 + i)


def steer(law: Array, memory: Array, reading: Array, q_NR: Quaternion) -> Vector3:
    """Torque of the cascade for the attitude and the rates that navigation takes from readings.

    Parameters
    ----------
    law, memory
        Numbers of the law, and those that the cascade keeps.
    reading
        Roll, pitch, heading and three turn rates.
    q_NR
        Reference attitude.
    """
    q_NS = from_euler_zyx(reading[0], reading[1], reading[2])
    angles = rotation_to_reference(product(q_NS, conjugate(four_at(law, 13))), q_NR)
    rates = matvec3(nine_at(law, 17), three_at(reading, 3))
    roll = axis_torque(law, memory, 0, angles[0], rates[0])
    pitch = axis_torque(law, memory, 1, angles[1], rates[1])
    yaw = axis_torque(law, memory, 2, angles[2], rates[2])
    return (law[_ACTS_AT] * roll, law[_ACTS_AT + 1] * pitch, law[_ACTS_AT + 2] * yaw)


def axis_torque(law: Array, memory: Array, axis: int, angle: float, rate: float) -> float:
    """Torque of one axis; its memory is advanced.

    Parameters
    ----------
    law, memory
        Numbers of the law, and those that the cascade keeps.
    axis
        Number of the axis.
    angle
        Rotation to the reference about it, rad.
    rate
        Turn rate about it, rad/s.
    """
    at = CHANNELS + 4 * axis
    before = AxisMemory(memory[at], PidMemory(memory[at + 1], memory[at + 2], memory[at + 3]))
    after, torque = cascade_torque(axis_gains_at(law, _AXES_AT + _AXIS_SIZE * axis), before, angle, rate)
    memory[at], memory[at + 1] = after.error, after.rate.integral
    memory[at + 2], memory[at + 3] = after.rate.previous, after.rate.slope
    return torque


def copy_numbers(source: Array, target: Array) -> None:
    """Copy all numbers of the shorter array."""
    for i in range(min(source.size, target.size)):
        target[i] = source[i]


def sensed_loop(
    prepared: Array,
    codes: NDArray[np.int64],
    state: Array,
    commands: Array,
    environment: Array,
    law: Array,
    memory: Array,
    held: Array,
    noise: Array,
    readings: Array,
    steps: int,
) -> int:
    """Sense, steer and step the plant, in place; returns the number of steps that were finished.

    A step that fails leaves state and memory as they were before it.

    Parameters
    ----------
    prepared, codes, state, commands, environment
        As for `remora.kernels.entries.step_with`.
    law
        Numbers of a `SensedLaw`.
    memory
        Biases and cascade, the same before the last step, torque, and the state before the last step.
    held
        Wrench of all other controllers about B in body axes, N and N m, and the reference attitude.
    noise, readings
        A row for each step.
    steps
        Number of samples.
    """
    before, torque_at = array_view(memory, _MEMORY_SIZE, (_MEMORY_SIZE,)), 2 * _MEMORY_SIZE
    last = array_view(memory, torque_at + 3, (state.size,))
    for k in range(steps):
        copy_numbers(memory, before)
        copy_numbers(state, last)
        sense(law, memory, state, noise[k], readings[k])
        torque = steer(law, memory, readings[k], four_at(held, 6))
        finite = 0.0
        for i in range(commands.size):
            at, force = _INVERSE_AT + 6 * i, 0.0
            for j in range(3):
                force += law[at + j] * held[j] + law[at + 3 + j] * (held[3 + j] + torque[j])
            commands[i] = force
            finite += force
        failed = not abs(finite) < np.inf
        if failed or step_with(rollout_basic, prepared, codes, state, commands, environment) != FINISHED:
            copy_numbers(before, memory)
            copy_numbers(last, state)
            return k
        for i in range(3):
            memory[torque_at + i] = torque[i]
    return steps


def _entry_point(cached: dict[str, Any]) -> Any:
    registration.register_functions(sys.modules[__name__], without=("sensed_loop", "sensed_loop_kernel"))
    return numba.njit(_SIGNATURE, **{**cached, "nogil": False})(sensed_loop)


@lru_cache(maxsize=1)
def sensed_loop_kernel() -> Any:
    """The compiled loop."""
    compilation.kernels()  # registers all that it calls
    return compilation.from_cache("control laws with sensors", _entry_point, seconds=10)
