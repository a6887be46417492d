"""N1 to N3: the navigation filter of the Falcon against the truth. Proctor 2014, chapter 4, Table 4.11."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np

from remora.files.arrays import Array
from remora.guidance.velocity_guidance import FALCON_SPEEDS
from remora.messages.reading import Reading, Status
from remora.navigation.falcon.cycle import AdditiveFalconFilter, ErrorStateFalconFilter
from remora.navigation.falcon.filter_setup import THRUSTERS, additive_filter, error_state_filter
from remora.navigation.falcon.presets import ModelNoise
from remora.navigation.filters import smooth
from remora.plant import pack
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.falcon.array_runs import (
    REST,
    ROUND,
    SHALLOW,
    TRANSIT,
    ArrayRun,
    ArrayTrial,
    Route,
    array_run,
    falcon_sled,
)
from remora_evidence.studies.falcon.closed_loop import PERIOD, nominal
from remora_evidence.studies.sampling import normals

FalconFilter: TypeAlias = AdditiveFalconFilter | ErrorStateFalconFilter
LAUNCH_STD = 0.3  # m, of the position that the filters start from
FIRST = round(REST / PERIOD)  # sample from which errors count
MOVING = 0.2  # m/s
DRAWS = 500  # of a Gaussian, for its mean length
SLOW_ROUND = Route()
FAST_ROUND = Route(speeds=FALCON_SPEEDS)
FAST_TRANSIT = Route(points=TRANSIT, start=(0.0, 0.0), speeds=FALCON_SPEEDS)
SHALLOW_ROUND = Route(points=ROUND, depth=SHALLOW)


class FilterErrors(NamedTuple):
    """Errors of a run, one row per sample after the rest."""

    position: Array  # m
    quaternion: Array
    speed: Array  # m/s, true

    @property
    def length(self) -> Array:
        """3-D position error, m."""
        return np.asarray(np.linalg.norm(self.position, axis=1))


class TestedFilter(NamedTuple):
    """A filter of the nominal vehicle by its options; without a preset the error-state filter."""

    preset: str = ""
    compensated: tuple[str, ...] = ()
    gated: bool = True

    def made(self) -> FalconFilter:
        """The filter."""
        if not self.preset:
            return made_error_state()
        sled = falcon_sled()
        made = additive_filter(pack(nominal(False)), sled, self.preset)
        return AdditiveFalconFilter(made, sled, self.compensated, self.gated)


def additive(preset: str = "tuned", compensated: tuple[str, ...] = ("sbl",), gated: bool = True) -> TestedFilter:
    """The additive filter."""
    return TestedFilter(preset, compensated, gated)


def error_state() -> TestedFilter:
    """The error-state filter."""
    return TestedFilter()


@cache
def made_error_state() -> ErrorStateFalconFilter:
    """The error-state filter of the nominal vehicle."""
    sled = falcon_sled()
    return ErrorStateFalconFilter(error_state_filter(pack(nominal(False)), sled), sled, ModelNoise())


def errors_of(filter_: FalconFilter, run: ArrayRun, launch: Array) -> FilterErrors:
    """Errors of a filter over a run, started at a launch position in N, m."""
    state, rows = filter_.initial(position=launch), []
    for time_ns, speeds, readings in zip(run.times_ns, run.speeds, run.readings, strict=True):
        state, _ = filter_.step(state, time_ns, speeds.tolist(), readings)  # type: ignore[arg-type]
        rows.append(state.belief.state[:7])
    found, truth = np.array(rows)[FIRST:], run.truth[FIRST:]
    sign = np.sign(np.sum(found[:, 3:7] * truth[:, 3:7], axis=1))
    speed = np.linalg.norm(truth[:, 7:10], axis=1)
    return FilterErrors(found[:, :3] - truth[:, :3], sign[:, None] * found[:, 3:7] - truth[:, 3:7], speed)


@cache
def trial_errors(tested: TestedFilter, trial: ArrayTrial) -> FilterErrors:
    """Errors of a filter in one trial, started about where the vehicle is."""
    run = array_run(trial)
    return errors_of(tested.made(), run, _launch(trial, run))


def _launch(trial: ArrayTrial, run: ArrayRun) -> Array:
    """Where a filter starts from, m."""
    return np.asarray(run.truth[0, :3] + LAUNCH_STD * normals(trial.seed, "launch", 3))


def mean_length(tested: TestedFilter, trials: Sequence[ArrayTrial]) -> float:
    """Mean 3-D error over all trials, m."""
    return float(np.mean([trial_errors(tested, trial).length.mean() for trial in trials]))


@cache
def smoothed_length(trial: ArrayTrial) -> float:
    """Mean 3-D error of the smoother over all readings of a trial, m."""
    run, made = array_run(trial), made_error_state()
    state = made.initial(position=_launch(trial, run))
    readings = [
        Reading(THRUSTERS, time_ns, time_ns, Status.OK, tuple(speeds.tolist()))
        for time_ns, speeds in zip(run.times_ns, run.speeds, strict=True)
        if time_ns > 0
    ]
    for time_ns, arrived in zip(run.times_ns, run.readings, strict=True):
        readings += made.taken(state.belief, time_ns, arrived)[0]
    found = smooth(made.filter, state.belief, readings)
    times = np.array(run.times_ns[FIRST:])
    last = np.searchsorted(found.stamps_ns, times, "right") - 1  # the cycles are among the stamps
    return float(np.linalg.norm(found.states[last, :3] - run.truth[FIRST:, :3], axis=1).mean())


@cache
def mean_length_bound(route: Route) -> float:
    """Smallest mean 3-D error with these readings, m, if plant and noise are as the filter assumes.

    Without errors in plant and readings the estimate stays at the truth, so the covariance of the filter is that of the
    system linearised there: the posterior Cramér-Rao bound.
    """
    run, filter_ = array_run(ArrayTrial(0, route, is_scattered=False, is_noisy=False)), made_error_state()
    state, draws, lengths = (
        filter_.initial(position=run.truth[0, :3]),
        normals(0, "bound", 3 * DRAWS).reshape(-1, 3),
        [],
    )
    for k, (time_ns, speeds, readings) in enumerate(zip(run.times_ns, run.speeds, run.readings, strict=True)):
        state, _ = filter_.step(state, time_ns, speeds.tolist(), readings)
        if k >= FIRST and k % 4 == 0:
            root = np.linalg.cholesky(state.belief.covariance[:3, :3])
            lengths.append(np.linalg.norm(draws @ root.T, axis=1).mean())
    return float(np.mean(lengths))


def filter_accuracy(seeds: Sequence[int]) -> list[Value]:
    """N1: mean errors inside the array."""
    trials = [ArrayTrial(seed) for seed in seeds]
    found = [trial_errors(additive(), trial) for trial in trials]
    position = np.mean([np.abs(one.position).mean(axis=0) for one in found], axis=0)
    quaternion = np.mean([np.abs(one.quaternion).mean(axis=0) for one in found], axis=0)
    figures: list[Value] = [("additive filter, mean 3-D error", float(np.mean([one.length.mean() for one in found])))]
    figures += [(f"additive filter, mean error of {axis}", float(e)) for axis, e in zip("xyz", position, strict=True)]
    figures += [(f"additive filter, mean error of s{i}", float(e)) for i, e in enumerate(quaternion)]
    figures.append(("additive filter, seed-scaled noise, mean 3-D error", mean_length(additive("seed-scaled"), trials)))
    best, bound = mean_length(error_state(), trials), mean_length_bound(SLOW_ROUND)
    figures += [
        ("error-state filter, every delay, mean 3-D error", best),
        ("the same over its bound", best / bound),
        ("bound of the mean 3-D error", bound),
        ("its smoother, mean 3-D error", float(np.mean([smoothed_length(trial) for trial in trials]))),
    ]
    rough = [trial._replace(is_disturbed=True) for trial in trials]
    figures.append(("error-state filter, disturbances of 20 N, mean 3-D error", mean_length(error_state(), rough)))
    return figures + _at_printed_speeds([trial._replace(route=FAST_ROUND) for trial in trials])


def _at_printed_speeds(trials: Sequence[ArrayTrial]) -> list[Value]:
    """The same round at the speeds of Table 6.1."""
    found = [trial_errors(additive(), trial) for trial in trials]
    position = np.mean([np.abs(one.position).mean(axis=0) for one in found], axis=0)
    quaternion = np.mean([np.abs(one.quaternion).mean(axis=0) for one in found], axis=0)
    words = "printed speeds, additive filter, mean"
    return [
        (f"{words} 3-D error", float(np.mean([one.length.mean() for one in found]))),
        *((f"{words} error of {axis}", float(e)) for axis, e in zip("xyz", position, strict=True)),
        *((f"{words} error of s{i}", float(e)) for i, e in enumerate(quaternion)),
        ("printed speeds, error-state filter, mean 3-D error", mean_length(error_state(), trials)),
    ]


def _horizontal(errors: FilterErrors) -> Array:
    return np.asarray(np.linalg.norm(errors.position[:, :2], axis=1))


def latency_compensation(seeds: Sequence[int]) -> list[Value]:
    """N2: horizontal errors with and without the delayed-state residual."""
    settings = {"SBL": ("sbl",), "no": (), "all": ("compass", "dvl", "sbl")}
    figures: list[Value] = []
    means = {}
    for name, route in (("transit", FAST_TRANSIT), ("slow round", SLOW_ROUND)):
        for words, kinds in settings.items():
            found = [trial_errors(additive("tuned", kinds), ArrayTrial(seed, route)) for seed in seeds]
            picked = [_horizontal(one)[one.speed >= MOVING] if name == "transit" else _horizontal(one) for one in found]
            means[name, words] = float(np.mean([one.mean() for one in picked]))
            figures.append((f"{name}, {words} compensation: mean horizontal error", means[name, words]))
        gain = means[name, "no"] - means[name, "SBL"]
        figures.append((f"{name}: gain by the compensation of the SBL", gain))
    return figures


def shadow_gating(seeds: Sequence[int]) -> list[Value]:
    """N3: ranges through the hull, false by 0.3 to 1.5 m, withheld or used."""
    trials = [ArrayTrial(seed, SHALLOW_ROUND, shadow="false") for seed in seeds]
    clean = [trial._replace(shadow="true") for trial in trials]
    gated, ungated = mean_length(additive(), trials), mean_length(additive(gated=False), trials)
    return [
        ("false ranges withheld: mean 3-D error", gated),
        ("false ranges used: mean 3-D error", ungated),
        ("used over withheld", ungated / gated),
        ("true ranges withheld: mean 3-D error", mean_length(additive(), clean)),
        ("error-state filter, false ranges withheld: mean 3-D error", mean_length(error_state(), trials)),
    ]


STUDIES: dict[str, StudyFunction] = {
    "N1": filter_accuracy,
    "N2": latency_compensation,
    "N3": shadow_gating,
}
