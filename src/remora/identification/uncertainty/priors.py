"""Gaussian priors of parameters."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.identification.parameter_names import canonical
from remora.identification.result import Fit


class Prior(NamedTuple):
    """Values of some parameters and their covariance."""

    names: tuple[str, ...]
    values: Array
    covariance: Array


NO_PRIOR = Prior((), np.zeros(0), np.zeros((0, 0)))


def prior_of(known: "Prior | Fit | Mapping[str, tuple[float, float]] | None") -> Prior:
    """Prior from an earlier fit, or from a value and a standard deviation for each name.

    Parameters of a fit with infinite variance are omitted.
    """
    if known is None:
        return NO_PRIOR
    if isinstance(known, Prior):
        return known
    if isinstance(known, Fit):
        finite = [k for k, sigma in enumerate(known.sigma.tolist()) if 0.0 < sigma < np.inf]
        names = tuple(known.names[k] for k in finite)
        return Prior(names, known.values[finite], known.covariance[np.ix_(finite, finite)])
    for name, (value, sigma) in known.items():
        if not (np.isfinite(value) and 0.0 < sigma < np.inf):
            raise ValueError(f"the prior of {name} is {value} +- {sigma}: give a number and a positive deviation")
    pairs = np.array(list(known.values())).reshape(-1, 2)
    return Prior(tuple(canonical(name) for name in known), pairs[:, 0], np.diag(pairs[:, 1] ** 2))


def joined_priors(first: Prior, second: Prior) -> Prior:
    """Two priors as one; the second takes precedence."""
    kept = [k for k, name in enumerate(first.names) if name not in second.names]
    covariance = np.zeros((len(kept) + len(second.names),) * 2)
    covariance[: len(kept), : len(kept)] = first.covariance[np.ix_(kept, kept)]
    covariance[len(kept) :, len(kept) :] = second.covariance
    names = (*(first.names[k] for k in kept), *second.names)
    return Prior(names, np.concatenate([first.values[kept], second.values]), covariance)


def prior_rows(prior: Prior, names: Sequence[str], values: Array) -> Array:
    """Rows [matrix, target] of a prior for the change of parameters from `values`."""
    used = [k for k, name in enumerate(prior.names) if name in names]
    rows = np.zeros((len(used), len(names) + 1))
    if not used:
        return rows
    places = [list(names).index(prior.names[k]) for k in used]
    root = np.linalg.inv(np.linalg.cholesky(prior.covariance[np.ix_(used, used)]))
    rows[:, places] = root
    rows[:, -1] = root @ (prior.values[used] - values[places])
    return rows
