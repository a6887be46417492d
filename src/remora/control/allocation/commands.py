"""From wanted forces of thrusters to the commands that give them, for every thrust law and every drive."""

from collections.abc import Sequence

from scipy.optimize import brentq

from remora.equations.actuators.motors import voltage_for_speed
from remora.equations.actuators.thrusters import (
    OUTPUT_IS_FORCE,
    advance_speed,
    command_from_speed,
    saturate,
    speed_from_thrust,
)
from remora.equations.algebra.vectors import ZERO6, Twist
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
    """Commands whose steady outputs push the vehicle with these effective forces, as far as their limits allow.

    These are the commands that the drives of the vehicle take: pulse widths in microseconds where a drive has a law of
    pulses. `inputs_from_forces` gives what the plant behind the drives takes.

    Parameters
    ----------
    parameters
        The vehicle.
    forces
        Effective force of each thruster along its axis, N: what reaches the body after losses to the hull.
    twist
        Motion through the water, for thrusters that feel their inflow; at rest unless given.
    dead_bands
        For each thruster how far a command must be from neutral for something to happen; those of the drives unless
        given. A smaller command goes to the edge when it is more than half way there, else to neutral.
    voltage
        At the thrusters, for drives with a table; that of the full battery unless given.
    servo_angles
        Where the servos stand, rad: they turn the inflow of the thrusters that hang on them. At zero unless given.
    """
    inputs = inputs_from_forces(parameters, forces, twist, servo_angles)
    drives = parameters.drives or (DIRECT,) * len(inputs)
    bands = [drive.dead_band for drive in drives] if dead_bands is None else dead_bands
    commands = [_command(parameters, drive, wanted, voltage) for drive, wanted in zip(drives, inputs, strict=True)]
    return [
        drive.neutral + _outside_dead_band(command - drive.neutral, band) if band > 0.0 else command
        for drive, command, band in zip(drives, commands, bands, strict=True)
    ]


def inputs_from_forces(
    parameters: VehicleParameters,
    forces: Sequence[float],
    twist: Twist = ZERO6,
    servo_angles: Sequence[float] = (),
) -> list[float]:
    """What the plant takes as command for these effective forces, with no drive in between; see above."""
    if len(forces) != len(parameters.thrusters):
        raise ValueError(f"{len(forces)} forces are given: give {len(parameters.thrusters)}, one per thruster")
    return [_input(parameters, i, float(force), twist, servo_angles) for i, force in enumerate(forces)]


def _command(parameters: VehicleParameters, drive: ThrusterDrive, wanted: float, voltage: float | None) -> float:
    """The command of one drive."""
    if not isinstance(drive.law, ThrustTable):
        return command_from_input(drive, wanted, 0.0)  # only tables ask for the voltage
    return command_from_input(drive, wanted, full_voltage(drive.law, parameters.supply) if voltage is None else voltage)


def _input(
    parameters: VehicleParameters, index: int, force: float, twist: Twist, servo_angles: Sequence[float]
) -> float:
    """What one thruster takes: losses, then thrust curve, then motor, then command map, then limits."""
    thruster = thruster_at(parameters, index, servo_angles)
    reaching = thruster.effectiveness_forward if force > 0.0 else thruster.effectiveness_reverse
    output = force / reaching if reaching > 0.0 else 0.0
    if parameters.thrust_law != OUTPUT_IS_FORCE:
        advance = advance_speed(thruster, twist)
        if parameters.quadrants and parameters.quadrants[index]:
            output = speed_in_four_quadrants(parameters, index, output, advance)
        else:
            output = speed_from_thrust(thruster, output, advance)
        motor = parameters.motors[index] if parameters.motors else None
        if motor:
            output = voltage_for_speed(motor, output, advance)
    if parameters.mapped_commands:
        output = command_from_speed(thruster.command_map, output)
    return saturate(output, *command_range(parameters, index))


def speed_in_four_quadrants(parameters: VehicleParameters, index: int, wanted: float, advance: float) -> float:
    """Shaft speed at which a four-quadrant thruster gives a thrust at an advance speed.

    Brackets grow from a standing shaft towards the rotation that gives thrust of the wanted sign, so of several speeds
    with the same thrust it is the one next to rest. Where no speed up to the fastest gives the thrust, the fastest is
    returned.
    """

    def missing(speed: float) -> float:
        return thrust_at(parameters, index, speed, advance) - wanted

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
