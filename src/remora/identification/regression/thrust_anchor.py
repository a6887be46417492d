"""Thrusters with known thrust, which fix the scale of inertia, damping and fitted thrust."""

from collections.abc import Collection, Sequence

import numpy as np

from remora.identification.data.record import Record
from remora.identification.regression.regressor import as_column, motion_of, relative_twist, unit_wrenches
from remora.identification.regression.rows import outputs_at_stamps
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters

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
    names = [f"thrusters.{name}.effectiveness" for name in vehicle.thruster_names]
    efforts = [unit_wrenches(name, vehicle, motion).effort for name in names]
    return np.array([[np.nansum(as_column(part, len(record)) ** 2) for part in effort] for effort in efforts])
