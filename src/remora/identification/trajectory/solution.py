"""The solution of a trajectory fit: descents from several starts, a search for dead bands, and steps short enough."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.parameters import values_of
from remora.identification.problems import RecordError
from remora.identification.regression.constraints import InfeasibleError
from remora.identification.trajectory.dead_band_search import Edges, Width, best_gap, edges_of, width_of, with_width
from remora.identification.trajectory.gauss_newton import (
    MOST_STEPS,
    Demands,
    Found,
    Point,
    descend,
    distance_to_go,
    point_at,
    slopes_at,
)
from remora.identification.trajectory.several_starts import best_descent, misfit
from remora.identification.trajectory.shooting_intervals import Course, measured_starts
from remora.kernels.failures import RunError

# Where halving the integration step moves the solution by less than this, in standard deviations, steps are short.
_SHORT_ENOUGH = 0.1
# No step of the integration is made shorter than this, s.
_SHORTEST_STEP = 0.004
_MOST_ROUNDS = 5
# Dead bands are also tried that swallow these shares of the sizes of commands, in descents of a few steps.
_SHARES = (0.0, 0.15, 0.4)
_SHORT = 6


class Band(NamedTuple):
    """A dead band that is to be fitted."""

    name: str
    start: float
    low: float
    high: float


class Solution(NamedTuple):
    """Where a fit ended."""

    course: Course
    demands: Demands
    found: Found
    widths: Mapping[str, Width]
    warnings: tuple[str, ...]


def solved(
    records: Sequence[Record],
    course: Course,
    demands: Demands,
    point: Point,
    bands: Sequence[Band],
    regressed: Callable[[Demands, Array], Array],
) -> Solution:
    """The best parameters, from the point that was asked for and from others."""
    edges = {band.name: edges_of(records, demands, band.name, band.low, band.high) for band in bands}
    empty = [name for name, one in edges.items() if not one.gaps]
    if empty:
        raise RecordError(f"no command lies within the bounds of {', '.join(empty)}.", records[0].source)
    if bands:
        demands, found = _begun_with_widths(course, demands, point, edges, regressed)
        demands, found = _with_best_widths(course, demands, found, edges, _SHORT)
        point = found.point
    for _ in range(_MOST_ROUNDS):
        best = best_descent(course, demands, point, partial(regressed, demands))
        course, found = _with_short_steps(course, demands, best.found)
        before = demands
        demands, found = _with_best_widths(course, demands, found, edges, MOST_STEPS)
        if demands is before:
            break
        point = found.point
    widths = {name: _width(course, demands, found, name, one) for name, one in edges.items()}
    return Solution(course, demands, found, widths, (*best.warnings, *_about_widths(demands, widths, edges)))


def _begun_with_widths(
    course: Course,
    demands: Demands,
    point: Point,
    edges: Mapping[str, Edges],
    regressed: Callable[[Demands, Array], Array],
) -> tuple[Demands, Found]:
    """The best of short descents with the widths that were asked for and with widths that pass most commands."""
    tried: list[tuple[Demands, Found]] = []
    for share in (None, *_SHARES):
        other, values, starts = demands, point.values, list(point.starts)
        if share is not None:
            for name, one in edges.items():
                other = with_width(other, name, one.middle(int(share * (one.gaps - 1))))
            values, starts = regressed(other, values), measured_starts(course)
        try:
            tried.append((other, descend(course, other, point_at(course, other, values, starts), _SHORT)))
        except (RunError, InfeasibleError) as error:
            reason = error
    if not tried:
        raise reason
    return min(tried, key=lambda one: misfit(course, one[1]))


def _with_best_widths(
    course: Course, demands: Demands, found: Found, edges: Mapping[str, Edges], most: int
) -> tuple[Demands, Found]:
    """Search the widths and descend, with at most this many steps, in turn until no width changes."""
    for _ in range(_MOST_ROUNDS if edges else 0):
        before = found
        for name, one in edges.items():
            now = one.nearest(float(values_of(demands.vehicle, [name])[0]))
            gap = best_gap(course, demands, found, name, one)
            if gap == now:
                continue
            moved = with_width(demands, name, one.middle(gap))
            try:
                begun = point_at(course, moved, found.point.values, found.point.starts)
                other = descend(course, moved, begun, most)
            except (RunError, InfeasibleError):
                continue
            # The profile is linear in all else, and may promise too much far away.
            if misfit(course, other) < misfit(course, found):
                demands, found = moved, other
        if found is before:
            break
    return demands, found


def _width(course: Course, demands: Demands, found: Found, name: str, edges: Edges) -> Width:
    gap = edges.nearest(float(values_of(demands.vehicle, [name])[0]))
    return width_of(course, demands, found, name, edges, gap)


def _about_widths(demands: Demands, widths: Mapping[str, Width], edges: Mapping[str, Edges]) -> list[str]:
    sentences = []
    for name in widths:
        gap = edges[name].nearest(float(values_of(demands.vehicle, [name])[0]))
        if gap == 0:
            size = edges[name].sizes[0]
            sentences.append(f"{name}: even the smallest command, {size:.4g}, moves the vehicle; any width below fits.")
        elif gap == edges[name].gaps - 1:
            sentences.append(f"{name}: only the largest command moves the vehicle; the width is hardly known.")
    return sentences


def _with_short_steps(course: Course, demands: Demands, found: Found) -> tuple[Course, Found]:
    """Halve the steps of the integration until that moves the solution no more."""
    longest = max(group.interval for group in course.groups)
    while longest / (2 * course.steps) >= _SHORTEST_STEP:
        finer = course._replace(steps=2 * course.steps)
        point = point_at(finer, demands, found.point.values, found.point.starts, found.point.trial)
        if distance_to_go(demands, point, slopes_at(finer, demands, point, found.noise)) < _SHORT_ENOUGH:
            break
        course, found = finer, descend(finer, demands, point)
    return course, found
