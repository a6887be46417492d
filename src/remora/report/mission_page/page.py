"""The mission page of one or two logs: content, first plots, legend and notes in the template of the page."""

import html
import os
import re
import sys
import webbrowser
from collections.abc import Sequence
from importlib.resources import files
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

import remora
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.files.writing import write_together
from remora.logs import read_log
from remora.logs.log import Log, Series
from remora.report.mission_page.encoding import (
    INTERVAL,
    POSE_RATE,
    EncodedTable,
    encoded_table,
    exact_rows,
    extremes,
    interval_of,
    is_dense,
    packed_content,
    pair_times,
)
from remora.report.mission_page.scene_content import scene_content
from remora.report.mission_page.vehicle_content import link_contents, vehicle_contents

_SCENE_CHANNELS = ("truth", "estimate", "reference", "outputs", "water")  # of a vehicle, drawn in the scene
_LEGEND = {
    "estimate": ("#ffa94d", "estimate, 3 sigma"),
    "reference": ("#66ff99", "reference"),
    "outputs": ("#7fe8ff", "thrust"),
    "rays": ("#ff5fa2", "ranging sensors"),
    "tethers": ("#ffd43b", "tether"),
    "water": ("#9be7ff", "current"),
    "other": ("#b197fc", "second run"),
}
_MOST_CURVES, _MOST_PLOTS = 8, 6
_NED = ("north", "east", "down")


def write_page(
    sources: Sequence[Log | str | PathLike[str]], path: str | PathLike[str], names: Sequence[str] = ()
) -> Path:
    """Write the page of one or two logs as one HTML file.

    Parameters
    ----------
    sources
        The run, and a second one that is drawn beside it for comparison.
    path
        File to write.
    names
        Names of the runs; the file names unless given.

    Raises
    ------
    LogError
        When a log cannot be read.
    InputError
        When nothing in it can be shown.
    """
    file = Path(path)
    write_together({file: mission_page(sources, names).encode()})
    return file


def mission_page(sources: Sequence[Log | str | PathLike[str]], names: Sequence[str] = ()) -> str:
    """The page as text; see `write_page`."""
    if not 1 <= len(sources) <= 2:
        raise InputError(f"a page shows one or two logs, not {len(sources)}").about("logs", len(sources))
    logs = [source if isinstance(source, Log) else read_log(source) for source in sources]
    if not any(len(series) for series in logs[0].series.values()):
        raise InputError("the log holds no values, so there is nothing to show").about("log")
    names = names or ["log" if isinstance(source, Log) else Path(fspath(source)).stem for source in sources]
    return _filled_template(logs, names)


def live_page(log: Log, duration: float, places: Array) -> str:
    """The page of a run that begins: a log without rows, the duration in s, and places around which it will be, m."""
    return _filled_template([log], [log.header.notes.get("name", "run")], duration, places)


def _filled_template(
    logs: Sequence[Log], names: Sequence[str], live: float | None = None, places: Array | None = None
) -> str:
    """The page; `live` is the duration of a run whose rows follow by server-sent events."""
    first = logs[0]
    vehicles = [vehicle_contents(log, live is not None) for log in logs]
    tables: list[bytes] = []
    runs = [_run(log, name, own, tables) for log, name, own in zip(logs, names, vehicles, strict=True)]
    paths = [log[f"{one['channel']}/truth"] for log, own in zip(logs, vehicles, strict=True) for one in own]
    scene, remarks = scene_content(first.header, _positions(paths) if places is None else places)
    content = {
        "live": live is not None,
        "duration": max([live or 0.0, *(one.time[-1] for log in logs for one in log.series.values() if len(one))]),
        "scale": max([1.0, *(one["scale"] for one in vehicles[0])]),
        "scene": scene,
        "links": link_contents(first),
        "runs": runs,
        "plots": default_plots(first, vehicles[0]),
        "figures": [] if live is not None else _figures(first),
    }
    notes = first.header.notes
    title = notes.get("title") or notes.get("name") or names[0]
    subtitle = f"seed {first.header.seed}, remora {first.header.version}" if first.header.scenario_hash else names[0]
    damage = [f"{name}: {text}" for log, name in zip(logs, names, strict=True) for text in log.problems]
    remarks = (*_thinned(first), *damage, *remarks)
    assets = files("remora.report.mission_page") / "assets"
    texts = {name: (assets / f"page.{name}").read_text(encoding="utf-8") for name in ("html", "css", "js")}
    filled = {
        "VERSION": remora.__version__,
        "TITLE": html.escape(title),
        "SUBTITLE": html.escape(subtitle),
        "LEGEND": _legend(first, vehicles[0], len(logs) > 1),
        "NOTES": html.escape("\n".join(remarks)),
        "STYLE": texts["css"],
        "SCRIPT": texts["js"].replace("</script", "<\\/script"),
        "DATA": packed_content(content, tables),
    }
    return re.sub("@([A-Z]+)@", lambda found: filled[found[1]], texts["html"])


def _run(log: Log, label: str, vehicles: Sequence[dict[str, Any]], tables: list[bytes]) -> dict[str, Any]:
    """Description of a run; the bytes of its channels are added to `tables`."""
    drawn = {f"{one['channel']}/{name}" for one in vehicles for name in _SCENE_CHANNELS}
    drawn |= {part["channel"] for one in vehicles for part in (*one["tethers"], *one["rays"])}
    channels = []
    for name, series in log.series.items():
        described: dict[str, Any] = {
            "name": name,
            "fields": [{"name": field.name, "unit": field.unit} for field in series.channel.fields],
        }
        for key, table in _tables(series, name in drawn).items():
            described[key] = table.description
            tables.append(table.data)
        channels.append(described)
    events = [
        {"time": event.time_ns * 1e-9, "source": event.source, "level": event.level, "text": event.text}
        for event in log.events
    ]
    return {"label": label, "channels": channels, "events": events, "vehicles": list(vehicles)}


def _tables(series: Series, is_drawn: bool) -> dict[str, EncodedTable]:
    """Samples for the scene and for plots of slow channels; extremes for plots of fast ones."""
    times = series.time
    order = np.argsort(times, kind="stable")
    times = times[order]
    columns = {name: np.asarray(values, dtype=float)[order] for name, values in series.columns.items()}
    found = {}
    is_fast = is_dense(times)
    if is_drawn or not is_fast:
        rows = exact_rows(times) if is_drawn else np.arange(len(times))
        found["samples"] = encoded_table(times[rows], {n: v[rows] for n, v in columns.items()}, exact=is_drawn)
    if is_fast:
        pairs = {name: extremes(times, values) for name, values in columns.items()}
        found["extremes"] = encoded_table(pair_times(times), pairs, exact=False)
    return found


def _positions(paths: Sequence[Series]) -> Array:
    rows = [path.table("p_NB_x", "p_NB_y", "p_NB_z") for path in paths]
    return np.concatenate(rows) if rows else np.zeros((0, 3))


def _figures(log: Log) -> list[tuple[str, str]]:
    """Rows of the table of figures: the summary of the run."""
    from remora.report.simulations.summary import run_summary

    try:
        return [(label, text) for label, text in run_summary(log)]
    except (KeyError, ValueError) as error:  # a log of another program
        return [("summary", f"not available: {error}")]


def _thinned(log: Log) -> tuple[str, ...]:
    """How samples were thinned, where any were."""
    dense = [series for series in log.series.values() if is_dense(series.time)]
    if not dense:
        return ()
    longest = max(interval_of(series.time) for series in dense)
    pairs = f"{INTERVAL:g}" if longest == INTERVAL else f"{INTERVAL:g} to {longest:g}"
    return (
        f"Poses in the scene are samples at {POSE_RATE:g} Hz. Plots of fast channels show the smallest and largest "
        f"value of each {pairs} s, so that no peak is lost. Plotted values are rounded to 1/65534 of their span. "
        "The log holds all samples.",
    )


def _draws(log: Log, channel: str) -> bool:
    """Whether the scene shows a channel: a reference only with a position."""
    return channel in log and (not channel.endswith("/reference") or "p_NR_x" in log[channel].columns)


def _legend(log: Log, vehicles: Sequence[dict[str, Any]], has_second: bool) -> str:
    entries = ['<i style="background:linear-gradient(90deg,#1e88c7,#e03131)"></i>path, slow to fast']
    for name, (colour, text) in _LEGEND.items():
        of_channel = name in _SCENE_CHANNELS and any(_draws(log, f"{one['channel']}/{name}") for one in vehicles)
        of_vehicle = any(one.get(name) for one in vehicles) or (
            name == "water" and any(one["current"] for one in vehicles)
        )
        if of_channel or of_vehicle or (name == "other" and has_second):
            entries.append(f'<i style="background:{colour}"></i>{text}')
    return "<br>".join(entries) if vehicles else ""


def default_plots(log: Log, vehicles: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Titles and curves (channel, field, label) of the first plots; for other logs the first channels."""
    plots = []
    for vehicle in vehicles:
        channel = vehicle["channel"]
        of = f"{vehicle['name']}: " if len(vehicles) > 1 else ""
        depth = [("truth", "p_NB_z", "true"), ("estimate", "p_NB_z", "estimated")]
        depth += [("reference", name, "reference") for name in ("p_NR_z", "depth")]
        distance = [("reference", "measured_distance", "measured"), ("reference", "distance", "reference")]
        speed = [("truth", "v_NB_B_x", "surge"), ("truth", "v_NB_B_y", "sway"), ("truth", "v_NB_B_z", "heave")]
        thrust = [("outputs", one["field"], one["field"]) for one in vehicle["thrusters"]]
        groups = {
            "depth [m]": depth,
            "distance to what it follows [m]": distance,
            "velocity [m/s]": speed,
            "thrust [N]": thrust,
        }
        groups["water velocity [m/s]"] = [
            ("water", f"v_NW_{axis}", name) for axis, name in zip("xyz", _NED, strict=True)
        ]
        for title, curves in groups.items():
            known = [_curve(f"{channel}/{name}", field, label) for name, field, label in curves]
            plots.append({"title": of + title, "curves": [one for one in known if _in(log, one)][:_MOST_CURVES]})
    plots = [plot for plot in plots if plot["curves"]]
    return (plots or _first_channels(log))[:_MOST_PLOTS]


def _first_channels(log: Log) -> list[dict[str, Any]]:
    found = []
    for name, series in log.series.items():
        units = dict.fromkeys(field.unit for field in series.channel.fields)
        unit = next(iter(units))
        fields = [field.name for field in series.channel.fields if field.unit == unit][:_MOST_CURVES]
        found.append({"title": f"{name} [{unit}]", "curves": [_curve(name, field, field) for field in fields]})
    return found


def _curve(channel: str, field: str, label: str) -> dict[str, str]:
    return {"channel": channel, "field": field, "label": label}


def _in(log: Log, curve: dict[str, str]) -> bool:
    return curve["channel"] in log and curve["field"] in log[curve["channel"]].columns


def open_in_browser(address: str) -> bool:
    """Open an address; False where there is no screen or no browser."""
    has_screen = sys.platform in ("darwin", "win32") or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    return has_screen and webbrowser.open(address)
