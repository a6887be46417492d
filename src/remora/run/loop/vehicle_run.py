"""One vehicle in a run: motion, sensors, parts, actuators, faults and monitoring, step by step."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.types import Vector3, Wrench
from remora.files.arrays import Array
from remora.files.units import NEVER
from remora.logs.schema import Level
from remora.messages.estimate import Estimate
from remora.messages.operator_command import Authority, OperatorCommand
from remora.messages.reading import Reading
from remora.plant.failures import RunError
from remora.run.compiled.compiled_chain import CompiledChain, compiled_chain
from remora.run.compiled.every_step_parts import EveryStepParts, every_step_parts
from remora.run.compiled.sampled_steps import SampledSteps
from remora.run.faults.active_faults import FaultEvent, RunningFaults
from remora.run.faults.actuators import InputEffect
from remora.run.faults.body import Snag
from remora.run.loop.actuator_chain import RunningActuators
from remora.run.loop.errors import vehicle_failure
from remora.run.loop.part_pauses import pause, resume
from remora.run.loop.part_schedule import PartsSnapshot, RunningParts
from remora.run.loop.running_part import RunningPart
from remora.run.loop.sensor_schedule import RunningSensors
from remora.run.monitoring.monitor import VehicleMonitor
from remora.run.plant.external_loads import ExternalLoads, ExternalLoadsSnapshot
from remora.run.plant.motion import VehicleMotion
from remora.run.recorder import Recorder, log_period
from remora.run.setup import Setup, VehicleSetup
from remora.sensors.environment import PackedEnvironment
from remora.world.contact import ContactChange


class VehicleSnapshot(NamedTuple):
    """State of a vehicle between two steps, as plain data for a checkpoint."""

    state: Array
    commands: Array
    inputs: Array
    parts: PartsSnapshot
    sensors: tuple[tuple[Any, ...], ...]
    in_transit: tuple[Reading, ...]
    readings: dict[str, Reading]
    missing: Wrench
    drive: Any
    battery: Any
    faults: Any
    external_loads: ExternalLoadsSnapshot
    watch: Any


@final
class VehicleRun:
    """Runs one vehicle: `run_due_parts` processes what is due at a step, `move` integrates to the next."""

    def __init__(self, setup: Setup, vehicle: VehicleSetup, recorder: Recorder | None = None) -> None:
        self.vehicle, self.name, self.recorder = vehicle, vehicle.name, recorder
        self._step_ns = setup.step_ns
        self._log_period = NEVER if recorder is None else log_period(setup) // setup.step_ns
        packed = vehicle.plant.packed if vehicle.drive is None else vehicle.drive.apply_to(vehicle.plant.packed)
        self._faults = RunningFaults(vehicle, setup) if vehicle.faults else None
        self._next_fault = NEVER if self._faults is None else self._faults.next_step(-1)
        start = np.array(vehicle.start, dtype=float)
        self.actuators = RunningActuators(vehicle, packed, start, self._faults, recorder)
        self.motion = VehicleMotion(setup, vehicle, packed, self.actuators)
        self.sensors = RunningSensors(setup, vehicle, self.motion, recorder)
        self.parts = RunningParts(setup, vehicle, self.motion, self.actuators, self.sensors, recorder)
        self._next_part = 0  # step
        self._is_steady = self.external_loads.is_steady
        self._takes_fast_steps = not (self.external_loads.has_wrench or self.actuators.drive or self.actuators.battery)
        self._chain = self._compiled_chain(setup)
        self._place = self._packed_environment(setup)
        self._sampled_steps: SampledSteps | None = None
        self._every_step = self._compiled_parts()
        self.monitor = VehicleMonitor(setup, vehicle, self.parts, self.actuators, self.external_loads, recorder)
        self.run_assembly: Callable[[int], None] | None = None  # parts of the assembly whose origin is this vehicle
        self._plan_next()

    def _compiled_chain(self, setup: Setup) -> CompiledChain | None:
        """The parts at the rate of the plant as compiled code, where there is one; None where they run as Python."""
        lasting = self._is_steady or self.external_loads.water.is_calm
        if not (setup.compiled and self._takes_fast_steps and lasting) or self._faults is not None:
            return None
        return compiled_chain(self.motion, self.actuators, self.parts, self.sensors, self._step_ns)

    def _packed_environment(self, setup: Setup) -> PackedEnvironment | None:
        """Environment of the sensors for compiled steps; None where steps and samples are taken one by one."""
        is_alone = len(setup.vehicles) == 1 and not self.external_loads.has_wrench and self.actuators.battery is None
        if not (setup.compiled and is_alone and self.sensors.running) or setup.method.history_size:
            return None
        return self.sensors.packed_environment()

    def _compiled_steps(self) -> SampledSteps:
        """Steps and samples between those of the parts as compiled code, made when they are first used."""
        if self._sampled_steps is None:
            assert self._place is not None
            self._sampled_steps = SampledSteps(self.motion, self.actuators, self.sensors, self._step_ns, self._place)
        return self._sampled_steps

    def _compiled_parts(self) -> EveryStepParts | None:
        """The parts of every step as the law of compiled steps; None where they run as Python."""
        is_plain = self._place is not None and self._chain is None and self.actuators.drive is None
        if not is_plain or any(isinstance(fault.effect, InputEffect) for fault in self.vehicle.faults):
            return None
        return every_step_parts(self.parts, self.sensors, self._step_ns)

    def _steers(self, k: int) -> bool:
        """Whether compiled code may run the parts of every step at step k: none of their outputs is logged there."""
        return self._every_step is not None and k % self._log_period != 0 and self.monitor.next > k

    def _run_steps(self, k: int, last: int, steers: bool) -> int:
        """Run steps from k on as compiled code, until more is due or to the last; returns how many.

        It steers where the parts of every step have not run at step k.
        """
        every_step, log = self._every_step, NEVER
        if self._log_period != NEVER:
            log = (k // self._log_period + 1) * self._log_period
        due = self._next_part if every_step is None else every_step.next_event()
        until, end = min(due, log, self.monitor.next), min(last, self._next_fault)
        takes_last, until = until < end, min(until, end)
        if every_step is None:
            return self._compiled_steps().run(k, until, takes_last) if until > k + 1 else 0
        law = every_step.inputs()
        if law is None or until <= k:
            return 0
        done = self._compiled_steps().run(k, until, takes_last, law, 0 if steers else 1)
        if done:
            every_step.go_on(k + done, self._step_ns, law.memory)
            self.actuators.missing = every_step.missing(self.actuators.commands)
            self._next_part = min(k + done, self._next_fault)
        return done

    def _until(self, chain: CompiledChain, k: int, last: int) -> int:
        """First step from k on at which more is due than the compiled chain."""
        log = NEVER if self._log_period == NEVER else -(-k // self._log_period) * self._log_period
        return min(last, log, chain.next_event(), self.monitor.next, self.parts.next_slow_step())

    def _plan_next(self) -> None:
        """Update the next step at which a part or a fault is due."""
        # One comparison for both, so that a run without faults has no extra cost.
        self._next_part = min(self.parts.next_step, self._next_fault)

    def advance(self, first: int, last: int) -> None:
        """Run from one step to another, for the only vehicle of a run."""
        step_ns, log_period, takes_fast_steps = self._step_ns, self._log_period, self._takes_fast_steps
        k, motion, sensors, monitor = first, self.motion, self.sensors, self.monitor
        is_compiled = self._place is not None
        try:
            while k < last:
                if self._chain is not None:
                    k = self._chain.run(k, self._until(self._chain, k, last), last)
                    if k == last:
                        break
                steers = self._steers(k)
                if self._every_step is not None and not steers:
                    self._every_step.update()
                if self._next_part <= k or k % log_period == 0 or sensors.next_ns <= k * step_ns:
                    self.run_due_parts(k, self._every_step.parts if steers and self._every_step else ())
                if monitor.next <= k:
                    monitor.check(k, k * step_ns, motion.state)
                if is_compiled and (done := self._run_steps(k, last, steers)):
                    k += done
                    continue
                if steers and self._every_step is not None:
                    self._every_step.update()
                    self._next_part = min(self.parts.run(k, k * step_ns), self._next_fault)
                if takes_fast_steps and sensors.next_ns >= (k + 1) * step_ns:
                    motion.fast_step(k * step_ns)
                else:
                    self.measure(k)
                    self.move(k)
                k += 1
            if self._chain is not None:
                self._chain.update_outputs()
            if self._every_step is not None:
                self._every_step.update_outputs()
        except (RunError, ValueError) as error:
            raise vehicle_failure(self.name, error, k * step_ns) from error
        finally:
            if self._every_step is not None:
                self._every_step.update()

    def apply_faults(self, k: int) -> None:
        """Begin and end the faults due at step k."""
        if self._next_fault <= k:
            self.external_loads.update(k * self._step_ns, self.motion.state)
            self._update_faults(k, k * self._step_ns)

    def run_due_parts(self, k: int, without: Sequence[RunningPart] = ()) -> None:
        """Take due samples and run the parts due at step k, but for some, in the order of their roles."""
        time_ns = k * self._step_ns
        if self._next_fault <= k:
            self.apply_faults(k)
        if not self._is_steady:
            self.motion.external_loads.update(time_ns, self.motion.state)
        if self.sensors.next_ns <= time_ns:
            self.sensors.measure(time_ns, time_ns)
        if self._next_part <= k:
            nearest = self.parts.run(k, time_ns, without)
            self._next_part = nearest if nearest < self._next_fault else self._next_fault
        if self.run_assembly is not None:
            self.run_assembly(k)
        if k % self._log_period == 0 and self.recorder is not None:
            self.recorder.sample(self, time_ns)

    def pause_parts(self, time_ns: int) -> None:
        """Leave the actuators to an assembly; navigation goes on."""
        pause(self.parts, time_ns, self.name, self.recorder)
        self._plan_next()

    def resume_parts(self, k: int) -> None:
        """Control the vehicle by its own parts again, from step k on."""
        resume(self.parts, k, self._step_ns)
        self._plan_next()

    @property
    def stated_thrusters(self) -> tuple[str, ...]:
        """Thrusters that the scenario states to have failed."""
        return () if self._faults is None else self._faults.disabled()

    def check(self, k: int) -> None:
        """Let the monitor check the vehicle where it is due at step k."""
        if self.monitor.next <= k:
            self.monitor.check(k, k * self._step_ns, self.motion.state)

    def measure(self, k: int) -> None:
        """Update the environment of the step that begins at step k, and take all samples within it."""
        time_ns = k * self._step_ns
        self.motion.external_loads.update(time_ns, self.motion.state)
        if self.sensors.next_ns < time_ns + self._step_ns:
            self.sensors.measure(time_ns, time_ns + self._step_ns - 1)

    def move(self, k: int) -> None:
        """Integrate the vehicle over the step that begins at step k, after `measure`."""
        time_ns = k * self._step_ns
        self.motion.move(time_ns)
        if self.actuators.battery is not None:
            self.actuators.draw_power(self.motion.state, self._step_ns, self.parts.charging_power)
        if self.external_loads.has_wrench:
            self._log_contacts(self.external_loads.commit(), time_ns)

    def finish(self, time_ns: int) -> None:
        """Log the final state."""
        if self.recorder is not None:
            self.external_loads.finish(time_ns)
            self.recorder.sample(self, time_ns)

    def position_at(self, time_ns: int, grid_ns: int) -> Vector3:
        """Position in N, m, at a time within the step that begins at grid_ns."""
        return self.motion.position_at(time_ns, grid_ns)

    def _update_faults(self, k: int, time_ns: int) -> None:
        """Begin and end the faults due at step k."""
        assert self._faults is not None
        try:
            state, notes = self._faults.update(k, self.state, self.water_velocity)
            self.motion.set_state(state)
            for note in notes:
                self._update_snag(note, time_ns)
        except ValueError as error:
            raise vehicle_failure(self.name, error, time_ns) from error
        self._next_fault = self._faults.next_step(k)
        for note in notes:
            self._log_fault(note, time_ns)
        self._apply_active_faults(self._faults, time_ns)
        self.actuators.apply_faults(time_ns)

    def _apply_active_faults(self, faults: RunningFaults, time_ns: int | None) -> None:
        """Apply the active faults to plant, current and allocation; logged when a time is given."""
        if faults.packed is not self.motion.packed:
            self.motion.set_packed(faults.packed)
        self.external_loads.set_current_offset(faults.current_offset)
        self.parts.disable_thrusters(faults.disabled(), time_ns)
        self._plan_next()

    def _update_snag(self, note: FaultEvent, time_ns: int) -> None:
        """Snag a tether, or release it unless another fault still holds it."""
        fault, snags = note.fault, [one for one in self.vehicle.faults if isinstance(one.effect, Snag)]
        if not isinstance(fault.effect, Snag):
            return
        if note.state == "begins":
            self.external_loads.snag_tether(fault.target, fault.effect.along)
        elif not any(one.target == fault.target and one.is_active(time_ns) for one in snags):
            self.external_loads.release_tether(fault.target)

    def _log_fault(self, note: FaultEvent, time_ns: int) -> None:
        if self.recorder is not None:
            fault = note.fault
            data = {"fault": fault.kind, "of": fault.target, "state": note.state, **fault.effect.data}
            source = f"{self.name}/{fault.target}" if fault.target else self.name
            self.recorder.event(time_ns, source, "warning", note.text, data)

    def _log_contacts(self, found: tuple[ContactChange, ...], time_ns: int) -> None:
        if self.recorder is not None:
            for change in found:
                data = {"other": change.other, "begins": change.begins}
                level: Level = "warning" if change.begins else "info"
                self.recorder.event(time_ns, f"{self.name}/contact", level, change.words, data)

    @property
    def state(self) -> Array:
        """The state of the plant."""
        return self.motion.state

    @property
    def external_loads(self) -> ExternalLoads:
        """External loads on the vehicle."""
        return self.motion.external_loads

    @property
    def water_velocity(self) -> Vector3:
        """Current at the vehicle in N, m/s."""
        return self.motion.water_velocity

    @property
    def wrench(self) -> Wrench:
        """Sum of the wrenches of all controllers, about B in body axes."""
        return self.parts.wrench()

    @property
    def estimate(self) -> Estimate | None:
        """Latest estimate of navigation."""
        return self.parts.estimate

    @property
    def authority(self) -> Authority | None:
        """Who steers; None where guidance takes no commands of an operator."""
        return self.parts.authority

    @property
    def has_commands(self) -> bool:
        """Whether commands of an operator wait for the next step of guidance."""
        return self.parts.has_commands

    def send(self, command: OperatorCommand) -> None:
        """Give a command of an operator to guidance, from any thread; ValueError where it takes none."""
        self.parts.send(command)

    def snapshot(self) -> VehicleSnapshot:
        """State for a checkpoint."""
        actuators = self.actuators
        return VehicleSnapshot(
            self.state.copy(),
            actuators.commands.copy(),
            actuators.inputs.copy(),
            self.parts.snapshot(),
            self.sensors.snapshot(),
            tuple(self.sensors.in_transit),
            dict(self.sensors.readings),
            actuators.missing,
            actuators.drive_snapshot(),
            actuators.battery_snapshot(),
            None if self._faults is None else (self._faults.snapshot(), self._next_fault),
            self.external_loads.snapshot(),
            self.monitor.snapshot(),
        )

    def restore(self, snapshot: VehicleSnapshot) -> None:
        """Continue from a snapshot."""
        self.parts.restore(snapshot.parts)
        self.sensors.restore(snapshot.sensors, snapshot.in_transit, snapshot.readings)
        self.actuators.restore(snapshot.commands, snapshot.inputs, snapshot.missing, snapshot.drive, snapshot.battery)
        self.motion.restore(snapshot.state, snapshot.external_loads)
        if self._faults is not None:
            faults, self._next_fault = snapshot.faults
            self._faults.restore(faults)
            self._apply_active_faults(self._faults, None)
        self.monitor.restore(snapshot.watch)
        if self._sampled_steps is not None:
            self._sampled_steps.reset()
        if self._every_step is not None:
            self._every_step.restore()
        self._plan_next()
