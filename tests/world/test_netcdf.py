"""Grids in NetCDF files: read as they are meant, refused in words."""

import contextlib
import math
import pickle
import subprocess
import sys

import cftime
import h5netcdf
import numpy as np
import pytest
import xarray
from scipy.io import netcdf_file

from remora.equations.geometry.earth import Geodetic, geodetic_to_ned
from remora.world.ground.grid_bed import read_ascii_grid
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


def write_newer(path, axes, variables, **attributes):
    """The same in the newer format; attributes {variable: {name: value}}."""
    with h5netcdf.File(path, "w") as file:
        file.dimensions = {name: len(numbers) for name, numbers in axes.items()}
        for name, (along, numbers) in {**{name: ((name,), n) for name, n in axes.items()}, **variables}.items():
            made = file.create_variable(name, along, data=np.asarray(numbers))
            made.attrs.update(attributes.get(name, {}))
    return path


FORMATS = pytest.mark.parametrize("form", [write, write_newer], ids=["classic", "newer"])


def sea(path, form=write):
    """A current that is different on every node, from north to south and west to east."""
    axes = {
        "time": np.arange(6.0),
        "depth": np.linspace(0.0, 200.0, 21),
        "lat": np.linspace(60.03, 59.97, 70),
        "lon": np.linspace(4.97, 5.03, 40),
    }
    random = np.random.default_rng(4)
    variables = {name: (tuple(axes), random.normal(size=(6, 21, 70, 40))) for name in "uvw"}
    variables["u"][1][:, :, 30:33, 7] = np.nan
    return form(path, axes, variables)


@FORMATS
def test_a_grid_that_is_read_block_by_block_is_the_one_in_memory(tmp_path, monkeypatch, form):
    """Bit for bit, on any path through it; with a file of either format, and after a copy to another process."""
    file = sea(tmp_path / "sea.nc", form)
    whole = read_current(file, ORIGIN)
    monkeypatch.setattr(netcdf, "LARGEST_IN_MEMORY", 1000)
    monkeypatch.setattr(netcdf, "MOST_BLOCKS", 3)
    in_blocks = pickle.loads(pickle.dumps(read_current(file, ORIGIN)))
    assert not isinstance(in_blocks.velocities, np.ndarray)
    assert in_blocks.velocities.shape == whole.velocities.shape
    random = np.random.default_rng(1)
    for north, east, down in random.uniform((-4000.0, -2000.0, -10.0), (4000.0, 2000.0, 230.0), (60, 3)):
        time_ns = int(random.integers(-SECOND, 6 * SECOND))
        assert in_blocks.at(time_ns, (north, east, down)) == whole.at(time_ns, (north, east, down))
    assert len(in_blocks.velocities._blocks) <= 3


@FORMATS
def test_an_infinite_number_in_a_block_is_refused_when_it_is_read(tmp_path, monkeypatch, form):
    axes = {"y": np.arange(100.0), "x": np.arange(3.0)}
    speeds = np.zeros((100, 3))
    speeds[90, 0] = np.inf
    file = form(tmp_path / "w.nc", axes, dict.fromkeys("uv", (("y", "x"), speeds)))
    monkeypatch.setattr(netcdf, "LARGEST_IN_MEMORY", 1000)
    field = read_current(file)
    assert field.at(0, (20.0, 1.0, 0.0)).velocity == (0.0, 0.0, 0.0)
    with pytest.raises(GridFileError, match="u holds an infinite number"):
        field.at(0, (90.5, 1.0, 0.0))


def test_both_formats_give_the_same_current(tmp_path):
    classic, newer = (
        read_current(sea(tmp_path / f"{form.__name__}.nc", form), ORIGIN) for form in (write, write_newer)
    )
    np.testing.assert_array_equal(classic.velocities, newer.velocities)
    assert (classic.norths, classic.easts, classic.depths) == (newer.norths, newer.easts, newer.depths)


def test_packed_numbers_are_unpacked_and_unknown_ones_are_not_a_number(tmp_path):
    """Scale, offset and fill value; numbers outside the valid range, and places that nobody has written."""
    axes = {"y": [0.0, 1.0], "x": [0.0, 1.0, 2.0, 3.0]}
    packed = np.array([[100, -32768, 3001, 50], [1, 2, 3, 4]], dtype=np.int16)
    scaled = {"scale_factor": 0.01, "add_offset": 2.0, "_FillValue": np.int16(-32768), "valid_max": np.int16(3000)}
    plain = np.array([[1.0, 9.9692099683868690e36, 3.0, 4.0], [1.0, 2.0, 3.0, -7.0]], dtype=np.float32)
    variables = {"u": (("y", "x"), packed), "v": (("y", "x"), plain)}
    file = write_newer(tmp_path / "p.nc", axes, variables, u=scaled, v={"valid_range": np.float32([-5.0, 5.0])})
    grid = netcdf.read_velocities(file)
    north, east = (grid.velocities[0, 0, :, :, k] for k in (0, 1))
    assert east == pytest.approx(np.array([[3.0, np.nan, np.nan, 2.5], [2.01, 2.02, 2.03, 2.04]]), nan_ok=True)
    np.testing.assert_array_equal(north, [[1.0, np.nan, 3.0, 4.0], [1.0, 2.0, 3.0, np.nan]])


@pytest.mark.parametrize(
    ("units", "calendar", "seconds"),
    [
        ("days since 2023-02-27", "noleap", 86400.0),
        ("hours since 2023-02-27", "360_day", 3600.0),
        ("months since 2023-02-01", "360_day", 30 * 86400.0),
        ("common_years since 2023-02-01", "noleap", 365 * 86400.0),
    ],
)
def test_times_of_every_calendar(tmp_path, units, calendar, seconds):
    axes = {"time": [1.0, 2.0, 3.0], "y": [0.0, 1.0], "x": [0.0, 1.0]}
    variables = {n: (("time", "y", "x"), np.zeros((3, 2, 2))) for n in "uv"}
    file = write_newer(tmp_path / "t.nc", axes, variables, time={"units": units, "calendar": calendar})
    assert netcdf.read_velocities(file).times == (0.0, seconds, 2 * seconds)
    dates = cftime.num2date([1.0, 3.0], units, calendar)
    assert (dates[1] - dates[0]).total_seconds() == 2 * seconds


def test_texts_and_axes_without_names_in_a_newer_file_do_no_harm(tmp_path):
    file = sea(tmp_path / "sea.nc", write_newer)
    with h5netcdf.File(file, "a") as data:
        data.dimensions["words"] = 2
        data.create_variable("label", ("words",), data=np.array([b"ab", b"cd"]))
        data._h5file.create_dataset("numbers", data=np.zeros((3, 5)))
    assert "label" not in read_names(file)
    assert {"u", "numbers"} <= read_names(file)
    with pytest.raises(GridFileError, match=r"numbers lies on \(phony_dim_\d+, phony_dim_\d+\), and none of these"):
        read_depths(file, ORIGIN, "numbers")


def read_names(file):
    with netcdf.opened(file) as variables:
        return set(variables)


def test_damaged_newer_files_are_refused_in_words(tmp_path):
    whole = sea(tmp_path / "sea.nc", write_newer).read_bytes()
    for cut in (9, 600, len(whole) // 2, len(whole) - 100):
        (tmp_path / "half.nc").write_bytes(whole[:cut])
        with pytest.raises(GridFileError, match="damaged"):
            read_current(tmp_path / "half.nc", ORIGIN)
    random = np.random.default_rng(2)
    for _ in range(40):
        broken = bytearray(whole)
        for place in random.integers(8, 8000, 20):
            broken[place] = int(random.integers(256))
        (tmp_path / "broken.nc").write_bytes(broken)
        with contextlib.suppress(GridFileError):
            read_current(tmp_path / "broken.nc", ORIGIN)


def test_without_the_extra_a_newer_file_is_refused_and_a_classic_one_is_read(tmp_path, monkeypatch):
    newer, classic = sea(tmp_path / "newer.nc", write_newer), sea(tmp_path / "classic.nc")
    for name in ("xarray", "h5netcdf", "cftime"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(GridFileError, match=r'pip install "remora-auv\[netcdf\]", or write .* nccopy -k classic'):
        read_current(newer, ORIGIN)
    assert read_current(classic, ORIGIN).velocities.shape == (6, 21, 70, 40, 3)


def test_xarray_is_imported_when_a_newer_file_is_opened():
    code = "import sys, remora.world, remora.scenarios; assert not {'xarray', 'h5netcdf', 'cftime'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert xarray.__name__ in sys.modules


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
    def exhausted(file):
        raise MemoryError

    monkeypatch.setattr(netcdf, "_classic", exhausted)
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
