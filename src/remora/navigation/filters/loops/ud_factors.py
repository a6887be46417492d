"""Covariance of a filter as P = U D U^T: U unit upper triangular, D diagonal and not negative (Bierman 1977).

The covariance is symmetric and positive semidefinite by construction. The Joseph form is not, where a prior of 1e8
meets a measurement variance of 1e-12: rounding of the prior exceeds the posterior.

U is stored by columns in one row of numbers, V[j * PADDED + i] = U[i, j], and so are other matrices with one row per
error coordinate. The loops over i go in blocks of four numbers, which the compiler keeps in one vector register.
Templates with the sizes of a filter, compiled with its event loop or run as plain Python.
"""

import numpy as np

from remora.files.arrays import Array
from remora.files.problems import InputError

NEGATIVE_TOLERANCE = 1e-12  # of the largest eigenvalue: rounding of a semidefinite matrix
LANES = 4  # numbers of a vector register

# Sizes of a filter: error coordinates, and their number padded to whole registers.
ERRORS, PADDED = 0, 0


def padded_size(errors: int) -> int:
    """Length of a padded column."""
    return -(-errors // LANES) * LANES


def array_view(memory: Array, start: int, shape: tuple[int]) -> Array:
    """View of a row from an index on; in compiled code an intrinsic without cost."""
    return memory[start : start + shape[0]]


def eliminate(W: Array, count: int, j: int, total: float, V: Array, shares: Array, values: Array, used: Array) -> None:
    """Column j of U, and the columns in use of W made orthogonal to its row j.

    Columns in use, of which there are `count`, have a number other than zero in the row; `used` holds their indices,
    and `values` and `shares` these numbers without and with their weights. The total is the weighted sum of their
    squares.
    """
    for block in range(0, j, 4):
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for p in range(count):
            w, share = array_view(W, used[p] * PADDED + block, (4,)), shares[p]
            a, b, c, d = a + share * w[0], b + share * w[1], c + share * w[2], d + share * w[3]
        u = array_view(V, j * PADDED + block, (4,))
        a, b, c, d = a / total, b / total, c / total, d / total
        u[0], u[1], u[2], u[3] = a, b, c, d
        for p in range(count):
            w, value = array_view(W, used[p] * PADDED + block, (4,)), values[p]
            w[0], w[1], w[2], w[3] = w[0] - value * a, w[1] - value * b, w[2] - value * c, w[3] - value * d


def orthogonalise(
    W: Array, weights: Array, columns: int, rows: int, V: Array, D: Array, shares: Array, values: Array, used: Array
) -> None:
    """Factors V and D of W diag(weights) W^T by modified weighted Gram-Schmidt; W is overwritten. Bierman 1977.

    Columns of W have one number for each error coordinate; only the first `rows` of them are processed, as W is zero
    below. Columns with a zero in the row at hand are skipped. One column alone is eliminated without rounding, so that
    triangular parts of W cost little. Shares, values and used are work space.
    """
    for j in range(rows - 1, -1, -1):
        total, count = 0.0, 0
        for k in range(columns):
            value = array_view(W, k * PADDED + j, (1,))[0]
            if value != 0.0:
                used[count], values[count], shares[count] = k, value, weights[k] * value
                total += weights[k] * value * value
                count += 1
        D[j] = total
        v = array_view(V, j * PADDED, (PADDED,))
        # Without variance the column has no effect, and its shares would be zero over zero.
        if total == 0.0:
            for i in range(PADDED):
                v[i] = 0.0
        elif count == 1:
            w = array_view(W, used[0] * PADDED, (PADDED,))
            for i in range(PADDED):
                v[i], w[i] = w[i] / values[0], 0.0
        else:
            eliminate(W, count, j, total, V, shares, values, used)
        v[j] = 1.0
        for i in range(j + 1, PADDED):
            v[i] = 0.0


def changed_columns(F: Array, unit: Array, transposed: Array, used: Array) -> tuple[int, int]:
    """Number of columns of F that differ from the identity, and of rows up to the last such one.

    The columns are written to `transposed` and their indices to `used`; `unit` marks the others.
    """
    count, rows = 0, 0
    for k in range(PADDED):
        unit[k] = 1.0
    for k in range(ERRORS):
        for i in range(ERRORS):
            if F[i, k] != (1.0 if i == k else 0.0):
                unit[k] = 0.0
                rows = max(rows, i + 1)
        if unit[k] == 0.0:
            column = array_view(transposed, count * PADDED, (PADDED,))
            for i in range(ERRORS):
                column[i] = F[i, k]
            used[count] = k
            count += 1
    return count, rows


def transform(
    F: Array, V: Array, D: Array, W: Array, weights: Array, unit: Array, transposed: Array, used: Array
) -> int:
    """W = F U and the weights D, so that W diag(weights) W^T = F P F^T; the number of rows up to the last changed one.

    Columns of F that equal the identity cost nothing. Unit, transposed and used are work space.
    """
    count, rows = changed_columns(F, unit, transposed, used)
    first = 0
    for j in range(ERRORS):
        weights[j] = D[j]
        while first < count and used[first] <= j:
            first += 1
        column = array_view(V, j * PADDED, (PADDED,))
        for block in range(0, PADDED, 4):
            v, m = array_view(V, j * PADDED + block, (4,)), array_view(unit, block, (4,))
            a, b, c, d = v[0] * m[0], v[1] * m[1], v[2] * m[2], v[3] * m[3]
            for p in range(first):
                f, value = array_view(transposed, p * PADDED + block, (4,)), column[used[p]]
                a, b, c, d = a + value * f[0], b + value * f[1], c + value * f[2], d + value * f[3]
            w = array_view(W, j * PADDED + block, (4,))
            w[0], w[1], w[2], w[3] = a, b, c, d
    return rows


def projected(V: Array, row: Array, result: Array) -> None:
    """U^T times a row of a measurement matrix."""
    for j in range(ERRORS):
        result[j] = 0.0
    for k in range(ERRORS):
        if row[k] != 0.0:
            for j in range(k, ERRORS):
                result[j] += row[k] * array_view(V, j * PADDED + k, (1,))[0]


def measured_variance(V: Array, D: Array, row: Array, f: Array) -> float:
    """Variance h P h^T of a predicted measurement."""
    projected(V, row, f)
    total = 0.0
    for j in range(ERRORS):
        total += D[j] * f[j] * f[j]
    return total


def update_factors(V: Array, D: Array, row: Array, variance: float, f: Array, b: Array) -> float:
    """Factors after one scalar measurement with the row h, in place; variance of the innovation. Bierman 1977.

    `b` is filled with P h^T of the prior: the gain times the variance that is returned. `f` is work space.
    """
    projected(V, row, f)
    total = variance
    for i in range(PADDED):
        b[i] = 0.0
    for j in range(ERRORS):
        if f[j] != 0.0:
            share, before = D[j] * f[j], total
            total = before + f[j] * share
            D[j] = D[j] * before / total
            factor = -f[j] / before
            for block in range(0, j + 1, 4):  # the diagonal of U is one, and what lies below it zero
                # Each takes the other as it was, so that both are read before either is written.
                v, g = array_view(V, j * PADDED + block, (4,)), array_view(b, block, (4,))
                p, q, r, s = v[0], v[1], v[2], v[3]
                v[0], v[1], v[2], v[3] = p + g[0] * factor, q + g[1] * factor, r + g[2] * factor, s + g[3] * factor
                g[0], g[1], g[2], g[3] = g[0] + p * share, g[1] + q * share, g[2] + r * share, g[3] + s * share
    return total


def variances(V: Array, D: Array, result: Array) -> None:
    """Diagonal of the covariance."""
    for i in range(ERRORS):
        result[i] = 0.0
    for j in range(ERRORS):
        column = array_view(V, j * PADDED, (PADDED,))
        for i in range(ERRORS):
            result[i] += D[j] * column[i] * column[i]


def covariance_of(V: Array, D: Array) -> Array:
    """The covariance of factors, exactly symmetric; V holds the columns of U as rows."""
    half = V.T * np.sqrt(D)
    P: Array = half @ half.T
    return 0.5 * (P + P.T)


def factors_of(covariance: Array) -> tuple[Array, Array]:
    """Columns of U, as rows, and D of a covariance.

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
    W, weights, V, D = vectors.copy(), np.maximum(values, 0.0), np.eye(len(P)), np.zeros(len(P))
    for j in range(len(P) - 1, -1, -1):
        D[j] = (W[j] ** 2) @ weights
        V[j, :j] = (W[:j] * W[j]) @ weights / D[j] if D[j] > 0.0 else 0.0
        W[:j] -= np.outer(V[j, :j], W[j])
    return V, D
