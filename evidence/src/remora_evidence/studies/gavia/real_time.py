"""gavia-5.9: calibration while under way, and what forgetting does to it."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from remora.equations.estimation.gyro_driven import GyroDriven
from remora.files.arrays import Array
from remora.identification.gyro_driven.calibration import CALIBRATION, RealTimeCalibration, run_real_time_calibration
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.fit import PRIOR, regression, solved_recursively
from remora.identification.gyro_driven.free_run import AXES
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.gavia import records
from remora_evidence.studies.gavia.calm_water import data, gavia, recursive_fit

SENSOR_RATE = 25.0  # Hz, in real time
FORGETTING = (0.90, 0.95, 1.00)
ENVIRONMENTS = ("calm", "field")
SETTLED = 20  # samples that an estimator is given before its errors count
HOUR, QUARTER = 3600.0, 783  # s, and samples after which the variance is looked at


@cache
def survey(environment: str, seed: int) -> GyroData:
    """Two legs of a survey with a turn in between, in calm water or in the field."""
    path = records.lawn_mower(2)
    there = records.CURRENT if environment == "field" else records.CALM
    water = records.water_of(there, seed, path.duration)
    made = records.follow(records.changed(gavia(), there), path, water)
    return records.logged(gavia(), made, seed, f"{environment} survey")


def real_time_data(environment: str, seed: int) -> GyroData:
    """What Table 5 was made from: the first 260 s of ID1, and the first leg in the field."""
    if environment == "field":
        return survey("field", seed).rows(0, int(records.LEG / records.INTERVAL))
    return data("matched", "ID1", seed).rows(0, int(260.0 / records.INTERVAL))


class Left(NamedTuple):
    """Mean size of what an estimator leaves over, m/s2 per axis."""

    behind: Array  # after each sample was learned
    ahead: Array  # before it was


@cache
def left_over(environment: str, seed: int, forgetting: float, held: bool) -> Left:
    """Plain forgetting on the terms of calibration; held means that each sample is learned 29 times, as at 25 Hz."""
    made, model = real_time_data(environment, seed), recursive_fit("ID1", seed).model
    times = round(SENSOR_RATE * records.INTERVAL) if held else 1
    behind, ahead = [], []
    for axis in AXES:
        rows = regression(made, axis, model.surge_mass, model.circular_heading)
        matrix = np.repeat(rows.matrix[:, list(getattr(CALIBRATION, axis))], times, axis=0)
        target = np.repeat(rows.target - rows.matrix @ np.array(getattr(model, axis)), times)
        after = solved_recursively(matrix, target, np.zeros(matrix.shape[1]), PRIOR, forgetting)
        before = np.vstack([np.zeros(matrix.shape[1]), after[:-1]])
        scale = model.surge_mass if axis == "surge" else 1.0
        behind.append(np.mean(np.abs(target - np.sum(matrix * after, axis=1))) / scale)
        first = slice(SETTLED * times, None, times)  # where a sample is new
        ahead.append(np.mean(np.abs(target - np.sum(matrix * before, axis=1))[first]) / scale)
    return Left(np.array(behind), np.array(ahead))


def forgetting_factors(seeds: Sequence[int]) -> list[Value]:
    """Table 5 and what it hides: errors before and after each sample, and the estimator that is used by default."""
    figures = []
    for environment in ENVIRONMENTS:
        for held in (False, True):
            figures += _orderings(environment, held, seeds)
    for environment in ENVIRONMENTS:
        figures += _table(environment, seeds)
    return [*figures, *_default_estimator(seeds)]


def _orderings(environment: str, held: bool, seeds: Sequence[int]) -> list[Value]:
    """Errors after learning fall with the memory, on every axis; this says nothing of the model."""
    found = np.array([[left_over(environment, seed, x, held).behind for x in FORGETTING] for seed in seeds])
    name = f"{environment}, {'held samples' if held else 'one update per sample'}"
    ratios = np.max(found[:, :-1] / found[:, 1:], axis=(0, 2))
    figures = [
        (f"{name}: error after learning, {a:.2f} over {b:.2f}, worst axis", ratio)
        for a, b, ratio in zip(FORGETTING[:-1], FORGETTING[1:], ratios, strict=True)
    ]
    if held:
        figures.append((f"{name}, 0.90: error after learning, worst axis", np.max(found[:, 0])))
    return figures


def _table(environment: str, seeds: Sequence[int]) -> list[Value]:
    """The printed errors next to those after and before learning of held samples, mean of all seeds."""
    figures = []
    for forgetting in FORGETTING:
        all_left = [left_over(environment, seed, forgetting, True) for seed in seeds]
        behind, ahead = (np.mean([left[part] for left in all_left], axis=0) for part in (0, 1))
        for i, axis in enumerate(AXES):
            name = f"{environment}, held, {forgetting:.2f}, {axis}"
            figures.append((f"{name}: after", behind[i]))
            figures.append((f"{name}: before", ahead[i]))
    return figures


def _default_estimator(seeds: Sequence[int]) -> list[Value]:
    """Variance over an hour straight ahead, and errors before learning against an estimator that never forgets."""
    steady, stepped, variances = [], [], []
    for seed in seeds:
        calm, field, step, variance = _default_shares(seed)
        steady += [calm, field]
        stepped.append(step)
        variances.append(variance)
    name = "default estimator"
    return [
        *((f"{name}, steady, {axis}: error before learning over that without forgetting", share)
          for axis, share in zip(AXES, np.max(steady, axis=0), strict=True)),
        *((f"{name}, after a step of environment, {axis}: the same", share)
          for axis, share in zip(AXES, np.max(stepped, axis=0), strict=True)),
        (f"{name}, an hour straight ahead: largest variance over its bound", max(variances)),
    ]  # fmt: skip


@cache
def _default_shares(seed: int) -> tuple[Array, Array, Array, float]:
    """Errors in calm water, in the field and after a step from one to the other, and the largest variance."""
    model = recursive_fit("ID1", seed).model
    calm, field = survey("calm", seed), survey("field", seed)
    return (
        _share(model, [calm], SETTLED),
        _share(model, [field], SETTLED),
        _share(model, [calm, field], len(calm.time) + 1),
        _largest_variance(model, seed),
    )


def _share(model: GyroDriven, parts: Sequence[GyroData], first: int) -> Array:
    """Errors before learning from a sample on, with forgetting over those without."""
    found = []
    for calibration in (RealTimeCalibration(model), RealTimeCalibration(model, forgetting=1.0)):
        state, ahead = calibration.initial(), []
        for part in parts:
            run = run_real_time_calibration(calibration, part, state)
            state = run.state
            ahead.append(run.ahead)
        found.append(np.mean(np.abs(np.concatenate(ahead)[first:]), axis=0))
    return np.asarray(found[0] / found[1])


def _largest_variance(model: GyroDriven, seed: int) -> float:
    """The largest variance of a number in an hour straight ahead, over the one at the floor of the information."""
    minute = records.follow(gavia(), records.straight(60.0))
    hour = records.logged(gavia(), records.repeated(minute, HOUR), seed, "straight")
    calibration, largest = RealTimeCalibration(model), 0.0
    state = calibration.initial()
    for start in range(0, len(hour.time), QUARTER):
        state = run_real_time_calibration(calibration, hour.rows(start, start + QUARTER), state).state
        largest = max(largest, *(float(np.max(part.covariance)) for part in state))
    return largest * calibration.estimator("surge").floor / calibration.prior


STUDIES: dict[str, StudyFunction] = {
    "gavia-5.9": forgetting_factors,
}
