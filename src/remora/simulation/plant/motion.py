"""The motion of one vehicle through a run: its state, the compiled plant, and the water and wrenches around it."""

from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.vectors import ZERO3, ZERO6, Vector3
from remora.equations.packed import outputs_count
from remora.files.arrays import Array
from remora.kernels import rollouts
from remora.kernels.compilation import kernels_for
from remora.kernels.failures import RunError
from remora.kernels.loops import BODY_SIZE
from remora.kernels.pack import PackedVehicle
from remora.kernels.stepper import Stepper
from remora.messages.truth import Truth
from remora.simulation.loop.actuator_chain import RunningActuators
from remora.simulation.loop.clock import SECOND
from remora.simulation.loop.loop_error import vehicle_failure
from remora.simulation.plant.external_loads import InfluenceMemory, Influences, drifted
from remora.simulation.setup import Setup, VehicleSetup

_new_tuple = tuple.__new__


@final
class Motion:
    """Carries the state from step to step of the grid, and tells the truth at any time within a step."""

    def __init__(self, setup: Setup, vehicle: VehicleSetup, packed: PackedVehicle, actuators: RunningActuators) -> None:
        self._name, self._step_ns, self._method = vehicle.name, setup.step_ns, setup.method
        self._actuators = actuators
        self.fit(packed)
        self._codes: NDArray[np.int64] = np.array(packed.layout, dtype=np.int64)
        self._rate_kernels: dict[int, Any] = {}  # by how many numbers the water has
        self._rate = np.zeros(BODY_SIZE + packed.actuator_states)
        self._rate_outputs = np.zeros(outputs_count(packed.layout))
        self.state: Array = np.array(vehicle.start, dtype=float)
        self.influences = Influences(setup, vehicle)
        self._external_inputs = self.influences.external_inputs
        self.is_steady, self.is_pushed = self.influences.are_steady, not self.influences.are_only_water
        self._steady_water = self.influences.water_around(ZERO3)  # the current where it is alike everywhere and always
        self._felt_ns = -1  # the step whose influences are among the external_inputs
        self._age_at, self._looked_ns, self._look_ns = 0, 0, -1  # of water alone: when to look at it anew
        self._truth: Truth | None = None

    def fit(self, packed: PackedVehicle) -> None:
        """Go on with this packed vehicle."""
        self.packed = packed
        self._stepper = Stepper(packed, self._step_ns / SECOND, self._method)

    def jump_to(self, state: Array) -> None:
        """Go on from another state, in water to be felt anew."""
        self.state = state
        self._truth, self._felt_ns = None, -1

    def change_current(self, shift: Vector3) -> None:
        """Let the current be another by so much, everywhere and from now on."""
        self.influences.change_current(shift)
        self._external_inputs, self._steady_water = self.influences.external_inputs, self.influences.water_around(ZERO3)

    def feel(self, grid_ns: int) -> None:
        """Let all that acts over the step that begins at a time of the grid act, on sensors as on the plant."""
        if self.is_steady or self._felt_ns == grid_ns:
            return
        if 0 <= self._felt_ns < grid_ns < self._look_ns:
            self._felt_ns, self._external_inputs[self._age_at] = grid_ns, 1e-9 * (grid_ns - self._looked_ns)
            return
        try:
            if self.is_pushed:
                self._external_inputs = self.influences.feel(grid_ns, self.state, self._rate_under)
            else:
                self._external_inputs, self._age_at, self._look_ns = self.influences.feel_water(grid_ns, self.state)
                self._looked_ns = self.influences.looked_ns
        except (RunError, ValueError) as error:
            raise vehicle_failure(self._name, error, grid_ns) from error
        self._felt_ns = grid_ns

    def glide(self, grid_ns: int) -> None:
        """Carry the state over a step with inputs held and nothing to tell, as quickly as can be."""
        if not self.is_steady:
            self.feel(grid_ns)
        self.state = self._stepper(self.state, self._actuators.inputs, self._external_inputs)
        self._truth = None

    def move(self, grid_ns: int) -> None:
        """Carry the state over the step that begins at a time of the grid; inputs may change on the way."""
        self.state = self._carried(grid_ns, grid_ns + self._step_ns)
        self._truth = None

    def settle(self, time_ns: int) -> None:
        """Bring the water up to the end of the run, where no step begins."""
        if 0 <= self._felt_ns < time_ns and not self.is_pushed:
            self.influences.go_on((time_ns - self._felt_ns) / SECOND)

    def place_at(self, time_ns: int, grid_ns: int) -> Vector3:
        """Where the vehicle is at a time within the step that begins at a time of the grid."""
        self.feel(grid_ns)
        n, e, d = (self.state if time_ns == grid_ns else self._carried(grid_ns, time_ns))[:3].tolist()
        return (n, e, d)

    def truth_at(self, time_ns: int, grid_ns: int) -> Truth:
        """The truth at a time within the step that begins at a time of the grid."""
        if self._truth is not None and self._truth.time_ns == time_ns:
            return self._truth
        self.feel(grid_ns)
        state = self.state if time_ns == grid_ns else self._carried(grid_ns, time_ns)
        elapsed = (time_ns - grid_ns) / SECOND
        rate = self._rate_of(state, drifted(self._external_inputs, elapsed))
        n, e, d, q0, q1, q2, q3, u, v, w, p, q, r = state[:BODY_SIZE].tolist()
        a1, a2, a3, a4, a5, a6 = rate[7:BODY_SIZE].tolist()
        twist, twist_rate = (u, v, w, p, q, r), (a1, a2, a3, a4, a5, a6)
        outputs = tuple(state[BODY_SIZE : BODY_SIZE + self._actuators.count].tolist())
        water = self._steady_water if self.is_steady else self.influences.water_around((n, e, d), elapsed)
        self._truth = Truth(time_ns, (n, e, d), (q0, q1, q2, q3), twist, twist_rate, water, outputs)
        return self._truth

    def truth_for_parts(self, time_ns: int) -> Truth:
        """The truth at a step of the grid as parts may see it: without accelerations and outputs."""
        n, e, d, q0, q1, q2, q3, u, v, w, p, q, r = self.state[:BODY_SIZE].tolist()
        water = self.water_velocity
        return _new_tuple(Truth, (time_ns, (n, e, d), (q0, q1, q2, q3), (u, v, w, p, q, r), ZERO6, water, ()))

    @property
    def water_velocity(self) -> Vector3:
        """The current around the vehicle in N, m/s."""
        if self.is_steady:  # asked for by every part that sees the truth
            return self._steady_water
        n, e, d = self.state[:3].tolist()
        return self.influences.water_around((n, e, d))

    def recall(self, state: Array, influences: InfluenceMemory) -> None:
        """Take up a state, and what the influences remembered."""
        self.influences.recall(influences)
        self._external_inputs = self.influences.external_inputs
        self.jump_to(state.copy())

    def _rate_under(self, external_inputs: Array) -> Array:
        """The rate of the state under a wrench and in water."""
        return self._rate_of(self.state, external_inputs)

    def _rate_of(self, state: Array, external_inputs: Array) -> Array:
        kernel, rate, water = self._rate_kernels.get(external_inputs.size), self._rate, external_inputs[6:]
        if kernel is None:
            kernel = self._rate_kernels[external_inputs.size] = kernels_for(self.packed.layout, water.size).rate
        inputs = np.concatenate([external_inputs[:6], self._actuators.inputs, water])
        kernel(self.packed.row, self._codes, state[: rate.size], inputs, self._rate_outputs, rate)
        return rate

    def _carried(self, from_ns: int, until_ns: int) -> Array:
        """The state at a later time: a step of the grid, or a part of it; inputs may change on the way."""
        try:
            return self._moved(from_ns, until_ns)
        except (RunError, ValueError) as error:
            raise vehicle_failure(self._name, error, from_ns) from error

    def _moved(self, from_ns: int, until_ns: int) -> Array:
        """The same, with the errors of the plant."""
        state, start_ns, actuators = self.state, from_ns, self._actuators
        while from_ns < until_ns:
            inputs, break_ns = actuators.inputs_at(from_ns), min(actuators.due(from_ns), until_ns)
            if break_ns - from_ns == self._step_ns:
                state = self._stepper(state, inputs, self._external_inputs)
            else:
                length = (break_ns - from_ns) / SECOND
                around = drifted(self._external_inputs, (from_ns - start_ns) / SECOND)
                wrench, water = around[:6], around[6:]
                state = rollouts.rollout(self.packed, state, inputs, length, 1, wrench, water, self._method)[-1]
            from_ns = break_ns
        return state
