"""Which states the readings of a filter show along a trajectory.

Without process noise, the covariance at the end with the readings is compared with that without any. A direction in
which both are equal is not observable on this trajectory, whatever the filter.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.messages.reading import Reading
from remora.navigation.filters.bound import ErrorBound, TrueTrajectory, bound
from remora.navigation.filters.error_state_filter import ErrorStateFilter
from remora.navigation.filters.trajectory import FilterRun

UNSEEN = 0.99  # share of the deviation of a direction that is left, from which on it counts as not observable
NEVER = 1e9  # s: covariances on the way are not kept
MOSTLY = 0.5  # share of the variance of a coordinate from such directions, from which on it counts so too


class ObservedStates(NamedTuple):
    """What readings show of each error coordinate at the end of a trajectory."""

    hidden: dict[str, float]  # share of its remaining variance that no reading can lower, by name
    unobservable: tuple[dict[str, float], ...]  # directions without information, in units of remaining deviations

    @property
    def unseen(self) -> tuple[str, ...]:
        """Coordinates of which the readings show next to nothing."""
        return tuple(name for name, share in self.hidden.items() if share > MOSTLY)


def observed_states(
    made: ErrorStateFilter,
    truth: TrueTrajectory,
    readings: Sequence[Reading],
    sigma: ArrayLike,
    names: Sequence[str],
) -> ObservedStates:
    """The part of the errors at the end that no reading can lower.

    Parameters
    ----------
    made
        The filter; its process noise does not count.
    truth
        Trajectory at which it is linearised.
    readings
        Of inputs and sensors.
    sigma
        Standard deviation of each error coordinate at the start, or the whole covariance.
    names
        Of the error coordinates.

    Raises
    ------
    InputError
        When there are not as many names as coordinates.
    """
    if len(names) != made.setup.sizes.errors:
        raise InputError(f"names: found {len(names)}; give {made.setup.sizes.errors}, one for each coordinate").about(
            "names", len(names)
        )
    quiet = made.with_noise(np.zeros(made.setup.noise.shape))
    unread = [_empty(one) if one.sensor in made.aidings else one for one in readings]
    free, known = (_at_the_end(bound(quiet, truth, seen, sigma, apart=NEVER)) for seen in (unread, readings))
    return _compared(known, free, tuple(names))


def _at_the_end(found: ErrorBound) -> Array:
    """Covariance after the last reading."""
    assert isinstance(found.run, FilterRun)
    return np.asarray(found.run.belief.covariance)


def _empty(reading: Reading) -> Reading:
    return reading._replace(values=(float("nan"),) * len(reading.values))


def _compared(known: Array, free: Array, names: tuple[str, ...]) -> ObservedStates:
    """Directions in which both covariances agree, and their shares of the variances."""
    deviations = np.sqrt(np.diag(free))
    uncertain = np.flatnonzero(deviations > 0.0)
    scale = np.outer(deviations[uncertain], deviations[uncertain])
    before, after = free[np.ix_(uncertain, uncertain)] / scale, known[np.ix_(uncertain, uncertain)] / scale
    sizes, axes = np.linalg.eigh(before)
    kept = sizes > 1e-12 * sizes[-1]
    root = axes[:, kept] / np.sqrt(sizes[kept])
    shares, mixed = np.linalg.eigh(root.T @ after @ root)
    directions = (before @ root @ mixed)[:, np.sqrt(np.maximum(shares, 0.0)) > UNSEEN].T
    directions = directions / np.sqrt(np.maximum(np.diag(after), 1e-300))
    hidden = np.sum(directions**2, axis=0)
    found = {names[i]: float(share) for i, share in zip(uncertain.tolist(), hidden, strict=True)}
    unseen = tuple(
        {names[i]: float(part) for i, part in zip(uncertain.tolist(), row, strict=True) if abs(part) > 0.05}
        for row in directions
    )
    return ObservedStates(found, unseen)
