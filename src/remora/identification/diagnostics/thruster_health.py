"""Thruster health: effectiveness of single thrusters that explains the residuals of a fit.

A thruster with 90 % of its thrust hardly shows in the residuals, but changes inertia and damping by several half widths
of their intervals. Each such hypothesis of slightly weaker or one-sided thrust is therefore tested as an additional
column of the regression, with instrumental variables: the share has a standard error, and its effect on the other
parameters is known.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from remora.files.arrays import Array
from remora.files.problems import listed
from remora.identification.data.record import Record
from remora.identification.parameter_names import effectiveness_of, fitted_thrusters, linear_names
from remora.identification.parameters import values_of
from remora.identification.problems import RecordError
from remora.identification.regression.noisy_regressors import allowed_misses, simulated_rows
from remora.identification.regression.prefilter import filtered
from remora.identification.regression.problem import RegressionProblem, joined_rows, regression_problem, rows_of
from remora.identification.regression.rows import Rows, regression_block
from remora.identification.regression.solvers import (
    Weights,
    instrumental_variables,
    least_squares,
    residual,
    triangle,
    uncertainty,
    weighted_least_squares,
)
from remora.plant.failures import RunError
from remora.vehicles.parameters import VehicleParameters

# A share is reported below this probability under the null hypothesis, for all hypotheses together, if it changes a
# parameter by more than this many half widths of its interval and differs from one by at least this much.
_CHANCE, _MATTERS, _OFF_STEADY = 1e-4, 0.5, 0.005
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
    known = linear_names(names, vehicle)
    taken = fitted_thrusters(known, vehicle)
    free = [own for i, own in enumerate(vehicle.thruster_names) if i not in taken]
    if len(free) < 2:
        return None
    shares = {way: [effectiveness_of(own, way) for own in free] for way in ("", "reverse")}
    try:
        free_names = [*known, *shares[""], *shares["reverse"]]
        problem = regression_problem(tuple(records), vehicle, free_names, axes, filtered, with_thrust=False)
        alone = [name for name, own in zip(shares[""], free, strict=True) if own not in inseparable]
        hypotheses = {**{name: [name] for name in alone}, REVERSE: shares["reverse"]}
        found = _tested(problem, known, hypotheses, shares[""])
    except (RecordError, RunError):  # too short for the window of a regression, or a diverging model
        return None
    sure = [one for one in found if one.probability * len(found) < _CHANCE and abs(one.share - 1.0) > _OFF_STEADY]
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


# A share of thrust is reported with this difference from one, this significance in sigmas, and these explained shares
# of the residual variance, in all axes or in one.
_OFF, _SURE, _EXPLAINS, _EXPLAINS_AXIS = 0.2, 4.0, 0.4, 0.8
_MOST = 3
# A vanishing residual means that all thrusters of an axis are free, with zero thrust and inertia as the best fit.
_ALL = 1.0 - 1e-9
_HORIZONTAL = ("surge", "sway", "yaw")
# Largest relative distance between the columns of two thrusters that are inseparable.
_ALIKE = 1e-3


class Share(NamedTuple):
    """Share of its modelled thrust that a thruster delivers."""

    thruster: str
    value: float
    sigma: float


class ThrusterFindings(NamedTuple):
    """Findings about thrusters."""

    deviating: list[str]  # sentences on thrusters whose thrust is not that of the model
    inseparable: list[str]  # sentences on thrusters that act in one ratio
    explained: float = 0.0  # share of the variance in surge and sway explained by weaker reverse thrust


def thruster_findings(
    records: Sequence[Record], vehicle: VehicleParameters, names: Sequence[str], axes: Sequence[str]
) -> ThrusterFindings:
    """Thrusters with deviating thrust, and inseparable ones.

    The records are at one rate; linear parameters among the names are free, so that their errors are not attributed to
    thrusters.
    """
    rows = _rows(records, vehicle, names, axes)
    if rows is None:
        return ThrusterFindings([], [])
    groups = _inseparable(rows, vehicle)
    shares, together = _weak(rows, vehicle, groups), [_group_warning(group) for group in groups]
    alike = [name for group in groups for name in group]
    tested = likeliest_share(records, vehicle, names, axes, alike) if len(shares) < 2 else None
    if tested and (tested.name == REVERSE or not shares):
        plane = [left for axis, left in tested.left.items() if axis in ("surge", "sway")]
        explained = 1.0 - float(np.mean(plane)) if plane and tested.name == REVERSE else 0.0
        return ThrusterFindings([share_warning(tested)], together, explained)
    return ThrusterFindings([_share_warning(share) for share in shares], together)


def constant_force_notes(
    records: Sequence[Record], vehicle: VehicleParameters, names: Sequence[str], axes: Sequence[str]
) -> list[str]:
    """A sentence on axes whose residuals a constant force explains; the arguments are those of `thruster_findings`."""
    rows = _rows(records, vehicle, names, axes)
    if rows is None:
        return []
    own = [name for name in names if name in rows.names]
    whole, constants = _with_constants(rows)
    plain, trial = _only(whole, own), _only(whole, [*own, *constants])
    left, weights = weighted_least_squares(plain, weighted=True)
    after = least_squares(triangle(trial, weights))
    found = [
        one.axis
        for one, other in zip(plain.blocks, trial.blocks, strict=True)
        if np.sum(residual(other, after) ** 2) < (1.0 - _EXPLAINS_AXIS) * np.sum(residual(one, left) ** 2)
    ]
    if not found:
        return []
    return [
        f"A constant force explains more than {_EXPLAINS_AXIS:.0%} of what the model leaves over in {listed(found)}: a "
        "current at a steady heading, a tether or a wrong trim. Without a recorded current, water at rest is simulated."
    ]


def _rows(
    records: Sequence[Record], vehicle: VehicleParameters, names: Sequence[str], axes: Sequence[str]
) -> Rows | None:
    """Rows for these parameters and the effectiveness of each other thruster."""
    if any(record.inputs is None or record.inputs.kind == "wrench" for record in records):
        return None
    known = linear_names(names, vehicle)
    taken = fitted_thrusters(known, vehicle)
    shares = [effectiveness_of(own) for i, own in enumerate(vehicle.thruster_names) if i not in taken]
    if len(shares) < 2:
        return None
    try:
        problem = regression_problem(tuple(records), vehicle, [*known, *shares], axes, filtered, with_thrust=False)
        return joined_rows([rows_of(problem, k) for k in range(len(records))])
    except RecordError:  # too short for the window of a regression
        return None


def _weak(rows: Rows, vehicle: VehicleParameters, inseparable: Sequence[Sequence[str]]) -> list[Share]:
    """Deviating thrusters by stepwise selection.

    Inseparable thrusters are left out: a free one among them fits the data with no thrust and no inertia at all.
    """
    alone = [name for name in vehicle.thruster_names if not any(name in group for group in inseparable)]
    own = {effectiveness_of(name): name for name in alone if effectiveness_of(name) in rows.names}
    shares = {effectiveness_of(name) for name in vehicle.thruster_names}
    free = [name for name in rows.names if name not in shares]
    rows, constants = _with_constants(rows)
    free += constants
    found: list[Share] = []
    while len(found) < _MOST:
        before, weights = weighted_least_squares(_only(rows, free), weighted=True)
        costs = {name: _cost(_only(rows, [*free, name]), weights) for name in own if name not in free}
        if not costs:
            break
        best = min(costs, key=lambda name: costs[name])
        trial, plain = _only(rows, [*free, best]), _only(rows, [name for name in free if name not in constants])
        gained = _sum_of_squares(_only(rows, free), weights, before) - costs[best]
        whole = gained / max(_cost(plain, weights), 1e-300)
        after, without = least_squares(triangle(trial, weights)), least_squares(triangle(plain, weights))
        in_axis = _explained(_only(rows, free), before, trial, after, plain, without)
        if in_axis >= _ALL or (whole < _EXPLAINS and in_axis < _EXPLAINS_AXIS):
            break
        share = _share(trial, vehicle, own[best])
        if abs(share.value - 1.0) < max(_OFF, _SURE * share.sigma):
            break
        found, free = [*found, share], [*free, best]
    return found


def _with_constants(rows: Rows) -> tuple[Rows, list[str]]:
    """Rows with a constant force in each horizontal axis, and their names: a current or a tether at a steady heading.

    A thruster at a steady command is inseparable from it and must not be blamed.
    """
    axes = [one.axis for one in rows.blocks if one.axis in _HORIZONTAL]
    names, first = [f"constant force in {axis}" for axis in axes], len(rows.names)
    blocks = tuple(
        one
        if one.axis not in axes
        else regression_block(
            one.axis,
            np.append(one.active, first + axes.index(one.axis)),
            np.column_stack([one.matrix, np.full(len(one.target), np.abs(one.target).max(initial=1e-300))]),
            one.target,
        )
        for one in rows.blocks
    )
    return rows._replace(names=(*rows.names, *names), blocks=blocks), names


def _share(rows: Rows, vehicle: VehicleParameters, thruster: str) -> Share:
    """Share of the modelled thrust of a thruster, and its standard deviation."""
    change, weights = weighted_least_squares(rows, weighted=True)
    name = effectiveness_of(thruster)
    k, given = rows.names.index(name), float(values_of(vehicle, [name])[0]) or 1.0
    sigma = float(np.sqrt(uncertainty(rows, rows, weights, change).covariance[k, k]))
    return Share(thruster, 1.0 + float(change[k]) / given, sigma / given)


def _only(rows: Rows, names: Sequence[str]) -> Rows:
    """The same rows with some of the parameters."""
    kept = [rows.names.index(name) for name in names]
    blocks = []
    for one in rows.blocks:
        stay = [k for k in kept if k in one.active]
        columns = np.searchsorted(one.active, stay)
        blocks.append(
            regression_block(one.axis, np.array([kept.index(k) for k in stay]), one.matrix[:, columns], one.target)
        )
    return rows._replace(names=tuple(names), blocks=tuple(blocks))


def _explained(rows: Rows, before: Array, trial: Rows, after: Array, plain: Rows, without: Array) -> float:
    """Largest share of the residual variance without constant forces, over the axes, that a trial explains.

    `before` and `after` are the best parameters of `rows` and of `trial`, which has one thruster more; `plain` and
    `without` are both without constant forces.
    """
    old, new, whole = (
        np.array([np.sum(residual(one, change) ** 2) for one in some.blocks])
        for some, change in ((rows, before), (trial, after), (plain, without))
    )
    return float(np.max((old - new) / np.maximum(whole, 1e-300)))


def _cost(rows: Rows, weights: Weights) -> float:
    return _sum_of_squares(rows, weights, least_squares(triangle(rows, weights)))


def _sum_of_squares(rows: Rows, weights: Weights, change: Array) -> float:
    parts = zip(rows.blocks, weights.per_block, strict=True)
    return float(sum(weight**2 * np.sum(residual(one, change) ** 2) for one, weight in parts))


def _share_warning(share: Share) -> str:
    name, found = share.thruster, f"{100.0 * share.value:.0f} % +- {100.0 * share.sigma:.1g} %"
    if share.value < -_OFF:
        return (
            f"thruster {name} pushes against its command, with about {found} (one sigma) of its modelled thrust: it is "
            f"mounted or wired the other way. Turn the direction of {name} round in the vehicle file (all three "
            "signs), or change the sign of its column; numbers of the axes in which it acts are wrong without."
        )
    return (
        f"thruster {name} gives about {found} (one sigma) of its modelled thrust: it fails, its column is that of "
        f"another, or its data are wrong. Fit {effectiveness_of(name)} too; numbers of the axes in which it acts are "
        "wrong without."
    )


def _inseparable(rows: Rows, vehicle: VehicleParameters) -> list[list[str]]:
    """Thrusters with a constant ratio, of which only the sum is identifiable."""
    groups: list[list[str]] = []
    effects = {
        name: _effect(rows, effectiveness_of(name))
        for name in vehicle.thruster_names
        if effectiveness_of(name) in rows.names
    }
    for name, effect in effects.items():
        size = float(np.linalg.norm(effect))
        near = (group for group in groups if size and _apart(effect, effects[group[0]]) < _ALIKE * size)
        group = next(near, None)
        if group:
            group.append(name)
        elif size:
            groups.append([name])
    return [group for group in groups if len(group) > 1]


def _group_warning(group: Sequence[str]) -> str:
    return (
        f"thrusters {listed(group)} always act in one ratio: the data show their sum only. One of them that fails "
        "looks like more inertia and more damping; test them one by one."
    )


def _effect(rows: Rows, name: str) -> Array:
    """Column of a parameter over all blocks."""
    k, columns = rows.names.index(name), []
    for one in rows.blocks:
        place = np.flatnonzero(one.active == k)
        columns.append(one.matrix[:, place[0]] if len(place) else np.zeros(rows.number))
    return np.concatenate(columns)


def _apart(one: Array, other: Array) -> float:
    """Relative distance of a column from its projection onto another."""
    return float(np.linalg.norm(one - other * (one @ other) / (other @ other)))
