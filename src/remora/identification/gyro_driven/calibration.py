"""Calibration of a calm-water model to the field: from a short run with bottom lock, or sample by sample.

In the first (Randeni et al. 2018) the residual of the model is fitted by the terms of damping and environment; those of
mass and hydrostatics are fixed. An axis is changed only where this reduces the error on validation data.

In real time the model is updated with bottom lock and frozen without. Plain forgetting inflates the covariance of what
is not excited: after an hour straight ahead the first turn would change every coefficient. The estimators of
`identification.online.recursive` keep a floor of the information.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.estimation.gyro_driven import GyroDriven, Rotation, velocity_rate
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.fit import (
    TERMS,
    Active,
    damping_power,
    diverges_above,
    regression,
    solved_recursively,
    terms_of,
)
from remora.identification.gyro_driven.free_run import AXES, free_run
from remora.identification.online.recursive import RecursiveLeastSquares, RecursiveState
from remora.plant.failures import RunError

# Another environment, same vehicle: terms of mass and hydrostatics are fixed.
CALIBRATION = Active(surge=tuple(range(3, 11)), sway=tuple(range(2, 10)), heave=tuple(range(1, 6)))
# The vehicle itself changed: ballast, trim or modules.
RECONFIGURED = Active(surge=tuple(range(11)), sway=tuple(range(10)), heave=tuple(range(6)))
PRIOR = 1.0  # variance of the changes before the first sample, in units of the squared residual


class Calibration(NamedTuple):
    """A calibrated model and the decision for each axis."""

    model: GyroDriven  # changed in the accepted axes
    proposed: GyroDriven  # changed in all axes
    accepted: Mapping[str, bool]
    before: Mapping[str, float]  # free-run error of the baseline on the validation data, m/s RMS
    after: Mapping[str, float]  # the same of the model
    notes: tuple[str, ...]  # reasons for rejected axes


def calibrate_to_field(
    baseline: GyroDriven,
    data: GyroData,
    validation: GyroData,
    *,
    active: Active = CALIBRATION,
    prior: float = PRIOR,
) -> Calibration:
    """Calibrate a baseline model to the environment of some data.

    Parameters
    ----------
    baseline
        Fitted in calm water.
    data
        Short run in the new environment with bottom lock, best in both directions along one line.
    validation
        Another run there, which decides for each axis whether the change is accepted.
    active
        Terms that may change; `RECONFIGURED` includes those of mass, for a modified vehicle.
    prior
        Prior variance of the changes; results hardly depend on it between 1 and 1e4.
    """
    proposed = altered(
        baseline, {axis: alteration(baseline, data, axis, getattr(active, axis), prior) for axis in AXES}
    )
    before = _errors(baseline, validation)
    refused = {axis: note for axis in AXES if (note := _pushes(proposed, axis, validation))}
    while True:
        model = baseline._replace(**{axis: getattr(proposed, axis) for axis in AXES if axis not in refused})
        after = _errors(model, validation)
        worse = [axis for axis in AXES if axis not in refused and not after[axis] < before[axis]]
        if not worse:
            break
        for axis in worse:
            refused[axis] = f"{axis}: free-run error would go from {before[axis]:.3g} to {after[axis]:.3g} m/s; kept."
    accepted = {axis: axis not in refused for axis in AXES}
    return Calibration(model, proposed, accepted, before, after, tuple(refused.values()))


def alteration(baseline: GyroDriven, data: GyroData, axis: str, active: tuple[int, ...], prior: float) -> Array:
    """Change of the coefficients of an axis that best explains the residual of the baseline; zero where not active."""
    rows = regression(data, axis, baseline.surge_mass, baseline.circular_heading)
    left_over = rows.target - rows.matrix @ np.array(getattr(baseline, axis))
    columns = list(active)
    change = np.zeros(len(TERMS[axis]))
    change[columns] = solved_recursively(rows.matrix[:, columns], left_over, np.zeros(len(columns)), prior)[-1]
    return change


def altered(baseline: GyroDriven, changes: Mapping[str, Array]) -> GyroDriven:
    """Model with changes added to its coefficients; a zero change keeps a coefficient exactly."""
    numbers = {axis: tuple((np.array(getattr(baseline, axis)) + change).tolist()) for axis, change in changes.items()}
    return baseline._replace(**numbers)  # type: ignore[arg-type]


def _errors(model: GyroDriven, data: GyroData) -> dict[str, float]:
    """Free-run errors per axis; infinite where the model diverges."""
    try:
        return {axis: score.rmse for axis, score in free_run(model, data).scores.items()}
    except RunError:
        return dict.fromkeys(AXES, float("inf"))


def _pushes(model: GyroDriven, axis: str, data: GyroData) -> str:
    """Reason where the damping of a model would add energy at recorded speeds; else empty."""
    seen = float(np.nanmax(np.abs(data.velocity[:, AXES.index(axis)])))
    limit = diverges_above(model, axis, float(np.nanmean(np.abs(data.velocity[:, 0]))))
    if limit < seen:
        return f"{axis}: damping would push above {limit:.3g} m/s, and {seen:.3g} m/s were seen; kept."
    if damping_power(model, axis, data) > 0.0:
        return f"{axis}: damping would put energy in; kept."
    return ""


class Sample(NamedTuple):
    """Measurements at one time."""

    velocity: Vector3  # m/s over ground
    velocity_rate: Vector3  # m/s2, of its components in body axes
    rotation: Rotation  # its heading terms are those of the baseline
    thrust: float  # N
    locked: bool  # False: no bottom lock, velocity and its rate unknown


class CalibrationState(NamedTuple):
    """State of the calibration."""

    surge: RecursiveState
    sway: RecursiveState
    heave: RecursiveState


@final
@dataclass(frozen=True)
class RealTimeCalibration:
    """Recursive calibration of a baseline model with bottom lock."""

    baseline: GyroDriven
    forgetting: float = 0.98  # forgetting factor: a memory of 1 / (1 - forgetting) samples
    prior: float = 100.0  # prior variance of the changes, in units of the squared residual
    active: Active = CALIBRATION

    def __post_init__(self) -> None:
        self.estimator("surge")  # raises for a wrong forgetting factor

    def estimator(self, axis: str) -> RecursiveLeastSquares:
        """The estimator of one axis."""
        return RecursiveLeastSquares(len(getattr(self.active, axis)), forgetting=self.forgetting)

    def initial(self) -> CalibrationState:
        """Initial state: no change."""
        return CalibrationState(*(self.estimator(axis).initial(0.0, np.sqrt(self.prior)) for axis in AXES))

    def step(self, state: CalibrationState, sample: Sample) -> tuple[CalibrationState, GyroDriven]:
        """Update with one sample; without lock, state and model are unchanged."""
        if sample.locked:
            state = CalibrationState(*(self._updated(state, sample, axis) for axis in AXES))
        return state, self.model(state)

    def model(self, state: CalibrationState) -> GyroDriven:
        """The calibrated model."""
        changes = {}
        for axis in AXES:
            changes[axis] = np.zeros(len(TERMS[axis]))
            changes[axis][list(getattr(self.active, axis))] = getattr(state, axis).values[0]
        return altered(self.baseline, changes)

    def _updated(self, state: CalibrationState, sample: Sample, axis: str) -> RecursiveState:
        i, columns = AXES.index(axis), list(getattr(self.active, axis))
        expected = velocity_rate(self.baseline, sample.thrust, sample.velocity, sample.rotation)[i]
        scale = self.baseline.surge_mass if axis == "surge" else 1.0
        left_over = scale * (sample.velocity_rate[i] - expected)
        row = np.array(terms_of(axis, sample.velocity, sample.rotation))[columns]
        return self.estimator(axis).step(getattr(state, axis), row, left_over)


class RealTimeRun(NamedTuple):
    """A calibration run over data."""

    models: tuple[GyroDriven, ...]  # after each sample
    ahead: Array  # n x 3: measured less modelled velocity rate before the update, m/s2
    behind: Array  # n x 3: the same after the update, m/s2; small also for an overfit
    state: CalibrationState  # at the end


def samples_of(data: GyroData, circular_heading: float) -> list[Sample]:
    """Samples of data; rows that are not usable count as without lock."""
    rates, accelerations, pitch, heading = data.rotation(circular_heading)
    angles = zip(_rows(rates), _rows(accelerations), np.asarray(pitch).tolist(), _rows(heading), strict=True)
    table = zip(
        _rows(data.velocity.T), _rows(data.velocity_rate.T), map(Rotation._make, angles), data.thrust.tolist(),
        data.usable.tolist(), strict=True,
    )  # fmt: skip
    return [Sample._make(row) for row in table]


def _rows(columns: Any) -> Any:
    """Columns of numbers row by row."""
    return zip(*(column.tolist() for column in columns), strict=True)


def run_real_time_calibration(
    calibration: RealTimeCalibration, data: GyroData, state: CalibrationState | None = None
) -> RealTimeRun:
    """Run a calibration over data, with errors before and after each update.

    Parameters
    ----------
    calibration, data, state
        The estimator, samples, SI, and state to continue from; the initial one unless given.
    """
    state = calibration.initial() if state is None else state
    model = calibration.model(state)
    models, ahead, behind = [], [], []
    for sample in samples_of(data, calibration.baseline.circular_heading):
        ahead.append(_error(model, sample))
        state, model = calibration.step(state, sample)
        behind.append(_error(model, sample))
        models.append(model)
    return RealTimeRun(tuple(models), np.array(ahead), np.array(behind), state)


def _error(model: GyroDriven, sample: Sample) -> Array:
    return np.subtract(sample.velocity_rate, velocity_rate(model, sample.thrust, sample.velocity, sample.rotation))
