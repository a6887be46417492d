"""Calibration while under way: a model altered sample by sample as long as there is bottom lock, frozen without.

Plain forgetting would blow up what is not excited: after an hour straight ahead nothing is known of turns any more, and
the first turn then moves every number. The estimators of `identification.online.recursive` keep a floor of knowledge.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.algebra.vectors import Vector3
from remora.equations.estimation.gyro_driven import GyroDriven, Rotation, velocity_rate
from remora.files.arrays import Array
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.field_calibration import CALIBRATION, altered
from remora.identification.gyro_driven.fit import TERMS, Active, terms_of
from remora.identification.gyro_driven.free_run import AXES
from remora.identification.online.recursive import RecursiveLeastSquares, RecursiveState


class Sample(NamedTuple):
    """What is known at one time."""

    velocity: Vector3  # m/s over ground
    velocity_rate: Vector3  # m/s2, of its components in body axes
    rotation: Rotation  # its heading terms are those of the baseline
    thrust: float  # N
    locked: bool  # False: no bottom lock, so that velocity and its rate say nothing


class CalibrationState(NamedTuple):
    """State of the calibration."""

    surge: RecursiveState
    sway: RecursiveState
    heave: RecursiveState


@final
@dataclass(frozen=True)
class RealTimeCalibration:
    """A running part: alters a baseline model while there is bottom lock."""

    baseline: GyroDriven
    forgetting: float = 0.98  # weight of the past from one sample to the next: a memory of 1 / (1 - forgetting) samples
    prior: float = 100.0  # variance of the alteration before anything is known, in units of the squared residual
    active: Active = CALIBRATION

    def __post_init__(self) -> None:
        self.estimator("surge")  # which refuses a wrong forgetting

    def estimator(self, axis: str) -> RecursiveLeastSquares:
        """The estimator of one axis."""
        return RecursiveLeastSquares(len(getattr(self.active, axis)), forgetting=self.forgetting)

    def initial(self) -> CalibrationState:
        """Nothing learnt yet: the alteration is zero."""
        return CalibrationState(*(self.estimator(axis).initial(0.0, np.sqrt(self.prior)) for axis in AXES))

    def step(self, state: CalibrationState, sample: Sample) -> tuple[CalibrationState, GyroDriven]:
        """Learn from one sample; without lock, state and model stay as they are."""
        if sample.locked:
            state = CalibrationState(*(self._updated(state, sample, axis) for axis in AXES))
        return state, self.model(state)

    def model(self, state: CalibrationState) -> GyroDriven:
        """The model as altered so far."""
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
    ahead: Array  # n x 3: measured rate of velocity less that of the model before the sample was seen, m/s2
    behind: Array  # n x 3: the same with the model after it, which flatters: an overfit shows as a small number
    state: CalibrationState  # at the end


def samples_of(data: GyroData, circular_heading: float) -> list[Sample]:
    """Data sample by sample; rows that are not usable count as without lock."""
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
    """Run a calibration over data, with its errors before and after each sample; goes on from what was learnt."""
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
