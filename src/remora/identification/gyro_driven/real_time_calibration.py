"""Real-time calibration: a model updated sample by sample with bottom lock, frozen without.

Plain forgetting inflates the covariance of what is not excited: after an hour straight ahead the first turn would
change every coefficient. The estimators of `identification.online.recursive` keep a floor of the information.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.estimation.gyro_driven import GyroDriven, Rotation, velocity_rate
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.field_calibration import CALIBRATION, altered
from remora.identification.gyro_driven.fit import TERMS, Active, terms_of
from remora.identification.gyro_driven.free_run import AXES
from remora.identification.online.recursive import RecursiveLeastSquares, RecursiveState


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
    calibration
        The estimator.
    data
        Samples, SI.
    state
        State to continue from; the initial one unless given.
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
