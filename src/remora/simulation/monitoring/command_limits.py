"""Limits of the actuators of a run, and from where on a command counts as being at its limit."""

import math
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.kernels.pack import resting_outputs
from remora.simulation.faults.actuators import InputEffect
from remora.simulation.setup import VehicleSetup
from remora.vehicles.checks.actuation import command_limits
from remora.vehicles.drives import ThrusterDrive, command_from_input, input_from_command

AT_LIMIT = 1e-6  # of the range of a command: an allocation that solves to a tolerance stays this far away


def input_limits(vehicle: VehicleSetup) -> Array:
    """Lowest and highest input of each actuator: n x 2."""
    own = command_limits(vehicle.plant.vehicle.parameters)
    return own if vehicle.drive is None else np.array(vehicle.drive.limits).reshape(-1, 2)


class Outage(NamedTuple):
    """A time during which an actuator does not do what it is commanded."""

    actuator: str
    start_ns: int
    until_ns: int


def outages(vehicle: VehicleSetup) -> tuple[Outage, ...]:
    """When faults keep actuators from following their commands: they are faulty then, and never at a limit."""
    return tuple(
        Outage(fault.target, fault.start_ns, fault.until_ns)
        for fault in vehicle.faults
        if isinstance(fault.effect, InputEffect)
    )


def reached_limits(vehicle: VehicleSetup, inside: float = AT_LIMIT) -> Array:
    """Inputs from which on an actuator is at its lower or upper limit: n x 2.

    A limit at which an actuator rests is none: a propeller that cannot reverse and stands still is not saturated. Where
    a drive takes commands in steps, it is the step that a command at the limit becomes.

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
    if vehicle.drive is not None:
        nearest, farthest = (min, max) if inside > 0.0 else (max, min)
        for i, drive in enumerate(vehicle.drive.drives):
            low[i] = farthest(low[i], _as_driven(drive, low[i], vehicle.drive.voltage))
            high[i] = nearest(high[i], _as_driven(drive, high[i], vehicle.drive.voltage))
    return np.stack([low, high], axis=1)


def _as_driven(drive: ThrusterDrive, limit: float, voltage: float) -> float:
    """What a drive that takes steps makes of a limit; the limit itself where that is nothing, or there are no steps."""
    if drive.resolution == 0.0 or not math.isfinite(limit):
        return limit
    return input_from_command(drive, command_from_input(drive, limit, voltage), voltage) or limit
