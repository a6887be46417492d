"""Attitude cascade and pseudo-inverse as one function on rows of numbers, for compiled code."""

import math
from typing import NamedTuple

import numpy as np

from remora.control.allocation.thrusters import least_forces
from remora.equations.algebra.four_axes import vector4_at
from remora.equations.algebra.quaternions import conjugate, from_euler_zyx, product
from remora.equations.algebra.vectors import IDENTITY3, matvec3, vector3_at
from remora.equations.control.cascades import (
    AxisGains,
    AxisMemory,
    PidGains,
    PidMemory,
    cascade_torque,
    rotation_to_reference,
)
from remora.equations.types import Matrix3, Quaternion, Vector3, Wrench
from remora.files.arrays import Array
from remora.plant.arrays import array_view

_AXIS_SIZE, _KEPT = 10, 4  # numbers of the gains of an axis, and of those that it keeps
# Places in the numbers of a law.
_ACTS = 3 * _AXIS_SIZE
_ATTITUDE_SENSOR, _ATTITUDE_MOUNT, _RATE_SENSOR, _RATE_MOUNT, _INVERSE = (_ACTS + 3 + i for i in (0, 1, 5, 6, 15))
NO_SENSOR = -1  # estimated attitude or turn rate is held
TORQUE, WRENCH = 3 * _KEPT, 3 * _KEPT + 3  # places of the torque and of the whole wrench in the memory
_REFERENCE, _ATTITUDE, _RATES = 6, 10, 14  # places in the held numbers
_NO_OUTPUT = (0.0,) * 9


class CascadeLaw(NamedTuple):
    """Attitude cascade and control allocation, and sensors whose readings are the estimate of each step."""

    axes: tuple[AxisGains, AxisGains, AxisGains]
    acts: Vector3  # one for each controlled axis, else zero
    inverse: Array  # n x 6, forces of thrusters from a wrench
    attitude_sensor: int = NO_SENSOR  # index of the sensor of roll, pitch and heading
    attitude_q_BS: Quaternion = (1.0, 0.0, 0.0, 0.0)
    rate_sensor: int = NO_SENSOR  # and of that of the turn rate
    rate_R_BS: Matrix3 = IDENTITY3

    def numbers(self) -> Array:
        """The law in a row."""
        axes = [number for gains in self.axes for number in (*gains[:3], *gains.rate)]
        attitude = (self.attitude_sensor, *self.attitude_q_BS)
        rates = (self.rate_sensor, *(number for row in self.rate_R_BS for number in row))
        return np.array([*axes, *self.acts, *attitude, *rates, *self.inverse.ravel().tolist()])


class HeldInputs(NamedTuple):
    """What a law holds from step to step."""

    wrench: Wrench  # of all other controllers, about B in body axes, N and N m
    q_NR: Quaternion  # attitude of the reference
    q_NB: Quaternion  # estimated attitude
    turn_rate: Vector3  # and turn rate in body axes, rad/s

    def numbers(self) -> Array:
        """The same in a row."""
        return np.array((*self.wrench, *self.q_NR, *self.q_NB, *self.turn_rate))


def memory_row(axes: tuple[AxisMemory, ...]) -> Array:
    """What the cascade keeps between samples in a row, with room for its torque and the wrench."""
    kept = [number for axis in axes for number in (axis.error, *axis.rate)]
    return np.array((*kept, *_NO_OUTPUT))


def axes_in(memory: list[float]) -> tuple[AxisMemory, ...]:
    """The inverse of `memory_row`."""
    rows = [memory[i : i + _KEPT] for i in range(0, 3 * _KEPT, _KEPT)]
    return tuple(AxisMemory(a, PidMemory(b, c, d)) for a, b, c, d in rows)


def _gains_at(row: Array, at: int) -> AxisGains:
    """Gains of one axis of a row."""
    rate = PidGains(row[at + 3], row[at + 4], row[at + 5], row[at + 6], row[at + 7], row[at + 8], row[at + 9])
    return AxisGains(row[at], row[at + 1], row[at + 2], rate)


def observe(law: Array, held: Array, sensor: int, values: Array) -> None:
    """Take attitude or turn rate from the values of a sensor, as the part `instruments` does.

    Parameters
    ----------
    law
        Numbers of a `CascadeLaw`; none where there is no law.
    held
        Numbers of `HeldInputs`, whose attitude or turn rate is replaced.
    sensor
        Index of the sensor.
    values
        Its values: roll, pitch and heading in rad, or turn rates in sensor axes in rad/s.
    """
    if law.size == 0:
        return
    if sensor == law[_ATTITUDE_SENSOR]:
        q_BS = vector4_at(law, _ATTITUDE_MOUNT)
        q_NB = product(from_euler_zyx(values[0], values[1], values[2]), conjugate(q_BS))
        for i in range(4):
            held[_ATTITUDE + i] = q_NB[i]
    if sensor == law[_RATE_SENSOR]:
        R_BS = (vector3_at(law, _RATE_MOUNT), vector3_at(law, _RATE_MOUNT + 3), vector3_at(law, _RATE_MOUNT + 6))
        turn_rate = matvec3(R_BS, (values[0], values[1], values[2]))
        for i in range(3):
            held[_RATES + i] = turn_rate[i]


def steer(law: Array, memory: Array, held: Array, commands: Array) -> bool:
    """Commands of one step; False where they are not finite.

    Parameters
    ----------
    law, held
        Numbers of a `CascadeLaw` and of `HeldInputs`.
    memory
        Numbers of `memory_row`, which are advanced.
    commands
        Filled with the forces of the thrusters, N.
    """
    angles = rotation_to_reference(vector4_at(held, _ATTITUDE), vector4_at(held, _REFERENCE))
    for axis in range(3):
        at = _KEPT * axis
        before = AxisMemory(memory[at], PidMemory(memory[at + 1], memory[at + 2], memory[at + 3]))
        after, torque = cascade_torque(_gains_at(law, _AXIS_SIZE * axis), before, angles[axis], held[_RATES + axis])
        memory[at], memory[at + 1] = after.error, after.rate.integral
        memory[at + 2], memory[at + 3] = after.rate.previous, after.rate.slope
        memory[TORQUE + axis] = law[_ACTS + axis] * torque
    for j in range(3):
        memory[WRENCH + j], memory[WRENCH + 3 + j] = held[j], held[3 + j] + memory[TORQUE + j]
    inverse = array_view(law, _INVERSE, (commands.size, 6))
    least_forces(inverse, array_view(memory, WRENCH, (6,)), commands)
    total = 0.0
    for i in range(commands.size):
        total += commands[i] * commands[i]
    return math.isfinite(total)
