"""Exchanged columns of a log: two thrusters, or two speeds, whose exchange greatly reduces the residual."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.parameter_names import ALL_THRUST, fitted_thrusters, linear_names
from remora.identification.parameters import values_of
from remora.identification.problems import RecordError
from remora.identification.regression.prefilter import filtered
from remora.identification.regression.problem import regression_problem, rows_of
from remora.identification.regression.rows import Rows, regression_block
from remora.identification.regression.solvers import residual, weighted_least_squares
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters

# Residual power relative to that of the thrust, in some axis, from which on columns are suspected; and the relative
# residual after an exchange below which it is reported.
_POOR, _MENDED = 0.05, 0.2
# Number of samples for the test.
_ENOUGH = 6000


class Exchange(NamedTuple):
    """Two columns, and the residual after their exchange relative to that before."""

    names: tuple[str, str]
    left: float


def exchanged_columns(
    records: Sequence[Record], vehicle: VehicleParameters, names: Sequence[str], axes: Sequence[str]
) -> Exchange | None:
    """Exchange of two columns that removes a large residual; None where the residual is small or none helps."""
    record = max(records, key=len).rows(0, _ENOUGH)
    if record.inputs is None or record.inputs.kind == "wrench" or len(vehicle.thrusters) < 2:
        return None
    known = [name for name in linear_names(names, vehicle) if not fitted_thrusters([name], vehicle)]
    try:
        now = _left_over(record, vehicle, known, axes)
        if max(now.values()) < _POOR:
            return None
        found = [
            Exchange(pair, sum(_left_over(other, vehicle, known, axes).values()) / sum(now.values()))
            for pair, other in _exchanges(record, vehicle, axes)
        ]
    except RecordError:  # too short for the window of a regression
        return None
    best = min(found, key=lambda one: one.left, default=None)
    return best if best and best.left < _MENDED else None


def exchange_warning(found: Exchange) -> str:
    """Warning with the columns."""
    one, other = found.names
    return (
        f"columns of {one} and {other} seem to be exchanged: the other way round, {1.0 - found.left:.0%} of what the "
        "equations leave over is explained. All numbers of this fit are wrong if so; correct the columns."
    )


def _exchanges(
    record: Record, vehicle: VehicleParameters, axes: Sequence[str]
) -> Iterator[tuple[tuple[str, str], Record]]:
    """The record with each pair of thrusters, and each pair of speeds of one unit, exchanged."""
    assert record.inputs is not None
    thrusters = [name for name in record.inputs.names if name in vehicle.thruster_names]
    for pair in combinations(thrusters, 2):
        places = [record.inputs.names.index(name) for name in pair]
        inputs = record.inputs._replace(values=_with_exchanged(record.inputs.values, places))
        yield pair, replace(record, inputs=inputs)
    for group in (DEGREES_OF_FREEDOM[:3], DEGREES_OF_FREEDOM[3:]):
        for pair in combinations([axis for axis in group if axis in axes], 2):
            places = [DEGREES_OF_FREEDOM.index(axis) for axis in pair]
            yield pair, replace(record, twist=_with_exchanged(record.twist, places))


def _with_exchanged(table: Array, places: Sequence[int]) -> Array:
    changed = table.copy()
    changed[:, list(places)] = table[:, list(places)[::-1]]
    return changed


def _left_over(
    record: Record, vehicle: VehicleParameters, names: Sequence[str], axes: Sequence[str]
) -> dict[str, float]:
    """Mean square of the residual in each axis relative to that of the thrust."""
    whole = ALL_THRUST
    problem = regression_problem((record,), vehicle, [*names, whole], axes, filtered, with_thrust=False)
    rows, share, last = rows_of(problem, 0), float(values_of(vehicle, [whole])[0]), len(names)
    kept, thrust = [], {}
    for one in rows.blocks:
        stay = one.active != last
        driven = share * one.matrix[:, ~stay]
        if driven.size and float(np.mean(driven**2)) > 0.0:
            thrust[one.axis] = float(np.mean(driven**2))
        kept.append(regression_block(one.axis, one.active[stay], one.matrix[:, stay], one.target))
    free: Rows = rows._replace(names=tuple(names), blocks=tuple(kept))
    change = weighted_least_squares(free, weighted=True)[0]
    left = {one.axis: float(np.mean(residual(one, change) ** 2)) for one in free.blocks if one.axis in thrust}
    return {axis: min(value / thrust[axis], 1.0) for axis, value in left.items()} or {"": 0.0}
