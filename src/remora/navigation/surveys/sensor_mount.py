"""Mount of a sensor from its readings beside a known motion: lever arm, misalignment, scale and noise.

A direction that the motion does not excite is reported and not estimated: yawing alone, for instance, shows the lever
arm of a DVL forward and to starboard, but not downward.
"""

import math
from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.quaternions import (
    conjugate,
    from_rotation_vector,
    normalize,
    product,
    rotation_matrix,
    to_rotation_vector,
)
from remora.equations.types import Quaternion, Vector3
from remora.files.arrays import Array
from remora.navigation.surveys.arrays import SurveyError, table

LEVER = ("lever_arm_x", "lever_arm_y", "lever_arm_z")
TURN = ("misalignment_x", "misalignment_y", "misalignment_z")
# Standard deviations above these, 10 m, 60 degrees or 100 %, are as good as no estimate.
CONVERGED = 1e-12  # rad
USELESS = {"lever_arm": 10.0, "misalignment": math.radians(60.0), "scale": 1.0}


class SensorMountSurvey(NamedTuple):
    """Estimated mount; unobservable parameters keep their assumed values and have an infinite standard deviation."""

    p_BS: Vector3  # m, lever arm in body axes
    q_BS: Quaternion
    scale: float  # factor of the readings; 1 where it was not estimated
    std: dict[str, float]  # m, rad and 1, by parameter: lever_arm_*, misalignment_* (in sensor axes), scale
    noise: Vector3  # standard deviation about the fit: m/s, or rad about each sensor axis
    unobservable: tuple[str, ...]


def survey_velocity_sensor(
    twists: ArrayLike,
    readings: ArrayLike,
    p_BS: Vector3 = (0.0, 0.0, 0.0),
    q_BS: Quaternion = (1.0, 0.0, 0.0, 0.0),
    with_scale: bool = False,
) -> SensorMountSurvey:
    """Lever arm, misalignment and, where asked for, scale of a DVL.

    Parameters
    ----------
    twists
        True twist of the body at the stamps of the readings: m/s and rad/s in body axes, one row each.
    readings
        Velocities over ground in sensor axes, m/s; NaN without lock.
    p_BS
        Assumed lever arm, m: the start, and the value of unobservable parts.
    q_BS
        Assumed orientation.
    with_scale
        Whether a scale factor is estimated too, as of a wrong sound speed.
    """
    motion, measured = _paired(table(twists, "twists", 6), table(readings, "readings", 3), "twists")

    def predicted(lever: Vector3, q: Quaternion, scale: float) -> Array:
        v_NS_B = motion[:, :3] + np.cross(motion[:, 3:], lever)
        return cast(Array, scale * v_NS_B @ np.array(rotation_matrix(q)))

    names = (*LEVER, *TURN, *(("scale",) if with_scale else ()))
    return _surveyed(predicted, measured, names, p_BS, q_BS)


def survey_attitude_sensor(
    attitudes: ArrayLike, readings: ArrayLike, q_BS: Quaternion = (1.0, 0.0, 0.0, 0.0)
) -> SensorMountSurvey:
    """Misalignment of an attitude sensor: the mean rotation from the body to it.

    Parameters
    ----------
    attitudes
        True attitudes q_NB at the stamps of the readings, scalar first, one row each.
    readings
        Measured attitudes q_NS, scalar first; NaN where there is none.
    q_BS
        Assumed orientation.
    """
    true, measured = _paired(table(attitudes, "attitudes", 4), table(readings, "readings", 4), "attitudes")
    found = [
        product(conjugate(normalize(tuple(body))), normalize(tuple(sensor)))
        for body, sensor in zip(true.tolist(), measured.tolist(), strict=True)
    ]
    mean, spread = q_BS, math.inf
    while spread > CONVERGED:
        errors = np.array([to_rotation_vector(product(conjugate(mean), q)) for q in found])
        x, y, z = map(float, errors.mean(axis=0))
        mean, spread = normalize(product(mean, from_rotation_vector((x, y, z)))), math.hypot(x, y, z)
    noise = errors.std(axis=0)
    std = {name: float(one) / math.sqrt(len(found)) for name, one in zip(TURN, noise, strict=True)}
    each = (float(noise[0]), float(noise[1]), float(noise[2]))
    return SensorMountSurvey((0.0, 0.0, 0.0), mean, 1.0, std, each, ())


def _paired(motion: Array, measured: Array, name: str) -> tuple[Array, Array]:
    """Rows in which both are known."""
    if len(motion) != len(measured):
        raise SurveyError(f"readings: found {len(measured)} rows; {name} has {len(motion)}.").about("readings")
    valid = ~np.isnan(motion).any(axis=1) & ~np.isnan(measured).any(axis=1)
    if np.count_nonzero(valid) < 10:
        found = int(np.count_nonzero(valid))
        raise SurveyError(f"readings: found {found} valid rows; a mount needs ten or more.").about("readings", found)
    return motion[valid], measured[valid]


def _surveyed(
    predicted: Callable[[Vector3, Quaternion, float], Array],
    measured: Array,
    names: tuple[str, ...],
    p_BS: Vector3,
    q_BS: Quaternion,
) -> SensorMountSurvey:
    """Least squares over all parameters, repeated without those that the data do not show."""
    chosen, poor = names, names
    while poor:
        mount, std, left = _fitted(predicted, measured, chosen, p_BS, q_BS)
        poor = tuple(name for name in chosen if not std[name] <= USELESS[name.rsplit("_", 1)[0]])
        if len(poor) == len(chosen):
            raise SurveyError("twists: this motion shows no part of the mount; move and turn the vehicle.").about(
                "twists"
            )
        chosen = tuple(name for name in chosen if name not in poor)
    noise = np.sqrt(np.mean(left**2, axis=0))
    return SensorMountSurvey(
        *mount,
        {name: std.get(name, math.inf) for name in names},
        (float(noise[0]), float(noise[1]), float(noise[2])),
        tuple(name for name in names if name not in chosen),
    )


def _fitted(
    predicted: Callable[[Vector3, Quaternion, float], Array],
    measured: Array,
    names: tuple[str, ...],
    p_BS: Vector3,
    q_BS: Quaternion,
) -> tuple[tuple[Vector3, Quaternion, float], dict[str, float], Array]:
    """Mount, standard deviations by name, and residuals."""
    from scipy.optimize import least_squares

    def corrected(free: Array) -> tuple[Vector3, Quaternion, float]:
        step = dict(zip(names, free.tolist(), strict=True))
        lever = [p + step.get(name, 0.0) for p, name in zip(p_BS, LEVER, strict=True)]
        turn = [step.get(name, 0.0) for name in TURN]
        q = product(q_BS, from_rotation_vector((turn[0], turn[1], turn[2])))
        return (lever[0], lever[1], lever[2]), normalize(q), 1.0 + step.get("scale", 0.0)

    fit = least_squares(lambda free: (measured - predicted(*corrected(free))).ravel(), np.zeros(len(names)))
    left = fit.fun.reshape(measured.shape)
    std = _deviations(fit.jac, float(np.sum(left**2)) / (left.size - len(names)))
    return corrected(fit.x), dict(zip(names, std.tolist(), strict=True)), left


def _deviations(slopes: Array, variance: float) -> Array:
    """Standard deviations; infinite for parameters that take part in a direction without information."""
    _, sizes, directions = np.linalg.svd(slopes, full_matrices=False)
    blind = sizes <= 1e-9 * sizes[0]
    inverse = np.where(blind, 0.0, 1.0 / np.where(blind, 1.0, sizes))
    std = np.sqrt(variance * np.sum((directions.T * inverse) ** 2, axis=1))
    hidden = (directions[blind] ** 2).sum(axis=0) > 1e-6
    return np.where(hidden, math.inf, std)
