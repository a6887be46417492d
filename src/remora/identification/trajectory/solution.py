"""Solution of a trajectory fit: multi-start minimisation, dead-band search, and refinement of the integration step."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from remora.files.arrays import Array
from remora.identification.data.record import Record
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
from remora.identification.trajectory.several_starts import best_minimum, misfit
from remora.identification.trajectory.shooting_intervals import TrajectoryData, measured_starts
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
