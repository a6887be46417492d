"""Attainable wrench of the fins of a vehicle under way."""

import numpy as np

from remora.equations.actuators.fins import Fin, fin_wrench
from remora.equations.types import Twist
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters

FIN_SPEED = 1.0  # m/s ahead through still water
_AHEAD: Twist = (FIN_SPEED, 0.0, 0.0, 0.0, 0.0, 0.0)
_DEFLECTIONS = 61  # samples between the limits, including both ends and zero
_SMALLEST = 1e-9  # N or N m, rounding


def fin_reach(parameters: VehicleParameters) -> dict[str, tuple[float, float]]:
    """Lowest and highest wrench of all fins at `FIN_SPEED` in the degrees of freedom in which they act.

    Each fin has the best deflection for the one degree of freedom, regardless of the others.
    """
    ends = np.array([_ends(fin) for fin in parameters.fins]).reshape(-1, 2, 6).sum(axis=0)
    return {
        name: (float(low), float(high))
        for name, low, high in zip(DEGREES_OF_FREEDOM, *ends, strict=True)
        if max(abs(low), abs(high)) > _SMALLEST
    }


def _ends(fin: Fin) -> list[list[float]]:
    """Lowest and highest wrench of one fin."""
    angles = np.linspace(-fin.deflection_limit, fin.deflection_limit, _DEFLECTIONS).tolist()
    wrenches = np.array([fin_wrench(fin, angle, _AHEAD) for angle in angles])
    return [wrenches.min(axis=0).tolist(), wrenches.max(axis=0).tolist()]
