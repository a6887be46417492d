"""Seabed on a grid, and its ASCII files: two triangles per cell.

Heights, rays and distances are exact for this surface.
"""

import math
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, final

import numpy as np

from remora.equations.geometry.solids import Nearest, cell_height, slab_interval, triangle_point
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.world.ground.beds import first_meeting, signed_nearest
from remora.world.number_checks import between, check_growing
from remora.world.water.netcdf import DepthGrid, GridFileError


@final
@dataclass(frozen=True, eq=False)
class GridBed:
    """Bed from depths on a grid. There is none outside the grid and where a depth is NaN.

    A cell is cut along the diagonal from its south-western to its north-eastern corner. Raises a ValueError when an
    axis does not grow, the shape does not fit, or no depth is known.
    """

    norths: tuple[float, ...]  # m in N, growing, at least two
    easts: tuple[float, ...]  # the same
    depths: Array = field(repr=False)  # z in N, m, of shape (norths, easts)
    _axes: tuple[Array, Array] = field(init=False, repr=False)
    _steepest: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        depths = np.array(self.depths, dtype=float)
        for name in ("norths", "easts"):
            axis = tuple(float(number) for number in getattr(self, name))
            if len(axis) < 2:
                raise ValueError(f"the bed has {len(axis)} {name}: give at least two")
            check_growing(f"{name} of the bed", axis)
            object.__setattr__(self, name, axis)
        if depths.shape != (len(self.norths), len(self.easts)):
            raise ValueError(
                f"depths of the bed have the shape {depths.shape}: give {len(self.norths), len(self.easts)}"
            )
        if not np.isfinite(depths).any() or np.isinf(depths).any():
            raise ValueError("depths of the bed: give finite numbers, NaN only where nothing is known")
        axes = (np.array(self.norths), np.array(self.easts))
        along = np.abs(np.diff(depths, axis=0)) / np.diff(axes[0])[:, None]
        across = np.abs(np.diff(depths, axis=1)) / np.diff(axes[1])
        depths.setflags(write=False)
        object.__setattr__(self, "depths", depths)
        object.__setattr__(self, "_axes", axes)
        object.__setattr__(self, "_steepest", math.hypot(_largest(along), _largest(across)))

    def depth_at(self, north: float, east: float) -> float | None:
        """See `Bed`."""
        if not (self.norths[0] <= north <= self.norths[-1] and self.easts[0] <= east <= self.easts[-1]):
            return None
        n, e, z = between(self.norths, north), between(self.easts, east), self.depths
        i, j = n.lower, e.lower
        corners = (float(z[i, j]), float(z[i + 1, j]), float(z[i, j + 1]), float(z[i + 1, j + 1]))
        depth = cell_height(n.share, e.share, corners)
        return None if depth != depth else depth

    def distance(self, origin_N: Vector3, direction_N: Vector3) -> float | None:
        """See `Bed`."""
        n, e, z = origin_N
        dn, de, dz = direction_N
        first = slab_interval(n, dn, self.norths[0], self.norths[-1])
        second = slab_interval(e, de, self.easts[0], self.easts[-1])
        start, end = max(first.enter, second.enter, 0.0), min(first.leave, second.leave)
        if not start <= end:
            return None
        if end == math.inf:  # straight down or up
            depth = self.depth_at(n, e)
            return None if depth is None or depth < z or dz <= 0.0 else (depth - z) / dz
        stops = self._stops(origin_N, direction_N, start, end)
        gaps = self._depths_at(n + dn * stops, e + de * stops) - z - dz * stops
        if start == 0.0 and gaps[0] < 0.0:
            return None
        # A ray meets the bed from above only; it may enter below it or where the depth is unknown.
        above = np.flatnonzero(gaps >= 0.0)
        return first_meeting(stops[above[0] :], gaps[above[0] :], goes_on=False) if above.size else None

    def nearest(self, p_N: Vector3, reach: float = math.inf) -> Nearest | None:
        """See `Bed`. The cost grows with the distance to the bed: give a reach where one is known."""
        n, e, z = p_N
        depth = self.depth_at(n, e)
        if depth is not None and (depth - z) > reach * math.sqrt(1.0 + self._steepest**2):
            return None
        around = reach if depth is None else abs(depth - z) + 1e-9
        if depth is None or depth >= z:
            around = min(around, reach)
        corners = self._corners(n, e, around)
        if corners is None:
            return None
        i, j = corners
        found = np.stack([self._nearest_points(p_N, i, j, lower) for lower in (True, False)])
        squares = np.sum((found - np.array(p_N)) ** 2, axis=-1)
        if np.isnan(squares).all():
            return None
        best = np.unravel_index(int(np.nanargmin(squares)), squares.shape)
        x, y, w = (np.array(p_N) - found[best]).tolist()
        normal = self._normal(int(i[best[1]]), int(j[best[1]]), best[0] == 0)
        near = signed_nearest((x, y, w), depth is None or depth >= z, normal)
        return near if near.distance <= reach else None

    def _cells(self, north: Array, east: Array) -> tuple[Any, Any, Any, Any]:
        """Indices of the cells at positions, and the positions within them from 0 to 1."""
        norths, easts = self._axes
        i = np.clip(np.searchsorted(norths, north, side="right") - 1, 0, norths.size - 2)
        j = np.clip(np.searchsorted(easts, east, side="right") - 1, 0, easts.size - 2)
        a = (north - norths[i]) / (norths[i + 1] - norths[i])
        b = (east - easts[j]) / (easts[j + 1] - easts[j])
        return i, j, a, b

    def _depths_at(self, north: Array, east: Array) -> Array:
        """Depths at positions of the grid."""
        i, j, a, b = self._cells(north, east)
        z = self.depths
        corners: Any = (z[i, j], z[i + 1, j], z[i, j + 1], z[i + 1, j + 1])
        return np.asarray(cell_height(a, b, corners))

    def _stops(self, origin_N: Vector3, direction_N: Vector3, start: float, end: float) -> Array:
        """Distances at which a ray passes from one triangle to the next."""
        n, e, _ = origin_N
        dn, de, _ = direction_N
        lines = [np.array([start, end])]
        for axis, place, rate in ((self._axes[0], n, dn), (self._axes[1], e, de)):
            if rate != 0.0:
                lines.append((axis - place) / rate)
        stops = np.concatenate(lines)
        stops = np.sort(stops[(stops >= start) & (stops <= end)])
        middle = 0.5 * (stops[:-1] + stops[1:])
        i, j, _, _ = self._cells(n + dn * middle, e + de * middle)
        norths, easts = self._axes
        # a - b, whose sign selects the triangle, is linear within a cell.
        wide, broad = norths[i + 1] - norths[i], easts[j + 1] - easts[j]
        lead = (n - norths[i]) / wide - (e - easts[j]) / broad
        rate = dn / wide - de / broad
        with np.errstate(divide="ignore", invalid="ignore"):
            diagonals = -lead / rate
        inside = (diagonals > stops[:-1]) & (diagonals < stops[1:])
        return np.sort(np.concatenate([stops, diagonals[inside]]))

    def _corners(self, north: float, east: float, around: float) -> tuple[Any, Any] | None:
        """Indices of all cells within a distance along both axes; None when there are none."""
        ranges = []
        for axis, place in zip(self._axes, (north, east), strict=True):
            first = max(int(np.searchsorted(axis, place - around)) - 1, 0)
            last = min(int(np.searchsorted(axis, place + around, side="right")), axis.size - 1)
            if first >= last or axis[0] > place + around or axis[-1] < place - around:
                return None
            ranges.append(np.arange(first, last))
        i, j = np.meshgrid(*ranges, indexing="ij")
        return i.ravel(), j.ravel()

    def _corner(self, i: Any, j: Any) -> Any:
        return (self._axes[0][i], self._axes[1][j], self.depths[i, j])

    def _triangle(self, i: Any, j: Any, lower: bool) -> tuple[Any, Any, Any]:
        """Corners of the triangle of a cell that lies north, or east, of the diagonal."""
        third = self._corner(i + 1, j) if lower else self._corner(i, j + 1)
        return self._corner(i, j), third, self._corner(i + 1, j + 1)

    def _nearest_points(self, p_N: Vector3, i: Any, j: Any, lower: bool) -> Array:
        found: Any = triangle_point(p_N, *self._triangle(i, j, lower))
        return np.stack([np.broadcast_to(part, i.shape) for part in found], axis=-1)

    def _normal(self, i: int, j: int, lower: bool) -> Vector3:
        """Unit vector out of a triangle, upward."""
        a, b, c = (np.array(corner) for corner in self._triangle(i, j, lower))
        normal = np.cross(b - a, c - a)
        x, y, z = (normal * (-math.copysign(1.0, normal[2]) / np.linalg.norm(normal))).tolist()
        return (x, y, z)


def _largest(slopes: Array) -> float:
    """The largest known slope."""
    known = slopes[~np.isnan(slopes)]
    return float(known.max()) if known.size else 0.0


_HEADER = ("ncols", "nrows", "xllcorner", "xllcenter", "yllcorner", "yllcenter", "cellsize", "nodata_value")
_LARGEST = 1e9  # of numbers in the header: no coordinate on Earth is larger


def read_ascii_grid(file: str | PathLike[str], *, upward: bool = True) -> DepthGrid:
    """The grid in a file: x is east and y north, m in N; its rows run from north to south.

    The file has a header with ncols, nrows, xllcorner and yllcorner (or xllcenter, yllcenter), cellsize and, if it
    likes, NODATA_value, each on its own line, and then the rows. Values are heights, negative under water, unless
    `upward` is False. Raises a GridFileError with the line that is wrong.
    """
    try:
        lines = Path(file).read_text(encoding="ascii", errors="replace").splitlines()
    except OSError as error:
        raise GridFileError(f"{file}: cannot be read: {error.strerror}") from None
    header, count = _header(file, lines)
    columns, rows, size = (_counted(file, "ncols", header), _counted(file, "nrows", header), header["cellsize"])
    if not size > 0.0:
        raise GridFileError(f"{file}: cellsize = {size:g}: expected a length of more than 0 m")
    try:
        values = np.array(" ".join(lines[count:]).split(), dtype=float)
    except ValueError as error:
        raise GridFileError(f"{file}: the rows hold something else than numbers ({error})") from None
    if values.size != rows * columns:
        raise GridFileError(f"{file}: holds {values.size} values, not the {rows} x {columns} of its header")
    if np.isinf(values).any():
        raise GridFileError(f"{file}: the rows hold an infinite number. Mark what is unknown by NODATA_value.")
    grid = values.reshape(rows, columns)[::-1]
    grid = np.where(grid == header.get("nodata_value", -9999.0), np.nan, -grid if upward else grid)
    easts = _first(header, "x", size) + size * np.arange(columns)
    norths = _first(header, "y", size) + size * np.arange(rows)
    return DepthGrid(tuple(norths.tolist()), tuple(easts.tolist()), grid)


def _header(file: str | PathLike[str], lines: list[str]) -> tuple[dict[str, float], int]:
    """Values of the header, and its number of lines."""
    header: dict[str, float] = {}
    for count, line in enumerate(lines):
        words = line.split()
        if len(words) != 2 or words[0].lower() not in _HEADER:
            break
        try:
            header[words[0].lower()] = float(words[1])
        except ValueError:
            raise GridFileError(f"{file}:{count + 1}: {words[0]} = {words[1]}: expected a number") from None
        if words[0].lower() != "nodata_value" and not abs(header[words[0].lower()]) <= _LARGEST:
            raise GridFileError(f"{file}:{count + 1}: {words[0]} = {words[1]}: expected a number up to {_LARGEST:g}")
    for names in (("ncols",), ("nrows",), ("xllcorner", "xllcenter"), ("yllcorner", "yllcenter"), ("cellsize",)):
        if not any(name in header for name in names):
            raise GridFileError(f"{file}: is no ASCII grid, its header has no {' or '.join(names)}")
    return header, len(header)


def _counted(file: str | PathLike[str], name: str, header: dict[str, float]) -> int:
    """Number of columns or rows."""
    if header[name] < 2.0 or header[name] != int(header[name]):
        raise GridFileError(f"{file}: {name} = {header[name]:g}: expected a whole number of at least 2")
    return int(header[name])


def _first(header: dict[str, float], letter: str, size: float) -> float:
    """Coordinate of the middle of the first cell."""
    center = header.get(f"{letter}llcenter")
    return header[f"{letter}llcorner"] + 0.5 * size if center is None else center
