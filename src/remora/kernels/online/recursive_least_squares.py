"""Recursive least squares, one sample after the other, in two forms that hold the same knowledge.

The square-root form keeps R and z with R'R the information and R values = z: each row of data is turned into them by
plane rotations, so the information is symmetric and never negative whatever the rounding. The covariance form is the
one of the textbooks, for comparison.

Written as plain Python and compiled by `recursive_kernels` when they are first asked for. A memory holds several
independent estimators of equal size, one after the other. Each has, for k values: the values; in the square-root form R
with z as its last column, row by row, else the covariance; the largest information that each value ever had; and the
tally: sum of squared residuals and number of rows, both with forgetting, and samples that were passed over.
"""

import math
import sys
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numba
from numba import float64, void

from remora.files.arrays import Array
from remora.kernels import registration
from remora.kernels.compilation import from_cache
from remora.kernels.layouts.array_views import carve

_ROW = float64[::1]
TALLY = 3
# A pivot smaller than this share of its column is nothing but rounding.
_ROUNDING = 1e-13


class RecursiveKernels(NamedTuple):
    """The compiled updates, each over any number of samples."""

    square_root: Any
    covariance: Any


class Places(NamedTuple):
    """Where things are in the memory of one estimator."""

    factor: int
    best: int
    tally: int
    size: int


def places(k: int) -> Places:
    """Where things are in the memory of one estimator of k values."""
    best = k + k * (k + 1)
    return Places(k, best, best + k, best + k + TALLY)


def rotate_in(factor: Array, k: int, row: Array) -> float:
    """Turn a row of k coefficients and a target into R and z; what is left of the target comes back."""
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
    """Values from R values = z; what no data have shown stays as it is."""
    for back in range(k):
        j = k - 1 - back
        if is_pivot(factor, k, j):
            total = factor[j * (k + 1) + k]
            for i in range(j + 1, k):
                total -= factor[j * (k + 1) + i] * values[i]
            values[j] = total / factor[j * (k + 1) + j]


def news_of(factor: Array, k: int, row: Array, work: Array) -> float:
    """How much a row adds to what is known: row . P row; infinite where it shows what was never seen."""
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


def is_whole(row: Array, k: int, target: float) -> bool:
    """Whether a row is without NaN and infinities."""
    total = 0.0 * target
    for j in range(k):
        total += 0.0 * row[j]
    return total == 0.0


def forget(memory: Array, k: int, keep: float, floor: float, work: Array) -> None:
    """Forget a share of the information, down to a floor of a share of the best that was ever known.

    What fades is replaced by as much trust in the values as they are, so that values do not move by forgetting.
    """
    at, root = places(k), math.sqrt(keep)
    factor = carve(memory, at.factor, (k * (k + 1),))
    for i in range(k * (k + 1)):
        factor[i] *= root
    for j in range(k):
        trust = math.sqrt((1.0 - keep) * floor * memory[at.best + j])
        if trust > 0.0:
            for i in range(k + 1):
                work[i] = 0.0
            work[j], work[k] = trust, trust * memory[j]
            rotate_in(factor, k, work)
    memory[at.tally] *= keep
    memory[at.tally + 1] *= keep


def learn(
    memory: Array, k: int, rows: int, matrix: Array, targets: Array, keep: float, floor: float, rest: float, work: Array
) -> None:
    """One sample of the square-root form: some rows of data, of which those with NaN are passed over."""
    at = places(k)
    factor = carve(memory, at.factor, (k * (k + 1),))
    news, usable = 0.0, 0
    for m in range(rows):
        row = carve(matrix, m * k, (k,))
        if is_whole(row, k, targets[m]):
            usable += 1
            if keep < 1.0:
                news = max(news, news_of(factor, k, row, work))
    if usable == 0 or (keep < 1.0 and not news > rest * (1.0 - keep)):
        memory[at.tally + 2] += 1.0
        return
    if keep < 1.0:
        forget(memory, k, keep, floor, work)
    for m in range(rows):
        row = carve(matrix, m * k, (k,))
        if is_whole(row, k, targets[m]):
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
        memory[at.best + j] = max(memory[at.best + j], total)
    solve_values(factor, k, carve(memory, 0, (k,)))


def learn_plainly(memory: Array, k: int, rows: int, matrix: Array, targets: Array, keep: float, work: Array) -> None:
    """One sample of the covariance form, as in the textbooks; P is made symmetric again after each row."""
    at = places(k)
    p = carve(memory, at.factor, (k * k,))
    fresh = True
    for m in range(rows):
        row = carve(matrix, m * k, (k,))
        if not is_whole(row, k, targets[m]):
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


def learn_all(
    memory: Array, sizes: Array, matrix: Array, targets: Array, settings: Array, work: Array, history: Array
) -> None:
    """Samples of several estimators of the square-root form, all rows of a sample one after the other.

    Sizes are the numbers of samples, estimators, rows of each and values of each; settings the share that is kept from
    sample to sample, the floor of the information and what counts as rest. The history takes the values after each
    sample, unless it is empty.
    """
    samples, count, rows, k = int(sizes[0]), int(sizes[1]), int(sizes[2]), int(sizes[3])
    size = places(k).size
    for n in range(samples):
        for g in range(count):
            own, start = carve(memory, g * size, (size,)), (n * count + g) * rows
            learn(
                own, k, rows, carve(matrix, start * k, (rows * k,)), carve(targets, start, (rows,)), settings[0],
                settings[1], settings[2], work,
            )  # fmt: skip
            if len(history) > 0:
                for j in range(k):
                    history[(n * count + g) * k + j] = own[j]


def learn_all_plainly(
    memory: Array, sizes: Array, matrix: Array, targets: Array, settings: Array, work: Array, history: Array
) -> None:
    """The same for the covariance form."""
    samples, count, rows, k = int(sizes[0]), int(sizes[1]), int(sizes[2]), int(sizes[3])
    size = places(k).size
    for n in range(samples):
        for g in range(count):
            own, start = carve(memory, g * size, (size,)), (n * count + g) * rows
            learn_plainly(
                own, k, rows, carve(matrix, start * k, (rows * k,)), carve(targets, start, (rows,)), settings[0], work
            )
            if len(history) > 0:
                for j in range(k):
                    history[(n * count + g) * k + j] = own[j]


def _doors(cached: dict[str, Any]) -> RecursiveKernels:
    doors = ("learn_all", "learn_all_plainly")
    registration.register_functions(sys.modules[__name__], without=(*doors, "_doors"))
    signature = void(_ROW, _ROW, _ROW, _ROW, _ROW, _ROW, _ROW)
    made = (numba.njit(signature, **cached)(function) for function in (learn_all, learn_all_plainly))
    return RecursiveKernels(*made)


@lru_cache(maxsize=1)
def recursive_kernels() -> RecursiveKernels:
    """The recursive updates, compiled or from the cache."""
    return cast(RecursiveKernels, from_cache("recursive least squares", _doors))
