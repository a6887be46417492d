"""gavia-5.7 and 5.10: a calm-water model in the field, calibrated there, and the velocity of the water that it shows.

Two fields, because they act differently: in one the hull drags more, which stays with the vehicle; in the other the
water moves, which changes sign in body axes from leg to leg.

gavia-adcp compares that velocity with a current profiler on the same legs. Randeni et al. 2018 take the method from
Randeni et al. 2017 (J. Mar. Sci. Eng. 5, 25), who print the standard deviation against a profiler.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.estimation.gyro_driven import GyroDriven
from remora.files.arrays import Array
from remora.identification import (
    WaterComparison,
    calibrate_to_field,
    compare_with_profiler,
    free_run,
    water_velocity_estimate,
)
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.free_run import AXES
from remora.messages.truth import Truth
from remora.sensors import OpenWater, make_sensor
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.gavia import records
from remora_evidence.studies.gavia.calm_water import data, gavia, recursive_fit, truth

FIELDS = {"more drag": records.MORE_DRAG, "current": records.CURRENT}
LEGS = 8  # four to calibrate and four to judge
ALTITUDE = 8.0  # m above the bottom, as in Lake Ohau
DEEP = -50.0  # m: the surface is out of reach of the profiler
DIRECTIONS = ("north", "east", "down")


class Survey(NamedTuple):
    """Legs up and down in a field."""

    data: GyroData
    water: Array  # n x 3: true velocity of the water
    fine: records.TrueRun  # the same at every integration step
    path: records.Manoeuvre


@cache
def survey(field: str, seed: int) -> Survey:
    """Eight legs with turns; the seed chooses gusts and noise."""
    environment, path = FIELDS[field], records.lawn_mower(LEGS)
    flow = records.water_of(environment, seed, path.duration, name=field)
    fine = records.follow(records.changed(gavia(), environment), path, flow, every=1)
    made = records.TrueRun(*(values[:: records.SUBSTEPS] for values in fine))
    water = [flow(t, p) for t, p in zip(made.time, made.position, strict=True)]
    return Survey(records.logged(gavia(), made, seed, f"{field}, eight legs"), np.array(water), fine, path)


def legs(of: Survey, first: int, last: int) -> GyroData:
    """What is logged from a leg to another, both included."""
    per_leg = records.LEG / records.INTERVAL
    return of.data.rows(round((first - 1) * per_leg), round(last * per_leg))


class FieldErrors(NamedTuple):
    """Free-run errors on the last four legs, m/s RMS per axis."""

    baseline: Array
    calibrated: Array


@cache
def models(field: str, seed: int) -> tuple[GyroDriven, GyroDriven]:
    """The baseline model, and the one calibrated in a field."""
    flown, baseline = survey(field, seed), recursive_fit("ID1", seed).model
    return baseline, calibrate_to_field(baseline, legs(flown, 1, 2), legs(flown, 3, 4)).model


@cache
def field_errors(field: str, seed: int) -> FieldErrors:
    """Calibrate on the first four legs; the last two of them decide which axes are altered."""
    unseen = legs(survey(field, seed), 5, LEGS)
    runs = (free_run(candidate, unseen).scores for candidate in models(field, seed))
    return FieldErrors(*(np.array([scores[axis].rmse for axis in AXES]) for scores in runs))


def calibration_in_the_field(seeds: Sequence[int]) -> list[Value]:
    """Errors of the baseline and the calibrated model, median of all seeds."""
    figures = []
    for field in FIELDS:
        errors = [field_errors(field, seed) for seed in seeds]
        baseline, calibrated = (np.median(part, axis=0) for part in zip(*errors, strict=True))
        gain = 100.0 * (1.0 - calibrated / baseline)
        figures += [*_surge(field, baseline[0], calibrated[0], gain[0])]
        for i in (1, 2):
            figures += _across(f"{field}, {AXES[i]}", baseline[i], calibrated[i], gain[i])
    return figures


def _surge(field: str, baseline: float, calibrated: float, gain: float) -> list[Value]:
    return [
        (f"{field}, surge: error of the baseline, not below", baseline),
        (f"{field}, surge: error of the baseline, not above", baseline),
        (f"{field}, surge: error when calibrated", calibrated),
        (f"{field}, surge: improvement", gain),
    ]


def _across(name: str, baseline: float, calibrated: float, gain: float) -> list[Value]:
    return [
        (f"{name}: error when calibrated", calibrated),
        (f"{name}: calibrated over baseline error", calibrated / baseline),
        (f"{name}: error of the baseline", baseline),
        (f"{name}: improvement", gain),
    ]


@cache
def water_errors(seed: int) -> tuple[Array, Array]:
    """RMS errors where the water moves, and means where it does not."""
    model = recursive_fit("ID1", seed).model
    there, calm = survey("current", seed), data("matched", "unseen", seed)
    missed = water_velocity_estimate(model, there.data) - there.water
    return np.sqrt(np.mean(np.square(missed), axis=0)), np.abs(np.mean(water_velocity_estimate(model, calm), axis=0))


def water_velocity(seeds: Sequence[int]) -> list[Value]:
    """Error of the velocity of the water where it moves, and what is found where it does not; worst seed."""
    names = ("north", "east", "down")
    worst, mean = np.max([water_errors(seed) for seed in seeds], axis=0)
    return [
        *((f"current, {name}: error", worst[i]) for i, name in enumerate(names)),
        *((f"calm water, {name}: mean", mean[i]) for i, name in enumerate(names)),
    ]


def pings(made: records.TrueRun, quaternion: Array, water: Array, seed: int, name: str) -> Array:
    """Cells of the profiler of the vehicle at each sample of a log, one ping each: samples x cells x 3."""
    entry = next(one for one in gavia().sensors if one.name == "adcp")
    sensor = make_sensor(entry, seed, name, {"rate": 1.0 / records.INTERVAL, "latency": 0.0})
    state, rows = sensor.initial(), []
    for k, row in enumerate(zip(made.position.tolist(), quaternion.tolist(), made.twist.tolist(), strict=True)):
        place, attitude, twist = map(tuple, row)
        around = OpenWater(place[2] + ALTITUDE, DEEP, current=tuple(water[k].tolist()))
        stamp = sensor.description.start_ns + k * sensor.description.period_ns
        state, reading = sensor.step(state, Truth(stamp, place, attitude, twist), around, k)
        if reading is not None:  # without latency none is late
            rows.append(np.array(reading.values).reshape(-1, 3))
    return np.array(rows)


def true_quaternions(made: records.TrueRun) -> Array:
    """Attitude without noise."""
    return np.column_stack(from_euler_zyx(*made.euler.T))


def compared(logged: GyroData, made: records.TrueRun, water: Array, seed: int, name: str) -> WaterComparison:
    """The comparison on one log."""
    model, entry = recursive_fit("ID1", seed).model, next(one for one in gavia().sensors if one.name == "adcp")
    cells = pings(made, true_quaternions(made), water, seed, name)
    assert entry.position is not None
    return compare_with_profiler(model, logged, cells, entry.position)


@cache
def profiler_figures(seed: int) -> tuple[Array, Array]:
    """Standard deviation and mean of the difference, errors of model and of profiler alone: in the current and calm."""
    there = survey("current", seed)
    made = records.TrueRun(*(values[:: records.SUBSTEPS] for values in there.fine))
    calm = data("matched", "unseen", seed)
    unmoved = np.zeros((len(calm.time), 3))
    found = []
    for logged, run, water, name in (
        (there.data, made, there.water, "current"),
        (calm, truth("matched", "unseen"), unmoved, "calm"),
    ):
        one = compared(logged, run, water, seed, name)
        rms = [np.sqrt(np.nanmean((part - water) ** 2, axis=0)) for part in (one.modelled, one.profiled)]
        found.append(np.array([one.deviation, one.mean, *rms]))
    return found[0], found[1]


def against_profiler(seeds: Sequence[int]) -> list[Value]:
    """Worst seed of each figure, in the current and in calm water."""
    values: list[Value] = []
    for i, where in enumerate(("current", "calm water")):
        found = np.array([profiler_figures(seed)[i] for seed in seeds])
        deviation, mean, model, profiler = (np.abs(found[:, k]).max(axis=0) for k in range(4))
        for words, row in (
            ("standard deviation of model less profiler", deviation),
            ("mean of model less profiler", mean),
            ("error of the model", model),
            ("error of the profiler", profiler),
        ):
            values += [(f"{where}, {axis}: {words}", row[k]) for k, axis in enumerate(DIRECTIONS)]
    return values


STUDIES: dict[str, StudyFunction] = {"gavia-adcp": against_profiler}
