"""Actuator chain of a run: zero-order hold of commands, drive model, battery, and faults of actuators.

With an empty battery thrusters stop; fins, servos and moving masses hold their last command. Sensors and computers keep
running, as on a separate supply.
"""

from typing import Any, final

import numpy as np

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.algebra.vectors import ZERO6
from remora.equations.types import Wrench
from remora.files.arrays import Array
from remora.files.units import NEVER
from remora.plant.pack import PackedVehicle, resting_outputs
from remora.run.faults.active_faults import RunningFaults
from remora.run.loop.errors import LoopError, failure_text, vehicle_failure
from remora.run.plant.drive import Drive
from remora.run.recorder import Recorder
from remora.run.setup import VehicleSetup
from remora.vehicles.checks.actuation import resting_commands


@final
class RunningActuators:
    """The actuators of a vehicle. `command` sets new commands; `inputs` are the present inputs of the plant."""

    def __init__(
        self,
        vehicle: VehicleSetup,
        packed: PackedVehicle,
        state: Array,
        faults: RunningFaults | None,
        recorder: Recorder | None,
    ) -> None:
        self._name, self._faults, self._recorder = vehicle.name, faults, recorder
        self.count = packed.actuators
        self._thrusters = len(vehicle.plant.vehicle.parameters.thrusters)
        self._still = resting_outputs(packed)[: self._thrusters]
        self.commands: Array = resting_outputs(packed)
        if vehicle.drive is not None:
            self.commands = resting_commands(vehicle.drive.parameters, self.commands)
        self.rest = self.inputs = self.commands
        self.missing: Wrench = ZERO6  # demanded wrench minus allocated wrench
        # A direct drive only changes the packed plant and needs no steps.
        self.drive = None if vehicle.drive is None or vehicle.drive.is_direct else vehicle.drive
        self.battery = vehicle.battery
        self._drive_state: Any = None
        self._battery_state: Any = None if self.battery is None else self.battery.initial()
        self.power: tuple[float, float, float] | None = None  # W, V and charge
        self._unpowered: Array | None = None  # inputs with an empty battery
        self._outside_table: tuple[str, ...] = ()
        self._held: tuple[int, int, Array] = (0, 0, self.inputs)  # inputs of the drive from one time to another, ns
        if self.drive is not None:
            self._drive_state = self.drive.initial(self._outputs(state).tolist())
            self.inputs = self.drive.inputs(self._drive_state, 0)
        if self.battery is not None:
            self.draw_power(state, 0)

    def command(self, commands: Array, time_ns: int) -> None:
        """Set the commands, held until the next call (zero-order hold)."""
        self.commands = self.inputs = commands
        if self.drive is not None:
            self._step_drive(self.drive, commands, time_ns)
            self._held = (0, 0, self.inputs)
            self.inputs = self._held_from(self.drive, time_ns)[2]
            return
        if self._faults is not None:
            self.inputs = self._faults.inputs(self.inputs)
        if self._unpowered is not None:
            self.inputs = self._unpowered

    def _step_drive(self, drive: Drive, commands: Array, time_ns: int) -> None:
        voltage = None if self.power is None else self.power[1]
        try:
            self._drive_state, demand = drive.step(self._drive_state, time_ns, commands, voltage)
        except ValueError as error:
            raise vehicle_failure(self._name, error, time_ns) from error
        except Exception as error:  # a user-defined stage may raise any exception
            what = f"its drive stage {failure_text(error)}"
            raise LoopError(f'"{self._name}": {what}', time_ns) from error
        self._log_outside_table(demand.outside_table, time_ns)

    def _behind_faults(self, asked: Array) -> Array:
        """Drive inputs after faults and an empty battery."""
        if self._unpowered is not None:
            return self._unpowered
        return asked if self._faults is None else self._faults.inputs(asked)

    def inputs_at(self, time_ns: int) -> Array:
        """Actuator inputs from a time within a step until the next due time."""
        return self.inputs if self.drive is None else self._held_from(self.drive, time_ns)[2]

    def due(self, time_ns: int) -> int:
        """Next time at which the drive changes an input, ns."""
        return NEVER if self.drive is None else self._held_from(self.drive, time_ns)[1]

    def held_from(self, time_ns: int) -> tuple[Array, int]:
        """Actuator inputs from a time within a step, and the next time at which the drive changes one, ns."""
        if self.drive is None:
            return self.inputs, NEVER
        from_ns, due_ns, inputs = self._held
        if not from_ns <= time_ns < due_ns:
            _, due_ns, inputs = self._held_from(self.drive, time_ns)
        return inputs, due_ns

    def _held_from(self, drive: Drive, time_ns: int) -> tuple[int, int, Array]:
        """Inputs at a time, from when on they hold, and until when."""
        if not self._held[0] <= time_ns < self._held[1]:
            due_ns = drive.due(self._drive_state, time_ns)
            inputs = self._behind_faults(drive.inputs(self._drive_state, time_ns))
            self._held = (time_ns, NEVER if due_ns is None else due_ns, inputs)
        return self._held

    def apply_faults(self, time_ns: int) -> None:
        """Recompute the inputs after faults have begun or ended."""
        asked = self.commands if self.drive is None else self.drive.inputs(self._drive_state, time_ns)
        self.inputs = self._behind_faults(asked)
        self._held = (0, 0, self.inputs)

    @property
    def faulty(self) -> frozenset[str]:
        """Actuators that do not follow their commands at present."""
        return frozenset() if self._faults is None else self._faults.faulty

    def draw_power(self, state: Array, elapsed_ns: int, charging: float = 0.0) -> None:
        """Discharge the battery over a time that ended in a state of the plant, with a charging power in W."""
        assert self.battery is not None
        commanded = self.commands if self._unpowered is None else self.rest
        outputs, commands = tuple(self._outputs(state).tolist()), tuple(commanded.tolist())
        self._battery_state, *power = self.battery.step(self._battery_state, outputs, commands, elapsed_ns, charging)
        self.power = (power[0], power[1], power[2])
        self._stop_without_power()

    @property
    def charge(self) -> float | None:
        """State of charge of the battery, from 0 to 1; None without one."""
        return None if self.power is None else self.power[2]

    def _stop_without_power(self) -> None:
        """Stop the thrusters for good once the battery is empty."""
        if self.charge == 0.0 and self._unpowered is None:
            self._unpowered = np.concatenate([self._still, self.inputs[self._thrusters :]])
            self.inputs = self._unpowered
            self._held = (0, 0, self.inputs)

    def _outputs(self, state: Array) -> Array:
        return state[BODY_SIZE : BODY_SIZE + self.count]

    def _log_outside_table(self, names: tuple[str, ...], time_ns: int) -> None:
        """Log once when an actuator leaves the thrust table of its drive."""
        if self._recorder is not None:
            for name in (name for name in names if name not in self._outside_table):
                words = "its pulse width or voltage lies outside the table of its drive"
                self._recorder.event(time_ns, f"{self._name}/{name}", "warning", words, {})
        self._outside_table = names

    def drive_snapshot(self) -> Any:
        """State of the drive for a checkpoint."""
        return self._drive_state, self._outside_table

    def battery_snapshot(self) -> Any:
        """State of the battery for a checkpoint."""
        return self._battery_state, self.power

    def restore(self, commands: Array, inputs: Array, missing: Wrench, drive: Any, battery: Any) -> None:
        """Continue from commands, inputs and the states from `drive_snapshot` and `battery_snapshot`."""
        self.commands, self.inputs, self.missing = commands.copy(), inputs.copy(), missing
        (self._drive_state, self._outside_table), (self._battery_state, self.power) = drive, battery
        self._held = (0, 0, self.inputs)
        self._unpowered = None
        self._stop_without_power()
