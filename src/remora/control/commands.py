"""From wanted forces of thrusters to the commands that give them, for every thrust law."""

from collections.abc import Sequence

from scipy.optimize import brentq

from remora.equations.motors import voltage_for_speed
from remora.equations.thrusters import (
    OUTPUT_IS_FORCE,
    advance_speed,
    command_from_speed,
    saturate,
    speed_from_thrust,
)
from remora.equations.vectors import ZERO6, Twist
from remora.vehicles.actuation import thrust_at, thruster_at
from remora.vehicles.parameters import VehicleParameters

FASTEST_SHAFT = 1e5  # rad/s, beyond every propeller


def commands_from_forces(
    parameters: VehicleParameters,
    forces: Sequence[float],
    twist: Twist = ZERO6,
    dead_bands: Sequence[float] | None = None,
    servo_angles: Sequence[float] = (),
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
    servo_angles
        Where the servos stand, rad: they turn the inflow of the thrusters that hang on them. At zero unless given.
    """
    if len(forces) != len(parameters.thrusters):
        raise ValueError(f"{len(forces)} forces are given: give {len(parameters.thrusters)}, one per thruster")
    commands = [_command(parameters, i, float(force), twist, servo_angles) for i, force in enumerate(forces)]
    if dead_bands is None:
        return commands
    return [_outside_dead_band(command, band) for command, band in zip(commands, dead_bands, strict=True)]


def _command(
    parameters: VehicleParameters, index: int, force: float, twist: Twist, servo_angles: Sequence[float]
) -> float:
    """The command of one thruster: losses, then thrust curve, then motor, then command map, then limits."""
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
    return saturate(output, thruster.command_minimum, thruster.command_maximum)


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
