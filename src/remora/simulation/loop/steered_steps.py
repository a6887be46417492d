"""Parts that run at every step of the plant, as the law of compiled steps: attitude cascade and pseudo-inverse."""

import math
from typing import NamedTuple, final

from remora.control.autopilots.cascade import CascadeState
from remora.control.parts.allocation import LeastForces
from remora.control.parts.controllers import AttitudeCascade, reference_attitude
from remora.equations.control.attitude_cascade import AxisMemory, PidMemory
from remora.files.arrays import Array
from remora.messages.part import Lifecycle
from remora.simulation.loop.cascade_law import TORQUE, WRENCH, CascadeLaw, HeldInputs, axes_in, memory_row
from remora.simulation.loop.part_schedule import RunningParts
from remora.simulation.loop.running_part import RunningPart


_ACTIVE = Lifecycle.ACTIVE


class LawInputs(NamedTuple):
    """Numbers of a law for some steps."""

    law: Array
    memory: Array
    held: Array


@final
class EveryStepParts:
    """Cascade and pseudo-inverse at every step, between two samples of slower parts, whose outputs are held."""

    def __init__(self, parts: RunningParts, control: RunningPart, allocation: RunningPart, law: CascadeLaw) -> None:
        self.parts, self._schedule, self._law = (control, allocation), parts, law.numbers()
        self.stop = min(control.stop, allocation.stop)
        self._memory: Array | None = None  # of the cascade after steps of the law, until `update`

    def inputs(self) -> LawInputs | None:
        """The law with estimate, reference and wrench of now; None where the parts have to run in Python."""
        control, allocation = self.parts
        estimate, reference = self._schedule.estimate, self._schedule.reference
        if estimate is None or reference is None or allocation.disabled or allocation.tested:
            return None
        memory = self._memory if self._memory is not None else _memory(control.state)
        if memory is None or control.life is not _ACTIVE or allocation.life is not _ACTIVE:
            return None
        q_NR, twist = reference_attitude(reference), estimate.twist
        if not math.isfinite(sum(estimate.q_NB) + sum(twist) + sum(q_NR)):
            return None
        wrench = self._schedule.wrench(without=control)
        held = HeldInputs(wrench, q_NR, estimate.q_NB, (twist[3], twist[4], twist[5]))
        return LawInputs(self._law, memory, held.numbers())

    def go_on(self, k: int, memory: Array) -> None:
        """Continue at step k after steps of the law."""
        self._memory = memory
        for part in self.parts:
            part.next = k
            part.new_readings.clear()

    def update(self) -> None:
        """State and output of the cascade after steps of the law, before it runs in Python and for checkpoints."""
        if self._memory is None:
            return
        control, numbers, self._memory = self.parts[0], self._memory.tolist(), None
        control.state = control.scheduled.part.control.continued(axes_in(numbers))  # type: ignore[attr-defined]
        control.output = (0.0, 0.0, 0.0, *numbers[TORQUE:WRENCH])

    def restore(self) -> None:
        """Continue from the state of the parts."""
        self._memory = None


def every_step_parts(parts: RunningParts) -> EveryStepParts | None:
    """The parts that run at every step; None where they have no compiled form, or there are none."""
    found = [part for part in parts.parts if part.period == 1]
    if len(found) != 2 or any(part.is_logged for part in found):
        return None
    cascade, forces = (part.scheduled.part for part in found)
    if not isinstance(cascade, AttitudeCascade) or not isinstance(forces, LeastForces):
        return None
    if not forces.commands_are_forces:
        return None
    law = CascadeLaw(cascade.control.gains, cascade.acts[3:], forces.allocation.inverse)
    return EveryStepParts(parts, *found, law)


def _memory(axes: CascadeState) -> Array | None:
    """What the cascade keeps as numbers; None before its first sample and after a gap."""
    if any(axis.error is None or axis.rate.previous is None for axis in axes):
        return None
    return memory_row(tuple(AxisMemory(axis.error or 0.0, PidMemory(*axis.rate)) for axis in axes))  # type: ignore[arg-type]
