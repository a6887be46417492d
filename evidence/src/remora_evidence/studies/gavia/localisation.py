"""gavia-5.8: horizontal position error in percent of the distance travelled, with each kind of aid."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from scipy.integrate import cumulative_trapezoid

from remora.equations.estimation.gyro_driven import GyroDriven
from remora.files.arrays import Array
from remora.identification import free_run
from remora.identification.gyro_driven.data import GyroData
from remora.navigation.model_aided import aiding_reading
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.gavia import records
from remora_evidence.studies.gavia.calm_water import data, gavia, recursive_fit
from remora_evidence.studies.gavia.field_calibration import FIELDS, models
from remora_evidence.studies.gavia.fused_legs import (
    FAR,
    MODEL_STD,
    FusedRun,
    fused,
    fused_legs,
    in_body,
    last_legs,
    model_readings,
    part_of,
    reference_settings,
)
from remora_evidence.studies.gavia.inertial_records import InertialRun, LockTimes, stamp
from remora_evidence.studies.sampling import normals

BOTTOM_TRACK_SEEDS = 50
SET = 0.064  # m/s, current across the course that water track does not know: 4 % of 1.6 m/s
WATER_TRACK_STD = (0.3, 0.3, 0.3)  # m/s
LONG = 900.0  # s, of a straight course


def dead_reckoned(model: GyroDriven, log: GyroData, run: InertialRun) -> Array:
    """Percent of distance of a model that runs by itself, with logged attitude, from 100 m on."""
    velocity = free_run(model, log).velocity
    time = log.time - log.time[0]
    known = time <= run.time[-1]
    v_N = in_body(log.quaternion * np.array([1.0, -1.0, -1.0, -1.0]), velocity)
    place = cumulative_trapezoid(v_N[:, :2], time, axis=0, initial=0.0)[known]
    true = np.column_stack([np.interp(time[known], run.time, run.p_N[:, k] - run.p_N[0, k]) for k in (0, 1)])
    travelled = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(true, axis=0).T))])
    far = travelled > FAR
    return np.asarray(100.0 * np.hypot(*(place - true)[far].T) / travelled[far])


@cache
def zigzags() -> InertialRun:
    """Turns and nods in calm water, in fine steps."""
    path = records.program(records.UNSEEN)
    return part_of(records.follow(gavia(), path, every=1), path, 0.0)


@cache
def calm_percents(seed: int) -> tuple[Array, Array]:
    """Percent of distance in calm water, of the model alone and fused."""
    log, model = data("matched", "unseen", seed), recursive_fit("ID1", seed).model
    readings = model_readings(log, free_run(model, log).velocity, 0.0)
    aided = fused(zigzags(), reference_settings(MODEL_STD["baseline"]), seed, "calm/fused", readings)
    return dead_reckoned(model, log, zigzags()), aided.percent


@cache
def alone_percent(field: str, i: int, seed: int) -> Array:
    """Percent of distance on the last legs of a field, of the baseline or the calibrated model alone."""
    run, log = last_legs(field, seed)
    return dead_reckoned(models(field, seed)[i], log, run)


def _calm(seeds: Sequence[int]) -> list[Value]:
    """The baseline on zig-zags in calm water, worst seed."""
    alone, aided = zip(*(calm_percents(seed) for seed in seeds), strict=True)
    return [*_figures("calm zig-zags, model alone", alone, "worst"), *_figures("calm zig-zags, fused", aided, "worst")]


def _figures(name: str, percents: Sequence[Array], which: str) -> list[Value]:
    gathered = np.max if which == "worst" else np.median
    return [
        (f"{name}: error at the end", float(gathered([one[-1] for one in percents]))),
        (f"{name}: largest error", float(gathered([np.max(one) for one in percents]))),
    ]


def _in_fields(seeds: Sequence[int]) -> list[Value]:
    """Legs 5 to 8 of both fields, median of all seeds, and the first of them alone."""
    figures: list[Value] = []
    for field in FIELDS:
        ends = {}
        for i, kind in enumerate(MODEL_STD):
            alone = [alone_percent(field, i, seed) for seed in seeds]
            aided = [fused_legs(field, kind, seed) for seed in seeds]
            figures += _figures(f"{field}, {kind}, model alone", alone, "median")
            figures += _figures(f"{field}, {kind}, fused", [one.percent for one in aided], "median")
            figures.append((f"{field}, {kind}, fused: after one leg", _after_one_leg(aided)))
            ends[kind] = (figures[-5][1], figures[-3][1])
        for k, how in enumerate(("model alone", "fused")):
            figures.append(
                (f"{field}, {how}: calibrated over baseline error", ends["calibrated"][k] / ends["baseline"][k])
            )
    return figures


def _after_one_leg(runs: Sequence[FusedRun]) -> float:
    """Median percentage just before the first turn."""
    found = []
    for one in runs:
        last = int(np.searchsorted(one.time, records.LEG - records.ABOUT)) - 1
        found.append(100.0 * float(np.hypot(*one.position[last])) / float(one.distance[last]))
    return float(np.median(found))


@cache
def drifting() -> InertialRun:
    """Straight ahead in a steady current across the course."""
    path = records.straight(LONG)
    water = records.water_of(records.FieldConditions(current=(0.0, SET)), 1, LONG)
    return part_of(records.follow(gavia(), path, water, every=1), path, 0.0)


@cache
def _bottom_track() -> float:
    """Median error with bottom lock all the way."""
    settings = reference_settings(MODEL_STD["baseline"])
    seeds = range(1, BOTTOM_TRACK_SEEDS + 1)
    return float(
        np.median([fused(drifting(), settings, s, "bottom track", lock=LockTimes()).percent[-1] for s in seeds])
    )


@cache
def _water_track(seed: int) -> float:
    """Error with water track, whose velocity counts as one over ground."""
    run = drifting()
    through = in_body(run.quaternion, run.v_N - SET * _across())
    noise = WATER_TRACK_STD[0] * normals(seed, "water track", through.size).reshape(through.shape)
    rows = (through + noise)[:-1:2].tolist()
    readings = [
        aiding_reading("water_track", stamp(t), tuple(row)) for t, row in zip(run.time[:-1:2], rows, strict=True)
    ]
    settings, sigma = reference_settings(WATER_TRACK_STD), (0.01, WATER_TRACK_STD[0])
    return float(fused(run, settings, seed, "water track", readings, sigma=sigma).percent[-1])


def _across() -> Array:
    """Unit vector to starboard of the straight course in N."""
    heading = np.radians(40.0)
    return np.array([-np.sin(heading), np.cos(heading), 0.0])


@cache
def _unaided(seed: int) -> float:
    run = last_legs("current", seed)[0]
    return float(fused(run, reference_settings(WATER_TRACK_STD), seed, "unaided").percent[-1])


def localisation(seeds: Sequence[int]) -> list[Value]:
    """All lines of the table."""
    return [
        *_calm(seeds),
        *_in_fields(seeds),
        ("bottom track, circular error probable", _bottom_track()),
        (f"water track in a current of {SET} m/s", float(np.median([_water_track(seed) for seed in seeds]))),
        ("inertial unit without aid", float(np.median([_unaided(seed) for seed in seeds]))),
    ]


STUDIES: dict[str, StudyFunction] = {
    "gavia-5.8": localisation,
}
