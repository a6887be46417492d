"""Parts and sensors on their way through a run: what each remembers, and when it is due again."""

from collections.abc import Sequence
from typing import Any, final

from remora.sensors.reading import Reading
from remora.sensors.sensor import Sensor
from remora.simulation.faults.fault import Fault
from remora.simulation.faults.running import handovers, spoiled_sensor
from remora.simulation.roles import Life, Role
from remora.simulation.setup import ScheduledPart

NEVER = 1 << 62  # ns or steps: later than any run


@final
class RunningPart:
    """A part, what it remembers, and when it runs next."""

    __slots__ = (
        "disabled", "fresh", "gives_commands", "gives_wrench", "is_logged", "life", "next", "output", "period",
        "scheduled", "sees_truth", "state", "step", "stop",
    )  # fmt: skip

    def __init__(self, scheduled: ScheduledPart, step_ns: int, has_allocation: bool) -> None:
        self.scheduled, self.sees_truth = scheduled, scheduled.sees_truth
        self.is_logged = bool(scheduled.part.fields)
        self.gives_wrench = scheduled.role == Role.CONTROL and has_allocation
        self.gives_commands = scheduled.role >= Role.CONTROL and not self.gives_wrench
        self.period, self.next = scheduled.period_ns // step_ns, scheduled.start_ns // step_ns
        self.stop = NEVER if scheduled.stop_ns is None else -(-scheduled.stop_ns // step_ns)
        self.step = scheduled.part.step
        self.disabled: tuple[str, ...] = ()  # thrusters that an allocation does without
        self.state = scheduled.part.initial()
        self.life = Life.INACTIVE
        self.output: Any = None
        self.fresh: list[Reading] = []


class Nobody:
    """Stands where a role is not filled."""

    output = None


NOBODY = Nobody()


@final
class RunningSensor:
    """A sensor, what it remembers, and the number of its next sample."""

    __slots__ = (
        "handovers",
        "is_refused",
        "k",
        "name",
        "next_ns",
        "period_ns",
        "refused",
        "sensor",
        "start_ns",
        "state",
    )

    def __init__(self, sensor: Sensor, vehicle: str, faults: Sequence[Fault]) -> None:
        label = sensor.description
        self.name = label.name.removeprefix(f"{vehicle}/")
        self.sensor, self.handovers = spoiled_sensor(sensor, faults, self.name), handovers(faults, self.name)
        self.state, self.k = self.sensor.initial(), 0
        self.refused, self.is_refused = 0, False  # readings with values that are no numbers, and whether the last was
        self.period_ns, self.start_ns = label.period_ns, label.start_ns
        self.next_ns = label.start_ns

    def took_sample(self) -> None:
        """Go on to the next sample."""
        self.k += 1
        self.next_ns = self.start_ns + self.k * self.period_ns
