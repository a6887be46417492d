"""Thruster drive model: plant input from a command (resolution, dead band, command law) and its inverse.

Commands are pulse widths in microseconds where the drive has a pulse law, otherwise N, rad/s or percent as the
thruster itself takes.
"""

from typing import NamedTuple, TypeAlias

from remora.equations.actuators.drives import (
    Battery,
    PulseSpeed,
    PulseThrust,
    outside_dead_band,
    pulse_from_speed,
    pulse_from_thrust,
    quantised,
    speed_from_pulse,
    thrust_from_pulse,
)
from remora.vehicles.thrust_table import ThrustTable, is_outside, pulse_for, thrust_at

# Laws of the pulse width relative to neutral, in microseconds; None: the command is the plant input.
DriveLaw: TypeAlias = PulseThrust | PulseSpeed | ThrustTable | None


class ThrusterDrive(NamedTuple):
    """Drive parameters of one thruster; the defaults pass the command unchanged."""

    law: DriveLaw = None
    neutral: float = 0.0  # command at which the thruster stops
    resolution: float = 0.0  # quantisation step of the command; 0: none
    dead_band: float = 0.0  # half-width around neutral without thrust
    delay_ns: int = 0  # delay between a command and its effect
    scatter: float = 0.0  # relative standard deviation of the thrust between units
    power_per_cubed_speed: float = 0.0  # W s3/rad3
    power_per_thrust: float = 0.0  # W/N^1.5
    dead_band_spread: float = 0.0  # largest addition to dead_band, uniform, drawn once per run
    scatter_range: tuple[float, float] = (0.0, 0.0)  # range of the relative thrust change of a unit, uniform


class Supply(NamedTuple):
    """Battery and hotel load."""

    battery: Battery
    hotel_load: float  # W


DIRECT = ThrusterDrive()


def without_pulses(drive: ThrusterDrive) -> ThrusterDrive:
    """The drive with commands in thruster units: pulse law, resolution and dead band removed."""
    if drive.law is None:
        return drive
    return drive._replace(law=None, neutral=0.0, resolution=0.0, dead_band=0.0, dead_band_spread=0.0)


def full_voltage(table: ThrustTable, supply: Supply | None) -> float:
    """Nominal voltage for controllers, V: of the full battery, or the highest of the table."""
    return supply.battery.full_voltage if supply else table.voltages[-1]


def input_from_command(drive: ThrusterDrive, command: float, voltage: float) -> float:
    """Plant input from a command: quantisation, dead band, then the law; voltage in V."""
    away = command - drive.neutral
    if drive.resolution > 0.0:
        away = quantised(away, drive.resolution)
    away = outside_dead_band(away, drive.dead_band)
    if drive.law is None:
        return away
    if isinstance(drive.law, PulseThrust):
        return thrust_from_pulse(drive.law, away)
    if isinstance(drive.law, PulseSpeed):
        return speed_from_pulse(drive.law, away)
    return thrust_at(drive.law, drive.neutral + away, voltage)


def shapes_commands(drive: ThrusterDrive) -> bool:
    """Whether the plant input may differ from the command."""
    return drive.law is not None or drive.resolution > 0.0 or drive.dead_band > 0.0


def is_outside_table(drive: ThrusterDrive, command: float, voltage: float) -> bool:
    """Whether a command or the voltage lies outside the thrust table of a drive."""
    return isinstance(drive.law, ThrustTable) and is_outside(drive.law, command, voltage)


def command_from_input(drive: ThrusterDrive, plant_input: float, voltage: float) -> float:
    """Command for a plant input: the exact inverse of the law, without dead band and quantisation."""
    if drive.law is None:
        return plant_input
    if isinstance(drive.law, PulseThrust):
        return drive.neutral + pulse_from_thrust(drive.law, plant_input)
    if isinstance(drive.law, PulseSpeed):
        return drive.neutral + pulse_from_speed(drive.law, plant_input)
    return pulse_for(drive.law, drive.neutral, plant_input, voltage)
