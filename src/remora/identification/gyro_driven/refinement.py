"""A gyro-driven model refined by its free run: the numbers whose simulated velocity is nearest to the measured one.

Least squares on accelerations takes noise of the measured velocities into its terms and so makes damping too small. A
free run has no measured velocity in it but the first, so that this fit knows no such bias; it costs a free run for each
number and round.
"""

import numpy as np
from scipy import optimize

from remora.equations.estimation.gyro_driven import GyroDriven
from remora.files.arrays import Array
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.fit import BASELINE, Active, regression
from remora.identification.gyro_driven.free_run import AXES, STEP, free_run
from remora.kernels.failures import RunError

_RUN_AWAY = 1e3  # m/s: the error that counts where a model runs away
_NUDGE = 1e-4  # of the size that a number would need to balance the axis alone


def refined_by_output_error(
    model: GyroDriven, data: GyroData, active: Active = BASELINE, step: float = STEP, rounds: int = 10
) -> GyroDriven:
    """Refine a fitted model until its free run is as near to the measured velocity as it gets.

    Parameters
    ----------
    model
        To start from, such as that of `fit_gyro_driven`; it must not run away.
    data
        Samples with known velocity; segments start anew from the measured one.
    active
        Terms that may change.
    step
        Longest step of the free runs, s.
    rounds
        At most so many steps of the trust-region method.
    """
    places = [(axis, k) for axis in AXES for k in getattr(active, axis)]
    units = np.concatenate([_units(model, data, axis)[list(getattr(active, axis))] for axis in AXES])
    free_run(model, data, step)  # a start that runs away is told here

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

    # About one, not zero: the nudges for slopes are shares of the values.
    start = np.ones(len(places))
    found = optimize.least_squares(lambda x: errors(x - start), start, diff_step=_NUDGE, max_nfev=rounds)
    return moved(found.x - start)


def _units(model: GyroDriven, data: GyroData, axis: str) -> Array:
    """Per number the size with which its term alone would be as large as all that acts on the axis."""
    rows = regression(data, axis, model.surge_mass, model.circular_heading)
    terms = np.sqrt(np.mean(np.square(rows.matrix), axis=0))
    size = float(np.sqrt(np.mean(np.square(rows.target))))
    return np.where(terms > 0.0, size / np.maximum(terms, 1e-300), 1.0)
