"""Bathymetry from an ASCII grid (.asc)."""

from os import PathLike
from pathlib import Path

import numpy as np

from remora.world.water.netcdf import DepthGrid, GridFileError

_HEADER = ("ncols", "nrows", "xllcorner", "xllcenter", "yllcorner", "yllcenter", "cellsize", "nodata_value")
_LARGEST = 1e9  # of numbers in the header: no coordinate on Earth is larger


def read_ascii_grid(file: str | PathLike[str], *, upward: bool = True) -> DepthGrid:
    """The grid in a file: x is east and y north, m in N; its rows run from north to south.

    Parameters
    ----------
    file
        A header with ncols, nrows, xllcorner and yllcorner (or xllcenter, yllcenter), cellsize and, if it likes,
        NODATA_value, each on its own line; then the rows.
    upward
        Whether values are heights, negative under water, as is usual; False for depths.

    Raises
    ------
    GridFileError
        With the line that is wrong.
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
