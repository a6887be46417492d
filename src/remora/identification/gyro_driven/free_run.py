"""Free run of a gyro-driven model: velocity from propeller, gyros and attitude after one measured start.

With a calm-water model it gives the velocity of the water, to compare with a current profiler (Randeni et al. 2017).
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.vectors import ZERO3, add3, scale3
from remora.equations.estimation.gyro_driven import GyroDriven, Rotation, heading_terms, velocity_rate, water_velocity
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.identification.data.record import Segment
from remora.identification.gyro_driven.data import GyroData
from remora.identification.problems import RecordError
from remora.identification.replay import Score, score
from remora.plant.failures import RunError

AXES = ("surge", "sway", "heave")
STEP = 0.12  # s: Runge-Kutta against dynamics of a second
_FASTEST = 30.0  # m/s: beyond it the model diverges


class FreeRun(NamedTuple):
    """Velocity of a model and its scores against the measured one."""

    velocity: Array  # n x 3, NaN where a segment has no measured start yet
    scores: dict[str, Score]  # per axis, against the measured velocity


class _Drive(NamedTuple):
    """Inputs of the model at the ends and the middle of every step of a segment."""

    step: float
    thrust: list[float]
    rotation: list[Rotation]


def free_run(model: GyroDriven | Sequence[GyroDriven], data: GyroData, step: float = STEP) -> FreeRun:
    """Integrate a model from the first measured velocity of each segment, with linearly interpolated inputs.

    Parameters
    ----------
    model
        One model, or one for each sample, valid until the next.
    data
        Thrust, turn rates, attitude and initial velocity. Other velocities are only used for the scores.
    step
        Largest integration step, s. The literal scaling is stiff and needs 0.01.

    Raises
    ------
    RunError
        When the model diverges.
    """
    models = [model] * len(data.time) if isinstance(model, GyroDriven) else list(model)
    if len(models) != len(data.time):
        raise ValueError(f"{len(models)} models for {len(data.time)} samples: give one, or one for each sample")
    velocity = np.full((len(data.time), 3), np.nan)
    for s in data.segments:
        known = np.flatnonzero(np.isfinite(data.velocity[s.start : s.stop]).all(axis=1))
        if len(known):
            first = s.start + int(known[0])
            velocity[first : s.stop] = _run_segment(models, data, Segment(first, s.stop), step)
    if np.isnan(velocity).all():
        raise RecordError("has no measured velocity to start from.", data.source)
    return FreeRun(velocity, _scores(velocity, data.velocity))


def _run_segment(models: Sequence[GyroDriven], data: GyroData, s: Segment, step: float) -> Array:
    u, v, w = data.velocity[s.start].tolist()
    now: Vector3 = (u, v, w)
    found = [now]
    if s.stop - s.start == 1:
        return np.array(found)
    interval = float(np.median(np.diff(data.time[s.start : s.stop])))
    count = max(1, math.ceil(interval / step))
    drives = {flag: _drive(data, s, count, flag) for flag in {model.circular_heading for model in models}}
    for k in range(s.stop - s.start - 1):
        model = models[s.start + k]
        drive = drives[model.circular_heading]
        for j in range(2 * count * k, 2 * count * (k + 1), 2):
            now = _runge_kutta(model, drive, j, now)
        if not abs(now[0]) + abs(now[1]) + abs(now[2]) < _FASTEST:
            raise RunError("the gyro-driven model runs away", float(data.time[s.start + k]))
        found.append(now)
    return np.array(found)


def _drive(data: GyroData, s: Segment, count: int, circular_heading: float) -> _Drive:
    """Inputs at half steps, with `count` steps per sample."""
    samples = s.stop - s.start
    at, known = np.arange(2 * count * (samples - 1) + 1) / (2.0 * count), np.arange(samples)

    def lines(column: Array) -> Array:
        return np.interp(at, known, column[s.start : s.stop])

    def rows(*columns: Array) -> Any:
        return zip(*(column.tolist() for column in columns), strict=True)

    _, pitch, heading = data.angles
    rates = rows(*(lines(column) for column in data.rates.T))
    accelerations = rows(*(lines(column) for column in data.turn_acceleration.T))
    pair: Any = heading_terms(circular_heading, lines(heading))  # type: ignore[arg-type]
    table = zip(rates, accelerations, lines(pitch).tolist(), rows(*pair), strict=True)
    duration = float(data.time[s.stop - 1] - data.time[s.start])
    return _Drive(
        duration / (count * (samples - 1)), lines(data.thrust).tolist(), [Rotation._make(row) for row in table]
    )


def _runge_kutta(model: GyroDriven, drive: _Drive, j: int, v: Vector3) -> Vector3:
    """One step of the classical Runge-Kutta method."""
    h, thrust, rotation = drive
    first = velocity_rate(model, thrust[j], v, rotation[j])
    second = velocity_rate(model, thrust[j + 1], add3(v, scale3(0.5 * h, first)), rotation[j + 1])
    third = velocity_rate(model, thrust[j + 1], add3(v, scale3(0.5 * h, second)), rotation[j + 1])
    fourth = velocity_rate(model, thrust[j + 2], add3(v, scale3(h, third)), rotation[j + 2])
    total = add3(add3(first, fourth), scale3(2.0, add3(second, third)))
    return add3(v, scale3(h / 6.0, total))


def _scores(velocity: Array, measured: Array) -> dict[str, Score]:
    scores = {}
    for i, axis in enumerate(AXES):
        both = np.isfinite(velocity[:, i]) & np.isfinite(measured[:, i])
        scores[axis] = score(velocity[both, i], measured[both, i])
    return scores


def water_velocity_estimate(calm: GyroDriven, data: GyroData) -> Array:
    """Velocity of the water in N, n x 3, m/s: measured velocity over ground less that of the calm-water model.

    The method needs no acoustic water track (Randeni et al. 2017). The model must be that of calm water: a calibrated
    one includes the current. It runs free, because an observer would follow the velocity over ground.
    """
    through_water: Any = tuple(free_run(calm, data).velocity.T)
    over_ground: Any = tuple(data.velocity.T)
    quaternion: Any = tuple(data.quaternion.T)
    return np.column_stack(water_velocity(quaternion, over_ground, through_water))


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
    data, position
        Samples with velocity over ground, turn rates and attitude; position of the sensor in body axes, m.
    cells
        Velocities of the water relative to the sensor: samples x cells x 3, in body axes, m/s; NaN where a cell is not
        clear.
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
