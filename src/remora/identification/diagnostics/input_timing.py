"""Whether inputs act when the model says so: a time shift of all inputs, fitted beside the parameters of a regression.

A lag that is wrong, a delay that the model lacks, or clocks that differ leave the slope of the effort in the residual,
times the shift. Inertia takes up part of that slope and comes out wrong with a narrow interval. With the slope as one
more column, the shift has a standard error like any other parameter, and the other columns show what it does to them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.regression.prefilter import Treatment
from remora.identification.regression.problem import Setup
from remora.identification.regression.regressor import Motion, Wrenches, as_column, input_wrenches, reaches
from remora.identification.regression.rows import Rows, block, pieces_of_segments, sampled
from remora.identification.regression.solvers import Uncertainty, Weights, instrumental_variables, uncertainty
from remora.kernels.pack import PackedVehicle, pack
from remora.vehicles.names import DEGREES_OF_FREEDOM

# A shift is reported that has less than this probability by chance, and that moves a parameter by more than this share
# of the half width of its interval.
_CHANCE, _MATTERS = 0.001, 0.5
# Degrees of freedom whose own shift differs from that of all by more than this many standard deviations are named.
_DIFFERS = 4.0


class TimeShift(NamedTuple):
    """How much later than in the model inputs act, as a regression shows it."""

    seconds: float
    sigma: float
    probability: float  # of a shift this large by chance
    per_axis: dict[str, tuple[float, float]]  # of each degree of freedom, seconds and sigma; empty where likely chance
    moved: str  # the parameter that the shift moves most
    times: float  # by this many half widths of its interval


class Solution(NamedTuple):
    """A regression and its solution."""

    rows: Rows
    instruments: Rows  # the rows themselves where there are none
    weights: Weights
    change: Array
    uncertainty: Uncertainty


def time_shift(setup: Setup, solution: Solution, matters: float = 0.0) -> TimeShift | None:
    """The shift of all inputs that goes best with the motion.

    None where nothing was recorded that drives it, or where the shift moves no parameter by this many half widths of
    its interval.
    """
    if any(record.inputs is None for record in setup.records):
        return None
    slopes = effort_slopes(setup)
    if not any(np.any(column) for column in slopes):
        return None
    size, widened = len(solution.rows.names), _with_shifts(solution, slopes, [0] * len(slopes))
    change = instrumental_variables(*widened, solution.weights)
    moved = np.abs(change[:size] - solution.change) / np.maximum(_half_widths(solution.uncertainty), 1e-300)
    most = int(np.argmax(moved))
    if moved[most] < matters:
        return None
    found = uncertainty(*widened, solution.weights, change)
    sigma = float(np.sqrt(found.covariance[size, size]))
    probability = float(2.0 * stats.t.sf(abs(change[size]) / max(sigma, 1e-300), found.degrees_of_freedom[size]))
    each = _shift_of_each(setup, solution, slopes) if probability <= _CHANCE else {}
    return TimeShift(float(change[size]), sigma, probability, each, solution.rows.names[most], float(moved[most]))


def _shift_of_each(setup: Setup, solution: Solution, slopes: Sequence[Array]) -> dict[str, tuple[float, float]]:
    """Shift and standard deviation of each degree of freedom by itself."""
    size = len(solution.rows.names)
    widened = _with_shifts(solution, slopes, list(range(len(slopes))))
    own = instrumental_variables(*widened, solution.weights)
    deviations = np.sqrt(np.diag(uncertainty(*widened, solution.weights, own).covariance))
    return {axis: (float(own[size + k]), float(deviations[size + k])) for k, axis in enumerate(setup.axes)}


def timing_in_words(setup: Setup, solution: Solution) -> list[str]:
    """A sentence where inputs act earlier or later than the model says and a parameter comes out wrong for it."""
    shift = time_shift(setup, solution, _MATTERS)
    if shift is None or shift.probability > _CHANCE:
        return []
    way, size = ("later" if shift.seconds > 0.0 else "earlier"), abs(shift.seconds)
    apart = [
        f"{axis} {seconds:.2g} s"
        for axis, (seconds, sigma) in shift.per_axis.items()
        if abs(seconds - shift.seconds) > max(_DIFFERS * np.hypot(sigma, shift.sigma), 0.2 * size)
    ]
    by_axis = f"; by itself {', '.join(apart)}, so sensors may be late by different times" if apart else ""
    return [
        f"Inputs act {size:.2g} s {way} than the model says (standard deviation {shift.sigma:.1g} s{by_axis}): a wrong "
        "lag in the vehicle file, a delay, or clocks of inputs and sensors that differ. It moves "
        f"{shift.moved} by {shift.times:.2g} times the half width of its interval, so the intervals cannot be trusted. "
        f"{_remedy(setup.records, shift.seconds)}"
    ]


def _remedy(records: Sequence[Record], seconds: float) -> str:
    offset = f"give --inputs-late {-seconds:.2g} if clocks differ"
    if all(record.inputs is not None and record.inputs.kind == "commands" for record in records):
        return (
            "Fit the timing with --method output-error --parameters default,thrusters.time_constant,delay, "
            f"or {offset}."
        )
    commands = "If these are commands and no outputs, give --inputs commands; else fit" if seconds > 0.0 else "Fit"
    return f"{commands} it with --method output-error --parameters default,delay, or {offset}."


def effort_slopes(setup: Setup) -> list[Array]:
    """Rate at which the wrench of the inputs changes, in the rows of each degree of freedom, over all records."""
    columns: list[list[Array]] = [[] for _ in setup.axes]
    packed = pack(setup.vehicle)
    for record, treatment, interval in zip(setup.records, setup.treatments, setup.intervals, strict=True):
        samples = sampled(record, setup.vehicle, treatment)
        for piece in pieces_of_segments(record.segments, treatment):
            found = _slopes(packed, samples.motion(piece), treatment, interval, setup.axes)
            for column, more in zip(columns, found, strict=True):
                column.append(more)
    return [np.concatenate(column) for column in columns]


def _slopes(
    packed: PackedVehicle, motion: Motion, treatment: Treatment, interval: float, axes: Sequence[str]
) -> list[Array]:
    """Central differences of the wrench over the inputs, the motion as it was: fins and thrusters alike."""
    after, before = (input_wrenches(packed, _moved(motion, k)) for k in (1, -1))
    found = []
    for i in (DEGREES_OF_FREEDOM.index(axis) for axis in axes):
        term, effort = (_difference(part, after, before, i, len(motion.twist[0])) for part in ("term", "effort"))
        found.append(-(treatment.term(term) + treatment.effort(effort)) / (2.0 * interval))
    return found


def _difference(part: str, after: Wrenches, before: Wrenches, i: int, samples: int) -> Array:
    one, other = getattr(after, part)[i], getattr(before, part)[i]
    return as_column(one, samples) - as_column(other, samples) if reaches(one) else np.zeros(samples)


def _moved(motion: Motion, samples: int) -> Motion:
    """The motion with inputs shifted by a number of samples; the first and last values are repeated."""
    place = np.clip(np.arange(len(motion.twist[0])) + samples, 0, len(motion.twist[0]) - 1)
    outputs, external = (tuple(column[place] for column in part) for part in (motion.outputs, motion.external))
    return motion._replace(outputs=outputs, external=external)


def _with_shifts(solution: Solution, slopes: Sequence[Array], which: Sequence[int]) -> tuple[Rows, Rows]:
    """Rows and instruments with shifts beside the parameters; `which` says which one each degree of freedom has."""
    return _widened(solution.rows, slopes, which), _widened(solution.instruments, slopes, which)


def _widened(rows: Rows, slopes: Sequence[Array], which: Sequence[int]) -> Rows:
    size, blocks = len(rows.names), []
    for part, column, k in zip(rows.blocks, slopes, which, strict=True):
        active, matrix = np.append(part.active, size + k), np.column_stack([part.matrix, column])
        blocks.append(block(part.axis, active, matrix, part.target))
    names = (*rows.names, *(f"shift.{k}" for k in range(max(which) + 1)))
    return rows._replace(names=names, blocks=tuple(blocks))


def _half_widths(known: Uncertainty) -> Array:
    """Half widths of the 95 % intervals."""
    return np.asarray(stats.t.ppf(0.975, known.degrees_of_freedom) * np.sqrt(np.diag(known.covariance)))
