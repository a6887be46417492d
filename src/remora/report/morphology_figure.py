"""A morphology as a picture: hulls, thrusters, ports and links, from above and from starboard."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from remora.files.arrays import Array
from remora.report.drawing import ALL_COLOURS, new_figure
from remora.vehicles.assembly.looks import guessed_looks
from remora.vehicles.morphologies.morphology import Module, Morphology, compose

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 10.0  # inches
DIRECTIONS = 72  # of an outline
ARROW = 0.06  # of the extent of the whole
VIEWS = (("from above", 1, "starboard [m]"), ("from starboard", 2, "down [m]"))  # title, vertical axis, its label


def morphology_figure(morphology: Morphology) -> "Figure":
    """Both views, in the axes of the origin module."""
    outlines = [[_outline(module, vertical) for module in morphology.modules] for _, vertical, _ in VIEWS]
    low, high = (np.array([edge(np.vstack(one), axis=0) for one in outlines]) for edge in (np.min, np.max))
    extent = high - low
    length, heights = float(extent[:, 0].max()), np.maximum(extent[:, 1], 0.15 * extent[:, 0].max())
    size = (WIDTH, min(2.0 + 0.85 * WIDTH * float(heights.sum()) / length, 2.0 * WIDTH))
    figure = new_figure(size)
    figure.suptitle(f"{morphology.name}: {morphology.title}", fontsize=12)
    both = figure.subplots(2, 1, height_ratios=heights)
    for axes, (title, vertical, label), shapes in zip(both, VIEWS, outlines, strict=True):
        for i, (module, shape) in enumerate(zip(morphology.modules, shapes, strict=True)):
            colour = ALL_COLOURS[i % len(ALL_COLOURS)]
            axes.fill(*shape.T, facecolor=colour, edgecolor=colour, alpha=0.3)
            _draw_module(axes, module, vertical, colour, ARROW * max(length, float(heights.max())))
        _draw_names(axes, morphology, vertical)
        _draw_links(axes, morphology, vertical)
        axes.set(title=title, ylabel=label, aspect="equal")
        axes.invert_yaxis()
        axes.grid(alpha=0.3)
    both[1].set_xlabel("forward [m]. Arrows: positive thrust. Dots: ports. Rings: links")
    return figure


def _draw_module(axes: "Axes", module: Module, vertical: int, colour: str, length: float) -> None:
    """Ports and thrusters of a module."""
    plane, R = [0, vertical], np.array(module.pose.axes)
    for port in module.ports.values():
        axes.plot(*np.array(compose(module.pose, port).position)[plane], ".", color=colour)
    for thruster in module.vehicle.parameters.thrusters:
        start = np.array(module.pose.position) + R @ np.array(thruster.position)
        end = start + length * R @ np.array(thruster.axis)
        axes.annotate("", end[plane], start[plane], arrowprops={"arrowstyle": "->", "color": colour})


def _draw_names(axes: "Axes", morphology: Morphology, vertical: int) -> None:
    """Names of the modules; those behind each other share a label."""
    labels: dict[tuple[float, float], list[str]] = {}
    for module in morphology.modules:
        x, y = (round(module.pose.position[k], 2) for k in (0, vertical))
        labels.setdefault((x, y), []).append(module.name)
    for place, names in labels.items():
        axes.annotate(", ".join(names), place, ha="center", va="center", fontsize=9)


def _draw_links(axes: "Axes", morphology: Morphology, vertical: int) -> None:
    """A ring at the first port of each link, with its kind."""
    for link in morphology.links:
        x, y = np.array(compose(morphology.module(link.first).pose, link.frame_first).position)[[0, vertical]]
        axes.plot(x, y, "o", color="black", fillstyle="none", markersize=8)
        axes.annotate(link.kind, (x, y), (0, 7), textcoords="offset points", ha="center", fontsize=7)


def _outline(module: Module, vertical: int) -> Array:
    """Corners of the convex outline of a module in a view, in common axes."""
    angles = np.linspace(0.0, 2.0 * np.pi, DIRECTIONS, endpoint=False)
    normals = np.column_stack([np.cos(angles), np.sin(angles)])
    R, plane = np.array(module.pose.axes), [0, vertical]
    corners, reaches = [], []
    for solid in module.vehicle.looks or guessed_looks(module.vehicle.parameters):
        points, radius = _core(solid)
        seen = (points @ R.T + module.pose.position)[:, plane]
        best = seen[np.argmax(normals @ seen.T, axis=1)] + radius * normals
        corners.append(best)
        reaches.append(np.sum(best * normals, axis=1))
    outermost = np.argmax(reaches, axis=0)
    return np.asarray(np.array(corners)[outermost, np.arange(DIRECTIONS)], dtype=float)


def _core(solid: Mapping[str, Any]) -> tuple[Array, float]:
    """Points in the axes of the module, and the radius by which the solid extends around their convex hull, m."""
    place = np.array(solid["position"], dtype=float)
    if "triangles" in solid:
        return np.reshape(solid["triangles"], (-1, 3)) + place, 0.0
    if "size" in solid:
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return place + 0.5 * signs * np.array(solid["size"], dtype=float), 0.0
    radius = 0.5 * float(solid["diameter"])
    if "axis" not in solid:
        return place[None], radius
    along = np.array(solid["axis"], dtype=float) / np.linalg.norm(solid["axis"])
    half = max(0.5 * float(solid["length"]) - radius, 0.0) * along
    return np.array([place - half, place + half]), radius
