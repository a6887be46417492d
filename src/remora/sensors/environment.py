"""Environment of sensors: interface of water, seabed and obstacles, its numbers for compiled code, and open water."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeAlias, final, runtime_checkable

import numpy as np

from remora.equations.algebra.vectors import ZERO3
from remora.equations.geometry.earth import Geodetic
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.messages.site import GRAVITY, MAGNETIC_FIELD, ORIGIN, SEA_WATER_DENSITY, SOUND_SPEED


class PackedEnvironment(NamedTuple):
    """Uniform water over a packed ground; the same names as in `Environment`."""

    density: float  # kg/m3
    gravity: float  # m/s2
    sound_speed: float  # m/s
    surface_depth: float  # m, z in N
    latitude: float  # rad
    origin: Geodetic
    magnetic_field: Vector3  # T, in N
    current: Vector3  # m/s, in N; NaN where it varies
    rows: Array  # the ground, see `plant.strict.ground`
    has_waves: bool = False  # their pressure has no compiled form


@runtime_checkable
class Packable(Protocol):
    """Environment that compiled code can use."""

    def packed(self) -> PackedEnvironment | None:
        """The environment as numbers; None where a part of it has no compiled form."""


def site_row(packed: PackedEnvironment) -> tuple[float, ...]:
    """The numbers of an environment, without the ground."""
    plain = (packed.density, packed.gravity, packed.sound_speed, packed.surface_depth)
    return (*plain, *packed.origin, *packed.magnetic_field, *packed.current)


class Environment(Protocol):
    """Environment at one time: water, bottom, walls and named points. Positions and vectors are in N."""

    @property
    def density(self) -> float:
        """Of the water, kg/m3."""

    @property
    def gravity(self) -> float:
        """m/s2."""

    @property
    def sound_speed(self) -> float:
        """True speed of sound in the water, m/s."""

    @property
    def surface_depth(self) -> float:
        """z of the water surface in N, m; zero unless the origin of N lies elsewhere."""

    @property
    def latitude(self) -> float:
        """rad."""

    @property
    def origin(self) -> Geodetic:
        """Geodetic position of the origin of N."""

    @property
    def magnetic_field(self) -> Vector3:
        """The Earth's field in N, T."""

    def altitude(self, p_N: Vector3) -> float | None:
        """Height of a point above the bottom straight below, m; None where there is no bottom."""

    def distance(self, origin_N: Vector3, direction_N: Vector3) -> float | None:
        """Distance to the first surface along a unit vector, m; None if there is none."""

    def water_velocity(self, p_N: Vector3) -> Vector3:
        """Velocity of the water at a point, m/s."""

    def wave_head(self, p_N: Vector3) -> float:
        """Pressure that waves add to still water at a point, m of water; zero without waves."""

    def point(self, name: str) -> Vector3 | None:
        """Position of a named object (a transponder, a lamp, another vehicle); None if there is none."""


# A point in N, or the name of one that may move.
Target: TypeAlias = Vector3 | str


def place_of(target: Target, environment: Environment) -> Vector3 | None:
    """Position of a target in N; None if it is unknown."""
    return environment.point(target) if isinstance(target, str) else target


def altitude_above_bottom(environment: Environment, p_N: Vector3) -> float:
    """Height of a point above the bottom straight below, m; infinite where there is no bottom."""
    found = environment.altitude(p_N)
    return math.inf if found is None else found


def surface_distance(environment: Environment, origin_N: Vector3, direction_N: Vector3) -> float:
    """Distance from a point to the first surface along a unit vector, both in N, m; infinite if there is none."""
    found = environment.distance(origin_N, direction_N)
    return math.inf if found is None else found


def water_velocity_at(environment: Environment, p_N: Vector3) -> Vector3:
    """Velocity of the water at a point, m/s."""
    return environment.water_velocity(p_N)


def wave_head_at(environment: Environment, p_N: Vector3) -> float:
    """Pressure that waves add to still water at a point, m of water."""
    return environment.wave_head(p_N)


@final
@dataclass(frozen=True)
class OpenWater:
    """Uniform water over a level bottom, or without one, with named points."""

    bottom_depth: float | None = None  # z of the bottom in N, m
    surface_depth: float = 0.0
    density: float = SEA_WATER_DENSITY
    gravity: float = GRAVITY
    sound_speed: float = SOUND_SPEED
    origin: Geodetic = ORIGIN
    magnetic_field: Vector3 = MAGNETIC_FIELD
    current: Vector3 = ZERO3  # m/s, in N
    points: Mapping[str, Vector3] = field(default_factory=dict)

    @property
    def latitude(self) -> float:
        """Of the origin, rad."""
        return self.origin.latitude

    def altitude(self, p_N: Vector3) -> float | None:
        """Height above the bottom, m."""
        return None if self.bottom_depth is None else self.bottom_depth - p_N[2]

    def distance(self, origin_N: Vector3, direction_N: Vector3) -> float | None:
        """Distance along a ray to the bottom, m."""
        altitude = self.altitude(origin_N)
        if altitude is None or altitude < 0.0 or direction_N[2] <= 0.0:
            return None
        return altitude / direction_N[2]

    def water_velocity(self, p_N: Vector3) -> Vector3:
        """The uniform current."""
        return self.current

    def wave_head(self, p_N: Vector3) -> float:
        """Zero: still water."""
        return 0.0

    def point(self, name: str) -> Vector3 | None:
        """The named point."""
        return self.points.get(name)

    def packed(self) -> PackedEnvironment | None:
        """The environment for compiled code."""
        from remora.plant.strict import NO_GROUND, Shape, ground_row  # loads the compiler

        ground = NO_GROUND
        if self.bottom_depth is not None:
            ground = np.array([ground_row(Shape.PLANE, (self.bottom_depth, 0.0, 0.0))])
        water = (self.density, self.gravity, self.sound_speed, self.surface_depth, self.latitude)
        return PackedEnvironment(*water, self.origin, self.magnetic_field, self.current, ground)
