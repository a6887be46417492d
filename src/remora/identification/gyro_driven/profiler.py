"""Velocity of the water from a current profiler, against that of a calm-water model (Randeni et al. 2017)."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.vectors import ZERO3
from remora.equations.estimation.gyro_driven import GyroDriven
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.free_run import water_velocity_estimate


class WaterComparison(NamedTuple):
    """Water velocity by model and by profiler, in N, and how they differ north, east and down, m/s."""

    modelled: Array  # n x 3
    profiled: Array  # n x 3; NaN where no cell was clear
    mean: Array  # of modelled less profiled
    deviation: Array  # standard deviation of the difference
    samples: int  # with both


def profiled_water_velocity(data: GyroData, cells: ArrayLike, position: Vector3 = ZERO3) -> Array:
    """Velocity of the water in N from the cells of a profiler: n x 3, m/s.

    The velocity over ground at the sensor is added to the mean of the clear cells.

    Parameters
    ----------
    data
        Samples with velocity over ground, turn rates and attitude.
    cells
        Velocities of the water relative to the sensor: samples x cells x 3, in body axes, m/s; NaN where a cell is not
        clear.
    position
        Of the sensor in body axes, m.
    """
    relative = np.asarray(cells, dtype=float)
    if relative.ndim != 3 or relative.shape[::2] != (len(data.time), 3):
        raise InputError(f"cells has shape {relative.shape}: give {len(data.time)} samples x cells x 3 numbers.").about(
            "cells", relative.shape
        )
    clear = np.isfinite(relative).all(axis=2)
    total = np.where(clear[:, :, None], relative, 0.0).sum(axis=1)
    count = clear.sum(axis=1)[:, None]
    mean = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    at_sensor = data.velocity + np.cross(data.rates, position) + mean
    quaternion: Any = tuple(data.quaternion.T)
    velocity: Any = tuple(at_sensor.T)
    return np.column_stack(position_rate(quaternion, velocity))


def compare_with_profiler(
    calm: GyroDriven, data: GyroData, cells: ArrayLike, position: Vector3 = ZERO3
) -> WaterComparison:
    """The velocity of the water by a calm-water model against that of a current profiler.

    Parameters
    ----------
    calm
        Model of calm water; a calibrated one includes the current.
    data, cells, position
        As for `profiled_water_velocity`.
    """
    modelled, profiled = water_velocity_estimate(calm, data), profiled_water_velocity(data, cells, position)
    apart = modelled - profiled
    known = np.isfinite(apart).all(axis=1)
    if not known.any():
        raise InputError("cells: no sample has a clear cell and a modelled velocity.").about("cells")
    return WaterComparison(modelled, profiled, apart[known].mean(axis=0), apart[known].std(axis=0), int(known.sum()))
