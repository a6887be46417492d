"""Timing of inputs: a time shift of all inputs, fitted with the parameters of a regression.

A wrong lag, an unmodelled delay or different clocks leave the derivative of the effort, times the shift, in the
residual. Inertia absorbs part of it and is biased with a narrow interval. With the derivative as an additional column,
the shift has a standard error like any parameter, and its effect on the others is known.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from remora.files.arrays import Array
from remora.files.problems import Advice, Fix
from remora.identification.data.record import Record
from remora.identification.diagnostics.recorded_inputs import lags_of
from remora.identification.regression.prefilter import Prefilter, pieces_of_segments
from remora.identification.regression.problem import RegressionProblem
from remora.identification.regression.regressor import MotionSamples, Wrenches, as_column, input_wrenches, reaches
from remora.identification.regression.rows import Rows, unsmoothed
from remora.identification.regression.solvers import Uncertainty, Weights, instrumental_variables, uncertainty
from remora.plant.pack import PackedVehicle, pack
from remora.vehicles.names import DEGREES_OF_FREEDOM

# A shift is reported below this probability under the null hypothesis, if it changes a parameter by more than this
# share of the half width of its interval.
_CHANCE, _MATTERS = 0.001, 0.5
# Best accuracy of the time of an input, as a share of the sampling interval.
_FINEST = 0.01
# Difference of the shift of one degree of freedom that is reported, in standard deviations.
_DIFFERS = 4.0
# Range of the ratio of a shift to a lag, or to half the hold time of commands, for which that is a likely cause.
_NEAR = (0.5, 1.5)
# Instrumental variables need the rows and not their triangular factor, which is expensive.
_NO_TRIANGLE = np.zeros((0, 0))


class TimeShift(NamedTuple):
    """Delay of the inputs relative to the model, from a regression."""

    seconds: float
    sigma: float
    probability: float  # of a shift this large by chance
    per_axis: dict[str, tuple[float, float]]  # degree of freedom -> shift and sigma, s; empty where not significant
    moved: str  # the parameter most affected
    times: float  # its change in half widths of its interval


class RegressionSolution(NamedTuple):
    """A regression and its solution."""

    rows: Rows
    instruments: Rows  # the rows themselves where there are none
    weights: Weights
    change: Array
    uncertainty: Uncertainty


def time_shift(problem: RegressionProblem, solution: RegressionSolution, matters: float = 0.0) -> TimeShift | None:
    """Least-squares shift of all inputs.

    None without recorded inputs, or where the shift changes no parameter by `matters` half widths of its interval.
    """
    if any(record.inputs is None for record in problem.records):
        return None
    rates = effort_rates(problem)
    if not any(np.any(column) for column in rates):
        return None
    size, widened = len(solution.rows.names), _with_shifts(solution, rates, [0] * len(rates))
    change = instrumental_variables(*widened, solution.weights)
    moved = np.abs(change[:size] - solution.change) / np.maximum(solution.uncertainty.half_widths, 1e-300)
    most = int(np.argmax(moved))
    if moved[most] < matters:
        return None
    found = uncertainty(*widened, solution.weights, change)
    sigma = float(np.sqrt(found.covariance[size, size]))
    probability = float(2.0 * stats.t.sf(abs(change[size]) / max(sigma, 1e-300), found.degrees_of_freedom[size]))
    each = _shift_of_each(problem, solution, rates) if probability <= _CHANCE else {}
    return TimeShift(float(change[size]), sigma, probability, each, solution.rows.names[most], float(moved[most]))


def _shift_of_each(
    problem: RegressionProblem, solution: RegressionSolution, rates: Sequence[Array]
) -> dict[str, tuple[float, float]]:
    """Shift and standard deviation of each degree of freedom separately."""
    size = len(solution.rows.names)
    widened = _with_shifts(solution, rates, list(range(len(rates))))
    own = instrumental_variables(*widened, solution.weights)
    deviations = np.sqrt(np.diag(uncertainty(*widened, solution.weights, own).covariance))
    return {axis: (float(own[size + k]), float(deviations[size + k])) for k, axis in enumerate(problem.axes)}


def timing_warnings(problem: RegressionProblem, solution: RegressionSolution) -> list[str]:
    """Warning where inputs act earlier or later than in the model and a parameter is biased."""
    shift = time_shift(problem, solution, _MATTERS)
    if shift is None or shift.probability > _CHANCE or abs(shift.seconds) < _FINEST * min(problem.intervals):
        return []
    way, size = ("later" if shift.seconds > 0.0 else "earlier"), abs(shift.seconds)
    apart = [
        f"{axis} {seconds:.2g} s"
        for axis, (seconds, sigma) in shift.per_axis.items()
        if abs(seconds - shift.seconds) > max(_DIFFERS * np.hypot(sigma, shift.sigma), 0.2 * size)
    ]
    by_axis = f"; separately {', '.join(apart)}, so sensors may be late by different times" if apart else ""
    finding = (
        f"Inputs act {size:.2g} s {way} than the model says (standard deviation {shift.sigma:.1g} s{by_axis}): a wrong "
        "lag in the vehicle file, a delay, or clocks of inputs and sensors that differ. It moves "
        f"{shift.moved} by {shift.times:.2g} times the half width of its interval, so the intervals cannot be trusted."
    )
    return [Advice(finding, _remedy(problem, shift.seconds))]


def _remedy(problem: RegressionProblem, seconds: float) -> Fix:
    before = next((record.inputs.moved for record in problem.records if record.inputs is not None), 0.0)
    whole = f", in place of the {before:.4g} given," if before else ""
    values = {"method": "output-error", "parameters": "default,delay", "inputs_late": f"{before - seconds:.2g}"}
    how = f"with {{method}} {{parameters}}, or give {{inputs_late}}{whole} if clocks differ."
    if all(record.inputs is not None and record.inputs.kind == "commands" for record in problem.records):
        values |= {"parameters": "default,thrusters.time_constant,delay", "inputs": "outputs"}
        return Fix(f"{_early_commands(problem, -seconds)}Fit the timing {how}", values)
    if seconds > 0.0:
        sentence = f"If these are commands and no outputs, give {{inputs}}; else fit it {how}"
        return Fix(sentence, {**values, "inputs": "commands"})
    return Fix(f"Fit it {how}", values)


def _early_commands(problem: RegressionProblem, early: float) -> str:
    """Likely reasons for early commands: they are outputs, or change more often than they are logged."""
    lags, held, reasons = list(lags_of(problem.vehicle).values()), max(map(_time_held, problem.records)), ""
    if lags and _NEAR[0] < early / float(np.median(lags)) < _NEAR[1]:
        reasons += "If these are outputs of actuators and no commands, the lag counts twice: give {inputs}. "
    if _NEAR[0] < early / (0.5 * held) < _NEAR[1]:
        reasons += (
            f"Commands that change more often than they were logged, every {held:.2g} s, act half of that early: log "
            "them as often as they change. "
        )
    return reasons


def _time_held(record: Record) -> float:
    """Mean time between two changes of the commands, s."""
    assert record.inputs is not None
    changes = int(np.sum(np.any(np.diff(record.inputs.values, axis=0) != 0.0, axis=1)))
    return record.duration / max(changes, 1)


def effort_rates(problem: RegressionProblem) -> list[Array]:
    """Time derivative of the wrench of the inputs in the rows of each degree of freedom, over all records."""
    columns: list[list[Array]] = [[] for _ in problem.axes]
    packed = pack(problem.vehicle)
    for record, prefilter, interval in zip(problem.records, problem.prefilters, problem.intervals, strict=True):
        samples = unsmoothed(record, problem.vehicle)
        for piece in pieces_of_segments(record.segments, prefilter):
            found = _rates(packed, samples.motion(piece), prefilter, interval, problem.axes)
            for column, more in zip(columns, found, strict=True):
                column.append(more)
    return [np.concatenate(column) for column in columns]


def _rates(
    packed: PackedVehicle, motion: MotionSamples, prefilter: Prefilter, interval: float, axes: Sequence[str]
) -> list[Array]:
    """Central differences of the wrench with shifted inputs and measured motion, for fins and thrusters."""
    after, before = (input_wrenches(packed, _moved(motion, k)) for k in (1, -1))
    found = []
    for i in (DEGREES_OF_FREEDOM.index(axis) for axis in axes):
        term, effort = (_difference(part, after, before, i, len(motion.twist[0])) for part in ("term", "effort"))
        found.append(-(prefilter.term(term) + prefilter.effort(effort)) / (2.0 * interval))
    return found


def _difference(part: str, after: Wrenches, before: Wrenches, i: int, samples: int) -> Array:
    one, other = getattr(after, part)[i], getattr(before, part)[i]
    return as_column(one, samples) - as_column(other, samples) if reaches(one) else np.zeros(samples)


def _moved(motion: MotionSamples, samples: int) -> MotionSamples:
    """The motion with inputs shifted by a number of samples; the first and last values are repeated."""
    place = np.clip(np.arange(len(motion.twist[0])) + samples, 0, len(motion.twist[0]) - 1)
    outputs, external = (tuple(column[place] for column in part) for part in (motion.outputs, motion.external))
    return motion._replace(outputs=outputs, external=external)


def _with_shifts(solution: RegressionSolution, rates: Sequence[Array], which: Sequence[int]) -> tuple[Rows, Rows]:
    """Rows and instruments with additional columns for shifts; `which` is the shift of each degree of freedom."""
    rows = _widened(solution.rows, rates, which)
    own = solution.instruments is solution.rows
    return rows, rows if own else _widened(solution.instruments, rates, which)


def _widened(rows: Rows, rates: Sequence[Array], which: Sequence[int]) -> Rows:
    size, blocks = len(rows.names), []
    for part, column, k in zip(rows.blocks, rates, which, strict=True):
        active, matrix = np.append(part.active, size + k), np.column_stack([part.matrix, column])
        blocks.append(part._replace(active=active, matrix=matrix, triangle=_NO_TRIANGLE))
    names = (*rows.names, *(f"shift.{k}" for k in range(max(which) + 1)))
    return rows._replace(names=names, blocks=tuple(blocks))
