"""Motion of one vehicle in a run: state, compiled plant and environment, integrated step by step."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.algebra.vectors import ZERO6
from remora.equations.packed import outputs_count
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.files.units import SECOND
from remora.messages.truth import Truth
from remora.plant.compilation import kernels_for
from remora.plant.failures import RunError
from remora.plant.forms.user_forms import codes_of
from remora.plant.pack import PackedVehicle
from remora.plant.stepper import KeptSteppers, Stepper
from remora.run.loop.actuator_chain import RunningActuators
from remora.run.loop.errors import vehicle_failure
from remora.run.plant.external_loads import WRENCH_SIZE, ExternalLoads, ExternalLoadsSnapshot, aged
from remora.run.plant.sampled_water import age_index
from remora.run.setup import Setup, VehicleSetup

if TYPE_CHECKING:
    from remora.run.plant.linked_motion import LinkedMotion

_new_tuple = tuple.__new__
TRUTH_SIZE = BODY_SIZE + 6 + 3  # numbers of body, rate of the twist and velocity of the water


@final
class VehicleMotion:
    """Integrates the state from step to step and gives the truth at any time within a step."""

    def __init__(self, setup: Setup, vehicle: VehicleSetup, packed: PackedVehicle, actuators: RunningActuators) -> None:
        self._name, self._step_ns, self._method = vehicle.name, setup.step_ns, setup.method
        self._actuators = actuators
        self._links: LinkedMotion | None = None  # None: it moves alone
        self.set_packed(packed)
        self._codes: NDArray[np.int64] = codes_of(packed.layout)
        self._rate = np.zeros(BODY_SIZE + packed.actuator_states)
        self._rate_outputs = np.zeros(outputs_count(packed.layout))
        self.state: Array = np.array(vehicle.start, dtype=float)
        self.external_loads = ExternalLoads(setup, vehicle, self._rate_under)
        self._truth: Truth | None = None  # at the latest sample time of this step
        self.truth_row = np.zeros((1, TRUTH_SIZE))  # the latest truth as numbers, for compiled measurements
        self._row_water: Vector3 | None = None  # velocity of the water in that row

    def join(self, links: "LinkedMotion") -> None:
        """Move together with other vehicles from now on."""
        self._links = links
        self.external_loads.use_rows_of_one_size(self.state)

    @property
    def links(self) -> "LinkedMotion | None":
        """Motion with other vehicles; None where it moves alone."""
        return self._links

    def inputs_at(self, time_ns: int) -> Array:
        """Actuator inputs from a time within a step until they are due to change."""
        return self._actuators.inputs_at(time_ns)

    def inputs_due(self, time_ns: int) -> int:
        """Next time at which an actuator input changes, ns."""
        return self._actuators.due(time_ns)

    def set_packed(self, packed: PackedVehicle) -> None:
        """Continue with this packed vehicle."""
        self.packed = packed
        self.stepper = Stepper(packed, self._step_ns / SECOND, self._method)
        self._rate_kernels: dict[int, tuple[Any, Array]] = {}  # with its inputs, by the size of the water, once used
        self._steppers = KeptSteppers(packed)  # of shorter steps, to samples of sensors and to changes of inputs
        if self._links is not None:
            self._links.set_packed(self._name, packed)

    def set_state(self, state: Array) -> None:
        """Continue from another state; the external loads are evaluated again."""
        self.state, self._truth = state, None
        self.external_loads.invalidate()
        if self._links is not None:
            self._links.invalidate()

    def fast_step(self, grid_ns: int) -> None:
        """Integrate one step with constant inputs and without external wrenches; errors are not converted."""
        loads = self.external_loads
        if not loads.is_steady and loads.known_ns != grid_ns:
            loads.update(grid_ns, self.state)
        self.state = self.stepper(self.state, self._actuators.inputs, loads.inputs)
        self._truth = None

    def continue_from(self, state: Array) -> None:
        """Continue from a state that was integrated elsewhere, under the same external loads."""
        self.state, self._truth = state, None

    def move(self, grid_ns: int) -> None:
        """Integrate the step that begins at grid_ns; inputs may change within it."""
        self.state = self._propagated(grid_ns, grid_ns + self._step_ns)
        self._truth = None

    def position_at(self, time_ns: int, grid_ns: int) -> Vector3:
        """Position in N, m, at a time within the step that begins at grid_ns."""
        self.external_loads.update(grid_ns, self.state)
        n, e, d = (self.state if time_ns == grid_ns else self._propagated(grid_ns, time_ns))[:3].tolist()
        return (n, e, d)

    def truth_at(self, time_ns: int, grid_ns: int) -> Truth:
        """The truth at a time within the step that begins at grid_ns."""
        if self._truth is not None and self._truth.time_ns == time_ns:
            return self._truth
        self.external_loads.update(grid_ns, self.state)
        state = self.state if time_ns == grid_ns else self._propagated(grid_ns, time_ns)
        n, e, d, q0, q1, q2, q3, u, v, w, p, q, r, *others = state.tolist()
        acceleration = self._acceleration_at(state, time_ns, grid_ns)
        a1, a2, a3, a4, a5, a6 = acceleration.tolist()
        twist, twist_rate = (u, v, w, p, q, r), (a1, a2, a3, a4, a5, a6)
        outputs = tuple(others[: self._actuators.count])
        loads = self.external_loads
        water = loads.steady_velocity or loads.local_water_velocity((n, e, d), (time_ns - grid_ns) / SECOND)
        row = self.truth_row[0]
        row[:BODY_SIZE], row[BODY_SIZE:-3] = state[:BODY_SIZE], acceleration
        if water is not self._row_water:
            row[-3:] = self._row_water = water
        seen = (time_ns, (n, e, d), (q0, q1, q2, q3), twist, twist_rate, water, outputs)
        self._truth = _new_tuple(Truth, seen)
        return self._truth

    def truth_for_parts(self, time_ns: int) -> Truth:
        """The truth at a step as visible to parts: without accelerations and outputs."""
        n, e, d, q0, q1, q2, q3, u, v, w, p, q, r = self.state[:BODY_SIZE].tolist()
        water = self.water_velocity
        return _new_tuple(Truth, (time_ns, (n, e, d), (q0, q1, q2, q3), (u, v, w, p, q, r), ZERO6, water, ()))

    @property
    def water_velocity(self) -> Vector3:
        """Current at the vehicle in N, m/s."""
        loads = self.external_loads
        if loads.steady_velocity is not None:
            return loads.steady_velocity
        n, e, d = self.state[:3].tolist()
        return loads.local_water_velocity((n, e, d))

    def restore(self, state: Array, external_loads: ExternalLoadsSnapshot) -> None:
        """Continue from a state and a snapshot of the external loads."""
        self.external_loads.restore(external_loads)
        self.set_state(state.copy())

    def _acceleration_at(self, state: Array, time_ns: int, grid_ns: int) -> Array:
        """Rate of the twist at a time within the step that begins at grid_ns."""
        if self._links is not None:
            return self._links.acceleration_at(self._name, time_ns, grid_ns)
        return self._rate_of(state, self.external_loads.inputs, (time_ns - grid_ns) / SECOND)[7:BODY_SIZE]

    def _rate_of(self, state: Array, external_inputs: Array, elapsed: float) -> Array:
        """Rate of a state some seconds after the external inputs were those given; overwritten by each call."""
        rate, size, actuators = self._rate, external_inputs.size, self._actuators.count
        found = self._rate_kernels.get(size)
        if found is None:
            kernel = kernels_for(self.packed.layout, size - WRENCH_SIZE).rate
            found = self._rate_kernels[size] = kernel, np.empty(size + actuators)
        kernel, inputs = found
        water = WRENCH_SIZE + actuators
        inputs[:WRENCH_SIZE], inputs[water:] = external_inputs[:WRENCH_SIZE], external_inputs[WRENCH_SIZE:]
        inputs[WRENCH_SIZE:water] = self._actuators.inputs
        at = age_index(size - WRENCH_SIZE)
        if at is not None and elapsed:
            inputs[water + at] += elapsed
        body = state if state.size == rate.size else state[: rate.size]
        kernel(self.packed.row, self._codes, body, inputs, self._rate_outputs, rate)
        return rate

    def _rate_under(self, state: Array, external_inputs: Array) -> Callable[[Array], Array]:
        """Rate of a state as a function of a wrench that is added to the external inputs; overwritten by each call."""
        rate, water, first = self._rate, external_inputs[WRENCH_SIZE:], external_inputs[:WRENCH_SIZE]
        inputs = np.concatenate([first, self._actuators.inputs, water])
        given = inputs[:WRENCH_SIZE]
        kernel, body = kernels_for(self.packed.layout, water.size).rate, state[: rate.size]

        def under(wrench: Array) -> Array:
            np.add(first, wrench, out=given)
            kernel(self.packed.row, self._codes, body, inputs, self._rate_outputs, rate)
            return rate

        return under

    def _propagated(self, from_ns: int, until_ns: int) -> Array:
        """The state at a later time within the step; inputs may change before it."""
        if self._links is not None:
            return self._links.row_at(self._name, until_ns, from_ns)
        try:
            return self._integrated(from_ns, until_ns)
        except (RunError, ValueError) as error:
            raise vehicle_failure(self._name, error, from_ns) from error

    def _integrated(self, from_ns: int, until_ns: int) -> Array:
        """The same with unconverted errors of the plant."""
        state, start_ns, actuators, loads = self.state, from_ns, self._actuators, self.external_loads.inputs
        while from_ns < until_ns:
            inputs, due_ns = actuators.held_from(from_ns)
            break_ns = due_ns if due_ns < until_ns else until_ns
            if break_ns - from_ns == self._step_ns:
                state = self.stepper(state, inputs, loads)
            else:
                later = loads if from_ns == start_ns else aged(loads, (from_ns - start_ns) / SECOND)
                state = self._steppers.stepper((break_ns - from_ns) / SECOND, 1, self._method)(state, inputs, later)
            from_ns = break_ns
        return state
