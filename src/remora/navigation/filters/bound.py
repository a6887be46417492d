"""Cramér-Rao bound of a sensor suite on a trajectory, and the states that its readings show.

The posterior bound of a system with Gaussian noise is the covariance of the Kalman filter that is linearised about the
true trajectory, or of the smoother for estimates from all readings (Tichavsky, Muravchik and Nehorai 1998). No
unbiased estimator with the same readings does better, as far as the linearisation and the stated noise hold.

Without process noise, the covariance at the end with the readings is compared with the covariance without any. A
direction in which both are equal is not observable on this trajectory, whatever the filter.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.messages.reading import Reading
from remora.navigation.filters.beliefs import Integers, factors_in
from remora.navigation.filters.compiling import FilterSizes
from remora.navigation.filters.error_state_filter import ErrorStateFilter
from remora.navigation.filters.loops.ud_factors import covariance_of
from remora.navigation.filters.models import Chart
from remora.navigation.filters.readings import ReadingTable, reading_table
from remora.navigation.filters.smoothing import BackwardPass, SmoothedRun, in_order, without_delays
from remora.navigation.filters.trajectory import FilterRun, run_groups

UNSEEN = 0.99  # share of the deviation of a direction that is left, from which on it counts as not observable
NEVER = 1e9  # s: covariances on the way are not kept
MOSTLY = 0.5  # share of the variance of a coordinate from such directions, from which on it counts so too


class TrueTrajectory(NamedTuple):
    """True states of a filter at some times; between them they are interpolated on its chart."""

    stamps_ns: Integers  # increasing
    states: Array  # one row per stamp


class ErrorBound(NamedTuple):
    """Smallest standard deviations that readings allow, at the times of the readings."""

    stamps_ns: Integers
    sigma: Array  # of each error coordinate
    run: FilterRun | SmoothedRun
    sizes: FilterSizes

    def covariance(self, index: int) -> Array:
        """Bound of the covariance at one of the times."""
        if isinstance(self.run, SmoothedRun):
            return self.run.covariance(index)
        return covariance_of(*factors_in(self.run.memories[index], self.sizes))


def bound(
    made: ErrorStateFilter,
    truth: TrueTrajectory,
    readings: Sequence[Reading] | ReadingTable,
    sigma: ArrayLike,
    *,
    smoothed: bool = False,
    apart: float = 0.0,
) -> ErrorBound:
    """Cramér-Rao bound of the errors of any estimator with the models and the readings of a filter.

    Parameters
    ----------
    made
        The filter, with its process noise and the standard deviations of its sensors.
    truth
        True states.
    readings
        When each sensor measures. Values of aiding sensors count only by being finite; values of the inputs are used.
        Readings count at their time of validity, whatever their latency.
    sigma
        Standard deviation of each error coordinate at the first true state, or the whole covariance.
    smoothed
        Whether estimates may use later readings.
    apart
        Shortest time between two times of the result, s; not of smoothed estimates.

    Raises
    ------
    InputError
        When the truth does not cover the readings.
    """
    prompt = without_delays(made)
    table = readings if isinstance(readings, ReadingTable) else reading_table(readings)
    ordered = in_order(prompt, table)
    stamps, states = np.asarray(truth.stamps_ns), np.asarray(truth.states, dtype=float)
    if stamps[0] > ordered.valid_ns[0] or stamps[-1] < ordered.valid_ns[-1]:
        raise InputError(
            f"readings from {ordered.valid_ns[0]} to {ordered.valid_ns[-1]} ns: the truth covers {stamps[0]} to "
            f"{stamps[-1]} ns"
        ).about("truth")
    belief = prompt.initial(states[0], sigma, int(stamps[0]))
    if made.functions is None:
        raise InputError("the filter has no functions: make it by compile_filter").about("filter")
    known = states_between(made.functions.chart, stamps, states, ordered.valid_ns)
    if smoothed:
        in_table_order = np.empty_like(known)
        in_table_order[ordered.rows] = known
        done = BackwardPass(prompt, True).whole(prompt, belief, ordered, in_table_order)
        return ErrorBound(done.stamps_ns, done.sigma, done, prompt.setup.sizes)
    forward = run_groups(prompt, belief, ordered.table, ordered.valid_ns, apart=apart, covariances=True, truth=known)
    return ErrorBound(forward.stamps_ns, forward.sigma, forward, prompt.setup.sizes)


def states_between(chart: Chart, stamps: Integers, states: Array, times: Integers) -> Array:
    """States at some times, ns, interpolated on a chart between states at increasing stamps, ns."""
    place = np.clip(np.searchsorted(stamps, times, "right") - 1, 0, max(len(stamps) - 2, 0))
    result = states[place].copy()
    for k in np.flatnonzero(times != stamps[place]).tolist():
        before, after = tuple(states[place[k]]), tuple(states[place[k] + 1])
        share = (times[k] - stamps[place[k]]) / (stamps[place[k] + 1] - stamps[place[k]])
        result[k] = chart.plus(before, tuple(share * one for one in chart.minus(after, before)))
    return result


class ObservedStates(NamedTuple):
    """What readings show of each error coordinate at the end of a trajectory."""

    hidden: dict[str, float]  # share of its remaining variance that no reading can lower, by name
    unobservable: tuple[dict[str, float], ...]  # directions without information, in units of remaining deviations

    @property
    def unseen(self) -> tuple[str, ...]:
        """Coordinates of which the readings show next to nothing."""
        return tuple(name for name, share in self.hidden.items() if share > MOSTLY)


def observed_states(
    made: ErrorStateFilter, truth: TrueTrajectory, readings: Sequence[Reading], sigma: ArrayLike, names: Sequence[str]
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
