"""Cramér-Rao bound of a sensor suite on a trajectory.

For a system with Gaussian noise that is linearised about the true trajectory, the posterior bound is the covariance of
the Kalman filter with those Jacobians (Tichavsky, Muravchik and Nehorai 1998). No unbiased estimator with the same
readings does better, as far as the linearisation holds.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.navigation.consistency.normalised_errors import ConsistencyError


class LinearisedStep(NamedTuple):
    """A prediction followed by a measurement, linearised at the true state."""

    F: Array  # transition of the error, n x n
    Q: Array  # covariance that the prediction adds, n x n
    H: Array  # measurement Jacobian, m x n; no rows without a measurement
    R: Array  # covariance of the measurement, m x m


def covariance_bound(prior: ArrayLike, steps: Iterable[LinearisedStep]) -> Array:
    """Bound of the error covariance after each step: steps x n x n.

    Parameters
    ----------
    prior
        Covariance before the first step, n x n.
    steps
        Linearised steps in order of time.
    """
    P = np.array(prior, dtype=np.float64)
    if P.ndim != 2 or P.shape[0] != P.shape[1]:
        raise ConsistencyError(f"prior: found shape {P.shape}; give a square matrix.").about("prior", P.shape)
    smallest = float(np.linalg.eigvalsh(0.5 * (P + P.T)).min())
    if smallest < -1e-12 * float(np.abs(P).max()):
        raise ConsistencyError(f"prior: not positive semidefinite (smallest eigenvalue {smallest:.3g})").about(
            "prior", smallest
        )
    bounds = []
    for step in steps:
        P = step.F @ P @ step.F.T + step.Q
        if step.H.size:
            P = _updated(P, step.H, step.R)
        bounds.append(P)
    return np.array(bounds)


def _updated(P: Array, H: Array, R: Array) -> Array:
    """Measurement update in Joseph form."""
    gain = np.linalg.solve(H @ P @ H.T + R, H @ P).T
    left = np.eye(len(P)) - gain @ H
    updated = left @ P @ left.T + gain @ R @ gain.T
    return np.asarray(0.5 * (updated + updated.T))
