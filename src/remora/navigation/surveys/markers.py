"""Pose and motion of a body from markers on it, as a motion-capture system sees them.

The least-squares alignment of two point sets has a closed form by singular value decomposition (Kabsch; Umeyama). It
minimises the cost of Proctor 2014, eq. 2.2, with its squared norm restored.

The velocity of a single marker comes from a constant-velocity Kalman filter of each coordinate, as the coordinates do
not interact: the filter of the towing-tank runs, Nielsen 2018, eqs. 6.8 to 6.14, with the missing transpose of the
innovation covariance and the order of the gain corrected. A heading is one more coordinate, unwrapped before. Frames
that the tracker lost are NaN: the filter then only predicts.

The filter of a body has 13 states and a constant twist, Proctor 2014, appendix C. Every visible marker is a measurement
of three coordinates, so that the filter goes on while too few of them are seen for a pose.
"""

import math
from functools import lru_cache
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.quaternions import normalize
from remora.equations.algebra.vectors import add3, add6, skew, subtract3, subtract6, vector3_at
from remora.equations.instruments.inertial import point_position
from remora.equations.navigation.plant_motion import coasted
from remora.equations.types import Quaternion, Vector3
from remora.files.arrays import Array
from remora.messages.reading import Reading, Status
from remora.navigation.filters import AidingModel, Chart, ErrorStateFilter, compile_filter, run
from remora.navigation.surveys.arrays import SurveyError, positive, table

FEWEST_MARKERS = 3
LEAST_SPREAD = 1e-6  # second singular value over the first, below which markers are on one line
UNKNOWN = 1e6  # variance of the velocity before the first two samples
STATES = 13
MARKER_STD = 0.01  # m, of the source, for markers of a millimetre
# Standard deviations per square root of a second: the printed variances as rates.
NOISE = np.repeat(np.sqrt([0.01, 0.0025, 0.25, 0.09]), (3, 4, 3, 3))
INITIAL = np.repeat([0.1, 0.1, 1.0, 1.0], (3, 4, 3, 3))
INDEX = 0
fewer_markers: Any = None


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


class MarkerMotion(NamedTuple):
    """Filtered coordinates of a marker and their rates, one row per sample."""

    position: Array
    velocity: Array
    position_std: Array
    velocity_std: Array


def marker_motion(samples: ArrayLike, period: float, std: float, acceleration: float) -> MarkerMotion:
    """Positions and velocities from sampled coordinates, with the covariance in Joseph form.

    Parameters
    ----------
    samples
        One row per sample, one column per coordinate: m, or rad unwrapped. NaN where the tracker lost the marker; the
        estimate then continues with constant velocity and growing standard deviation.
    period
        Sampling period, s.
    std
        Standard deviation of a sample, in its unit.
    acceleration
        Standard deviation of the acceleration, constant over each period: m/s2 or rad/s2.
    """
    columns = np.shape(samples)[1] if np.ndim(samples) == 2 else 1
    rows = table(samples if np.ndim(samples) == 2 else np.reshape(np.asarray(samples), (-1, 1)), "samples", columns)
    T, r, q = positive(period, "period"), positive(std, "std") ** 2, positive(acceleration, "acceleration") ** 2
    if np.isnan(rows).all(axis=0).any():
        raise SurveyError("samples: a coordinate has no value at all").about("samples")
    return _filtered(rows, T, r, q, np.diag([UNKNOWN, UNKNOWN]))


def track_kinematics(positions: ArrayLike, period: float, std: float, acceleration_std: float) -> MarkerMotion:
    """Motion of each coordinate from its measured position, with a moderate speed at the start.

    Parameters
    ----------
    positions
        Measured coordinates, m or unwrapped rad: frames x coordinates; NaN where the tracker lost a frame.
    period
        Time between frames, s.
    std
        Standard deviation of a measurement, m or rad.
    acceleration_std
        Standard deviation of the acceleration, m/s2 or rad/s2, constant over a period.

    Raises
    ------
    SurveyError
        When there is no frame with a measurement, or a number is not positive.
    """
    rows = np.asarray(positions, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or not np.isfinite(rows).any(axis=0).all():
        raise SurveyError("positions: give frames x coordinates, each measured at least once.").about("positions")
    dt, noise = positive(period, "period"), positive(std, "std") ** 2
    spread = positive(acceleration_std, "acceleration_std")
    prior = np.diag([noise, (spread * 100.0 * dt) ** 2 + 1.0])
    return _filtered(rows, dt, noise, spread**2, prior)


def _filtered(rows: Array, T: float, r: float, q: float, prior: Array) -> MarkerMotion:
    """Filtered coordinates, from the variances of a sample and of the acceleration and a covariance at the start."""
    found = [_coordinate(samples, T, r, q, prior) for samples in rows.T]
    return MarkerMotion(*(np.stack(part, axis=1) for part in zip(*found, strict=True)))


def _coordinate(samples: Array, T: float, r: float, q: float, P: Array) -> tuple[Array, Array, Array, Array]:
    """One coordinate."""
    F, G = np.array([[1.0, T], [0.0, 1.0]]), np.array([0.5 * T * T, T])
    x = np.array([float(samples[np.flatnonzero(np.isfinite(samples))[0]]), 0.0])
    states, variances = np.empty((len(samples), 2)), np.empty((len(samples), 2))
    for k, sample in enumerate(samples):
        if k:
            x, P = F @ x, F @ P @ F.T + q * np.outer(G, G)
        if np.isfinite(sample):
            gain = P[:, 0] / (P[0, 0] + r)
            x = x + gain * (sample - x[0])
            left = np.eye(2) - np.outer(gain, [1.0, 0.0])
            P = left @ P @ left.T + r * np.outer(gain, gain)
        states[k], variances[k] = x, np.diag(P)
    std = np.sqrt(variances)
    return states[:, 0], states[:, 1], std[:, 0], std[:, 1]


class MarkerTrack(NamedTuple):
    """Motion of a body, one row per frame."""

    position: Array  # m, in N
    quaternion: Array
    twist: Array  # m/s and rad/s, in body axes
    sigma: Array  # standard deviations of the 13 numbers


def plus(x: Any, d: Any) -> Any:
    """State moved by an additive error, its quaternion scaled to unit length."""
    p = add3((x[0], x[1], x[2]), (d[0], d[1], d[2]))
    q = normalize((x[3] + d[3], x[4] + d[4], x[5] + d[5], x[6] + d[6]))
    return p + q + add6((x[7], x[8], x[9], x[10], x[11], x[12]), (d[7], d[8], d[9], d[10], d[11], d[12]))


def minus(y: Any, x: Any) -> Any:
    """Difference of two states, component by component."""
    p = subtract3((y[0], y[1], y[2]), (x[0], x[1], x[2]))
    q = (y[3] - x[3], y[4] - x[4], y[5] - x[5], y[6] - x[6])
    return p + q + subtract6((y[7], y[8], y[9], y[10], y[11], y[12]), (x[7], x[8], x[9], x[10], x[11], x[12]))


def process(x: Any, u: Any, dt: Any, row: Any) -> Any:
    """Constant twist."""
    return coasted(x, dt)


def one_marker(x: Any, u: Any, row: Any) -> Any:
    """Position of the first marker in N. Proctor 2014, eq. C.1."""
    return point_position((x[0], x[1], x[2]), (x[3], x[4], x[5], x[6]), vector3_at(row, 0))


def more_markers(x: Any, u: Any, row: Any) -> Any:
    """Positions of the markers up to an index: template that `_measure` fills in."""
    place = vector3_at(row, 3 * INDEX)
    return fewer_markers(x, u, row) + point_position((x[0], x[1], x[2]), (x[3], x[4], x[5], x[6]), place)


def _measure(markers: int) -> Any:
    measure: Any = one_marker
    for index in range(1, markers):
        names = {**more_markers.__globals__, "INDEX": index, "fewer_markers": measure}
        measure = FunctionType(more_markers.__code__, names, more_markers.__name__)
    return measure


@lru_cache(maxsize=4)
def _filter(places: tuple[float, ...]) -> ErrorStateFilter:
    markers = {"markers": AidingModel(_measure(len(places) // 3), (MARKER_STD,) * len(places))}
    return compile_filter(Chart(plus, minus), process, markers, states=STATES, noise=NOISE, parameters=places, lag=0.0)


def track_markers(p_BM: ArrayLike, frames: ArrayLike, period: float) -> MarkerTrack:
    """Position, attitude and twist of a body from its markers in all frames.

    Parameters
    ----------
    p_BM
        Positions of the markers on the body, m, in body axes: one row per marker.
    frames
        Measured positions, m, in N: frames x markers x 3; NaN for a hidden marker.
    period
        Time between frames, s.

    Raises
    ------
    SurveyError
        When the arrays do not fit, or no frame shows three markers.
    """
    places, seen = table(p_BM, "p_BM", 3), np.asarray(frames, dtype=np.float64)
    if seen.ndim != 3 or seen.shape[1:] != places.shape:
        raise SurveyError(f"frames: found shape {seen.shape}; give frames x {len(places)} x 3.").about("frames")
    period_ns = round(1e9 * positive(period, "period"))
    visible = np.isfinite(seen).all(axis=2).sum(axis=1)
    if not (visible >= FEWEST_MARKERS).any():
        raise SurveyError("frames: none shows three markers.").about("frames", int(visible.max(initial=0)))
    first = int(np.argmax(visible >= FEWEST_MARKERS))
    start = pose_from_markers(places, seen[first])
    made = _filter(tuple(places.ravel().tolist()))
    belief = made.initial([*start.p_NB, *start.q_NB, *(0.0,) * 6], INITIAL, first * period_ns)
    readings = [
        Reading("markers", k * period_ns, k * period_ns, Status.OK, tuple(frame.ravel().tolist()))
        for k, frame in enumerate(seen)
        if k > first
    ]
    return _track(run(made, belief, readings), len(seen), period_ns)


def _track(found: Any, count: int, period_ns: int) -> MarkerTrack:
    """Rows of all frames; NaN for those before the first pose and without a marker."""
    table_, sigma = np.full((count, STATES), np.nan), np.full((count, STATES), np.nan)
    rows = found.stamps_ns // period_ns
    table_[rows], sigma[rows] = found.states, found.sigma
    return MarkerTrack(table_[:, :3], table_[:, 3:7], table_[:, 7:], sigma)
