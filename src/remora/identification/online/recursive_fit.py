"""Recursive least squares over records, on the rows of the batch fits and with the same result."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.identification.data import checks
from remora.identification.data.record import Record
from remora.identification.online.recursive import Form, RecursiveLeastSquares, RecursiveRun, RecursiveState
from remora.identification.parameters import values_of
from remora.identification.problems import RecordError
from remora.identification.regression.least_squares import Solved, described
from remora.identification.regression.lumped import LumpedFit, lumped_fit, lumped_rows
from remora.identification.regression.prefilter import Prefilter, PrefilterKind, prefilter_of
from remora.identification.regression.problem import (
    check_counts,
    joined_rows,
    regression_problem,
    rows_of,
    with_scale_held,
)
from remora.identification.regression.rows import Rows, regression_block
from remora.identification.regression.solvers import Weights, residual, uncertainty
from remora.identification.result import Fit
from remora.identification.sampling.resampling import uniform_interval
from remora.identification.warnings import all_assumptions
from remora.vehicles.vehicle import Vehicle

# Age in memories beyond which rows have no weight.
_MEMORIES = 8.0


class RecursiveFit(NamedTuple):
    """A fit, the values after each row, and the final state."""

    fit: Fit
    values: Array  # rows x parameters
    state: RecursiveState


class RecursiveLumpedFit(NamedTuple):
    """A lumped fit, alpha, beta, mu (and nu) after each row, and the final state."""

    lumped: LumpedFit
    values: Array
    state: RecursiveState


def fit_recursive(
    records: Record | Sequence[Record],
    vehicle: Vehicle,
    parameters: Sequence[str] | None = None,
    *,
    axes: Sequence[str] | None = None,
    memory: float | None = None,
    form: Form = "square root",
    prefilter: PrefilterKind = "filtered",
    half_width: float | None = None,
    window: int | None = None,
    order: int = 3,
    noise: Mapping[str, float] | None = None,
    sigma: Sequence[float] | None = None,
) -> RecursiveFit:
    """Estimate parameters in which the equation of motion is linear, row by row.

    Parameters
    ----------
    records, vehicle, parameters, axes, prefilter, half_width, window, order
        As for `fit_least_squares`, which gives the same values without forgetting.
    memory
        Time after which the weight of a row is 1/e, s; no forgetting unless given.
    form
        "square root", or "covariance" as in the textbooks.
    noise
        Degree of freedom -> standard deviation of its residual, N or N m, as weights; equal unless given.
    sigma
        Prior standard deviation of each parameter around its value in the vehicle; unknown unless given.

    Raises
    ------
    RecordError
        When a record is too short, too quiet, has holes or wrong units.
    ParameterNameError
        When a parameter is not known.
    """
    given = (records,) if isinstance(records, Record) else tuple(records)

    def made(interval: float) -> Prefilter:
        return prefilter_of(prefilter, interval, half_width, window, order)

    problem = regression_problem(given, vehicle.parameters, parameters, axes, made)
    problem, rows, scale = with_scale_held(problem, joined_rows([rows_of(problem, k) for k in range(len(given))]))
    check_counts(rows, given[0].source)
    weights = Weights(tuple(1.0 / (noise or {}).get(part.axis, 1.0) for part in rows.blocks))
    estimator = RecursiveLeastSquares(len(problem.names), 1, forgetting_of(memory, rows.spacing), form)
    learned = _learned(estimator, rows, weights, sigma)
    recent = _faded(rows, estimator.forgetting)
    change = learned.values[-1, 0]
    solved = Solved(change, uncertainty(recent, recent, weights, change))
    notes = [*all_assumptions(problem.records, problem.vehicle), *_words(learned.state)]
    fit = described(problem, recent, weights, solved, change, scale, notes)
    method = f"recursive {prefilter} least squares, {form} form{_memory_words(memory)}"
    fit = _with_residuals(fit, {part.axis: residual(part, change)[-recent.number :] for part in rows.blocks})
    values = values_of(problem.vehicle, problem.names) + learned.values[:, 0]
    return RecursiveFit(replace(fit, method=method, base=vehicle), values, learned.state)


def fit_recursive_lumped(
    record: Record,
    vehicle: Vehicle,
    axis: str,
    *,
    memory: float | None = None,
    form: Form = "square root",
    window: int = 33,
    order: int = 3,
    smooth: bool = False,
    constant: bool | None = None,
    start: Sequence[float] | float = 0.0,
    sigma: Sequence[float] | None = None,
) -> RecursiveLumpedFit:
    """Estimate v' = alpha u + beta v |v| + mu v + nu of one degree of freedom, row by row.

    Parameters
    ----------
    record, vehicle, axis, window, order, smooth, constant
        As for `fit_lumped`, which gives the same values without forgetting.
    memory, form
        As for `fit_recursive`.
    start, sigma
        Initial lumped parameters, and their standard deviations in units of the noise; unknown unless given.
    """
    interval = uniform_interval(record)
    checks.check_record(record, [axis], window * interval)
    matrix, rate = lumped_rows(record, vehicle, axis, interval, window, order, smooth)
    with_constant = axis == "heave" if constant is None else constant
    kept = matrix if with_constant else matrix[:, :3]
    estimator = RecursiveLeastSquares(kept.shape[1], 1, forgetting_of(memory, interval), form)
    learned = estimator.run(estimator.initial(start, sigma), kept, rate)
    solution = learned.values[-1, 0]
    if not np.all(np.isfinite(solution)):
        raise RecordError(f"gives no finite numbers of {axis}. Excite it more, or forget less.", record.source)
    weight = _fading(len(rate), estimator.forgetting)
    recent = weight > np.exp(-0.5 * _MEMORIES)
    faded, left = weight[recent, None] * kept[recent], weight[recent] * (rate - kept @ solution)[recent]
    method = f"recursive lumped least squares of {axis}, {form} form{_memory_words(memory)}"
    found = lumped_fit(record, vehicle, axis, solution, faded, left, float(window), method)
    residuals = {axis: (rate - kept @ solution)[recent] / found.lumped.alpha}
    fit = _with_residuals(found.fit.with_warning(*_words(learned.state)), residuals)
    return RecursiveLumpedFit(found._replace(fit=fit), learned.values[:, 0], learned.state)


def forgetting_of(memory: float | None, interval: float) -> float:
    """Forgetting factor for rows at an interval, s, and a memory after which the weight is 1/e, s."""
    if memory is None:
        return 1.0
    if not memory > 0.0:
        raise ValueError(f"memory is {memory} s. Give a positive time, or none to forget nothing.")
    return float(np.exp(-interval / memory))


def _learned(
    estimator: RecursiveLeastSquares, rows: Rows, weights: Weights, sigma: Sequence[float] | None
) -> RecursiveRun:
    """Run over all rows in time order; rows of equal time are one sample."""
    count, k = len(rows.blocks), estimator.size
    matrices, targets = np.zeros((rows.number, 1, count, k)), np.empty((rows.number, 1, count))
    for m, (part, weight) in enumerate(zip(rows.blocks, weights.per_block, strict=True)):
        matrices[:, 0, m, part.active] = weight * part.matrix
        targets[:, 0, m] = weight * part.target
    return estimator.run(estimator.initial(0.0, sigma), matrices, targets)


def _fading(count: int, forgetting: float) -> Array:
    """Square root of the final weight of each row."""
    return np.asarray(forgetting ** (0.5 * np.arange(count - 1, -1, -1)))


def _faded(rows: Rows, forgetting: float) -> Rows:
    """Rows with their final weights; rows of negligible weight are omitted."""
    if forgetting == 1.0:
        return rows
    weight = _fading(rows.number, forgetting)
    kept = weight > np.exp(-0.5 * _MEMORIES)
    blocks = tuple(
        regression_block(
            part.axis, part.active, weight[kept, None] * part.matrix[kept], weight[kept] * part.target[kept]
        )
        for part in rows.blocks
    )
    return rows._replace(blocks=blocks, number=int(kept.sum()))


def _with_residuals(fit: Fit, residuals: dict[str, Array]) -> Fit:
    """Fit with the unweighted residuals of the remembered rows."""
    return replace(fit, residuals=residuals, noise={axis: float(np.std(left)) for axis, left in residuals.items()})


def _words(state: RecursiveState) -> list[str]:
    passed = int(state.passed_over[0])
    return [f"{passed} rows had no new information and were skipped."] if passed else []


def _memory_words(memory: float | None) -> str:
    return "" if memory is None else f", memory of {memory:g} s"
