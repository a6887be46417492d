"""One vehicle on its way through a run: its motion, sensors, parts, actuators and faults, step by step."""

from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.algebra.vectors import Vector3, Wrench
from remora.files.arrays import Array
from remora.kernels.failures import RunError
from remora.logs.schema import Level
from remora.messages.estimate import Estimate
from remora.messages.reading import Reading
from remora.simulation.faults.active_faults import Note, RunningFaults
from remora.simulation.faults.body import Snag
from remora.simulation.listener import Listener
from remora.simulation.loop.actuator_chain import RunningActuators
from remora.simulation.loop.clock import NEVER
from remora.simulation.loop.loop_error import vehicle_failure
from remora.simulation.loop.part_schedule import RunningParts
from remora.simulation.loop.sensor_schedule import RunningSensors
from remora.simulation.monitoring.monitor import RunningWatch
from remora.simulation.plant.external_loads import InfluenceMemory, Influences
from remora.simulation.plant.motion import Motion
from remora.simulation.setup import Setup, VehicleSetup
from remora.world.contact import ContactChange


class Memory(NamedTuple):
    """All that a vehicle carries from one step to the next: plain data, to be stored and taken up again."""

    state: Array
    commands: Array
    inputs: Array
    parts: tuple[tuple[Any, ...], ...]
    sensors: tuple[tuple[Any, ...], ...]
    on_their_way: tuple[Reading, ...]
    readings: dict[str, Reading]
    missing: Wrench
    drive: Any
    energy: Any
    faults: Any
    influences: InfluenceMemory
    watch: Any


@final
class VehicleRun:
    """Runs one vehicle. `act` lets everything happen that is due at a step of the grid, `move` goes on to the next."""

    def __init__(self, setup: Setup, vehicle: VehicleSetup, listener: Listener | None = None) -> None:
        self.vehicle, self.name, self.listener = vehicle, vehicle.name, listener
        self._step_ns = setup.step_ns
        self._log_period = NEVER if listener is None else (setup.log_period_ns or _log_period(setup)) // setup.step_ns
        packed = vehicle.plant.packed if vehicle.drive is None else vehicle.drive.fitted(vehicle.plant.packed)
        self._faults = RunningFaults(vehicle, setup) if vehicle.faults else None
        self._next_fault = NEVER if self._faults is None else self._faults.next_step(-1)
        start = np.array(vehicle.start, dtype=float)
        self._actuators = RunningActuators(vehicle, packed, start, self._faults, listener)
        self._motion = Motion(setup, vehicle, packed, self._actuators)
        self.sensors = RunningSensors(setup, vehicle, self._motion, listener)
        self._parts = RunningParts(setup, vehicle, self._motion, self._actuators, self.sensors, listener)
        self._glides = not (self._motion.is_pushed or self._actuators.drive or self._actuators.battery)
        self.watch = RunningWatch(setup, vehicle, self._parts, self._actuators, self.influences, listener)
        self._plan_next()

    def _plan_next(self) -> None:
        """The next step of the grid at which a part or a fault is due."""
        # Looked at together, so that a run without faults does not pay for them.
        self._next_part = min(self._parts.next_step, self._next_fault)

    def advance(self, first: int, last: int) -> None:
        """All that happens from one step of the grid until another, for a vehicle that is alone in its run."""
        step_ns, log_period, glides = self._step_ns, self._log_period, self._glides
        k, motion, sensors, watch = first, self._motion, self.sensors, self.watch
        try:
            for k in range(first, last):
                if self._next_part <= k or k % log_period == 0 or sensors.next_ns <= k * step_ns:
                    self.act(k)
                if watch.next <= k:
                    watch.look(k, k * step_ns, motion.state)
                if glides and sensors.next_ns >= (k + 1) * step_ns:
                    motion.glide(k * step_ns)
                else:
                    self.measure(k)
                    self.move(k)
        except (RunError, ValueError) as error:
            raise vehicle_failure(self.name, error, k * step_ns) from error

    def suffer(self, k: int) -> None:
        """Let faults begin and end that are due at step k."""
        if self._next_fault <= k:
            self._motion.feel(k * self._step_ns)
            self._turn_faults(k, k * self._step_ns)

    def act(self, k: int) -> None:
        """Let sensors measure and parts run that are due at step k, in the order of their roles."""
        time_ns = k * self._step_ns
        if self._next_fault <= k:
            self.suffer(k)
        if not self._motion.is_steady:
            self._motion.feel(time_ns)
        if self.sensors.next_ns <= time_ns:
            self.sensors.measure(time_ns, time_ns)
        if self._next_part <= k:
            nearest = self._parts.run(k, time_ns)
            self._next_part = nearest if nearest < self._next_fault else self._next_fault
        if k % self._log_period == 0 and self.listener is not None:
            self.listener.sample(self, time_ns)

    def look(self, k: int) -> None:
        """Let the watch compare the vehicle with what was asked, where it is due at step k."""
        if self.watch.next <= k:
            self.watch.look(k, k * self._step_ns, self._motion.state)

    def measure(self, k: int) -> None:
        """Work out what acts over the step that begins at step k, and take all samples within it."""
        time_ns = k * self._step_ns
        self._motion.feel(time_ns)
        if self.sensors.next_ns < time_ns + self._step_ns:
            self.sensors.measure(time_ns, time_ns + self._step_ns - 1)

    def move(self, k: int) -> None:
        """Carry the vehicle over the step that begins at step k of the grid, all samples within it being taken."""
        time_ns = k * self._step_ns
        self._motion.move(time_ns)
        if self._actuators.battery is not None:
            self._actuators.draw_power(self._motion.state, self._step_ns)
        if self._motion.is_pushed:
            self._tell_touches(self.influences.pass_on(), time_ns)

    def finish(self, time_ns: int) -> None:
        """Tell the last state, at the time when the run ended."""
        if self.listener is not None:
            self._motion.settle(time_ns)
            self.listener.sample(self, time_ns)

    def place_at(self, time_ns: int, grid_ns: int) -> Vector3:
        """Where the vehicle is at a time within the step that begins at a time of the grid."""
        return self._motion.place_at(time_ns, grid_ns)

    def _turn_faults(self, k: int, time_ns: int) -> None:
        """Let faults begin and end that are due at step k."""
        assert self._faults is not None
        try:
            state, notes = self._faults.turn(k, self.state, self.water_velocity)
            self._motion.jump_to(state)
            for note in notes:
                self._catch_line(note, time_ns)
        except ValueError as error:
            raise vehicle_failure(self.name, error, time_ns) from error
        self._next_fault = self._faults.next_step(k)
        for note in notes:
            self._tell_fault(note, time_ns)
        self._suffer_faults(self._faults, time_ns)
        self._actuators.suffer_faults(time_ns)

    def _suffer_faults(self, faults: RunningFaults, time_ns: int | None) -> None:
        """Take over what the faults in force make of vehicle, water and allocation; a time: and tell it."""
        if faults.packed is not self._motion.packed:
            self._motion.fit(faults.packed)
        self._motion.change_current(faults.shift)
        self._parts.disable_thrusters(faults.disabled(), time_ns)
        self._plan_next()

    def _catch_line(self, note: Note, time_ns: int) -> None:
        """Catch a tether, or let it go unless it is caught once more."""
        fault, snags = note.fault, [one for one in self.vehicle.faults if isinstance(one.effect, Snag)]
        if not isinstance(fault.effect, Snag):
            return
        if note.state == "begins":
            self.influences.snag(fault.of, fault.effect.along)
        elif not any(one.of == fault.of and one.holds(time_ns) for one in snags):
            self.influences.free(fault.of)

    def _tell_fault(self, note: Note, time_ns: int) -> None:
        if self.listener is not None:
            fault = note.fault
            data = {"fault": fault.kind, "of": fault.of, "state": note.state, **fault.effect.figures}
            source = f"{self.name}/{fault.of}" if fault.of else self.name
            self.listener.event(source, time_ns, "warning", note.text, data)

    def _tell_touches(self, found: tuple[ContactChange, ...], time_ns: int) -> None:
        if self.listener is not None:
            for change in found:
                data = {"other": change.other, "begins": change.begins}
                level: Level = "warning" if change.begins else "info"
                self.listener.event(f"{self.name}/contact", time_ns, level, change.words, data)

    @property
    def state(self) -> Array:
        """The state of the plant."""
        return self._motion.state

    @property
    def influences(self) -> Influences:
        """What acts on the vehicle from outside."""
        return self._motion.influences

    @property
    def water_velocity(self) -> Vector3:
        """The current around the vehicle in N, m/s."""
        return self._motion.water_velocity

    @property
    def commands(self) -> Array:
        """The commands in force."""
        return self._actuators.commands

    @property
    def inputs(self) -> Array:
        """What reaches the actuators now."""
        return self._actuators.inputs

    @property
    def power(self) -> tuple[float, float, float] | None:
        """Power in W, voltage in V and charge of the battery, if there is one."""
        return self._actuators.power

    @property
    def wrench(self) -> Wrench:
        """What all controllers together ask for."""
        return self._parts.wrench()

    @property
    def estimate(self) -> Estimate | None:
        """What navigation knows."""
        return self._parts.estimate

    def memory(self) -> Memory:
        """All that is needed to go on later."""
        actuators = self._actuators
        return Memory(
            self.state.copy(),
            actuators.commands.copy(),
            actuators.inputs.copy(),
            self._parts.memory(),
            self.sensors.memory(),
            tuple(self.sensors.on_their_way),
            dict(self.sensors.readings),
            actuators.missing,
            actuators.drive_memory(),
            actuators.battery_memory(),
            None if self._faults is None else (self._faults.memory(), self._next_fault),
            self.influences.memory(),
            self.watch.memory(),
        )

    def recall(self, memory: Memory) -> None:
        """Take up what `memory` gave."""
        self._parts.recall(memory.parts)
        self.sensors.recall(memory.sensors, memory.on_their_way, memory.readings)
        self._actuators.recall(memory.commands, memory.inputs, memory.missing, memory.drive, memory.energy)
        self._motion.recall(memory.state, memory.influences)
        if self._faults is not None:
            told, self._next_fault = memory.faults
            self._faults.recall(told)
            self._suffer_faults(self._faults, None)
        self.watch.recall(memory.watch)
        self._plan_next()


def _log_period(setup: Setup) -> int:
    """A hundredth of a second, or what comes next to it on the grid of steps."""
    return max(1, round(10_000_000 / setup.step_ns)) * setup.step_ns
