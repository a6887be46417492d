"""Recursive least squares with exponential forgetting, in square-root information form.

The state holds the Cholesky factor R of the information R'R, so that the covariance stays symmetric and positive over
any number of samples. With forgetting the estimator follows changing values. A sample without new information is
skipped, and forgotten information is replaced by confidence in the present values, so that neither values nor
covariance diverge without excitation. The covariance form is that of the textbooks.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.plant.recursive_least_squares import estimator_memory, recursive_kernels

Form: TypeAlias = Literal["square root", "covariance"]
# Initial standard deviation of unknown values in the covariance form.
LARGE = 1e6


@final
@dataclass(frozen=True, eq=False)
class RecursiveState:
    """Values and information of each estimator, for targets with noise of unit variance."""

    memory: Array  # one row per estimator, laid out as `remora.plant.recursive_least_squares` says
    size: int  # number of values of each estimator
    form: Form

    @property
    def values(self) -> Array:
        """The values, one row per estimator."""
        return self.memory[:, : self.size].copy()

    @property
    def information(self) -> Array:
        """The information of each estimator, the inverse of its covariance."""
        if self.form == "covariance":
            return np.asarray(np.linalg.inv(self._factor), dtype=float)
        return np.asarray(np.swapaxes(self._factor, 1, 2) @ self._factor)

    @property
    def covariance(self) -> Array:
        """Covariance of the values for unit noise of the targets; infinite where unknown."""
        if self.form == "covariance":
            return self._factor
        return np.array([_inverse_square(factor) for factor in self._factor])

    @property
    def noise(self) -> Array:
        """Standard deviation of the residuals, one per estimator."""
        at = estimator_memory(self.size).tally
        squares, rows = self.memory[:, at], self.memory[:, at + 1]
        return np.asarray(np.sqrt(squares / np.maximum(rows - self.size, 1.0)))

    @property
    def passed_over(self) -> Array:
        """Number of skipped samples per estimator, without new information or with NaN."""
        return self.memory[:, estimator_memory(self.size).tally + 2].copy()

    @property
    def _factor(self) -> Array:
        k = self.size
        width = k if self.form == "covariance" else k + 1
        part = self.memory[:, k : k + k * width].reshape(-1, k, width)
        return part[:, :, :k].copy()


def _inverse_square(factor: Array) -> Array:
    """(R'R)^-1 from R, which is better conditioned than R'R."""
    scale = np.linalg.norm(factor, axis=0)
    seen = scale > 0.0
    result = np.diag(np.where(seen, 0.0, np.inf))
    if seen.any():
        half = np.linalg.pinv(factor[:, seen] / scale[seen])
        result[np.ix_(seen, seen)] = half @ half.T / np.outer(scale[seen], scale[seen])
    return result


class RecursiveRun(NamedTuple):
    """Result of a run over many samples."""

    state: RecursiveState
    values: Array  # samples x estimators x values: after each sample


@final
@dataclass(frozen=True)
class RecursiveLeastSquares:
    """Several estimators of equal size, such as one per degree of freedom.

    Each has values x and per sample rows a with targets y = a . x + noise.
    """

    size: int  # number of values of each estimator
    estimators: int = 1
    forgetting: float = 1.0  # factor per sample: 1 - 1/T for a memory of T samples
    form: Form = "square root"  # or "covariance", the plain textbook form
    floor: float = 1e-4  # lower bound of the information, as a share of its maximum so far
    rest: float = 0.01  # a sample with less than this share of the forgotten information is skipped

    def __post_init__(self) -> None:
        if not 0.0 < self.forgetting <= 1.0:
            raise ValueError(
                f"forgetting is {self.forgetting}. Give a share above 0 and up to 1, which forgets nothing."
            )
        if self.size < 1 or self.estimators < 1:
            raise ValueError(f"{self.estimators} estimators of {self.size} values. Give at least one of each.")

    def initial(self, values: ArrayLike = 0.0, sigma: ArrayLike | None = None) -> RecursiveState:
        """Initial state: values and their standard deviations; unknown unless given.

        The covariance form uses a standard deviation of a million for unknown values.
        """
        k, count = self.size, self.estimators
        memory, at = np.zeros((count, estimator_memory(k).size)), estimator_memory(k)
        memory[:, :k] = values
        if sigma is None and self.form == "square root":
            return RecursiveState(memory, k, self.form)
        spread = np.broadcast_to(np.asarray(LARGE if sigma is None else sigma, dtype=float), (count, k))
        if not np.all(spread > 0.0):
            raise ValueError("sigma holds a number that is not positive. Give a standard deviation, or none.")
        for row, widths in zip(memory, spread, strict=True):
            if self.form == "covariance":
                row[at.factor : at.factor + k * k] = np.diag(widths**2).ravel()
                continue
            trust = np.where(np.isinf(widths), 0.0, 1.0 / widths)
            row[at.factor : at.factor + k * (k + 1)] = np.column_stack([np.diag(trust), trust * row[:k]]).ravel()
            row[at.peak_information : at.peak_information + k] = trust**2
        return RecursiveState(memory, k, self.form)

    def reset(self, state: RecursiveState, sigma: ArrayLike | None = None) -> RecursiveState:
        """Keep the values and reset their information, as after a change of the vehicle."""
        return self.initial(state.values, sigma)

    def step(self, state: RecursiveState, matrix: ArrayLike, target: ArrayLike) -> RecursiveState:
        """The state after one sample; the one before is not modified.

        The matrix is estimators x values for one row each, or estimators x rows x values, the target estimators, or
        estimators x rows. Rows with NaN are skipped.
        """
        rows = np.ascontiguousarray(matrix, dtype=float)
        wanted = np.ascontiguousarray(target, dtype=float)
        memory = state.memory.copy()
        self._learn(memory, rows, wanted, 1, _NO_HISTORY)
        return RecursiveState(memory, self.size, self.form)

    def run(self, state: RecursiveState, matrices: ArrayLike, targets: ArrayLike) -> RecursiveRun:
        """State after many samples, the first axis of both arrays, and the values after each."""
        rows = np.ascontiguousarray(matrices, dtype=float)
        wanted = np.ascontiguousarray(targets, dtype=float)
        memory, samples = state.memory.copy(), len(rows)
        history = np.empty((samples, self.estimators, self.size))
        if samples:
            self._learn(memory, rows, wanted, samples, history.reshape(-1))
        return RecursiveRun(RecursiveState(memory, self.size, self.form), history)

    def _learn(self, memory: Array, rows: Array, targets: Array, samples: int, history: Array) -> None:
        each = rows.size // (samples * self.estimators * self.size)
        if rows.size != samples * self.estimators * each * self.size or rows.size != targets.size * self.size:
            shapes = f"a matrix of {rows.shape} for a target of {targets.shape}"
            wanted = f"{self.estimators} estimators with rows of {self.size} numbers"
            raise ValueError(f"{shapes}. Give {wanted}, and one target for each row.")
        kernels = recursive_kernels()
        learn = kernels.square_root if self.form == "square root" else kernels.covariance
        sizes = np.array((samples, self.estimators, each, self.size), dtype=float)
        settings = np.array((self.forgetting, self.floor, self.rest))
        work = np.empty(self.size + 1)
        learn(memory.reshape(-1), sizes, rows.reshape(-1), targets.reshape(-1), settings, work, history)


_NO_HISTORY = np.empty(0)
