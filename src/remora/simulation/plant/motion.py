"""Motion of one vehicle in a run: state, compiled plant and environment, integrated step by step."""

from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.vectors import ZERO3, ZERO6, Vector3
from remora.equations.packed import outputs_count
from remora.files.arrays import Array
from remora.kernels import rollouts
from remora.kernels.compilation import kernels_for
from remora.kernels.failures import RunError
from remora.kernels.forms.user_forms import codes_of
from remora.kernels.loops import BODY_SIZE
from remora.kernels.pack import PackedVehicle
from remora.kernels.stepper import Stepper
from remora.messages.truth import Truth
from remora.simulation.loop.actuator_chain import RunningActuators
from remora.simulation.loop.clock import SECOND
from remora.simulation.loop.loop_error import vehicle_failure
from remora.simulation.plant.external_loads import ExternalLoads, ExternalLoadsSnapshot, aged
from remora.simulation.setup import Setup, VehicleSetup

_new_tuple = tuple.__new__


@final
class VehicleMotion:
    """Integrates the state from step to step and gives the truth at any time within a step."""

    def __init__(self, setup: Setup, vehicle: VehicleSetup, packed: PackedVehicle, actuators: RunningActuators) -> None:
        self._name, self._step_ns, self._method = vehicle.name, setup.step_ns, setup.method
        self._actuators = actuators
        self.set_packed(packed)
        self._codes: NDArray[np.int64] = codes_of(packed.layout)
        self._rate_kernels: dict[int, Any] = {}  # by the number of external inputs
        self._rate = np.zeros(BODY_SIZE + packed.actuator_states)
        self._rate_outputs = np.zeros(outputs_count(packed.layout))
        self.state: Array = np.array(vehicle.start, dtype=float)
        self.external_loads = ExternalLoads(setup, vehicle)
        self._external_inputs = self.external_loads.external_inputs
        self.is_steady, self.has_external_wrench = self.external_loads.is_steady, not self.external_loads.is_only_water
        self._steady_water = self.external_loads.local_water_velocity(ZERO3)  # m/s in N, a uniform and steady current
        self._environment_ns = -1  # step for which the external inputs are valid
        self._age_at, self._sampled_ns, self._next_sample_ns = (
            0,
            0,
            -1,
        )  # current without wrench: index of its age, sample times
        self._truth: Truth | None = None

    def set_packed(self, packed: PackedVehicle) -> None:
        """Continue with this packed vehicle."""
        self.packed = packed
        self._stepper = Stepper(packed, self._step_ns / SECOND, self._method)

    def set_state(self, state: Array) -> None:
        """Continue from another state; the environment is evaluated again."""
        self.state = state
        self._truth, self._environment_ns = None, -1

    def set_current_offset(self, current_offset: Vector3) -> None:
        """Add a uniform offset to the current from now on."""
        self.external_loads.set_current_offset(current_offset)
        self._external_inputs, self._steady_water = (
            self.external_loads.external_inputs,
            self.external_loads.local_water_velocity(ZERO3),
        )

    def update_environment(self, grid_ns: int) -> None:
        """Evaluate the environment of the step that begins at grid_ns, for plant and sensors."""
        if self.is_steady or self._environment_ns == grid_ns:
            return
        if 0 <= self._environment_ns < grid_ns < self._next_sample_ns:
            self._environment_ns, self._external_inputs[self._age_at] = grid_ns, 1e-9 * (grid_ns - self._sampled_ns)
            return
        try:
            if self.has_external_wrench:
                self._external_inputs = self.external_loads.update_environment(grid_ns, self.state, self._rate_in)
            else:
                self._external_inputs, self._age_at, self._next_sample_ns = self.external_loads.update_water(
                    grid_ns, self.state
                )
                self._sampled_ns = self.external_loads.sampled_ns
        except (RunError, ValueError) as error:
            raise vehicle_failure(self._name, error, grid_ns) from error
        self._environment_ns = grid_ns

    def fast_step(self, grid_ns: int) -> None:
        """Integrate one step with constant inputs and without external wrenches."""
        if not self.is_steady:
            self.update_environment(grid_ns)
        self.state = self._stepper(self.state, self._actuators.inputs, self._external_inputs)
        self._truth = None

    def move(self, grid_ns: int) -> None:
        """Integrate the step that begins at grid_ns; inputs may change within it."""
        self.state = self._propagated(grid_ns, grid_ns + self._step_ns)
        self._truth = None

    def age_water(self, time_ns: int) -> None:
        """Advance the age of the current to the end of the run, where no step begins."""
        if 0 <= self._environment_ns < time_ns and not self.has_external_wrench:
            self.external_loads.age_water((time_ns - self._environment_ns) / SECOND)

    def position_at(self, time_ns: int, grid_ns: int) -> Vector3:
        """Position in N, m, at a time within the step that begins at grid_ns."""
        self.update_environment(grid_ns)
        n, e, d = (self.state if time_ns == grid_ns else self._propagated(grid_ns, time_ns))[:3].tolist()
        return (n, e, d)

    def truth_at(self, time_ns: int, grid_ns: int) -> Truth:
        """The truth at a time within the step that begins at grid_ns."""
        if self._truth is not None and self._truth.time_ns == time_ns:
            return self._truth
        self.update_environment(grid_ns)
        state = self.state if time_ns == grid_ns else self._propagated(grid_ns, time_ns)
        elapsed = (time_ns - grid_ns) / SECOND
        rate = self._rate_of(state, aged(self._external_inputs, elapsed))
        n, e, d, q0, q1, q2, q3, u, v, w, p, q, r = state[:BODY_SIZE].tolist()
        a1, a2, a3, a4, a5, a6 = rate[7:BODY_SIZE].tolist()
        twist, twist_rate = (u, v, w, p, q, r), (a1, a2, a3, a4, a5, a6)
        outputs = tuple(state[BODY_SIZE : BODY_SIZE + self._actuators.count].tolist())
        water = self._steady_water if self.is_steady else self.external_loads.local_water_velocity((n, e, d), elapsed)
        self._truth = Truth(time_ns, (n, e, d), (q0, q1, q2, q3), twist, twist_rate, water, outputs)
        return self._truth

    def truth_for_parts(self, time_ns: int) -> Truth:
        """The truth at a step as visible to parts: without accelerations and outputs."""
        n, e, d, q0, q1, q2, q3, u, v, w, p, q, r = self.state[:BODY_SIZE].tolist()
        water = self.water_velocity
        return _new_tuple(Truth, (time_ns, (n, e, d), (q0, q1, q2, q3), (u, v, w, p, q, r), ZERO6, water, ()))

    @property
    def water_velocity(self) -> Vector3:
        """Current at the vehicle in N, m/s."""
        if self.is_steady:  # fast path for parts that see the truth
            return self._steady_water
        n, e, d = self.state[:3].tolist()
        return self.external_loads.local_water_velocity((n, e, d))

    def restore(self, state: Array, external_loads: ExternalLoadsSnapshot) -> None:
        """Continue from a state and a snapshot of the external loads."""
        self.external_loads.restore(external_loads)
        self._external_inputs = self.external_loads.external_inputs
        self.set_state(state.copy())

    def _rate_in(self, external_inputs: Array) -> Array:
        """Rate of the present state in an environment."""
        return self._rate_of(self.state, external_inputs)

    def _rate_of(self, state: Array, external_inputs: Array) -> Array:
        kernel, rate, water = self._rate_kernels.get(external_inputs.size), self._rate, external_inputs[6:]
        if kernel is None:
            kernel = self._rate_kernels[external_inputs.size] = kernels_for(self.packed.layout, water.size).rate
        inputs = np.concatenate([external_inputs[:6], self._actuators.inputs, water])
        kernel(self.packed.row, self._codes, state[: rate.size], inputs, self._rate_outputs, rate)
        return rate

    def _propagated(self, from_ns: int, until_ns: int) -> Array:
        """The state at a later time within the step; inputs may change before it."""
        try:
            return self._integrated(from_ns, until_ns)
        except (RunError, ValueError) as error:
            raise vehicle_failure(self._name, error, from_ns) from error

    def _integrated(self, from_ns: int, until_ns: int) -> Array:
        """The same with unconverted errors of the plant."""
        state, start_ns, actuators = self.state, from_ns, self._actuators
        while from_ns < until_ns:
            inputs, break_ns = actuators.inputs_at(from_ns), min(actuators.due(from_ns), until_ns)
            if break_ns - from_ns == self._step_ns:
                state = self._stepper(state, inputs, self._external_inputs)
            else:
                length = (break_ns - from_ns) / SECOND
                external_inputs = aged(self._external_inputs, (from_ns - start_ns) / SECOND)
                wrench, water = external_inputs[:6], external_inputs[6:]
                state = rollouts.rollout(self.packed, state, inputs, length, 1, wrench, water, self._method)[-1]
            from_ns = break_ns
        return state
