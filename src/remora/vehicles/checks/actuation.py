"""Actuation of a vehicle: allocation matrix, thrust limits, and attainable wrench of thrusters and fins."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from remora.equations.actuators.fins import Fin, fin_wrench
from remora.equations.actuators.laws.law import FORCE_OUTPUT
from remora.equations.actuators.laws.table import law_with
from remora.equations.actuators.motors import steady_motor_speed, voltage_for_speed
from remora.equations.actuators.quadrants import quadrant_thrust
from remora.equations.actuators.servos import turned_thruster
from remora.equations.actuators.thrusters import Thruster, command_from_speed, effective_thrust, speed_from_command
from remora.equations.types import Twist
from remora.files.arrays import Array
from remora.files.units import ANGLE, FORCE, RATIO, TURN_RATE, VOLTAGE, Dimension
from remora.vehicles.drives import full_voltage
from remora.vehicles.names import DEGREES_OF_FREEDOM, FOUR_AXES
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.thrust_table import ThrustTable, thrust_range

FIN_SPEED = 1.0  # m/s ahead through still water
_AHEAD: Twist = (FIN_SPEED, 0.0, 0.0, 0.0, 0.0, 0.0)
_DEFLECTIONS = 61  # samples between the limits, including both ends and zero
_LEAST_WRENCH = 1e-9  # N or N m, rounding

HELD = [DEGREES_OF_FREEDOM.index(name) for name in FOUR_AXES]

# Singular values below this share of the largest count as zero; lever arms are in metres.
RANK_TOLERANCE = 1e-6
# A tilt is controllable where the thrusters produce this fraction of a pure torque about it.
CONTROLLABLE = 0.95
SMALLEST = 0.05  # smallest singular value that counts then, as a fraction of the largest


class WrenchRange(NamedTuple):
    """Attainable thruster wrench in one degree of freedom at rest in still water, N or N m."""

    name: str
    most: tuple[float, float]  # lowest and highest, others unconstrained
    alone: tuple[float, float]  # lowest and highest with zero surge, sway, heave and yaw; roll and pitch free


def thruster_at(parameters: VehicleParameters, index: int, servo_angles: Sequence[float] = ()) -> Thruster:
    """A thruster at servo angles in rad, zero by default."""
    thruster = parameters.thrusters[index]
    own = parameters.thruster_servos[index] if parameters.servos else None
    swivel = parameters.swivels[index] if parameters.servos else None
    if own is None or swivel is None or not len(servo_angles):
        return thruster
    if len(servo_angles) != len(parameters.servos):
        raise ValueError(f"{len(servo_angles)} servo angles are given: give {len(parameters.servos)}, one per servo")
    return turned_thruster(thruster, swivel, float(servo_angles[own]))


def allocation_matrix(parameters: VehicleParameters, servo_angles: Sequence[float] = ()) -> Array:
    """Allocation matrix, 6 x thrusters: wrench about B in body axes per newton of effective thrust."""
    columns = [thruster_at(parameters, i, servo_angles).effect for i in range(len(parameters.thrusters))]
    return np.array(columns).reshape(-1, 6).T


def thrust_at(parameters: VehicleParameters, index: int, output: float, advance: float) -> float:
    """Thrust of a thruster along its axis in N, at an output (N or rad/s) and an advance speed in m/s."""
    thruster = parameters.thrusters[index]
    series = parameters.quadrants[index] if parameters.quadrants else None
    if series is None:
        return law_with(parameters.thrust_law).thrust(thruster, output, advance)
    order = max(len(series.cosines), len(series.sines)) - 1
    padded = [[*c, *[0.0] * (order + 1 - len(c))] for c in (series.cosines, series.sines)]
    return quadrant_thrust(series.disc, padded[0] + padded[1], order, thruster.sense * output, advance)


def thrust_limits(parameters: VehicleParameters) -> Array:
    """Lowest and highest effective thrust of each thruster at its command limits, at rest in still water, N."""
    limits = []
    for i, thruster in enumerate(parameters.thrusters):
        ends = [
            effective_thrust(thruster, thrust_at(parameters, i, steady_output(parameters, i, command), 0.0))
            for command in command_range(parameters, i)
        ]
        limits.append((min(*ends, 0.0), max(*ends, 0.0)))
    return np.array(limits).reshape(-1, 2)


def command_range(parameters: VehicleParameters, index: int) -> tuple[float, float]:
    """Command range of a thruster: its limits and the range of its thrust table at full voltage."""
    thruster = parameters.thrusters[index]
    lowest, highest = thruster.command_minimum, thruster.command_maximum
    law = parameters.drives[index].law if parameters.drives else None
    if not isinstance(law, ThrustTable):
        return lowest, highest
    weakest, strongest = thrust_range(law, full_voltage(law, parameters.supply))
    return max(lowest, weakest), min(highest, strongest)


def resting_commands(parameters: VehicleParameters, outputs: Array) -> Array:
    """Commands at rest: the given outputs, and neutral for drives with pulse commands."""
    commands = np.array(outputs, dtype=float)
    for i, drive in enumerate(parameters.drives):
        if drive.law is not None:
            commands[i] = drive.neutral
    return commands


def command_limits(parameters: VehicleParameters) -> Array:
    """Lowest and highest command of each actuator, in their order: n x 2."""
    thrusters = [(thruster.command_minimum, thruster.command_maximum) for thruster in parameters.thrusters]
    fins = [(-fin.deflection_limit, fin.deflection_limit) for fin in parameters.fins]
    slews = (*parameters.servos, *(moving_mass.slew for moving_mass in parameters.moving_masses))
    others = [(slew.lowest, slew.highest) for slew in slews]
    return np.array([*thrusters, *fins, *others], dtype=float).reshape(-1, 2)


def without_limits(parameters: VehicleParameters) -> VehicleParameters:
    """The vehicle without actuator limits."""
    return parameters._replace(
        thrusters=tuple(t._replace(command_minimum=-np.inf, command_maximum=np.inf) for t in parameters.thrusters),
        fins=tuple(fin._replace(deflection_limit=np.inf) for fin in parameters.fins),
        servos=tuple(slew._replace(lowest=-np.inf, highest=np.inf) for slew in parameters.servos),
    )


def input_dimension(parameters: VehicleParameters, name: str) -> Dimension:
    """Dimension of the input of an actuator after its drive: force, turn rate, ratio, voltage or angle."""
    if name in (*parameters.fin_names, *parameters.servo_names):
        return ANGLE
    if parameters.mapped_commands or name in parameters.moving_mass_names:
        return RATIO
    if any(parameters.motors):
        return VOLTAGE
    return output_dimension(parameters, name)


def output_dimension(parameters: VehicleParameters, name: str) -> Dimension:
    """Dimension of the output of an actuator: force, turn rate or angle; of a moving mass a plain number."""
    if name in (*parameters.fin_names, *parameters.servo_names):
        return ANGLE
    if name in parameters.moving_mass_names:
        return RATIO
    return FORCE if law_with(parameters.thrust_law).output == FORCE_OUTPUT else TURN_RATE


def holding_input(parameters: VehicleParameters, index: int, output: float) -> float:
    """Input that holds an actuator at an output; the index counts thrusters, then fins."""
    if parameters.mapped_commands and index < len(parameters.thrusters):
        return command_from_speed(parameters.thrusters[index].command_map, output)
    motor = parameters.motors[index] if parameters.motors and index < len(parameters.thrusters) else None
    return output if motor is None else voltage_for_speed(motor, output, 0.0)


def steady_output(parameters: VehicleParameters, index: int, command: float) -> float:
    """Steady output of a thruster at rest for a constant command, through command map and motor."""
    thruster = parameters.thrusters[index]
    output = speed_from_command(thruster.command_map, command) if parameters.mapped_commands else command
    motor = parameters.motors[index] if parameters.motors else None
    if motor is None or not math.isfinite(output):
        return output
    return steady_motor_speed(motor, output, 0.0)


def rank(parameters: VehicleParameters) -> int:
    """Rank of the allocation matrix."""
    matrix = allocation_matrix(parameters)
    return int(np.linalg.matrix_rank(matrix, tol=RANK_TOLERANCE * max(1.0, np.abs(matrix).max(initial=0.0))))


def reachable_wrench(parameters: VehicleParameters) -> list[WrenchRange]:
    """Attainable wrench in each degree of freedom, unconstrained and alone.

    Alone: with zero surge, sway, heave and yaw otherwise. Roll and pitch are left to hydrostatics, because a vehicle
    with fewer than six independent thrusters has no wrench in a single degree of freedom.
    """
    matrix, limits = allocation_matrix(parameters), thrust_limits(parameters)
    reaches = []
    for i, name in enumerate(DEGREES_OF_FREEDOM):
        ends = np.sort(matrix[i, :, None] * limits, axis=1).sum(axis=0) if limits.size else np.zeros(2)
        others = matrix[[j for j in HELD if j != i]]
        alone = tuple(_extreme(matrix[i], others, limits, sign) for sign in (-1.0, 1.0))
        reaches.append(WrenchRange(name, (float(ends[0]), float(ends[1])), (alone[0], alone[1])))
    return reaches


def _extreme(goal: Array, others: Array, limits: Array, sign: float) -> float:
    """Largest wrench of this sign in one direction with the others zero: a linear programme over the thrusts."""
    from scipy.optimize import linprog  # imported here: slow, and runs do not need it

    if not limits.size or not np.all(np.isfinite(limits)):
        return 0.0 if not limits.size else sign * np.inf
    solution: Any = linprog(-sign * goal, A_eq=others, b_eq=np.zeros(len(others)), bounds=limits, method="highs")
    reached = float(goal @ solution.x) if solution.success else 0.0
    return 0.0 if abs(reached) < 1e-9 else reached


def levelled_axes(parameters: VehicleParameters, locked: Iterable[str] = ()) -> tuple[int, ...]:
    """Indices of roll and pitch where the thrusters can control them independently and they are not locked."""
    matrix = allocation_matrix(parameters)
    if not matrix.size:
        return ()
    alone = np.diag(matrix @ np.linalg.pinv(matrix, rcond=SMALLEST))
    return tuple(i for i in (3, 4) if alone[i] > CONTROLLABLE and DEGREES_OF_FREEDOM[i] not in locked)


def fin_reach(parameters: VehicleParameters) -> dict[str, tuple[float, float]]:
    """Lowest and highest wrench of all fins at `FIN_SPEED` in the degrees of freedom in which they act.

    Each fin has the best deflection for the one degree of freedom, regardless of the others.
    """
    ends = np.array([_ends(fin) for fin in parameters.fins]).reshape(-1, 2, 6).sum(axis=0)
    return {
        name: (float(low), float(high))
        for name, low, high in zip(DEGREES_OF_FREEDOM, *ends, strict=True)
        if max(abs(low), abs(high)) > _LEAST_WRENCH
    }


def _ends(fin: Fin) -> list[list[float]]:
    """Lowest and highest wrench of one fin."""
    angles = np.linspace(-fin.deflection_limit, fin.deflection_limit, _DEFLECTIONS).tolist()
    wrenches = np.array([fin_wrench(fin, angle, _AHEAD) for angle in angles])
    return [wrenches.min(axis=0).tolist(), wrenches.max(axis=0).tolist()]
