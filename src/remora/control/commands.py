"""From wanted forces of thrusters to the commands that give them, for every thrust law."""

from collections.abc import Sequence

from remora.equations.thrusters import (
    OUTPUT_IS_FORCE,
    Thruster,
    advance_speed,
    command_from_speed,
    saturate,
    speed_from_thrust,
)
from remora.equations.vectors import ZERO6, Twist
from remora.vehicles.parameters import VehicleParameters


def commands_from_forces(
    parameters: VehicleParameters,
    forces: Sequence[float],
    twist: Twist = ZERO6,
    dead_bands: Sequence[float] | None = None,
) -> list[float]:
    """Commands whose steady outputs push the vehicle with these effective forces, as far as their limits allow.

    Parameters
    ----------
    parameters
        The vehicle.
    forces
        Effective force of each thruster along its axis, N: what reaches the body after losses to the hull.
    twist
        Motion through the water, for thrusters that feel their inflow; at rest unless given.
    dead_bands
        For each thruster the command below which nothing happens. A smaller command becomes the dead band when it is
        more than half of it, else zero.
    """
    commands = [
        _command(parameters, thruster, force, twist)
        for thruster, force in zip(parameters.thrusters, forces, strict=True)
    ]
    if dead_bands is None:
        return commands
    return [_outside_dead_band(command, band) for command, band in zip(commands, dead_bands, strict=True)]


def _command(parameters: VehicleParameters, thruster: Thruster, force: float, twist: Twist) -> float:
    """The command of one thruster: losses, then thrust curve, then command map, then limits."""
    reaching = thruster.effectiveness_forward if force > 0.0 else thruster.effectiveness_reverse
    output = float(force) / reaching if reaching > 0.0 else 0.0
    if parameters.thrust_law != OUTPUT_IS_FORCE:
        output = speed_from_thrust(thruster, output, advance_speed(thruster, twist))
    if parameters.mapped_commands:
        output = command_from_speed(thruster.command_map, output)
    return saturate(output, thruster.command_minimum, thruster.command_maximum)


def _outside_dead_band(command: float, band: float) -> float:
    if abs(command) >= band:
        return command
    if abs(command) <= 0.5 * band:
        return 0.0
    return band if command > 0.0 else -band
