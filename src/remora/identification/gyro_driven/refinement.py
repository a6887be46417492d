"""Output-error refinement of a gyro-driven model: least squares on the velocity of its free run.

In least squares on accelerations, noise of the measured velocities enters the regressors and biases damping towards
zero. A free run uses only the first measured velocity and has no such bias; it costs one free run for each coefficient
and iteration.
"""

import numpy as np
from scipy import optimize

from remora.equations.estimation.gyro_driven import GyroDriven
from remora.files.arrays import Array
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.fit import BASELINE, Active, regression
from remora.identification.gyro_driven.free_run import AXES, STEP, free_run
from remora.plant.failures import RunError

_RUN_AWAY = 1e3  # m/s: error of a diverging model
_NUDGE = 1e-4  # finite-difference step relative to the scale of a coefficient


def refined_by_output_error(
    model: GyroDriven, data: GyroData, active: Active = BASELINE, step: float = STEP, rounds: int = 10
) -> GyroDriven:
    """Refine a model by least squares on its free run.

    Parameters
    ----------
    model
        Initial model, such as that of `fit_gyro_driven`; it must not diverge.
    data
        Samples with known velocity; each segment starts from the measured one.
    active
        Terms that may change.
    step
        Largest integration step of the free runs, s.
    rounds
        Largest number of iterations of the trust-region method.
    """
    places = [(axis, k) for axis in AXES for k in getattr(active, axis)]
    units = np.concatenate([_units(model, data, axis)[list(getattr(active, axis))] for axis in AXES])
    free_run(model, data, step)  # raises for a diverging start

    def moved(change: Array) -> GyroDriven:
        numbers = {axis: list(getattr(model, axis)) for axis in AXES}
        for (axis, k), amount in zip(places, change * units, strict=True):
            numbers[axis][k] += amount
        return model._replace(**{axis: tuple(values) for axis, values in numbers.items()})  # type: ignore[arg-type]

    def errors(change: Array) -> Array:
        try:
            left = free_run(moved(change), data, step).velocity - data.velocity
        except RunError:
            left = np.full_like(data.velocity, _RUN_AWAY)
        return np.nan_to_num(left).ravel()

    # About one, not zero: finite-difference steps are relative.
    start = np.ones(len(places))
    found = optimize.least_squares(lambda x: errors(x - start), start, diff_step=_NUDGE, max_nfev=rounds)
    return moved(found.x - start)


def _units(model: GyroDriven, data: GyroData, axis: str) -> Array:
    """Scale of each coefficient with which its term alone would balance the axis."""
    rows = regression(data, axis, model.surge_mass, model.circular_heading)
    terms = np.sqrt(np.mean(np.square(rows.matrix), axis=0))
    size = float(np.sqrt(np.mean(np.square(rows.target))))
    return np.where(terms > 0.0, size / np.maximum(terms, 1e-300), 1.0)
