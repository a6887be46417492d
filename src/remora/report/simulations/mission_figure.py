"""Picture of a run from its log: of the tunnel mission of Gava et al. 2022 where it is one, else an overview."""

import math
from collections.abc import Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from remora.files.arrays import Array
from remora.logs import Channel, LogError
from remora.report.drawing import ALL_COLOURS, ASKED, BLUE, COLOURS, GREEN, RED, check_pictures, finish, new_figure
from remora.report.logs.axes import beside
from remora.report.logs.curve_reader import Curve, read_curves
from remora.report.logs.figure import log_figure
from remora.report.logs.recorded_scene import tunnel_of
from remora.report.logs.source import OpenLog, Source, open_log
from remora.report.logs.traces import ANGLES, Trace, motion, plain
from remora.world import Rectangle, Tunnel

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (15.0, 9.5)
_TRUTH, _OUTPUTS, _REFERENCE = "truth", "outputs", "reference"
SIDES = ("starboard", "port", "up", "down")  # of the echosounders
_STARBOARD = f"/echo_{SIDES[0]}"
OFFSETS = ("e_sw, port - starboard", "e_he, up - down")
_ASKED_OFFSETS = ("lateral", "vertical")  # fields of the reference


def mission_figure(source: Source, vehicle: str | None = None) -> "Figure":
    """Path in the tunnel from the side and from above, offsets, attitude, surge and thrusts of one vehicle.

    Raises a LogError for a log that cannot be read, or without a vehicle with truth, outputs and four echosounders.
    """
    with open_log(source) as log:
        vehicle = _vehicle(log) if vehicle is None else vehicle
        traces = _traces(log, vehicle)
        gathered = read_curves(log, frozenset(traces.values()))
        tunnel = tunnel_of(log.header)
    if not gathered.rows:
        raise LogError("holds no values", log.path)
    found = {word: gathered.curves[trace] for word, trace in traces.items()}
    figure = new_figure(SIZE)
    figure.suptitle(
        f"{vehicle} in a tunnel, after Gava et al. 2022; seed {log.header.seed}, remora {log.header.version}"
    )
    views, rest = _halves(figure)
    _draw_views(views, found["position"], tunnel)
    for axes, draw in zip(
        rest.subplots(2, 2).flat, (_draw_offsets, _draw_angles, _draw_surge, _draw_thrusts), strict=True
    ):
        draw(axes, found)
        axes.set_xlabel("time [s]")
    return figure


def is_tunnel_mission(source: Source) -> bool:
    """Whether a log has a vehicle with truth, outputs and four echosounders."""
    with open_log(source) as log:
        vehicle = _echosounding(log)
        needed = (_TRUTH, _OUTPUTS, *(f"echo_{side}" for side in SIDES))
        return vehicle is not None and all(f"{vehicle}/{name}" in log.channels for name in needed)


def _halves(figure: "Figure") -> tuple[Any, Any]:
    rows: Any = figure.subfigures(2, 1, height_ratios=(1.0, 1.4))
    return rows[0], rows[1]


def _vehicle(log: OpenLog) -> str:
    vehicle = _echosounding(log)
    if vehicle is None:
        raise LogError(f'is no log of a tunnel mission: no channel is called "VEHICLE{_STARBOARD}"', log.path)
    return vehicle


def _echosounding(log: OpenLog) -> str | None:
    """The first vehicle with an echosounder to starboard."""
    return next((name.removesuffix(_STARBOARD) for name in log.channels if name.endswith(_STARBOARD)), None)


def _traces(log: OpenLog, vehicle: str) -> dict[str, Trace]:
    """Traces of the figure, by name."""
    truth = _channel(log, f"{vehicle}/{_TRUTH}")
    known = motion(truth)
    traces = {"position": Trace(truth.name, ("p_NB_x", "p_NB_y", "p_NB_z")), "surge": known["surge"]}
    traces |= {word: known[word] for word in ANGLES}
    for side in SIDES:
        traces[side] = Trace(_channel(log, f"{vehicle}/echo_{side}").name, ("distance",))
    outputs = _channel(log, f"{vehicle}/{_OUTPUTS}")
    traces |= {f"output {field.name}": plain(outputs, field) for field in outputs.fields}
    reference = log.channels.get(f"{vehicle}/{_REFERENCE}")
    return traces | (_asked(reference) if reference else {})


def _channel(log: OpenLog, name: str) -> Channel:
    if name not in log.channels:
        raise LogError(f'is no log of a tunnel mission: it has no channel "{name}"', log.path)
    return log.channels[name]


def _asked(reference: Channel) -> dict[str, Trace]:
    present = [name for name in (*_ASKED_OFFSETS, "surge") if name in reference.names]
    return {f"asked {name}": Trace(reference.name, (name,)) for name in present}


def _draw_views(part: Any, position: Curve, tunnel: Tunnel | None) -> None:
    """The path along the tunnel: height from the side, then across from above."""
    placed = tunnel or Tunnel(Rectangle(1.0, 1.0))  # for its axes only, which are then the axes of N
    path = np.array([placed.in_tunnel_axes(point) for point in position.values.tolist()])
    side, top = part.subplots(2, 1, sharex=True)
    for axes, column, label, size in (
        (side, 2, "from the side:\nbelow the middle [m]", placed.section.size[1]),
        (top, 1, "from above:\nright of the middle [m]", placed.section.size[0]),
    ):
        axes.axhline(0.0, **ASKED)
        if tunnel is not None:
            _draw_walls(axes, 0.5 * size, tunnel.length, path)
        axes.plot(path[:, 0], path[:, column], color=BLUE, label="path")
        axes.plot(path[0, 0], path[0, column], "o", color=GREEN, label="start")
        axes.plot(path[-1, 0], path[-1, column], "s", color=RED, label="end")
        axes.set_ylabel(label)
        axes.invert_yaxis()  # down, and right of the way ahead, are below
        axes.grid(alpha=0.3)
    side.legend(fontsize=8, loc="best", ncols=4)
    top.set_xlabel("along the tunnel [m]")


def _draw_walls(axes: "Axes", half: float, length: float, path: Array) -> None:
    """Both walls, along the path."""
    known = path[np.isfinite(path).all(axis=1), 0]
    first, last = max(0.0, known.min() - 2.0), min(length, known.max() + 2.0)
    for wall, label in ((half, "walls"), (-half, "_")):
        axes.plot([first, last], [wall, wall], color="0.4", linewidth=2.0, label=label)


def _draw_offsets(axes: "Axes", found: Mapping[str, Curve]) -> None:
    starboard, port, up, down = (found[side] for side in SIDES)
    times = starboard.times
    offsets = np.column_stack([_at(port, times) - _at(starboard, times), _at(up, times) - _at(down, times)])
    asked = [found.get(f"asked {name}") for name in _ASKED_OFFSETS]
    nothing = np.full(len(times), math.nan)
    wanted = np.column_stack([nothing if curve is None else _at(curve, times) for curve in asked])
    draw_offsets(axes, times, offsets, wanted)
    finish(axes, "difference of echosounders [m]")


def _draw_angles(axes: "Axes", found: Mapping[str, Curve]) -> None:
    for word, colour in zip(ANGLES, ALL_COLOURS, strict=False):
        curve, _ = beside(found[word], None)
        axes.plot(curve.times, curve.values[:, 0], color=colour, label=word)
    finish(axes, "attitude [deg]")


def _draw_surge(axes: "Axes", found: Mapping[str, Curve]) -> None:
    if "asked surge" in found:
        axes.plot(found["asked surge"].times, found["asked surge"].values[:, 0], **ASKED, label="asked")
    axes.plot(found["surge"].times, found["surge"].values[:, 0], color=BLUE, label="surge")
    finish(axes, "surge [m/s]")


def _draw_thrusts(axes: "Axes", found: Mapping[str, Curve]) -> None:
    outputs = [word for word in found if word.startswith("output ")]
    for number, (word, colour) in enumerate(zip(outputs, cycle(ALL_COLOURS), strict=False)):
        dashes = ("-", "--")[number % 2]  # thrusters that work in pairs lie on top of each other
        values, label = found[word].values[:, 0], word.removeprefix("output ")
        axes.plot(found[word].times, values, dashes, color=colour, linewidth=1.0, label=label)
    finish(axes, "outputs of the thrusters [N]")
    axes.margins(y=0.4)  # the legend has several lines


def _at(curve: Curve, times: Array) -> Array:
    """A curve at other times; NaN outside its range and in its gaps."""
    if not len(curve.times):
        return np.full(len(times), math.nan)
    return np.asarray(np.interp(times, curve.times, curve.values[:, 0], left=math.nan, right=math.nan))


def draw_offsets(axes: "Axes", times: Array, offsets: Array, asked: Array) -> None:
    """The differences of opposite echosounders, lateral and vertical, and what was asked of them."""
    for column, label in zip(asked.T, ("asked", "_"), strict=True):
        axes.plot(times, column, **ASKED, label=label)
    for column, label, colour in zip(offsets.T, OFFSETS, COLOURS, strict=False):
        axes.plot(times, column, color=colour, linewidth=1, label=label)


def run_picture(source: Source) -> "Figure":
    """The picture of a tunnel mission for a log of a vehicle with four echosounders in a tunnel, else the overview."""
    check_pictures()
    return mission_figure(source) if is_tunnel_mission(source) else log_figure(source).figure
