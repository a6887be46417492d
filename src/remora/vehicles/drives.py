"""The drive of a thruster as frozen numbers: from its command to what the plant takes, and back.

A command is in the unit that the drive takes: microseconds of pulse width where it has a law of pulses, else the
newtons, rad/s or percent of the thruster itself.
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
from remora.vehicles.thrust_table import ThrustTable, is_beyond, pulse_for, thrust_at

# Pulse widths away from neutral in microseconds; None where the command goes on as it is.
DriveLaw: TypeAlias = PulseThrust | PulseSpeed | ThrustTable | None


class ThrusterDrive(NamedTuple):
    """What stands between a command and a thruster; the defaults do nothing."""

    law: DriveLaw = None
    neutral: float = 0.0  # command at which the thruster stands
    resolution: float = 0.0  # smallest step of a command; 0: none
    dead_band: float = 0.0  # commands closer to neutral do nothing
    delay_ns: int = 0  # from a command to its effect
    scatter: float = 0.0  # one standard deviation of the thrust of a unit, as a share
    power_per_cubed_speed: float = 0.0  # W s3/rad3
    power_per_thrust: float = 0.0  # W/N^1.5
    dead_band_spread: float = 0.0  # each unit has up to this more of a dead band, drawn uniformly once per run
    scatter_range: tuple[float, float] = (0.0, 0.0)  # lowest and highest share by which a unit differs, drawn uniformly


class Supply(NamedTuple):
    """Where the power comes from, and what is drawn besides the thrusters."""

    battery: Battery
    hotel_load: float  # W


DIRECT = ThrusterDrive()


def without_pulses(drive: ThrusterDrive) -> ThrusterDrive:
    """A drive whose commands are in the unit of the thruster itself: law, steps and dead band belong to pulses."""
    if drive.law is None:
        return drive
    return drive._replace(law=None, neutral=0.0, resolution=0.0, dead_band=0.0, dead_band_spread=0.0)


def full_voltage(table: ThrustTable, supply: Supply | None) -> float:
    """The voltage that a controller reckons with: that of the full battery, or the only one of the table."""
    return supply.battery.full_voltage if supply else table.voltages[-1]


def input_from_command(drive: ThrusterDrive, command: float, voltage: float) -> float:
    """What the plant takes: the command in steps, nothing within the dead band, then the law."""
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
    """Whether the plant may take something else than the command."""
    return drive.law is not None or drive.resolution > 0.0 or drive.dead_band > 0.0


def is_beyond_table(drive: ThrusterDrive, command: float, voltage: float) -> bool:
    """Whether a command or the voltage lies outside the table of a drive."""
    return isinstance(drive.law, ThrustTable) and is_beyond(drive.law, command, voltage)


def command_from_input(drive: ThrusterDrive, wanted: float, voltage: float) -> float:
    """The command that gives what the plant shall take: the exact inverse of the law, whatever the dead band."""
    if drive.law is None:
        return wanted
    if isinstance(drive.law, PulseThrust):
        return drive.neutral + pulse_from_thrust(drive.law, wanted)
    if isinstance(drive.law, PulseSpeed):
        return drive.neutral + pulse_from_speed(drive.law, wanted)
    return pulse_for(drive.law, drive.neutral, wanted, voltage)
