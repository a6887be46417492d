"""Time constant of the thrusters behind an axis, and the delay of their drives."""

import numpy as np

from remora.vehicles.checks.actuation import allocation_matrix
from remora.vehicles.parameters import VehicleParameters

SMALLEST_SHARE = 0.05  # of the largest lever, from which a thruster counts as acting in an axis


def thruster_lag(parameters: VehicleParameters, axis: int | None = None) -> float:
    """Largest time constant of the thrusters that act in an axis, by index, or of all, s.

    Where rise and fall differ it is their mean: thrusters of a loop do both in turn.
    """
    rows = np.abs(allocation_matrix(parameters))
    levers = rows.max(axis=0, initial=0.0) if axis is None else rows[axis]
    acts = [bool(lever > SMALLEST_SHARE * levers.max(initial=0.0)) for lever in levers]
    lags = (0.5 * (thruster.rise_time + thruster.fall_time) for thruster in parameters.thrusters)
    return max((lag for lag, used in zip(lags, acts, strict=True) if used), default=0.0)


def drive_delay(parameters: VehicleParameters) -> float:
    """Largest delay from a command to its effect in the drives, s."""
    return max((1e-9 * drive.delay_ns for drive in parameters.drives), default=0.0)
