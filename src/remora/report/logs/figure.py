"""Picture of a log: paths, motion, actuators, sensors and events."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remora.files.did_you_mean import suggestion
from remora.files.problems import Advice, Fix
from remora.logs import Channel, LogError, RunHeader
from remora.logs.schema import channel_name
from remora.report.drawing import new_figure
from remora.report.logs.axes import (
    LEVEL_COLOURS,
    SMALL,
    draw_bed,
    draw_legend,
    draw_panel,
    draw_plan,
    draw_roles,
    draw_zones,
    mark_events,
    name_paths,
)
from remora.report.logs.curve_reader import WHOLE, CurveData, PlotWindow, read_curves
from remora.report.logs.panels import Panel, PlotLine, channel_panels, is_fleet, overview, vehicles_of
from remora.report.logs.recorded_scene import KeepOutCircle, keep_out_circles, scene_of
from remora.report.logs.source import OpenLog, Source, open_log
from remora.report.simulations.event_tally import TallyEntry
from remora.world.scene import Scene

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PARTS = 7  # panels of actuators and sensors beside the motion
MOST_PANELS = 18  # panels of channels one after the other
IN_A_COLUMN = 6
MOST_EVENTS = 8


class Picture(NamedTuple):
    """A figure, with the damage of the log and what was left out."""

    figure: "Figure"
    problems: tuple[str, ...]  # damage of the log
    remarks: tuple[str, ...]  # what is not in the picture
    span: tuple[float, float] | None = None  # s, of all that was read


class _Columns(NamedTuple):
    """Columns of panels in a picture."""

    paths: tuple[PlotLine, ...]
    panels: tuple[tuple[Panel, ...], ...]  # the first below the paths, if there are any
    are_named: bool = False  # paths carry the names of their vehicles, without a legend
    zones: tuple[KeepOutCircle, ...] = ()  # drawn with the paths


def log_figure(source: Source, vehicle: str | None = None, window: PlotWindow = WHOLE) -> Picture:
    """The overview of a log: of all its vehicles, or of one.

    Raises a LogError when the log cannot be read, has no values in the window, or no such vehicle.
    """
    with open_log(source) as log:
        vehicles = _chosen(log, vehicle)
        hidden = _tether_nodes(log.header)
        channels = {
            name: one for name, one in log.channels.items()
            if name not in hidden and (vehicle is None or name.startswith(f"{vehicle}/"))
        }  # fmt: skip
        plan = overview(channels, vehicles)
        silent = set(vehicles_of(log.channels.values())) - set(vehicles)
        data = read_curves(log, plan.traces(), window, silent)
        _require_rows(data, channels, window, log.path)
        scene, remarks = scene_of(log.header)
        paths = tuple(line for line in plan.paths if not data.curves[line.trace].empty)
        motion, parts = _with_values(plan.motion, data), _with_values(plan.parts, data)
        kept = parts[: MOST_PARTS if paths or motion else MOST_PANELS]
        if is_fleet(plan.vehicles):
            fix = Fix("{vehicle} shows all of one", {"vehicle": "NAME"})
            remarks += (Advice("only the motion of these vehicles is drawn;", fix),)
        remarks += _left_out([*vehicles[len(plan.vehicles) :], *(panel.title for panel in parts[len(kept) :])])
        title = _title(log, plan.vehicles, data)
        zones = keep_out_circles(log.header, plan.vehicles)
    columns = _arranged(paths, motion, kept)._replace(are_named=is_fleet(plan.vehicles), zones=zones)
    return Picture(_figure(columns, data, scene, title), data.problems, remarks, data.span)


def channels_figure(source: Source, channels: Sequence[str], window: PlotWindow = WHOLE) -> Picture:
    """Selected channels of a log, each in its own panels; fields of the same unit share axes.

    Raises a LogError when the log cannot be read, has no values in the window, or no such channel.
    """
    with open_log(source) as log:
        selected = {}
        for each in channels:
            if each not in log.channels:
                raise LogError(f'there is no channel "{each}". {suggestion(each, log.channels)}', log.path)
            selected[each] = log.channels[each]
        panels = tuple(panel for channel in selected.values() for panel in channel_panels(channel))
        kept = panels[:MOST_PANELS]
        data = read_curves(log, frozenset(line.trace for panel in kept for line in panel.lines), window)
        _require_rows(data, selected, window, log.path)
        title = _title(log, (), data)
    remarks = _left_out(f"{panel.title} {panel.label}" for panel in panels[MOST_PANELS:])
    figure = _figure(_arranged((), (), kept), data, Scene(), title)
    return Picture(figure, data.problems, remarks, data.span)


def _tether_nodes(header: RunHeader) -> set[str]:
    """Channels of tether nodes, which the overview leaves out: too many curves."""
    return {channel_name(name, f"{tether}_nodes") for name, one in header.vehicles.items() for tether in one["tethers"]}


def _chosen(log: OpenLog, vehicle: str | None) -> tuple[str, ...]:
    known = vehicles_of(log.channels.values())
    if vehicle is None:
        return known
    if vehicle not in known:
        raise LogError(f'there is no vehicle "{vehicle}". {suggestion(vehicle, known)}', log.path)
    return (vehicle,)


def _require_rows(data: CurveData, channels: Mapping[str, Channel], window: PlotWindow, path: str) -> None:
    """LogError when there is nothing to draw."""
    if any(data.counts[channel].rows for channel in channels):
        return
    damage = "".join(f"; {text}" for text in data.problems[:3])
    if data.span is None:
        raise LogError(f"holds no values{damage}", path)
    first, last = data.span
    raise LogError(f"has no values to draw{window.text()}; the log goes from {first:g} to {last:g} s{damage}", path)


def _with_values(panels: Iterable[Panel], data: CurveData) -> tuple[Panel, ...]:
    return tuple(p for p in panels if any(not data.curves[line.trace].empty for line in p.lines))


def _left_out(names: Iterable[str]) -> tuple[str, ...]:
    names = list(dict.fromkeys(names))
    if not names:
        return ()
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    fix = Fix("ask for channels with {channel}", {"channel": ""}, {"channel": "`channels_figure`"})
    return (Advice(f"not in the picture: {', '.join(names[:5])}{more};", fix),)


def _title(log: OpenLog, vehicles: Sequence[str], data: CurveData) -> str:
    first, last = data.span or (0.0, 0.0)
    header = log.header
    origin = f", seed {header.seed}, remora {header.version}" if header.version else ""  # a CSV file has neither
    damage = f"; damaged in {len(data.problems)} places" if data.problems else ""
    names = f"{len(vehicles)} vehicles, {vehicles[0]} to {vehicles[-1]}" if is_fleet(vehicles) else ", ".join(vehicles)
    who = f"{Path(log.path).name}  {names}".strip()
    return f"{who}\n{first:.6g} to {last:.6g} s{origin}{damage}".strip()


def _arranged(paths: tuple[PlotLine, ...], motion: tuple[Panel, ...], parts: tuple[Panel, ...]) -> _Columns:
    """Paths with depth below them, then motion, then parts; without motion, parts in even columns."""
    if not paths and not motion:
        count = -(-len(parts) // IN_A_COLUMN)
        height = -(-len(parts) // count) if count else 1
        return _Columns((), tuple(parts[i : i + height] for i in range(0, len(parts), height)))
    if not paths:
        return _Columns((), tuple(column for column in (motion, parts) if column))
    below = tuple(panel for panel in motion if panel.downwards)
    beside = tuple(panel for panel in motion if not panel.downwards)
    return _Columns(paths, (below, *(column for column in (beside, parts) if column)))


def _figure(columns: _Columns, data: CurveData, scene: Scene, title: str) -> "Figure":
    """The picture as a matplotlib figure, independent of the backend."""
    entries = data.tally.gravest(MOST_EVENTS)
    tallest = max(len(panels) for panels in columns.panels)
    height = max(4.0 if tallest < 3 else 9.0, 1.5 * tallest)
    band = 0.35 + 0.16 * len(entries) if entries else 0.05
    figure = new_figure((max(9.0, 5.6 * len(columns.panels)), height + band + 0.7))
    figure.suptitle(title, fontsize=12)
    rows: Any = figure.subfigures(2, 1, height_ratios=(height, band))
    upper, lower = rows
    over_time = _draw_columns(upper, columns, data, scene)
    _same_times([axes for column in over_time for axes in column], data)
    mark_events([a for column in over_time for a in column], entries, [column[0] for column in over_time if column])
    if entries:
        _list_events(lower, entries, data)
    return figure


def _draw_columns(upper: Any, columns: _Columns, data: CurveData, scene: Scene) -> "list[list[Axes]]":
    parts = upper.subfigures(1, len(columns.panels), squeeze=False)[0]
    over_time = []
    for number, (part, panels) in enumerate(zip(parts, columns.panels, strict=True)):
        with_plan = bool(columns.paths) and number == 0
        ratios = [2.4, *[1.0] * len(panels)] if with_plan else [1.0] * len(panels)
        axes = list(part.subplots(len(ratios), 1, height_ratios=ratios, squeeze=False)[:, 0])
        if with_plan:
            draw_zones(axes[0], columns.zones)
            draw_plan(axes[0], columns.paths, data, scene)
            if columns.are_named:
                name_paths(axes[0], columns.paths, data)
            else:
                draw_roles(axes[0], (panel for some in columns.panels for panel in some if not panel.legend))
            axes = axes[1:]
        for place, panel in enumerate(panels):
            draw_panel(axes[place], panel, data)
            if panel.downwards and scene.bed is not None and with_plan:
                draw_bed(axes[place], columns.paths, data, scene.bed)
            axes[place].tick_params(labelbottom=place == len(panels) - 1)
        if axes:
            axes[-1].set_xlabel("time [s]")
        if axes and not columns.paths and not panels[0].legend:
            draw_legend(axes[0], panels[0])
        over_time.append(axes)
    return over_time


def _same_times(all_axes: "list[Axes]", data: CurveData) -> None:
    """Let all axes go from the first to the last value drawn."""
    drawn = [curve.times for curve in data.curves.values() if curve.times.size]
    first, last = min(times[0] for times in drawn), max(times[-1] for times in drawn)
    for axes in all_axes:
        axes.set_xlim(first, last if last > first else first + 1.0)


def _list_events(part: Any, entries: Sequence[TallyEntry], data: CurveData) -> None:
    """The list of events below the panels."""
    counts = ", ".join(f"{count} {level}" for level, count in data.tally.counts.items() if count)
    part.text(0.01, 0.98, f"events: {counts}; the gravest, first time of each:", fontsize=SMALL, va="top")
    step = 1.0 / (len(entries) + 1.6)
    for number, entry in enumerate(entries, start=1):
        text = f"{number}  {entry.line()}"
        colour = LEVEL_COLOURS[entry.level]
        part.text(0.02, 0.98 - step * number, text[:180], fontsize=SMALL, va="top", color=colour)
