"""Pulse-width range of a thruster drive, and a plausibility check of given widths."""

import math
from typing import Any, NamedTuple

from remora.files.quantities import Quantity
from remora.files.units import unit_named
from remora.vehicles.assembly.drives import microseconds
from remora.vehicles.checks.actuation import command_range
from remora.vehicles.drives import ThrusterDrive, command_from_input, full_voltage
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.thrust_table import ThrustTable

MAX_EXCURSION = 3.0  # times the distance from neutral to the limit; widths just beyond the limit saturate
UNITS = ("us", "ms", "s")


class PulseRange(NamedTuple):
    """Pulse widths at the limits of a thruster and at rest, in microseconds; infinite without limits."""

    lowest: float
    neutral: float
    highest: float

    @property
    def text(self) -> str:
        """The range as text for messages."""
        neutral = f"neutral at {self.neutral:.4g} us"
        if not math.isfinite(self.highest - self.lowest):
            return f"{neutral} and no limits"
        return f"{self.lowest:.4g} us to {self.highest:.4g} us with {neutral}"

    def is_plausible(self, width: float) -> bool:
        """Whether a width in microseconds lies within the range of the drive or not too far outside."""
        reach = max(self.neutral - self.lowest, self.highest - self.neutral)
        farthest = MAX_EXCURSION * reach if math.isfinite(reach) else 0.75 * self.neutral
        return width > 0.0 and abs(width - self.neutral) <= farthest


def pulse_range(parameters: VehicleParameters, name: str) -> PulseRange | None:
    """Pulse-width range of the named actuator; None where its commands are not pulse widths."""
    drives = dict(zip(parameters.thruster_names, parameters.drives, strict=False))
    drive = drives.get(name)
    if drive is None or drive.law is None:
        return None
    ends = command_range(parameters, parameters.thruster_names.index(name))
    low, high = sorted(_width(drive, end, parameters) for end in ends)
    return PulseRange(low, drive.neutral, high)


def _width(drive: ThrusterDrive, end: float, parameters: VehicleParameters) -> float:
    if not math.isfinite(end):
        return end
    voltage = full_voltage(drive.law, parameters.supply) if isinstance(drive.law, ThrustTable) else 0.0
    return command_from_input(drive, end, voltage)


def width_fault(pulses: PulseRange, quantity: Quantity[Any]) -> str | None:
    """Message for an implausible pulse width in seconds, with the likely unit; None for a plausible one."""
    width = microseconds(quantity.value)
    if pulses.is_plausible(width):
        return None
    takes = f"the drive takes {pulses.text}"
    if quantity.value == 0.0:
        return f"is no pulse width: {takes}. At rest the command is {pulses.neutral:.4g} us."
    is_bare = quantity.unit == "SI"
    unit = unit_named("s" if is_bare else quantity.unit)
    written = quantity.value / unit.factor if unit else quantity.value
    meant = [name for name in UNITS if (one := unit_named(name)) and pulses.is_plausible(1e6 * one.factor * written)]
    hint = f"Did you mean {written:.6g} {meant[0]}?" if meant else f"Give a width such as {pulses.neutral:.4g} us."
    bare = "a bare number is in seconds, and " if is_bare else ""
    return f"{bare}{width:.6g} us is no pulse width for this thruster: {takes}. {hint}"
