"""Motion of a body from markers on it: filter with 13 states and constant twist. Proctor 2014, appendix C.

States are position, quaternion and twist. Every visible marker is a measurement of three coordinates, so that the
filter goes on while too few of them are seen for a pose.
"""

from functools import lru_cache
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.quaternions import normalize
from remora.equations.algebra.vectors import add3, add6, subtract3, subtract6, vector3_at
from remora.equations.instruments.inertial import point_position
from remora.equations.navigation.plant_motion import coasted
from remora.files.arrays import Array
from remora.messages.reading import Reading, Status
from remora.navigation.filters import AidingModel, Chart, ErrorStateFilter, compile_filter, run
from remora.navigation.surveys.arrays import SurveyError, positive, table
from remora.navigation.surveys.marker_pose import FEWEST_MARKERS, pose_from_markers

STATES = 13
MARKER_STD = 0.01  # m, of the source, for markers of a millimetre
# Standard deviations per square root of a second: the printed variances as rates.
NOISE = np.repeat(np.sqrt([0.01, 0.0025, 0.25, 0.09]), (3, 4, 3, 3))
INITIAL = np.repeat([0.1, 0.1, 1.0, 1.0], (3, 4, 3, 3))
INDEX = 0
fewer_markers: Any = None


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
