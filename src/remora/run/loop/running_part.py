"""One part in a run: its schedule, its state and its latest output."""

from typing import Any, final

from remora.files.units import NEVER
from remora.messages.part import Lifecycle, Part, Role
from remora.messages.reading import Reading
from remora.run.loop.loop_error import LoopError
from remora.run.loop.part_outputs import failure_text, origin_text
from remora.run.setup import ScheduledPart


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
