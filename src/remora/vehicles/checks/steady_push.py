"""Forces that thrusters may give for a long time without tipping the vehicle over.

Where the thrusters do not hold roll or pitch, a force beside the axis of the vehicle tilts it until weight and buoyancy
balance the moment, and the speed that it leads to adds the Munk moment of the added mass. The steady tilt a of a force
F along a course obeys F lever = (K - E U^2) a, with the righting stiffness K, the excess of added mass E across the
course, and the speed U at which drag balances F.
"""

import math

import numpy as np

from remora.vehicles.checks.actuation import HELD, allocation_matrix, levelled_axes, thrust_limits
from remora.vehicles.checks.hydrostatics import righting_stiffness
from remora.vehicles.checks.munk import TILTS, munk_speed
from remora.vehicles.checks.plausibility import terminal_speed
from remora.vehicles.parameters import VehicleParameters

LARGEST_TILT = math.radians(15.0)
MUNK_SHARE = 0.7  # of the speed at which the Munk moment exceeds the righting moment
THRUST_SHARE = 0.8  # of the thrust; the rest is left to the controller
LEAST_LEVER = 1e-3  # m
HALVINGS = 40


def steady_pushes(parameters: VehicleParameters, locked: tuple[str, ...] = ()) -> tuple[float, float, float, float]:
    """Largest steady force in surge, sway and heave, N, and torque in yaw, N m; zero where thrusters give none."""
    levelled = levelled_axes(parameters, locked)
    matrix, rows = allocation_matrix(parameters), [*HELD, *levelled]
    if not matrix.size:
        return (0.0, 0.0, 0.0, 0.0)
    inverse, least = np.linalg.pinv(matrix[rows], rcond=1e-6), np.abs(thrust_limits(parameters)).min(axis=1)
    found = []
    for column, axis in enumerate(HELD):
        forces = inverse[:, column]
        wrench = matrix @ forces
        if abs(wrench[axis] - 1.0) > 1e-3:
            found.append(0.0)
            continue
        used = np.abs(forces) > 1e-9
        most = THRUST_SHARE * float((least[used] / np.abs(forces[used])).min())
        for tilt in TILTS:
            if tilt not in levelled and axis in (0, 1, 2):
                most = _without_tipping(parameters, most, axis, tilt, abs(float(wrench[tilt])))
        found.append(most)
    return (found[0], found[1], found[2], found[3])


def _without_tipping(parameters: VehicleParameters, most: float, axis: int, tilt: int, lever: float) -> float:
    """The largest force up to a limit, N, whose steady tilt stays below LARGEST_TILT."""
    stiffness, free = righting_stiffness(parameters)[tilt - 3], math.inf
    if axis != tilt - 3:
        free = munk_speed(parameters, axis, tilt)

    def tips(force: float) -> bool:
        speed = terminal_speed(parameters, axis, force) or 0.0
        left = stiffness * (1.0 - (speed / free) ** 2) if free > 0.0 else 0.0
        return speed > MUNK_SHARE * free or (lever > LEAST_LEVER and force * lever > left * LARGEST_TILT)

    if not math.isfinite(most):
        most = 1e4
    if not tips(most):
        return most
    low, high = 0.0, most
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if tips(middle) else (middle, high)
    return low
