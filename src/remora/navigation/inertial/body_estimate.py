"""Estimate of the vehicle from the memory of a filter: pose, motion and standard deviations of B, in one compiled call.

The compiled code serves every layout of the state, which it reads from a row of places. It rounds as plain Python does.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numba import float64, int64, void

from remora.equations.algebra.elementary import sqrt
from remora.equations.algebra.kinematics import position_rate, to_body
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import ZERO3, cross, matvec3, subtract3
from remora.equations.navigation.charts import NavigationPose, body_error
from remora.equations.navigation.process_models import calibrated, constant_velocity_step, decayed3, strapdown_step
from remora.equations.types import Matrix3, Vector3
from remora.files.arrays import Array
from remora.navigation.filters.beliefs import Integers
from remora.navigation.filters.compiling import FilterSizes, filter_sizes
from remora.navigation.inertial.state_blocks import StateLayout
from remora.navigation.inertial.state_functions import pose
from remora.plant.strict import strict_kernel

# Places: of factors and inputs in the memory, then of each block and of its rate in the row of parameters.
DRIVEN, ERRORS, PADDED, DIAGONAL, FACTORS, HELD = range(6)
ACCELEROMETER, FORCE_COUPLING, GYRO, TURN_COUPLING, TURN_RATE = range(6, 16, 2)
BLOCKS = {
    "accelerometer_bias": ACCELEROMETER,
    "accelerometer_coupling": FORCE_COUPLING,
    "gyro_bias": GYRO,
    "gyro_coupling": TURN_COUPLING,
    "turn_rate": TURN_RATE,
}
FREE, BY_GYRO, BY_IMU = range(3)
MISSING = -1  # place of a block that the state does not have
MOTION, SIZE = 13, 22  # numbers of pose and twist; with nine standard deviations
_ROW, _PLACES = float64[::1], int64[::1]
SIGNATURE = void(_ROW, _PLACES, _ROW, float64, _ROW, _ROW, _ROW)


def places_of(layout: StateLayout, sizes: FilterSizes, driven_by: str, rates_at: int) -> Integers:
    """Places of a filter that is driven by "imu", "gyro" or nothing, with the rates of its blocks at an index."""
    found, names = np.full(TURN_RATE + 2, MISSING), filter_sizes(sizes)
    found[DRIVEN] = ("", "gyro", "imu").index(driven_by)
    found[ERRORS], found[PADDED], found[DIAGONAL] = sizes.errors, names["PADDED"], sizes.states
    found[FACTORS], found[HELD] = names["FACTORS"], names["HELD"]
    for k, block in enumerate(layout.blocks):
        if block.name in BLOCKS:
            at = BLOCKS[block.name]
            found[at], found[at + 1] = layout.start(block.name), rates_at + k
    return found


def vector_in(x: Any, at: int) -> Vector3:
    """Three numbers of a block; zero where the state has none."""
    return ZERO3 if at == MISSING else (x[at], x[at + 1], x[at + 2])


def matrix_in(x: Any, at: int) -> Matrix3:
    """Nine numbers of a block as a matrix; zero where the state has none."""
    return (ZERO3, ZERO3, ZERO3) if at == MISSING else (vector_in(x, at), vector_in(x, at + 3), vector_in(x, at + 6))


def moved_pose(memory: Any, places: Any, row: Any, elapsed: float) -> NavigationPose:
    """Pose after a time with the held inputs, as by the process model."""
    held, driven = memory[places[HELD] :], places[DRIVEN]
    if driven == FREE:
        return constant_velocity_step(pose(memory), vector_in(memory, places[TURN_RATE]), elapsed)
    bias, coupling = vector_in(memory, places[GYRO]), matrix_in(memory, places[TURN_COUPLING])
    if driven == BY_GYRO:
        return constant_velocity_step(pose(memory), calibrated((held[0], held[1], held[2]), bias, coupling), elapsed)
    w = calibrated((held[3], held[4], held[5]), bias, coupling)
    offset, stretched = vector_in(memory, places[ACCELEROMETER]), matrix_in(memory, places[FORCE_COUPLING])
    force = calibrated((held[0], held[1], held[2]), offset, stretched)
    return strapdown_step(pose(memory), force, w, row[0], (row[1], row[2], row[3]), elapsed)


def decayed_in(x: Any, at: int, rate_at: int, row: Any, elapsed: float) -> Vector3:
    """Three numbers of a block after a time; zero where the state has none."""
    return ZERO3 if at == MISSING else decayed3((x[at], x[at + 1], x[at + 2]), row[rate_at], elapsed)


def turn_rate_after(memory: Any, places: Any, row: Any, elapsed: float, inputs: Any) -> Vector3:
    """Angular velocity in body axes after a time, from an inertial reading of that time."""
    if places[DRIVEN] == FREE:
        return decayed_in(memory, places[TURN_RATE], places[TURN_RATE + 1], row, elapsed)
    first = 3 if places[DRIVEN] == BY_IMU else 0
    bias = decayed_in(memory, places[GYRO], places[GYRO + 1], row, elapsed)
    at, rate = places[TURN_COUPLING], places[TURN_COUPLING + 1]
    coupling = matrix_in(memory, at)
    if at != MISSING:
        second, third = decayed_in(memory, at + 3, rate, row, elapsed), decayed_in(memory, at + 6, rate, row, elapsed)
        coupling = (decayed_in(memory, at, rate, row, elapsed), second, third)
    return calibrated((inputs[first], inputs[first + 1], inputs[first + 2]), bias, coupling)


def estimate_body(
    memory: Array, places: Integers, row: Array, elapsed: float, inputs: Array, place: Array, out: Array
) -> None:
    """Fill in position, attitude, twist and standard deviations of B after a time.

    Memory holds state, D, columns of U and held inputs of the filter; the inputs are the inertial reading at the end of
    the time, in body axes, and `place` is the inertial unit from B, m. The deviations are of position, velocity and
    attitude.
    """
    here, r = moved_pose(memory, places, row, elapsed), (place[0], place[1], place[2])
    w = turn_rate_after(memory, places, row, elapsed, inputs)
    place_N, v_I = position_rate(here.q, r), to_body(here.q, here.v)
    p, v = subtract3(here.p, place_N), subtract3(v_I, cross(w, r))
    for i in range(3):
        out[i], out[7 + i], out[10 + i] = p[i], v[i], w[i]
    for i in range(4):
        out[3 + i] = here.q[i]
    for i in range(MOTION, SIZE):
        out[i] = 0.0
    R_NB = rotation_matrix(here.q)
    for k in range(places[ERRORS]):
        column = memory[places[FACTORS] + k * places[PADDED] :]
        error = body_error(column, R_NB, place_N, here.v)
        for i in range(SIZE - MOTION):
            out[MOTION + i] += memory[places[DIAGONAL] + k] * error[i] * error[i]
    for i in range(MOTION, SIZE):
        out[i] = sqrt(out[i])


@lru_cache(maxsize=1)
def estimate_kernel() -> Any:
    """Compiled `estimate_body`, from the cache or compiled now."""
    return strict_kernel(estimate_body, SIGNATURE, "estimates of navigation filters", 4, pose)


def deviations_of(covariance: Array, q_NB: Any, v_I: Vector3, place: Vector3) -> tuple[float, ...]:
    """Nine standard deviations of B, as `estimate_body`, from a covariance of the errors of a filter.

    The velocity of the inertial unit is in body axes, m/s, and `place` the unit from B, m.
    """
    J, R = np.eye(9), rotation_matrix(q_NB)
    given = (R, matvec3(R, place), matvec3(R, v_I))
    for i in range(6, 9):
        J[:, i] = body_error(tuple(float(i == j) for j in range(9)), *given)
    spread: Array = np.sqrt(np.maximum((J @ covariance[:9, :9] * J).sum(axis=1), 0.0))
    return tuple(spread.tolist())
