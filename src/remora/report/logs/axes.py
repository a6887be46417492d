"""Axes of a picture of a log: a plan view, curves over time, and events marked on them."""

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from remora.files.arrays import Array
from remora.report.drawing import BLACK, GREEN, ORANGE, RED
from remora.report.logs.curve_reader import Curve, CurveData
from remora.report.logs.panels import Panel, PlotLine
from remora.report.logs.recorded_scene import KeepOutCircle, depths_below, outline
from remora.report.simulations.event_tally import TallyEntry
from remora.world import Tunnel
from remora.world.ground.beds import Bed
from remora.world.ground.obstacles import Obstacle
from remora.world.scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEVEL_COLOURS = {"debug": "0.6", "info": "0.5", "warning": ORANGE, "error": RED, "fatal": BLACK}
BED_COLOUR = "#8c5a2b"
BEYOND = 5.0  # m around a path of which tunnel, obstacles and bed are drawn
SMALL, TINY = 8, 7  # sizes of letters
LONGEST_LEGEND = 14
MOST_NAMED = 12  # paths in a legend; of more each has its name beside it
# Smallest span of an axis by its unit: what is smaller is rounding, or does not matter to a vehicle.
SMALLEST_SPANS = {
    "m": 0.01, "m/s": 1e-3, "m/s2": 1e-3, "deg": 0.1, "deg/s": 0.1, "rad": 1e-3, "rad/s": 1e-3, "rad/s2": 1e-3,
    "N": 0.01, "N m": 0.01, "W": 0.1, "V": 0.01, "A": 0.01, "Pa": 1.0,
}  # fmt: skip
SMALLEST_SHARE = 1e-6  # of the largest value, for other units
SMALLEST_PLAN = 0.1  # m
NEAR_EVENTS = 0.03  # of the time drawn: events that are nearer share one label


def draw_plan(axes: "Axes", lines: Sequence[PlotLine], data: CurveData, scene: Scene) -> None:
    """Paths seen from above, north up, with their starts and ends; walls and obstacles where there are any."""
    paths = [(line, data.curves[line.trace].values) for line in lines]
    for tunnel in scene.tunnels:
        walls = plan_of_walls(tunnel, [path for _, path in paths])
        axes.fill(*walls.T[::-1], color="0.95", zorder=0)
        for side in (walls[:2], walls[2:]):
            axes.plot(*side.T[::-1], color="0.4", linewidth=1.5, zorder=1, label="_")
        axes.lines[-1].set_label("tunnel walls")
    _draw_obstacles(axes, scene.obstacles, [path for _, path in paths])
    for line, path in paths:
        axes.plot(path[:, 1], path[:, 0], label=line.label, **line.style)
    ends = [path[np.isfinite(path).all(axis=1)] for line, path in paths if line.style["linestyle"] == "-"]
    ends = [path for path in ends if len(path)]
    size = 7 if len(lines) <= MOST_NAMED else 4
    for at, mark, colour, label in ((0, "o", GREEN, "start"), (-1, "s", RED, "end")) if ends else ():
        places = np.array([path[at] for path in ends])
        axes.plot(places[:, 1], places[:, 0], mark, color=colour, markersize=size, zorder=4, label=label)
    axes.set_xlabel("east [m]")
    axes.set_ylabel("north [m]")
    axes.set_title("path from above", fontsize=10)
    axes.margins(0.1)
    _widen_plan(axes)
    axes.set_aspect("equal", adjustable="datalim")
    axes.grid(alpha=0.3)


def _widen_plan(axes: "Axes") -> None:
    """Give a plan without motion a smallest size."""
    corners = axes.dataLim.get_points()
    if np.ptp(corners, axis=0).max() < SMALLEST_PLAN:
        # By its data: limits that are set would be in the way of the equal scales of both axes.
        axes.update_datalim(corners.mean(axis=0) + 0.5 * SMALLEST_PLAN * np.array([[-1.0, -1.0], [1.0, 1.0]]))
        axes.autoscale_view()


def draw_zones(axes: "Axes", zones: Iterable[KeepOutCircle]) -> None:
    """Keep-out zones in a plan view."""
    turns = np.linspace(0.0, 2.0 * np.pi, 73)
    for number, (north, east, radius) in enumerate(zones):
        axes.fill(
            east + radius * np.sin(turns), north + radius * np.cos(turns), facecolor="none", edgecolor=RED,
            hatch="//", linewidth=1.0, alpha=0.6, zorder=0.7, label="_" if number else "keep-out zone",
        )  # fmt: skip


def _draw_obstacles(axes: "Axes", obstacles: Iterable[Obstacle], paths: Sequence[Array]) -> None:
    """Obstacles near the paths, each with its name; far ones would make the paths small."""
    places = np.concatenate([path[np.isfinite(path).all(axis=1)] for path in paths])
    if not len(places):
        return
    first, last = places.min(axis=0), places.max(axis=0)
    reach = max(BEYOND, 0.5 * float(np.max(last - first)))
    for obstacle in obstacles:
        corners = outline(obstacle)
        if np.all(corners.max(axis=0) > first - reach) and np.all(corners.min(axis=0) < last + reach):
            axes.fill(*corners.T[::-1], facecolor="0.85", edgecolor="0.4", linewidth=1.0, zorder=0.5, label="_")
            middle = corners.mean(axis=0)
            axes.annotate(
                obstacle.name, (middle[1], middle[0]), fontsize=TINY, color="0.3", ha="center", va="center",
                annotation_clip=True, zorder=0.6,
            )  # fmt: skip


def draw_bed(axes: "Axes", lines: Sequence[PlotLine], data: CurveData, bed: Bed) -> None:
    """The bed under the true paths, in axes of depth; not where it lies so deep that depths would look flat."""
    shallow, deep = sorted(axes.get_ylim())
    limit = deep + max(BEYOND, 2.0 * (deep - shallow))
    for line in (line for line in lines if line.style["linestyle"] == "-"):
        curve = data.curves[line.trace]
        depths = depths_below(bed, curve.values)
        known = np.flatnonzero(np.isfinite(depths))
        if len(known) and depths[known].min() < limit:
            axes.plot(curve.times, depths, color=BED_COLOUR, linewidth=1.3, zorder=1, label="bed")
            axes.annotate(
                "bed", (curve.times[known[0]], depths[known[0]]), xytext=(4, 3), textcoords="offset points",
                fontsize=TINY, color=BED_COLOUR, annotation_clip=True,
            )  # fmt: skip


def plan_of_walls(tunnel: Tunnel, paths: Iterable[Array]) -> Array:
    """North and east of the corners of a tunnel: right wall from its start to its end, then left wall back."""
    along = [
        tunnel.in_tunnel_axes((north, east, tunnel.start[2]))[0]
        for path in paths for north, east in path[np.isfinite(path).all(axis=1)].tolist()
    ]  # fmt: skip
    first = max(0.0, min(along, default=0.0) - BEYOND)
    last = max(along, default=0.0) + BEYOND
    last = min(last, tunnel.length) if isfinite(tunnel.length) else last
    half = 0.5 * tunnel.section.size[0]
    corners = ((first, half), (last, half), (last, -half), (first, -half))
    return np.array([tunnel.point(x, y)[:2] for x, y in corners])


def draw_panel(axes: "Axes", panel: Panel, data: CurveData) -> None:
    """Curves over time."""
    shift_to: float | None = None
    for line in (line for line in panel.lines if not line.is_bound):
        curve = data.curves[line.trace]
        if line.trace.angle:
            curve, shift_to = beside(curve, shift_to)
        few = np.isfinite(curve.values).sum() == 1  # a single value makes no line
        axes.plot(curve.times, curve.values[:, 0], label=line.label, marker="." if few else None, **line.style)
    draw_bounds(axes, [line for line in panel.lines if line.is_bound], data)
    if panel.downwards:
        axes.invert_yaxis()
    axes.set_ylabel(panel.label.replace(" [", "\n[", 1) if len(panel.label) > 16 else panel.label, fontsize=SMALL)
    axes.tick_params(labelsize=SMALL)
    axes.ticklabel_format(axis="y", useOffset=False)
    axes.grid(alpha=0.3)
    axes.margins(y=0.1)
    widen(axes, panel.label.rpartition("[")[2].removesuffix("]"))
    title = _statistics(panel, data) if panel.is_error else panel.title
    if title:
        axes.set_title(title + _losses(panel, data), fontsize=SMALL, loc="left", pad=3)
    if panel.legend:
        draw_legend(axes, panel)


def _statistics(panel: Panel, data: CurveData) -> str:
    """RMS and largest value of the errors of a panel, by the estimate on board."""
    errors = np.concatenate([data.curves[line.trace].values[:, 0] for line in panel.lines])
    known = errors[np.isfinite(errors)]
    if not known.size:
        return ""
    return f"{np.sqrt(np.mean(known**2)):.3f} m RMS, {np.abs(known).max():.3f} m at most, by the estimate"


def draw_bounds(axes: "Axes", lines: Sequence[PlotLine], data: CurveData) -> None:
    """Bounds of estimates; for them the axis grows to three times the span of the curves at most."""
    from matplotlib.lines import Line2D

    low, high = axes.dataLim.intervaly
    span = high - low
    for line in lines:
        curve = data.curves[line.trace]
        values = curve.values[:, 0]
        axes.add_artist(Line2D(curve.times, values, label=line.label, **line.style))
        if isfinite(span):  # else there are no other curves, and no bounds
            axes.update_datalim(np.column_stack([curve.times, np.clip(values, low - span, high + span)]))


def widen(axes: "Axes", unit: str) -> None:
    """Give the values of axes a smallest span, so that rounding errors do not look like motion."""
    low, high = axes.get_ylim()
    least = SMALLEST_SPANS.get(unit, SMALLEST_SHARE * max(abs(low), abs(high)))
    if abs(high - low) < least:
        middle, half = 0.5 * (low + high), 0.5 * (least if high >= low else -least)
        axes.set_ylim(middle - half, middle + half)


def draw_legend(axes: "Axes", panel: Panel) -> None:
    """A legend beside the axes, where it hides nothing; none where the axis already says what the only curve is."""
    handles, labels = axes.get_legend_handles_labels()
    if len(handles) > 1 or any(not panel.label.startswith(f"{label} [") for label in labels):
        axes.legend(
            handles[:LONGEST_LEGEND], [label[:24] for label in labels[:LONGEST_LEGEND]], fontsize=TINY,
            loc="upper left", bbox_to_anchor=(1.0, 1.04), frameon=False, borderaxespad=0.2, handlelength=1.4,
            labelspacing=0.2,
        )  # fmt: skip


def draw_roles(axes: "Axes", panels: Iterable[Panel]) -> None:
    """A legend of the plan that also names the curves of other panels: truth, estimate, reference look the same."""
    from matplotlib.lines import Line2D

    handles, labels = axes.get_legend_handles_labels()
    for line in (line for panel in panels for line in panel.lines):
        if line.label not in labels and not line.label.startswith("_"):
            handles.append(Line2D([], [], **line.style))
            labels.append(line.label)
    axes.legend(handles[:LONGEST_LEGEND], labels[:LONGEST_LEGEND], fontsize=SMALL, loc="best")


def beside(curve: Curve, start: float | None) -> tuple[Curve, float | None]:
    """Angles in deg, moved by full turns so that they begin near a start; and the start for the next curve."""
    known = curve.values[np.isfinite(curve.values)]
    if not known.size:
        return curve, start
    turns = np.round((known[0] - (0.0 if start is None else start)) / 360.0)
    moved = curve._replace(values=curve.values - 360.0 * turns)
    return moved, float(known[0] - 360.0 * turns) if start is None else start


def _losses(panel: Panel, data: CurveData) -> str:
    counts = [data.counts[name] for name in panel.channels]
    rows, lost = sum(count.rows for count in counts), sum(count.lost for count in counts)
    return f"; {lost} of {rows} without values" if lost else ""


def mark_events(all_axes: Sequence["Axes"], entries: Sequence[TallyEntry], numbered: Iterable["Axes"]) -> None:
    """A line where each event was first said; its number on top of some axes."""
    for axes in all_axes:
        for entry in entries:
            colour = LEVEL_COLOURS[entry.level]
            axes.axvline(1e-9 * entry.first_ns, color=colour, linewidth=0.9, linestyle="-.", zorder=1.5)
    for axes in numbered:
        first, last = axes.get_xlim()
        for time, numbers in _together(entries, NEAR_EVENTS * (last - first)):
            axes.annotate(
                numbers, (time, 1.0), xycoords=("data", "axes fraction"), xytext=(2, -2),
                textcoords="offset points", fontsize=TINY, fontweight="bold", color="0.2", va="top",
                annotation_clip=True,
            )  # fmt: skip


def _together(entries: Sequence[TallyEntry], near: float) -> list[tuple[float, str]]:
    """Times in s of events that lie apart, each with the numbers of all that would be written over one another."""
    groups: list[tuple[float, list[int]]] = []
    last = -np.inf
    for number, entry in sorted(enumerate(entries, start=1), key=lambda item: item[1].first_ns):
        time = 1e-9 * entry.first_ns
        if time - last <= near:
            groups[-1][1].append(number)
        else:
            groups.append((time, [number]))
        last = time
    return [(time, _numbers(sorted(found))) for time, found in groups]


def _numbers(found: list[int]) -> str:
    """Numbers in a row; many that follow each other as the first and the last."""
    if len(found) > 2 and found[-1] - found[0] == len(found) - 1:
        return f"{found[0]}-{found[-1]}"
    return ",".join(map(str, found))


def name_paths(axes: "Axes", lines: Sequence[PlotLine], data: CurveData) -> None:
    """The name of each vehicle where it starts, in place of a legend that would be too long."""
    for line in lines:
        path = data.curves[line.trace].values
        known = path[np.isfinite(path).all(axis=1)]
        if len(known):
            axes.annotate(
                line.label, (known[0, 1], known[0, 0]), xytext=(4, 4), textcoords="offset points", fontsize=TINY,
                color=line.style["color"], zorder=5, annotation_clip=True,
            )  # fmt: skip
