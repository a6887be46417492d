"""Grids from NetCDF files: currents of ocean models and depths of surveys.

Classic files (NetCDF 3) are read by SciPy. Files in the newer format (NetCDF 4, which is HDF 5) need the package
netCDF4, the extra `netcdf`.
"""

import math
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

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


class GridFileError(ValueError):
    """A file cannot be read as a grid."""


class Variable(NamedTuple):
    """A variable of a file; NaN where it is unknown."""

    name: str
    axes: tuple[str, ...]
    values: Array
    units: str


class VelocityGrid(NamedTuple):
    """Velocities of the water on a grid."""

    times: tuple[float, ...]  # s of the run
    depths: tuple[float, ...]  # m below the still surface
    norths: tuple[float, ...]  # m in N
    easts: tuple[float, ...]
    velocities: Array  # m/s in N, of shape (times, depths, norths, easts, 3); NaN where unknown


def read_velocities(
    file: str | PathLike[str],
    origin: Geodetic | None = None,
    *,
    start: float = 0.0,
    names: Mapping[str, str] | None = None,
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
    variables = read_variables(file)
    wanted = {"u": _EASTWARD, "v": _NORTHWARD, "w": _UPWARD, **{key: (name,) for key, name in (names or {}).items()}}
    u = _found(file, variables, "the eastward velocity", wanted["u"])
    v = _found(file, variables, "the northward velocity", wanted["v"])
    w = _any(variables, wanted["w"])
    north, east = (_coordinate(file, variables, u, names) for names in (_NORTH, _EAST))
    time, depth = (_coordinate_if_any(file, variables, u, names) for names in (_TIME, _DEPTH))
    order = [axis for axis in (time, depth, north, east) if axis is not None]
    size = tuple(1 if axis is None else axis.values.size for axis in (time, depth, north, east))
    eastward, northward = (_in_order(file, part, order).reshape(size) for part in (u, v))
    upward = np.zeros(size) if w is None else _in_order(file, w, order).reshape(size)
    axes = [
        np.zeros(1) if time is None else (time.values - time.values[0]) * _seconds(file, time.units) - start,
        np.zeros(1) if depth is None else np.abs(depth.values),
        *_metres(file, north, east, origin),
    ]
    axes, values = _growing(axes, np.stack([northward, eastward, -upward], axis=-1))
    times, depths, norths, easts = (tuple(axis.tolist()) for axis in axes)
    return VelocityGrid(times, depths, norths, easts, values)


class DepthGrid(NamedTuple):
    """Depths of a bed on a grid."""

    norths: tuple[float, ...]  # m in N
    easts: tuple[float, ...]
    depths: Array  # m, of shape (norths, easts), downward; NaN where unknown


def read_depths(file: str | PathLike[str], origin: Geodetic | None = None, name: str | None = None) -> DepthGrid:
    """Depths of a bed from a NetCDF file, on latitude and longitude or on y (north) and x (east) in metres.

    A variable called elevation, height, topo, z or Band1 counts upward, any other downward.
    """
    variables = read_variables(file)
    flat = {key: value for key, value in variables.items() if value.values.ndim == 2}
    depth = _found(file, flat, "the depth of the bed", (name,) if name else _BED)
    north, east = (_coordinate(file, variables, depth, names) for names in (_NORTH, _EAST))
    values = _in_order(file, depth, [north, east]) * (-1.0 if depth.name in _UPWARD_BED else 1.0)
    (norths, easts), values = _growing(list(_metres(file, north, east, origin)), values)
    return DepthGrid(tuple(norths.tolist()), tuple(easts.tolist()), values)


def _growing(axes: list[Array], values: Array) -> tuple[list[Array], Array]:
    """The grid with increasing axes."""
    for i, axis in enumerate(axes):
        if axis.size > 1 and axis[0] > axis[-1]:
            axes[i], values = axis[::-1], np.flip(values, i)
    return axes, values


def read_variables(file: str | PathLike[str]) -> dict[str, Variable]:
    """All variables of a file that hold numbers."""
    try:
        with Path(file).open("rb") as opened:
            start = opened.read(8)
    except OSError as error:
        raise GridFileError(f"{file}: cannot be read: {error.strerror}") from None
    if start.startswith(b"CDF"):
        return _classic(file)
    if start.startswith(b"\x89HDF"):
        return _newer(file)
    raise GridFileError(f"{file}: is no NetCDF file")


def _classic(file: str | PathLike[str]) -> dict[str, Variable]:
    from scipy.io import netcdf_file  # imported here: slow, and few runs read such a file

    try:
        with Path(file).open("rb") as opened, netcdf_file(opened, "r", mmap=False, maskandscale=True) as data:
            return _finite(file, _variables(data.variables))
    except GridFileError:
        raise
    except MemoryError:
        raise GridFileError(f"{file}: is a damaged NetCDF file, or one too large for the memory") from None
    except (ValueError, TypeError, IndexError, KeyError, OSError, AssertionError) as error:
        raise GridFileError(f"{file}: is a damaged NetCDF file ({error})") from None


def _newer(file: str | PathLike[str]) -> dict[str, Variable]:
    try:
        import netCDF4
    except ImportError:
        raise GridFileError(
            f"{file}: is in the format NetCDF 4, which needs another package. Install it with "
            f"{install_line('netcdf')}, or write the file as NetCDF 3: nccopy -k classic in.nc out.nc"
        ) from None
    try:
        with netCDF4.Dataset(file) as data:
            return _finite(file, _variables(data.variables))
    except MemoryError:
        raise GridFileError(f"{file}: is a damaged NetCDF file, or one too large for the memory") from None
    except OSError as error:
        raise GridFileError(f"{file}: is a damaged NetCDF file ({error})") from None


def _variables(given: Mapping[str, Any]) -> dict[str, Variable]:
    """Variables as plain arrays of numbers; those of texts are left out."""
    made = {}
    for name, variable in given.items():
        values: Any = np.ma.asarray(variable[...])
        if values.dtype.kind in "iuf":
            units = getattr(variable, "units", b"")
            units = units.decode("latin-1") if isinstance(units, bytes) else str(units)
            made[name] = Variable(name, tuple(variable.dimensions), values.astype(float).filled(np.nan), units)
    return made


def _finite(file: str | PathLike[str], variables: dict[str, Variable]) -> dict[str, Variable]:
    """The variables, none of which holds an infinite number."""
    for variable in variables.values():
        if np.isinf(variable.values).any():
            raise GridFileError(
                f"{file}: {variable.name} holds an infinite number. Mark what is unknown by _FillValue."
            )
    return variables


def _any(variables: Mapping[str, Variable], names: tuple[str, ...]) -> Variable | None:
    return next((variables[name] for name in names if name in variables), None)


def _found(file: str | PathLike[str], variables: Mapping[str, Variable], what: str, names: tuple[str, ...]) -> Variable:
    found = _any(variables, names)
    if found is None:
        known = ", ".join(sorted(variables)) or "nothing"
        raise GridFileError(f"{file}: has no variable {' or '.join(names[:3])} for {what}. It has {known}.")
    return found


def _coordinate(
    file: str | PathLike[str], variables: Mapping[str, Variable], of: Variable, names: tuple[str, ...]
) -> Variable:
    """The coordinate of one axis of a variable: the variable that is called like the axis."""
    for axis in of.axes:
        if axis.lower() in names and axis in variables and variables[axis].values.ndim == 1:
            return variables[axis]
    raise GridFileError(
        f"{file}: {of.name} lies on ({', '.join(of.axes)}), and none of these has coordinates for {names[-1]}. "
        f"Call the axis and its coordinates {' or '.join(names[:3])}."
    )


def _coordinate_if_any(
    file: str | PathLike[str], variables: Mapping[str, Variable], of: Variable, names: tuple[str, ...]
) -> Variable | None:
    """The same for an axis that may be left out."""
    if not any(axis.lower() in names for axis in of.axes):
        return None
    return _coordinate(file, variables, of, names)


def _in_order(file: str | PathLike[str], variable: Variable, order: list[Variable]) -> Array:
    """The values with their axes in an order."""
    names = [axis.name for axis in order]
    if sorted(names) != sorted(variable.axes):
        axes = ", ".join(variable.axes)
        raise GridFileError(f"{file}: {variable.name} lies on ({axes}), not on ({', '.join(names)}) as expected")
    sizes = {axis.name: axis.values.size for axis in order}
    if variable.values.shape != tuple(sizes[name] for name in variable.axes):
        raise GridFileError(f"{file}: {variable.name} has not as many values as its coordinates: the file is damaged")
    return variable.values.transpose([variable.axes.index(name) for name in names])


def _metres(file: str | PathLike[str], north: Variable, east: Variable, origin: Geodetic | None) -> tuple[Array, Array]:
    """Coordinates in N."""
    if north.name.lower() not in _DEGREES:
        return north.values, east.values
    if origin is None:
        raise GridFileError(f"{file}: is a grid in latitude and longitude. Say where N is: give the origin.")
    curvature = radii_of_curvature(origin.latitude)
    radius = curvature.prime_vertical * math.cos(origin.latitude)
    away = np.mod(np.radians(east.values) - origin.longitude + math.pi, 2.0 * math.pi) - math.pi
    return (np.radians(north.values) - origin.latitude) * curvature.meridian, away * radius


def _seconds(file: str | PathLike[str], units: str) -> float:
    """Seconds in the unit of a time such as "hours since 2024-01-01"; no unit means seconds."""
    word = units.split(" since ")[0].strip().lower()
    found = _SECONDS.get(word, _SECONDS.get(word.rstrip("s")))
    if not word:
        return 1.0
    if found is None:
        raise GridFileError(f'{file}: times are in "{units}". Known are seconds, minutes, hours and days.')
    return found
