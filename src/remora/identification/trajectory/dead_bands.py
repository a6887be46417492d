"""Dead bands of thrusters on the commands of a record, as the drive stage applies them before the lag."""

from typing import Any

import numpy as np

from remora.equations.actuators.drives import outside_dead_band
from remora.files.arrays import Array
from remora.vehicles.parameters import VehicleParameters


def dead_bands(vehicle: VehicleParameters) -> tuple[float, ...]:
    """Half widths of all actuators in the units of their commands; empty where no thruster has one.

    Drives with pulse widths are excluded: their dead band is in microseconds and acts before the pulse law.
    """
    widths = [drive.dead_band if drive.law is None else 0.0 for drive in vehicle.drives]
    return (*widths, *[0.0] * len(vehicle.fins)) if any(widths) else ()


def outside_dead_bands(commands: Array, widths: tuple[float, ...]) -> Array:
    """Commands [..., actuator] with zero where one lies inside its dead band, `drives.outside_dead_band`."""
    if not widths:
        return commands
    passed: Any = outside_dead_band
    return np.asarray(passed(commands, np.array(widths)))
