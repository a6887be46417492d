"""Free run of a gyro-driven model: velocity from propeller, gyros and attitude after one measured start."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from remora.equations.algebra.vectors import add3, scale3
from remora.equations.estimation.gyro_driven import GyroDriven, Rotation, heading_terms, velocity_rate, water_velocity
from remora.equations.types import Vector3
from remora.files.arrays import Array
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
