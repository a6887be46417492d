"""Accelerations that the plant predicts, split by their causes: the regressors of lost thrust and of model errors.

Measured less predicted acceleration = - sum over thrusters of (lost share) x (acceleration by that thruster)
+ per axis: (gain error) x (acceleration by all thrusters) + (drag error) x (acceleration by motion through the water)
+ slow unmodelled acceleration; + (current north and east, the same for all axes) x (acceleration per current).
The tolerance of a thruster is a small lost share that does not change.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.vectors import ZERO3
from remora.equations.packed import outputs_count
from remora.equations.types import Twist, Vector3
from remora.files.arrays import Array
from remora.plant.compilation import kernels_for
from remora.plant.forms.user_forms import codes_of
from remora.plant.inputs import writable
from remora.plant.loops import BODY_SIZE
from remora.plant.plant import Plant

AXES = 6
# Columns of `regression_rows`; the residual is the last.
SPEED_ERROR, THRUST, MOTION, FIRST_THRUSTER = 0, 1, 4, 5
CURRENT = slice(2, 4)
LEAST_SPEED_ERROR = 0.005  # m/s, standard deviation of a velocity: scale errors of a Doppler log
CURRENT_STEP = 0.1  # m/s, for the difference quotient: a plausible current


class MotionSample(NamedTuple):
    """Motion and thrust, means over an interval, and the measured acceleration of B over it."""

    q_NB: tuple[float, ...]
    twist: Twist  # over ground in body axes, m/s and rad/s
    outputs: tuple[float, ...]  # of the actuators, thrusters first
    acceleration: tuple[float, ...]  # in body axes, m/s2 and rad/s2
    speed_error: float = 0.0  # m/s, standard deviation of the velocity


class SplitAcceleration(NamedTuple):
    """Predicted acceleration of B in body axes, m/s2 and rad/s2."""

    total: Array  # 6
    by_thruster: Array  # thrusters x 6
    by_motion: Array  # 6, drag and Coriolis
    by_current: Array  # 6 x 2, per m/s of current north and east


def split_acceleration(
    plant: Plant, sample: MotionSample, thrusters: int, current: tuple[float, float] = (0.0, 0.0)
) -> SplitAcceleration:
    """Predicted acceleration and its parts, linear in the current about a known one; the total is that without it.

    Parameters
    ----------
    plant
        The vehicle, or the assembly of vehicles.
    sample
        Motion and thrust.
    thrusters
        Number of thrusters.
    current
        Velocity of the water north and east about which drag is linearised, m/s.
    """
    north, east = current
    flowing, still = (north, east, 0.0), (0.0,) * AXES
    acceleration = _acceleration_function(plant, sample.q_NB)
    outputs, none = sample.outputs, (0.0,) * len(sample.outputs)
    total = acceleration(sample.twist, outputs, flowing)
    alone = [
        total - acceleration(sample.twist, (*outputs[:i], 0.0, *outputs[i + 1 :]), flowing)
        if outputs[i]
        else np.zeros(AXES)
        for i in range(thrusters)
    ]
    steps = ((CURRENT_STEP, 0.0), (0.0, CURRENT_STEP))
    by_current = np.column_stack(
        [
            (
                acceleration(sample.twist, none, (north + n, east + e, 0.0))
                - acceleration(sample.twist, none, (north - n, east - e, 0.0))
            )
            / (2.0 * CURRENT_STEP)
            for n, e in steps
        ]
    )
    motion = acceleration(sample.twist, none, flowing) - acceleration(still, none, ZERO3)
    return SplitAcceleration(total - by_current @ np.array(current), np.array(alone), motion, by_current)


def regression_rows(split: SplitAcceleration, sample: MotionSample, effectiveness: Array) -> Array:
    """One row per axis, in m/s2 and rad/s2.

    Columns are the standard deviation of drag at a wrong velocity, the accelerations by all thrusters, by current, by
    motion and by each thruster, and the residual one.
    """
    lost = (1.0 - effectiveness) @ split.by_thruster
    thrust = effectiveness @ split.by_thruster
    noise = max(sample.speed_error, LEAST_SPEED_ERROR) * np.linalg.norm(split.by_current, axis=1)
    residual = np.array(sample.acceleration) - (split.total - lost)
    return np.column_stack([noise, thrust, split.by_current, split.by_motion, split.by_thruster.T, residual])


def _acceleration_function(
    plant: Plant, q_NB: tuple[float, ...]
) -> Callable[[Twist | tuple[float, ...], tuple[float, ...], Vector3], Array]:
    """Acceleration as a function of twist, outputs of the actuators and current: a dozen calls per sample.

    `Plant.derivative` checks its arguments, which takes ten times as long as the compiled function.
    """
    packed = plant.packed
    rate = kernels_for(packed.layout).rate
    row, codes = writable("row", packed.row), codes_of(packed.layout)
    state, result = np.zeros(BODY_SIZE + packed.actuator_states), np.empty(BODY_SIZE + packed.actuator_states)
    inputs, reported = np.zeros(AXES + packed.actuators + 3), np.empty(outputs_count(packed.layout))
    state[3:7] = np.array(q_NB) / np.linalg.norm(q_NB)

    def acceleration(twist: Twist | tuple[float, ...], outputs: tuple[float, ...], water: Vector3) -> Array:
        state[7:BODY_SIZE] = twist
        state[BODY_SIZE : BODY_SIZE + packed.actuators] = inputs[AXES : AXES + packed.actuators] = outputs
        inputs[-3:] = water
        rate(row, codes, state, inputs, reported, result)
        return result[7:BODY_SIZE].copy()

    return acceleration
