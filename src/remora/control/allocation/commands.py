"""Commands from thruster forces: the inverse of thrust law, motor and drive, for one thruster or compiled for all."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, final

import numpy as np
from numba import boolean, float64, void

from remora.equations.actuators.laws.force import output_of_force
from remora.equations.actuators.laws.table import law_with
from remora.equations.actuators.motors import voltage_for_speed
from remora.equations.actuators.thrusters import (
    Thruster,
    advance_speed,
    command_from_speed,
    saturate,
    speed_from_thrust,
    thrust_for_effect,
)
from remora.equations.algebra.vectors import ZERO6, vector6_at
from remora.equations.hull.forms.form import flat_numbers
from remora.equations.packed import THRUSTER_SIZE, thruster_at as packed_thruster
from remora.equations.types import Twist
from remora.files.arrays import Array
from remora.plant.kernels.strict import strict_kernel
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
    # Outwards from rest by a constant factor, so that the nearest of several solutions is bracketed first.
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


_ROW = float64[::1]
SIGNATURE = void(_ROW, float64[:, ::1], boolean, boolean, _ROW, _ROW, _ROW)


def fill_inputs(
    rows: Array, limits: Array, by_speed: bool, is_mapped: bool, forces: Array, twist: Array, inputs: Array
) -> None:
    """Fill in the inputs of thrusters without motors and four-quadrant series, as `ThrusterInverse.input` does.

    Each thruster has a row of numbers, a lowest and a highest input, and an effective force, N. Outputs are shaft
    speeds or forces; inputs may be commands that a map turns into shaft speeds. The twist is in body axes, SI.
    """
    for i in range(forces.size):
        thruster = packed_thruster(rows, i * THRUSTER_SIZE)
        thrust = thrust_for_effect(thruster, forces[i])
        output = output_of_force(thruster, thrust, 0.0)
        if by_speed:
            output = speed_from_thrust(thruster, thrust, advance_speed(thruster, vector6_at(twist, 0)))
        if is_mapped:
            output = command_from_speed(thruster.command_map, output)
        inputs[i] = saturate(output, limits[i, 0], limits[i, 1])


@lru_cache(maxsize=1)
def inverse_kernel() -> Any:
    """Compiled `fill_inputs`, rounding as plain Python does; from the cache or compiled now."""
    return strict_kernel(fill_inputs, SIGNATURE, "inverse thrusters", 3)


@final
class InverseTable:
    """Inverses of all thrusters of a vehicle."""

    def __init__(self, inverses: Sequence[ThrusterInverse]) -> None:
        self._inverses = inverses
        parameters = inverses[0].parameters
        output_for = law_with(parameters.thrust_law).output_for
        is_plain = not any(parameters.quadrants) and not any(parameters.motors)
        self._is_compiled = is_plain and output_for in (speed_from_thrust, output_of_force)
        if self._is_compiled:
            self._rows = np.array([number for inverse in inverses for number in flat_numbers(inverse.thruster)])
            self._limits = np.array([inverse.limits for inverse in inverses])
            self._switches = (output_for is speed_from_thrust, bool(parameters.mapped_commands))
            inverse_kernel()  # compiled now, if ever, and not within a run

    def commands(self, forces: Array, twist: Twist) -> list[float]:
        """Commands for effective forces in N at a velocity through the water, m/s and rad/s in body axes."""
        if not self._is_compiled:
            pairs = zip(self._inverses, forces.tolist(), strict=True)
            return [inverse.command(force, twist) for inverse, force in pairs]
        inputs = np.empty(len(self._inverses))
        inverse_kernel()(self._rows, self._limits, *self._switches, forces, np.array(twist), inputs)
        return [inverse.command_of(value) for inverse, value in zip(self._inverses, inputs.tolist(), strict=True)]


def command_chatter(seconds: float, variation: Array, full: Sequence[float], period: float) -> float:
    """Mean change of a command from sample to sample, in percent of a full command; NaN where nothing is known.

    Commands are held between samples of the control, so that their total variation is the sum of these changes however
    often they are logged. The full command of an actuator is half of the range between its limits; actuators without
    limits, whose full command is not finite, do not count. Length of the record and period of the control are in s.
    """
    limits = np.asarray(full, dtype=float)
    limited = np.isfinite(limits) & (limits > 0.0)
    if seconds < period or not limited.any():
        return float("nan")
    return float(100.0 * np.mean(variation[limited] / limits[limited]) * period / seconds)


def total_variation(commands: Array) -> Array:
    """Sum of the absolute changes of each column."""
    return np.asarray(np.abs(np.diff(commands, axis=0)).sum(axis=0))
