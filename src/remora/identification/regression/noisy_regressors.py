"""Estimators for noisy regressors: instrumental variables and total least squares."""

from collections.abc import Mapping

import numpy as np

from remora.files.arrays import Array
from remora.files.problems import Fix
from remora.identification.data.record import Record
from remora.identification.parameters import values_of, with_values
from remora.identification.problems import RecordError
from remora.identification.regression.constraints import InfeasibleError, constrained_least_squares
from remora.identification.regression.problem import RegressionProblem, joined_rows, rows_of
from remora.identification.regression.regressor import relative_twist
from remora.identification.regression.rows import Rows, noise_of
from remora.identification.regression.solvers import Weights, instrumental_variables, total_least_squares, triangle
from remora.identification.replay import Replay, replay
from remora.plant.failures import RunError
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters

_REFINEMENTS = 3
# Restart intervals of simulated instruments, s: long enough to forget the noise of the initial state. A vehicle that is
# unstable without its controller diverges from the recorded motion; shorter intervals are then tried.
_INSTRUMENT_STRETCHES = (20.0, 10.0, 5.0, 2.5)
# Largest error of a simulation that follows the record, as a share of the motion and in multiples of the noise.
_FOLLOWS, _NOISES = 0.5, 3.0
_DRAWS = 8


def instrumental(
    problem: RegressionProblem, rows: Rows, weights: Weights, change: Array
) -> tuple[Array, Rows, list[str]]:
    """Iterated instrumental variables from simulations with the present fit."""
    instruments, allowed = rows, [allowed_misses(problem, k) for k in range(len(problem.records))]
    for _ in range(_REFINEMENTS):
        try:
            model = _possible_model(problem, rows, weights, change)
            instruments = joined_rows([simulated_rows(problem, k, model, most) for k, most in enumerate(allowed)])
        except RunError as error:
            sentence = (
                f"The vehicle of the first fit runs away under the recorded inputs ({error}): a force of the model is "
                "wrong or missing, and noise in the speeds may bias the numbers."
            )
            return change, instruments, [sentence]
        change = instrumental_variables(rows, instruments, weights)
    return change, instruments, []


def _possible_model(problem: RegressionProblem, rows: Rows, weights: Weights, change: Array) -> VehicleParameters:
    """Physically consistent vehicle nearest to a fit."""
    try:
        possible = constrained_least_squares(around(rows, weights, change), problem.vehicle, problem.names).change
    except InfeasibleError as error:
        raise cannot_hold(problem, error) from None
    return with_values(problem.vehicle, problem.names, values_of(problem.vehicle, problem.names) + possible)


def cannot_hold(problem: RegressionProblem, error: InfeasibleError) -> RecordError:
    """Error of constraints that the parameters which are not fitted make infeasible."""
    sentence = "Fit these too, correct them in the vehicle file, or give {constrained}."
    fix = Fix(sentence, {"constrained": "False"}, {"constrained": "`constrained=False`"})
    return RecordError(f"{error}.", problem.records[0].source, fix=fix)


def simulated_rows(problem: RegressionProblem, k: int, model: VehicleParameters, allowed: Mapping[str, float]) -> Rows:
    """Rows of a record with simulated instead of measured motion."""
    record = problem.records[k]
    found = _following_replay(record, model, allowed)
    simulated = np.column_stack([found.twist, found.quaternion])
    lost = np.asarray(np.isnan(simulated).any(axis=1))  # single samples at the end of a segment
    measured = np.column_stack([np.nan_to_num(record.twist), _attitude(record)])
    return rows_of(problem, k, np.where(lost[:, None], measured, simulated))


def allowed_misses(problem: RegressionProblem, k: int) -> dict[str, float]:
    """Largest RMS error of each speed of a simulation that follows the record."""
    record = problem.records[k]
    noise = noise_of(relative_twist(record.twist, record.quaternion, record.water), record.segments)
    return {
        axis: _FOLLOWS * float(np.sqrt(np.nanmean(record.speed(axis) ** 2))) + _NOISES * noise[i]
        for i, axis in enumerate(DEGREES_OF_FREEDOM)
        if axis in record.measured
    }


def _following_replay(record: Record, model: VehicleParameters, allowed: Mapping[str, float]) -> Replay:
    """Replay with the longest restart interval at which it follows the record; with the shortest if it never does."""
    for stretch in _INSTRUMENT_STRETCHES:
        try:
            found = replay(record, model, restart=stretch)
        except RunError:
            if stretch == _INSTRUMENT_STRETCHES[-1]:
                raise
            continue
        if all(found.scores[axis].rmse <= most for axis, most in allowed.items() if axis in found.scores):
            break
    return found


def around(rows: Rows, weights: Weights, change: Array) -> Array:
    """Triangular factor of the data with its minimum moved to a solution: the metric of the data."""
    factor = triangle(rows, weights)
    factor[:, -1] = factor[:, :-1] @ change
    return factor


def _attitude(record: Record) -> Array:
    level = np.tile((1.0, 0.0, 0.0, 0.0), (len(record), 1))
    return level if record.quaternion is None else record.quaternion


def total(
    problem: RegressionProblem,
    rows: Rows,
    weights: Weights,
    noise: Mapping[str, float] | None,
    generator: np.random.Generator | None,
) -> Array:
    """Total least squares; the errors of the columns come from records with added noise."""
    missing = [axis for axis in problem.axes if axis not in (noise or {})]
    if missing or noise is None:
        raise RecordError(f"total least squares needs the noise of {', '.join(missing)}.", problem.records[0].source)
    draw = np.random.default_rng(0) if generator is None else generator
    errors = np.zeros((len(problem.names) + 1,) * 2)
    sigma = np.array([noise.get(axis, 0.0) for axis in DEGREES_OF_FREEDOM])
    for _ in range(_DRAWS):
        noisy = [
            rows_of(
                problem,
                k,
                record=r.with_note("Noise added.", twist=r.twist + sigma * draw.standard_normal(r.twist.shape)),
            )
            for k, r in enumerate(problem.records)
        ]
        errors += _difference(joined_rows(noisy), rows, weights) / _DRAWS
    return total_least_squares(triangle(rows, weights), errors)


def _difference(noisy: Rows, rows: Rows, weights: Weights) -> Array:
    k = len(rows.names)
    total = np.zeros((k + 1, k + 1))
    for one, other, weight in zip(noisy.blocks, rows.blocks, weights.per_block, strict=True):
        places = np.append(one.active, k)
        error = np.column_stack([one.matrix - other.matrix, one.target - other.target]) * weight
        total[np.ix_(places, places)] += error.T @ error
    return total
