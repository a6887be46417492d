"""Solids that show a vehicle: from its file, or guessed from its volume, thrusters and fins."""

import math
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from remora.files.problems import Finding
from remora.vehicles.axes import Axes, in_body_axes
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.sections.looks_sections import LooksSection, ShapeSection

MOST_TRIANGLES = 20_000
_GREY, _DARK = "#c9d6dc", "#20242a"
_BAR = 0.02  # m
_SLENDER = 4.0  # length over width from which a vehicle is drawn as a capsule

# Plain data in body axes: shape, colour, position, and sizes in m.
Solid = Mapping[str, Any]


class Looks(NamedTuple):
    """The solids of a vehicle file, and what is wrong with its meshes."""

    solids: tuple[Solid, ...]
    findings: tuple[Finding, ...] = ()


def looks_of(section: LooksSection | None, axes: Axes, folder: Path) -> Looks:
    """Solids of the section `looks`, in body axes, none without one; paths of meshes are relative to the folder."""
    solids: list[Solid] = []
    findings = []
    for i, shape in enumerate(section.shapes if section else []):
        try:
            solids.append(_solid(shape, axes, folder))
        except ValueError as error:
            findings.append(Finding(("looks", "shapes", i, "file"), str(error)))
    return Looks(tuple(solids), tuple(findings))


def _solid(shape: ShapeSection, axes: Axes, folder: Path) -> Solid:
    position = in_body_axes(axes, shape.position.value) if shape.position else (0.0, 0.0, 0.0)
    found: dict[str, Any] = {"shape": shape.shape, "colour": shape.colour, "position": position}
    if shape.size is not None:
        found["size"] = shape.size.value
    if shape.shape == "frame":
        found["bar"] = shape.bar.value if shape.bar else _BAR
    if shape.diameter is not None:
        found["diameter"] = shape.diameter.value
    if shape.length is not None:
        found["length"] = shape.length.value
        found["axis"] = in_body_axes(axes, shape.axis.value) if shape.axis else (1.0, 0.0, 0.0)
    if shape.file is not None:
        scale = shape.scale.value if shape.scale else 1.0
        triangles = read_stl(folder / shape.file) * scale * np.array(axes.signs)
        found["triangles"] = np.round(triangles, 4).ravel().tolist()
    return found


def read_stl(path: Path) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Corners of the triangles of an STL file, binary or text, a row each; ValueError with the reason."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ValueError(f'"{path.name}" cannot be read: {error.strerror}.') from None
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else -1
    if len(data) == 84 + 50 * count:
        record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
        corners = np.frombuffer(data, record, count, 84)["corners"].astype(float).reshape(-1, 3)
    else:
        lines = data.decode("utf-8", "replace").split("\n")
        rows = [line.split()[1:4] for line in lines if line.strip().startswith("vertex")]
        try:
            corners = np.array(rows, dtype=float).reshape(-1, 3)
        except ValueError:
            raise ValueError(f'"{path.name}" is no STL file.') from None
    if not len(corners) or len(corners) % 3 or not np.isfinite(corners).all():
        raise ValueError(f'"{path.name}" is no STL file with triangles.')
    if len(corners) > 3 * MOST_TRIANGLES:
        raise ValueError(f'"{path.name}" has {len(corners) // 3} triangles; give at most {MOST_TRIANGLES}.')
    return corners


def guessed_looks(parameters: VehicleParameters) -> tuple[Solid, ...]:
    """A capsule for a slender vehicle, else a box in a frame, from volume and the span of thrusters and fins."""
    volume = parameters.displaced_mass / parameters.density
    mounts = [*(one.position for one in parameters.thrusters), *(one.position for one in parameters.fins)]
    span = _span(mounts)
    side = volume ** (1.0 / 3.0)
    length = max(span[0], side)
    width = max(span[1], math.sqrt(volume / length))
    if parameters.fins or length > _SLENDER * width:
        diameter = max(math.sqrt(4.0 * volume / (math.pi * length)), 0.02)
        return (
            {"shape": "capsule", "colour": "#e8b13a", "position": (0.0, 0.0, 0.0), "length": length + diameter}
            | {"diameter": diameter, "axis": (1.0, 0.0, 0.0)},
        )
    if not mounts:
        return ({"shape": "ball", "colour": _GREY, "position": (0.0, 0.0, 0.0), "diameter": 1.24 * side},)
    height = max(span[2], volume / (length * width), 0.3 * side)
    hull = {"shape": "box", "colour": "#1e88c7", "position": (0.0, 0.0, -0.25 * height)}
    frame = {"shape": "frame", "colour": _DARK, "position": (0.0, 0.0, 0.0), "size": (length, width, height)}
    return ({**hull, "size": (length, 0.8 * width, 0.4 * height)}, {**frame, "bar": 0.05 * side})


def _span(points: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    """Extent of points along each body axis, m."""
    if not points:
        return (0.0, 0.0, 0.0)
    extent = np.ptp(np.array(points), axis=0)
    return (float(extent[0]), float(extent[1]), float(extent[2]))
