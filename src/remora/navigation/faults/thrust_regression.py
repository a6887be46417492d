"""Accelerations that the plant predicts, split by their causes: the regressors of lost thrust and of model errors.

Measured less predicted acceleration = - sum over thrusters of (lost share) x (acceleration by that thruster)
+ per axis: (gain error) x (acceleration by all thrusters) + (drag error) x (acceleration by motion through the water)
+ slow unmodelled acceleration.
"""

from typing import NamedTuple

import numpy as np

from remora.equations.algebra.vectors import Twist
from remora.files.arrays import Array
from remora.kernels.plant import Plant

AXES = 6
NUISANCES = 3  # of each axis: gain error, drag error, slow acceleration
THRUST, MOTION, FIRST_THRUSTER = 0, 1, 2  # columns of `regression_rows`; the residual is the last


class SplitAcceleration(NamedTuple):
    """Predicted acceleration of B in body axes, m/s2 and rad/s2."""

    total: Array  # 6
    by_thruster: Array  # thrusters x 6
    by_motion: Array  # 6, drag and Coriolis


def split_acceleration(
    plant: Plant, q_NB: tuple[float, ...], twist: Twist, outputs: tuple[float, ...], thrusters: int
) -> SplitAcceleration:
    """Predicted acceleration and its parts.

    Parameters
    ----------
    plant
        The nominal vehicle.
    q_NB
        Attitude.
    twist
        Velocities in body axes, m/s and rad/s.
    outputs
        Outputs of all actuators.
    thrusters
        Number of thrusters, which come first among the actuators.
    """

    def rate(moving: Twist | tuple[float, ...], given: tuple[float, ...]) -> Array:
        state = plant.initial_state(quaternion=q_NB, twist=moving, outputs=given)
        return plant.derivative(state, given)[7:13]

    none = (0.0,) * len(outputs)
    total = rate(twist, outputs)
    alone = [
        total - rate(twist, (*outputs[:i], 0.0, *outputs[i + 1 :])) if outputs[i] else np.zeros(AXES)
        for i in range(thrusters)
    ]
    return SplitAcceleration(total, np.array(alone), rate(twist, none) - rate((0.0,) * AXES, none))


def regression_rows(split: SplitAcceleration, measured: Array, effectiveness: Array) -> Array:
    """One row per axis: acceleration by all thrusters, by motion, by each thruster, and the residual acceleration.

    Parameters
    ----------
    split
        Predicted acceleration.
    measured
        Measured acceleration.
    effectiveness
        Known share of the thrust of each thruster that is left.
    """
    lost = (1.0 - effectiveness) @ split.by_thruster
    thrust = effectiveness @ split.by_thruster
    residual = measured - (split.total - lost)
    return np.column_stack([thrust, split.by_motion, split.by_thruster.T, residual])
