"""Pose of a body from markers of known position on it, as a motion-capture system sees them.

The least-squares alignment of two point sets has a closed form by singular value decomposition (Kabsch; Umeyama). It
minimises the cost of Proctor 2014, eq. 2.2, with its squared norm restored.
"""

import math
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.vectors import skew
from remora.equations.types import Quaternion, Vector3
from remora.files.arrays import Array
from remora.navigation.surveys.arrays import SurveyError, positive, table

FEWEST_MARKERS = 3
LEAST_SPREAD = 1e-6  # second singular value over the first, below which markers are on one line


class MarkerPose(NamedTuple):
    """Pose of a body, with the covariance that marker noise causes."""

    p_NB: Vector3  # m
    q_NB: Quaternion
    rms: float  # m, root mean square distance of the visible markers from the aligned ones
    markers: int  # visible ones
    covariance: Array  # 6x6: position in N, m2; rotation vector in body axes, rad2


def pose_from_markers(p_BM: ArrayLike, p_NM: ArrayLike, std: float | None = None) -> MarkerPose:
    """The pose that fits the visible markers best.

    Parameters
    ----------
    p_BM
        Positions of the markers on the body, m, in body axes: one row per marker.
    p_NM
        Measured positions, m, in N; NaN for a hidden marker.
    std
        Standard deviation of each measured coordinate, m; from the residuals unless given.
    """
    body, seen = table(p_BM, "p_BM", 3), table(p_NM, "p_NM", 3)
    if len(body) != len(seen):
        raise SurveyError(f"p_NM: found {len(seen)} markers; the body has {len(body)}.").about("p_NM", len(seen))
    if np.isnan(body).any():
        raise SurveyError("p_BM: a marker without a position on the body").about("p_BM")
    visible = ~np.isnan(seen).any(axis=1)
    body, seen = body[visible], seen[visible]
    _require_spread(body)
    R = _aligned(body - body.mean(axis=0), seen - seen.mean(axis=0))
    position = seen.mean(axis=0) - R @ body.mean(axis=0)
    residuals = seen - (body @ R.T + position)
    rms = math.sqrt(float(np.mean(np.sum(residuals**2, axis=1))))
    noise = _noise(residuals) if std is None else positive(std, "std")
    x, y, z = map(float, position)
    covariance = np.asarray(noise**2 * np.linalg.inv(_information(body, R)), dtype=np.float64)
    return MarkerPose((x, y, z), _quaternion(R), rms, len(body), covariance)


def _require_spread(body: Array) -> None:
    """Refuse markers that do not determine an attitude."""
    if len(body) < FEWEST_MARKERS:
        raise SurveyError(f"p_NM: {len(body)} markers are visible; an attitude needs three or more.").about("p_NM")
    sizes = np.linalg.svd(body - body.mean(axis=0), compute_uv=False)
    if sizes[1] <= LEAST_SPREAD * sizes[0]:
        raise SurveyError("p_BM: the visible markers are on one line; an attitude needs one beside it.").about("p_BM")


def _aligned(body: Array, seen: Array) -> Array:
    """The rotation that turns centred body points closest to the seen ones, without a reflection."""
    left, _, right = np.linalg.svd(seen.T @ body)
    mirror = np.diag([1.0, 1.0, np.sign(np.linalg.det(left @ right))])
    return cast(Array, left @ mirror @ right)


def _noise(residuals: Array) -> float:
    """Standard deviation of a coordinate; six of them are spent on the pose."""
    return math.sqrt(float(np.sum(residuals**2)) / max(residuals.size - 6, 1))


def _information(body: Array, R: Array) -> Array:
    """Information of unit noise about position and rotation vector."""
    rows = [np.hstack([np.eye(3), -R @ np.array(skew((x, y, z)))]) for x, y, z in body.tolist()]
    slopes = np.vstack(rows)
    return cast(Array, slopes.T @ slopes)


def _quaternion(R: Array) -> Quaternion:
    """Scalar-first quaternion of a rotation matrix, with a positive scalar part."""
    from scipy.spatial.transform import Rotation

    x, y, z, s = Rotation.from_matrix(R).as_quat(canonical=True).tolist()
    return (s, x, y, z)
