"""External loads on a vehicle: current, disturbances, contacts, density changes and tethers.

They are evaluated at the start of a step and held over it. A varying current is linearised in position and time, and
the plant follows its gradients. Sensors that sample within the step use the same values.

The external inputs of a step are the external wrench (6, about B in body axes) and the numbers of the water.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.algebra.kinematics import down_in_body, position_rate
from remora.equations.algebra.vectors import ZERO3, ZERO6, Vector3, Wrench, add3, add6, scale3
from remora.equations.hull.surfacing import DEVICE_RADIUS
from remora.equations.tether_ends import pull_wrench
from remora.equations.water.local_water import (
    CURRENT_SIZE,
    LAYERED_SIZE,
    WATER_SIZE,
    kind_of_water,
    water_from,
    water_velocity,
)
from remora.equations.water.seawater import density_change_wrench
from remora.files.arrays import Array
from remora.kernels.pack import buoyancy_elements_of
from remora.simulation.plant.tether_setup import TetherSetup
from remora.simulation.plant.tethered_motion import vehicle_end
from remora.simulation.setup import Setup, VehicleSetup
from remora.vehicles.parameters import VehicleParameters
from remora.world.contact import Contact, ContactChange, changes
from remora.world.tethers.ends import TetherForces
from remora.world.tethers.tether import Tether
from remora.world.world import World

# Sampling periods of the current; in between it is linear in position and time, along tethers constant.
LAYERED_PERIOD_NS = 300_000_000  # current of depth and time only; periods end at gust nodes
CURRENT_PERIOD_NS = 50_000_000  # current of position and time, and along tethers
SURFACE_PERIOD_NS = 10_000_000  # near the surface, whose height is constant in between
NEVER_SAMPLED_NS = -(1 << 62)
SURFACE_MARGIN = 1.0  # m; more than a vehicle rises between two samples
_AGE_AT = {LAYERED_SIZE: 9, CURRENT_SIZE: 15, WATER_SIZE: 15}  # index of the age among the numbers of the water


class TetherLoad(NamedTuple):
    """State and force of a tether between two steps."""

    state: Any
    pull: TetherForces
    water: Any  # m/s in N, at each node or one for all
    water_ns: int  # sample time of the current


class ExternalLoadsSnapshot(NamedTuple):
    """State of the external loads between two steps."""

    water: tuple[float, ...]
    water_ns: int
    touching: tuple[str, ...]
    tethers: tuple[TetherLoad, ...]


def aged(external_inputs: Array, seconds: float) -> Array:
    """The external inputs some seconds later."""
    at = _AGE_AT.get(external_inputs.size - 6)
    if at is None or seconds == 0.0:
        return external_inputs
    later = external_inputs.copy()
    later[6 + at] += seconds
    return later


@final
class ExternalLoads:
    """External loads on one vehicle of a run. `update_environment` evaluates a step, `commit` completes it."""

    def __init__(self, setup: Setup, vehicle: VehicleSetup) -> None:
        self._vehicle, self._step_ns = vehicle, setup.step_ns
        self._world: World = setup.environment.world
        self._column, self._level = self._world.column, setup.environment.surface_depth
        self._current_size, self._has_surface = self._world.current_size, self._world.has_surface
        self._is_uniform = self._world.steady_current is not None
        self._period_ns = max(1, _period(self._world) // setup.step_ns) * setup.step_ns
        self._line_period_ns = max(1, CURRENT_PERIOD_NS // setup.step_ns) * setup.step_ns
        self._contact = _contact(setup, vehicle)
        self.others: Callable[[], Mapping[str, Array]] = dict
        self.current_offset: Vector3 = ZERO3  # m/s in N, added to the current by faults
        self._elapsed = 0.0  # s, age of the current sample at the start of this step
        parameters = vehicle.plant.vehicle.parameters
        self._reach = _reach(parameters) + SURFACE_MARGIN
        self._displaced = (parameters.displaced_mass, parameters.density, parameters.gravity, parameters.p_BC)
        self._state = ExternalLoadsSnapshot((), 0, (), tuple(_initial_tether(tether) for tether in vehicle.tethers))
        self._next = self._state
        self.external_inputs = np.concatenate([np.zeros(6), self._water(0, np.asarray(vehicle.start, dtype=float))])

    @property
    def is_only_water(self) -> bool:
        """Whether no external wrench can act."""
        return not (self._vehicle.disturbances or self._contact or self._column or self._vehicle.tethers)

    @property
    def is_steady(self) -> bool:
        """Whether the loads are constant, apart from faults."""
        return self.is_only_water and self._is_uniform

    def update_environment(self, time_ns: int, state: Array, rate: Callable[[Array], Array]) -> Array:
        """External inputs of the step that begins at a time.

        Parameters
        ----------
        time_ns
            Start of the step.
        state
            State of the vehicle at the start.
        rate
            Rate of that state for external inputs.
        """
        water = self._water(time_ns, state)
        wrench, touching = self._wrench(time_ns, state)
        lines = []
        for setup, line in zip(self._vehicle.tethers, self._state.tethers, strict=True):
            stepped = self._stepped_tether(setup, line, time_ns, state, wrench, water, rate)
            q0, q1, q2, q3 = state[3:7].tolist()
            wrench = add6(wrench, pull_wrench((q0, q1, q2, q3), setup.p_BA, stepped.pull.vehicle))
            lines.append(stepped)
        self._next = self._state._replace(touching=touching, tethers=tuple(lines))
        self.external_inputs = np.array([*wrench, *water])
        return self.external_inputs

    def update_water(self, time_ns: int, state: Array) -> tuple[Array, int, int]:
        """External inputs without wrench, the index of their age, and the time until which only the age changes."""
        external_inputs = self.external_inputs = np.array([*ZERO6, *self._water(time_ns, state)])
        at = _AGE_AT.get(external_inputs.size - 6)
        holds = -1 if at is None else self._next_sample(self._state.water_ns)
        return external_inputs, 6 + (at or 0), holds

    @property
    def sampled_ns(self) -> int:
        """Sample time of the current."""
        return self._state.water_ns

    def age_water(self, seconds: float) -> None:
        """Advance the age of the current sample, for queries after the last step."""
        self.external_inputs = aged(self.external_inputs, seconds)

    def commit(self) -> tuple[ContactChange, ...]:
        """Complete the step; returns contacts that began and ended in it."""
        before, self._state = self._state.touching, self._next
        self.age_water(1e-9 * self._step_ns)
        return changes(before, self._state.touching)

    def set_current_offset(self, current_offset: Vector3) -> None:
        """Add a uniform offset to the current from now on."""
        if current_offset != self.current_offset:  # the velocity jumps, so the current along the path is sampled again
            self._state = self._state._replace(water_ns=NEVER_SAMPLED_NS)
        self.current_offset = current_offset
        self.external_inputs = self.external_inputs.copy()
        self.external_inputs[6:9] = self._row(self._elapsed)[:3]

    def snag_tether(self, name: str, along: float | None) -> None:
        """Fix a tether at a distance along it from the vehicle, in m; None: half way."""
        self._change_tether(name, lambda tether, state: tether.snagged(state, _place(state, along)))

    def release_tether(self, name: str) -> None:
        """Release a snagged tether."""
        self._change_tether(name, lambda tether, state: tether.freed(state))

    def water_velocity(self, time_ns: int, p_N: Vector3) -> Vector3:
        """Velocity of the water at a position in N, m/s."""
        return add3(self._world.at(time_ns, p_N).velocity, self.current_offset)

    def local_water_velocity(self, p_N: Vector3, elapsed: float = 0.0) -> Vector3:
        """Velocity of the water near the vehicle as used by the plant, `elapsed` s after the start of the step."""
        numbers = tuple(self.external_inputs[6:].tolist())
        return water_velocity(water_from(numbers, kind_of_water(len(numbers))), p_N, elapsed)

    @property
    def tethers(self) -> tuple[TetherLoad, ...]:
        """Tethers at the start of this step, with their forces over the previous one."""
        return self._state.tethers

    def snapshot(self) -> ExternalLoadsSnapshot:
        """State for a checkpoint."""
        return self._state

    def restore(self, snapshot: ExternalLoadsSnapshot) -> None:
        """Continue from a snapshot."""
        self._state = self._next = snapshot

    def _water(self, time_ns: int, state: Array) -> tuple[float, ...]:
        """Numbers of the water for a step: sampled periodically, extrapolated by its rate in between."""
        if self._is_uniform and self._state.water:
            return self._row()
        if not self._state.water or time_ns >= self._next_sample(self._state.water_ns):
            row = self._sampled(time_ns, state)
            if not math.isfinite(sum(row)):
                raise ValueError("the velocity of the water around it is not a number")
            self._state = self._state._replace(water=row, water_ns=time_ns)
        self._elapsed = 1e-9 * (time_ns - self._state.water_ns)
        return self._row(self._elapsed)

    def _sampled(self, time_ns: int, state: Array) -> tuple[float, ...]:
        """Water sampled at the vehicle and along its predicted path."""
        n, e, d, q0, q1, q2, q3, u, v, w = state[:10].tolist()
        span_ns = self._next_sample(time_ns) - time_ns
        way = scale3(1e-9 * span_ns, position_rate((q0, q1, q2, q3), (u, v, w)))
        size = WATER_SIZE if self._is_near_surface(time_ns, (n, e, d)) else self._current_size
        return self._world.plant_row(time_ns, (n, e, d), way, span_ns, size)

    def _next_sample(self, time_ns: int) -> int:
        """Next sample time of the water: a multiple of the period, which includes gust nodes."""
        return (time_ns // self._period_ns + 1) * self._period_ns

    def _is_near_surface(self, time_ns: int, p_N: Vector3) -> bool:
        return self._has_surface and p_N[2] - self._reach < self._world.at(time_ns, p_N).surface

    def _row(self, elapsed: float = 0.0) -> tuple[float, ...]:
        """Numbers of the water `elapsed` s after its sample, with the offset of faults."""
        row, (a, b, c) = self._state.water, self.current_offset
        shifted = (row[0] + a, row[1] + b, row[2] + c, *row[3:])
        at = _AGE_AT.get(len(row))
        return shifted if at is None else (*shifted[:at], elapsed, *shifted[at + 1 :])

    def _wrench(self, time_ns: int, state: Array) -> tuple[Wrench, tuple[str, ...]]:
        """Sum of all wrenches except tethers, and the names of touched objects."""
        wrench = ZERO6
        touching: tuple[str, ...] = ()
        for disturbance in self._vehicle.disturbances:
            wrench = add6(wrench, disturbance(time_ns, state))
        if self._contact is not None:
            push, touching = self._contact.wrench(time_ns, state, self.others())
            wrench = add6(wrench, push)
        if self._column is not None:
            mass, density, gravity, p_BC = self._displaced
            share = self._column.density(float(state[2]) - self._level) / density - 1.0
            q0, q1, q2, q3 = state[3:7].tolist()
            more = density_change_wrench(share, mass, gravity, p_BC, down_in_body((q0, q1, q2, q3)))
            wrench = add6(wrench, more)
        return wrench, touching

    def _stepped_tether(
        self,
        setup: TetherSetup,
        line: TetherLoad,
        time_ns: int,
        state: Array,
        wrench: Wrench,
        water: tuple[float, ...],
        rate: Callable[[Array], Array],
    ) -> TetherLoad:
        """A tether after one step, on a vehicle under the other wrenches."""
        if line.water_ns < 0 or (not self._is_uniform and time_ns - line.water_ns >= self._line_period_ns):
            line = line._replace(water=self._water_along(line.state, time_ns, state), water_ns=time_ns)

        def under(pull: Wrench) -> Array:
            return rate(np.array([*add6(wrench, pull), *water]))

        far, turning, step = setup.far_end(time_ns, self._step_ns), setup.length_rate(time_ns), 1e-9 * self._step_ns
        flow = np.asarray(line.water) + self.current_offset
        after, pull = setup.tether.step(line.state, vehicle_end(under, state, setup.p_BA), far, flow, turning, step)
        return line._replace(state=after, pull=pull)

    def _water_along(self, line: Any, time_ns: int, state: Array) -> Any:
        """Velocity of the water at each tether node, or at the vehicle for a model without nodes."""
        if self._is_uniform:
            return self._state.water
        places = getattr(line, "positions", state[None, :3]).tolist()
        flow = np.array([self._world.at(time_ns, (n, e, d)).velocity for n, e, d in places])
        return flow if len(flow) > 1 else flow[0]

    def _change_tether(self, name: str, change: Callable[[Tether, Any], Any]) -> None:
        lines = list(self._state.tethers)
        for i, setup in enumerate(self._vehicle.tethers):
            if setup.name == name and isinstance(setup.tether, Tether):
                lines[i] = lines[i]._replace(state=change(setup.tether, lines[i].state))
        self._state = self._state._replace(tethers=tuple(lines))


def _period(world: World) -> int:
    """Sampling period of the water, ns."""
    if world.has_surface:
        return SURFACE_PERIOD_NS
    if world.current_size == CURRENT_SIZE:
        return CURRENT_PERIOD_NS
    spacings = world.node_spacings_ns
    return min((spacing // -(-spacing // LAYERED_PERIOD_NS) for spacing in spacings), default=LAYERED_PERIOD_NS)


def _reach(parameters: VehicleParameters) -> float:
    """Largest distance from B affected by the surface: buoyancy spheres, thrusters and fins; m."""
    balls = [math.hypot(*part.position) + part.radius for part in buoyancy_elements_of(parameters)]
    places = [*(t.position for t in parameters.thrusters), *(fin.position for fin in parameters.fins)]
    return max([*balls, *(math.hypot(*place) + DEVICE_RADIUS for place in places)])


def _contact(setup: Setup, vehicle: VehicleSetup) -> Contact | None:
    bodies = {one.name: one.plant.vehicle.parameters for one in setup.vehicles}
    return setup.environment.world.contacts(bodies, 1e-9 * setup.step_ns).get(vehicle.name)


def _initial_tether(tether: TetherSetup) -> TetherLoad:
    return TetherLoad(tether.start, TetherForces(ZERO3, ZERO3), ZERO3, -1)


def _place(line: Any, along: float | None) -> float:
    return 0.5 * line.length if along is None else min(along, line.length)
