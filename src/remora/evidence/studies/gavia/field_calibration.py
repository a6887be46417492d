"""gavia-5.7 and 5.10: a calm-water model in the field, calibrated there, and the velocity of the water that it shows.

Two fields, because they act differently: in one the hull drags more, which stays with the vehicle; in the other the
water moves, which changes sign in body axes from leg to leg.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.evidence.figure import Figure, Study, at_least, at_most, reported
from remora.evidence.studies.gavia import records
from remora.evidence.studies.gavia.calm_water import KERNELS, SHARED, SOURCE, TWIN, data, gavia, recursive_fit
from remora.identification import calibrate_to_field, free_run, water_velocity_estimate
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.free_run import AXES

Array = NDArray[np.float64]
FIELDS = {"more drag": records.MORE_DRAG, "current": records.CURRENT}
PRINTED = {"baseline": (0.15, 0.02, 0.02), "calibrated": (0.04, 0.01, 0.01)}  # m/s RMS
LEGS = 8  # four to calibrate and four to judge
WATER = 0.03  # m/s: error of the velocity of the water; the article on it reports 0.09
FREE = "the model runs free, where the printed figures are fused with an INS"
CALIBRATED = f"{TWIN}; {FREE}; calibrated on two legs and accepted on two"


class Survey(NamedTuple):
    """Legs up and down in a field."""

    data: GyroData
    water: Array  # n x 3: true velocity of the water


@cache
def survey(field: str, seed: int) -> Survey:
    """Eight legs with turns; the seed chooses gusts and noise."""
    environment, path = FIELDS[field], records.lawn_mower(LEGS)
    flow = records.water_of(environment, seed, path.duration, name=field)
    made = records.follow(records.changed(gavia(), environment), path, flow)
    water = [flow(t, p) for t, p in zip(made.time, made.position, strict=True)]
    return Survey(records.logged(gavia(), made, seed, f"{field}, eight legs"), np.array(water))


def legs(of: Survey, first: int, last: int) -> GyroData:
    """What is logged from a leg to another, both included."""
    per_leg = records.LEG / records.INTERVAL
    return of.data.rows(round((first - 1) * per_leg), round(last * per_leg))


class Errors(NamedTuple):
    """Free-run errors on the last four legs, m/s RMS per axis."""

    baseline: Array
    calibrated: Array


@cache
def field_errors(field: str, seed: int) -> Errors:
    """Calibrate on the first four legs; the last two of them decide which axes are altered."""
    flown, model = survey(field, seed), recursive_fit("ID1", seed).model
    calibrated = calibrate_to_field(model, legs(flown, 1, 2), legs(flown, 3, 4)).model
    unseen = legs(flown, 5, LEGS)
    runs = (free_run(candidate, unseen).scores for candidate in (model, calibrated))
    return Errors(*(np.array([scores[axis].rmse for axis in AXES]) for scores in runs))


def calibration_in_the_field(seeds: Sequence[int]) -> list[Figure]:
    """Errors of the baseline and the calibrated model, median of all seeds."""
    figures = []
    for field in FIELDS:
        errors = [field_errors(field, seed) for seed in seeds]
        baseline, calibrated = (np.median(part, axis=0) for part in zip(*errors, strict=True))
        gain = 100.0 * (1.0 - calibrated / baseline)
        figures += [*_surge(field, baseline[0], calibrated[0], gain[0])]
        for i in (1, 2):
            figures += _across(f"{field}, {AXES[i]}", i, baseline[i], calibrated[i], gain[i])
    return figures


def _surge(field: str, baseline: float, calibrated: float, gain: float) -> list[Figure]:
    return [
        at_least(f"{field}, surge: error of the baseline, not below", baseline, 0.10, "m/s", 0.15),
        at_most(f"{field}, surge: error of the baseline, not above", baseline, 0.16, "m/s", 0.15),
        at_most(f"{field}, surge: error when calibrated", calibrated, 0.04, "m/s", 0.04),
        at_least(f"{field}, surge: improvement", gain, 69.0, "%", 73.0),
    ]


def _across(name: str, i: int, baseline: float, calibrated: float, gain: float) -> list[Figure]:
    return [
        at_most(f"{name}: error when calibrated", calibrated, 0.02, "m/s", PRINTED["calibrated"][i]),
        at_most(f"{name}: calibrated over baseline error", calibrated / baseline, 1.0, "1"),
        reported(f"{name}: error of the baseline", baseline, "m/s", PRINTED["baseline"][i]),
        reported(f"{name}: improvement", gain, "%", 50.0),
    ]


def water_velocity(seeds: Sequence[int]) -> list[Figure]:
    """Error of the velocity of the water where it moves, and what is found where it does not; worst seed."""
    moving, still = [], []
    for seed in seeds:
        model = recursive_fit("ID1", seed).model
        there, calm = survey("current", seed), data("matched", "unseen", seed)
        missed = water_velocity_estimate(model, there.data) - there.water
        moving.append(np.sqrt(np.mean(np.square(missed), axis=0)))
        still.append(np.abs(np.mean(water_velocity_estimate(model, calm), axis=0)))
    names = ("north", "east", "down")
    worst, mean = np.max(moving, axis=0), np.max(still, axis=0)
    return [
        *(at_most(f"current, {name}: error", worst[i], WATER, "m/s") for i, name in enumerate(names)),
        *(at_most(f"calm water, {name}: mean", mean[i], 0.01, "m/s") for i, name in enumerate(names)),
    ]


STUDIES = [
    Study(
        "gavia-5.7", f"{SOURCE}, section 6", "Calibration in the field", calibration_in_the_field, 5, SHARED,
        differs=CALIBRATED, kernels=KERNELS,
    ),
    Study(
        "gavia-5.10", f"{SOURCE}, section 6", "Velocity of the water from the model", water_velocity, 5, SHARED,
        differs=f"{TWIN}; the source prints the principle and bounds of the current only", kernels=KERNELS,
    ),
]  # fmt: skip
