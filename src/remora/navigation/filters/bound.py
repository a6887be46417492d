"""Cramér-Rao bound of a sensor suite on a trajectory, with the models of a filter.

The posterior bound of a system with Gaussian noise is the covariance of the Kalman filter that is linearised about the
true trajectory, and that of the smoother for estimates from all readings (Tichavsky, Muravchik and Nehorai 1998). No
unbiased estimator with the same readings does better, as far as the linearisation and the stated noise hold.
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
from remora.navigation.filters.reading_table import ReadingTable, reading_table
from remora.navigation.filters.smoothing import BackwardPass, SmoothedRun, in_order, without_delays
from remora.navigation.filters.trajectory import FilterRun, run_groups


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
        When each sensor measures. Values of aiding sensors count only by being finite; those of the inputs are used.
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
    """States at some times, interpolated on a chart.

    Parameters
    ----------
    chart
        Chart of the state.
    stamps
        Times of the states, ns, increasing.
    states
        One row per stamp.
    times
        Times within them, ns.
    """
    place = np.clip(np.searchsorted(stamps, times, "right") - 1, 0, max(len(stamps) - 2, 0))
    result = states[place].copy()
    for k in np.flatnonzero(times != stamps[place]).tolist():
        before, after = tuple(states[place[k]]), tuple(states[place[k] + 1])
        share = (times[k] - stamps[place[k]]) / (stamps[place[k] + 1] - stamps[place[k]])
        result[k] = chart.plus(before, tuple(share * one for one in chart.minus(after, before)))
    return result
