"""Grids in NetCDF files: read as they are meant, refused in words."""

import math

import numpy as np
import pytest
from scipy.io import netcdf_file

from remora.equations.geometry.earth import Geodetic, geodetic_to_ned
from remora.world.ground.ascii_grid import read_ascii_grid
from remora.world.water import netcdf
from remora.world.water.currents.grid import read_current
from remora.world.water.netcdf import GridFileError, read_depths

SECOND = 1_000_000_000
ORIGIN = Geodetic(math.radians(60.0), math.radians(5.0), 0.0)


def write(path, axes, variables, **units):
    """A classic file with axes {name: numbers} and variables {name: (axes, numbers)}."""
    with netcdf_file(path, "w") as file:
        for name, numbers in axes.items():
            file.createDimension(name, len(numbers))
            file.createVariable(name, "d", (name,))[:] = numbers
        for name, (along, numbers) in variables.items():
            file.createVariable(name, "d", along)[:] = numbers
        for name, unit in units.items():
            file.variables[name].units = unit
    return path


def test_a_current_in_metres(tmp_path):
    axes = {"time": [10.0, 12.0], "depth": [0.0, 20.0], "y": [0.0, 100.0], "x": [0.0, 50.0]}
    t, d, y, x = np.meshgrid(*axes.values(), indexing="ij")
    along = tuple(axes)
    variables = {"u": (along, 0.01 * x), "v": (along, 0.02 * y - 0.001 * d), "w": (along, 0.1 * (t - 10.0))}
    field = read_current(write(tmp_path / "c.nc", axes, variables, time="hours since 2024-01-01"), level=1.0)
    water = field.at(3600 * SECOND, (30.0, 10.0, 11.0))
    assert water.velocity == pytest.approx((0.6 - 0.01, 0.1, -0.1))  # north, east, down
    assert np.array(water.gradient) == pytest.approx(np.array([[0.02, 0, -0.001], [0, 0.01, 0], [0, 0, 0]]))
    assert water.rate == pytest.approx((0.0, 0.0, -0.1 / 3600.0))
    later = read_current(tmp_path / "c.nc", level=1.0, start=1800.0)
    assert later.at(1800 * SECOND, (30.0, 10.0, 11.0)).velocity == pytest.approx(water.velocity)


def test_a_current_in_latitude_and_longitude_without_time_and_depth(tmp_path):
    """North to south, axes in another order, land masked, other names."""
    lat, lon = np.array([60.01, 60.0, 59.99]), np.array([364.99, 365.0, 365.01])
    values = np.tile(lat[None, :] - 60.0, (3, 1))
    values[0, 0] = np.nan
    variables = {"uvel": (("longitude", "latitude"), values), "vo": (("longitude", "latitude"), 2.0 * values)}
    file = write(tmp_path / "c.nc", {"latitude": lat, "longitude": lon}, variables)
    field = read_current(file, ORIGIN, names={"u": "uvel"})
    n, e, _ = geodetic_to_ned(Geodetic(math.radians(60.005), math.radians(5.002), 0.0), ORIGIN)
    assert field.at(0, (n, e, 40.0)).velocity == pytest.approx((0.01, 0.005, 0.0), rel=1e-3)
    n, e, _ = geodetic_to_ned(Geodetic(math.radians(60.01), math.radians(4.99), 0.0), ORIGIN)
    assert field.at(0, (n, e, 0.0)).velocity == pytest.approx((0.0, 0.0, 0.0), abs=1e-4)


def test_depths_of_a_bed(tmp_path):
    axes = {"y": [0.0, 10.0, 20.0], "x": [30.0, 0.0]}
    y, x = np.meshgrid(*axes.values(), indexing="ij")
    file = write(tmp_path / "bed.nc", axes, {"elevation": (("y", "x"), -(5.0 + 0.1 * y + 0.2 * x))})
    grid = read_depths(file)
    assert (grid.norths, grid.easts) == ((0.0, 10.0, 20.0), (0.0, 30.0))
    assert grid.depths == pytest.approx(np.array([[5.0, 11.0], [6.0, 12.0], [7.0, 13.0]]))


def test_files_that_are_no_grids_are_refused_in_words(tmp_path):
    axes = {"y": [0.0, 1.0], "x": [0.0, 1.0]}
    plain = write(tmp_path / "u.nc", axes, {"u": (("y", "x"), np.zeros((2, 2)))})
    with pytest.raises(GridFileError, match=r"u\.nc: has no variable v or vo or .* It has u, x, y"):
        read_current(plain)
    with pytest.raises(GridFileError, match="no variable speed"):
        read_current(plain, names={"u": "speed"})
    with pytest.raises(GridFileError, match="has no variable depth or elevation or z"):
        read_depths(plain)
    degrees = write(
        tmp_path / "d.nc", {"lat": [0.0, 1.0], "lon": [0.0, 1.0]}, {"depth": (("lat", "lon"), np.zeros((2, 2)))}
    )
    with pytest.raises(GridFileError, match="give the origin"):
        read_depths(degrees)
    odd = write(tmp_path / "o.nc", {"a": [0.0, 1.0], "x": [0.0]}, {n: (("a", "x"), np.zeros((2, 1))) for n in "uv"})
    with pytest.raises(GridFileError, match=r"u lies on \(a, x\), and none of these has coordinates for north"):
        read_current(odd)
    months = {**axes, "time": [0.0, 1.0]}
    values = {n: (("time", "y", "x"), np.zeros((2, 2, 2))) for n in "uv"}
    with pytest.raises(GridFileError, match='times are in "fortnights since 2024"'):
        read_current(write(tmp_path / "m.nc", months, values, time="fortnights since 2024"))
    falling = {"y": [0.0, 2.0, 1.0], "x": [0.0, 1.0]}
    values = {n: (("y", "x"), np.zeros((3, 2))) for n in "uv"}
    with pytest.raises(GridFileError, match=r"f\.nc: norths of the grid: 1 comes after 2"):
        read_current(write(tmp_path / "f.nc", falling, values))


def test_missing_damaged_and_newer_files(tmp_path):
    with pytest.raises(GridFileError, match="cannot be read: No such file"):
        read_current(tmp_path / "none.nc")
    (tmp_path / "text.nc").write_text("hello")
    with pytest.raises(GridFileError, match="is no NetCDF file"):
        read_current(tmp_path / "text.nc")
    whole = write(tmp_path / "w.nc", {"y": [0.0, 1.0]}, {"u": (("y",), np.zeros(2))}).read_bytes()
    for end in (5, 20, len(whole) // 2):
        (tmp_path / "half.nc").write_bytes(whole[:end])
        with pytest.raises(GridFileError, match="damaged"):
            read_current(tmp_path / "half.nc")
    (tmp_path / "newer.nc").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(64))
    with pytest.raises(GridFileError, match=r'pip install "remora-auv\[netcdf\]"|damaged'):
        read_current(tmp_path / "newer.nc")


def test_a_netcdf_file_with_a_dimension_beyond_the_memory_is_damaged(tmp_path):
    axes = {"y": [0.0, 1.0], "x": [0.0, 1.0]}
    whole = bytearray(write(tmp_path / "w.nc", axes, {n: (("y", "x"), np.zeros((2, 2))) for n in "uv"}).read_bytes())
    length = whole.index(b"y\0\0\0") + 4  # of the dimension y
    whole[length : length + 4] = b"\x7f\xff\xff\xff"
    (tmp_path / "huge.nc").write_bytes(whole)
    with pytest.raises(GridFileError, match="damaged"):
        read_current(tmp_path / "huge.nc")


def test_a_grid_that_does_not_fit_into_the_memory_is_refused_in_words(tmp_path, monkeypatch):
    def exhausted(variables):
        raise MemoryError

    monkeypatch.setattr(netcdf, "_variables", exhausted)
    file = write(tmp_path / "w.nc", {"y": [0.0, 1.0]}, {"u": (("y",), np.zeros(2))})
    with pytest.raises(GridFileError, match="too large for the memory"):
        read_current(file)


def test_an_infinite_current_is_refused(tmp_path):
    axes = {"y": [0.0, 1.0], "x": [0.0, 1.0]}
    file = write(tmp_path / "w.nc", axes, {n: (("y", "x"), np.full((2, 2), np.inf)) for n in "uv"})
    with pytest.raises(GridFileError, match="u holds an infinite number"):
        read_current(file)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello", "its header has no ncols"),
        ("ncols 2\nnrows two\n", r"map\.asc:2: nrows = two: expected a number"),
        ("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\n", "no cellsize"),
        ("ncols 1\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1\n2\n", "ncols = 1: expected a whole number of at"),
        ("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize inf\n1 2\n3 4\n", r"map\.asc:5: cellsize = inf"),
        ("ncols inf\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n", r"map\.asc:1: ncols = inf"),
        ("ncols 2\nnrows 2\nxllcorner nan\nyllcorner 0\ncellsize 1\n1 2\n3 4\n", r"map\.asc:3: xllcorner = nan"),
        ("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize -1\n1 2\n3 4\n", "more than 0 m"),
        ("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 inf\n", "hold an infinite number"),
        ("ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n1 2\n3\n", "holds 3 values, not the 2 x 2"),
        ("ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n1 2\n3 x\n", "something else than numbers"),
    ],
)
def test_ascii_grids_that_are_none_are_refused_in_words(tmp_path, text, words):
    (tmp_path / "map.asc").write_text(text)
    with pytest.raises(GridFileError, match=words):
        read_ascii_grid(tmp_path / "map.asc")


def test_an_ascii_grid_of_depths(tmp_path):
    text = "ncols 2\nnrows 2\nxllcenter 100\nyllcenter 50\ncellsize 5\n1 2\n-9999 4\n"
    (tmp_path / "map.asc").write_text(text)
    grid = read_ascii_grid(tmp_path / "map.asc", upward=False)
    assert (grid.norths, grid.easts) == ((50.0, 55.0), (100.0, 105.0))
    assert grid.depths == pytest.approx(np.array([[np.nan, 4.0], [1.0, 2.0]]), nan_ok=True)
