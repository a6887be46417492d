"""What a vehicle's thrusters can do together: their effect per newton, their limits, and the wrenches within reach."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from remora.equations.thrusters import OUTPUT_IS_FORCE, Thruster, effective_thrust, speed_from_command, thrust
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters

Array = NDArray[np.float64]

HELD = [DEGREES_OF_FREEDOM.index(name) for name in ("surge", "sway", "heave", "yaw")]

# A singular value below this share of the largest is taken for zero; levers are scaled by one metre.
RANK_TOLERANCE = 1e-6


class Reach(NamedTuple):
    """How far the thrusters push in one degree of freedom, from rest in still water, in N or N m."""

    name: str
    most: tuple[float, float]  # lowest and highest, whatever happens in the others
    alone: tuple[float, float]  # lowest and highest without surge, sway, heave or yaw besides; roll and pitch are free


def allocation_matrix(parameters: VehicleParameters) -> Array:
    """Wrench about B per newton of effective thrust, one column per thruster."""
    return np.array([thruster.effect for thruster in parameters.thrusters]).reshape(-1, 6).T


def thrust_limits(parameters: VehicleParameters) -> Array:
    """Lowest and highest effective thrust of each thruster at its command limits, at rest in still water."""
    limits = []
    for thruster in parameters.thrusters:
        ends = [
            effective_thrust(thruster, _static_thrust(parameters, thruster, command))
            for command in (thruster.command_minimum, thruster.command_maximum)
        ]
        limits.append((min(*ends, 0.0), max(*ends, 0.0)))
    return np.array(limits).reshape(-1, 2)


def command_limits(parameters: VehicleParameters) -> Array:
    """Lowest and highest command of each actuator, thrusters first and then fins: n x 2."""
    thrusters = [(thruster.command_minimum, thruster.command_maximum) for thruster in parameters.thrusters]
    fins = [(-fin.deflection_limit, fin.deflection_limit) for fin in parameters.fins]
    return np.array([*thrusters, *fins], dtype=float).reshape(-1, 2)


def _static_thrust(parameters: VehicleParameters, thruster: Thruster, command: float) -> float:
    """Thrust at a held command with no inflow."""
    output = speed_from_command(thruster.command_map, command) if parameters.mapped_commands else command
    return output if parameters.thrust_law == OUTPUT_IS_FORCE else thrust(thruster, output, 0.0)


def rank(parameters: VehicleParameters) -> int:
    """Number of independent directions of the wrench that thrusters can make."""
    matrix = allocation_matrix(parameters)
    return int(np.linalg.matrix_rank(matrix, tol=RANK_TOLERANCE * max(1.0, np.abs(matrix).max(initial=0.0))))


def reachable_wrench(parameters: VehicleParameters) -> list[Reach]:
    """How far the thrusters push in each degree of freedom, freely and by itself.

    By itself means without pushing in surge, sway, heave or yaw besides; roll and pitch are left to hydrostatics, which
    hold them on most vehicles. A vehicle with fewer than six independent thrusters could push nowhere otherwise.
    """
    matrix, limits = allocation_matrix(parameters), thrust_limits(parameters)
    reaches = []
    for i, name in enumerate(DEGREES_OF_FREEDOM):
        ends = np.sort(matrix[i, :, None] * limits, axis=1).sum(axis=0) if limits.size else np.zeros(2)
        others = matrix[[j for j in HELD if j != i]]
        alone = tuple(_extreme(matrix[i], others, limits, sign) for sign in (-1.0, 1.0))
        reaches.append(Reach(name, (float(ends[0]), float(ends[1])), (alone[0], alone[1])))
    return reaches


def _extreme(goal: Array, others: Array, limits: Array, sign: float) -> float:
    """Largest wrench of this sign in one direction while the others vanish: a linear programme over the thrusts."""
    if not limits.size or not np.all(np.isfinite(limits)):
        return 0.0 if not limits.size else sign * np.inf
    solution: Any = linprog(-sign * goal, A_eq=others, b_eq=np.zeros(len(others)), bounds=limits, method="highs")
    reached = float(goal @ solution.x) if solution.success else 0.0
    return 0.0 if abs(reached) < 1e-9 else reached
