"""Hard- and soft-iron calibration of a magnetometer from readings at many attitudes.

Readings of a field of constant strength lie on a sphere; iron on the vehicle shifts it (hard iron) and deforms it into
an ellipsoid (soft iron). A least-squares ellipsoid gives both, except for a rotation of the sensor axes, which readings
of a magnetometer alone do not show: survey the heading against a reference afterwards.
"""

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.types import Matrix3, Vector3
from remora.files.arrays import Array
from remora.navigation.surveys.arrays import SurveyError, positive, table

LEAST_COVERAGE = 0.2  # smallest over largest extent of the readings, for an ellipsoid
FEWEST_READINGS = 30
LARGEST_DISTORTION = 4.0  # longest over shortest axis of the ellipsoid; soft iron on a vehicle causes less
LARGEST_RESIDUAL = 0.2  # of the field, beyond which it is not constant


class MagneticCalibration(NamedTuple):
    """Arguments of `calibrated_field`, and how well a sphere fits the calibrated readings."""

    correction: Matrix3
    hard_iron: Vector3  # unit of the readings
    intensity: float  # of the calibrated field
    rms: float  # of its strength about the intensity, in the unit of the readings
    before: float  # the same before the calibration


def calibrate_magnetometer(
    readings: ArrayLike, intensity: float | None = None, level: bool = False
) -> MagneticCalibration:
    """Correction of a magnetometer.

    Parameters
    ----------
    readings
        Measured fields in sensor axes, one row each, at attitudes all around; NaN rows are left out.
    intensity
        Strength of the field of the Earth in the unit of the readings, with `level` of its horizontal component;
        the mean size of the ellipsoid unless given.
    level
        Whether the vehicle was only turned about the vertical: then x and y are calibrated, and z is left as it is.
    """
    rows = table(readings, "readings", 3)
    rows = rows[~np.isnan(rows).any(axis=1)]
    if len(rows) < FEWEST_READINGS:
        need = f"a calibration needs {FEWEST_READINGS} or more"
        raise SurveyError(f"readings: found {len(rows)} valid ones; {need}.").about("readings", len(rows))
    used = rows[:, :2] if level else rows
    _require_coverage(used, level)
    root, center = _refined(used, *_ellipsoid(used))
    size = float(np.linalg.det(root)) ** (-1.0 / used.shape[1])
    strength = size if intensity is None else positive(intensity, "intensity")
    correction, hard_iron = np.eye(3), np.zeros(3)
    correction[: len(root), : len(root)], hard_iron[: len(center)] = strength * root, center
    fixed = (rows - hard_iron) @ correction.T
    rms = _unevenness(fixed[:, : used.shape[1]])
    if rms > LARGEST_RESIDUAL * strength or np.linalg.cond(root) > LARGEST_DISTORTION:
        raise _no_ellipsoid()
    x, y, z = map(float, hard_iron)
    return MagneticCalibration(
        cast(Matrix3, tuple(map(tuple, correction.tolist()))), (x, y, z), strength, rms, _unevenness(used)
    )


def _require_coverage(rows: Array, level: bool) -> None:
    """Refuse readings that cover too little of the ellipsoid."""
    sizes = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False)
    if sizes[-1] < LEAST_COVERAGE * sizes[0]:
        fix = "Turn the vehicle through all headings" + ("." if level else ", rolled and pitched, or use level=True.")
        raise SurveyError(f"readings: they cover too few directions. {fix}").about("readings", fix=fix)


def _ellipsoid(rows: Array) -> tuple[Array, Array]:
    """Symmetric root W and center c of the ellipsoid |W (x - c)| = 1 with the least algebraic error."""
    n = rows.shape[1]
    scale, middle = float(np.abs(rows).max()), rows.mean(axis=0)
    x = (rows - middle) / scale
    pairs = [(i, j) for i in range(n) for j in range(i, n)]
    columns = [x[:, i] * x[:, j] * (1.0 if i == j else 2.0) for i, j in pairs]
    solved = np.linalg.lstsq(np.column_stack([*columns, x]), np.ones(len(x)), rcond=None)[0]
    A = np.zeros((n, n))
    for (i, j), value in zip(pairs, solved, strict=False):
        A[i, j] = A[j, i] = value
    center = -0.5 * np.linalg.solve(A, solved[len(pairs) :])
    sizes, axes = np.linalg.eigh(A / (1.0 + center @ A @ center))
    if sizes[0] <= 0.0:
        raise _no_ellipsoid()
    return axes @ np.diag(np.sqrt(sizes)) @ axes.T / scale, middle + scale * center


def _refined(rows: Array, root: Array, center: Array) -> tuple[Array, Array]:
    """The ellipsoid with the least error of |W (x - c)|; the algebraic one is biased by noise."""
    from scipy.optimize import least_squares

    n, upper = len(center), np.triu_indices(len(center))

    def unpacked(free: Array) -> tuple[Array, Array]:
        W = np.zeros((n, n))
        W[upper] = free[n:]
        return (W + np.triu(W, 1).T) @ root, center + free[:n] / root[0, 0]

    def errors(free: Array) -> Array:
        W, c = unpacked(free)
        return np.linalg.norm((rows - c) @ W.T, axis=1) - 1.0

    start = np.concatenate([np.zeros(n), np.eye(n)[upper]])
    W, c = unpacked(least_squares(errors, start).x)
    sizes, axes = np.linalg.eigh(W.T @ W)
    return axes @ np.diag(np.sqrt(sizes)) @ axes.T, c


def _no_ellipsoid() -> SurveyError:
    fix = "Turn the vehicle through more directions, away from moving iron."
    return SurveyError(f"readings: they lie on no ellipsoid. {fix}").about("readings", fix=fix)


def _unevenness(rows: Array) -> float:
    """Standard deviation of the strength."""
    return float(np.std(np.linalg.norm(rows, axis=1)))
