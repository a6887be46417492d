"""Descents from several starting values, for lags and delays, in which a trajectory is far from linear.

A lag and the time constant of the body can change places: with linear drag and thrust the motion is nearly the same.
So the cost has several minima, and the one that a single descent finds depends on where it begins.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from remora.files.problems import listed
from remora.identification.data.record import Array
from remora.identification.parameters import is_time
from remora.identification.regression.constraints import InfeasibleError
from remora.identification.trajectory.gauss_newton import Demands, Found, Point, descend, point_at
from remora.identification.trajectory.shooting_intervals import Course
from remora.kernels.failures import RunError

# Lags and delays of real thrusters and sensors lie between and around these, s.
_LAGS = (0.02, 0.06, 0.2, 0.6)
_DELAYS = (0.0, 0.05, 0.2)
# Steps of the first, short descents, and how many of them are continued.
_SHORT, _CONTINUED = 6, 3
# Two ends closer than this, in standard deviations, are one place.
_SAME_PLACE = 1.0
# A descent that moved a number by less than this share of its standard deviation ended where it began.
_UNMOVED = 1e-3
# Ends whose likelihoods differ by less than this (in -2 log) explain the data equally well: the 95 % limit of chi2(1).
_EQUALLY_WELL = 3.84


class Best(NamedTuple):
    """The best of several descents."""

    found: Found
    warnings: tuple[str, ...]


class End(NamedTuple):
    """Where one descent began and ended."""

    began: Array
    found: Found
    misfit: float  # -2 log likelihood with unknown noise


def times_in(demands: Demands) -> list[int]:
    """Which of the parameters are lags or delays."""
    return [k for k, name in enumerate(demands.names) if is_time(name, demands.vehicle)]


def best_descent(
    course: Course, demands: Demands, point: Point, prepare: Callable[[Array], Array], alone: bool = False
) -> Best:
    """The lowest end of descents from the given point and, where lags or delays are fitted, from other values of them.

    Parameters
    ----------
    course, demands, point
        The data, the constraints, and the start that was asked for.
    prepare
        Given values with other lags and delays, the same with linear parameters that suit them.
    alone
        Whether to descend from the given point only.
    """
    if alone or not times_in(demands):
        return Best(descend(course, demands, point), ())
    short: list[End] = []
    for number, values in enumerate([point.values, *_other_values(demands, point.values)]):
        try:
            begun = point_at(course, demands, prepare(values), point.starts) if number else point
            short.append(_ended(course, demands, begun, _SHORT))
        except (RunError, InfeasibleError) as error:
            reason = error
    if not short:
        raise reason
    # The start that was asked for is always continued, so that what is said about it is true.
    kept = [short[0], *sorted(short[1:], key=lambda end: end.misfit)[: _CONTINUED - 1]]
    ends = [_continued(course, demands, end) for end in kept]
    best = min(ends, key=lambda end: end.misfit)
    return Best(best.found, tuple(about_ends(demands, best, ends)))


def _other_values(demands: Demands, values: Array) -> Iterator[Array]:
    """The values with all lags, or the delay, changed to others within the bounds."""
    delay = [k for k in times_in(demands) if demands.names[k] == "delay"]
    lags = [k for k in times_in(demands) if k not in delay]
    for places, grid in ((lags, _LAGS), (delay, _DELAYS)):
        for time in grid if places else ():
            other = values.copy()
            other[places] = np.clip(time, demands.low[places], demands.high[places])
            yield other


def _ended(course: Course, demands: Demands, point: Point, steps: int) -> End:
    found = descend(course, demands, point, steps)
    return End(point.values, found, misfit(course, found))


def _continued(course: Course, demands: Demands, end: End) -> End:
    if end.found.converged:
        return end
    found = descend(course, demands, end.found.point)
    return End(end.began, found, misfit(course, found))


def misfit(course: Course, found: Found) -> float:
    """-2 log likelihood of what is left over, with the noise of each channel unknown."""
    count = np.sum([np.sum(group.counted, axis=(0, 1)) for group in course.groups], axis=0)
    return float(np.sum(count * np.log(found.noise**2)))


def _sigma(found: Found) -> Array:
    """Standard deviations of the parameters, as if the residuals were white."""
    factor = found.slopes.factor[:, :-1]
    scale = np.linalg.norm(factor, axis=0)
    scale[scale == 0.0] = 1.0
    inverse = np.linalg.pinv(factor / scale, rcond=1e-9)
    return np.asarray(np.linalg.norm(inverse, axis=1) / scale)


def about_ends(demands: Demands, best: End, ends: Sequence[End]) -> Iterator[str]:
    """Warnings: a descent that went nowhere, and descents that ended at different places."""
    times, sigma = times_in(demands), _sigma(best.found)
    apart = [end for end in ends if end is not best and _are_apart(best, end, times)]
    moved = np.abs(best.found.point.values - best.began)
    confirmed = len(apart) < len(ends) - 1
    for k in times:
        if moved[k] <= _UNMOVED * sigma[k] and not confirmed:
            yield (
                f"{demands.names[k]} ended where it began, {best.began[k]:.4g} s, and no descent from elsewhere came "
                "to the same place: do not trust it. Start from another value, or give bounds."
            )
    for end in apart:
        places = listed(
            f"{demands.names[k]} {end.found.point.values[k]:.4g} s instead of {best.found.point.values[k]:.4g} s"
            for k in times
        )
        more = end.misfit - best.misfit
        verdict = (
            "which explains the data equally well: only other data or a known inertia can tell them apart"
            if more < _EQUALLY_WELL
            else f"which explains the data worse (-2 log likelihood larger by {more:.3g})"
        )
        yield f"Descents from different starts ended at different places: {places}, {verdict}."


def _are_apart(one: End, other: End, times: Sequence[int]) -> bool:
    """Whether two descents ended at different places."""
    spread = np.hypot(_sigma(one.found), _sigma(other.found))
    away = np.abs(one.found.point.values - other.found.point.values)
    return bool(np.any(away[times] > _SAME_PLACE * spread[times]))
