"""Control allocation as parts: actuator commands for the total wrench of the controllers."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias, final

import numpy as np
from pydantic import Field

from remora.control.allocation.commands import InverseTable, commands_from_forces, thruster_inverses
from remora.control.allocation.fin_mixing import FinMixing, fin_mixing
from remora.control.allocation.null_space import (
    DeadBandAvoidance,
    NullSpaceExcitation,
    dead_band_avoidance,
    least_command,
    null_space_excitation,
)
from remora.control.allocation.thrusters import (
    ALL_AXES,
    HELD_AXES,
    AllocatedForces,
    BoundedAllocation,
    PseudoInverse,
    bounded_allocation,
    independent_axes,
    least_forces_kernel,
    pseudo_inverse,
)
from remora.control.feedback.shaft_speed_loop import SpeedGains, shaft_speed_loop
from remora.equations.actuators.laws.law import FORCE_OUTPUT
from remora.equations.actuators.laws.table import law_with
from remora.equations.algebra.vectors import ZERO6
from remora.equations.control.velocity_tracking import smoothed_command
from remora.equations.types import Wrench
from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.files.problems import listed
from remora.files.quantities import Is, Quantity, not_negative, positive, value_or
from remora.files.section import Choice, Section
from remora.files.units import FORCE, THRUST_RATE
from remora.messages.part import AllocationResult, FaultTolerantAllocation, PartInput, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, QuietPart, VehicleContext
from remora.vehicles.checks.actuation import resting_commands, thrust_limits
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.sections.vehicle_sections import DegreeOfFreedom

PositiveNumber: TypeAlias = Annotated[Quantity[float], Is(None, (), positive, plain_only=True)]
LEVEL_WEIGHT = 10.0  # of an error of a priority over one of the next; squared in the cost


class ShaftLoopSection(Section):
    """Gains of the closed loops of the shaft speeds."""

    proportional: Annotated[Quantity[float], Is(None, (), not_negative, plain_only=True)] | None = None
    integral: PositiveNumber | None = None


class AllocationOptions(PartOptions):
    """Controlled degrees of freedom, thrusters not to use, and what is done with the commands."""

    axes: list[DegreeOfFreedom] | None = None
    disabled: list[str] = Field(default_factory=list)
    smoothing: PositiveNumber | None = None
    shaft_loop: ShaftLoopSection | None = None


class BoundedOptions(AllocationOptions):
    """Priorities beyond the limits, costs and rates of thrusters, dead bands, excitation, inflow and fins."""

    choices: ClassVar = (*AllocationOptions.choices, Choice(("torque_priority", "priorities"), required=False))
    torque_priority: Literal["normal", "high"] | None = None
    priorities: list[list[DegreeOfFreedom]] | None = None
    efforts: dict[str, PositiveNumber] = Field(default_factory=dict)
    max_rate: Annotated[Quantity[float], Is(THRUST_RATE, rule=positive)] | None = None
    avoid_dead_bands: bool = False
    excitation: Annotated[Quantity[float], Is(FORCE, rule=positive)] | None = None
    advance: bool = False
    fins: bool = False


@final
@dataclass(frozen=True, eq=False)
class LeastForces(QuietPart):
    """Pseudo-inverse; forces beyond the limits are clipped by the actuators, and their wrench is reported missing."""

    parameters: VehicleParameters
    allocation: PseudoInverse
    commands_are_forces: bool  # whether a command equals the force: no law, map, loss or drive
    disabled: tuple[str, ...] = ()
    lost: tuple[int, ...] = ()  # axes that cannot be controlled any more
    keeps_axes: bool = False  # whether the axes were asked for

    def without_thrusters(self, disabled: tuple[str, ...]) -> "LeastForces":
        """The same allocation without some thrusters, and without torques that now take too much thrust."""
        off, axes = (*self.disabled, *disabled), self.allocation.axes
        if not self.keeps_axes:
            # Only what the failure itself makes too dear is given up; torques that always were stay as asked.
            before, after = (independent_axes(self.parameters, some) for some in (self.disabled, off))
            axes = tuple(axis for axis in axes if axis in HELD_AXES or axis in after or axis not in before)
        left = pseudo_inverse(self.parameters, axes, off)
        given_up = {DEGREES_OF_FREEDOM[axis] for axis in self.allocation.axes if axis not in axes}
        newly = (DEGREES_OF_FREEDOM.index(one) for one in {*left.uncontrollable, *given_up} - {*self.uncontrollable})
        return replace(self, allocation=left, disabled=off, lost=(*self.lost, *sorted(newly)))

    @property
    def uncontrollable(self) -> tuple[str, ...]:
        """Requested degrees of freedom that cannot be controlled."""
        given_up = (DEGREES_OF_FREEDOM[axis] for axis in self.lost if axis not in self.allocation.axes)
        return (*self.allocation.uncontrollable, *given_up)

    def initial(self) -> tuple[()]:
        """No state."""
        return ()

    def step(self, state: tuple[()], now: PartInput) -> tuple[tuple[()], AllocationResult]:
        """Commands of all actuators, fins undeflected, and the missing wrench."""
        forces = self.allocation.allocate(np.array(now.wrench))
        missing = self.beyond_limits(forces)
        if self.lost:
            achieved = self.allocation.matrix.dot(self._clipped(forces))
            missing = _with_lost_axes(missing, self.lost, now.wrench, achieved)
        commands = forces if self.commands_are_forces else _commands(self.parameters, forces.tolist())
        return state, AllocationResult(commands, missing)

    def beyond_limits(self, forces: Array) -> Wrench:
        """Wrench of the controlled axes that thruster limits take from these forces in N.

        It depends on the forces alone: where thrusters cannot control each axis by itself, the difference from the
        demanded wrench would hold integrals without any thruster at its limit.
        """
        if forces.dot(forces) <= self._surely_within:
            return ZERO6
        lost = self.allocation.matrix.dot(forces - self._clipped(forces)).tolist()
        X, Y, Z, K, M, N = (lost[i] if i in self.allocation.axes else 0.0 for i in ALL_AXES)
        return (X, Y, Z, K, M, N)

    @cached_property
    def _limits(self) -> Array:
        """Lowest and highest force of each thruster, N."""
        return thrust_limits(self.parameters)

    @cached_property
    def _surely_within(self) -> float:
        """Sum of squares up to which no force can pass its limit, N2: a test of all at once."""
        return float(np.abs(self._limits).min()) ** 2

    def _clipped(self, forces: Array) -> Array:
        return np.clip(forces, self._limits[:, 0], self._limits[:, 1])


class BoundedSettings(NamedTuple):
    """Settings of the bounded allocation."""

    axes: tuple[int, ...] | None = None  # requested axes; None: those that can be controlled independently
    weights: tuple[float, ...] = (1.0,) * 6  # of an error of each axis
    efforts: tuple[float, ...] | None = None  # cost of a newton of each thruster
    max_change: float = math.inf  # N per step
    avoids_dead_bands: bool = False
    excitation: float = 0.0  # N, in the null space
    uses_advance: bool = False  # whether commands make up for the inflow at the estimated velocity
    fins: FinMixing | None = None  # which take the moments first


@final
@dataclass(frozen=True, eq=False)
class LimitedForces(QuietPart):
    """Least forces within limits that come closest to the wrench; the missing wrench.

    State: the last forces and, with dead-band avoidance, the forces that are owed after them.
    """

    parameters: VehicleParameters
    allocation: BoundedAllocation
    settings: BoundedSettings
    avoidance: DeadBandAvoidance | None = None
    excitation: NullSpaceExcitation | None = None
    disabled: tuple[str, ...] = ()
    lost: tuple[int, ...] = ()  # axes that cannot be controlled any more

    def without_thrusters(self, disabled: tuple[str, ...]) -> "LimitedForces":
        """The same allocation without some thrusters."""
        made = limited_forces(self.parameters, self.settings, (*self.disabled, *disabled))
        axes = (*self.lost, *self.allocation.axes)
        return replace(made, lost=tuple(axis for axis in axes if axis not in made.allocation.axes))

    @property
    def uncontrollable(self) -> tuple[str, ...]:
        """Requested degrees of freedom that cannot be controlled."""
        left = () if self.settings.axes is not None else (i for i in ALL_AXES if i not in self.allocation.axes)
        return (*self.allocation.uncontrollable, *(DEGREES_OF_FREEDOM[i] for i in left))

    def initial(self) -> tuple[float, ...]:
        """Zero forces."""
        return (0.0,) * (len(self.parameters.thrusters) * (1 if self.avoidance is None else 2))

    def step(self, state: tuple[float, ...], now: PartInput) -> tuple[tuple[float, ...], AllocationResult]:
        """Commands of all actuators, and the missing wrench."""
        deflections, wrench = self._fins(now)
        count = len(self.parameters.thrusters)
        found, reach = self._allocated(wrench, state[:count])
        forces, owed = found.forces, np.array(state[count:])
        # Biases first: only thrusters that none can bring out of their dead bands alternate.
        if self.avoidance is not None:
            forces = self.avoidance.outside(forces, reach, np.array(state[:count]))
            forces, owed = self.avoidance.pulsed(forces, reach, owed)
        # Last, so that no limit or dead band is worked out with forces that move nothing.
        if self.excitation is not None:
            forces = self.excitation.added(forces, reach, now.time_ns)
        twist = now.estimate.twist if self.settings.uses_advance and now.estimate is not None else ZERO6
        twist = twist if math.isfinite(sum(twist)) else ZERO6
        commands = self._inverses.commands(forces, twist) + deflections
        missing = _with_lost_axes(found.shortfall, self.lost, wrench, found.wrench)
        return (*forces.tolist(), *owed.tolist()), AllocationResult(commands, missing)

    @cached_property
    def _inverses(self) -> InverseTable:
        return InverseTable(thruster_inverses(self.parameters))

    def _allocated(self, wrench: Array, last: tuple[float, ...]) -> tuple[AllocatedForces, tuple[Array, Array]]:
        """Forces within the limits, and the limits: those that can be reached within one step."""
        allocation, change = self.allocation, self.settings.max_change
        if math.isinf(change):
            return allocation.allocate(wrench), (allocation.lowest, allocation.highest)
        before = np.array(last)
        reach = (np.maximum(allocation.lowest, before - change), np.minimum(allocation.highest, before + change))
        # A thruster that has failed since stops at once.
        reach = (np.minimum(reach[0], allocation.highest), np.maximum(reach[1], allocation.lowest))
        return allocation.allocate(wrench, reach), reach

    def _fins(self, now: PartInput) -> tuple[list[float], Array]:
        """Deflections of the fins for the moments, and the wrench that is left for the thrusters."""
        wrench, mixing = np.array(now.wrench, dtype=float), self.settings.fins
        if mixing is None or now.estimate is None or not math.isfinite(now.estimate.twist[0]):
            return [0.0] * len(self.parameters.fins), wrench
        # Fins turn a vehicle under way at no thrust: thrusters give only what the fins leave.
        speed = now.estimate.twist[0]
        deflections = mixing.fins_from_moments(wrench[3:].tolist(), speed)
        wrench[3:] -= mixing.moments_from_fins(deflections.tolist(), speed)
        return deflections.tolist(), wrench


def _with_lost_axes(missing: Wrench, lost: tuple[int, ...], wrench: Array | Wrench, achieved: Array) -> Wrench:
    """Missing wrench, with all that lost axes lack: integrals of controllers must not wind up there."""
    X, Y, Z, K, M, N = (float(wrench[i] - achieved[i]) if i in lost else missing[i] for i in ALL_AXES)
    return (X, Y, Z, K, M, N)


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
    # Then the force itself is the command, and no inverse is needed.
    direct = plain and lossless and not parameters.drives
    allocation = pseudo_inverse(parameters, _axes(options), options.disabled)
    least_forces_kernel()  # compiled now, if ever, and not within a run
    made = LeastForces(parameters, allocation, direct, tuple(options.disabled), keeps_axes=options.axes is not None)
    return _finished(made, options, onboard)


def make_bounded(options: BoundedOptions, onboard: VehicleContext) -> FaultTolerantAllocation:
    """The bounded allocation for a vehicle."""
    parameters = onboard.vehicle.parameters
    _check_thrusters(parameters, options)
    settings = BoundedSettings(
        None if options.axes is None else _axes(options),
        _weights(options),
        _efforts(options, parameters),
        options.max_rate.value * onboard.period if options.max_rate else math.inf,
        options.avoid_dead_bands,
        options.excitation.value if options.excitation else 0.0,
        options.advance,
        _fin_mixing(parameters) if options.fins else None,
    )
    if options.avoid_dead_bands and not any(least_command(drive) > 0.0 for drive in parameters.drives):
        raise PartError("no drive of the vehicle has a dead band. Leave it out.", "avoid_dead_bands")
    made = limited_forces(parameters, settings, tuple(options.disabled))
    if made.avoidance is not None and made.avoidance.single and options.smoothing is not None:
        alone = listed([parameters.thruster_names[i] for i in made.avoidance.single])
        raise PartError(
            f"no thruster opposes {alone}, which alternate between rest and the edge of their dead bands: smoothing "
            "would bring them back inside. Leave out smoothing or avoid_dead_bands.",
            "avoid_dead_bands",
        )
    if options.excitation is not None and made.excitation is None:
        raise PartError("no thruster is redundant, so that it would move the vehicle. Leave it out.", "excitation")
    return _finished(made, options, onboard)


def _weights(options: BoundedOptions) -> tuple[float, ...]:
    """Weight of an error of each axis; each level of `priorities` weighs less than the one before."""
    if options.priorities is None:
        return (1.0,) * 3 + (10.0 if options.torque_priority == "high" else 1.0,) * 3
    named = [axis for level in options.priorities for axis in level]
    if twice := [axis for axis in named if named.count(axis) > 1]:
        raise PartError(f"names {twice[0]} twice.", "priorities")
    lowest = len(options.priorities)
    level_of: dict[str, int] = {axis: k for k, level in enumerate(options.priorities) for axis in level}
    return tuple(LEVEL_WEIGHT ** (lowest - level_of.get(axis, lowest)) for axis in DEGREES_OF_FREEDOM)


def _efforts(options: BoundedOptions, parameters: VehicleParameters) -> tuple[float, ...] | None:
    """Cost of a newton of each thruster; None for equal ones."""
    for name in options.efforts:
        if name not in parameters.thruster_names:
            known = suggestion(name, parameters.thruster_names)
            raise PartError(f"the vehicle has no such thruster. {known}", "efforts", name)
    if not options.efforts:
        return None
    return tuple(options.efforts[name].value if name in options.efforts else 1.0 for name in parameters.thruster_names)


def _fin_mixing(parameters: VehicleParameters) -> FinMixing:
    if not parameters.fins:
        raise PartError("the vehicle has no fins. Leave it out.", "fins")
    return fin_mixing(parameters)


def _finished(
    allocation: FaultTolerantAllocation, options: AllocationOptions, onboard: VehicleContext
) -> FaultTolerantAllocation:
    """The allocation with smoothed commands and closed loops of the shaft speeds, where these are asked for."""
    smoothed = _smoothed(allocation, options, onboard)
    if options.shaft_loop is None:
        return smoothed
    given = options.shaft_loop
    gains = SpeedGains(value_or(given.proportional, 0.3), value_or(given.integral, 1.0))
    return shaft_speed_loop(smoothed, gains, getattr(options, "advance", False), onboard)


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
    parameters: VehicleParameters, settings: BoundedSettings, disabled: tuple[str, ...] = ()
) -> LimitedForces:
    """Bounded allocation for some axes, or for all that can be controlled independently."""
    made = independent_axes(parameters, disabled) if settings.axes is None else settings.axes
    importance = [settings.weights[axis] for axis in made]
    allocation = bounded_allocation(parameters, made, disabled, importance, settings.efforts)
    avoidance = dead_band_avoidance(parameters, allocation.matrix, made) if settings.avoids_dead_bands else None
    excitation = null_space_excitation(allocation.matrix, settings.excitation) if settings.excitation else None
    return LimitedForces(parameters, allocation, settings, avoidance, excitation, disabled)


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


@final
@dataclass(frozen=True, eq=False)
class SmoothedAllocation(QuietPart):
    """An allocation whose commands pass a first-order low-pass filter, from the neutral commands on."""

    allocation: FaultTolerantAllocation
    neutral: tuple[float, ...]  # commands at rest
    gain: float  # 1/s
    period: float  # s

    def without_thrusters(self, disabled: tuple[str, ...]) -> "SmoothedAllocation":
        """The same allocation without some thrusters."""
        return replace(self, allocation=self.allocation.without_thrusters(disabled))

    @property
    def uncontrollable(self) -> tuple[str, ...]:
        """Requested degrees of freedom that cannot be controlled."""
        return self.allocation.uncontrollable

    def initial(self) -> tuple[tuple[float, ...], Any]:
        """The neutral commands, and the state of the allocation."""
        return self.neutral, self.allocation.initial()

    def step(self, state: tuple[tuple[float, ...], Any], now: PartInput) -> tuple[tuple[tuple[float, ...], Any], Any]:
        """Smoothed commands, and the missing wrench of the allocation."""
        last, inner = state
        inner, output = self.allocation.step(inner, now)
        commands = output.commands if isinstance(output, AllocationResult) else output
        smoothed = tuple(
            smoothed_command(before, float(command), self.gain, self.period)
            for before, command in zip(last, commands, strict=True)
        )
        if isinstance(output, AllocationResult):
            return (smoothed, inner), AllocationResult(smoothed, output.missing)
        return (smoothed, inner), list(smoothed)
