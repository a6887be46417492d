"""Parts that run at every step of the plant, as the law of compiled steps: attitude cascade and pseudo-inverse.

The estimate is that of a slower part, which is held, or of `instruments` at every step.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple, final

from remora.control.autopilots.cascade import CascadeState
from remora.control.parts.allocation import LeastForces
from remora.control.parts.controllers import AttitudeCascade, reference_attitude
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.control.cascades import AxisMemory, PidMemory
from remora.equations.types import Wrench
from remora.files.arrays import Array
from remora.files.units import NEVER
from remora.messages.measured_quantities import SelectedValues
from remora.messages.part import Lifecycle
from remora.navigation.parts.instruments import Instruments, Source
from remora.run.compiled.cascade_law import TORQUE, WRENCH, CascadeLaw, HeldInputs, axes_in, memory_row
from remora.run.loop.part_schedule import RunningParts
from remora.run.loop.running_part import RunningPart
from remora.run.loop.sensor_schedule import RunningSensor, RunningSensors
from remora.sensors.sensor import Instrument, Latency

_ACTIVE = Lifecycle.ACTIVE


class LawInputs(NamedTuple):
    """Numbers of a law for some steps."""

    law: Array
    memory: Array
    held: Array


@final
class SensedEstimate:
    """The part `instruments` at every step: attitude and turn rate of the latest readings; the rest is held."""

    def __init__(self, part: RunningPart, instruments: Instruments, sensors: RunningSensors, step_ns: int) -> None:
        self.part, self._instruments, self._sensors, self._step_ns = part, instruments, sensors, step_ns
        self.chosen = tuple(
            _chosen(sensors.running, instruments, source, step_ns)
            for source in (instruments.attitude, instruments.rates)
        )
        self._others = [one for i, one in enumerate(sensors.running) if i not in self.chosen]

    def next_event(self) -> int:
        """First step at which another sensor samples, a reading of one arrives, or the velocity is too old."""
        step_ns, source = self._step_ns, self._instruments.velocity
        sampled = min([one.next_ns for one in self._others], default=NEVER) // step_ns
        arrives = min([one.arrival_ns for one in self._sensors.in_transit], default=NEVER)
        if source is None:
            return min(sampled, -(-arrives // step_ns))
        latest = self.part.state.latest[source.slot]
        expires = 0 if latest is None else (latest[0] + source.max_age_ns) // step_ns + 1
        return min(sampled, -(-arrives // step_ns), expires)


@final
class EveryStepParts:
    """Cascade and pseudo-inverse at every step, between two samples of slower parts, whose outputs are held."""

    def __init__(
        self,
        parts: RunningParts,
        control: RunningPart,
        allocation: RunningPart,
        law: CascadeLaw,
        sensed: SensedEstimate | None,
    ) -> None:
        self.parts, self._schedule, self._law, self._sensed = (control, allocation), parts, law.numbers(), sensed
        self._stop = min(control.stop, allocation.stop, NEVER if sensed is None else sensed.part.stop)
        self._memory: Array | None = None  # of the cascade after steps of the law, until `update`
        self._latest_ns = 0  # time of the latest step of the law

    def next_event(self) -> int:
        """First step at which more is due than the law."""
        until = min(self._stop, self._schedule.next_slow_step())
        return until if self._sensed is None else min(until, self._sensed.next_event())

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
        if not math.isfinite(sum(estimate.q_NB) + sum(twist[3:]) + sum(q_NR)):
            return None
        wrench = self._schedule.wrench(without=control)
        held = HeldInputs(wrench, q_NR, estimate.q_NB, (twist[3], twist[4], twist[5]))
        return LawInputs(self._law, memory, held.numbers())

    def go_on(self, k: int, step_ns: int, memory: Array) -> None:
        """Continue at step k after steps of the law with this memory of the cascade."""
        self._memory, self._latest_ns = memory, (k - 1) * step_ns
        for part in self.parts:
            part.next = k
            part.new_readings.clear()
        if self._sensed is not None:
            self._sensed.part.next = k

    def missing(self, commands: Array) -> Wrench:
        """Wrench that the thruster limits take from the commands of the latest step, which are forces in N."""
        found: Wrench = self.parts[1].scheduled.part.beyond_limits(commands)  # type: ignore[attr-defined]
        return found

    def update(self) -> None:
        """State and output of the cascade after steps of the law, before it runs in Python and for checkpoints."""
        if self._memory is None:
            return
        control, numbers, self._memory = self.parts[0], self._memory.tolist(), None
        control.state = control.scheduled.part.control.continued(axes_in(numbers))  # type: ignore[attr-defined]
        control.output = (0.0, 0.0, 0.0, *numbers[TORQUE:WRENCH])

    def update_outputs(self) -> None:
        """The same with the estimate of the latest step, for those who look at a run between two steps."""
        if self._memory is not None and self._sensed is not None:
            self._schedule.hand_out(self._latest_ns)
            self._schedule.update_output(self._sensed.part, self._latest_ns)
        self.update()

    def restore(self) -> None:
        """Continue from the state of the parts."""
        self._memory = None


def every_step_parts(parts: RunningParts, sensors: RunningSensors, step_ns: int) -> EveryStepParts | None:
    """The parts that run at every step; None where they have no compiled form, or there are none."""
    found = [part for part in parts.parts if part.period == 1]
    if len(found) not in (2, 3) or any(part.is_logged for part in found):
        return None
    *navigation, control, allocation = found
    cascade, forces = control.scheduled.part, allocation.scheduled.part
    if not isinstance(cascade, AttitudeCascade) or not isinstance(forces, LeastForces):
        return None
    if not forces.commands_are_forces:
        return None
    law, sensed = CascadeLaw(cascade.control.gains, cascade.acts[3:], forces.allocation.inverse), None
    if navigation:
        instruments = navigation[0].scheduled.part
        if not isinstance(instruments, Instruments):
            return None
        sensed = SensedEstimate(navigation[0], instruments, sensors, step_ns)
        attitude, rates = sensed.chosen
        if attitude is None or rates is None or instruments.attitude is None or instruments.rates is None:
            return None
        R_BS = rotation_matrix(instruments.rates.q_BS)
        law = law._replace(
            attitude_sensor=attitude, attitude_q_BS=instruments.attitude.q_BS, rate_sensor=rates, rate_R_BS=R_BS
        )
    return EveryStepParts(parts, control, allocation, law, sensed)


def _chosen(
    running: Sequence[RunningSensor], instruments: Instruments, source: Source | None, step_ns: int
) -> int | None:
    """Index of the sensor of a quantity that is measured at every step without latency; None without such a one."""
    if source is None or source.convert != SelectedValues(0, 1, 2):
        return None
    name = instruments.sensors[source.slot]
    for i, one in enumerate(running):
        sensor = one.sensor
        if sensor.description.name == name and isinstance(sensor, Instrument) and not one.deliveries:
            is_prompt = (one.start_ns, one.period_ns) == (0, step_ns) and sensor.latency == Latency()
            return i if is_prompt else None
    return None


def _memory(axes: CascadeState) -> Array | None:
    """What the cascade keeps as numbers; None before its first sample and after a gap."""
    if any(axis.error is None or axis.rate.previous is None for axis in axes):
        return None
    kept = (AxisMemory(axis.error or 0.0, PidMemory(*axis.rate)) for axis in axes)  # type: ignore[arg-type]
    return memory_row(tuple(kept))
