"""Covariance of a filter as P = U D U^T: U unit upper triangular, D diagonal and not negative (Bierman 1977).

The covariance is symmetric and positive semidefinite by construction. The Joseph form is not, where a prior of 1e8
meets a measurement variance of 1e-12: rounding of the prior exceeds the posterior. Plain Python, compiled with the
event loop of each filter.
"""

import numpy as np

from remora.files.arrays import Array
from remora.files.problems import InputError

NEGATIVE_TOLERANCE = 1e-12  # of the largest eigenvalue: rounding of a semidefinite matrix


def orthogonalise(W: Array, weights: Array, columns: int, U: Array, D: Array) -> None:
    """Factors of W diag(weights) W^T by modified weighted Gram-Schmidt; W is overwritten. Bierman 1977.

    Parameters
    ----------
    W
        Matrix with one row for each error coordinate.
    weights
        One number per column, not negative.
    columns
        Number of columns in use.
    U, D
        The factors.
    """
    for j in range(D.size - 1, -1, -1):
        total = 0.0
        for k in range(columns):
            total += weights[k] * W[j, k] * W[j, k]
        D[j] = total
        U[j, j] = 1.0
        for i in range(j):
            inner = 0.0
            for k in range(columns):
                inner += W[i, k] * weights[k] * W[j, k]
            U[i, j] = inner / total if total > 0.0 else 0.0
            U[j, i] = 0.0
            for k in range(columns):
                W[i, k] -= U[i, j] * W[j, k]


def transform(F: Array, U: Array, D: Array, W: Array, weights: Array) -> None:
    """W = F U and the weights D, so that W diag(weights) W^T = F P F^T."""
    for i in range(D.size):
        weights[i] = D[i]
        for j in range(D.size):
            total = 0.0
            for k in range(j + 1):
                total += F[i, k] * U[k, j]
            W[i, j] = total


def append_noise(noise: Array, elapsed: float, W: Array, weights: Array) -> int:
    """Columns of process noise after those of `transform`, one per coordinate that has noise; the number of columns.

    Parameters
    ----------
    noise
        Power spectral density of the noise on each error coordinate, unit squared per second.
    elapsed
        Length of the step, s.
    W, weights
        As in `orthogonalise`.
    """
    columns = noise.size
    for k in range(noise.size):
        if noise[k] > 0.0:
            weights[columns] = noise[k] * elapsed
            for i in range(noise.size):
                W[i, columns] = 1.0 if i == k else 0.0
            columns += 1
    return columns


def projected(U: Array, row: Array, result: Array) -> None:
    """U^T times a row of a measurement matrix."""
    for j in range(result.size):
        total = 0.0
        for k in range(j + 1):
            total += row[k] * U[k, j]
        result[j] = total


def measured_variance(U: Array, D: Array, row: Array, f: Array) -> float:
    """Variance h P h^T of a predicted measurement."""
    projected(U, row, f)
    total = 0.0
    for j in range(D.size):
        total += D[j] * f[j] * f[j]
    return total


def update_factors(U: Array, D: Array, row: Array, variance: float, f: Array, b: Array) -> float:
    """Factors after one scalar measurement, in place. Bierman 1977.

    Parameters
    ----------
    U, D
        The factors.
    row
        Row h of the measurement matrix.
    variance
        Variance of the measurement, positive.
    f
        Work space.
    b
        Filled with P h^T of the prior: the gain times the variance of the innovation, which is returned.
    """
    projected(U, row, f)
    total = variance
    for j in range(D.size):
        v = D[j] * f[j]
        before = total
        total = before + f[j] * v
        D[j] = D[j] * before / total
        b[j] = v
        factor = -f[j] / before
        for i in range(j):
            old = U[i, j]
            U[i, j] = old + b[i] * factor
            b[i] += old * v
    return total


def covariance_of(U: Array, D: Array) -> Array:
    """The covariance of factors, exactly symmetric."""
    half = U * np.sqrt(D)
    P: Array = half @ half.T
    return 0.5 * (P + P.T)


def factors_of(covariance: Array) -> tuple[Array, Array]:
    """U and D of a covariance.

    Raises
    ------
    InputError
        When it is not symmetric and positive semidefinite.
    """
    P = np.asarray(covariance, dtype=float)
    if (
        P.ndim != 2
        or P.shape[0] != P.shape[1]
        or not np.isfinite(P).all()
        or not np.allclose(P, P.T, rtol=1e-9, atol=0.0)
    ):
        raise InputError("the covariance is not a symmetric matrix of finite numbers").about("covariance")
    values, vectors = np.linalg.eigh(P)
    if values[0] < -NEGATIVE_TOLERANCE * max(abs(values[-1]), np.finfo(float).tiny):
        found = f"{values[0]:.6g}"
        raise InputError(
            f"the covariance has the negative eigenvalue {found}: give a positive semidefinite matrix"
        ).about("covariance", found)
    U, D = np.zeros(P.shape), np.zeros(len(P))
    orthogonalise(vectors.copy(), np.maximum(values, 0.0), len(P), U, D)
    return U, D
