"""Solids that show a vehicle: from its file, from a mesh, or guessed."""

import struct
from pathlib import Path

import numpy as np
import pytest

import remora
from remora.vehicles.assembly.looks import MOST_TRIANGLES, guessed_looks, read_stl
from remora.vehicles.library import preset_names
from remora.vehicles.names import VehicleFileError

TRIANGLE = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.5))
TEXT = (
    "solid a\nfacet normal 0 0 1\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in TRIANGLE) + "endloop\n"
)


def with_shape(**shape: object) -> remora.Vehicle:
    """A bundled vehicle with one solid."""
    return remora.load_vehicle("bluerov2").with_(looks={"source": "test", "shapes": [shape]})


def binary_stl(triangles: int) -> bytes:
    """A binary STL file of equal triangles."""
    corners = [number for corner in TRIANGLE for number in corner]
    record = struct.pack("<12fH", 0.0, 0.0, 1.0, *corners, 0)
    return bytes(80) + struct.pack("<I", triangles) + triangles * record


@pytest.mark.parametrize("name", preset_names())
def test_every_bundled_vehicle_has_solids_of_its_size(name: str) -> None:
    vehicle = remora.load_vehicle(name)
    p = vehicle.parameters
    assert vehicle.looks
    largest = max(max([*s.get("size", ()), s.get("length", 0.0), s.get("diameter", 0.0)]) for s in vehicle.looks)
    side = (p.displaced_mass / p.density) ** (1 / 3)
    assert 0.8 * side < largest < 12.0 * side
    assert guessed_looks(p)


def test_axes_of_the_file_are_converted() -> None:
    flatfish = remora.load_vehicle("flatfish_bay_ls")  # forward-left-up
    top = next(s for s in flatfish.looks if s["colour"] == "#1c4e80")
    assert top["position"][2] < 0.0


@pytest.mark.parametrize("text", [TEXT.encode(), binary_stl(1)])
def test_meshes_are_read_scaled_and_kept(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "hull.stl").write_bytes(text)
    np.testing.assert_allclose(read_stl(tmp_path / "hull.stl"), TRIANGLE)
    file = tmp_path / "rov.yaml"
    rov = remora.load_vehicle("bluerov2")
    rov.save(file)
    content = file.read_text()
    start = content.index("looks:")
    mesh = "looks: {source: test, shapes: [{shape: mesh, file: hull.stl, scale: 0.001}]}\n"
    file.write_text(content[:start] + mesh)
    (solid,) = remora.load_vehicle(file).looks
    np.testing.assert_allclose(np.reshape(solid["triangles"], (3, 3)), 1e-3 * np.array(TRIANGLE), atol=1e-4)


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ({"shape": "box"}, "a box needs size"),
        ({"shape": "ball", "diameter": "0.3 m", "size": [1, 1, 1]}, "a ball has no size"),
        ({"shape": "cone", "size": [1, 1, 1]}, "shape"),
        ({"shape": "box", "size": [1, -1, 1]}, "positive"),
        ({"shape": "box", "size": [1, 1, 1], "colour": "blue"}, "#rrggbb"),
        ({"shape": "mesh", "file": "missing.stl"}, "missing.stl"),
    ],
)
def test_mistakes_in_looks_are_named(shape: dict[str, object], message: str) -> None:
    with pytest.raises(VehicleFileError, match=message):
        with_shape(**shape)


@pytest.mark.parametrize("content", [b"", b"solid\nvertex a b c\n", b"x" * 500, binary_stl(1)[:-7]])
def test_files_that_are_no_stl_are_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "hull.stl").write_bytes(content)
    with pytest.raises(ValueError, match="no STL file"):
        read_stl(tmp_path / "hull.stl")


def test_meshes_that_are_too_large_are_refused(tmp_path: Path) -> None:
    (tmp_path / "hull.stl").write_bytes(binary_stl(MOST_TRIANGLES + 1))
    with pytest.raises(ValueError, match="at most 20000"):
        read_stl(tmp_path / "hull.stl")
