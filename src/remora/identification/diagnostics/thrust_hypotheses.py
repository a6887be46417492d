"""Hypotheses of slightly weaker or one-sided thrust, each tested as an additional column of the regression.

A thruster with 90 % of its thrust hardly shows in the residuals, but changes inertia and damping by several half widths
of their intervals. With its effectiveness as a parameter, and instrumental variables, it has a standard error, and its
effect on the other parameters is known.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.parameters import is_linear, thruster_choice, values_of
from remora.identification.problems import RecordError
from remora.identification.regression.noisy_regressors import allowed_misses, simulated_rows
from remora.identification.regression.prefilter import filtered
from remora.identification.regression.problem import RegressionProblem, joined_rows, regression_problem, rows_of
from remora.identification.regression.rows import Rows, regression_block
from remora.identification.regression.solvers import (
    instrumental_variables,
    residual,
    uncertainty,
    weighted_least_squares,
)
from remora.plant.failures import RunError
from remora.vehicles.parameters import VehicleParameters

# A share is reported below this probability under the null hypothesis, for all hypotheses together, if it changes a
# parameter by more than this many half widths of its interval and differs from one by at least this much.
_CHANCE, _MATTERS, _OFF = 1e-4, 0.5, 0.005
_SAME = 1e-3  # relative difference below which thrust is a fixed share of the whole
REVERSE = "thrusters.*.effectiveness.reverse"


class Tested(NamedTuple):
    """Test of a share of thrust in addition to the parameters of a fit."""

    name: str  # of the parameter, or the pattern of several
    share: float
    sigma: float
    probability: float  # of a share this far from one by chance
    moved: str  # the parameter most affected
    times: float  # its change in half widths of its interval
    left: dict[str, float]  # axis -> mean square of the residual relative to that without the share


def likeliest_share(
    records: Sequence[Record],
    vehicle: VehicleParameters,
    names: Sequence[str],
    axes: Sequence[str],
    inseparable: Collection[str] = (),
) -> Tested | None:
    """Most likely share of one thruster, or of all in reverse, with a significant effect on the fit; else None.

    The records are at one rate and the vehicle is the fitted one; linear parameters among the names are free. Thrusters
    that are inseparable from others are not tested alone.
    """
    if any(record.inputs is None or record.inputs.kind == "wrench" for record in records):
        return None
    known = [name for name in names if is_linear(name, vehicle)]
    taken = {i for name in known for i in (thruster_choice(name, vehicle) or ((), ()))[0]}
    free = [own for i, own in enumerate(vehicle.thruster_names) if i not in taken]
    if len(free) < 2:
        return None
    shares = {way: [f"thrusters.{own}.effectiveness{way}" for own in free] for way in ("", ".reverse")}
    try:
        free_names = [*known, *shares[""], *shares[".reverse"]]
        problem = regression_problem(tuple(records), vehicle, free_names, axes, filtered, with_thrust=False)
        alone = [name for name, own in zip(shares[""], free, strict=True) if own not in inseparable]
        hypotheses = {**{name: [name] for name in alone}, REVERSE: shares[".reverse"]}
        found = _tested(problem, known, hypotheses, shares[""])
    except (RecordError, RunError):  # too short for the window of a regression, or a diverging model
        return None
    sure = [one for one in found if one.probability * len(found) < _CHANCE and abs(one.share - 1.0) > _OFF]
    return min(sure, key=lambda one: sum(one.left.values()), default=None)


def share_warning(found: Tested) -> str:
    """Warning with the share, its effect on the fit and the fix."""
    size = f"{100.0 * found.share:.3g} % +- {100.0 * found.sigma:.1g} % (one sigma)"
    if found.name == REVERSE:
        what = f"thrust in reverse is {size} of the modelled one, which explains the data better than"
        what = f"{what} a weak thruster, a current or a constant force"
    else:
        what = f"thruster {found.name.split('.')[1]} gives {size} of its modelled thrust"
    return (
        f"{what}: it moves {found.moved} by {found.times:.2g} times the half width of its interval, so the intervals "
        f"cannot be trusted. Fit {found.name} too."
    )


def _tested(
    problem: RegressionProblem, known: Sequence[str], hypotheses: dict[str, list[str]], thrust: Sequence[str]
) -> list[Tested]:
    """Tests of all hypotheses with an effect on a parameter, given the names of the shares of all thrusters."""
    numbers = range(len(problem.records))
    rows = joined_rows([rows_of(problem, k, unbiased=True) for k in numbers])
    instruments = joined_rows(
        [simulated_rows(problem, k, problem.vehicle, allowed_misses(problem, k)) for k in numbers]
    )
    plain = [_with_sum(part, known, [], problem.vehicle) for part in (rows, instruments)]
    weights = weighted_least_squares(plain[0], weighted=True)[1]
    change = instrumental_variables(plain[0], plain[1], weights)
    widths = uncertainty(plain[0], plain[1], weights, change).half_widths
    before, found = _mean_squares(plain[0], change), []
    for name, columns in hypotheses.items():
        if _is_scale(rows, columns, thrust, problem.vehicle):
            continue
        pair = [_with_sum(part, known, columns, problem.vehicle) for part in (rows, instruments)]
        with_share = instrumental_variables(pair[0], pair[1], weights)
        moved = np.abs(with_share[:-1] - change) / np.maximum(widths, 1e-300)
        most = int(np.argmax(moved))
        if moved[most] < _MATTERS:
            continue
        spread = uncertainty(pair[0], pair[1], weights, with_share)
        sigma = float(np.sqrt(spread.covariance[-1, -1]))
        chance = float(2.0 * stats.t.sf(abs(with_share[-1]) / max(sigma, 1e-300), spread.degrees_of_freedom[-1]))
        after = _mean_squares(pair[0], with_share)
        left = {axis: after[axis] / max(before[axis], 1e-300) for axis in after}
        found.append(Tested(name, 1.0 + float(with_share[-1]), sigma, chance, known[most], float(moved[most]), left))
    return found


def _is_scale(rows: Rows, columns: Sequence[str], thrust: Sequence[str], vehicle: VehicleParameters) -> bool:
    """Whether some thrust is a fixed share of the whole: without any thrust no inertia and no drag explain all data."""
    apart = whole = 0.0
    for own, total in zip(
        _with_sum(rows, [], columns, vehicle).blocks, _with_sum(rows, [], thrust, vehicle).blocks, strict=True
    ):
        if own.matrix.shape[1] and total.matrix.shape[1]:
            part, every = own.matrix[:, 0], total.matrix[:, 0]
            apart += float(np.sum((part - every * float(part @ every) / max(float(every @ every), 1e-300)) ** 2))
            whole += float(part @ part)
    return apart < _SAME**2 * whole


def _with_sum(rows: Rows, known: Sequence[str], columns: Sequence[str], vehicle: VehicleParameters) -> Rows:
    """Rows of some parameters and, where given, of shares that change by a common factor."""
    places, blocks = [rows.names.index(name) for name in known], []
    given = values_of(vehicle, columns)
    for one in rows.blocks:
        stay = [k for k in places if k in one.active]
        matrix, active = one.matrix[:, np.searchsorted(one.active, stay)], [places.index(k) for k in stay]
        own = [(rows.names.index(name), share) for name, share in zip(columns, given, strict=True)]
        parts = [share * one.matrix[:, np.searchsorted(one.active, k)] for k, share in own if k in one.active]
        if parts:
            matrix, active = np.column_stack([matrix, np.sum(parts, axis=0)]), [*active, len(known)]
        blocks.append(regression_block(one.axis, np.array(active, dtype=np.int64), matrix, one.target))
    names = (*known, "share") if columns else tuple(known)
    return rows._replace(names=names, blocks=tuple(blocks))


def _mean_squares(rows: Rows, change: Array) -> dict[str, float]:
    return {one.axis: float(np.mean(residual(one, change) ** 2)) for one in rows.blocks}
