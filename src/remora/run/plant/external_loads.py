"""External loads on a vehicle: current, disturbances, contacts, density changes and tethers.

They are evaluated at the start of a step and held over it; the plant follows the gradients of a varying current.
Sensors that sample within the step use the same values.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.vectors import ZERO3, ZERO6, add3, add6
from remora.equations.tether import pull_wrench
from remora.equations.types import Vector3, Wrench
from remora.equations.water.local_water import kind_of_water, water_from, water_velocity
from remora.equations.water.seawater import density_change_wrench
from remora.files.arrays import Array
from remora.files.units import SECOND
from remora.plant.failures import RunError
from remora.run.loop.errors import vehicle_failure
from remora.run.plant.packed_overrides import quaternion_in
from remora.run.plant.sampled_water import CURRENT_PERIOD_NS, SampledWater, WaterSample, age_index
from remora.run.plant.tethered_motion import TetherSetup, vehicle_end, vehicle_end_row
from remora.run.setup import Setup, VehicleSetup
from remora.world.contact import Contact, ContactChange, changes
from remora.world.tethers.ends import TetherForces, end_row, tether_forces
from remora.world.tethers.tether import Tether

WRENCH_SIZE = 6  # numbers of the external inputs before those of the water
_UNKNOWN_NS = -1  # no step


class TetherLoad(NamedTuple):
    """State and force of a tether between two steps."""

    state: Any
    pull: TetherForces
    water: Any  # m/s in N, at each node or one for all
    water_ns: int  # sample time of the current


class ExternalLoadsSnapshot(NamedTuple):
    """State of the external loads between two steps."""

    water: WaterSample
    touching: tuple[str, ...]
    tethers: tuple[TetherLoad, ...]


class CalmLoads(NamedTuple):
    """Loads that last while z - reach < surface does not change, looked at from time to time; z of the vehicle in N."""

    period_ns: int  # of the looks, a multiple of the step
    reach: float  # m
    surface: float  # m


def aged(external_inputs: Array, seconds: float) -> Array:
    """The external inputs some seconds later."""
    at = age_index(external_inputs.size - WRENCH_SIZE)
    if at is None or seconds == 0.0:
        return external_inputs
    later = external_inputs.copy()
    later[WRENCH_SIZE + at] += seconds
    return later


@final
class ExternalLoads:
    """External loads on one vehicle of a run. `update` evaluates those of a step, `commit` completes the step.

    `rate_under` leads from a state of the plant and external inputs to its rate under a further wrench.

    Attributes
    ----------
    inputs
        External inputs of the plant: wrench about B in body axes (6), then the numbers of the water.
    steady_velocity
        Velocity of the water in N, m/s, where it is the same everywhere and at all times, but for faults; else None.
    """

    inputs: Array

    def __init__(
        self, setup: Setup, vehicle: VehicleSetup, rate_under: Callable[[Array, Array], Callable[[Array], Array]]
    ) -> None:
        self._vehicle, self._step_ns, self._rate_under, self._world = (
            vehicle,
            setup.step_ns,
            rate_under,
            setup.environment,
        )
        self._tether_period_ns = max(1, CURRENT_PERIOD_NS // setup.step_ns) * setup.step_ns
        self._contact = _contact(setup, vehicle)
        self.others: Callable[[], Mapping[str, Array]] = dict
        self.water = SampledWater(self._world, vehicle.plant.vehicle.parameters, setup.step_ns)
        self.has_wrench = bool(vehicle.disturbances or self._contact or self._world.column or vehicle.tethers)
        self.is_steady = self.water.is_uniform and not self.has_wrench  # constant, apart from faults
        unloaded = TetherForces(ZERO3, ZERO3)
        self.tethers = tuple(  # after the previous step
            TetherLoad(tether.start, unloaded, ZERO3, -1) for tether in vehicle.tethers
        )
        self._touching: tuple[str, ...] = ()
        self._next: tuple[tuple[str, ...], tuple[TetherLoad, ...]] = ((), self.tethers)  # after this step
        self.water.update(0, np.asarray(vehicle.start, dtype=float))
        self._set_inputs(ZERO6, self.water.row(0))
        self.known_ns = _UNKNOWN_NS  # step whose loads are known
        self._calm: CalmLoads | None = None  # None where they vary
        if self.is_steady:
            self._calm = CalmLoads(setup.step_ns, 0.0, -math.inf)
        elif self.water.is_calm and not self.has_wrench:
            self._calm = CalmLoads(self.water.period_ns, self.water.reach, self._world.water.level)

    def update(self, time_ns: int, state: Array) -> None:
        """Evaluate the loads of the step that begins at a time; nothing is done where they are known."""
        if time_ns == self.known_ns or self.is_steady:
            return
        if 0 <= self.known_ns < time_ns < self._ages_until_ns:  # as `SampledWater.age`, without a call
            self.inputs[self._age_at] = 1e-9 * (time_ns - self._sampled_ns)
            self.known_ns = time_ns
        elif self.known_ns >= 0 and not self.has_wrench and self.water.continues(time_ns, float(state[2])):
            self._prepare_aging()
            if self._ages_until_ns:
                self.inputs[self._age_at] = self.water.age(time_ns)
            self.known_ns = time_ns
        else:
            try:
                self._evaluate(time_ns, state)
            except (RunError, ValueError) as error:
                raise vehicle_failure(self._vehicle.name, error, time_ns) from error
            self.known_ns = time_ns

    @property
    def is_held(self) -> bool:
        """Whether the loads of this step last: steady water without a surface nearby, and no wrench."""
        return self.is_steady or (self.water.is_calm and not self.has_wrench and self._ages_until_ns == 0)

    def lasting(self) -> CalmLoads | None:
        """When the loads of this step have to be evaluated again; None where they vary from step to step."""
        if self._ages_until_ns and self.water.period_ns != self._step_ns:
            return None
        return self._calm

    def continue_from(self, time_ns: int) -> None:
        """Steps up to the one that begins at a time were taken under these loads, which lasted."""
        if not self.is_steady:
            self.water.continue_from(time_ns)
            self._prepare_aging()
            self.known_ns = time_ns

    def invalidate(self) -> None:
        """Evaluate the loads again, because the state of the vehicle has changed."""
        self.known_ns = _UNKNOWN_NS

    def finish(self, time_ns: int) -> None:
        """Advance the water to the end of the run, where no step begins."""
        if 0 <= self.known_ns < time_ns:
            self.inputs = aged(self.inputs, (time_ns - self.known_ns) / SECOND)

    @property
    def touching(self) -> tuple[str, ...]:
        """Names of the objects that the vehicle touches."""
        return self._touching

    def commit(self) -> tuple[ContactChange, ...]:
        """Complete the step; returns contacts that began and ended in it."""
        before, (self._touching, self.tethers) = self._touching, self._next
        return changes(before, self._touching)

    def set_current_offset(self, offset: Vector3) -> None:
        """Add a uniform offset to the current from now on."""
        if offset != self.water.sample.offset:
            self.water.set_offset(offset)
            self._set_inputs(ZERO6, self.water.row(self.water.sample.time_ns))
            self.invalidate()

    def use_rows_of_one_size(self, state: Array) -> None:
        """Describe the water by rows of one length, near the surface or not, as linked vehicles need."""
        self.water.is_of_one_size = True
        self.water.set_offset(self.water.sample.offset)  # a new sample is due
        self.water.update(0, state)
        self._set_inputs(ZERO6, self.water.row(0))
        self.invalidate()

    def snag_tether(self, name: str, along: float | None) -> None:
        """Fix a tether at a distance along it from the vehicle, in m; None: half way."""
        self._change_tether(name, lambda tether, state: tether.snagged(state, _place(state, along)))

    def release_tether(self, name: str) -> None:
        """Release a snagged tether."""
        self._change_tether(name, lambda tether, state: tether.freed(state))

    def water_velocity(self, time_ns: int, p_N: Vector3) -> Vector3:
        """Velocity of the water at any position in N, m/s."""
        return add3(self._world.at(time_ns, p_N).velocity, self.water.sample.offset)

    def wave_head(self, time_ns: int, p_N: Vector3) -> float:
        """Pressure of waves at any position in N, m of water."""
        return self._world.at(time_ns, p_N).head

    def local_water_velocity(self, p_N: Vector3, elapsed: float = 0.0) -> Vector3:
        """Velocity of the water near the vehicle as used by the plant, `elapsed` s after the start of the step."""
        numbers = tuple(self.inputs[WRENCH_SIZE:].tolist())
        return water_velocity(water_from(numbers, kind_of_water(len(numbers))), p_N, elapsed)

    def snapshot(self) -> ExternalLoadsSnapshot:
        """State for a checkpoint."""
        return ExternalLoadsSnapshot(self.water.sample, self._touching, self.tethers)

    def restore(self, snapshot: ExternalLoadsSnapshot) -> None:
        """Continue from a snapshot."""
        self.water.sample, self._touching, self.tethers = snapshot
        self._next = (self._touching, self.tethers)
        self._set_inputs(ZERO6, self.water.row(self.water.sample.time_ns))
        self.invalidate()

    def _set_inputs(self, wrench: Wrench, water: tuple[float, ...]) -> None:
        self.inputs = np.array((*wrench, *water))
        self._prepare_aging()
        self.steady_velocity: Vector3 | None = None
        if self.is_steady or self.water.is_calm:
            u, v, w = self.inputs[WRENCH_SIZE : WRENCH_SIZE + 3].tolist()
            self.steady_velocity = (u, v, w)

    def _prepare_aging(self) -> None:
        """Until the next sample only the age of the water changes, unless wrenches act."""
        at, sample = age_index(self.inputs.size - WRENCH_SIZE), self.water.sample
        self._age_at, self._sampled_ns = WRENCH_SIZE + (at or 0), sample.time_ns
        self._ages_until_ns = 0 if at is None or self.has_wrench else sample.next_ns

    def _evaluate(self, time_ns: int, state: Array) -> None:
        """Sum all wrenches; each tether is stepped under those before it."""
        self.water.update(time_ns, state)
        water = self.water.row(time_ns)
        wrench, touching = self._wrench(time_ns, state)
        stepped = []
        for setup, load in zip(self._vehicle.tethers, self.tethers, strict=True):
            after = self._stepped_tether(setup, load, time_ns, state, np.array((*wrench, *water)))
            wrench = add6(wrench, pull_wrench(quaternion_in(state), setup.p_BA, after.pull.vehicle))
            stepped.append(after)
        self._next = (touching, tuple(stepped))
        self._set_inputs(wrench, water)

    def _wrench(self, time_ns: int, state: Array) -> tuple[Wrench, tuple[str, ...]]:
        """Sum of all wrenches except tethers, and the names of touched objects."""
        wrench = ZERO6
        touching: tuple[str, ...] = ()
        for disturbance in self._vehicle.disturbances:
            wrench = add6(wrench, disturbance(time_ns, state))
        if self._contact is not None:
            push, touching = self._contact.wrench(time_ns, state, self.others())
            wrench = add6(wrench, push)
        if self._world.column is not None:
            p = self._vehicle.plant.vehicle.parameters
            share = self._world.column.density(float(state[2]) - self._world.surface_depth) / p.density - 1.0
            down_B = down_in_body(quaternion_in(state))
            wrench = add6(wrench, density_change_wrench(share, p.displaced_mass, p.gravity, p.p_BC, down_B))
        return wrench, touching

    def _stepped_tether(
        self, setup: TetherSetup, load: TetherLoad, time_ns: int, state: Array, inputs: Array
    ) -> TetherLoad:
        """A tether after one step, on a vehicle under the other external inputs."""
        if load.water_ns < 0 or (not self.water.is_uniform and time_ns - load.water_ns >= self._tether_period_ns):
            load = load._replace(water=self._water_along(load.state, time_ns, state), water_ns=time_ns)

        far, turning, step = setup.far_end(time_ns), setup.length_rate(time_ns), 1e-9 * self._step_ns
        flow = np.asarray(load.water) + self.water.sample.offset
        rate, tether = self._rate_under(state, inputs), setup.tether
        if isinstance(tether, Tether):
            ends = np.array((vehicle_end_row(rate, state, np.array(setup.p_BA)), end_row(far)))
            line, pulls = tether.step_between(load.state, ends, tether.flow_along(flow), turning, step)
            return load._replace(state=line, pull=tether_forces(pulls))
        after, pull = tether.step(load.state, vehicle_end(rate, state, setup.p_BA), far, flow, turning, step)
        return load._replace(state=after, pull=pull)

    def _water_along(self, line: Any, time_ns: int, state: Array) -> Any:
        """Velocity of the water at each tether node, or at the vehicle for a model without nodes."""
        if self.water.is_uniform:
            return self.water.sample.row
        flow = self._world.water.velocities_at(time_ns, getattr(line, "positions", state[None, :3]))
        return flow if len(flow) > 1 else flow[0]

    def _change_tether(self, name: str, change: Callable[[Tether, Any], Any]) -> None:
        loads = list(self.tethers)
        for i, setup in enumerate(self._vehicle.tethers):
            if setup.name == name and isinstance(setup.tether, Tether):
                loads[i] = loads[i]._replace(state=change(setup.tether, loads[i].state))
        self.tethers = tuple(loads)


def _contact(setup: Setup, vehicle: VehicleSetup) -> Contact | None:
    bodies = {one.name: one.plant.vehicle.parameters for one in setup.vehicles}
    return setup.environment.contacts(bodies, 1e-9 * setup.step_ns).get(vehicle.name)


def _place(line: Any, along: float | None) -> float:
    return 0.5 * line.length if along is None else min(along, line.length)
