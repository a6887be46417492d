"""Commands from thruster forces: the inverse of thrust law, motor and drive, the last step of control allocation."""

from collections.abc import Sequence
from typing import NamedTuple

from remora.equations.actuators.laws.table import law_with
from remora.equations.actuators.motors import voltage_for_speed
from remora.equations.actuators.thrusters import (
    Thruster,
    advance_speed,
    command_from_speed,
    saturate,
    thrust_for_effect,
)
from remora.equations.algebra.vectors import ZERO6
from remora.equations.types import Twist
from remora.vehicles.checks.actuation import command_range, thrust_at, thruster_at
from remora.vehicles.drives import DIRECT, ThrusterDrive, command_from_input, full_voltage
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.thrust_table import ThrustTable

FASTEST_SHAFT = 1e5  # rad/s, beyond every propeller


def commands_from_forces(
    parameters: VehicleParameters,
    forces: Sequence[float],
    twist: Twist = ZERO6,
    dead_bands: Sequence[float] | None = None,
    voltage: float | None = None,
    servo_angles: Sequence[float] = (),
) -> list[float]:
    """Commands whose steady outputs give these effective forces, within the limits.

    The commands are those of the drives: pulse widths in microseconds where a drive has a pulse law.
    `inputs_from_forces` gives the inputs of the plant behind the drives.

    Parameters
    ----------
    parameters
        The vehicle.
    forces
        Effective force of each thruster along its axis, N, after losses to the hull.
    twist
        Velocity through the water in body axes, m/s and rad/s, for thrusters that depend on inflow; default at rest.
    dead_bands
        Half-width of the dead band about neutral of each thruster; default that of the drives. A command inside it is
        rounded to its edge or to neutral.
    voltage
        Voltage at the thrusters, V, for drives with a table; default that of a full battery.
    servo_angles
        Angles of the servos, rad, which turn the inflow of their thrusters; default zero.
    """
    _check_count(parameters, forces)
    inverses = thruster_inverses(parameters, dead_bands, voltage, servo_angles)
    return [inverse.command(float(force), twist) for inverse, force in zip(inverses, forces, strict=True)]


def inputs_from_forces(
    parameters: VehicleParameters,
    forces: Sequence[float],
    twist: Twist = ZERO6,
    servo_angles: Sequence[float] = (),
) -> list[float]:
    """Inputs of the plant for these effective forces, without drives.

    Parameters
    ----------
    parameters
        The vehicle.
    forces
        Effective force of each thruster, N.
    twist
        Velocity through the water in body axes, m/s and rad/s.
    servo_angles
        Angles of thrusters on servos, rad; neutral unless given.
    """
    _check_count(parameters, forces)
    inverses = thruster_inverses(parameters, servo_angles=servo_angles)
    return [inverse.input(float(force), twist) for inverse, force in zip(inverses, forces, strict=True)]


def _check_count(parameters: VehicleParameters, forces: Sequence[float]) -> None:
    if len(forces) != len(parameters.thrusters):
        raise ValueError(f"{len(forces)} forces are given: give {len(parameters.thrusters)}, one per thruster")


class ThrusterInverse(NamedTuple):
    """Inverse of one thruster and its drive; made once for many forces."""

    parameters: VehicleParameters
    number: int  # of the thruster
    thruster: Thruster
    limits: tuple[float, float]  # of its input
    drive: ThrusterDrive
    dead_band: float
    voltage: float  # V; only thrust tables depend on it

    def input(self, force: float, twist: Twist) -> float:
        """Input of the plant for an effective force in N: losses, thrust curve, motor, command map, limits."""
        parameters, index, thruster = self.parameters, self.number, self.thruster
        output = thrust_for_effect(thruster, force)
        law, advance = law_with(parameters.thrust_law), 0.0 if twist is ZERO6 else advance_speed(thruster, twist)
        if parameters.quadrants and parameters.quadrants[index]:
            output = speed_in_four_quadrants(parameters, index, output, advance)
        else:
            output = law.output_for(thruster, output, advance)
        motor = parameters.motors[index] if parameters.motors else None
        if motor:
            output = voltage_for_speed(motor, output, advance)
        if parameters.mapped_commands:
            output = command_from_speed(thruster.command_map, output)
        return saturate(output, *self.limits)

    def command(self, force: float, twist: Twist) -> float:
        """Command of the drive for an effective force in N."""
        return self.command_of(self.input(force, twist))

    def command_of(self, plant_input: float) -> float:
        """Command of the drive for an input of the plant."""
        command, neutral = command_from_input(self.drive, plant_input, self.voltage), self.drive.neutral
        return neutral + _outside_dead_band(command - neutral, self.dead_band) if self.dead_band > 0.0 else command


def thruster_inverses(
    parameters: VehicleParameters,
    dead_bands: Sequence[float] | None = None,
    voltage: float | None = None,
    servo_angles: Sequence[float] = (),
) -> list[ThrusterInverse]:
    """Inverses of all thrusters; options as in `commands_from_forces`."""
    drives = parameters.drives or (DIRECT,) * len(parameters.thrusters)
    bands = [drive.dead_band for drive in drives] if dead_bands is None else dead_bands
    return [
        ThrusterInverse(
            parameters,
            i,
            thruster_at(parameters, i, servo_angles),
            command_range(parameters, i),
            drive,
            band,
            _voltage(parameters, drive, voltage),
        )
        for i, (drive, band) in enumerate(zip(drives, bands, strict=True))
    ]


def _voltage(parameters: VehicleParameters, drive: ThrusterDrive, given: float | None) -> float:
    if not isinstance(drive.law, ThrustTable):
        return 0.0
    return full_voltage(drive.law, parameters.supply) if given is None else given


def speed_in_four_quadrants(parameters: VehicleParameters, index: int, thrust: float, advance: float) -> float:
    """Shaft speed at which a four-quadrant thruster gives a thrust at an advance speed, rad/s.

    Of several speeds with the same thrust it is the one nearest to rest. Where no speed gives the thrust, the fastest
    is returned.
    """
    from scipy.optimize import brentq  # imported here: slow, and few thrusters need it

    def missing(speed: float) -> float:
        return thrust_at(parameters, index, speed, advance) - thrust

    at_rest = missing(0.0)
    if at_rest == 0.0:
        return 0.0
    pushes_ahead = thrust_at(parameters, index, FASTEST_SHAFT, 0.0) > 0.0
    direction = 1.0 if (at_rest < 0.0) == pushes_ahead else -1.0
    inner, outer = 0.0, direction * 1e-3
    while (missing(outer) < 0.0) == (at_rest < 0.0):
        if abs(outer) >= FASTEST_SHAFT:
            return outer
        inner, outer = outer, 1.5 * outer
    return float(brentq(missing, inner, outer, xtol=1e-12, rtol=1e-14))


def _outside_dead_band(command: float, band: float) -> float:
    if abs(command) >= band:
        return command
    if abs(command) <= 0.5 * band:
        return 0.0
    return band if command > 0.0 else -band
