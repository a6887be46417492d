"""Multi-start minimisation for lags and delays, in which trajectories are far from linear.

A lag and the time constant of the body can be exchanged: with linear drag and thrust the motion is nearly the same. The
cost then has several minima, and the one that a single descent finds depends on its start.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.files.problems import listed
from remora.identification.parameters import is_time
from remora.identification.regression.constraints import InfeasibleError
from remora.identification.trajectory.gauss_newton import (
    MOST_STEPS,
    Constraints,
    Iterate,
    Minimum,
    iterate_at,
    minimise,
)
from remora.identification.trajectory.shooting_intervals import TrajectoryData, thinned
from remora.plant.failures import RunError

# Starting values of lags and delays, s: the range of real thrusters and sensors.
_LAGS = (0.02, 0.06, 0.2, 0.6)
_DELAYS = (0.0, 0.05, 0.2)
# Lags within this factor, and delays within this many seconds, are near each other.
_NEAR_LAG, _NEAR_DELAY = 2.0, 0.03
# Descents from other values are screened first: at most this many steps on about this many samples. Those that end at
# other minima than the requested start are continued with all data, this many at most.
_SHORT, _SCREENED, _CONTINUED = 6, 1000, 2
# Two minima closer than this, in standard deviations, are the same; the second value applies where one of them is from
# a part of the data, which has different noise.
_SAME_PLACE, _SAME_PLACE_SCREENED = 1.0, 4.0
# A descent that changed a parameter by less than this share of its standard deviation ended where it began.
_UNMOVED = 1e-3
# Ends whose likelihoods differ by less than this (in -2 log) explain the data equally well: the 95 % limit of chi2(1).
_EQUALLY_WELL = 3.84


class BestMinimum(NamedTuple):
    """The best of several minima."""

    found: Minimum
    warnings: tuple[str, ...]


class DescentEnd(NamedTuple):
    """Start and end of one descent."""

    began: Array
    found: Minimum
    misfit: float  # -2 log likelihood with unknown noise


def times_in(constraints: Constraints) -> list[int]:
    """Indices of the parameters that are lags or delays."""
    return [k for k, name in enumerate(constraints.names) if is_time(name, constraints.vehicle)]


def best_minimum(
    data: TrajectoryData, constraints: Constraints, iterate: Iterate, prepare: Callable[[Array], Array]
) -> BestMinimum:
    """Lowest minimum from the given start and, where lags or delays are fitted, from other values of them.

    `prepare` refits the linear parameters for other lags and delays.
    """
    if not times_in(constraints):
        return BestMinimum(minimise(data, constraints, iterate), ())
    problem, reason = _tried(data, constraints, iterate, MOST_STEPS)
    screen, every = thinned(data, _SCREENED)
    starts = [start[::every] for start in iterate.starts]
    screened: list[DescentEnd] = []
    for values in _other_values(constraints, iterate.values, problem):
        try:
            begun = iterate_at(screen, constraints, prepare(values), starts)
        except (RunError, InfeasibleError) as error:
            reason = error
            continue
        end, failure = _screened(screen, constraints, begun, problem)
        screened += [end] if end else []
        reason = failure or reason
    ends = ([problem] if problem else []) + _continued(
        data, constraints, iterate, _elsewhere(constraints, problem, screened)
    )
    if not ends:
        assert reason is not None
        raise reason
    best = min(ends, key=lambda end: end.misfit)
    return BestMinimum(best.found, tuple(end_warnings(constraints, best, ends, screened)))


def _tried(
    data: TrajectoryData,
    constraints: Constraints,
    iterate: Iterate,
    steps: int,
    enough: Callable[[Minimum], bool] = lambda found: False,
) -> tuple[DescentEnd | None, Exception | None]:
    """End of a descent, or the error that stopped it."""
    try:
        found = minimise(data, constraints, iterate, steps, enough)
    except (RunError, InfeasibleError) as error:
        return None, error
    return DescentEnd(iterate.values, found, misfit(data, found)), None


def _screened(
    screen: TrajectoryData, constraints: Constraints, iterate: Iterate, problem: DescentEnd | None
) -> tuple[DescentEnd | None, Exception | None]:
    """A short descent, ended early at the minimum of the requested start."""
    times = times_in(constraints)

    def at_that_minimum(found: Minimum) -> bool:
        return problem is not None and not _are_apart(problem.found, found, times, _SAME_PLACE_SCREENED)

    return _tried(screen, constraints, iterate, _SHORT, at_that_minimum)


def _elsewhere(
    constraints: Constraints, problem: DescentEnd | None, screened: Sequence[DescentEnd]
) -> list[DescentEnd]:
    """The best few ends at other minima than that of the requested start."""
    times = times_in(constraints)
    apart = screened
    if problem is not None:
        apart = [end for end in screened if _are_apart(problem.found, end.found, times, _SAME_PLACE_SCREENED)]
    return sorted(apart, key=lambda end: end.misfit)[:_CONTINUED]


def _continued(
    data: TrajectoryData, constraints: Constraints, iterate: Iterate, ends: Sequence[DescentEnd]
) -> list[DescentEnd]:
    """Screened descents continued with all intervals; diverging ones are dropped."""
    found = []
    for end in ends:
        try:
            begun = iterate_at(data, constraints, end.found.iterate.values, iterate.starts)
        except RunError:
            continue
        whole, _ = _tried(data, constraints, begun, MOST_STEPS)
        found += [whole._replace(began=end.began)] if whole else []
    return found


def _other_values(constraints: Constraints, values: Array, problem: DescentEnd | None) -> Iterator[Array]:
    """Values with all lags, or the delay, changed within the bounds.

    Values near the minimum of the requested start are skipped: they would lead back to it.
    """
    delay = [k for k in times_in(constraints) if constraints.names[k] == "delay"]
    lags = [k for k in times_in(constraints) if k not in delay]
    for places, grid, near in ((lags, _LAGS, _same_lag), (delay, _DELAYS, _same_delay)):
        for time in grid if places else ():
            other = values.copy()
            other[places] = np.clip(time, constraints.low[places], constraints.high[places])
            if problem is None or not near(other[places], problem.found.iterate.values[places]):
                yield other


def _same_lag(one: Array, other: Array) -> bool:
    return bool(np.all(np.maximum(one, other) < _NEAR_LAG * np.minimum(one, other)))


def _same_delay(one: Array, other: Array) -> bool:
    return bool(np.all(np.abs(one - other) < _NEAR_DELAY))


def misfit(data: TrajectoryData, found: Minimum) -> float:
    """-2 log likelihood of the residuals with unknown noise in each channel."""
    count = np.sum([np.sum(group.counted, axis=(0, 1)) for group in data.groups], axis=0)
    return float(np.sum(count * np.log(found.noise**2)))


def _sigma(found: Minimum) -> Array:
    """Standard deviations of the parameters for white residuals."""
    factor = found.jacobian.factor[:, :-1]
    scale = np.linalg.norm(factor, axis=0)
    scale[scale == 0.0] = 1.0
    inverse = np.linalg.pinv(factor / scale, rcond=1e-9)
    return np.asarray(np.linalg.norm(inverse, axis=1) / scale)


def end_warnings(
    constraints: Constraints, best: DescentEnd, ends: Sequence[DescentEnd], screened: Sequence[DescentEnd] = ()
) -> Iterator[str]:
    """Warnings about a descent that did not move, and descents that ended at different minima.

    A screened descent that reached the same minimum confirms it.
    """
    times, sigma = times_in(constraints), _sigma(best.found)
    apart = [end for end in ends if end is not best and _are_apart(best.found, end.found, times)]
    moved = np.abs(best.found.iterate.values - best.began)
    confirmed = len(apart) < len(ends) - 1 or not all(
        _are_apart(best.found, end.found, times, _SAME_PLACE_SCREENED) for end in screened
    )
    for k in times:
        if moved[k] <= _UNMOVED * sigma[k] and not confirmed:
            yield (
                f"{constraints.names[k]} ended where it began, {best.began[k]:.4g} s, and no descent from elsewhere "
                "came to the same place: do not trust it. Start from another value, or give bounds."
            )
    for end in apart:
        there, here = end.found.iterate.values, best.found.iterate.values
        places = listed(f"{constraints.names[k]} {there[k]:.4g} s instead of {here[k]:.4g} s" for k in times)
        more = end.misfit - best.misfit
        verdict = (
            "which explains the data equally well: only other data or a known inertia can tell them apart"
            if more < _EQUALLY_WELL
            else f"which explains the data worse (-2 log likelihood larger by {more:.3g})"
        )
        yield f"Descents from different starts ended at different places: {places}, {verdict}."


def _are_apart(one: Minimum, other: Minimum, times: Sequence[int], same: float = _SAME_PLACE) -> bool:
    """Whether two minima lie farther apart than some standard deviations."""
    spread = np.hypot(_sigma(one), _sigma(other))
    away = np.abs(one.iterate.values - other.iterate.values)
    return bool(np.any(away[times] > same * spread[times]))
