"""Field calibration of a calm-water model from a short run with bottom lock (Randeni et al. 2018).

The residual of the model is fitted by the terms of damping and environment; those of mass and hydrostatics are fixed.
An axis is changed only where this reduces the error on validation data.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from remora.equations.estimation.gyro_driven import GyroDriven
from remora.files.arrays import Array
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.fit import (
    TERMS,
    Active,
    damping_power,
    diverges_above,
    regression,
    solved_recursively,
)
from remora.identification.gyro_driven.free_run import AXES, free_run
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
