"""Attitude cascade and pseudo-inverse as one function on rows of numbers, for compiled code."""

import math
from typing import NamedTuple

import numpy as np

from remora.control.allocation.least_forces import least_forces
from remora.equations.algebra.quaternions import Quaternion
from remora.equations.algebra.vectors import Vector3, Wrench
from remora.equations.control.attitude_cascade import (
    AxisGains,
    AxisMemory,
    PidGains,
    PidMemory,
    cascade_torque,
    rotation_to_reference,
)
from remora.files.arrays import Array
from remora.kernels.layouts.array_views import array_view

_AXIS_SIZE, _KEPT = 10, 4  # numbers of the gains of an axis, and of those that it keeps
_ACTS, _INVERSE = 3 * _AXIS_SIZE, 3 * _AXIS_SIZE + 3  # places in the numbers of a law
TORQUE, WRENCH = 3 * _KEPT, 3 * _KEPT + 3  # places of the torque and of the whole wrench in the memory
_REFERENCE, _ATTITUDE, _RATES = 6, 10, 14  # places in the held numbers


_NO_OUTPUT = (0.0,) * 9


class CascadeLaw(NamedTuple):
    """Attitude cascade and control allocation."""

    axes: tuple[AxisGains, AxisGains, AxisGains]
    acts: Vector3  # one for each controlled axis, else zero
    inverse: Array  # n x 6, forces of thrusters from a wrench

    def numbers(self) -> Array:
        """The law in a row."""
        axes = [number for gains in self.axes for number in (*gains[:3], *gains.rate)]
        return np.array([*axes, *self.acts, *self.inverse.ravel().tolist()])


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


def _four_at(row: Array, at: int) -> Quaternion:
    return (row[at], row[at + 1], row[at + 2], row[at + 3])


def _gains_at(row: Array, at: int) -> AxisGains:
    """Gains of one axis of a row."""
    rate = PidGains(row[at + 3], row[at + 4], row[at + 5], row[at + 6], row[at + 7], row[at + 8], row[at + 9])
    return AxisGains(row[at], row[at + 1], row[at + 2], rate)


def steer(law: Array, memory: Array, held: Array, commands: Array) -> bool:
    """Fill the commands of one sample and advance the memory; False where they are not finite.

    Parameters
    ----------
    law, memory, held
        Numbers of a `CascadeLaw`, of its memory and of `HeldInputs`.
    commands
        Of the thrusters, N.
    """
    angles = rotation_to_reference(_four_at(held, _ATTITUDE), _four_at(held, _REFERENCE))
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
