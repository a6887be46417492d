"""Solution of a trajectory fit: multi-start minimisation, dead-band search, and refinement of the integration step.

A lag and the time constant of the body can be exchanged: with linear drag and thrust the motion is nearly the same. The
cost then has several minima, and the one that a single descent finds depends on its start.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.files.problems import listed
from remora.identification.data.record import Record
from remora.identification.parameter_names import DELAY, parsed
from remora.identification.parameters import values_of
from remora.identification.problems import RecordError
from remora.identification.regression.constraints import InfeasibleError
from remora.identification.trajectory.dead_band_search import (
    CommandSizes,
    DeadBandWidth,
    best_gap,
    command_sizes,
    width_of,
    with_width,
)
from remora.identification.trajectory.gauss_newton import (
    MOST_STEPS,
    Constraints,
    Iterate,
    Minimum,
    full_step_length,
    iterate_at,
    jacobian_at,
    minimise,
)
from remora.identification.trajectory.shooting_intervals import TrajectoryData, measured_starts, thinned
from remora.plant.failures import RunError

# The step is short enough when halving it changes the solution by less than this, in standard deviations.
_SHORT_ENOUGH = 0.1
# Shortest integration step, s.
_SHORTEST_STEP = 0.004
_MOST_ROUNDS = 5
# Dead bands that suppress these shares of the command sizes are tried as well, in short descents.
_SHARES = (0.0, 0.15, 0.4)
_SHORT = 6


class FittedDeadBand(NamedTuple):
    """Name, start and bounds of a dead band to be fitted."""

    name: str
    start: float
    low: float
    high: float


class TrajectorySolution(NamedTuple):
    """Solution of a trajectory fit."""

    data: TrajectoryData
    constraints: Constraints
    found: Minimum
    widths: Mapping[str, DeadBandWidth]
    warnings: tuple[str, ...]


def solved(
    records: Sequence[Record],
    data: TrajectoryData,
    constraints: Constraints,
    iterate: Iterate,
    bands: Sequence[FittedDeadBand],
    regressed: Callable[[Constraints, Array], Array],
    roughly: Callable[[Constraints, Array], Array],
) -> TrajectorySolution:
    """Minimise from the requested start and from others, with dead bands where asked for.

    `regressed` replaces linear parameters of some values by regression, `roughly` does so from a part of the data.
    """
    edges = {band.name: command_sizes(records, constraints, band.name, band.low, band.high) for band in bands}
    empty = [name for name, one in edges.items() if not one.gaps]
    if empty:
        raise RecordError(f"no command lies within the bounds of {', '.join(empty)}.", records[0].source)
    if bands:
        constraints, found = _begun_with_widths(data, constraints, iterate, edges, regressed)
        constraints, found = _with_best_widths(data, constraints, found, edges, _SHORT)
        iterate = found.iterate
    # Parameters, step of the integration and widths depend on each other: repeated until no width moves.
    for _ in range(_MOST_ROUNDS):
        best = best_minimum(data, constraints, iterate, partial(roughly, constraints))
        data, found = _with_short_steps(data, constraints, best.found)
        before = constraints
        constraints, found = _with_best_widths(data, constraints, found, edges, MOST_STEPS)
        if constraints is before:
            break
        iterate = found.iterate
    widths = {name: _width(data, constraints, found, name, one) for name, one in edges.items()}
    return TrajectorySolution(
        data, constraints, found, widths, (*best.warnings, *_about_widths(constraints, widths, edges))
    )


def _begun_with_widths(
    data: TrajectoryData,
    constraints: Constraints,
    iterate: Iterate,
    edges: Mapping[str, CommandSizes],
    regressed: Callable[[Constraints, Array], Array],
) -> tuple[Constraints, Minimum]:
    """Best of short descents with the requested widths and with widths that pass most commands."""
    tried: list[tuple[Constraints, Minimum]] = []
    for share in (None, *_SHARES):
        other, values, starts = constraints, iterate.values, list(iterate.starts)
        if share is not None:
            for name, one in edges.items():
                other = with_width(other, name, one.middle(int(share * (one.gaps - 1))))
            values, starts = regressed(other, values), measured_starts(data)
        try:
            tried.append((other, minimise(data, other, iterate_at(data, other, values, starts), _SHORT)))
        except (RunError, InfeasibleError) as error:
            reason = error
    if not tried:
        raise reason
    return min(tried, key=lambda one: misfit(data, one[1]))


def _with_best_widths(
    data: TrajectoryData, constraints: Constraints, found: Minimum, edges: Mapping[str, CommandSizes], most: int
) -> tuple[Constraints, Minimum]:
    """Search widths and minimise in turn until no width changes."""
    for _ in range(_MOST_ROUNDS if edges else 0):
        before = found
        for name, one in edges.items():
            now = one.nearest(float(values_of(constraints.vehicle, [name])[0]))
            gap = best_gap(data, constraints, found, name, one)
            if gap == now:
                continue
            moved = with_width(constraints, name, one.middle(gap))
            try:
                begun = iterate_at(data, moved, found.iterate.values, found.iterate.starts)
                other = minimise(data, moved, begun, most)
            except (RunError, InfeasibleError):
                continue
            # The profile is linear in all other parameters and may overestimate the gain far away.
            if misfit(data, other) < misfit(data, found):
                constraints, found = moved, other
        if found is before:
            break
    return constraints, found


def _width(
    data: TrajectoryData, constraints: Constraints, found: Minimum, name: str, edges: CommandSizes
) -> DeadBandWidth:
    gap = edges.nearest(float(values_of(constraints.vehicle, [name])[0]))
    return width_of(data, constraints, found, name, edges, gap)


def _about_widths(
    constraints: Constraints, widths: Mapping[str, DeadBandWidth], edges: Mapping[str, CommandSizes]
) -> list[str]:
    sentences = []
    for name in widths:
        gap = edges[name].nearest(float(values_of(constraints.vehicle, [name])[0]))
        if gap == 0:
            size = edges[name].sizes[0]
            sentences.append(f"{name}: even the smallest command, {size:.4g}, moves the vehicle; any width below fits.")
        elif gap == edges[name].gaps - 1:
            sentences.append(f"{name}: only the largest command moves the vehicle; the width is hardly known.")
    return sentences


def _with_short_steps(data: TrajectoryData, constraints: Constraints, found: Minimum) -> tuple[TrajectoryData, Minimum]:
    """Halve the integration step until the solution does not change."""
    longest = max(group.interval for group in data.groups)
    while longest / (2 * data.steps) >= _SHORTEST_STEP:
        finer = data._replace(steps=2 * data.steps)
        iterate = iterate_at(finer, constraints, found.iterate.values, found.iterate.starts, found.iterate.trial)
        if (
            full_step_length(constraints, iterate, jacobian_at(finer, constraints, iterate, found.noise))
            < _SHORT_ENOUGH
        ):
            break
        data, found = finer, minimise(finer, constraints, iterate)
    return data, found


# Starting values of lags and delays, s: the range of real thrusters and sensors.
_LAGS = (0.02, 0.06, 0.2, 0.6)
_DELAYS = (0.0, 0.05, 0.2)
# Lags within this factor, and delays within this many seconds, are near each other.
_NEAR_LAG, _NEAR_DELAY = 2.0, 0.03
# Descents from other values are screened first: at most this many steps on about this many samples. Those that end at
# other minima than the requested start are continued with all data, this many at most.
_STEPS_OF_A_SCREEN, _SCREENED, _CONTINUED = 6, 1000, 2
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
    return [k for k, name in enumerate(constraints.names) if parsed(name, constraints.vehicle).is_time]


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

    return _tried(screen, constraints, iterate, _STEPS_OF_A_SCREEN, at_that_minimum)


def _elsewhere(
    constraints: Constraints, problem: DescentEnd | None, screened: Sequence[DescentEnd]
) -> list[DescentEnd]:
    """The best few ends at other minima than the requested start leads to."""
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
    delay = [k for k in times_in(constraints) if constraints.names[k] == DELAY]
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
    # Up to a constant, which is the same for all descents on these samples.
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
