"""gavia-remus: the workflow of the Gavia work on another torpedo-shaped vehicle."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.identification import calibrate_to_field, fit_gyro_driven, water_velocity_estimate
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.free_run import AXES
from remora.vehicles import load_vehicle
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.gavia import records
from remora_evidence.studies.gavia.calm_water import PROGRAMS, at_rest, errors

SHAFTS = 1.5  # shaft speeds against those of the Gavia: 675 to 1463 rpm
# The field of gavia-5.9; ballast changes by the same share of the weight, 30.48 instead of 70 kg.
FIELD = records.CURRENT._replace(buoyancy=records.CURRENT.buoyancy * 30.48 / 70.0)


@cache
def calm_truth(run: str) -> records.TrueRun:
    """What the vehicle does in a program in calm water."""
    return records.follow(load_vehicle("remus100"), records.program(PROGRAMS[run], SHAFTS))


def calm(run: str, seed: int) -> GyroData:
    """What is logged of it."""
    return records.logged(load_vehicle("remus100"), calm_truth(run), seed, run)


class FieldSurvey(NamedTuple):
    """A survey in the field."""

    data: GyroData
    water: Array  # n x 3: true velocity of the water


def survey(seed: int, name: str) -> FieldSurvey:
    """Two legs with a turn; name and seed choose the gusts."""
    remus, path = load_vehicle("remus100"), records.lawn_mower(2, scale=SHAFTS)
    flow = records.water_of(FIELD, seed, path.duration, name=name)
    made = records.follow(records.changed(remus, FIELD), path, flow)
    water = [flow(t, p) for t, p in zip(made.time, made.position, strict=True)]
    return FieldSurvey(records.logged(remus, made, seed, name), np.array(water))


class WorkflowErrors(NamedTuple):
    """Figures of one seed, three of each."""

    unseen: Array  # m/s, free-run errors in calm water
    over_rest: Array  # the same over those of a model without sway and heave
    gain: Array  # free-run errors in the field, calibrated over baseline
    water: Array  # m/s, errors of the velocity of the water


@cache
def result(seed: int) -> WorkflowErrors:
    """The whole workflow: fit, free run, calibration in a current, velocity of the water."""
    unseen = calm("unseen", seed)
    model = fit_gyro_driven(calm("ID1", seed)).model
    first, second = survey(seed, "calibration"), survey(seed, "validation")
    calibration = calibrate_to_field(model, first.data, second.data)
    gain = [calibration.after[axis] / calibration.before[axis] for axis in AXES]
    missed = water_velocity_estimate(model, second.data) - second.water
    found = errors(model, unseen)
    return WorkflowErrors(found, found / at_rest(unseen), np.array(gain), np.sqrt(np.mean(np.square(missed), axis=0)))


def another_vehicle(seeds: Sequence[int]) -> list[Value]:
    """Figures of the worst seed."""
    results = [result(seed) for seed in seeds]
    unseen, over_rest, gain, water = (np.max(part, axis=0) for part in zip(*results, strict=True))
    figures = []
    for i, axis in enumerate(AXES):
        figures.append((f"unseen calm water: {axis}", unseen[i]))
        if axis != "surge":
            figures.append((f"the same over the error of no {axis}", over_rest[i]))
        figures.append((f"current, {axis}: calibrated over baseline error", gain[i]))
    for i, name in enumerate(("north", "east", "down")):
        figures.append((f"velocity of the water, {name}", water[i]))
    return figures


STUDIES: dict[str, StudyFunction] = {
    "gavia-remus": another_vehicle,
}
