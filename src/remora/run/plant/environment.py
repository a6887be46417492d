"""Environment of the sensors of a vehicle: water, ground, obstacles and positions of other vehicles."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.vectors import ZERO3
from remora.equations.geometry.earth import Geodetic
from remora.equations.types import Vector3
from remora.sensors.environment import PackedEnvironment
from remora.world.world import World

# Position in N of a named vehicle at the sample time, m; None if there is no such vehicle.
PositionLookup = Callable[[str], Vector3 | None]


_UNKNOWN: Vector3 = (math.nan, math.nan, math.nan)


def _still(place: Vector3) -> Vector3:
    return ZERO3


def _level(place: Vector3) -> float:
    return 0.0


def unknown_position(name: str) -> Vector3 | None:
    """No vehicle of any name."""
    return None


class LocalEnvironment(NamedTuple):
    """The world at one time, as the environment of sensors (see `sensors.environment`)."""

    world: World
    position_of: PositionLookup = unknown_position
    water: Callable[[Vector3], Vector3] = _still  # velocity at a position, m/s and m in N
    depth: float = 0.0  # m, of the vehicle below the still surface
    head: Callable[[Vector3], float] = _level  # of waves at a position, m of water

    @property
    def density(self) -> float:
        """Mean density of the water above the vehicle, kg/m3."""
        column = self.world.column
        return self.world.density if column is None else column.mean_density(self.depth)

    @property
    def gravity(self) -> float:
        """Acceleration of gravity, m/s2."""
        return self.world.gravity

    @property
    def sound_speed(self) -> float:
        """Sound speed at the vehicle, m/s."""
        column = self.world.column
        return self.world.sound_speed if column is None else column.sound_speed(self.depth)

    @property
    def surface_depth(self) -> float:
        """z of the still surface in N, m."""
        return self.world.surface_depth

    @property
    def latitude(self) -> float:
        """Latitude of the origin of N, rad."""
        return self.world.origin.latitude

    @property
    def origin(self) -> Geodetic:
        """Geodetic position of the origin of N."""
        return self.world.origin

    @property
    def magnetic_field(self) -> Vector3:
        """Magnetic field in N, T."""
        return self.world.magnetic_field

    def altitude(self, p_N: Vector3) -> float | None:
        """Height above the first solid straight below: bed, tunnel floor or obstacle; m."""
        return self.world.scene.altitude(p_N)

    def distance(self, origin_N: Vector3, direction_N: Vector3) -> float | None:
        """Distance along a ray to the first solid, m."""
        return self.world.scene.distance(origin_N, direction_N)

    def distances(self, origin_N: Vector3, directions_N: NDArray[np.float64]) -> NDArray[np.float64]:
        """Distances along rays from one point, a unit vector per row; infinite without a hit."""
        return self.world.scene.distances(origin_N, directions_N)

    def water_velocity(self, p_N: Vector3) -> Vector3:
        """Velocity of the water at a position in N, m/s."""
        return self.water(p_N)

    def wave_head(self, p_N: Vector3) -> float:
        """Pressure of waves at a position in N, m of water."""
        return self.head(p_N)

    def packed(self) -> PackedEnvironment | None:
        """The environment for compiled code; None with a bed, section or obstacle that has no compiled form."""
        scene = self.world.scene
        if scene.unpacked:
            return None
        is_wavy = any(part.may_have_head for part in self.world.water.fields)
        water = (self.density, self.gravity, self.sound_speed, self.surface_depth, self.latitude)
        return PackedEnvironment(*water, self.origin, self.magnetic_field, _UNKNOWN, scene.rows, is_wavy)

    def point(self, name: str) -> Vector3 | None:
        """Position in N of a named point or another vehicle, m."""
        place = self.world.points.get(name)
        return place if place is not None else self.position_of(name)
