"""Adaptive identification of the coupled equation of motion in several degrees of freedom.

The identifier of Smallwood and Whitcomb (2003) without division by the inertia. A model with the current parameters
gives the derivative of the estimated twist, which follows the measured one with an error gain. Each parameter changes
by its gain times the power of the error against its unit wrench. With exact data the Lyapunov function does not grow
while the error gain exceeds the Coriolis terms, a few times the turn rate.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from remora.equations.algebra.vectors import ZERO6, subtract6
from remora.equations.estimation.adaptive import twist_energy
from remora.equations.hull.forms.form import flat_numbers
from remora.equations.motion import inverse_dynamics
from remora.equations.packed import hull_at
from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.online.adaptive_axis import (
    PULL,
    SHARED_DAMPING,
    Report,
    Settled,
    excitation_period,
    settled_estimate,
)
from remora.identification.parameter_names import ParameterNameError, parsed
from remora.identification.parameters import units_of, values_of, with_values
from remora.identification.problems import RecordError, resampling_fix
from remora.identification.regression.prefilter import differentiated, filtered
from remora.identification.regression.problem import RegressionProblem, check_counts, regression_problem, rows_of
from remora.identification.regression.regressor import MotionSamples, as_column, base_wrenches, unit_hull
from remora.identification.regression.rows import Rows, sampled
from remora.identification.regression.solvers import triangle, unit_weights
from remora.identification.result import Fit
from remora.identification.uncertainty import identifiability
from remora.identification.warnings import assumptions, largest_speeds, negative_damping
from remora.plant.pack import PackedVehicle, pack
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, total_inertia
from remora.vehicles.vehicle import Vehicle

# Default rates of adaptation of inertia, quadratic damping, linear damping and buoyancy times the error gain, 1/s2.
RATES = (0.5, 0.2, 0.2, 0.05)
# Index of the rate by the prefix of a name; that of linear damping counts for all other damping.
_RATE_OF = {"added_mass": 0, "total_inertia": 0, "damping.quadratic": 1, "body": 3}
_OTHER_DAMPING = 2


class MotionHistory(NamedTuple):
    """History of the identifier, one row per sample."""

    time: Array  # s
    twist: Array  # n x 6, estimated
    values: Array  # n x parameters
    error: Array  # n x 6: estimated less measured twist, before the sample
    held: int  # samples without update, where the inertia would not be positive
    energy: Array | None  # the Lyapunov function, where a truth was given


class MotionFit(NamedTuple):
    """Fit, gains and history of the identifier."""

    fit: Fit
    gains: Array  # one per parameter
    history: MotionHistory


def fit_adaptive(
    record: Record,
    vehicle: Vehicle,
    parameters: Sequence[str] | None = None,
    *,
    axes: Sequence[str] | None = None,
    gains: Mapping[str, float] | None = None,
    rates: Sequence[float] = RATES,
    pull: float = PULL,
    report: Report = "averaged",
    period: float | None = None,
    truth: VehicleParameters | None = None,
) -> MotionFit:
    """Run the adaptive identifier of a vehicle over a record.

    Parameters
    ----------
    record, vehicle
        Motion and inputs, uniform segments without NaN; base vehicle, whose other parameters are kept.
    parameters
        Names as in `remora.identification.parameter_names`, of inertia, damping or net buoyancy; added mass, linear and
        quadratic damping of each used degree of freedom unless given.
    axes
        Estimated degrees of freedom; all measured ones unless given. The others follow the record.
    gains, rates
        Gain of each parameter; by default from the rates of adaptation of inertia, quadratic damping, linear damping
        and buoyancy times the error gain, 1/s2.
    pull
        Error gain: convergence rate of the estimated twist, 1/s.
    report, period
        As for `fit_adaptive_lumped`; the period is the longest of the degrees of freedom unless given.
    truth
        True parameters, for the history of the Lyapunov function.

    Raises
    ------
    RecordError
        When the record cannot be used, has fewer than three periods, or makes the identifier diverge.
    ParameterNameError
        When a parameter is unknown or not one of the hull.
    """
    problem = regression_problem((record,), vehicle.parameters, parameters, axes, filtered)
    units = _unit_rows(problem)
    rows = rows_of(problem, 0)
    check_counts(rows, record.source)
    chosen = _gains(problem, rows, rates) if gains is None else np.array([gains[name] for name in problem.names])
    history = _adapted(problem, units, chosen, pull, truth)
    interval = problem.intervals[0]
    length = _longest_period(record, problem.axes, interval) if period is None else period
    settled = settled_estimate(history.values, interval, length, record.source)
    values = settled.mean if report == "averaged" else history.values[-1]
    return MotionFit(_described(problem, rows, vehicle, values, settled, history, pull, report), chosen, history)


def _unit_rows(problem: RegressionProblem) -> Array:
    """Packed hulls with one unit of each parameter."""
    if problem.vehicle.heave_up is not None and "heave" in problem.axes:
        raise ParameterNameError("heave of this vehicle differs with its direction: leave heave out of the axes.")
    rows = []
    for name in problem.names:
        hull = unit_hull(name, problem.vehicle)
        if hull is None:
            raise ParameterNameError(f'"{name}" is no number of a bare hull: the adaptive identifier cannot fit it.')
        rows.append(np.array(flat_numbers(hull), dtype=float))
    return np.concatenate(rows)


def _gains(problem: RegressionProblem, rows: Rows, rates: Sequence[float]) -> Array:
    """Gains for given rates of adaptation: rate / mean(W . M^-1 W) with the unit wrench W."""
    inertia = np.diag(total_inertia(problem.vehicle))
    power = np.zeros(len(problem.names))
    for part in rows.blocks:
        share = np.mean(part.matrix**2, axis=0) / inertia[DEGREES_OF_FREEDOM.index(part.axis)]
        power[part.active] += share
    kinds = [_RATE_OF.get(parsed(name, problem.vehicle).head, _OTHER_DAMPING) for name in problem.names]
    silent = power == 0.0
    return np.where(silent, 0.0, np.asarray(rates)[kinds] / np.where(silent, 1.0, power))


def _adapted(
    problem: RegressionProblem, units: Array, gains: Array, pull: float, truth: VehicleParameters | None
) -> MotionHistory:
    from remora.plant.adaptive import adaptive_kernels

    record, packed, n = problem.records[0], pack(problem.vehicle), len(problem.records[0])
    free = np.array([float(axis in problem.axes) for axis in DEGREES_OF_FREEDOM])
    table, steps = _samples(problem, packed, free)
    base = np.ascontiguousarray(packed.row)

    def run(chosen: Array) -> tuple[int, Array, Array]:
        change, history, twists = np.zeros(len(chosen)), np.empty((n, len(chosen))), np.empty((n, 6))
        held = adaptive_kernels().twist(
            base, units, free, pull, chosen, change, table[0, :6].copy(), steps, table.ravel(),
            np.empty(6 * len(chosen)), np.empty(72), history, twists,
        )  # fmt: skip
        return held, history, twists

    held, history, twists = run(gains)
    if not _finite(history, twists):
        raise _runs_away(record.source, problem.intervals[0], not _finite(*run(0.0 * gains)[1:]))
    before = np.vstack([table[:1, :6], twists[:-1]])
    error = np.where((steps < 0.0)[:, None], 0.0, free * (before - table[:, :6]))
    start = values_of(problem.vehicle, problem.names)
    energy = None
    if truth is not None:
        known = np.vstack([start, start + history[:-1]]) - values_of(truth, problem.names)
        energy = _energy(truth, gains, error, known)
    return MotionHistory(record.time, twists, start + history, error, held, energy)


def _finite(history: Array, twists: Array) -> bool:
    return bool(np.all(np.isfinite(history)) and np.all(np.isfinite(twists)))


def _runs_away(source: str, interval: float, without_gains: bool) -> RecordError:
    """Error of an identifier that diverges; smaller gains do not help where it does so without adaptation."""
    if without_gains:
        message = f"drives the identifier to infinity, even without adaptation: steps of {interval:.3g} s are too long."
        sentence = "Bring it to a higher rate with {rate}."
    else:
        message = f"drives the identifier to infinity. Shorter steps than {interval:.3g} s help most."
        sentence = "Bring it to a higher rate with {rate}, or take smaller gains or rates."
    return RecordError(message, source, fix=resampling_fix(sentence, 0.25 * interval))


def _samples(problem: RegressionProblem, packed: PackedVehicle, free: Array) -> tuple[Array, Array]:
    """Samples for the kernel, and the step of each; negative at the start of a segment."""
    record, interval = problem.records[0], problem.intervals[0]
    table_of = sampled(record, problem.vehicle, differentiated(interval))
    table, steps = np.zeros((len(record), 21)), np.full(len(record), interval)
    for s in record.segments:
        part, motion = slice(s.start, s.stop), table_of.motion(s)
        measured = table_of.measured[part]
        table[part, :6] = measured
        if len(measured) > 1:
            table[part, 6:12] = (1.0 - free) * np.gradient(measured, interval, axis=0)
        table[part, 12:15] = np.column_stack(np.broadcast_arrays(*motion.down_B, motion.twist[0])[:3])
        table[part, 15:] = _applied(packed, motion)
        steps[s.start] = -interval
    return table, steps


def _applied(packed: PackedVehicle, motion: MotionSamples) -> Array:
    """All wrenches except those of the bare hull, which the fit may change."""
    whole = base_wrenches(packed, motion)
    bare = inverse_dynamics(hull_at(packed.row), motion.twist, ZERO6, motion.down_B)
    rest: Any = subtract6(subtract6(bare, whole.term), whole.effort)
    return np.column_stack([as_column(component, len(motion.twist[0])) for component in rest])


def _energy(truth: VehicleParameters, gains: Array, error: Array, away: Array) -> Array:
    columns: Any = tuple(error.T)
    inverse = np.where(gains > 0.0, 1.0 / np.where(gains > 0.0, gains, 1.0), 0.0)
    return np.asarray(twist_energy(total_inertia(truth), columns)) + 0.5 * (away**2) @ inverse


def _longest_period(record: Record, axes: Sequence[str], interval: float) -> float:
    return max(excitation_period(record.speed(axis), interval) for axis in axes)


def _described(
    problem: RegressionProblem,
    rows: Rows,
    vehicle: Vehicle,
    values: Array,
    settled: Settled,
    history: MotionHistory,
    pull: float,
    report: Report,
) -> Fit:
    record, factor = problem.records[0], triangle(rows, unit_weights(rows))
    hidden = identifiability.hidden_directions(factor, problem.names)
    forces = pull * history.error @ np.array(total_inertia(with_values(problem.vehicle, problem.names, values)))
    residuals = {axis: -forces[:, DEGREES_OF_FREEDOM.index(axis)] for axis in problem.axes}
    warnings = [
        *assumptions(problem.records[0], problem.vehicle),
        *(one.sentence for one in hidden),
        *settled.warnings(problem.names),
        SHARED_DAMPING,
    ]
    if history.held:
        warnings.append(f"Parameters were kept at {history.held} samples, where their inertia would not be positive.")
    return Fit(
        method=f"adaptive identifier, {report}",
        names=problem.names,
        units=units_of(problem.vehicle, problem.names),
        values=values,
        covariance=identifiability.unknown_where_hidden(settled.covariance, problem.names, hidden),
        degrees_of_freedom=settled.periods - 1.0,
        residuals=residuals,
        noise={axis: float(np.std(left)) for axis, left in residuals.items()},
        identifiability=identifiability.report(rows, factor, hidden),
        warnings=(*warnings, *negative_damping(problem.names, values)),
        base=vehicle,
        data=record.source,
        speeds=largest_speeds([record]),
    )
