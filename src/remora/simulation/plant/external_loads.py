"""All that acts on a vehicle from outside: the water around it, wrenches, contacts and tethers.

It is worked out at the start of a step and held over it, but for water that varies, whose slopes the plant follows.
Sensors that measure within the step see the same.
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
from remora.world.water.gusts import Gusts
from remora.world.world import World

# How often water is looked at anew; in between it is linear in place and time. Along tethers, where only drag asks for
# it, it is held.
LAYERED_PERIOD_NS = 300_000_000  # where it varies with depth and time only; gusts are met at their nodes
CURRENT_PERIOD_NS = 50_000_000  # where it varies everywhere, and along tethers
SURFACE_PERIOD_NS = 10_000_000  # under a surface, whose height is held in between
LONG_AGO_NS = -(1 << 62)
SURFACE_MARGIN = 1.0  # m: more than a vehicle comes up until the water is looked at again
_AGE_AT = {LAYERED_SIZE: 9, CURRENT_SIZE: 15, WATER_SIZE: 15}  # where the age stands among the numbers of the water


class LineMemory(NamedTuple):
    """A tether between two steps."""

    state: Any
    pull: TetherForces
    water: Any  # velocity at each node, or one for all
    water_ns: int  # when it was looked at


class InfluenceMemory(NamedTuple):
    """What is remembered from one step to the next."""

    water: tuple[float, ...]
    water_ns: int
    touching: tuple[str, ...]
    lines: tuple[LineMemory, ...]


def drifted(external_inputs: Array, seconds: float) -> Array:
    """The same numbers of wrench and water some seconds later."""
    at = _AGE_AT.get(external_inputs.size - 6)
    if at is None or seconds == 0.0:
        return external_inputs
    later = external_inputs.copy()
    later[6 + at] += seconds
    return later


@final
class Influences:
    """What acts on one vehicle of a run. `feel` works out a step, `pass_on` goes to the next."""

    def __init__(self, setup: Setup, vehicle: VehicleSetup) -> None:
        self._vehicle, self._step_ns = vehicle, setup.step_ns
        self._world: World = setup.setting.environment
        self._column, self._level = self._world.column, setup.setting.surface_depth
        self._current_size, self._has_surface = self._world.current_size, self._world.has_surface
        self._is_uniform = self._world.steady_current is not None
        self._period_ns = max(1, _period(self._world) // setup.step_ns) * setup.step_ns
        self._line_period_ns = max(1, CURRENT_PERIOD_NS // setup.step_ns) * setup.step_ns
        self._contact = _contact(setup, vehicle)
        self.others: Callable[[], Mapping[str, Array]] = dict
        self.shift: Vector3 = ZERO3  # m/s, what faults add to the current
        self._elapsed = 0.0  # s, from when the water was looked at to the start of this step
        parameters = vehicle.plant.vehicle.parameters
        self._reach = _reach(parameters) + SURFACE_MARGIN
        self._displaced = (parameters.displaced_mass, parameters.density, parameters.gravity, parameters.p_BC)
        self._memory = InfluenceMemory((), 0, (), tuple(_begun(tether) for tether in vehicle.tethers))
        self._next = self._memory
        self.external_inputs = np.concatenate([np.zeros(6), self._water(0, np.asarray(vehicle.start, dtype=float))])

    @property
    def are_only_water(self) -> bool:
        """Whether there is no wrench from outside."""
        return not (self._vehicle.disturbances or self._contact or self._column or self._vehicle.tethers)

    @property
    def are_steady(self) -> bool:
        """Whether nothing changes from one step to the next, unless a fault changes it."""
        return self.are_only_water and self._is_uniform

    def feel(self, time_ns: int, state: Array, rate: Callable[[Array], Array]) -> Array:
        """Wrench and water for the step that begins at a time.

        Parameters
        ----------
        time_ns
            When it begins.
        state
            Of the vehicle then.
        rate
            The rate of that state under given external_inputs.
        """
        water = self._water(time_ns, state)
        wrench, touching = self._wrench(time_ns, state)
        lines = []
        for setup, line in zip(self._vehicle.tethers, self._memory.lines, strict=True):
            stepped = self._stepped(setup, line, time_ns, state, wrench, water, rate)
            q0, q1, q2, q3 = state[3:7].tolist()
            wrench = add6(wrench, pull_wrench((q0, q1, q2, q3), setup.p_BA, stepped.pull.vehicle))
            lines.append(stepped)
        self._next = self._memory._replace(touching=touching, lines=tuple(lines))
        self.external_inputs = np.array([*wrench, *water])
        return self.external_inputs

    def feel_water(self, time_ns: int, state: Array) -> tuple[Array, int, int]:
        """The same where there is only water; besides the place of its age, and until when only that changes."""
        external_inputs = self.external_inputs = np.array([*ZERO6, *self._water(time_ns, state)])
        at = _AGE_AT.get(external_inputs.size - 6)
        holds = -1 if at is None else self._next_look(self._memory.water_ns)
        return external_inputs, 6 + (at or 0), holds

    @property
    def looked_ns(self) -> int:
        """When the water was looked at."""
        return self._memory.water_ns

    def go_on(self, seconds: float) -> None:
        """Let the water grow older, for those who ask for it after the last step."""
        self.external_inputs = drifted(self.external_inputs, seconds)

    def pass_on(self) -> tuple[ContactChange, ...]:
        """Go on to the end of this step; what began and ended to touch in it."""
        before, self._memory = self._memory.touching, self._next
        self.go_on(1e-9 * self._step_ns)
        return changes(before, self._memory.touching)

    def change_current(self, shift: Vector3) -> None:
        """Let the current be another by so much, everywhere and from now on."""
        if shift != self.shift:  # the vehicle is thrown on another way, so the water along it is looked at anew
            self._memory = self._memory._replace(water_ns=LONG_AGO_NS)
        self.shift = shift
        self.external_inputs = self.external_inputs.copy()
        self.external_inputs[6:9] = self._row(self._elapsed)[:3]

    def snag(self, name: str, along: float | None) -> None:
        """Let a tether be caught where it is, at so many metres from the vehicle or half way."""
        self._change_line(name, lambda tether, state: tether.snagged(state, _place(state, along)))

    def free(self, name: str) -> None:
        """Let a tether go that was caught."""
        self._change_line(name, lambda tether, state: tether.freed(state))

    def water_velocity(self, time_ns: int, p_N: Vector3) -> Vector3:
        """Velocity of the water at a place in N, m/s."""
        return add3(self._world.at(time_ns, p_N).velocity, self.shift)

    def water_around(self, p_N: Vector3, elapsed: float = 0.0) -> Vector3:
        """The same around the vehicle as the plant has it, so many seconds after the start of this step."""
        numbers = tuple(self.external_inputs[6:].tolist())
        return water_velocity(water_from(numbers, kind_of_water(len(numbers))), p_N, elapsed)

    @property
    def lines(self) -> tuple[LineMemory, ...]:
        """Tethers at the start of this step, and how they pulled before."""
        return self._memory.lines

    def memory(self) -> InfluenceMemory:
        """All that is needed to go on later."""
        return self._memory

    def recall(self, memory: InfluenceMemory) -> None:
        """Take up what `memory` gave."""
        self._memory = self._next = memory

    def _water(self, time_ns: int, state: Array) -> tuple[float, ...]:
        """The water of a step: looked at anew now and then, and carried on by its rate in between."""
        if self._is_uniform and self._memory.water:
            return self._row()
        if not self._memory.water or time_ns >= self._next_look(self._memory.water_ns):
            row = self._looked(time_ns, state)
            if not math.isfinite(sum(row)):
                raise ValueError("the velocity of the water around it is not a number")
            self._memory = self._memory._replace(water=row, water_ns=time_ns)
        self._elapsed = 1e-9 * (time_ns - self._memory.water_ns)
        return self._row(self._elapsed)

    def _looked(self, time_ns: int, state: Array) -> tuple[float, ...]:
        """The water around the vehicle and along the way that it is going."""
        n, e, d, q0, q1, q2, q3, u, v, w = state[:10].tolist()
        span_ns = self._next_look(time_ns) - time_ns
        way = scale3(1e-9 * span_ns, position_rate((q0, q1, q2, q3), (u, v, w)))
        size = WATER_SIZE if self._is_near_surface(time_ns, (n, e, d)) else self._current_size
        return self._world.plant_row(time_ns, (n, e, d), way, span_ns, size)

    def _next_look(self, time_ns: int) -> int:
        """When the water is looked at after a time: at multiples of the period, where nodes of gusts are."""
        return (time_ns // self._period_ns + 1) * self._period_ns

    def _is_near_surface(self, time_ns: int, p_N: Vector3) -> bool:
        return self._has_surface and p_N[2] - self._reach < self._world.at(time_ns, p_N).surface

    def _row(self, elapsed: float = 0.0) -> tuple[float, ...]:
        """The numbers of the water so many seconds after it was looked at, changed by faults."""
        row, (a, b, c) = self._memory.water, self.shift
        shifted = (row[0] + a, row[1] + b, row[2] + c, *row[3:])
        at = _AGE_AT.get(len(row))
        return shifted if at is None else (*shifted[:at], elapsed, *shifted[at + 1 :])

    def _wrench(self, time_ns: int, state: Array) -> tuple[Wrench, tuple[str, ...]]:
        """All wrenches but those of tethers, and what is touched."""
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

    def _stepped(
        self,
        setup: TetherSetup,
        line: LineMemory,
        time_ns: int,
        state: Array,
        wrench: Wrench,
        water: tuple[float, ...],
        rate: Callable[[Array], Array],
    ) -> LineMemory:
        """A tether one step later, pulling at a vehicle on which a wrench acts already."""
        if line.water_ns < 0 or (not self._is_uniform and time_ns - line.water_ns >= self._line_period_ns):
            line = line._replace(water=self._along(line.state, time_ns, state), water_ns=time_ns)

        def under(pull: Wrench) -> Array:
            return rate(np.array([*add6(wrench, pull), *water]))

        far, turning, step = setup.far_end(time_ns, self._step_ns), setup.length_rate(time_ns), 1e-9 * self._step_ns
        flow = np.asarray(line.water) + self.shift
        after, pull = setup.tether.step(line.state, vehicle_end(under, state, setup.p_BA), far, flow, turning, step)
        return line._replace(state=after, pull=pull)

    def _along(self, line: Any, time_ns: int, state: Array) -> Any:
        """The velocity of the water at each node of a tether, or at the vehicle for a line without shape."""
        if self._is_uniform:
            return self._memory.water
        places = getattr(line, "positions", state[None, :3]).tolist()
        flow = np.array([self._world.at(time_ns, (n, e, d)).velocity for n, e, d in places])
        return flow if len(flow) > 1 else flow[0]

    def _change_line(self, name: str, change: Callable[[Tether, Any], Any]) -> None:
        lines = list(self._memory.lines)
        for i, setup in enumerate(self._vehicle.tethers):
            if setup.name == name and isinstance(setup.tether, Tether):
                lines[i] = lines[i]._replace(state=change(setup.tether, lines[i].state))
        self._memory = self._memory._replace(lines=tuple(lines))


def _period(world: World) -> int:
    """How long a look at the water holds, ns."""
    if world.has_surface:
        return SURFACE_PERIOD_NS
    if world.current_size == CURRENT_SIZE:
        return CURRENT_PERIOD_NS
    nodes = [part.spacing_ns for part in world.water.fields if isinstance(part, Gusts)]
    return min((spacing // -(-spacing // LAYERED_PERIOD_NS) for spacing in nodes), default=LAYERED_PERIOD_NS)


def _reach(parameters: VehicleParameters) -> float:
    """How far from B anything fades at the surface: balls of displaced water, thrusters and fins; m."""
    balls = [math.hypot(*part.position) + part.radius for part in buoyancy_elements_of(parameters)]
    places = [*(t.position for t in parameters.thrusters), *(fin.position for fin in parameters.fins)]
    return max([*balls, *(math.hypot(*place) + DEVICE_RADIUS for place in places)])


def _contact(setup: Setup, vehicle: VehicleSetup) -> Contact | None:
    bodies = {one.name: one.plant.vehicle.parameters for one in setup.vehicles}
    return setup.setting.environment.contacts(bodies, 1e-9 * setup.step_ns).get(vehicle.name)


def _begun(tether: TetherSetup) -> LineMemory:
    return LineMemory(tether.start, TetherForces(ZERO3, ZERO3), ZERO3, -1)


def _place(line: Any, along: float | None) -> float:
    return 0.5 * line.length if along is None else min(along, line.length)
