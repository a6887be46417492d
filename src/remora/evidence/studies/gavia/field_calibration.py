"""gavia-5.7 and 5.10: a calm-water model in the field, calibrated there, and the velocity of the water that it shows.

Two fields, because they act differently: in one the hull drags more, which stays with the vehicle; in the other the
water moves, which changes sign in body axes from leg to leg.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from remora.equations.estimation.gyro_driven import GyroDriven
from remora.evidence.requirements import Value
from remora.evidence.studies.gavia import records
from remora.evidence.studies.gavia.calm_water import data, gavia, recursive_fit
from remora.files.arrays import Array
from remora.identification import calibrate_to_field, free_run, water_velocity_estimate
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.free_run import AXES

FIELDS = {"more drag": records.MORE_DRAG, "current": records.CURRENT}
LEGS = 8  # four to calibrate and four to judge


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
