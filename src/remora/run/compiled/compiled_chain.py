"""Compiled chains: parts at the rate of the plant run together with it, between the samples of slower parts."""

from typing import final

import numpy as np

from remora.control.parts.allocation import LeastForces
from remora.control.parts.controllers import LinearisationPart
from remora.equations.packed import is_general
from remora.files.arrays import Array
from remora.messages.part import Lifecycle
from remora.navigation.parts.truth import TrueState
from remora.plant.closed_loop import ClosedLoop
from remora.run.loop.actuator_chain import RunningActuators
from remora.run.loop.part_schedule import RunningParts
from remora.run.loop.running_part import RunningPart
from remora.run.loop.sensor_schedule import RunningSensors
from remora.run.plant.motion import VehicleMotion


@final
class CompiledChain:
    """True state, feedback linearisation and pseudo-inverse at every step, with the other controllers held.

    Which steps run in the chain follows from the schedule of all other parts alone, so that a resumed run has the same
    bits. Outputs of the parts are not computed within the chain: see `update_outputs`.
    """

    def __init__(
        self,
        motion: VehicleMotion,
        actuators: RunningActuators,
        parts: RunningParts,
        sensors: RunningSensors,
        step_ns: int,
        loop: ClosedLoop,
    ) -> None:
        self._motion, self._actuators, self._parts, self._sensors = motion, actuators, parts, sensors
        self._step_ns, self._loop = step_ns, loop
        self._each_step = [part for part in parts.parts if part.period == 1]
        self._allocation = self._each_step[2].scheduled.part
        self._latest: tuple[int, Array] | None = None  # the latest step and the state at it, if it ran in the chain

    def next_event(self) -> int:
        """First step at which a sensor samples."""
        return self._sensors.next_ns // self._step_ns

    def run(self, k: int, until: int, last: int) -> int:
        """Run from step k until more is due than the chain, or to the last step; returns the step that was reached.

        A step that fails is left to the parts in Python, which report it.
        """
        self._latest = None
        if until <= k or any(part.life is not Lifecycle.ACTIVE for part in self._each_step):
            return k
        if not self._motion.external_loads.is_held:
            return k
        held = np.array(self._parts.wrench(without=self._each_step[1]))
        motion = self._motion
        done = self._loop.run(motion.state, motion.external_loads.inputs, held, until - k)
        if done.steps:
            motion.continue_from(done.state)
            self._actuators.command(done.commands, k * self._step_ns)
            self._actuators.missing = self._allocation.beyond_limits(done.commands)  # type: ignore[attr-defined]
            self._latest = (k + done.steps - 1, done.before) if k + done.steps == last else None
            for part in self._each_step:
                part.next = k + done.steps
        return k + done.steps

    def update_outputs(self) -> None:
        """Compute the outputs of navigation and controller of the latest step, for log and checkpoint."""
        if self._latest is None:
            return
        (k, before), now = self._latest, self._motion.state
        self._motion.continue_from(before)
        for part in self._each_step[:2]:
            self._parts.update_output(part, k * self._step_ns)
        self._motion.continue_from(now)
        self._latest = None


def compiled_chain(
    motion: VehicleMotion, actuators: RunningActuators, parts: RunningParts, sensors: RunningSensors, step_ns: int
) -> CompiledChain | None:
    """The compiled chain of a vehicle, or None where its parts or its plant have no compiled form.

    Parameters
    ----------
    motion, actuators, parts, sensors
        The running vehicle, without faults, drive, battery and external wrenches.
    step_ns
        Step of the plant, ns.
    """
    each_step, stepper = [part for part in parts.parts if part.period == 1], motion.stepper
    layout = stepper.packed.layout
    if stepper.has_bounds or stepper.method.history_size or is_general(layout) or layout.fins:
        return None
    if not each_step or any(part.is_logged for part in each_step):
        return None
    loop = _linearised_loop(motion, each_step)
    return None if loop is None else CompiledChain(motion, actuators, parts, sensors, step_ns, loop)


def _linearised_loop(motion: VehicleMotion, each_step: list[RunningPart]) -> ClosedLoop | None:
    """True state, feedback linearisation and pseudo-inverse as compiled code; None for other parts."""
    kinds = [type(part.scheduled.part) for part in each_step]
    if kinds != [TrueState, LinearisationPart, LeastForces]:
        return None
    control, allocation = (part.scheduled.part for part in each_step[1:])
    assert isinstance(control, LinearisationPart)
    assert isinstance(allocation, LeastForces)
    same_layout = control.linearisation.packed.layout == motion.stepper.packed.layout
    law = control.linearisation.compiled_law(control.acts, allocation.allocation.inverse)
    if law is None or not same_layout or not allocation.commands_are_forces:
        return None
    return ClosedLoop(motion.stepper, law)
