"""Actuator limits of a run, and the inputs at which an actuator counts as saturated."""

import math
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.messages.part import Role
from remora.plant.pack import resting_outputs
from remora.run.faults.actuators import InputEffect
from remora.run.setup import VehicleSetup
from remora.vehicles.checks.actuation import command_limits
from remora.vehicles.drives import ThrusterDrive, command_from_input, input_from_command

_COMMANDING = (Role.ALLOCATION, Role.CONTROL)  # the first of these that a vehicle has gives its commands
AT_LIMIT = 1e-6  # share of the command range; tolerance of iterative allocation


def input_limits(vehicle: VehicleSetup) -> Array:
    """Lowest and highest input of each actuator: n x 2."""
    own = command_limits(vehicle.plant.vehicle.parameters)
    return own if vehicle.drive is None else np.array(vehicle.drive.limits).reshape(-1, 2)


def full_commands(vehicle: VehicleSetup) -> list[float]:
    """Half of the range of the commands of each actuator, in their units; infinite without limits."""
    limits = input_limits(vehicle).tolist()
    drives = () if vehicle.drive is None else vehicle.drive.drives
    found = []
    for i, ends in enumerate(limits):
        if i < len(drives) and vehicle.drive is not None and all(map(math.isfinite, ends)):
            ends = [command_from_input(drives[i], end, vehicle.drive.voltage) for end in ends]
        found.append(0.5 * (ends[1] - ends[0]))
    return found


def command_period(vehicle: VehicleSetup) -> int | None:
    """Time between samples of the part that gives the commands, ns; None without one."""
    periods = {role: [one.period_ns for one in vehicle.parts if one.role == role] for role in _COMMANDING}
    return next((min(some) for some in periods.values() if some), None)


class Outage(NamedTuple):
    """An interval in which an actuator does not follow its commands."""

    actuator: str
    start_ns: int
    until_ns: int


def outages(vehicle: VehicleSetup) -> tuple[Outage, ...]:
    """Intervals in which faults keep actuators from following their commands; they do not count as saturated."""
    return tuple(
        Outage(fault.target, fault.start_ns, fault.until_ns)
        for fault in vehicle.faults
        if isinstance(fault.effect, InputEffect)
    )


def reached_limits(vehicle: VehicleSetup, inside: float = AT_LIMIT) -> Array:
    """Inputs at which an actuator counts as being at its lower or upper limit: n x 2.

    The limits are moved inwards by a share of the range; outwards where it is negative.
    """
    limits, rest = input_limits(vehicle), resting_outputs(vehicle.plant.packed)
    span = limits[:, 1] - limits[:, 0]
    margin = inside * np.where(np.isfinite(span), span, 0.0)
    low = np.where(limits[:, 0] < rest, limits[:, 0] + margin, -np.inf)
    high = np.where(limits[:, 1] > rest, limits[:, 1] - margin, np.inf)
    if vehicle.drive is not None:
        nearest, farthest = (min, max) if inside > 0.0 else (max, min)
        for i, drive in enumerate(vehicle.drive.drives):
            low[i] = farthest(low[i], _quantised_limit(drive, low[i], vehicle.drive.voltage))
            high[i] = nearest(high[i], _quantised_limit(drive, high[i], vehicle.drive.voltage))
    return np.stack([low, high], axis=1)


def _quantised_limit(drive: ThrusterDrive, limit: float, voltage: float) -> float:
    """The quantised input of a limit; the limit itself where that is zero or the drive is not quantised."""
    if drive.resolution == 0.0 or not math.isfinite(limit):
        return limit
    return input_from_command(drive, command_from_input(drive, limit, voltage), voltage) or limit
