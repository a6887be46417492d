"""Ray casting of many rays at once, cones and fans of beams, and ranges from travel times."""

import math
from dataclasses import dataclass, field
from typing import Protocol, final, runtime_checkable

import numpy as np

from remora.equations.algebra.quaternions import rotation_z
from remora.equations.instruments import cone_direction, point_from_bearing, range_from_travel
from remora.equations.types import Matrix3, Vector3
from remora.files.arrays import Array
from remora.sensors.data_sheet import DataSheet
from remora.sensors.environment import Environment
from remora.sensors.sensor import MAX_VALUES

# For fewer rays, single calls are faster than NumPy operations.
FEW = 32


@runtime_checkable
class ManyRays(Protocol):
    """Environment that casts many rays at once."""

    def distances(self, origin_N: Vector3, directions_N: Array) -> Array:
        """Distances along unit vectors, a row each, m; infinite without a surface."""


def ray_distances(environment: Environment, origin_N: Vector3, directions_N: Array) -> Array:
    """Distances from a point along unit vectors, a row each, to the first surface, m in N; infinite without one."""
    if len(directions_N) >= FEW and isinstance(environment, ManyRays):
        return environment.distances(origin_N, directions_N)
    found = (environment.distance(origin_N, (x, y, z)) for x, y, z in directions_N.tolist())
    return np.array([math.inf if distance is None else distance for distance in found])


def timed_distance(distance: float, assumed: float | None, environment: Environment) -> float:
    """Distance from the travel time with the assumed sound speed."""
    if assumed is None:
        return distance
    return range_from_travel(distance, environment.sound_speed, assumed)


def cone(half_angle: float, rings: int = 2, per_ring: int = 6) -> tuple[Vector3, ...]:
    """A fan of rays that fills a cone about x_S: the axis, and rings out to the half angle, rad."""
    rays: list[Vector3] = [(1.0, 0.0, 0.0)]
    for ring in range(1, rings + 1):
        for i in range(per_ring * ring):
            rays.append(cone_direction(half_angle * ring / rings, math.tau * i / (per_ring * ring)))
    return tuple(rays)


def fan_angles(beams: int, fan_angle: float) -> tuple[float, ...]:
    """Evenly spaced beam angles about zero over a fan, rad; zero for a single beam."""
    if beams == 1:
        return (0.0,)
    return tuple(fan_angle * (i / (beams - 1) - 0.5) for i in range(beams))


@final
@dataclass(frozen=True)
class Fan:
    """Beams in the plane of x_S and y_S, each a ray or a cone of rays with the nearest echo."""

    angles: tuple[float, ...]  # rad, from x_S towards y_S
    beam_width: float = 0.0  # rad, of the whole cone; zero for a ray
    rings: int = 2  # of rays that fill the cone
    rays_S: Array = field(init=False, repr=False, compare=False)  # unit vectors: beam, ray, axis

    def __post_init__(self) -> None:
        if self.beam_width > 0.0:
            shape = np.array(cone(0.5 * self.beam_width, self.rings))
            rays = np.array([shape @ np.array(rotation_z(angle)).T for angle in self.angles])
        else:
            rays = np.array([[point_from_bearing((1.0, angle, 0.0))] for angle in self.angles])
        # Derived from the angles, set once.
        object.__setattr__(self, "rays_S", rays)

    def distances(self, environment: Environment, p_NS: Vector3, R_NS: Matrix3) -> Array:
        """The nearest echo of each beam, m; infinite for one without."""
        beams, rays, _ = self.rays_S.shape
        directions_N = self.rays_S.reshape(-1, 3) @ np.array(R_NS).T
        return np.asarray(ray_distances(environment, p_NS, directions_N).reshape(beams, rays).min(axis=1))


@final
@dataclass(frozen=True)
class ScanningHead:
    """Scanning head: turns by a step per ping, continuously or to and fro over a sector."""

    step: float  # rad
    sector: float = math.tau  # rad; continuous rotation from a full turn on

    def angle(self, k: int) -> float:
        """Angle of ping k from x_S towards y_S, rad in [-pi, pi]."""
        if self.sector >= math.tau:
            return math.remainder(k * self.step, math.tau)
        last = max(1, math.floor(self.sector / self.step + 1e-9))  # steps from one end to the other
        place = k % (2 * last)
        return (min(place, 2 * last - place) - 0.5 * last) * self.step


def scanning_head(sheet: DataSheet) -> ScanningHead:
    """The head that `step_angle` and `fan_angle` describe."""
    step = sheet.number("step_angle", math.radians(1.8), 1e-6, math.pi)
    sector = sheet.number("fan_angle", math.tau, 0.0)
    if sector < step:
        sheet.refuse("fan_angle", f"found {sector:g}; give at least the step_angle of {step:g}.")
    return ScanningHead(step, sector)


def fits_a_reading(sheet: DataSheet, name: str, count: int, what: str) -> bool:
    """Whether a reading fits into a channel of a log; else the data sheet notes that this parameter asks for too much.

    `count` is the number of values of a reading, and `what` describes them.
    """
    if count <= MAX_VALUES:
        return True
    sheet.refuse(name, f"makes {count} {what}; a reading holds at most {MAX_VALUES}. Give fewer.")
    return False
