"""Local observability of the states of a filter along a trajectory, from its linearised steps."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.navigation.consistency.covariance_bound import LinearisedStep
from remora.navigation.consistency.normalised_errors import ConsistencyError

NEVER_MEASURED = 1e-10  # relative singular value


class ObservabilityReport(NamedTuple):
    """Information about the initial state, in units of its prior standard deviations."""

    std: dict[str, float]  # of each state from the measurements alone, over its prior one; infinite if unobservable
    unobservable: tuple[dict[str, float], ...]  # directions without information, by state
    condition: float  # largest over smallest singular value of the observable part


def observability(
    steps: Sequence[LinearisedStep], names: Sequence[str], prior_std: Sequence[float]
) -> ObservabilityReport:
    """Observability Gramian of the initial state, weighted by measurement noise and scaled by prior deviations.

    Parameters
    ----------
    steps
        Linearised steps in order of time.
    names
        Of the states of the error.
    prior_std
        Standard deviation of each state that counts as knowing nothing about it, in its unit.
    """
    n = len(names)
    if len(prior_std) != n or not all(0.0 < one < np.inf for one in prior_std):
        raise ConsistencyError(f"prior_std: give {n} positive numbers, one for each state.").about("prior_std")
    rows, transition = [], np.diag(np.asarray(prior_std, dtype=np.float64))
    for step in steps:
        transition = step.F @ transition
        if step.H.size:
            rows.append(np.linalg.solve(np.linalg.cholesky(step.R), step.H @ transition))
    if not rows:
        raise ConsistencyError("steps: there is no measurement").about("steps")
    return _report(np.vstack(rows), tuple(names))


def _report(rows: Array, names: tuple[str, ...]) -> ObservabilityReport:
    """Singular values and directions of the stacked measurement rows."""
    _, sizes, directions = np.linalg.svd(rows, full_matrices=True)
    sizes = np.concatenate([sizes, np.zeros(len(names) - len(sizes))])
    blind = sizes <= NEVER_MEASURED * sizes[0]
    inverse = np.where(blind, 0.0, 1.0 / np.where(blind, 1.0, sizes))
    std = np.sqrt(np.sum((directions.T * inverse) ** 2, axis=1))
    hidden = np.sum(directions[blind] ** 2, axis=0) > 1e-9
    found = {name: float("inf") if lost else float(one) for name, one, lost in zip(names, std, hidden, strict=True)}
    unknown = tuple(
        {name: float(part) for name, part in zip(names, row, strict=True) if abs(part) > 1e-3}
        for row in directions[blind]
    )
    seen = sizes[~blind]
    return ObservabilityReport(found, unknown, float(seen[0] / seen[-1]) if len(seen) else float("inf"))
