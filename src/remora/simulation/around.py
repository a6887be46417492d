"""What sensors sense of the world of a run: the setting, its tunnel and bottom, and where the other vehicles are."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.equations.earth import Geodetic
from remora.equations.vectors import Vector3
from remora.simulation.setup import Setting

# Where a vehicle of a name is at the time in question, or None if there is no such vehicle.
Whereabouts = Callable[[str], Vector3 | None]


class Around(NamedTuple):
    """The surroundings of sensors at one time (see `sensors.surroundings.Surroundings`)."""

    setting: Setting
    whereabouts: Whereabouts
    current: Vector3  # m/s, in N

    @property
    def density(self) -> float:
        """Of the water, kg/m3."""
        return self.setting.density

    @property
    def gravity(self) -> float:
        """m/s2."""
        return self.setting.gravity

    @property
    def sound_speed(self) -> float:
        """m/s."""
        return self.setting.sound_speed

    @property
    def surface_depth(self) -> float:
        """z of the water surface in N, m."""
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
        """Height above the bottom straight below, or above the floor of the tunnel."""
        return self.distance(p_N, (0.0, 0.0, 1.0))

    def distance(self, origin_N: Vector3, direction_N: Vector3) -> float | None:
        """Distance along a ray to the first of tunnel and bottom."""
        found = []
        if self.setting.tunnel is not None:
            found.append(self.setting.tunnel.distance(origin_N, direction_N))
        bottom = self.setting.bottom_depth
        if bottom is not None and direction_N[2] > 0.0 and origin_N[2] <= bottom:
            found.append((bottom - origin_N[2]) / direction_N[2])
        return min((distance for distance in found if distance is not None), default=None)

    def distances(self, origin_N: Vector3, directions_N: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same for many rays from one point, a unit vector per row; infinite where a ray meets nothing."""
        found = np.full(len(directions_N), math.inf)
        if self.setting.tunnel is not None:
            found = self.setting.tunnel.distances(origin_N, directions_N)
        bottom = self.setting.bottom_depth
        if bottom is not None and origin_N[2] <= bottom:
            down = directions_N[:, 2]
            reach = np.divide(bottom - origin_N[2], down, out=np.full_like(down, math.inf), where=down > 0.0)
            found = np.minimum(found, reach)
        return found

    def water_velocity(self, p_N: Vector3) -> Vector3:
        """The current, m/s."""
        return self.current

    def point(self, name: str) -> Vector3 | None:
        """A named place, or the place of another vehicle."""
        place = self.setting.points.get(name)
        return place if place is not None else self.whereabouts(name)
