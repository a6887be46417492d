"""Recursive least squares, in square-root information form and in covariance form.

The square-root form keeps R and z, with R'R the information matrix and R values = z. Each row of data enters by Givens
rotations, so the information stays symmetric and positive semi-definite under rounding. The covariance form is that of
the textbooks, for comparison.

Plain Python, compiled by `recursive_kernels` on first use. A memory holds several independent estimators of equal size.
Each has, for k values: the values; R with z as its last column, row by row, or the covariance; the peak information of
each value; and the tally: sum of squared residuals and number of rows, both with forgetting, and skipped samples.
"""

import math
import sys
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numba
from numba import float64, void

from remora.files.arrays import Array
from remora.plant import registration
from remora.plant.arrays import array_view
from remora.plant.compilation import from_cache

_ROW = float64[::1]
TALLY = 3
# A pivot below this fraction of its column is rounding.
_ROUNDING = 1e-13


class RecursiveKernels(NamedTuple):
    """The compiled updates, each over any number of samples."""

    square_root: Any
    covariance: Any


class EstimatorMemory(NamedTuple):
    """Start of each block in the memory of one estimator."""

    factor: int
    peak_information: int
    tally: int
    size: int


def estimator_memory(k: int) -> EstimatorMemory:
    """Start of each block in the memory of one estimator of k values."""
    peak_information = k + k * (k + 1)
    return EstimatorMemory(k, peak_information, peak_information + k, peak_information + k + TALLY)


def rotate_in(factor: Array, k: int, row: Array) -> float:
    """Givens rotation of a row of k coefficients and a target into R and z; returns the residual."""
    for j in range(k):
        if row[j] == 0.0:
            continue
        at = j * (k + 1)
        length = math.hypot(factor[at + j], row[j])
        c, s = factor[at + j] / length, row[j] / length
        factor[at + j] = length
        for i in range(j + 1, k + 1):
            above, below = factor[at + i], row[i]
            factor[at + i] = c * above + s * below
            row[i] = c * below - s * above
    return row[k]


def is_pivot(factor: Array, k: int, j: int) -> bool:
    """Whether a diagonal element of R is more than rounding."""
    total = 0.0
    for i in range(j + 1):
        total += factor[i * (k + 1) + j] * factor[i * (k + 1) + j]
    pivot = factor[j * (k + 1) + j]
    return pivot * pivot > _ROUNDING * _ROUNDING * total


def solve_values(factor: Array, k: int, values: Array) -> None:
    """Back-substitution of R values = z; values without information stay unchanged."""
    for back in range(k):
        j = k - 1 - back
        if is_pivot(factor, k, j):
            total = factor[j * (k + 1) + k]
            for i in range(j + 1, k):
                total -= factor[j * (k + 1) + i] * values[i]
            values[j] = total / factor[j * (k + 1) + j]


def leverage(factor: Array, k: int, row: Array, work: Array) -> float:
    """Leverage row . P row of a row of data; infinite in a direction without information."""
    total = 0.0
    for j in range(k):
        left = row[j]
        for i in range(j):
            left -= factor[i * (k + 1) + j] * work[i]
        if is_pivot(factor, k, j):
            work[j] = left / factor[j * (k + 1) + j]
        else:
            work[j] = 0.0
            if abs(left) > _ROUNDING * abs(row[j]):
                return math.inf
        total += work[j] * work[j]
    return total


def is_finite_row(row: Array, k: int, target: float) -> bool:
    """Whether a row and its target are finite."""
    total = 0.0 * target
    for j in range(k):
        total += 0.0 * row[j]
    return total == 0.0


def forget(memory: Array, k: int, keep: float, floor: float, work: Array) -> None:
    """Exponential forgetting of the information, down to a fraction `floor` of its peak.

    Below the floor, information about the present values is added, so that forgetting does not change them.
    """
    at, root = estimator_memory(k), math.sqrt(keep)
    factor = array_view(memory, at.factor, (k * (k + 1),))
    for i in range(k * (k + 1)):
        factor[i] *= root
    for j in range(k):
        trust = math.sqrt((1.0 - keep) * floor * memory[at.peak_information + j])
        if trust > 0.0:
            for i in range(k + 1):
                work[i] = 0.0
            work[j], work[k] = trust, trust * memory[j]
            rotate_in(factor, k, work)
    memory[at.tally] *= keep
    memory[at.tally + 1] *= keep


def update_square_root(
    memory: Array,
    k: int,
    rows: int,
    matrix: Array,
    targets: Array,
    keep: float,
    floor: float,
    threshold: float,
    work: Array,
) -> None:
    """Update of the square-root form with one sample of some rows; rows that are not finite are skipped."""
    at = estimator_memory(k)
    factor = array_view(memory, at.factor, (k * (k + 1),))
    gain, usable = 0.0, 0
    for m in range(rows):
        row = array_view(matrix, m * k, (k,))
        if is_finite_row(row, k, targets[m]):
            usable += 1
            if keep < 1.0:
                gain = max(gain, leverage(factor, k, row, work))
    if usable == 0 or (keep < 1.0 and not gain > threshold * (1.0 - keep)):
        memory[at.tally + 2] += 1.0
        return
    if keep < 1.0:
        forget(memory, k, keep, floor, work)
    for m in range(rows):
        row = array_view(matrix, m * k, (k,))
        if is_finite_row(row, k, targets[m]):
            for j in range(k):
                work[j] = row[j]
            work[k] = targets[m]
            left = rotate_in(factor, k, work)
            memory[at.tally] += left * left
            memory[at.tally + 1] += 1.0
    for j in range(k):
        total = 0.0
        for i in range(j + 1):
            total += factor[i * (k + 1) + j] * factor[i * (k + 1) + j]
        memory[at.peak_information + j] = max(memory[at.peak_information + j], total)
    solve_values(factor, k, array_view(memory, 0, (k,)))


def update_covariance(
    memory: Array, k: int, rows: int, matrix: Array, targets: Array, keep: float, work: Array
) -> None:
    """Update of the covariance form with one sample; P is made symmetric after each row."""
    at = estimator_memory(k)
    p = array_view(memory, at.factor, (k * k,))
    fresh = True
    for m in range(rows):
        row = array_view(matrix, m * k, (k,))
        if not is_finite_row(row, k, targets[m]):
            continue
        kept = keep if fresh else 1.0
        spread, error, fresh = kept, targets[m], False
        for i in range(k):
            work[i] = 0.0
            for j in range(k):
                work[i] += p[i * k + j] * row[j]
            spread += row[i] * work[i]
            error -= row[i] * memory[i]
        for i in range(k):
            memory[i] += work[i] / spread * error
            for j in range(i + 1):
                mean = 0.5 * (p[i * k + j] + p[j * k + i])
                p[i * k + j] = (mean - work[i] * work[j] / spread) / kept
                p[j * k + i] = p[i * k + j]
        memory[at.tally] = kept * memory[at.tally] + error * error * kept / spread
        memory[at.tally + 1] = kept * memory[at.tally + 1] + 1.0
    if fresh:
        memory[at.tally + 2] += 1.0


def update_all_square_root(
    memory: Array, sizes: Array, matrix: Array, targets: Array, settings: Array, work: Array, history: Array
) -> None:
    """Updates of several estimators in square-root form, sample by sample.

    `sizes` are the numbers of samples, estimators, rows of each and values of each; `settings` the forgetting factor,
    the floor of the information and the leverage below which a sample is skipped. The history receives the values after
    each sample, unless it is empty.
    """
    samples, count, rows, k = int(sizes[0]), int(sizes[1]), int(sizes[2]), int(sizes[3])
    size = estimator_memory(k).size
    for n in range(samples):
        for g in range(count):
            own, start = array_view(memory, g * size, (size,)), (n * count + g) * rows
            data, target = array_view(matrix, start * k, (rows * k,)), array_view(targets, start, (rows,))
            update_square_root(own, k, rows, data, target, settings[0], settings[1], settings[2], work)
            if len(history) > 0:
                for j in range(k):
                    history[(n * count + g) * k + j] = own[j]


def update_all_covariance(
    memory: Array, sizes: Array, matrix: Array, targets: Array, settings: Array, work: Array, history: Array
) -> None:
    """The same for the covariance form."""
    samples, count, rows, k = int(sizes[0]), int(sizes[1]), int(sizes[2]), int(sizes[3])
    size = estimator_memory(k).size
    for n in range(samples):
        for g in range(count):
            own, start = array_view(memory, g * size, (size,)), (n * count + g) * rows
            update_covariance(
                own,
                k,
                rows,
                array_view(matrix, start * k, (rows * k,)),
                array_view(targets, start, (rows,)),
                settings[0],
                work,
            )
            if len(history) > 0:
                for j in range(k):
                    history[(n * count + g) * k + j] = own[j]


def _entry_points(cached: dict[str, Any]) -> RecursiveKernels:
    names = ("update_all_square_root", "update_all_covariance")
    registration.register_functions(sys.modules[__name__], without=(*names, "_entry_points"))
    signature = void(_ROW, _ROW, _ROW, _ROW, _ROW, _ROW, _ROW)
    made = (numba.njit(signature, **cached)(function) for function in (update_all_square_root, update_all_covariance))
    return RecursiveKernels(*made)


@lru_cache(maxsize=1)
def recursive_kernels() -> RecursiveKernels:
    """The recursive updates, compiled or from the cache."""
    return cast(RecursiveKernels, from_cache("recursive least squares", _entry_points))
