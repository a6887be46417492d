"""Accelerations that the plant predicts, split by their causes: the regressors of lost thrust and of model errors.

Measured less predicted acceleration = - sum over thrusters of (lost share) x (acceleration by that thruster)
+ per axis: (gain error) x (acceleration by all thrusters) + (drag error) x (acceleration by motion over ground)
+ slow unmodelled acceleration; + (current north and east, the same for all axes) x (acceleration per current).
The tolerance of a thruster is a small lost share that does not change.
"""

from typing import NamedTuple

import numpy as np

from remora.equations.algebra.vectors import ZERO3, Twist, Vector3
from remora.files.arrays import Array
from remora.kernels.plant import Plant

AXES = 6
# Columns of `regression_rows`; the residual is the last.
THRUST, MOTION, FIRST_THRUSTER = 0, 3, 4
CURRENT = slice(1, 3)
CURRENT_ERRORS = slice(3 * AXES, 3 * AXES + 2)  # among the errors of the model, after three of each axis
CURRENT_STEP = 0.1  # m/s, for the difference quotient: a plausible current


class SplitAcceleration(NamedTuple):
    """Predicted acceleration of B in body axes, m/s2 and rad/s2."""

    total: Array  # 6
    by_thruster: Array  # thrusters x 6
    by_motion: Array  # 6, drag and Coriolis
    by_current: Array  # 6 x 2, per m/s of current north and east


def split_acceleration(
    plant: Plant,
    q_NB: tuple[float, ...],
    twist: Twist,
    outputs: tuple[float, ...],
    thrusters: int,
    current: tuple[float, float] = (0.0, 0.0),
) -> SplitAcceleration:
    """Predicted acceleration and its parts, linear in the current about a known one; the total is that without it.

    The twist is in body axes, m/s and rad/s; thrusters come first among the outputs of the actuators. Drag is
    linearised about a current north and east, m/s.
    """
    north, east = current
    flowing = (north, east, 0.0)

    def rate(moving: Twist | tuple[float, ...], given: tuple[float, ...], water: Vector3) -> Array:
        state = plant.initial_state(quaternion=q_NB, twist=moving, outputs=given)
        return plant.derivative(state, given, water=water)[7:13]

    none = (0.0,) * len(outputs)
    total = rate(twist, outputs, flowing)
    alone = [
        total - rate(twist, (*outputs[:i], 0.0, *outputs[i + 1 :]), flowing) if outputs[i] else np.zeros(AXES)
        for i in range(thrusters)
    ]
    steps = ((CURRENT_STEP, 0.0), (0.0, CURRENT_STEP))
    by_current = np.column_stack(
        [
            (rate(twist, none, (north + n, east + e, 0.0)) - rate(twist, none, (north - n, east - e, 0.0)))
            / (2.0 * CURRENT_STEP)
            for n, e in steps
        ]
    )
    motion = rate(twist, none, flowing) - rate((0.0,) * AXES, none, ZERO3)
    return SplitAcceleration(total - by_current @ np.array(current), np.array(alone), motion, by_current)


def regression_rows(split: SplitAcceleration, measured: Array, effectiveness: Array) -> Array:
    """One row per axis: acceleration by all thrusters, by current, motion and each thruster, and the residual one."""
    lost = (1.0 - effectiveness) @ split.by_thruster
    thrust = effectiveness @ split.by_thruster
    residual = measured - (split.total - lost)
    return np.column_stack([thrust, split.by_current, split.by_motion, split.by_thruster.T, residual])
