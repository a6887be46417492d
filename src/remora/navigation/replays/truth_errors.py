"""Errors of estimates against a recorded truth."""

from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import Quaternion
from remora.equations.algebra.vectors import Twist, Vector3
from remora.equations.instruments import point_position, velocity_in_N
from remora.equations.navigation.charts import NavigationPose, minus_heading
from remora.files.arrays import Array
from remora.navigation.consistency import normalised_squares
from remora.navigation.filters import FilterRun
from remora.navigation.filters.beliefs import Integers
from remora.navigation.inertial.inertial_filter import InertialFilter
from remora.navigation.inertial.state_functions import pose

ENOUGH = 20  # estimates at the very times of the truth, with which no interpolation is needed


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

    @property
    def mean_nees(self) -> float:
        """Average over the times."""
        return float(np.mean(self.nees))

    def rms(self, first: int) -> float:
        """Root mean square of the length of three of the nine errors, from the given one on."""
        return float(np.sqrt(np.mean(np.sum(self.errors[:, first : first + 3] ** 2, axis=1))))


def truth_errors(made: InertialFilter, run: FilterRun, truth: RecordedTruth) -> TruthErrors | None:
    """Errors at the times of the truth; between these where too few estimates have such a time.

    None where estimates and truth have no time in common.
    """
    times = np.asarray(run.stamps_ns)
    rows = np.flatnonzero(np.isin(times, truth.stamps_ns))
    if len(rows) < ENOUGH:
        rows = np.flatnonzero((times >= truth.stamps_ns[0]) & (times <= truth.stamps_ns[-1]))
    if not len(rows):
        return None
    errors = np.array([_error_at(made, truth, int(times[i]), run.states[i]) for i in rows])
    covariances = np.array([run.covariance(int(i))[:9, :9] for i in rows])
    return TruthErrors(times[rows], errors, normalised_squares(errors, covariances))


def _error_at(made: InertialFilter, truth: RecordedTruth, time_ns: int, state: Array) -> Array:
    k = int(np.clip(np.searchsorted(truth.stamps_ns, time_ns, "right") - 1, 0, max(len(truth.stamps_ns) - 2, 0)))
    end = min(k + 1, len(truth.stamps_ns) - 1)
    span = int(truth.stamps_ns[end] - truth.stamps_ns[k])
    share = (time_ns - int(truth.stamps_ns[k])) / span if span else 0.0
    p = _between(truth.positions, k, end, share)
    first, second = truth.attitudes[k], truth.attitudes[end]
    q = (1.0 - share) * first + share * (second if first @ second >= 0.0 else -second)
    twist = _between(truth.twists, k, end, share)
    w, x, y, z = (q / np.linalg.norm(q)).tolist()
    return error_of_state(made, (p[0], p[1], p[2]), (w, x, y, z), tuple(twist.tolist()), state)


def _between(rows: Array, k: int, end: int, share: float) -> Array:
    return np.asarray((1.0 - share) * rows[k] + share * rows[end])


def error_of_state(made: InertialFilter, p_NB: Vector3, q_NB: Quaternion, twist: Twist, state: Array) -> Array:
    """Error of a state in the chart of the filter: true position, velocity and attitude against those of the state."""
    r = made.suite.inputs.p_BI
    true = NavigationPose(point_position(p_NB, q_NB, r), velocity_in_N(q_NB, twist, r), q_NB)
    error = minus_heading(true, pose(tuple(state.tolist())))
    return np.array([*error[0], *error[1], *error[2]])
