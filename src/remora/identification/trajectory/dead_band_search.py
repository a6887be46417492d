"""The dead band of thrusters from trajectories: a search over its width, and its posterior.

The motion depends on the width of a dead band in steps: only where the width passes the size of a recorded command does
anything change, so the cost has no derivative. The width is therefore found by a profile of the cost, with all other
parameters following by the linearised problem, and its interval from the posterior over the gaps between commands
with a flat prior, as for a change point.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.parameter_names import parsed
from remora.identification.parameters import parameter, with_values
from remora.identification.regression.rows import actuator_table
from remora.identification.trajectory.gauss_newton import Constraints, Minimum, reduced, sums_of_products, trial_at
from remora.identification.trajectory.shooting_intervals import TrajectoryData, errors_of
from remora.identification.uncertainty.correlated_residuals import whiteness
from remora.plant.failures import RunError

# Widths compared in one batch.
_TOGETHER = 24
# Gaps whose profile cost is above the least by more than this have no weight in the posterior.
_NO_WEIGHT = 40.0
_LEVEL = 0.95
_NORMAL = 1.959963984540054


class DeadBandWidth(NamedTuple):
    """Width of a dead band and its uncertainty."""

    value: float
    sigma: float
    jacobian: Array  # derivative of the other parameters with respect to the width


class ProfilePoint(NamedTuple):
    """Profile of the cost at one width, by the linearised problem."""

    cost: float  # weighted sum of squares
    change: Array  # of the other parameters


class CommandSizes(NamedTuple):
    """Sizes of recorded commands in rising order; between two of them the width of a dead band is not identifiable."""

    sizes: Array

    @property
    def gaps(self) -> int:
        """Number of gaps: below the first size, and between neighbours."""
        return len(self.sizes)

    def middle(self, gap: int) -> float:
        """A width inside a gap."""
        low = 0.0 if gap == 0 else float(self.sizes[gap - 1])
        return 0.5 * (low + float(self.sizes[gap]))

    def nearest(self, width: float) -> int:
        """The gap that holds a width."""
        return min(int(np.searchsorted(self.sizes, width)), self.gaps - 1)


def command_sizes(
    records: Sequence[Record], constraints: Constraints, name: str, low: float, high: float
) -> CommandSizes:
    """Command sizes of the thrusters of a parameter, within the bounds of the width."""
    which = list(parsed(name, constraints.vehicle).which)
    sizes = np.unique(
        np.abs(np.concatenate([actuator_table(r, constraints.vehicle)[:, which].ravel() for r in records]))
    )
    # A width beyond the second largest command would leave almost no motion.
    return CommandSizes(sizes[(sizes > low) & (sizes <= min(high, float(sizes[-1])))])


def with_width(constraints: Constraints, name: str, width: float) -> Constraints:
    """Constraints with another dead band in the vehicle."""
    return constraints._replace(vehicle=with_values(constraints.vehicle, [name], [width]))


def best_gap(data: TrajectoryData, constraints: Constraints, found: Minimum, name: str, edges: CommandSizes) -> int:
    """Gap with the least profile cost, by successive refinement."""
    now = edges.nearest(parameter(name, constraints.vehicle).read(constraints.vehicle))
    low, high = 0, edges.gaps - 1
    costs: dict[int, ProfilePoint] = {}
    while True:
        chosen = np.unique([now, *np.linspace(low, high, min(_TOGETHER, high - low + 1)).astype(int)]).tolist()
        fresh = [gap for gap in chosen if gap not in costs]
        costs.update(zip(fresh, profile(data, constraints, found, name, [edges.middle(g) for g in fresh]), strict=True))
        now = min(costs, key=lambda gap: costs[gap].cost)
        known = sorted(costs)
        place = known.index(now)
        below, above = known[max(place - 1, 0)], known[min(place + 1, len(known) - 1)]
        if above - now <= 1 and now - below <= 1:
            return now
        low, high = below, above


def profile(
    data: TrajectoryData, constraints: Constraints, found: Minimum, name: str, widths: Sequence[float]
) -> list[ProfilePoint]:
    """Profile cost of each width: other parameters and initial states follow linearly."""
    costs: list[ProfilePoint] = []
    for first in range(0, len(widths), _TOGETHER):
        costs += _profile(data, constraints, found, name, widths[first : first + _TOGETHER])
    return costs


def _profile(
    data: TrajectoryData, constraints: Constraints, found: Minimum, name: str, widths: Sequence[float]
) -> list[ProfilePoint]:
    iterate, jacobian, q = found.iterate, found.jacobian, len(data.start_columns)
    trials = [trial_at(data, with_width(constraints, name, width), iterate.values, iterate.trial) for width in widths]
    products = []
    for k, start in enumerate(iterate.starts):
        try:
            errors = errors_of(data, k, trials, np.broadcast_to(start, (len(trials), *start.shape)))
        except RunError:
            return [ProfilePoint(np.inf, np.zeros(len(constraints.names)))] * len(widths)
        left = -(errors / found.noise).reshape(len(trials), len(start), -1)
        products.append(sums_of_products(np.concatenate([jacobian.starts[k], jacobian.matrix[k], left])))
    factor = reduced(products, q).factor
    p = len(constraints.names)
    square = factor.T @ factor
    scale = np.sqrt(np.maximum(np.diag(square)[:p], 0.0))
    scale[scale == 0.0] = 1.0
    inner = np.linalg.pinv(square[:p, :p] / np.outer(scale, scale), rcond=1e-12, hermitian=True)
    cross = square[:p, p:] / scale[:, None]
    changes = inner @ cross
    costs = np.diag(square)[p:] - np.sum(cross * changes, axis=0)
    return [ProfilePoint(float(cost), change) for cost, change in zip(costs, (changes / scale[:, None]).T, strict=True)]


def width_of(
    data: TrajectoryData, constraints: Constraints, found: Minimum, name: str, edges: CommandSizes, best: int
) -> DeadBandWidth:
    """Width and its standard deviation, from the 95 % interval of the posterior."""
    around = _around(data, constraints, found, name, edges, best)
    gaps = sorted(around)
    costs = np.array([around[gap].cost for gap in gaps])
    ends = np.array([0.0 if gaps[0] == 0 else edges.sizes[gaps[0] - 1], *edges.sizes[gaps]])
    # With a flat prior each gap counts by its length. Correlated residuals tell less than their number.
    weights = np.exp(-0.5 * (costs - costs.min()) / _colour(found)) * np.diff(ends)
    weights /= weights.sum()
    low, high = np.interp([0.5 - 0.5 * _LEVEL, 0.5 + 0.5 * _LEVEL], np.concatenate([[0.0], np.cumsum(weights)]), ends)
    middles = 0.5 * (ends[:-1] + ends[1:])
    away = middles - weights @ middles
    spread = max(float(weights @ away**2), float(np.finfo(float).tiny))
    # Covariance with the width over its variance, both of the posterior.
    jacobian = (weights * away) @ np.array([around[gap].change for gap in gaps]) / spread
    return DeadBandWidth(float(0.5 * (low + high)), float(0.5 * (high - low) / _NORMAL), jacobian)


def _around(
    data: TrajectoryData, constraints: Constraints, found: Minimum, name: str, edges: CommandSizes, best: int
) -> dict[int, ProfilePoint]:
    """Profile of all gaps around the best one with weight in the posterior."""
    profiled: dict[int, ProfilePoint] = {}
    limit = _NO_WEIGHT * _colour(found)
    for direction in (1, -1):
        gap = best
        while 0 <= gap < edges.gaps:
            block = [g for g in range(gap, gap + direction * _TOGETHER // 2, direction) if 0 <= g < edges.gaps]
            fresh = profile(data, constraints, found, name, [edges.middle(g) for g in block])
            profiled.update(zip(block, fresh, strict=True))
            if min(one.cost for one in fresh) - min(one.cost for one in profiled.values()) > limit:
                break
            gap += direction * len(block)
    return profiled


def _colour(found: Minimum) -> float:
    """Variance of sums of residuals over the variance of white noise, in the channel farthest from white."""
    residuals = np.concatenate([error.reshape(-1, error.shape[-1]) for error in found.iterate.errors])
    columns = [column[np.abs(column) > 0.0] for column in residuals.T]
    return max(1.0, *(len(column) / whiteness(column).effective_samples for column in columns if len(column)))
