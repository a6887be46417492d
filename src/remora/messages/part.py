"""The roles of the loop, and what a part that fills one sees and gives.

Truth goes to sensors; their readings to navigation, which gives an `Estimate`; guidance gives a reference; controllers
give wrenches, which add up; allocation gives commands; a drive stands between commands and actuators. Any role may be
filled by another part or by none. A part has frozen parameters and passes its state:
`initial() -> state`, `step(state, now) -> (state, output)`.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple, Protocol

from remora.equations.algebra.vectors import Wrench
from remora.logs.schema import Field, Level
from remora.messages.estimate import Estimate
from remora.messages.reading import Reading
from remora.messages.truth import Truth


class Role(IntEnum):
    """The places in the loop for sampled parts, in the order in which they run at one time."""

    NAVIGATION = 0
    GUIDANCE = 1
    CONTROL = 2
    ALLOCATION = 3


class Life(IntEnum):
    """Where a part is in its life. Every change is an event in the log."""

    INACTIVE = 0  # before its start
    WAITING = 1  # it runs and has nothing to give yet: an input is missing
    ACTIVE = 2
    FINISHED = 3  # after its stop


class Now(NamedTuple):
    """What a part sees when its time has come. What a role without a part would give is None, or a zero wrench."""

    time_ns: int
    fresh: tuple[Reading, ...]  # that have arrived since this part ran last, in the order of their arrival
    readings: Mapping[str, Reading]  # the latest of each sensor, by the sensor's name without the vehicle's
    estimate: Estimate | None
    reference: Any
    wrench: Wrench  # for allocation: the sum of what all controllers ask for
    missing: Wrench  # what allocation could not make of it the last time
    truth: Truth | None  # for a part that may see it, without accelerations; None for all others


class PartEvent(NamedTuple):
    """An event of a part for the log. Parts with events have `events_between(state before, state after)`."""

    level: Level
    text: str
    data: Mapping[str, Any]


class Part(Protocol):
    """A sampled part of the loop.

    Its output depends on its role: an `Estimate`, a reference (any tuple of numbers that its controllers understand), a
    wrench of six numbers about B in body axes, or commands. A controller in a loop without allocation gives commands.
    An output of None means that it has nothing to give; the last one does not stay in force.
    """

    @property
    def fields(self) -> tuple[Field, ...]:
        """What `row` gives, for the log; empty where the role says it all (estimates, wrenches, commands)."""

    def initial(self) -> Any:
        """The state before the first step: plain numbers and tuples, to be stored and taken up again."""

    def step(self, state: Any, now: Now) -> tuple[Any, Any]:
        """One sample: the next state and the output."""

    def row(self, output: Any) -> Sequence[float]:
        """An output as numbers for the log, in the order of `fields`."""


class FaultTolerantAllocation(Part, Protocol):
    """Allocation that can stop using failed thrusters. Its state must not depend on the thrusters in use."""

    def without_thrusters(self, disabled: tuple[str, ...]) -> "FaultTolerantAllocation":
        """The same allocation without these thrusters, and without those already disabled."""

    @property
    def uncontrollable(self) -> tuple[str, ...]:
        """Requested degrees of freedom that it cannot produce."""


class AllocationResult(NamedTuple):
    """Output of an allocation that also reports the missing wrench, in place of bare commands."""

    commands: Sequence[float]
    missing: Wrench
