"""Watch over the step of a run: stable for the motion that the vehicle has reached."""

from functools import partial
from typing import final

import numpy as np

from remora.equations.algebra.pose import BODY_SIZE
from remora.files.arrays import Array
from remora.logs.problems import seconds
from remora.plant.batches.step_length import longest_step
from remora.plant.failures import RunError
from remora.plant.plant import Plant
from remora.run.loop.part_sources import ActuatorChain
from remora.run.monitoring.deviations import Deviation
from remora.run.plant.external_loads import WRENCH_SIZE, ExternalLoads
from remora.run.setup import Setup, VehicleSetup

FASTER = 1.25  # times the fastest motion that was checked, above which it is checked again
AT_REST = 0.1  # m/s and rad/s, added to it


@final
class StepStability:
    """The stability of the step for one vehicle.

    It is checked where the vehicle moves faster than ever before, and at checks 1, 2, 4, 8 and so on: under a strong
    force an unstable step may come to rest at a speed that is far too low, so the middle of a step is checked as well.
    """

    def __init__(self, setup: Setup, vehicle: VehicleSetup, actuators: ActuatorChain, loads: ExternalLoads) -> None:
        self._plant, self._method, self._interval = vehicle.plant, setup.method, 1e-9 * setup.step_ns
        self._actuators, self._loads = actuators, loads
        self._fastest, self._checks = np.zeros(6), 0
        self.is_needed = vehicle.watch.step is not None

    def found(self, state: Array) -> list[Deviation]:
        """Whether the step is too long for the motion now."""
        twist = np.abs(state[7:BODY_SIZE])
        self._checks += 1
        if self._checks & (self._checks - 1) and not (twist > FASTER * self._fastest + AT_REST).any():
            return []
        self._fastest = np.maximum(self._fastest, twist)
        row, water = whole_row(self._plant, state), self._loads.inputs[WRENCH_SIZE:]
        try:
            both = row, self._middle(row)
        except (RunError, ValueError):  # loads that are no numbers, or speeds beyond the envelope: the step names them
            return []
        longest = min(longest_step(self._plant.packed, self._interval, self._method, one, water) for one in both)
        if longest >= self._interval:
            return []
        self._fastest[:] = 0.0  # checked again next time
        return [Deviation("step", "", 2.0, partial(step_text, self._interval, longest))]

    def _middle(self, row: Array) -> Array:
        """The state with the twist that the present rate gives it half a step later."""
        loads, middle = self._loads.inputs, row.copy()
        rate = self._plant.derivative(row, self._actuators.inputs, loads[:WRENCH_SIZE], loads[WRENCH_SIZE:])
        middle[7:BODY_SIZE] += 0.5 * self._interval * rate[7:BODY_SIZE]
        return middle


def whole_row(plant: Plant, state: Array) -> Array:
    """A state of the plant from a row that may lack actuators, which are at rest then, or have a history."""
    row = plant.initial_state()
    size = min(row.size, state.size)
    row[:size] = state[:size]
    return row


def step_text(interval: float, longest: float) -> str:
    """Sentence on a step that is too long, s, and one that is not."""
    return (
        f"moves so fast that the step of {seconds(round(1e9 * interval))} is unstable: damping and turning "
        f"feed the motion instead of slowing it; it needs a step of at most {1e3 * longest:.2g} ms"
    )
