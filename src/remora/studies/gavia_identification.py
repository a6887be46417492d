"""gavia-5.1 to 5.6 and 5.9: identification of a gyro-driven model and its calibration while under way.

Field data do not exist, so the studies run on twins: the recommended plant, which has the surge of the estimator, and one
that has not (strips across the flow, thrust that falls with speed, a lagging velocity).
"""

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.equations.damping import Strip
from remora.equations.gyro_driven import GyroDriven
from remora.equations.thrusters import THRUST_FROM_SPEED_AND_INFLOW
from remora.equations.vectors import diagonal6
from remora.identification.field_calibration import CALIBRATION, calibrate
from remora.identification.gyro_data import GyroData
from remora.identification.gyro_driven_fit import (
    BASELINE,
    PRIOR,
    GyroFit,
    Method,
    fit_gyro_driven,
    regression,
    solved_recursively,
)
from remora.identification.gyro_driven_run import AXES, free_run, water_velocity_estimate
from remora.identification.real_time_calibration import RealTimeCalibration, calibrated_on_the_way
from remora.studies import gavia_records as records
from remora.studies.figures import Figure, Study, at_least, at_most, near, reported
from remora.vehicles import Vehicle, load_vehicle

Array = NDArray[np.float64]
SOURCE = "Randeni et al. 2018"
PROGRAMS = {"ID1": records.ID1, "ID2": records.ID2, "unseen": records.UNSEEN}
METHODS: dict[str, Method] = {"RLS": "recursive", "PEM": "prediction error"}
LARGEST = {"surge": 0.13, "sway": 0.03, "heave": 0.03}  # m/s
PRINTED = {
    "RLS, ID1": (0.13, 0.03, 0.02),
    "RLS, ID2": (0.13, 0.02, 0.02),
    "PEM, ID1": (0.13, 0.03, 0.02),
    "PEM, ID2": (0.12, 0.02, 0.03),
}  # m/s RMS, Table 4
SOUND = 0.02  # m/s: what a sound implementation should reach on a plant that it can match
LITERAL_STEP = 0.01  # s: the printed scaling makes surge stiff
SIGNIFICANT = 5.0  # standard deviations that a number is away from zero
THRUST_LOSS = 0.15  # of the mismatched plant at 570 rpm and 1.6 m/s
LAG = 0.3  # s, of its velocity
STRIPS = 20
SENSOR_RATE = 25.0  # Hz, in real time
FORGETTING = (0.90, 0.95, 1.00)
TABLE_5 = {
    "calm": ((1.49e-8, 2.59e-7, 9.19e-9), (1.84e-7, 1.93e-6, 1.13e-7), (1.37, 4.60e-3, 3.81e-3)),
    "field": ((3.14e-8, 1.59e-8, 2.11e-8), (3.55e-8, 3.67e-7, 4.83e-8), (4.18e-3, 1.55e-3, 1.61e-3)),
}  # m/s2, per forgetting factor
SETTLED = 20  # samples that an estimator is given before its errors count
HOUR = 3600.0  # s


@lru_cache(maxsize=1)
def gavia() -> Vehicle:
    """The recommended plant."""
    return load_vehicle("gavia")


@lru_cache(maxsize=1)
def mismatched() -> Vehicle:
    """A plant that the estimator cannot match: the hull in strips, and a propeller that loses thrust under way."""
    p, length = gavia().parameters, 2.7
    surge = p.quadratic_damping[0][0]
    across = p.quadratic_damping[1][1] / STRIPS
    places = [length * ((k + 0.5) / STRIPS - 0.5) for k in range(STRIPS)]
    propeller = p.thrusters[0]
    square = propeller.positive.square
    curve = propeller.positive._replace(advance=-THRUST_LOSS * square * 570.0 * records.RPM / 1.6)
    changed = p._replace(
        quadratic_damping=diagonal6((surge, 0.0, 0.0, 0.0, 0.0, 0.0)),
        strips=tuple(Strip(x, across, across) for x in places),
        thrust_law=THRUST_FROM_SPEED_AND_INFLOW,
        thrusters=(propeller._replace(positive=curve, inflow_is_signed=1.0),),
    )
    return replace(gavia(), parameters=changed)


@lru_cache(maxsize=None)
def truth(plant: str, run: str) -> records.Truth:
    """What a plant does in a program in calm water."""
    if plant == "remus100":
        return records.follow(load_vehicle(plant), records.program(PROGRAMS[run], REMUS_SCALE))
    made = records.follow(gavia() if plant == "matched" else mismatched(), records.program(PROGRAMS[run]))
    return made if plant == "matched" else records.lagging(made, LAG)


def data(plant: str, run: str, seed: int) -> GyroData:
    """What is logged of it; the law of thrust is the nominal one."""
    vehicle = load_vehicle("remus100") if plant == "remus100" else gavia()
    return records.logged(vehicle, truth(plant, run), seed, run)


@lru_cache(maxsize=None)
def cells(plant: str, seed: int) -> dict[str, Array]:
    """Free-run errors on unseen data, per way to fit and set that it was fitted to: surge, sway, heave."""
    unseen, found = data(plant, "unseen", seed), {}
    for cell in PRINTED:
        how, run = cell.split(", ")
        model = fit_gyro_driven(data(plant, run, seed), method=METHODS[how]).model
        found[cell] = errors(model, unseen)
    return found


def errors(model: GyroDriven, unseen: GyroData, step: float | None = None) -> Array:
    """Free-run errors of a model, m/s RMS."""
    run = free_run(model, unseen) if step is None else free_run(model, unseen, step)
    return np.array([run.scores[axis].rmse for axis in AXES])


def at_rest(unseen: GyroData) -> Array:
    """Errors of a model that says there is no sway and no heave."""
    return np.sqrt(np.mean(np.square(unseen.velocity), axis=0))


def baseline_accuracy(seeds: Sequence[int]) -> list[Figure]:
    """Table 4 on both plants, worst seed, against printed errors and a model that knows nothing."""
    figures = []
    for plant in ("matched", "mismatched"):
        for cell, printed in PRINTED.items():
            worst = np.max([cells(plant, seed)[cell] for seed in seeds], axis=0)
            figures += [
                at_most(f"{plant} plant, {cell}: {axis}", error, LARGEST[axis], "m/s", number)
                for axis, error, number in zip(AXES, worst, printed, strict=True)
            ]
        figures += _against_rest(plant, seeds)
    sound = np.max([error for seed in seeds for error in cells("matched", seed).values()], axis=0)
    figures += [
        at_most(f"matched plant, worst of all: {axis}", error, SOUND, "m/s")
        for axis, error in zip(AXES, sound, strict=True)
    ]
    return figures + _literal(seeds)


def _against_rest(plant: str, seeds: Sequence[int]) -> list[Figure]:
    """Worst errors of sway and heave as a share of those of a model without any."""
    shares = [
        np.max(list(cells(plant, seed).values()), axis=0) / at_rest(data(plant, "unseen", seed)) for seed in seeds
    ]
    worst = np.max(shares, axis=0)
    return [at_most(f"{plant} plant, {AXES[i]}: worst error over that of no {AXES[i]}", worst[i], 1.0, "1") for i in (1, 2)]


def _literal(seeds: Sequence[int]) -> list[Figure]:
    """Surge in the printed scaling, with the heading terms that are printed."""
    found, drag = [], []
    for seed in seeds:
        fit = fit_gyro_driven(data("matched", "ID1", seed), scaling="literal", heading="printed", method="batch")
        found.append(errors(fit.model, data("matched", "unseen", seed), LITERAL_STEP)[0])
        drag.append(fit.model.surge[3:6])
    return [
        at_most("matched plant, thrust scaled as printed, ID1: surge", max(found), LARGEST["surge"], "m/s", 0.13),
        *(reported(f"the same, {name}", value, "N", printed) for name, value, printed in
          zip(("u^3", "u|u|", "u"), np.median(drag, axis=0), (-8.5937, 22.3129, -32.7171), strict=True)),
    ]  # fmt: skip


def data_set_dependence(seeds: Sequence[int]) -> list[Figure]:
    """Spread of the errors over both ways to fit and both data sets, worst seed."""
    spreads = [np.ptp(list(cells("matched", seed).values()), axis=0) for seed in seeds]
    worst = np.max(spreads, axis=0)
    return [
        at_most(f"spread of the error over four models: {axis}", spread, 0.01, "m/s", 0.01)
        for axis, spread in zip(AXES, worst, strict=True)
    ]


def significant(fit: GyroFit, axis: str) -> NDArray[np.bool_]:
    """Numbers that are many standard deviations away from zero."""
    return np.asarray(np.abs(fit.fits[axis].values) > SIGNIFICANT * fit.fits[axis].sigma)


@lru_cache(maxsize=None)
def recursive_fit(run: str, seed: int) -> GyroFit:
    """Recursive least squares on a set of the matched plant."""
    return fit_gyro_driven(data("matched", run, seed))


def cases(seeds: Sequence[int]) -> Iterable[tuple[str, int, str]]:
    """Data set, seed and axis."""
    return ((run, seed, axis) for run in ("ID1", "ID2") for seed in seeds for axis in AXES)


def start_independence(seeds: Sequence[int]) -> list[Figure]:
    """Change of each significant number with the numbers to start from."""
    moved = {"zero": 0.0, "the numbers found": 0.0}
    for run in ("ID1", "ID2"):
        for seed in seeds:
            first = recursive_fit(run, seed)
            again = {
                "zero": fit_gyro_driven(data("matched", run, seed), start=0.0),
                "the numbers found": fit_gyro_driven(data("matched", run, seed), start=first.model),
            }
            for name, other in again.items():
                moved[name] = max(moved[name], *(_largest_change(first, other, axis) for axis in AXES))
    return [at_most(f"start from {name} instead of one: largest change", 100.0 * x, 0.5, "%", 0.5) for name, x in moved.items()]


def _largest_change(first: GyroFit, other: GyroFit, axis: str) -> float:
    kept = significant(first, axis)
    change = other.fits[axis].values[kept] / first.fits[axis].values[kept] - 1.0
    return float(np.max(np.abs(change)))


def convergence(seeds: Sequence[int]) -> list[Figure]:
    """How far significant numbers stray from their mean over the last tenth of the samples."""
    figures = []
    for axis in AXES:
        worst = 0.0
        for run, seed, _ in (case for case in cases(seeds) if case[2] == axis):
            fit = recursive_fit(run, seed)
            history = fit.history[axis][:, significant(fit, axis)]
            last = history[-len(history) // 10 :]
            worst = max(worst, float(np.max(np.abs(last / last.mean(axis=0) - 1.0))))
        figures.append(at_most(f"{axis}: furthest from the mean of the last tenth", 100.0 * worst, 5.0, "%", 5.0))
    return figures


class Agreement(NamedTuple):
    """Largest relative difference of estimators of one axis."""

    prediction: float  # prediction error and batch
    with_prior: float  # recursive, and least squares with the same prior
    plain: float  # recursive and batch, significant numbers


def agreement(run: str, seed: int, axis: str) -> Agreement:
    """Recursive, batch and prediction-error estimates of the same rows."""
    made, recursive = data("matched", run, seed), recursive_fit(run, seed)
    batch = fit_gyro_driven(made, method="batch").fits[axis].values
    prediction = fit_gyro_driven(made, method="prediction error").fits[axis].values
    values = recursive.fits[axis].values
    rows = regression(made, axis, recursive.model.surge_mass, recursive.model.circular_heading)
    size = len(values)
    matrix = np.vstack([rows.matrix[:, list(getattr(BASELINE, axis))], np.eye(size) / math.sqrt(PRIOR)])
    target = np.concatenate([rows.target, np.full(size, 1.0 / math.sqrt(PRIOR))])
    expected = np.linalg.lstsq(matrix, target)[0]
    kept = significant(recursive, axis)
    return Agreement(
        float(np.max(np.abs(prediction / batch - 1.0))),
        float(np.max(np.abs(values / expected - 1.0))),
        float(np.max(np.abs(values[kept] / batch[kept] - 1.0))),
    )


def estimators_agree(seeds: Sequence[int]) -> list[Figure]:
    """Recursive least squares, batch and prediction errors find the same numbers."""
    worst = np.max([agreement(*case) for case in cases(seeds)], axis=0)
    return [
        at_most("prediction error against batch, all numbers", worst[0], 1e-6, "1"),
        at_most("recursive against least squares with its prior, all numbers", worst[1], 1e-6, "1"),
        at_most("recursive against plain least squares, significant numbers", worst[2], 1e-2, "1"),
    ]


def timing(seeds: Sequence[int]) -> list[Figure]:
    """How fast the estimators are on this machine; nothing is demanded of that here."""
    made = data("matched", "ID2", seeds[0])
    samples = len(made.time)
    figures = [near("samples in 862 s", samples, 750, 1, "1")]
    for name, method, seconds in (("recursive", "recursive", 12.0), ("prediction error", "prediction error", 10.0)):
        begun = time.process_time()
        fit_gyro_driven(made, method=method)  # type: ignore[arg-type]
        spent = time.process_time() - begun
        figures.append(reported(f"{name}: samples per second, all axes (62 wanted)", samples / spent, "Hz", samples / seconds))
    begun = time.process_time()
    calibrated_on_the_way(RealTimeCalibration(recursive_fit("ID2", seeds[0]).model), made)
    spent = time.process_time() - begun
    return [*figures, reported("real-time calibration: samples per second (25 wanted)", samples / spent, "Hz")]


@lru_cache(maxsize=None)
def field_leg(environment: str, seed: int) -> GyroData:
    """One leg of a survey, in calm water or in the field."""
    path = records.lawn_mower(1)
    there = records.CURRENT if environment == "field" else records.CALM
    water = records.water_of(there, seed, path.duration)
    return records.logged(gavia(), records.follow(records.changed(gavia(), there), path, water), seed, f"{environment} leg")


def real_time_data(environment: str, seed: int) -> GyroData:
    """What Table 5 was made from: the first 260 s of ID1, and the first leg in the field."""
    if environment == "field":
        return field_leg("field", seed)
    return data("matched", "ID1", seed).rows(0, int(260.0 / records.INTERVAL))


class Left(NamedTuple):
    """Mean size of what an estimator leaves over, m/s2 per axis."""

    behind: Array  # after each sample was learnt
    ahead: Array  # before it was


@lru_cache(maxsize=None)
def left_over(environment: str, seed: int, forgetting: float, held: bool) -> Left:
    """Plain forgetting on the terms of calibration; held means that each sample is learnt 29 times, as at 25 Hz."""
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


def forgetting_factors(seeds: Sequence[int]) -> list[Figure]:
    """Table 5 and what it hides: errors before and after each sample, and the estimator that is used by default."""
    figures = []
    for environment in TABLE_5:
        for held in (False, True):
            figures += _orderings(environment, held, seeds)
    for environment in TABLE_5:
        figures += _table(environment, seeds)
    return [*figures, *_default_estimator(seeds)]


def _orderings(environment: str, held: bool, seeds: Sequence[int]) -> list[Figure]:
    """Errors after learning fall with the memory, on every axis; this says nothing of the model."""
    found = np.array([[left_over(environment, seed, x, held).behind for x in FORGETTING] for seed in seeds])
    name = f"{environment}, {'held samples' if held else 'one update per sample'}"
    ratios = np.max(found[:, :-1] / found[:, 1:], axis=(0, 2))
    figures = [
        at_most(f"{name}: error after learning, {a:.2f} over {b:.2f}, worst axis", ratio, 1.0, "1")
        for a, b, ratio in zip(FORGETTING[:-1], FORGETTING[1:], ratios, strict=True)
    ]
    if held:
        figures.append(at_most(f"{name}, 0.90: error after learning, worst axis", np.max(found[:, 0]), 1e-5, "m/s2"))
    return figures


def _table(environment: str, seeds: Sequence[int]) -> list[Figure]:
    """The printed errors next to those after and before learning of held samples, mean of all seeds."""
    figures = []
    for k, forgetting in enumerate(FORGETTING):
        all_left = [left_over(environment, seed, forgetting, True) for seed in seeds]
        behind, ahead = (np.mean([left[part] for left in all_left], axis=0) for part in (0, 1))
        for i, axis in enumerate(AXES):
            name = f"{environment}, held, {forgetting:.2f}, {axis}"
            figures.append(reported(f"{name}: after", behind[i], "m/s2", TABLE_5[environment][k][i]))
            figures.append(reported(f"{name}: before", ahead[i], "m/s2"))
    return figures


def _default_estimator(seeds: Sequence[int]) -> list[Figure]:
    """Variance over an hour straight ahead, and errors before learning against an estimator that never forgets."""
    steady, stepped, swelling = [], [], []
    for seed in seeds:
        model = recursive_fit("ID1", seed).model
        calm, field = field_leg("calm", seed), field_leg("field", seed)
        steady += [_share(model, [calm], 0), _share(model, [field], 0)]
        stepped.append(_share(model, [calm, field], len(calm.time)))
        swelling.append(_largest_variance(model, seed))
    return [
        at_most("default, steady: error before learning over that without forgetting, worst axis", np.max(steady), 1.2, "1"),
        at_most("default, after a step of environment: the same, worst axis", np.max(stepped), 1.0, "1"),
        at_most("default, an hour straight ahead: largest variance over the prior's", max(swelling), 1.0 + 1e-9, "1"),
    ]


def _share(model: GyroDriven, legs: Sequence[GyroData], skipped: int) -> Array:
    """Errors before learning over the last leg, with forgetting over those without."""
    found = []
    for calibration in (RealTimeCalibration(model), RealTimeCalibration(model, forgetting=1.0)):
        state, ahead = None, []
        for leg in legs:
            run = calibrated_on_the_way(calibration, leg, state)
            state = run.learnt
            ahead.append(run.ahead)
        found.append(np.mean(np.abs(np.concatenate(ahead)[skipped + SETTLED :]), axis=0))
    return np.asarray(found[0] / found[1])


def _largest_variance(model: GyroDriven, seed: int) -> float:
    """The largest variance of a combination of numbers after an hour straight ahead, over that of the prior."""
    path = records.manoeuvre(HOUR, [(-records.RUN_UP, 40.0)], [(-records.RUN_UP, 0.0)], [(-records.RUN_UP, 570.0)], 19.0)
    straight = records.repeated(records.follow(gavia(), path._replace(duration=60.0)), HOUR)
    calibration = RealTimeCalibration(model)
    run = calibrated_on_the_way(calibration, records.logged(gavia(), straight, seed, "straight"))
    return max(float(np.max(variance(part))) for part in run.learnt) / calibration.prior


REMUS_SCALE = 1.5  # shaft speeds against those of the Gavia


def another_vehicle(seeds: Sequence[int]) -> list[Figure]:
    """The whole workflow on a REMUS 100: fit, free run, calibration in a current, velocity of the water."""
    remus, path = load_vehicle("remus100"), records.lawn_mower(2, scale=REMUS_SCALE)
    found, shares, before, after, water = [], [], [], [], []
    for seed in seeds:
        unseen = data("remus100", "unseen", seed)
        model = fit_gyro_driven(data("remus100", "ID1", seed)).model
        found.append(errors(model, unseen))
        shares.append(found[-1] / at_rest(unseen))
        runs = []
        for part in ("calibration", "validation"):
            flow = records.water_of(records.CURRENT, 2 * seed + (part == "validation"), path.duration)
            runs.append((records.follow(records.changed(remus, records.CURRENT), path, flow), flow))
        logs = [records.logged(remus, run, seed, f"leg {k}") for k, (run, _) in enumerate(runs)]
        calibration = calibrate(model, logs[0], logs[1])
        before.append([calibration.before[axis] for axis in AXES])
        after.append([calibration.after[axis] for axis in AXES])
        made, flow = runs[1]
        true = np.array([flow(t, p) for t, p in zip(made.time, made.position, strict=True)])
        water.append(np.sqrt(np.mean((water_velocity_estimate(model, logs[1]) - true) ** 2, axis=0)))
    worst, share = np.max(found, axis=0), np.max(shares, axis=0)
    ratio = np.max(np.array(after) / np.array(before), axis=0)
    return [
        *(at_most(f"unseen calm water: {axis}", worst[i], LARGEST[axis], "m/s") for i, axis in enumerate(AXES)),
        *(at_most(f"unseen calm water, {AXES[i]}: error over that of no {AXES[i]}", share[i], 1.0, "1") for i in (1, 2)),
        *(at_most(f"current, {axis}: calibrated over baseline error", ratio[i], 1.0, "1") for i, axis in enumerate(AXES)),
        *(at_most(f"velocity of the water, {name}", value, 0.03, "m/s")
          for name, value in zip(("north", "east", "down"), np.max(water, axis=0), strict=True)),
    ]  # fmt: skip


SHARED = "gavia identification"
STUDIES = [
    Study("gavia-5.1", f"{SOURCE}, Table 4", "Gyro-driven model: velocity on unseen runs", baseline_accuracy, 5, SHARED),
    Study("gavia-5.2", f"{SOURCE}, section 5", "Dependence on the data set", data_set_dependence, 5, SHARED),
    Study("gavia-5.3", f"{SOURCE}, section 5", "Dependence on the numbers to start from", start_independence, 5, SHARED),
    Study("gavia-5.4", f"{SOURCE}, section 5", "Convergence of the recursive estimates", convergence, 5, SHARED),
    Study("gavia-5.5", f"{SOURCE}, section 5", "Recursive, batch and prediction error agree", estimators_agree, 5, SHARED),
    Study("gavia-5.6", f"{SOURCE}, section 6", "Speed of the estimators", timing, 1, SHARED),
    Study("gavia-5.9", f"{SOURCE}, Table 5", "Real-time calibration and forgetting", forgetting_factors, 5, SHARED),
    Study("gavia-remus", f"{SOURCE}; Prestero 2001", "The same workflow on a REMUS 100", another_vehicle, 5),
]
