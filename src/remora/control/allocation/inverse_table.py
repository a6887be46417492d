"""Commands of all thrusters for their forces: their inverses, in one compiled call where they have a compiled form."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, final

import numpy as np
from numba import boolean, float64, void

from remora.control.allocation.commands import ThrusterInverse
from remora.equations.actuators.laws.force import output_of_force
from remora.equations.actuators.laws.table import law_with
from remora.equations.actuators.thrusters import (
    advance_speed,
    command_from_speed,
    saturate,
    speed_from_thrust,
    thrust_for_effect,
)
from remora.equations.algebra.vectors import Twist, vector6_at
from remora.equations.hull.forms.form import flat_numbers
from remora.equations.packed import THRUSTER_SIZE, thruster_at
from remora.files.arrays import Array
from remora.plant.strict import strict_kernel

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
        thruster = thruster_at(rows, i * THRUSTER_SIZE)
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
