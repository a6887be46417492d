"""Water at one vehicle: sampled along its path, linear in position and time between two samples.

The plant takes the water as a row of numbers, see `equations.water.local_water`. From one sample to the next only the
age changes, the time since the sample.
"""

import math
from typing import NamedTuple, final

from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.vectors import ZERO3, scale3
from remora.equations.hull.surfacing import DEVICE_RADIUS
from remora.equations.types import Vector3
from remora.equations.water.local_water import CURRENT_SIZE, LAYERED_SIZE, STEADY_SIZE, WATER_SIZE
from remora.files.arrays import Array
from remora.vehicles.parameters import VehicleParameters, buoyancy_elements_of
from remora.world.world import World

LAYERED_PERIOD_NS = 300_000_000  # current of depth and time only; periods end at gust nodes
CURRENT_PERIOD_NS = 50_000_000  # current of position and time
SURFACE_PERIOD_NS = 10_000_000  # near the surface, whose height is constant in between
SURFACE_MARGIN = 1.0  # m; more than a vehicle rises between two samples
_AGE_AT = {LAYERED_SIZE: 9, CURRENT_SIZE: 15, WATER_SIZE: 15}  # index of the age in a row, by its length


class WaterSample(NamedTuple):
    """The water at one time, for a checkpoint."""

    row: tuple[float, ...]  # without the offset
    time_ns: int
    next_ns: int  # time of the next sample
    offset: Vector3  # m/s in N, added to the current by faults


def age_index(size: int) -> int | None:
    """Index of the age in a row of this length; None for steady water, which has no age."""
    return _AGE_AT.get(size)


@final
class SampledWater:
    """Samples of the water at one vehicle. `update` takes one where it is due, `row` gives the numbers for a time."""

    def __init__(self, world: World, parameters: VehicleParameters, step_ns: int) -> None:
        self._world = world
        self.is_uniform = world.steady_current is not None
        self.period_ns = max(1, _period(world) // step_ns) * step_ns
        self.reach = _reach(parameters) + SURFACE_MARGIN  # m, above the vehicle: a surface beyond does not affect it
        self._has_surface = world.has_surface
        self.is_calm = self._has_surface and world.current_size == STEADY_SIZE  # a steady current, no waves
        self.is_of_one_size = False  # rows of one length wherever the vehicle is, as linked vehicles need
        self.sample = WaterSample((), 0, 0, ZERO3)

    def update(self, time_ns: int, state: Array) -> None:
        """Sample the water at the vehicle and along its predicted path, where that is due."""
        if self.sample.row and (self.is_uniform or time_ns < self.sample.next_ns):
            return
        n, e, d, q0, q1, q2, q3, u, v, w = state[:10].tolist()
        # Samples are due at multiples of the period, which include the gust nodes.
        next_ns = (time_ns // self.period_ns + 1) * self.period_ns
        way = scale3(1e-9 * (next_ns - time_ns), position_rate((q0, q1, q2, q3), (u, v, w)))
        here = self._world.at(time_ns, (n, e, d))
        size = WATER_SIZE if self._is_near_surface(d, here.surface) else self._world.current_size
        row = self._world.plant_row(here, time_ns, (n, e, d), way, next_ns - time_ns, size)
        if not math.isfinite(sum(row)):
            raise ValueError("the velocity of the water around it is not a number")
        self.sample = self.sample._replace(row=row, time_ns=time_ns, next_ns=next_ns)

    def continues(self, time_ns: int, depth: float) -> bool:
        """Whether the water of a time has the numbers of the last sample; one that is due then counts as taken."""
        if not self.is_calm:
            return False
        if time_ns < self.sample.next_ns:
            return True
        if self._is_near_surface(depth, self._world.water.level) != (len(self.sample.row) == WATER_SIZE):
            return False
        row, _, _, offset = self.sample
        self.sample = WaterSample(row, time_ns, (time_ns // self.period_ns + 1) * self.period_ns, offset)
        return True

    def continue_from(self, time_ns: int) -> None:
        """Count the samples up to a time as taken, in water that `continues`."""
        latest_ns = time_ns // self.period_ns * self.period_ns
        if latest_ns >= self.sample.next_ns:
            self.sample = self.sample._replace(time_ns=latest_ns, next_ns=latest_ns + self.period_ns)

    def age(self, time_ns: int) -> float:
        """Time since the sample, s."""
        return 1e-9 * (time_ns - self.sample.time_ns)

    def row(self, time_ns: int) -> tuple[float, ...]:
        """Numbers of the water for the plant at a time, with the offset of faults."""
        (x, y, z, *others), (a, b, c) = self.sample.row, self.sample.offset
        shifted = (x + a, y + b, z + c, *others)
        at = age_index(len(shifted))
        return shifted if at is None else (*shifted[:at], self.age(time_ns), *shifted[at + 1 :])

    def set_offset(self, offset: Vector3) -> None:
        """Add a uniform offset to the current from now on; the velocity jumps, so a new sample is due."""
        self.sample = self.sample._replace(offset=offset, next_ns=0)

    def _is_near_surface(self, depth: float, surface: float) -> bool:
        """Whether a vehicle at a depth is affected by a surface, both as z in N, m."""
        return self._has_surface and (self.is_of_one_size or depth - self.reach < surface)


def _period(world: World) -> int:
    """Sampling period of the water, ns."""
    if world.has_surface:
        return SURFACE_PERIOD_NS
    if world.current_size == CURRENT_SIZE:
        return CURRENT_PERIOD_NS
    return min(
        (spacing // -(-spacing // LAYERED_PERIOD_NS) for spacing in world.node_spacings_ns), default=LAYERED_PERIOD_NS
    )


def _reach(parameters: VehicleParameters) -> float:
    """Largest distance from B affected by the surface: buoyancy spheres, thrusters and fins; m."""
    balls = [math.hypot(*part.position) + part.radius for part in buoyancy_elements_of(parameters)]
    places = [*(t.position for t in parameters.thrusters), *(fin.position for fin in parameters.fins)]
    return max([*balls, *(math.hypot(*place) + DEVICE_RADIUS for place in places)])
