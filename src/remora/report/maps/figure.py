"""Picture of a map: plan, side view, cross-sections, and distances from the wall."""

from typing import TYPE_CHECKING, Any

import numpy as np

import remora
from remora.files.arrays import Array
from remora.report.drawing import BLUE, RED, new_figure
from remora.report.maps.mapping import Map, in_tunnel_axes
from remora.world import Tunnel

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (11.0, 8.5)
MOST_DOTS = 20_000
_WALL: dict[str, Any] = {"color": "0.2", "linewidth": 1.5}


def map_figure(found: Map) -> "Figure":
    """In a tunnel along its axes and against its true wall, else along the axes of N."""
    tunnel = found.tunnel
    points = found.points[:: 1 + len(found.points) // MOST_DOTS]
    points, path = (rows if tunnel is None else in_tunnel_axes(tunnel, rows) for rows in (points, found.path))
    labels = ("north", "east", "down") if tunnel is None else ("along the tunnel", "right of the middle", "below it")
    figure = new_figure(SIZE)
    figure.suptitle(f"Map by {found.channel}, {found.pose}: {len(found.points):,} points, remora {remora.__version__}")
    rows: Any = [["above", "above"], ["side", "side"], ["section", "errors"]]
    drawn = figure.subplot_mosaic(rows, height_ratios=(1.0, 1.0, 1.6))
    above, side, section = drawn["above"], drawn["side"], drawn["section"]
    for axes, (x, y) in ((above, (0, 1)), (side, (0, 2)), (section, (1, 2))):
        axes.plot(points[:, x], points[:, y], ".", color=BLUE, markersize=1.5, label="points")
        axes.plot(path[:, x], path[:, y], color=RED, linewidth=1.0, label="path")
        axes.set(xlabel=f"{labels[x]} [m]", ylabel=f"{labels[y]} [m]")
        axes.grid(alpha=0.3)
        axes.invert_yaxis()  # down, and right of the way ahead, are below
    section.set_aspect("equal", adjustable="datalim")
    if tunnel is not None:
        _draw_walls(above, side, section, tunnel, points)
    _draw_residuals(drawn["errors"], found.residuals())
    above.legend(fontsize=8, loc="center right", markerscale=4)
    return figure


def _draw_walls(above: "Axes", side: "Axes", section: "Axes", tunnel: Tunnel, points: Array) -> None:
    """The true outline, over the mapped part."""
    stretch = [points[:, 0].min(), points[:, 0].max()] if len(points) else [0.0, 0.0]
    width, height = tunnel.section.size
    for axes, size in ((above, width), (side, height)):
        for sign, label in ((-0.5, "true wall"), (0.5, "_")):
            axes.plot(stretch, [sign * size] * 2, **_WALL, label=label)
    section.plot(*np.array(tunnel.section.outline()).T, **_WALL)


def _draw_residuals(axes: "Axes", residuals: Array) -> None:
    if not len(residuals):
        axes.set_axis_off()
        return
    axes.hist(residuals, bins=50, color=BLUE)
    axes.set(xlabel="short of the true wall [m]", ylabel="points")
    axes.set_title(f"mean {residuals.mean():.3g} m, std {residuals.std():.3g} m", fontsize=9)
    axes.grid(alpha=0.3)
