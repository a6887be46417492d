"""Failed thrusters: allocations that leave them out, and the bumpless transfer to such an allocation.

Until a failure is known the controllers make up for the thrust that is lacking, and their integrals keep it. An
allocation without the failed thruster gives the whole demanded wrench, so that they would push the vehicle. What they
have made up for is the lacking wrench but for the part that still accelerates the vehicle. It is taken off the demanded
wrench, so that the wrench on the water goes on without a step, and fades while the integrals unwind.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeGuard, final

import numpy as np

from remora.equations.actuators.thrusters import effective_thrust, saturate
from remora.equations.algebra.vectors import ZERO6
from remora.equations.types import Twist, Wrench
from remora.files.arrays import Array
from remora.messages.part import FaultTolerantAllocation, Part
from remora.vehicles.checks.actuation import allocation_matrix, command_range, steady_output, thrust_at
from remora.vehicles.drives import DIRECT, full_voltage, input_from_command
from remora.vehicles.parameters import VehicleParameters, total_inertia
from remora.vehicles.thrust_table import ThrustTable

UNWINDING = 15.0  # s, time constant of the fading: that of integral action or longer
AVERAGING = 0.1  # s, time constant of the acceleration


class TransferState(NamedTuple):
    """Motion up to the latest estimate, and the wrench that is taken off."""

    time_ns: int = -1
    twist: Twist = ZERO6
    acceleration: Wrench = ZERO6  # mean of the latest time, m/s2 and rad/s2
    relief: Wrench = ZERO6  # N and N m, at its time
    relief_ns: int = -1  # negative without a hand-over


@final
@dataclass(frozen=True)
class BumplessTransfer:
    """Transfer of a vehicle."""

    parameters: VehicleParameters

    def moved(self, state: TransferState, time_ns: int, twist: Twist) -> TransferState:
        """The state after another estimate of the twist in body axes, m/s and rad/s."""
        if not math.isfinite(sum(twist)):
            return state._replace(time_ns=-1)
        elapsed = 1e-9 * (time_ns - state.time_ns)
        if state.time_ns < 0 or elapsed <= 0.0:
            return state._replace(time_ns=time_ns, twist=twist, acceleration=ZERO6)
        # A difference amplifies the noise of the estimate, hence the running mean.
        share = -math.expm1(-elapsed / AVERAGING)
        a, b, c, d, e, f = (
            mean + share * ((new - old) / elapsed - mean)
            for mean, new, old in zip(state.acceleration, twist, state.twist, strict=True)
        )
        return state._replace(time_ns=time_ns, twist=twist, acceleration=(a, b, c, d, e, f))

    def handed_over(
        self, state: TransferState, time_ns: int, lost: Mapping[str, float], commands: Sequence[float]
    ) -> TransferState:
        """The state when an allocation begins to leave out thrusters, with the shares of thrust that they lost.

        Commands are those that they had until now.
        """
        lacking = self.lacking(lost, commands)
        # With nothing made up for, the vehicle accelerates against what is lacking, and the sum below is zero.
        unbalanced = self._inertia @ np.array(state.acceleration)
        # The integrals can have made up for some of what is lacking, neither for more nor against it.
        made_up = np.clip(lacking + unbalanced, np.minimum(lacking, 0.0), np.maximum(lacking, 0.0))
        # On top of what an earlier hand-over still takes off.
        a, b, c, d, e, f = (made_up + np.array(self.relief(state, time_ns))).tolist()
        return state._replace(relief=(a, b, c, d, e, f), relief_ns=time_ns)

    def relief(self, state: TransferState, time_ns: int) -> Wrench:
        """Wrench about B in body axes to take off the demanded one at a time, N and N m."""
        if state.relief_ns < 0:
            return ZERO6
        left = math.exp(-1e-9 * (time_ns - state.relief_ns) / UNWINDING)
        a, b, c, d, e, f = (left * one for one in state.relief)
        return (a, b, c, d, e, f)

    def lacking(self, lost: Mapping[str, float], commands: Sequence[float]) -> Array:
        """Wrench about B in body axes that thrusters lack at their commands, N and N m, from lost shares of thrust."""
        forces, names = np.zeros(len(self.parameters.thrusters)), self.parameters.thruster_names
        for name, share in lost.items():
            if name in names:
                forces[names.index(name)] = share * self._force(names.index(name), commands[names.index(name)])
        return np.asarray(allocation_matrix(self.parameters) @ forces, dtype=float)

    def _force(self, index: int, command: float) -> float:
        """Effective force of a sound thruster at rest for a command, N."""
        parameters, drive = self.parameters, (self.parameters.drives or (DIRECT,) * (index + 1))[index]
        voltage = full_voltage(drive.law, parameters.supply) if isinstance(drive.law, ThrustTable) else 0.0
        command = saturate(input_from_command(drive, command, voltage), *command_range(parameters, index))
        output = steady_output(parameters, index, command)
        return effective_thrust(parameters.thrusters[index], thrust_at(parameters, index, output, 0.0))

    @cached_property
    def _inertia(self) -> Array:
        return np.array(total_inertia(self.parameters))


def is_fault_tolerant(part: Any) -> TypeGuard[FaultTolerantAllocation]:
    """Whether an allocation can stop using failed thrusters."""
    return callable(getattr(part, "without_thrusters", None))


def allocation_without(part: Part, disabled: tuple[str, ...]) -> Part:
    """The allocation without disabled thrusters; unchanged when there are none or it is not fault-tolerant."""
    return part.without_thrusters(disabled) if disabled and is_fault_tolerant(part) else part


def lost_degrees_of_freedom(before: Part, after: Part) -> tuple[str, ...]:
    """Degrees of freedom that the allocation could control before, and cannot after."""
    uncontrollable = getattr(before, "uncontrollable", ())
    return tuple(name for name in getattr(after, "uncontrollable", ()) if name not in uncontrollable)
