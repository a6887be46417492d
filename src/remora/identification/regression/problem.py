"""Regression problem: checked records, parameters by name, and the rows of the regression."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np

from remora.equations.actuators.laws.law import FORCE_OUTPUT
from remora.equations.actuators.laws.table import law_with
from remora.files.arrays import Array
from remora.files.units import RATIO
from remora.identification.data import checks
from remora.identification.data.record import Record
from remora.identification.parameter_names import (
    ALL_THRUST,
    asked_names,
    effectiveness_of,
    effectiveness_places,
    fitted_thrusters,
    repeated_name,
)
from remora.identification.parameters import values_of
from remora.identification.problems import RecordError
from remora.identification.regression.prefilter import Prefilter
from remora.identification.regression.regressor import as_column, motion_of, relative_twist, unit_wrenches
from remora.identification.regression.rows import Rows, outputs_at_stamps, regression_block, regression_rows
from remora.identification.regression.solvers import triangle, unit_weights
from remora.identification.result import Ambiguity
from remora.identification.sampling.resampling import uniform_interval
from remora.identification.uncertainty import identifiability
from remora.vehicles.checks.actuation import command_limits, input_dimension, output_dimension
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters

# Fewest rows per parameter.
_ROWS_PER_PARAMETER = 5
# Number of samples for the check of units and axes of a record.
_CHECKED = 60_000


class RegressionProblem(NamedTuple):
    """Records, vehicle, parameters and prefilters of a regression."""

    records: tuple[Record, ...]
    vehicle: VehicleParameters
    names: tuple[str, ...]
    axes: tuple[str, ...]
    prefilters: tuple[Prefilter, ...]
    intervals: tuple[float, ...]


def regression_problem(
    records: tuple[Record, ...],
    vehicle: VehicleParameters,
    parameters: Sequence[str] | None,
    axes: Sequence[str] | None,
    prefilter: Callable[[float], Prefilter],
    with_thrust: bool = True,
) -> RegressionProblem:
    """Checked regression problem, with or without a check of the thrust; each record has its own prefilter."""
    if not records:
        raise RecordError("no record is given.")
    used = used_axes(records, axes)
    names = _used_names(vehicle, parameters, used, records[0].source)
    intervals = tuple(uniform_interval(record) for record in records)
    prefilters = tuple(prefilter(interval) for interval in intervals)
    for record, made in zip(records, prefilters, strict=True):
        checks.check_record(record, used, made.window)
        checks.check_inputs(record, input_limits(vehicle, record))
    problem = RegressionProblem(records, vehicle, names, used, prefilters, intervals)
    for k in range(len(records) if with_thrust else 0):
        check_thrust(problem, k)
    return problem


def used_axes(records: Sequence[Record], axes: Sequence[str] | None) -> tuple[str, ...]:
    """The requested degrees of freedom, or all that every record measures."""
    shared = [axis for axis in DEGREES_OF_FREEDOM if all(axis in record.measured for record in records)]
    used = tuple(shared if axes is None else axes)
    if not used:
        raise RecordError("no degree of freedom was measured.", records[0].source)
    return used


def _used_names(
    vehicle: VehicleParameters, parameters: Sequence[str] | None, axes: Sequence[str], source: str
) -> tuple[str, ...]:
    names = asked_names(parameters, axes)
    values_of(vehicle, names)  # raises for an unknown name
    if twice := repeated_name(names):
        raise RecordError(f"{twice} is asked for twice.", source)
    return names


def input_limits(vehicle: VehicleParameters, record: Record) -> dict[str, checks.Limit]:
    """Limit of each actuator, of its command or output as recorded; only where known."""
    if record.inputs is None or record.inputs.kind == "wrench":
        return {}
    dimension = input_dimension if record.inputs.kind == "commands" else output_dimension
    names = (*vehicle.thruster_names, *vehicle.fin_names)
    sizes = np.abs(command_limits(vehicle)).max(axis=1, initial=0.0)
    found = {}
    for name, size in zip(names, sizes, strict=False):
        unit = dimension(vehicle, name)
        if unit == input_dimension(vehicle, name):  # a command map or a motor changes the quantity
            found[name] = checks.Limit(float(size), "" if unit == RATIO else unit.units[0])
    return found


def rows_of(
    problem: RegressionProblem,
    k: int,
    simulated: Array | None = None,
    record: Record | None = None,
    unbiased: bool = False,
) -> Rows:
    """Rows of record k, or of a record in its place."""
    return regression_rows(
        record or problem.records[k], problem.vehicle, problem.names, problem.axes, problem.prefilters[k],
        problem.intervals[k], simulated, unbiased,
    )  # fmt: skip


def joined_rows(several: Sequence[Rows]) -> Rows:
    """The rows of several records as one regression."""
    if len(several) == 1:
        return several[0]
    first = several[0]
    blocks = []
    for a, own in enumerate(first.blocks):
        active = np.unique(np.concatenate([rows.blocks[a].active for rows in several]))
        matrices = []
        for rows in several:
            part = rows.blocks[a]
            matrix = np.zeros((rows.number, len(active)))
            matrix[:, np.searchsorted(active, part.active)] = part.matrix
            matrices.append(matrix)
        target = np.concatenate([rows.blocks[a].target for rows in several])
        blocks.append(regression_block(own.axis, active, np.concatenate(matrices), target))
    number = sum(rows.number for rows in several)
    spacing, window = min(r.spacing for r in several), max(r.window for r in several)
    return Rows(first.names, tuple(blocks), number, spacing, window)


def check_thrust(problem: RegressionProblem, k: int) -> None:
    """Refuse thrust that does not match the motion: opposite direction, or one of the two in another unit."""
    vehicle, inputs = problem.vehicle, problem.records[k].inputs
    if not vehicle.thrusters or inputs is None or inputs.kind == "wrench":
        return
    whole, record = [ALL_THRUST], _middle_of(problem.records[k], problem.prefilters[k].shortest)
    rows = regression_rows(record, vehicle, whole, problem.axes, problem.prefilters[k], problem.intervals[k])
    share, source = values_of(vehicle, whole)[0], problem.records[k].source
    driven = {part.axis: -share * part.matrix[:, 0] for part in rows.blocks if part.matrix.shape[1]}
    targets = {part.axis: part.target for part in rows.blocks}
    parts = {axis: (applied - targets[axis], applied) for axis, applied in driven.items()}
    checks.check_scale_of_motion(parts, law_with(vehicle.thrust_law).output != FORCE_OUTPUT, source)
    if not vehicle.fins:  # fins drive the vehicle too
        checks.check_direction_of_thrust(parts, source)


def _middle_of(record: Record, shortest: int) -> Record:
    """The middle of a long record, sufficient to check units and axes; launch and recovery are at its ends."""
    start = (len(record) - _CHECKED) // 2
    part = record.rows(start, start + _CHECKED) if start > 0 else record
    return part if any(s.stop - s.start >= shortest for s in part.segments) else record


def check_counts(rows: Rows, source: str) -> None:
    """Refuse a regression with too few rows, or a degree of freedom without a parameter."""
    for part in rows.blocks:
        if rows.number < _ROWS_PER_PARAMETER * len(part.active):
            message = f"gives {rows.number} rows for {len(part.active)} parameters in {part.axis}"
            raise RecordError(f"{message}: it is too short. Record longer or fit fewer.", source)
        if len(part.active) == 0:
            raise RecordError(f"no parameter acts in {part.axis}. Leave it out of the axes.", source)


def with_scale_held(problem: RegressionProblem, rows: Rows) -> tuple[RegressionProblem, Rows, list[Ambiguity]]:
    """Hold the thrust effectiveness where the data do not fix its scale, for all thrusters or for those of some axes.

    Vertical thrusters, for example, may act in heave only: a known force in surge does not fix their scale.
    """
    thrusts = effectiveness_places(problem.names, problem.vehicle)
    if not thrusts or len(thrusts) == len(problem.names):
        return problem, rows, []
    found: dict[int, Ambiguity] = {}
    for axes in _axes_that_share_thrust(rows, thrusts):
        part = rows._replace(blocks=tuple(one for one in rows.blocks if one.axis in axes))
        own = [k for k in thrusts if any(k in one.active for one in part.blocks)]
        chosen = fitted_thrusters([problem.names[k] for k in own], problem.vehicle)
        if anchored_by_others(problem.records, problem.vehicle, chosen, axes):
            continue
        shares, factor = values_of(problem.vehicle, [problem.names[k] for k in own]), triangle(part, unit_weights(part))
        ambiguity = identifiability.thrust_scale(factor, problem.names, own, shares)
        found |= dict.fromkeys(own, ambiguity) if ambiguity else {}
    kept = [k for k in range(len(problem.names)) if k not in found]
    names = tuple(problem.names[k] for k in kept)
    blocks = []
    for one in rows.blocks if found else ():
        stay = np.isin(one.active, kept)
        active = np.searchsorted(kept, one.active[stay])
        blocks.append(regression_block(one.axis, active, one.matrix[:, stay], one.target))
    held = rows._replace(names=names, blocks=tuple(blocks)) if found else rows
    return problem._replace(names=names), held, list({id(one): one for one in found.values()}.values())


def _axes_that_share_thrust(rows: Rows, thrusts: Sequence[int]) -> list[set[str]]:
    """Groups of axes that share no thrust effectiveness; axes without any are omitted."""
    groups: list[tuple[set[str], set[int]]] = []
    for one in rows.blocks:
        axes, shares = {one.axis}, set(one.active.tolist()) & set(thrusts)
        for other in [group for group in groups if group[1] & shares]:
            groups.remove(other)
            axes, shares = axes | other[0], shares | other[1]
        if shares:
            groups.append((axes, shares))
    return [axes for axes, _ in groups]


# Known thrust fixes the scale where its RMS is at least this share of that of the fitted thrusters.
_ENOUGH = 0.1


def anchored_by_others(
    records: Sequence[Record], vehicle: VehicleParameters, fitted: Collection[int], axes: Collection[str]
) -> bool:
    """Whether thrusters that are not fitted act in these axes as well."""
    places = [DEGREES_OF_FREEDOM.index(axis) for axis in axes]
    own, others = np.zeros(len(places)), np.zeros(len(places))
    for record in records:
        powers = _powers(record, vehicle)[:, places]
        own += powers[list(fitted)].sum(axis=0)
        others += powers[[i for i in range(len(powers)) if i not in fitted]].sum(axis=0)
    return bool(np.any((own > 0.0) & (others > _ENOUGH**2 * own)))


def _powers(record: Record, vehicle: VehicleParameters) -> np.ndarray:
    """Sum of squared thrust of each thruster in each degree of freedom [thruster, axis]."""
    outputs, external = outputs_at_stamps(record, vehicle)
    twist = relative_twist(record.twist, record.quaternion, record.water)
    motion = motion_of(twist, record.quaternion, outputs, external)
    names = [effectiveness_of(name) for name in vehicle.thruster_names]
    efforts = [unit_wrenches(name, vehicle, motion).effort for name in names]
    return np.array([[np.nansum(as_column(part, len(record)) ** 2) for part in effort] for effort in efforts])
