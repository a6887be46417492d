"""Limits of the actuators of a run, and from where on a command counts as being at its limit."""

import numpy as np

from remora.kernels.loops import Array
from remora.kernels.pack import resting_outputs
from remora.simulation.setup import VehicleSetup
from remora.vehicles.actuation import command_limits

AT_LIMIT = 1e-6  # of the range of a command: an allocation that solves to a tolerance stays this far away


def input_limits(vehicle: VehicleSetup) -> Array:
    """Lowest and highest input of each actuator: n x 2."""
    own = command_limits(vehicle.plant.vehicle.parameters)
    return own if vehicle.drive is None else np.array(vehicle.drive.limits).reshape(-1, 2)


def reached_limits(vehicle: VehicleSetup, inside: float = AT_LIMIT) -> Array:
    """Inputs from which on an actuator is at its lower or upper limit: n x 2.

    A limit at which an actuator rests is none: a propeller that cannot reverse and stands still is not saturated.

    Parameters
    ----------
    vehicle
        The vehicle in its run.
    inside
        Share of the range by which the limit is drawn inwards; a negative one counts only what lies beyond it.
    """
    limits, rest = input_limits(vehicle), resting_outputs(vehicle.plant.packed)
    span = limits[:, 1] - limits[:, 0]
    margin = inside * np.where(np.isfinite(span), span, 0.0)
    low = np.where(limits[:, 0] < rest, limits[:, 0] + margin, -np.inf)
    high = np.where(limits[:, 1] > rest, limits[:, 1] - margin, np.inf)
    return np.stack([low, high], axis=1)
