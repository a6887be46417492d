"""Time constant of the thrusters behind an axis."""

import numpy as np

from remora.vehicles.checks.actuation import allocation_matrix
from remora.vehicles.parameters import VehicleParameters

SMALLEST_SHARE = 0.05  # of the largest lever, from which a thruster counts as acting in an axis


def thruster_lag(parameters: VehicleParameters, axis: int | None = None) -> float:
    """Largest time constant of the thrusters that act in an axis, by index, or of all, s."""
    rows = np.abs(allocation_matrix(parameters))
    acts = rows[axis] > SMALLEST_SHARE * rows[axis].max(initial=0.0) if axis is not None else rows.any(axis=0)
    lags = (max(thruster.rise_time, thruster.fall_time) for thruster in parameters.thrusters)
    return max((lag for lag, used in zip(lags, acts, strict=True) if used), default=0.0)
