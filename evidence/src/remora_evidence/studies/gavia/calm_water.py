"""gavia-5.1 to 5.3, 5.5 and 5.6: identification of a gyro-driven model.

Field data do not exist, so the studies run on twins: the recommended plant, which has the surge of the estimator, and
one that has not (strips across the flow, thrust that falls with speed, a lagging velocity).
"""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.equations.actuators.thrusters import THRUST_FROM_SPEED_AND_INFLOW
from remora.equations.algebra.vectors import diagonal6
from remora.equations.estimation.gyro_driven import GyroDriven
from remora.equations.hull.forms.cross_flow import CROSS_FLOW, Strip
from remora.files.arrays import Array
from remora.identification.gyro_driven.calibration import RealTimeCalibration, run_real_time_calibration
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.fit import (
    BASELINE,
    PRIOR,
    Active,
    GyroFit,
    Method,
    fit_gyro_driven,
    regression,
)
from remora.identification.gyro_driven.free_run import AXES, STEP, free_run
from remora.vehicles import Vehicle, load_vehicle
from remora.vehicles.parameters import with_form
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.gavia import records

PROGRAMS = {"ID1": records.ID1, "ID2": records.ID2, "unseen": records.UNSEEN}
METHODS: dict[str, Method] = {"RLS": "recursive", "PEM": "prediction error"}
CELLS = ("RLS, ID1", "RLS, ID2", "PEM, ID1", "PEM, ID2")  # of Table 4: method and data set
LITERAL_STEP = 0.01  # s: the printed scaling makes surge stiff
SIGNIFICANT = 5.0  # standard deviations that a number is away from zero
THRUST_LOSS = 0.15  # of the mismatched plant at 570 rpm and 1.6 m/s
LAG = 0.3  # s, of its velocity
STRIPS = 20


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
        thrust_law=THRUST_FROM_SPEED_AND_INFLOW,
        thrusters=(propeller._replace(positive=curve, inflow_is_signed=1.0),),
    )
    strips = [Strip(x, across, across) for x in places]
    return replace(gavia(), parameters=with_form(changed, CROSS_FLOW, *strips))


@cache
def truth(plant: str, run: str) -> records.TrueRun:
    """What a plant does in a program in calm water."""
    made = records.follow(gavia() if plant == "matched" else mismatched(), records.program(PROGRAMS[run]))
    return made if plant == "matched" else records.lagging(made, LAG)


@cache
def data(plant: str, run: str, seed: int) -> GyroData:
    """What is logged of it; the law of thrust is the nominal one."""
    return records.logged(gavia(), truth(plant, run), seed, run)


@cache
def cells(plant: str, seed: int) -> dict[str, Array]:
    """Free-run errors on unseen data, per way to fit and set that it was fitted to: surge, sway, heave."""
    unseen, found = data(plant, "unseen", seed), {}
    for cell in CELLS:
        how, run = cell.split(", ")
        model = fit_gyro_driven(data(plant, run, seed), method=METHODS[how]).model
        found[cell] = errors(model, unseen)
    return found


def errors(model: GyroDriven, unseen: GyroData, step: float = STEP) -> Array:
    """Free-run errors of a model, m/s RMS."""
    run = free_run(model, unseen, step)
    return np.array([run.scores[axis].rmse for axis in AXES])


def at_rest(unseen: GyroData) -> Array:
    """Errors of a model that says there is no sway and no heave."""
    return np.sqrt(np.mean(np.square(unseen.velocity), axis=0))


def baseline_accuracy(seeds: Sequence[int]) -> list[Value]:
    """Table 4 on both plants, worst seed, against printed errors and a model that knows nothing."""
    figures = []
    for plant in ("matched", "mismatched"):
        for cell in CELLS:
            worst = np.max([cells(plant, seed)[cell] for seed in seeds], axis=0)
            figures += [(f"{plant} plant, {cell}: {axis}", error) for axis, error in zip(AXES, worst, strict=True)]
        figures += _against_rest(plant, seeds)
    sound = np.max([error for seed in seeds for error in cells("matched", seed).values()], axis=0)
    figures += [(f"matched plant, worst of all: {axis}", error) for axis, error in zip(AXES, sound, strict=True)]
    return figures + _literal(seeds)


def _against_rest(plant: str, seeds: Sequence[int]) -> list[Value]:
    """Worst errors of sway and heave as a share of those of a model without any."""
    shares = [
        np.max(list(cells(plant, seed).values()), axis=0) / at_rest(data(plant, "unseen", seed)) for seed in seeds
    ]
    worst = np.max(shares, axis=0)
    return [(f"{plant} plant, {AXES[i]}: worst error over that of no {AXES[i]}", worst[i]) for i in (1, 2)]


def _literal(seeds: Sequence[int]) -> list[Value]:
    """Surge in the printed scaling, with the heading terms that are printed."""
    found = [literal_fit(seed) for seed in seeds]
    drag = np.median([one[1:] for one in found], axis=0)
    return [
        ("matched plant, thrust scaled as printed, ID1: surge", max(one[0] for one in found)),
        *zip(("the same, u^3", "the same, u|u|", "the same, u"), drag, strict=True),
    ]


@cache
def literal_fit(seed: int) -> tuple[float, ...]:
    """Error of surge in the printed scaling, and its three numbers of drag."""
    fit = fit_gyro_driven(data("matched", "ID1", seed), scaling="literal", heading="printed", method="batch")
    error = errors(fit.model, data("matched", "unseen", seed), LITERAL_STEP)[0]
    return (float(error), *fit.model.surge[3:6])


def data_set_dependence(seeds: Sequence[int]) -> list[Value]:
    """Spread of the errors over both ways to fit and both data sets, worst seed."""
    spreads = [np.ptp(list(cells("matched", seed).values()), axis=0) for seed in seeds]
    worst = np.max(spreads, axis=0)
    return [(f"spread of the error over four models: {axis}", spread) for axis, spread in zip(AXES, worst, strict=True)]


def significant(made: GyroData, fit: GyroFit, axis: str, active: Active = BASELINE) -> NDArray[np.bool_]:
    """Numbers whose t-ratio, as it is usually worked out, is above five; it takes residuals as white."""
    rows = regression(made, axis, fit.model.surge_mass, fit.model.circular_heading)
    matrix, left = rows.matrix[:, list(getattr(active, axis))], fit.fits[axis].residuals[axis]
    variance = float(left @ left) / (len(left) - matrix.shape[1]) * np.diag(np.linalg.inv(matrix.T @ matrix))
    return np.asarray(np.abs(fit.fits[axis].values) > SIGNIFICANT * np.sqrt(variance))


@cache
def recursive_fit(run: str, seed: int) -> GyroFit:
    """Recursive least squares on a set of the matched plant."""
    return fit_gyro_driven(data("matched", run, seed))


def cases(seeds: Sequence[int]) -> Iterable[tuple[str, int, str]]:
    """Data set, seed and axis."""
    return ((run, seed, axis) for run in ("ID1", "ID2") for seed in seeds for axis in AXES)


def start_independence(seeds: Sequence[int]) -> list[Value]:
    """Change of each significant number with the numbers to start from."""
    return [
        (f"start from {name} instead of one: largest change", 100.0 * max(_moved(name, seed) for seed in seeds))
        for name in ("zero", "the numbers found")
    ]


@cache
def _moved(start: str, seed: int) -> float:
    """Largest relative change of both sets of a seed."""
    moved = []
    for run in ("ID1", "ID2"):
        other = fit_gyro_driven(
            data("matched", run, seed), start=0.0 if start == "zero" else recursive_fit(run, seed).model
        )
        moved += [_largest_change(run, seed, other, axis) for axis in AXES]
    return max(moved)


def _largest_change(run: str, seed: int, other: GyroFit, axis: str) -> float:
    first = recursive_fit(run, seed)
    kept = significant(data("matched", run, seed), first, axis)
    change = other.fits[axis].values[kept] / first.fits[axis].values[kept] - 1.0
    return float(np.max(np.abs(change)))


class Agreement(NamedTuple):
    """Largest relative difference of estimators of one axis."""

    prediction: float  # prediction error and batch
    with_prior: float  # recursive, and least squares with the same prior
    plain: float  # recursive and batch, significant numbers


@cache
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
    kept = significant(made, recursive, axis)
    return Agreement(
        float(np.max(np.abs(prediction / batch - 1.0))),
        float(np.max(np.abs(values / expected - 1.0))),
        float(np.max(np.abs(values[kept] / batch[kept] - 1.0))),
    )


def estimators_agree(seeds: Sequence[int]) -> list[Value]:
    """Recursive least squares, batch and prediction errors find the same numbers."""
    worst = np.max([agreement(*case) for case in cases(seeds)], axis=0)
    return [
        ("prediction error against batch, all numbers", worst[0]),
        ("recursive against least squares with its prior, all numbers", worst[1]),
        ("recursive against plain least squares, significant numbers", worst[2]),
    ]


def timing(seeds: Sequence[int]) -> list[Value]:
    """Samples per second of processor time, all three axes together; the slower of the printed rates is demanded."""
    made, model = data("matched", "ID2", seeds[0]), recursive_fit("ID2", seeds[0]).model
    samples = len(made.time)
    estimators: dict[str, Callable[[], object]] = {
        "recursive": lambda: fit_gyro_driven(made),
        "prediction error": lambda: fit_gyro_driven(made, method="prediction error"),
        "real-time calibration": lambda: run_real_time_calibration(RealTimeCalibration(model), made),
    }
    figures: list[Value] = [("samples in 862 s", samples)]
    for name, estimate in estimators.items():
        begun = time.process_time()
        estimate()
        rate = samples / (time.process_time() - begun)
        figures.append((f"{name}: samples per second", rate))
    return figures


STUDIES: dict[str, StudyFunction] = {
    "gavia-5.1": baseline_accuracy,
    "gavia-5.2": data_set_dependence,
    "gavia-5.3": start_independence,
    "gavia-5.5": estimators_agree,
    "gavia-5.6": timing,
}
