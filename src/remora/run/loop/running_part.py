"""One part in a run: inputs and outputs, schedule and state, and the hand-over after a failure of thrusters."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, final

from remora.control.allocation.bumpless_transfer import BumplessTransfer, TransferState, is_fault_tolerant
from remora.equations.types import Wrench
from remora.files.arrays import Array
from remora.files.units import NEVER
from remora.messages.part import Lifecycle, Part, Role
from remora.messages.reading import Reading
from remora.messages.truth import Truth
from remora.run.loop.errors import LoopError, failure_text, origin_text
from remora.run.setup import ScheduledPart
from remora.vehicles.parameters import VehicleParameters


class TruthSource(Protocol):
    """Gives the truth to parts that may see it."""

    def truth_for_parts(self, time_ns: int) -> Truth:
        """The truth at a time."""


class ReadingSource(Protocol):
    """Gives readings to parts."""

    in_transit: list[Reading]

    @property
    def readings(self) -> Mapping[str, Reading]:
        """The latest of each sensor, by name without that of the vehicle."""

    def arrived(self, time_ns: int) -> list[Reading]:
        """Readings that have arrived since the last call."""

    def losses(self) -> str:
        """Sensors that have nothing to measure, with the cause."""


class ActuatorChain(Protocol):
    """Takes commands: the actuators of a vehicle, or of all modules of an assembly."""

    missing: Wrench  # demanded wrench minus allocated wrench

    @property
    def count(self) -> int:
        """Number of actuators."""

    @property
    def rest(self) -> Array:
        """Commands at rest."""

    @property
    def commands(self) -> Array:
        """The present commands."""

    @property
    def inputs(self) -> Array:
        """The present inputs of the plant."""

    @property
    def faulty(self) -> frozenset[str]:
        """Actuators that do not follow their commands."""

    @property
    def charge(self) -> float | None:
        """State of charge of the battery; None without one."""

    def command(self, commands: Array, time_ns: int) -> None:
        """Set the commands, held until the next call."""


@final
class RunningPart:
    """A part, its state and its next step."""

    __slots__ = (
        "disabled",
        "failed_thrusters",
        "gives_commands",
        "gives_wrench",
        "is_logged",
        "life",
        "lost_thrust",
        "needs",
        "new_readings",
        "next",
        "output",
        "period",
        "reports",
        "scheduled",
        "sees_truth",
        "state",
        "step",
        "stop",
        "tested",
        "tested_thrusters",
    )  # fmt: skip

    def __init__(self, scheduled: ScheduledPart, step_ns: int, has_allocation: bool) -> None:
        self.scheduled, self.sees_truth = scheduled, scheduled.sees_truth
        self.is_logged = bool(scheduled.part.fields)
        self.needs = frozenset(getattr(scheduled.part, "needs", ()))  # required quantities of the estimate
        self.gives_wrench = scheduled.role == Role.CONTROL and has_allocation
        self.gives_commands = scheduled.role >= Role.CONTROL and not self.gives_wrench
        self.period, self.next = scheduled.period_ns // step_ns, scheduled.start_ns // step_ns
        self.stop = NEVER if scheduled.stop_ns is None else -(-scheduled.stop_ns // step_ns)
        self.use(scheduled.part)
        self.disabled: tuple[str, ...] = ()  # thrusters that the allocation does not use
        self.tested: tuple[str, ...] = ()  # and those that it leaves out for a test
        try:
            self.state = scheduled.part.initial()
        except Exception as error:
            role = scheduled.role.name.lower()
            what = f'{role} "{scheduled.name}"{origin_text(scheduled.part)}: initial() {failure_text(error)}'
            raise LoopError(what, 0) from error
        self.life = Lifecycle.INACTIVE
        self.output: Any = None
        self.new_readings: list[Reading] = []

    def replace(self, scheduled: ScheduledPart) -> None:
        """Take another part of the same role, schedule and state."""
        self.scheduled, self.disabled, self.tested = scheduled, (), ()
        self.use(scheduled.part)

    def use(self, part: Part) -> None:
        """Take the steps of a part that takes the same state."""
        self.step = part.step
        self.reports = getattr(part, "reports", None)
        self.failed_thrusters: Any = getattr(part, "failed_thrusters", None)
        self.lost_thrust: Any = getattr(part, "lost_thrust", None)
        self.tested_thrusters: Any = getattr(part, "tested_thrusters", None)


class UnfilledRole:
    """Placeholder of a role without a part."""

    output = None


UNFILLED = UnfilledRole()


@final
class HandOver:
    """Follows the motion by the estimates, and transfers what controllers made up for; `state` is for checkpoints."""

    def __init__(self, parameters: VehicleParameters) -> None:
        self._transfer, self.state = BumplessTransfer(parameters), TransferState()

    def relief(self, time_ns: int) -> Wrench:
        """Wrench to take off the demanded one, N and N m."""
        return self._transfer.relief(self.state, time_ns)

    def follow(self, navigation: RunningPart, time_ns: int) -> None:
        """Take the latest estimate."""
        if navigation.output is not None:
            self.state = self._transfer.moved(self.state, time_ns, navigation.output.twist)

    def begin(
        self,
        navigation: RunningPart,
        parts: Sequence[RunningPart],
        failed: Sequence[str],
        commands: Array,
        time_ns: int,
    ) -> None:
        """Hand over to an allocation without thrusters that have just failed; commands are those until now."""
        giver = next((one for one in parts if is_fault_tolerant(one.scheduled.part)), None)
        if giver is None:
            return
        known = {} if navigation.lost_thrust is None else navigation.lost_thrust(navigation.state)
        lost = {name: float(known.get(name, 1.0)) for name in failed}
        take_over = getattr(giver.scheduled.part, "taking_over", None)
        if take_over is not None:
            giver.state = take_over(giver.state, lost)
        else:
            self.state = self._transfer.handed_over(self.state, time_ns, lost, commands.tolist())
