"""Steady current in a log of speeds over ground, from the residuals of a fit under changing heading."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.parameter_names import CURRENT, linear_names
from remora.identification.problems import RecordError
from remora.identification.regression.prefilter import filtered
from remora.identification.regression.problem import RegressionProblem, joined_rows, regression_problem, rows_of
from remora.identification.regression.rows import Rows
from remora.identification.regression.solvers import Weights, least_squares, residual, triangle, weighted_least_squares
from remora.identification.replay import with_current
from remora.vehicles.parameters import VehicleParameters

_AXES = ("surge", "sway")
# Smallest spread of the heading, rad: with less, a current is inseparable from a body-fixed force.
_TURNED = 0.2
# Smallest reported speed, m/s, significance in sigmas, and explained share of the residual variance.
_SLOWEST, _SURE, _EXPLAINS = 0.02, 4.0, 0.4
_STEP = 0.01  # m/s, of finite differences
_ROUNDS = 4
_PROMISES = 0.2  # explained share of the variance in a step below which the search ends


class Flow(NamedTuple):
    """A steady current and its explained share of the variance."""

    north: float
    east: float
    sigma: float  # of its speed
    explained: float  # share of the residual variance of surge and sway


def current_findings(
    records: Sequence[Record],
    vehicle: VehicleParameters,
    names: Sequence[str],
    axes: Sequence[str],
    otherwise: float = 0.0,
) -> list[str]:
    """Warning about a current that explains the residuals of surge and sway; empty where none does.

    The records are at one rate; linear parameters among the names are free. A current must explain more than
    `otherwise`, the share of the variance with another explanation.
    """
    asked = set(CURRENT[:2]) & set(names)
    if asked or not set(_AXES) <= set(axes) or not all(_shows_current(record) for record in records):
        return []
    try:
        flow = steady_current(records, vehicle, names)
    except RecordError:  # too short for the window of a regression
        return []
    speed = float(np.hypot(flow.north, flow.east))
    if flow.explained < max(_EXPLAINS, otherwise) or speed < max(_SLOWEST, _SURE * flow.sigma):
        return []
    return [
        f"a steady current of {flow.north:.2g} m/s north and {flow.east:.2g} m/s east explains {flow.explained:.0%} of "
        f"the variance that surge and sway leave over: the speeds seem to be over ground. Fit {CURRENT[0]} and "
        f"{CURRENT[1]} too, by output error; damping is wrong without."
    ]


def _shows_current(record: Record) -> bool:
    """Whether the heading is known and changes, and the current is unknown."""
    if record.quaternion is None or record.water is not None:
        return False
    heading = np.unwrap(to_euler_zyx(tuple(record.quaternion.T))[2])
    return bool(np.std(heading) > _TURNED)


def steady_current(records: Sequence[Record], vehicle: VehicleParameters, names: Sequence[str]) -> Flow:
    """Current with the least residual of surge and sway, fitted with all linear parameters.

    Gauss-Newton over north and east, with the linear parameters eliminated at each step. It ends early where the first
    step explains little.
    """
    linear = linear_names(names, vehicle)
    problem = regression_problem(tuple(records), vehicle, linear, _AXES, filtered, with_thrust=False)
    flow, rows = np.zeros(2), _rows(problem, np.zeros(2))
    weights = weighted_least_squares(rows, weighted=True)[1]
    first = left = _left_over(rows, weights)
    for _ in range(_ROUNDS):
        slopes = np.column_stack([
            (_left_over(_rows(problem, flow + step), weights) - left) / _STEP for step in _STEP * np.eye(2)
        ])  # fmt: skip
        change = -np.linalg.lstsq(slopes, left, rcond=None)[0]
        if _share_explained(first, left + slopes @ change) < _PROMISES:
            return Flow(0.0, 0.0, np.inf, 0.0)
        flow = flow + change
        rows = _rows(problem, flow)
        left = _left_over(rows, weights)
    spread = float(np.mean(left**2)) * rows.window / rows.spacing  # overlapping rows are not independent
    sigma = float(np.sqrt(spread * np.trace(np.linalg.pinv(slopes.T @ slopes))))
    return Flow(float(flow[0]), float(flow[1]), sigma, _share_explained(first, left))


def _share_explained(before: Array, after: Array) -> float:
    return 1.0 - float(after @ after) / max(float(before @ before), 1e-300)


def _rows(problem: RegressionProblem, flow: Array) -> Rows:
    flowing = problem._replace(records=tuple(with_current(record, [*flow, 0.0]) for record in problem.records))
    return joined_rows([rows_of(flowing, k) for k in range(len(problem.records))])


def _left_over(rows: Rows, weights: Weights) -> Array:
    """Weighted residual of the best linear parameters."""
    change = least_squares(triangle(rows, weights))
    parts = zip(rows.blocks, weights.per_block, strict=True)
    return np.concatenate([weight * residual(one, change) for one, weight in parts])
