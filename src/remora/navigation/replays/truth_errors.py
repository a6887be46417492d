"""Errors of estimates against a recorded truth, and of the horizontal position against the distance travelled."""

from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import conjugate, from_rotation_vector, product, to_rotation_vector
from remora.equations.instruments import point_position, velocity_in_N
from remora.equations.navigation.charts import NavigationPose, minus_heading
from remora.equations.types import Quaternion, Twist, Vector3
from remora.files.arrays import Array
from remora.navigation.consistency import normalised_squares
from remora.navigation.filters import FilterRun
from remora.navigation.filters.beliefs import Integers
from remora.navigation.inertial.inertial_filter import InertialFilter
from remora.navigation.inertial.state_functions import pose

LONGEST_NS = 1_000_000_000  # between estimates at the very times of the truth, without interpolation
# Shares of the distance by which navigation is judged: bottom track, model aiding and water track of the Gavia.
# Randeni et al. 2018.
BANDS = (0.001, 0.015, 0.04)


class RecordedTruth(NamedTuple):
    """True motion of B, a row for each stamp."""

    stamps_ns: Integers  # increasing
    positions: Array  # m, p_NB
    attitudes: Array  # q_NB
    twists: Array  # m/s and rad/s in body axes


class TruthErrors(NamedTuple):
    """Errors of position, velocity and attitude at some times, and their normalised squares."""

    stamps_ns: Integers
    errors: Array  # nine numbers per time: m in N, m/s in body axes, rad; as in `plus_heading`
    nees: Array  # of these nine
    estimates: int  # all of the replay, those without a true motion included
    is_interpolated: bool = False  # whether the truth between its samples was used

    @property
    def mean_nees(self) -> float:
        """Average over the times."""
        return float(np.mean(self.nees))

    def rms(self, first: int) -> float:
        """Root mean square of the length of three of the nine errors, from the given one on."""
        return float(np.sqrt(np.mean(np.sum(self.errors[:, first : first + 3] ** 2, axis=1))))


def truth_errors(made: InertialFilter, run: FilterRun, truth: RecordedTruth) -> TruthErrors | None:
    """Errors at the times of the truth; at all estimates where those with such a time leave out parts of the record.

    Between its samples the truth is interpolated: position and twist linearly, attitude by slerp. None where estimates
    and truth have no time in common.
    """
    times = np.asarray(run.stamps_ns)
    inside = np.flatnonzero((times >= truth.stamps_ns[0]) & (times <= truth.stamps_ns[-1]))
    if not len(inside):
        return None
    common = inside[np.isin(times[inside], truth.stamps_ns)]
    is_interpolated = not _covers(times[common], times[inside], truth)
    rows = inside if is_interpolated else common
    errors = np.array([_error_at(made, truth, int(times[i]), run.states[i]) for i in rows])
    covariances = np.array([run.covariance(int(i))[:9, :9] for i in rows])
    return TruthErrors(times[rows], errors, normalised_squares(errors, covariances), len(times), is_interpolated)


def _covers(some: Integers, every: Integers, truth: RecordedTruth) -> bool:
    """Whether some of the times stand for all of them, without a long stretch that has none."""
    if not len(some):
        return False
    interval = float(np.median(np.diff(truth.stamps_ns))) if len(truth.stamps_ns) > 1 else 0.0
    steps = np.diff(np.concatenate([every[:1], some, every[-1:]]))
    return bool(steps.max() <= max(LONGEST_NS, 2.0 * interval))


def _error_at(made: InertialFilter, truth: RecordedTruth, time_ns: int, state: Array) -> Array:
    k = int(np.clip(np.searchsorted(truth.stamps_ns, time_ns, "right") - 1, 0, max(len(truth.stamps_ns) - 2, 0)))
    end = min(k + 1, len(truth.stamps_ns) - 1)
    span = int(truth.stamps_ns[end] - truth.stamps_ns[k])
    share = (time_ns - int(truth.stamps_ns[k])) / span if span else 0.0
    p, twist = _between(truth.positions, k, end, share), _between(truth.twists, k, end, share)
    first, second = _quaternion(truth.attitudes[k]), _quaternion(truth.attitudes[end])
    x, y, z = to_rotation_vector(product(conjugate(first), second))
    q_NB = product(first, from_rotation_vector((share * x, share * y, share * z)))
    return error_of_state(made, (p[0], p[1], p[2]), q_NB, tuple(twist.tolist()), state)


def _quaternion(row: Array) -> Quaternion:
    w, x, y, z = (row / np.linalg.norm(row)).tolist()
    return (w, x, y, z)


def _between(rows: Array, k: int, end: int, share: float) -> Array:
    return np.asarray((1.0 - share) * rows[k] + share * rows[end])


def error_of_state(made: InertialFilter, p_NB: Vector3, q_NB: Quaternion, twist: Twist, state: Array) -> Array:
    """Error of a state in the chart of the filter: true position, velocity and attitude against the state."""
    r = made.suite.inputs.p_BI
    true = NavigationPose(point_position(p_NB, q_NB, r), velocity_in_N(q_NB, twist, r), q_NB)
    error = minus_heading(true, pose(tuple(state.tolist())))
    return np.array([*error[0], *error[1], *error[2]])


class ErrorOverDistance(NamedTuple):
    """Distance travelled over ground and horizontal error, at the times of the estimates."""

    distance: Array  # m
    error: Array  # m

    @property
    def share(self) -> float:
        """Error at the end over the distance; NaN of a vehicle that did not move."""
        return float(self.error[-1] / self.distance[-1]) if self.distance[-1] > 0.0 else float("nan")


def error_over_distance(stamps_ns: Integers, errors: Array, truth: RecordedTruth) -> ErrorOverDistance:
    """Error against the true distance.

    Parameters
    ----------
    stamps_ns
        Times of the estimates, ns.
    errors
        Of the position, m: north and east are its first columns.
    truth
        True motion.
    """
    steps = np.linalg.norm(np.diff(truth.positions[:, :2], axis=0), axis=1)
    travelled = np.concatenate([[0.0], np.cumsum(steps)])
    at_times = np.interp(np.asarray(stamps_ns, dtype=float), truth.stamps_ns, travelled)
    return ErrorOverDistance(at_times - at_times[0], np.linalg.norm(errors[:, :2], axis=1))
