"""Scene of tunnels, seabed and obstacles: ray casting and nearest surfaces."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.vectors import scale3, transpose3
from remora.equations.geometry.solids import Nearest
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.plant.kernels.strict import ROW_SIZE, Shape, ground_row, ray_kernel
from remora.world.ground.beds import Bed, FlatBed
from remora.world.ground.obstacles import Ball, Box, Obstacle, Pipe, bounding_sphere
from remora.world.ground.tunnels import CrossSection, Horseshoe, Rectangle, Round, Tunnel

DOWN: Vector3 = (0.0, 0.0, 1.0)
_MARGIN = 1e-9  # m, for rounding


class NearbySurface(NamedTuple):
    """A surface near a point."""

    name: str  # "bed", "tunnel", or that of the obstacle
    nearest: Nearest


@final
@dataclass(frozen=True)
class Scene:
    """Tunnels, a bed and obstacles."""

    tunnels: tuple[Tunnel, ...] = ()
    bed: Bed | None = None
    obstacles: tuple[Obstacle, ...] = ()

    def distance(self, origin_N: Iterable[float], direction_N: Iterable[float]) -> float | None:
        """Distance from a point along a direction to the first surface, m; None if there is none.

        Raises a ValueError when a number is NaN or the direction has no length.
        """
        (x, y, z), (a, b, c) = map(float, origin_N), map(float, direction_N)
        if not 0.0 < a * a + b * b + c * c < math.inf:
            raise ValueError(f"direction of a ray is {(a, b, c)}: give a vector with a length")
        if x + y + z != x + y + z:
            raise ValueError(f"ray from {(x, y, z)} holds a NaN: give finite numbers")
        nearest: float = ray_kernel()(self.rows, x, y, z, a, b, c)
        if self.unpacked:
            ahead = unit((a, b, c))
            others = (element.distance((x, y, z), ahead) for element in self.unpacked)
            nearest = min(nearest, *(math.inf if distance is None else distance for distance in others))
        return nearest if nearest < math.inf else None

    @cached_property
    def rows(self) -> Array:
        """The scene for compiled code, without the `unpacked` parts."""
        rows = [row for row in map(packed_row, self._elements) if row is not None]
        return np.array(rows, dtype=float).reshape(len(rows), ROW_SIZE)

    @cached_property
    def unpacked(self) -> tuple[Any, ...]:
        """Parts without a compiled form: profiles and grids of the bed, user-defined sections and obstacles."""
        return tuple(element for element in self._elements if packed_row(element) is None)

    @cached_property
    def _bounded(self) -> tuple[tuple[Obstacle, tuple[Vector3, float]], ...]:
        """Obstacles with the spheres around them: one that is farther away than its sphere is not looked at."""
        return tuple((obstacle, bounding_sphere(obstacle)) for obstacle in self.obstacles)

    @property
    def _elements(self) -> tuple[Any, ...]:
        return (*self.tunnels, *self.obstacles, *(() if self.bed is None else (self.bed,)))

    def distances(self, origin_N: Vector3, directions_N: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same for many rays from one point, a unit vector per row; infinite without a surface."""
        found = np.full(len(directions_N), math.inf)
        for tunnel in self.tunnels:
            found = np.minimum(found, tunnel.distances(origin_N, directions_N))
        bed = self.bed
        if isinstance(bed, FlatBed):  # as tunnels, all rays at once
            found, bed = np.minimum(found, bed.distances(origin_N, directions_N)), None
        if bed is None and not self.obstacles:
            return found
        others = Scene((), bed, self.obstacles)
        rays = (others.distance(origin_N, direction) for direction in directions_N.tolist())
        return np.minimum(found, [math.inf if distance is None else distance for distance in rays])

    def altitude(self, p_N: Iterable[float]) -> float | None:
        """Height of a point above the first surface straight below, m; None if there is none."""
        return self.distance(p_N, DOWN)

    def nearest(self, p_N: Vector3, reach: float = math.inf) -> NearbySurface | None:
        """Nearest surface: signed distance, negative inside, and outward normal.

        None if all are farther than the reach. Walls of tunnels count between the ends only.
        """
        return min(self.touched(p_N, reach), key=lambda touched: touched.nearest.distance, default=None)

    def is_near(self, p_N: Vector3, reach: float) -> bool:
        """Whether any surface lies within a reach of a point."""
        return any(True for _ in self.touched(p_N, reach))

    def touched(self, p_N: Vector3, reach: float) -> Iterator[NearbySurface]:
        """All surfaces within a reach of a point; walls of a tunnel count separately."""
        for tunnel in self.tunnels:
            for near in tunnel.nearest_walls(p_N, reach):
                yield NearbySurface("tunnel", near)
        if self.bed is not None:
            beneath = self.bed.nearest(p_N, reach)
            if beneath is not None:
                yield NearbySurface("bed", beneath)
        for obstacle, (center, radius) in self._bounded:
            if math.dist(p_N, center) > radius + reach + _MARGIN:
                continue
            near = obstacle.nearest(p_N)
            if near.distance <= reach:
                yield NearbySurface(obstacle.name, near)


def unit(direction: Iterable[float]) -> Vector3:
    """Unit vector of a direction; a ValueError when it has no length."""
    a, b, c = map(float, direction)
    size = math.sqrt(a * a + b * b + c * c)
    if not 0.0 < size < math.inf:
        raise ValueError(f"direction of a ray is {(a, b, c)}: give a vector with a length")
    return scale3(1.0 / size, (a, b, c))


def packed_row(element: Any) -> tuple[float, ...] | None:
    """The row of a part of a scene; None for one that is cast against in Python."""
    if isinstance(element, Tunnel):
        return _tunnel_row(element, element.section)
    if isinstance(element, FlatBed):
        return ground_row(Shape.LEVEL_BED, (element.depth, 0.0, 0.0))
    if isinstance(element, Box):
        return ground_row(Shape.BOX, scale3(0.5, element.size), element.center, transpose3(element.R_NO))
    if isinstance(element, Pipe):
        return ground_row(Shape.ROD, (element.radius, element.length, 0.0), element.start, transpose3(element.R_NO))
    if isinstance(element, Ball):
        return ground_row(Shape.BALL, (element.radius, 0.0, 0.0), element.center)
    return None


def _tunnel_row(tunnel: Tunnel, section: CrossSection) -> tuple[float, ...] | None:
    if isinstance(section, Round):
        return ground_row(Shape.ROUND, (0.5 * section.diameter, 0.0, tunnel.length), tunnel.start, tunnel.R_TN)
    if not isinstance(section, (Rectangle, Horseshoe)):
        return None
    shape = Shape.RECTANGLE if isinstance(section, Rectangle) else Shape.HORSESHOE
    return ground_row(shape, (0.5 * section.width, 0.5 * section.height, tunnel.length), tunnel.start, tunnel.R_TN)
