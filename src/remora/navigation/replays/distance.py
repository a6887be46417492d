"""Horizontal position error against the distance travelled."""

from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.navigation.filters.beliefs import Integers
from remora.navigation.replays.truth_errors import RecordedTruth

# Shares of the distance by which navigation is judged: bottom track, model aiding and water track of the Gavia.
# Randeni et al. 2018.
BANDS = (0.001, 0.015, 0.04)


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
