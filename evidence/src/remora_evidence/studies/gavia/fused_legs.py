"""gavia-5.7 and 5.10 with an inertial unit: the velocity model aids it, beside the model that runs by itself.

The filter of the source is not printed. Here it is that of `remora.navigation.model_aided` without states of water and
force: the velocity of the model counts as one over ground, with the variance of its validation.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.quaternions import rotation_matrix, turned_in_N
from remora.files.arrays import Array
from remora.identification import free_run
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.free_run import AXES
from remora.messages.reading import Reading
from remora.navigation.model_aided import (
    INERTIAL_ERRORS,
    MODEL,
    NO_CURRENT,
    AidingErrors,
    ModelAidedSettings,
    WaterErrors,
    aiding_reading,
    initial_belief,
    model_aided_filter,
)
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.gavia import records
from remora_evidence.studies.gavia.calm_water import recursive_fit
from remora_evidence.studies.gavia.field_calibration import (
    FIELDS,
    LEGS,
    calibration_in_the_field,
    legs,
    models,
    survey,
    water_velocity,
)
from remora_evidence.studies.gavia.inertial_records import (
    InertialRun,
    LockTimes,
    drawn_errors,
    inertial_run,
    readings,
    stamp,
)

NEVER_LOCKED = LockTimes(-math.inf)
# Standard deviations of the model velocity, from its errors on validation runs.
MODEL_STD = {"baseline": (0.10, 0.03, 0.03), "calibrated": (0.03, 0.015, 0.012)}
FAR = 100.0  # m: shares of the distance count from here on
EVERY = 10  # inertial readings between compared estimates


class FusedRun(NamedTuple):
    """An estimate against the truth, once a second."""

    time: Array  # s
    velocity: Array  # n x 3: error in body axes, m/s
    position: Array  # n x 2: horizontal error, m
    distance: Array  # m travelled over ground
    water: Array  # n x 2: estimated velocity of the water in N, m/s

    @property
    def velocity_rms(self) -> Array:
        """Per axis, m/s."""
        return np.sqrt(np.mean(np.square(self.velocity), axis=0))

    @property
    def percent(self) -> Array:
        """Horizontal error in percent of the distance, from 100 m on."""
        far = self.distance > FAR
        return np.asarray(100.0 * np.hypot(*self.position[far].T) / self.distance[far])


def reference_settings(std: tuple[float, float, float]) -> ModelAidedSettings:
    """The design without states of the water, with this standard deviation of the model velocity."""
    aiding = AidingErrors(water_track=std)
    return ModelAidedSettings(INERTIAL_ERRORS["navigation"], NO_CURRENT, aiding=aiding)


def model_readings(data: GyroData, velocity: Array, start: float) -> list[Reading]:
    """Velocities of a model as readings, at times from a start on."""
    rows = zip(data.time.tolist(), velocity.tolist(), strict=True)
    return [aiding_reading("water_track", stamp(t - start), tuple(row)) for t, row in rows if t >= start]


def fused(
    run: InertialRun,
    settings: ModelAidedSettings,
    seed: int,
    name: str,
    aiding: Sequence[Reading] = (),
    lock: LockTimes = NEVER_LOCKED,
    constrained: bool = False,
    sigma: tuple[float, float] = (0.01, 0.01),
) -> FusedRun:
    """Filter a run from its true position, attitude and velocity at the start.

    `aiding` are further readings in the order of time, `lock` says when the DVL has bottom lock, `constrained` whether
    the model of the filter itself aids it; `sigma` are standard deviations at the start, m and m/s.
    """
    made, errors = model_aided_filter(settings), drawn_errors(run, settings, seed, name)
    model = recursive_fit("ID1", seed).model
    rows = list(_without_model(readings(run, errors, settings, model, lock), constrained))
    start: Any = tuple(map(tuple, (run.p_N[0], run.quaternion[0], run.v_N[0])))
    attitude = turned_in_N(start[1], tuple(errors.rotation.tolist()))
    belief = initial_belief(made, settings, rows[0][0], start[0], attitude, start[2], sigma)
    pending, found = list(aiding), []
    for k in range(0, len(rows), EVERY):
        last = min(k + EVERY, len(rows)) - 1
        batch = [one for row in rows[k : last + 1] for one in row]
        while pending and pending[0].stamp_ns <= rows[last][0].stamp_ns:
            batch.append(pending.pop(0))
        belief, _ = made.step(belief, batch)
        found.append((last, belief.state.copy()))
    return _compared(run, np.array([row[0] for row in found]), np.array([row[1] for row in found]))


def _without_model(rows: Iterator[list[Reading]], constrained: bool) -> Iterator[list[Reading]]:
    return (row if constrained else [one for one in row if one.sensor != MODEL] for row in rows)


def _compared(run: InertialRun, at: NDArray[np.int64], states: Array) -> FusedRun:
    travelled = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(run.p_N[:, :2], axis=0).T))])
    velocity = in_body(states[:, 3:7], states[:, 7:10]) - in_body(run.quaternion[at], run.v_N[at])
    water = states[:, 19:21] + states[:, 21:23]
    return FusedRun(run.time[at], velocity, states[:, :2] - run.p_N[at, :2], travelled[at], water)


def in_body(quaternion: Array, v_N: Array) -> Array:
    """Vectors of N in body axes, row by row."""
    columns: Any = tuple(quaternion.T)
    return np.einsum("jin,nj->ni", np.array(rotation_matrix(columns)), v_N)


def part_of(truth: records.TrueRun, path: records.Manoeuvre, start: float) -> InertialRun:
    """A run from a time on, which becomes zero."""
    kept = truth.time >= start
    rows = records.TrueRun(*(values[kept] for values in truth))
    begun = float(rows.time[0])

    def later(signal: Any) -> Any:
        return lambda time: signal(time + begun)

    moved = path._replace(**{part: later(getattr(path, part)) for part in ("roll", "pitch", "heading", "shaft")})
    return inertial_run(rows._replace(time=rows.time - begun), moved)


@cache
def last_legs(field: str, seed: int) -> tuple[InertialRun, GyroData]:
    """Legs 5 to 8 in fine steps, and their log."""
    flown = survey(field, seed)
    data = legs(flown, 5, LEGS)
    return part_of(flown.fine, flown.path, float(data.time[0])), data


@cache
def fused_legs(field: str, kind: str, seed: int) -> FusedRun:
    """Legs 5 to 8 by the inertial unit with the baseline or the calibrated model."""
    run, data = last_legs(field, seed)
    velocity = free_run(models(field, seed)[list(MODEL_STD).index(kind)], data).velocity
    aiding = model_readings(data, velocity, float(data.time[0]))
    return fused(run, reference_settings(MODEL_STD[kind]), seed, f"{field}/fused", aiding)


def fused_calibration(seeds: Sequence[int]) -> list[Value]:
    """Free runs, then errors of the velocity of the inertial unit that each model aids, median of all seeds."""
    figures = calibration_in_the_field(seeds)
    for field in FIELDS:
        errors = {
            kind: np.median([fused_legs(field, kind, seed).velocity_rms for seed in seeds], axis=0)
            for kind in MODEL_STD
        }
        for i, axis in enumerate(AXES):
            before, after = errors["baseline"][i], errors["calibrated"][i]
            figures += [
                (f"{field}, {axis}, fused: error with the baseline", before),
                (f"{field}, {axis}, fused: error when calibrated", after),
                (f"{field}, {axis}, fused: improvement", 100.0 * (1.0 - after / before)),
            ]
    return figures


@cache
def fused_water_errors(seed: int) -> Array:
    """RMS errors of the current of the filter, north and east, m/s."""
    settings = ModelAidedSettings(INERTIAL_ERRORS["navigation"], WaterErrors(current_walk=1e-3))
    run, data = last_legs("current", seed)
    found = fused(run, settings, seed, "current/water", lock=LockTimes(), constrained=True)
    true = survey("current", seed).water[-len(data.time) :]
    at = np.column_stack([np.interp(found.time, data.time - data.time[0], true[:, k]) for k in (0, 1)])
    late = found.time > records.LEG  # the first leg separates the current from the force on the hull
    return np.asarray(np.sqrt(np.mean(np.square(found.water - at)[late], axis=0)))


def fused_water_velocity(seeds: Sequence[int]) -> list[Value]:
    """By difference to the free run, then the current of the filter with bottom lock; worst seed."""
    worst = np.max([fused_water_errors(seed) for seed in seeds], axis=0)
    return [
        *water_velocity(seeds),
        *((f"current, {n}, fused: error", w) for n, w in zip(("north", "east"), worst, strict=True)),
    ]


STUDIES: dict[str, StudyFunction] = {
    "gavia-5.7": fused_calibration,
    "gavia-5.10": fused_water_velocity,
}
