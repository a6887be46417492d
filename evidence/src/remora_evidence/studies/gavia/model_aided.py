"""nav-gavia: model-aided navigation of a Gavia after the loss of bottom lock, with the current as a state.

Every seed draws a field (current, gusts, hull drag, buoyancy, turbulent force) and flies it once; the readings of three
inertial grades are drawn from that flight. Distances count from the loss of lock.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import turned_in_N
from remora.equations.estimation.gyro_driven import GyroDriven
from remora.files.arrays import Array
from remora.identification.gyro_driven.fit import EXTENDED, fit_gyro_driven
from remora.navigation.consistency import normalised_squares
from remora.navigation.filters import run as filter_run, table_of_series
from remora.navigation.model_aided import (
    INERTIAL,
    INERTIAL_ERRORS,
    NO_CURRENT,
    ModelAidedSettings,
    ModelErrors,
    aiding_reading,
    initial_belief,
    model_aided_filter,
)
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.gavia import records
from remora_evidence.studies.gavia.calm_water import data, gavia
from remora_evidence.studies.gavia.dead_reckoning_bound import Course, position_bound
from remora_evidence.studies.gavia.inertial_records import (
    InertialRun,
    LockTimes,
    drawn_errors,
    flown,
    sensor_series,
)
from remora_evidence.studies.sampling import normals

LOCK = 60.0  # s of bottom lock
BEYOND = 320.0  # s straight ahead after it
EVERY = 10.0  # s between compared estimates
DRAG, BUOYANCY, FLOW = 0.1, 1.0, 0.15  # standard deviations of a field: share of hull drag, N, m/s
PUSH_STEP = records.INTERVAL / records.SUBSTEPS  # s


def straight() -> records.Manoeuvre:
    """A minute with lock and a leg of 512 m without."""
    return records.straight(LOCK + BEYOND)


def lawn_mower() -> records.Manoeuvre:
    """Four legs of 320 s; the lock ends a minute after the first begins."""
    return records.lawn_mower(4)


def after_a_pair() -> records.Manoeuvre:
    """Half a leg each way with lock, then four legs of 320 s."""
    ends = [0.5 * records.LEG, *(records.LEG * k for k in (1, 2, 3, 4))]
    turns = [(-records.RUN_UP, 40.0)]
    turns += [(end - 0.5 * records.ABOUT, 40.0 + 180.0 * ((k + 1) % 2)) for k, end in enumerate(ends)]
    duration = 5.0 * records.LEG
    level = [(-records.RUN_UP, 0.0)]
    return records.manoeuvre(duration, turns, level, [(-records.RUN_UP, 570.0)], 19.0, records.ABOUT)


class LockedMission(NamedTuple):
    """A course and the time of bottom lock."""

    path: Callable[[], records.Manoeuvre]
    lock: float  # s


MISSIONS = {
    "straight leg": LockedMission(straight, LOCK),
    "lawn-mower": LockedMission(lawn_mower, LOCK),
    "after a pair": LockedMission(after_a_pair, records.LEG),
}


@cache
def calm_model() -> GyroDriven:
    """The velocity model, fitted to a run in calm water with logged noise."""
    return fit_gyro_driven(data("matched", "ID1", 1), active=EXTENDED).model


@cache
def flight(mission: str, seed: int) -> InertialRun:
    """A mission in the field of a seed."""
    path = MISSIONS[mission].path()
    drag, buoyancy, along, across = normals(seed, "field", 4).tolist()
    field = records.FieldConditions(
        1.0 + DRAG * drag, BUOYANCY * buoyancy, (FLOW * along, FLOW * across), (0.0, 0.0), 0.01
    )
    water = records.water_of(field, seed, path.duration, name=mission)
    return flown(records.changed(gavia(), field), path, water, _turbulence(seed, mission, path.duration))


def _turbulence(seed: int, name: str, duration: float) -> records.Push:
    """White force per mass with the density that the filter assumes, as lines between the integration steps."""
    count = int((duration + records.RUN_UP) / PUSH_STEP) + 3
    draws = normals(seed, f"turbulence/{name}", 3 * count).reshape(count, 3)
    values = draws * np.array(ModelErrors().noise) / math.sqrt(PUSH_STEP)

    def push(time: float) -> Array:
        at = (time + records.RUN_UP) / PUSH_STEP + 1.0
        k = int(at)
        return np.asarray(values[k] + (at - k) * (values[k + 1] - values[k]))

    return push


class Track(NamedTuple):
    """Errors of an estimate every ten seconds."""

    time: Array  # s
    error: Array  # n x 3, m, position
    covariance: Array  # n x 3 x 3
    distance: Array  # m over ground, from the start


def estimated(
    run: InertialRun, settings: ModelAidedSettings, seed: int, name: str, lock: LockTimes, model: GyroDriven
) -> Track:
    """Run the filter over the readings of a run."""
    made, errors = model_aided_filter(settings), drawn_errors(run, settings, seed, name)
    series = sensor_series(run, errors, settings, model, lock)
    start: Any = tuple(
        map(tuple, (run.p_N[0], run.quaternion[0], run.v_N[0] + 0.3 * normals(seed, f"{name}/start", 3)))
    )
    attitude = turned_in_N(start[1], tuple(errors.rotation.tolist()))
    stamps, values = series[INERTIAL]
    first = aiding_reading(INERTIAL, int(stamps[0]), tuple(values[0].tolist()))
    belief = initial_belief(made, settings, first, start[0], attitude, start[2])
    found = filter_run(made, belief, table_of_series(series), apart=EVERY, covariances=True)
    at = np.searchsorted(stamps, [*found.stamps_ns.tolist(), found.belief.stamp_ns])
    estimates = np.vstack([found.states[:, :3], found.belief.state[:3]])
    covariances = [found.covariance(i)[:3, :3] for i in range(len(found.states))]
    travelled = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(run.p_N[:, :2], axis=0).T))])
    shown = np.array([*covariances, found.belief.covariance[:3, :3]])
    return Track(run.time[at], estimates - run.p_N[at], shown, travelled[at])


DESIGNS = {grade: ModelAidedSettings(errors) for grade, errors in INERTIAL_ERRORS.items()}


# The source takes the model velocity as one over ground with a constant variance, without states of water or force.
REFERENCE = {
    "water": NO_CURRENT,
    "model": ModelErrors((0.1, 0.03, 0.03), speed=0.0, force=(0.0, 0.0), speed_walk=0.0, force_walk=0.0),
}


@cache
def track(mission: str, grade: str, seed: int, with_current: bool = True) -> Track:
    """The track of a mission with an inertial grade; without a current state it is the design of the source."""
    settings = DESIGNS[grade] if with_current else DESIGNS[grade]._replace(**REFERENCE)  # type: ignore[arg-type]
    lock = LockTimes(MISSIONS[mission].lock)
    return estimated(flight(mission, seed), settings, seed, f"{mission}/{grade}", lock, calm_model())


def horizontal_misses(mission: str, grade: str, seeds: Sequence[int], with_current: bool = True) -> Array:
    """Horizontal error gathered since the loss of lock at the end, in percent of the distance since then."""
    found = []
    for seed in seeds:
        one = track(mission, grade, seed, with_current)
        lost = int(np.searchsorted(one.time, MISSIONS[mission].lock - 1.0))
        miss = one.error[-1, :2] - one.error[lost, :2]
        found.append(100.0 * float(np.hypot(*miss)) / float(one.distance[-1] - one.distance[lost]))
    return np.array(found)


@cache
def bound_percent(mission: str, grade: str) -> float:
    """Bound of the root mean square of the same, in percent of the distance through the water."""
    path = MISSIONS[mission].path()
    lock = MISSIONS[mission].lock
    time, sigma = position_bound(DESIGNS[grade], Course(lambda t: float(path.heading(t)), lock, path.duration))
    return 100.0 * float(sigma[-1]) / (1.6 * float(time[-1]))


def consistent_share(mission: str, grade: str, seeds: Sequence[int]) -> tuple[float, float]:
    """Mean normalised error squared of the horizontal position over two, and the share of it inside three sigma."""
    squares, inside = np.mean([consistency_of(mission, grade, seed) for seed in seeds], axis=0).tolist()
    return 0.5 * squares, 100.0 * inside


@cache
def consistency_of(mission: str, grade: str, seed: int) -> tuple[float, float]:
    """Mean normalised error squared of one track, and the share of it inside three sigma."""
    one = track(mission, grade, seed)
    squares = normalised_squares(one.error[:, :2], one.covariance[:, :2, :2])
    deviations = np.sqrt(np.einsum("nii->ni", one.covariance))
    return float(np.mean(squares)), float(np.mean(np.abs(one.error) <= 3.0 * deviations))


def model_aided_navigation(seeds: Sequence[int]) -> list[Value]:
    """Errors at the end of every mission, their bound, and the design without a current state."""
    figures: list[Value] = []
    for mission in MISSIONS:
        for grade in INERTIAL_ERRORS:
            name = f"{mission}, {grade}"
            misses = horizontal_misses(mission, grade, seeds)
            rms = float(np.sqrt(np.mean(misses**2)))
            normalised, inside = consistent_share(mission, grade, seeds)
            figures += [
                (f"{name}: RMS", rms),
                (f"{name}: CEP50", float(np.median(misses))),
                (f"{name}: bound of the RMS", bound_percent(mission, grade)),
                (f"{name}: RMS over its bound", rms / bound_percent(mission, grade)),
                (f"{name}: NEES", normalised),
                (f"{name}: inside three sigma", inside),
            ]
        reference = horizontal_misses(mission, "navigation", seeds, False)
        figures.append((f"{mission}, navigation, without a current state: RMS", float(np.sqrt(np.mean(reference**2)))))
    return figures


STUDIES: dict[str, StudyFunction] = {
    "nav-gavia": model_aided_navigation,
}
