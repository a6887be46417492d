"""The optimisation problem of one docking vehicle in one iteration, as data."""

from typing import Any, NamedTuple

import numpy as np

from remora.files.arrays import Array


class DockingProblem(NamedTuple):
    """Start, cost and constraints of a vehicle over its horizon of N steps; `LocalTerms` explains the cost."""

    start: Array  # state of six numbers
    model: Array
    weights: Array  # agreement, velocity, force, penalty of the cones
    goal: Array  # N + 1 x 3
    pull: Array  # N + 1 x 3
    cones: Array  # cameras x 2
    points: Array  # cameras x N + 1 x 2
    prices: Array  # cameras x N + 1 x 2
    watchers: Array  # watching neighbours x N + 1 x 6
    watcher_prices: Array  # watching neighbours x N + 1 x 2
    target: Array  # five numbers or none
    force_limits: Array  # three numbers

    @property
    def horizon(self) -> int:
        """Number of steps."""
        return len(self.goal) - 1

    @property
    def terms(self) -> tuple[Array, ...]:
        """Arguments of the compiled functions."""
        return self[1:11]


class DockingPlan(NamedTuple):
    """Forces and predicted states of a vehicle over its horizon."""

    forces: Array  # N x 3
    states: Array  # N + 1 x 6
    cost: float
    violation: float  # largest violation of a target constraint, m2 or m
    steps: int  # iterations of the solver


def columns(values: Array) -> Any:
    """The last axis of an array as a tuple, in the place of the numbers that the equations take."""
    return tuple(values[..., i] for i in range(values.shape[-1]))


def shifted(values: Array, count: int = 1) -> Array:
    """A sequence over the horizon, some steps later; the last entry is repeated."""
    count = min(count, len(values) - 1)
    return values if count == 0 else np.concatenate([values[count:], np.repeat(values[-1:], count, axis=0)])
