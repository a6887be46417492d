"""Roles of the control loop, and the interface of the parts that fill them.

Sensors measure the true state. Navigation turns readings into an `Estimate`, guidance gives a reference, controllers
give wrenches that are added up, and control allocation turns their sum into commands. The drive model sits between
commands and actuators. Each role may be filled by any part, or by none. A part has frozen parameters; its state is
passed in and out: `initial() -> state`, `step(state, now) -> (state, output)`.
"""

from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple, Protocol, TypeGuard

from remora.equations.types import Wrench
from remora.files.arrays import Array
from remora.logs.schema import Field, Level
from remora.messages.estimate import Estimate
from remora.messages.operator_command import OperatorCommand
from remora.messages.reading import Reading
from remora.messages.truth import Truth


class Role(IntEnum):
    """Roles of sampled parts, in their order of execution at one time."""

    NAVIGATION = 0
    GUIDANCE = 1
    CONTROL = 2
    ALLOCATION = 3


class Lifecycle(IntEnum):
    """Lifecycle state of a part. Every change is an event in the log."""

    INACTIVE = 0  # before its start
    WAITING = 1  # running without output: an input is missing
    ACTIVE = 2
    FINISHED = 3  # after its stop
    PAUSED = 4  # while the parts of an assembly act in its place


class PartInput(NamedTuple):
    """Input of a part at one sample. The output of a role without a part is None, or a zero wrench."""

    time_ns: int
    new_readings: tuple[Reading, ...]  # arrived since the last sample of this part, in order of arrival
    readings: Mapping[str, Reading]  # the latest of each sensor, by name without the vehicle
    estimate: Estimate | None
    reference: Any
    wrench: Wrench  # for a part that gives commands: the sum over all controllers, less what a hand-over takes off
    missing: Wrench  # the part of the last wrench that allocation could not produce
    truth: Truth | None  # without accelerations, for a part that may see it; None for all others
    commands: tuple[float, ...] = ()  # for navigation: held now, in the units of the actuators
    operator: tuple[OperatorCommand, ...] = ()  # for guidance: received since its last sample


class PartReport(NamedTuple):
    """Message of a part for the log, from its optional method `reports(state_before, state_after)`."""

    level: Level
    text: str
    data: Mapping[str, Any]


class Part(Protocol):
    """A sampled part of the loop.

    Its output depends on its role: an `Estimate`, a reference (a tuple of numbers that its controllers understand), a
    wrench about B in body axes (N and N m), or commands. A controller in a loop without allocation gives commands.
    None means no output at this sample; the last output is not held.
    """

    @property
    def fields(self) -> tuple[Field, ...]:
        """Log fields of `row`; empty where the role defines them (estimates, wrenches, commands)."""

    def initial(self) -> Any:
        """State before the first step: plain numbers and tuples, so that it can be stored in a checkpoint."""

    def step(self, state: Any, now: PartInput) -> tuple[Any, Any]:
        """One sample: the next state and the output."""

    def row(self, output: Any) -> Sequence[float]:
        """An output as numbers for the log, in the order of `fields`."""


class FaultDetection(Part, Protocol):
    """Navigation that detects failed thrusters; the allocation does without them from its next step on."""

    def failed_thrusters(self, state: Any) -> tuple[str, ...]:
        """Names of the thrusters that failed."""


class JoinedFaultDetection(FaultDetection, Protocol):
    """Fault detection that can take over the thrusters of an assembly that its vehicle has joined."""

    def tested_thrusters(self, state: Any) -> tuple[str, ...]:
        """Names of thrusters that the allocation leaves out for a test."""

    def lost_thrust(self, state: Any) -> Mapping[str, float]:
        """Shares of the thrust that are lost, by name of the thruster."""

    def watching(self, plant: Any) -> "JoinedFaultDetection":
        """The same part for the thrusters of another plant about the same origin; of none without a plant."""

    def watching_from(self, state: Any, lost: Mapping[str, float]) -> Any:
        """The state of the part that begins to watch, with known losses."""


def detects_thruster_faults(part: Any) -> bool:
    """Whether navigation detects failed thrusters: it has the method, and no `is_detecting` that is False."""
    return callable(getattr(part, "failed_thrusters", None)) and bool(getattr(part, "is_detecting", True))


def joins_assemblies(part: Any) -> TypeGuard[JoinedFaultDetection]:
    """Whether navigation detects failed thrusters, also of an assembly."""
    return detects_thruster_faults(part) and callable(getattr(part, "watching", None))


def unmeasured(part: Any, state: Any) -> Mapping[str, str]:
    """Quantities of the estimate that no sensor of a navigation measures at present, each with the reason.

    They are unknown, or as good as a model only. From its optional method `unmeasured(state)`.
    """
    asked = getattr(part, "unmeasured", None)
    found: Mapping[str, str] = {} if asked is None else asked(state)
    return found


class FaultTolerantAllocation(Part, Protocol):
    """Control allocation that can leave thrusters out; its state does not depend on which.

    What controllers made up for before a detected failure is taken off its demanded wrench, `PartInput.wrench`. A part
    with a method `taking_over(state, lost)`, from lost shares of thrust by name to the state, does so itself.
    """

    def without_thrusters(self, disabled: tuple[str, ...]) -> "FaultTolerantAllocation":
        """The same allocation without these thrusters, besides those that it leaves out already."""

    @property
    def uncontrollable(self) -> tuple[str, ...]:
        """Requested degrees of freedom that its thrusters cannot produce."""


class OperatedGuidance(Part, Protocol):
    """Guidance that takes commands of an operator."""

    takes_operator: bool  # True
    has_mission: bool  # that an operator may start

    def check_operator(self, command: OperatorCommand, unknown: Collection[str]) -> str:
        """Remark on a command that does other than it says, empty for none; CommandError for one without effect.

        Quantities of the estimate may be unknown.
        """

    def operator_goal(self, command: OperatorCommand) -> Any:
        """The `Goal` of a command, which must lie in the water; None for none."""


def takes_operator(part: Any) -> bool:
    """Whether guidance takes commands of an operator."""
    return bool(getattr(part, "takes_operator", False))


def checks_operator(part: Any) -> TypeGuard[OperatedGuidance]:
    """Whether it checks them too, before it gets them."""
    return takes_operator(part) and callable(getattr(part, "check_operator", None))


class ReachedPoint(NamedTuple):
    """A waypoint that guidance counts as reached, by the estimate."""

    number: int  # from 1 on
    tolerance: float  # m


class AllocationResult(NamedTuple):
    """Commands of an allocation, with the part of the wrench that it could not produce."""

    commands: Sequence[float] | Array
    missing: Wrench
