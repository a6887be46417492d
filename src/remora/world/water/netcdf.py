"""Grids from NetCDF files: currents of ocean models and depths of surveys.

Classic files (NetCDF 3) are read by SciPy. Files in the newer format (NetCDF 4, which is HDF 5) are read by xarray with
h5netcdf, the extra `netcdf`, which is imported when such a file is opened.
"""

import math
import warnings
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, final

import numpy as np

from remora.distribution import install_line
from remora.equations.geometry.earth import Geodetic, radii_of_curvature
from remora.files.arrays import Array

_NORTH, _EAST = ("lat", "latitude", "nav_lat", "y", "north"), ("lon", "longitude", "nav_lon", "x", "east")
_DEPTH, _TIME = ("depth", "deptht", "lev", "z"), ("time", "time_counter", "t")
_EASTWARD = ("u", "uo", "water_u", "eastward_velocity", "vozocrtx")
_NORTHWARD = ("v", "vo", "water_v", "northward_velocity", "vomecrty")
_UPWARD = ("w", "wo", "water_w", "upward_velocity")
_BED = ("depth", "elevation", "z", "bathymetry", "topo", "Band1", "height", "deptho")
_UPWARD_BED = ("elevation", "height", "topo", "z", "Band1")
_DEGREES = ("lat", "latitude", "nav_lat", "lon", "longitude", "nav_lon")
_SECONDS = {"s": 1.0, "sec": 1.0, "second": 1.0, "min": 60.0, "minute": 60.0, "h": 3600.0, "hr": 3600.0,
            "hour": 3600.0, "d": 86400.0, "day": 86400.0}  # fmt: skip
# What the NetCDF library writes where nothing was given, by kind and bytes of a number; single bytes have none.
_NOT_WRITTEN = {"f4": 9.9692099683868690e36, "f8": 9.9692099683868690e36, "i2": -(2**15) + 1, "i4": -(2**31) + 1,
                "i8": -(2**63) + 2, "u2": 2**16 - 1, "u4": 2**32 - 1, "u8": 2**64 - 2}  # fmt: skip

LARGEST_IN_MEMORY = 2**28  # bytes of velocities; a larger grid is read block by block
BLOCK = (1, 16, 32, 32)  # intervals of time, depth, north and east in a block
MOST_BLOCKS = 32  # kept at a time, of 0.9 MB each

File: TypeAlias = str | PathLike[str]
Part: TypeAlias = tuple[slice, ...]


class GridFileError(ValueError):
    """A file cannot be read as a grid."""


class Variable(NamedTuple):
    """A variable of an open file."""

    file: File
    name: str
    axes: tuple[str, ...]
    shape: tuple[int, ...]
    stored: Any  # indexed by slices
    units: str = ""
    calendar: str = ""
    valid: tuple[float, float] = (-math.inf, math.inf)  # numbers outside are unknown

    def values(self, part: Part | None = None) -> Array:
        """All values or a part of each axis; NaN where they are unknown."""
        found: Any = self.stored[... if part is None else part]
        numbers: Any = np.ma.asarray(getattr(found, "values", found))
        values: Array = numbers.astype(float).filled(np.nan)
        if np.isinf(values).any():
            raise GridFileError(
                f"{self.file}: {self.name} holds an infinite number. Mark what is unknown by _FillValue."
            )
        values[(values < self.valid[0]) | (values > self.valid[1])] = np.nan
        return values


Variables: TypeAlias = Mapping[str, Variable]


class _Layout(NamedTuple):
    """How a file stores velocities: `names` of u, v and w, and for time, depth, north and east the following."""

    file: File
    names: tuple[str, str, str | None]
    axes: tuple[str | None, ...]  # None: left out
    falls: tuple[bool, ...]  # whether the coordinates fall in the file
    shape: tuple[int, ...]

    def velocities(self, variables: Variables, part: Part) -> Array:
        """Velocities north, east and down for a part of the grid with growing axes."""
        eastward, northward, upward = (self._component(variables, name, part) for name in self.names)
        return np.stack([northward, eastward, -upward], axis=-1)

    def _component(self, variables: Variables, name: str | None, part: Part) -> Array:
        size = tuple(one.stop - one.start for one in part)
        if name is None:
            return np.zeros(size)
        variable = variables[name]
        stored = {
            axis: slice(count - one.stop, count - one.start) if falls else one
            for axis, falls, count, one in zip(self.axes, self.falls, self.shape, part, strict=True)
        }
        values = variable.values(tuple(stored[axis] for axis in variable.axes))
        order = [variable.axes.index(axis) for axis in self.axes if axis is not None]
        return np.flip(values.transpose(order).reshape(size), tuple(i for i, falls in enumerate(self.falls) if falls))


@final
class VelocitiesInFile:
    """Velocities that are read block by block where they are asked for: a grid can be larger than the memory."""

    def __init__(self, layout: _Layout) -> None:
        self.shape = (*layout.shape, 3)
        self._layout = layout
        self._blocks: OrderedDict[tuple[int, ...], Array] = OrderedDict()

    def __getitem__(self, part: Part) -> Array:
        """Velocities of a cell, which has at most two nodes along each axis; zero where they are unknown."""
        key = tuple(one.start // size for one, size in zip(part, BLOCK, strict=True))
        if key not in self._blocks:
            # One node more than a block has intervals, so that each cell lies within one block.
            begins = [number * size for number, size in zip(key, BLOCK, strict=True)]
            ends = [min(b + size + 1, n) for b, size, n in zip(begins, BLOCK, self._layout.shape, strict=True)]
            with opened(self._layout.file) as variables:
                whole = self._layout.velocities(variables, tuple(map(slice, begins, ends)))
            self._blocks[key] = np.nan_to_num(whole, nan=0.0)
            if len(self._blocks) > MOST_BLOCKS:
                self._blocks.popitem(last=False)
        self._blocks.move_to_end(key)
        offsets = (number * size for number, size in zip(key, BLOCK, strict=True))
        return self._blocks[key][tuple(slice(p.start - o, p.stop - o) for p, o in zip(part, offsets, strict=True))]


class VelocityGrid(NamedTuple):
    """Velocities of the water on a grid."""

    times: tuple[float, ...]  # s of the run
    depths: tuple[float, ...]  # m below the still surface
    norths: tuple[float, ...]  # m in N
    easts: tuple[float, ...]
    velocities: Array | VelocitiesInFile  # m/s in N, of shape (times, depths, norths, easts, 3); NaN where unknown


def read_velocities(
    file: File, origin: Geodetic | None = None, *, start: float = 0.0, names: Mapping[str, str] | None = None
) -> VelocityGrid:
    """Velocities of the water from a NetCDF file.

    Parameters
    ----------
    file
        With eastward u, northward v and, if it likes, upward w, in m/s, on (time, depth, latitude, longitude), or on
        (time, depth, y, x) with y north and x east in metres. Time and depth may be left out; depth counts downward.
    origin
        Where N lies, for grids in latitude and longitude; the Earth is flat within the grid.
    start
        When the run begins, in s after the first time of the file.
    names
        Names of the variables u, v and w in the file where they are unusual, such as {"u": "uvel"}.

    Raises
    ------
    GridFileError
        With what is missing and what the file has instead.
    """
    wanted = {"u": _EASTWARD, "v": _NORTHWARD, "w": _UPWARD, **{key: (name,) for key, name in (names or {}).items()}}
    with opened(file) as variables:
        u = _found(file, variables, "the eastward velocity", wanted["u"])
        v = _found(file, variables, "the northward velocity", wanted["v"])
        w = _any(variables, wanted["w"])
        north, east = (_coordinate(variables, u, names) for names in (_NORTH, _EAST))
        time, depth = (_coordinate_if_any(variables, u, names) for names in (_TIME, _DEPTH))
        coordinates = (time, depth, north, east)
        for part in (u, v, w):
            if part is not None:
                _check_axes(part, [axis for axis in coordinates if axis is not None])
        axes = [
            np.zeros(1) if time is None else _elapsed(time) - start,
            np.zeros(1) if depth is None else np.abs(depth.values()),
            *_metres(north, east, origin),
        ]
        falls = tuple(bool(axis.size > 1 and axis[0] > axis[-1]) for axis in axes)
        times, depths, norths, easts = (
            tuple((axis[::-1] if is_falling else axis).tolist()) for axis, is_falling in zip(axes, falls, strict=True)
        )
        stored = tuple(None if axis is None else axis.name for axis in coordinates)
        shape = tuple(axis.size for axis in axes)
        layout = _Layout(file, (u.name, v.name, None if w is None else w.name), stored, falls, shape)
        if 24 * math.prod(shape) > LARGEST_IN_MEMORY:
            return VelocityGrid(times, depths, norths, easts, VelocitiesInFile(layout))
        whole = layout.velocities(variables, tuple(slice(0, count) for count in shape))
    return VelocityGrid(times, depths, norths, easts, whole)


class DepthGrid(NamedTuple):
    """Depths of a bed on a grid."""

    norths: tuple[float, ...]  # m in N
    easts: tuple[float, ...]
    depths: Array  # m, of shape (norths, easts), downward; NaN where unknown


def read_depths(file: File, origin: Geodetic | None = None, name: str | None = None) -> DepthGrid:
    """Depths of a bed from a NetCDF file, on latitude and longitude or on y (north) and x (east) in metres.

    A variable called elevation, height, topo, z or Band1 counts upward, any other downward.
    """
    with opened(file) as variables:
        flat = {key: value for key, value in variables.items() if len(value.shape) == 2}
        depth = _found(file, flat, "the depth of the bed", (name,) if name else _BED)
        north, east = (_coordinate(variables, depth, names) for names in (_NORTH, _EAST))
        _check_axes(depth, [north, east])
        values = depth.values().transpose([depth.axes.index(axis.name) for axis in (north, east)])
        values = values * (-1.0 if depth.name in _UPWARD_BED else 1.0)
        axes = list(_metres(north, east, origin))
    for i, axis in enumerate(axes):
        if axis.size > 1 and axis[0] > axis[-1]:
            axes[i], values = axis[::-1], np.flip(values, i)
    return DepthGrid(tuple(axes[0].tolist()), tuple(axes[1].tolist()), values)


@contextmanager
def opened(file: File) -> Iterator[dict[str, Variable]]:
    """All variables of a file that hold numbers; their values can be read until it is closed."""
    try:
        with Path(file).open("rb") as source:
            start = source.read(8)
    except OSError as error:
        raise GridFileError(f"{file}: cannot be read: {error.strerror}") from None
    if not start.startswith((b"CDF", b"\x89HDF")):
        raise GridFileError(f"{file}: is no NetCDF file")
    try:
        with _classic(file) if start.startswith(b"CDF") else _newer(file) as variables:
            yield variables
    except GridFileError:
        raise
    except MemoryError:
        raise GridFileError(f"{file}: is a damaged NetCDF file, or one too large for the memory") from None
    except Exception as error:  # a damaged file makes the libraries fail in every way
        raise GridFileError(f"{file}: is a damaged NetCDF file ({error})") from None


@contextmanager
def _classic(file: File) -> Iterator[dict[str, Variable]]:
    from scipy.io import netcdf_file  # imported here: slow, and few runs read such a file

    # Values of a small file are in memory at once; a large one is mapped, and closed when its last value is released.
    is_mapped = Path(file).stat().st_size > LARGEST_IN_MEMORY
    with Path(file).open("rb") as source, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Cannot close a netcdf_file opened with mmap=True", RuntimeWarning)
        with netcdf_file(file if is_mapped else source, "r", mmap=is_mapped, maskandscale=True) as data:
            yield {
                name: Variable(file, name, one.dimensions, one.shape, one, *_texts(vars(one)))
                for name, one in data.variables.items()
                if one.data.dtype.kind in "iuf"
            }


@contextmanager
def _newer(file: File) -> Iterator[dict[str, Variable]]:
    try:
        import h5netcdf
        import xarray
    except ImportError:
        raise GridFileError(
            f"{file}: is in the format NetCDF 4, which needs other packages. Install them with "
            f"{install_line('netcdf')}, or write the file as NetCDF 3: nccopy -k classic in.nc out.nc"
        ) from None
    h5netcdf.File._writable = False  # not set for a file that turns out to be damaged; closing it would then fail
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", xarray.SerializationWarning)
        with xarray.open_dataset(file, engine="h5netcdf", decode_cf=False, cache=False, phony_dims="access") as raw:
            numbers = raw.drop_vars([name for name, one in raw.variables.items() if one.dtype.kind not in "iuf"])
            for one in numbers.variables.values():
                kind = f"{one.dtype.kind}{one.dtype.itemsize}"
                if kind in _NOT_WRITTEN:
                    one.attrs.setdefault("_FillValue", one.dtype.type(_NOT_WRITTEN[kind]))
            data = xarray.decode_cf(numbers, decode_times=False, decode_coords=False)
            yield {str(name): _of_xarray(file, str(name), one) for name, one in data.variables.items()}


def _of_xarray(file: File, name: str, one: Any) -> Variable:
    axes = tuple(map(str, one.dims))
    return Variable(file, name, axes, one.shape, one, *_texts(one.attrs), _valid(one.attrs, one.encoding))


def _texts(attributes: Mapping[str, Any]) -> tuple[str, str]:
    """Units and calendar."""
    units, calendar = (attributes.get(key, "") for key in ("units", "calendar"))
    return _text(units), _text(calendar)


def _text(attribute: Any) -> str:
    return attribute.decode("latin-1") if isinstance(attribute, bytes) else str(attribute)


def _valid(attributes: Mapping[str, Any], packing: Mapping[str, Any]) -> tuple[float, float]:
    """Lowest and highest valid number; the attributes are in the numbers that the file stores."""
    low, high = attributes.get("valid_range", (-math.inf, math.inf))
    stored = (float(attributes.get("valid_min", low)), float(attributes.get("valid_max", high)))
    scale, offset = float(packing.get("scale_factor", 1.0)), float(packing.get("add_offset", 0.0))
    rounding = 0.5 * abs(scale) if "scale_factor" in packing else 0.0
    lowest, highest = sorted(offset + scale * number for number in stored)
    return lowest - rounding, highest + rounding


def _any(variables: Variables, names: tuple[str, ...]) -> Variable | None:
    return next((variables[name] for name in names if name in variables), None)


def _found(file: File, variables: Variables, what: str, names: tuple[str, ...]) -> Variable:
    found = _any(variables, names)
    if found is None:
        known = ", ".join(sorted(variables)) or "nothing"
        raise GridFileError(f"{file}: has no variable {' or '.join(names[:3])} for {what}. It has {known}.")
    return found


def _coordinate(variables: Variables, of: Variable, names: tuple[str, ...]) -> Variable:
    """The coordinate of one axis of a variable: the variable that is called like the axis."""
    for axis in of.axes:
        if axis.lower() in names and axis in variables and len(variables[axis].shape) == 1:
            return variables[axis]
    raise GridFileError(
        f"{of.file}: {of.name} lies on ({', '.join(of.axes)}), and none of these has coordinates for {names[-1]}. "
        f"Call the axis and its coordinates {' or '.join(names[:3])}."
    )


def _coordinate_if_any(variables: Variables, of: Variable, names: tuple[str, ...]) -> Variable | None:
    """The same for an axis that may be left out."""
    return _coordinate(variables, of, names) if any(axis.lower() in names for axis in of.axes) else None


def _check_axes(variable: Variable, coordinates: list[Variable]) -> None:
    """Refuse a variable that does not lie on these coordinates, in whatever order."""
    names, sizes = [axis.name for axis in coordinates], {axis.name: axis.shape[0] for axis in coordinates}
    if sorted(names) != sorted(variable.axes):
        axes = ", ".join(variable.axes)
        raise GridFileError(
            f"{variable.file}: {variable.name} lies on ({axes}), not on ({', '.join(names)}) as expected"
        )
    if variable.shape != tuple(sizes[name] for name in variable.axes):
        raise GridFileError(
            f"{variable.file}: {variable.name} has not as many values as its coordinates: the file is damaged"
        )


def _metres(north: Variable, east: Variable, origin: Geodetic | None) -> tuple[Array, Array]:
    """Coordinates in N."""
    if north.name.lower() not in _DEGREES:
        return north.values(), east.values()
    if origin is None:
        raise GridFileError(f"{north.file}: is a grid in latitude and longitude. Say where N is: give the origin.")
    curvature = radii_of_curvature(origin.latitude)
    radius = curvature.prime_vertical * math.cos(origin.latitude)
    away = np.mod(np.radians(east.values()) - origin.longitude + math.pi, 2.0 * math.pi) - math.pi
    return (np.radians(north.values()) - origin.latitude) * curvature.meridian, away * radius


def _elapsed(time: Variable) -> Array:
    """Seconds since the first time; a time without a unit is in seconds.

    Seconds to days are as long in every calendar; months need the calendar of the file.
    """
    values, word = time.values(), time.units.split(" since ")[0].strip().lower()
    seconds = _SECONDS.get(word, _SECONDS.get(word.rstrip("s"))) if word else 1.0
    if seconds is not None:
        return np.asarray((values - values[0]) * seconds)
    try:
        import cftime

        dates = cftime.num2date(values, time.units, time.calendar or "standard")
    except (ImportError, ValueError, TypeError):
        raise GridFileError(
            f'{time.file}: times are in "{time.units}". Known are seconds, minutes, hours and days, and months of a '
            "calendar in which all are equally long."
        ) from None
    return np.array([(date - dates[0]).total_seconds() for date in dates])
