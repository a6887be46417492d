"""Control allocation as parts: actuator commands for the total wrench of the controllers."""

from dataclasses import dataclass, replace
from typing import Annotated, Literal, final

import numpy as np
from pydantic import Field

from remora.control.allocation.commands import commands_from_forces
from remora.control.allocation.thrusters import (
    ALL_AXES,
    BoundedAllocation,
    PseudoInverse,
    bounded_allocation,
    independent_axes,
    pseudo_inverse,
)
from remora.control.parts.smoothed_allocation import SmoothedAllocation
from remora.equations.actuators.laws.law import FORCE_OUTPUT
from remora.equations.actuators.laws.table import law_with
from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.files.quantities import Is, Quantity, positive
from remora.messages.part import AllocationResult, FaultTolerantAllocation, PartInput, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, QuietPart, VehicleContext
from remora.vehicles.checks.actuation import resting_commands
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.sections.vehicle_sections import DegreeOfFreedom


class AllocationOptions(PartOptions):
    """Controlled degrees of freedom, and thrusters not to use."""

    axes: list[DegreeOfFreedom] | None = None
    disabled: list[str] = Field(default_factory=list)
    smoothing: Annotated[Quantity[float], Is(None, (), positive, plain_only=True)] | None = None


class BoundedOptions(AllocationOptions):
    """Priority of torques for wrenches beyond the limits."""

    torque_priority: Literal["normal", "high"] = "normal"


@final
@dataclass(frozen=True, eq=False)
class LeastForces(QuietPart):
    """Pseudo-inverse; forces beyond the limits are clipped by the actuators."""

    parameters: VehicleParameters
    allocation: PseudoInverse
    commands_are_forces: bool  # whether a command equals the force: no law, map, loss or drive
    disabled: tuple[str, ...] = ()

    def without_thrusters(self, disabled: tuple[str, ...]) -> "LeastForces":
        """The same allocation without some thrusters."""
        off = (*self.disabled, *disabled)
        return replace(self, allocation=pseudo_inverse(self.parameters, self.allocation.axes, off), disabled=off)

    @property
    def uncontrollable(self) -> tuple[str, ...]:
        """Requested degrees of freedom that cannot be controlled."""
        return self.allocation.uncontrollable

    def initial(self) -> tuple[()]:
        """No state."""
        return ()

    def step(self, state: tuple[()], now: PartInput) -> tuple[tuple[()], Array | list[float]]:
        """Commands of all actuators; fins undeflected."""
        forces = self.allocation.allocate(np.array(now.wrench))
        if self.commands_are_forces:
            return state, forces
        return state, _commands(self.parameters, forces.tolist())


@final
@dataclass(frozen=True, eq=False)
class LimitedForces(QuietPart):
    """Least forces within limits that come closest to the wrench, and the missing wrench."""

    parameters: VehicleParameters
    allocation: BoundedAllocation
    axes: tuple[int, ...] | None  # requested axes; None: those that can be controlled independently
    torque_weight: float  # weight of a torque error over a force error
    disabled: tuple[str, ...] = ()

    def without_thrusters(self, disabled: tuple[str, ...]) -> "LimitedForces":
        """The same allocation without some thrusters."""
        return limited_forces(self.parameters, self.axes, self.torque_weight, (*self.disabled, *disabled))

    @property
    def uncontrollable(self) -> tuple[str, ...]:
        """Requested degrees of freedom that cannot be controlled."""
        left = () if self.axes is not None else (i for i in ALL_AXES if i not in self.allocation.axes)
        return (*self.allocation.uncontrollable, *(DEGREES_OF_FREEDOM[i] for i in left))

    def initial(self) -> tuple[()]:
        """No state."""
        return ()

    def step(self, state: tuple[()], now: PartInput) -> tuple[tuple[()], AllocationResult]:
        """Commands of all actuators, fins undeflected, and the missing wrench."""
        found = self.allocation.allocate(now.wrench)
        return state, AllocationResult(_commands(self.parameters, found.forces.tolist()), found.shortfall)


def _commands(parameters: VehicleParameters, forces: list[float]) -> list[float]:
    """Commands of thrusters, then of fins."""
    return [*commands_from_forces(parameters, forces), *(0.0 for _ in parameters.fins)]


def make_pseudo_inverse(options: AllocationOptions, onboard: VehicleContext) -> FaultTolerantAllocation:
    """The pseudo-inverse for a vehicle."""
    parameters = onboard.vehicle.parameters
    _check_thrusters(parameters, options)
    plain = (
        law_with(parameters.thrust_law).output == FORCE_OUTPUT
        and not parameters.mapped_commands
        and not parameters.fins
    )
    lossless = all(t.effectiveness_forward == t.effectiveness_reverse == 1.0 for t in parameters.thrusters)
    direct = plain and lossless and not parameters.drives
    allocation = pseudo_inverse(parameters, _axes(options), options.disabled)
    return _smoothed(LeastForces(parameters, allocation, direct, tuple(options.disabled)), options, onboard)


def make_bounded(options: BoundedOptions, onboard: VehicleContext) -> FaultTolerantAllocation:
    """The bounded allocation for a vehicle."""
    parameters = onboard.vehicle.parameters
    _check_thrusters(parameters, options)
    axes, weight = None if options.axes is None else _axes(options), 10.0 if options.torque_priority == "high" else 1.0
    return _smoothed(limited_forces(parameters, axes, weight, tuple(options.disabled)), options, onboard)


def _smoothed(
    allocation: FaultTolerantAllocation, options: AllocationOptions, onboard: VehicleContext
) -> FaultTolerantAllocation:
    """The allocation with smoothed commands, where a gain is given."""
    if options.smoothing is None:
        return allocation
    if options.smoothing.value * onboard.period >= 1.0:
        most = 1.0 / onboard.period
        raise PartError(
            f"must be below {most:.3g} 1/s, the rate of the allocation: it would smooth nothing.", "smoothing"
        )
    parameters = onboard.vehicle.parameters
    count = len(parameters.thrusters) + len(parameters.fins)
    neutral = tuple(resting_commands(parameters, np.zeros(count)).tolist())
    return SmoothedAllocation(allocation, neutral, options.smoothing.value, onboard.period)


def limited_forces(
    parameters: VehicleParameters, axes: tuple[int, ...] | None, torque_weight: float, disabled: tuple[str, ...] = ()
) -> LimitedForces:
    """Bounded allocation for some axes, or for all that can be controlled independently."""
    made = independent_axes(parameters, disabled) if axes is None else axes
    importance = [torque_weight if axis > 2 else 1.0 for axis in made]
    allocation = bounded_allocation(parameters, made, disabled, importance)
    return LimitedForces(parameters, allocation, axes, torque_weight, disabled)


def _axes(options: AllocationOptions) -> tuple[int, ...]:
    if options.axes is None:
        return ALL_AXES
    if not options.axes:
        raise PartError("names no degree of freedom. Name some, or leave it out for all six.", "axes")
    return tuple(sorted({DEGREES_OF_FREEDOM.index(axis) for axis in options.axes}))


def _check_thrusters(parameters: VehicleParameters, options: AllocationOptions) -> None:
    if not parameters.thrusters:
        raise PartError("the vehicle has no thrusters to share a wrench out among. Give commands instead.", "part")
    for index, name in enumerate(options.disabled):
        if name not in parameters.thruster_names:
            known = suggestion(name, parameters.thruster_names)
            raise PartError(f"the vehicle has no such thruster. {known}", "disabled", index)


PSEUDO_INVERSE = PartKind("pseudo_inverse", Role.ALLOCATION, AllocationOptions, make_pseudo_inverse)
BOUNDED = PartKind("bounded", Role.ALLOCATION, BoundedOptions, make_bounded)
