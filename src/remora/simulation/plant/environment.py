"""Environment of sensors in a run: water, seabed, obstacles and other vehicles."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.vectors import ZERO3, Vector3
from remora.equations.geometry.earth import Geodetic
from remora.simulation.setup import Setting

# Position of a named vehicle at the current time; None if there is no such vehicle.
PositionLookup = Callable[[str], Vector3 | None]


def _still(place: Vector3) -> Vector3:
    return ZERO3


class LocalEnvironment(NamedTuple):
    """Environment of the sensors of a vehicle at one time (see `sensors.environment.Environment`)."""

    setting: Setting
    position_of: PositionLookup
    water: Callable[[Vector3], Vector3] = _still  # its velocity at a place, m/s, both in N
    depth: float = 0.0  # m, of the vehicle below the still surface

    @property
    def density(self) -> float:
        """Of the water above the vehicle, kg/m3."""
        column = self.setting.environment.column
        return self.setting.density if column is None else column.mean_density(self.depth)

    @property
    def gravity(self) -> float:
        """m/s2."""
        return self.setting.gravity

    @property
    def sound_speed(self) -> float:
        """Where the vehicle is, m/s."""
        column = self.setting.environment.column
        return self.setting.sound_speed if column is None else column.sound_speed(self.depth)

    @property
    def surface_depth(self) -> float:
        """z of the still surface in N, m."""
        return self.setting.surface_depth

    @property
    def latitude(self) -> float:
        """Of the origin, rad."""
        return self.setting.origin.latitude

    @property
    def origin(self) -> Geodetic:
        """Where on Earth the origin of N is."""
        return self.setting.origin

    @property
    def magnetic_field(self) -> Vector3:
        """In N, T."""
        return self.setting.magnetic_field

    def altitude(self, p_N: Vector3) -> float | None:
        """Height above the first thing straight below: bed, floor of a tunnel, obstacle."""
        return self.setting.environment.scene.altitude(p_N)

    def distance(self, origin_N: Vector3, direction_N: Vector3) -> float | None:
        """Distance along a ray to the first thing."""
        return self.setting.environment.scene.distance(origin_N, direction_N)

    def distances(self, origin_N: Vector3, directions_N: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same for many rays from one point, a unit vector per row; infinite where a ray meets nothing."""
        return self.setting.environment.scene.distances(origin_N, directions_N)

    def water_velocity(self, p_N: Vector3) -> Vector3:
        """Velocity of the water at a place, m/s."""
        return self.water(p_N)

    def point(self, name: str) -> Vector3 | None:
        """A named place, or the place of another vehicle."""
        place = self.setting.points.get(name)
        return place if place is not None else self.position_of(name)
