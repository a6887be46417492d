"""Position of an acoustic transponder from ranges to points that are known, for instance by motion capture.

The residuals are differences of ranges and not of their squares, so that noise of equal size counts equally at any
distance. In a nearly horizontal array the depth is hardly observable; it is then measured separately and given.
"""

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.navigation.surveys.arrays import SurveyError, column, table

FLAT = 0.02  # smallest over largest spread of the points, below which one side of their plane is chosen by the caller


class TransponderSurvey(NamedTuple):
    """Position of a transponder, its covariance, and the residuals of the ranges."""

    position: Vector3  # m, in N
    covariance: Array  # 3x3, m2; zero for a given depth
    residuals: Array  # m, measured minus computed
    rms: float  # m


def survey_transponder(
    points: ArrayLike, ranges: ArrayLike, depth: float | None = None, guess: ArrayLike | None = None
) -> TransponderSurvey:
    """The position with the least squared range residuals.

    Parameters
    ----------
    points
        Known positions of the other end, m, in N: one row each.
    ranges
        Measured ranges, m; NaN where there was none.
    depth
        z of the transponder in N, m, where it was measured separately.
    guess
        Approximate position, m. Required without a depth if the points are nearly in one plane, which leaves two
        mirrored solutions.
    """
    known = table(points, "points", 3)
    measured = column(ranges, "ranges", len(known))
    valid = ~np.isnan(measured) & ~np.isnan(known).any(axis=1)
    known, measured = known[valid], measured[valid]
    free = 3 if depth is None else 2
    _require_geometry(known, measured, free, guess)
    start = _start(known, measured) if guess is None else table(guess, "guess", 3)[0]
    fixed = np.array([]) if depth is None else np.array([float(depth)])
    return _solved(known, measured, start[:free], fixed)


def _require_geometry(known: Array, measured: Array, free: int, guess: ArrayLike | None) -> None:
    """Refuse points that do not determine the position."""
    if len(known) <= free:
        need = f"{free + 1} or more"
        raise SurveyError(f"ranges: found {len(known)} valid ones; give {need}.").about("ranges", len(known))
    if (measured <= 0.0).any():
        raise SurveyError("ranges: must be positive, in m.").about("ranges", float(measured.min()))
    sizes = np.linalg.svd((known - known.mean(axis=0))[:, :free], compute_uv=False)
    if sizes[1] <= FLAT * sizes[0]:
        raise SurveyError("points: they are on one line, which leaves the position open.").about("points")
    if free == 3 and guess is None and sizes[2] <= FLAT * sizes[0]:
        fix = "Give the depth of the transponder, or a guess on its side of the plane."
        raise SurveyError(f"points: they are in one plane. {fix}").about("guess", fix=fix)


def _start(known: Array, measured: Array) -> Array:
    """Linear multilateration: differences of squared ranges."""
    offset = known - known.mean(axis=0)
    right = 0.5 * ((np.sum(offset**2, axis=1) - measured**2) - np.mean(np.sum(offset**2, axis=1) - measured**2))
    return cast(Array, known.mean(axis=0) + np.linalg.lstsq(offset, right, rcond=None)[0])


def _solved(known: Array, measured: Array, start: Array, fixed: Array) -> TransponderSurvey:
    """Gauss-Newton with a trust region from the start."""
    from scipy.optimize import least_squares

    def residuals(free: Array) -> Array:
        return measured - np.linalg.norm(known - np.concatenate([free, fixed]), axis=1)

    found = least_squares(residuals, start, method="lm")
    left = residuals(found.x)
    variance = float(left @ left) / (len(left) - len(found.x))
    covariance = np.zeros((3, 3))
    covariance[: len(found.x), : len(found.x)] = variance * np.linalg.inv(found.jac.T @ found.jac)
    x, y, z = map(float, np.concatenate([found.x, fixed]))
    return TransponderSurvey((x, y, z), covariance, left, float(np.sqrt(np.mean(left**2))))


def range_errors(position: ArrayLike, points: ArrayLike, ranges: ArrayLike) -> Array:
    """Measured minus computed ranges at further known points, for validation, m.

    Parameters
    ----------
    position
        Of the transponder, m, in N.
    points
        Known positions of the other end, m, in N: one row each.
    ranges
        Measured ranges, m.
    """
    known = table(points, "points", 3)
    return column(ranges, "ranges", len(known)) - np.linalg.norm(known - table(position, "position", 3)[0], axis=1)
