"""One picture of a dive-and-turn run: track, depth, heading, attitude, speeds and thrusters."""

from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import remora
from remora.report.drawing import ALL_COLOURS, ASKED, BLUE, GREEN, ORANGE, RED, write_picture
from remora.simulation.dive_and_turn import AHEAD_AT, STOP_AT, TURN_AT, DiveRun

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (12.0, 9.0)
ASKED_STYLE = {**ASKED, "label": "asked"}
LEAST_ROWS_BETWEEN_MARKS = 50  # 5 s
PHASES = {"dive": 0.0, "ahead": AHEAD_AT, "turn": TURN_AT, "stop": STOP_AT}


def write_figure(run: DiveRun, path: Path) -> None:
    """Write the picture of a run as PNG."""
    write_picture(dive_figure(run), path, _title(run))


def dive_figure(run: DiveRun) -> "Figure":
    """The picture as a matplotlib figure that belongs to no window and changes no backend."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained")
    figure.suptitle(_title(run), fontsize=13)
    columns: Any = figure.subfigures(1, 2, width_ratios=(1.0, 1.15))
    left, right = columns
    for axes, draw in zip(left.subplots(2, 1), (_draw_track, _draw_thrusters), strict=True):
        draw(axes, run)
    drawings = (_draw_depth, _draw_heading, _draw_tilt, _draw_speeds)
    over_time = right.subplots(4, 1, sharex=True)
    for axes, draw in zip(over_time, drawings, strict=True):
        draw(axes, run)
    over_time[-1].set_xlabel("time [s]")
    return figure


def _title(run: DiveRun) -> str:
    vehicle = run.plant.vehicle
    stopped = ", stopped early" if run.stopped else ""
    return f"{vehicle.name}: {vehicle.title}\ndive and turn{stopped}, seed {run.seed}, remora {remora.__version__}"


def _draw_track(axes: "Axes", run: DiveRun) -> None:
    """Seen from above, north up, with arrows that show the heading."""
    north, east, heading = (run.recording.column(name) for name in ("north", "east", "heading"))
    axes.plot(east, north, color=BLUE)
    every = max(LEAST_ROWS_BETWEEN_MARKS, len(north) // 24)
    some = slice(None, None, every)
    axes.quiver(
        east[some], north[some], np.sin(heading[some]), np.cos(heading[some]),
        color=ORANGE, scale=20.0, width=0.006, headwidth=3.5, zorder=3, label=f"heading, every {every / 10:.0f} s",
    )  # fmt: skip
    axes.plot(east[0], north[0], "o", color=GREEN, label="start")
    axes.plot(east[-1], north[-1], "s", color=RED, label="end")
    water = run.start.water
    strength, towards = np.hypot(water[0], water[1]), np.degrees(np.arctan2(water[1], water[0])) % 360.0
    axes.set_title(f"track from above; current {strength:.3f} m/s towards {towards:.0f} deg", fontsize=10)
    axes.set_xlabel("east [m]")
    axes.set_ylabel("north [m]")
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.12)
    axes.legend(fontsize=8, loc="lower right")  # the track goes up and then right
    axes.grid(alpha=0.3)


def _draw_depth(axes: "Axes", run: DiveRun) -> None:
    time, recording = run.recording.column("time"), run.recording
    axes.plot(time, recording.column("asked_depth"), **ASKED_STYLE)
    axes.plot(time, recording.column("down"), color=BLUE, label="depth")
    low, high = axes.get_ylim()
    axes.set_ylim(high, min(low, 0.0))  # deeper is lower
    for word, start in PHASES.items():
        if start <= time[-1]:
            axes.text(start, 1.02, f" {word}", transform=axes.get_xaxis_transform(), fontsize=8, color="0.35")
    _finish(axes, run, "depth [m]")


def _draw_heading(axes: "Axes", run: DiveRun) -> None:
    time, recording = run.recording.column("time"), run.recording
    axes.plot(time, np.degrees(recording.column("asked_heading")), **ASKED_STYLE)
    axes.plot(time, np.degrees(np.unwrap(recording.column("heading"))), color=BLUE, label="heading")
    _finish(axes, run, "heading [deg]")


def _draw_tilt(axes: "Axes", run: DiveRun) -> None:
    for name, colour in (("roll", BLUE), ("pitch", RED)):
        axes.plot(run.recording.column("time"), np.degrees(run.recording.column(name)), color=colour, label=name)
    _finish(axes, run, "attitude [deg]")


def _draw_speeds(axes: "Axes", run: DiveRun) -> None:
    time, recording = run.recording.column("time"), run.recording
    axes.plot(time, recording.column("asked_speed"), **{**ASKED_STYLE, "label": "asked surge"})
    for name, label, colour in (("u", "surge", BLUE), ("v", "sway", GREEN), ("w", "heave", RED)):
        axes.plot(time, recording.column(name), color=colour, label=label)
    low, high = axes.get_ylim()
    axes.set_ylim(low - 0.3 * (high - low), high)  # room for the legend
    _finish(axes, run, "speed over\nground [m/s]", legend=False)
    axes.legend(fontsize=8, loc="lower left", ncols=4)


def _draw_thrusters(axes: "Axes", run: DiveRun) -> None:
    recording = run.recording
    colours = cycle(ALL_COLOURS)
    names = run.plant.vehicle.parameters.thruster_names
    for i, (name, colour) in enumerate(zip(names, colours, strict=False)):
        style = ("-", "--")[i % 2]  # thrusters that work in pairs lie on top of each other
        axes.plot(
            recording.column("time"), recording.column(f"output_{name}"), style, color=colour, linewidth=1, label=name
        )
    unit = recording.units[recording.names.index(f"output_{names[0]}")]
    what = "force" if unit == "N" else "shaft speed"
    _finish(axes, run, f"{what} of each thruster [{unit}]", legend=False)
    axes.set_xlabel("time [s]")
    columns = max(1, min(len(names), 64 // (max(map(len, names)) + 6)))
    axes.legend(fontsize=8, ncols=columns, loc="upper center", bbox_to_anchor=(0.5, -0.13), frameon=False)


def _finish(axes: "Axes", run: DiveRun, label: str, legend: bool = True) -> None:
    """What all curves over time share: label, grid, the phases, a legend."""
    end = run.recording.column("time")[-1]
    axes.set_ylabel(label)
    axes.set_xlim(0.0, max(end, 0.1))
    axes.grid(alpha=0.3)
    for start in PHASES.values():
        if 0.0 < start <= end:
            axes.axvline(start, color="0.6", linewidth=0.8, linestyle=":")
    if legend:
        axes.legend(fontsize=8, loc="best", ncols=2)
