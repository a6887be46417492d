"""Pictures of fits: motion against models before and after, with its band of uncertainty, and thrust laws."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from remora.files.arrays import Array
from remora.identification.bench.powered_thruster import PoweredThruster, VoltageTable, powered_speed, powered_thrust
from remora.identification.bench.result import BenchFit
from remora.identification.bench.voltage_tables import HeldOutTable
from remora.identification.validation import RecordValidation
from remora.report.drawing import ALL_COLOURS, BLUE, RED, new_figure
from remora.report.fits.summary import UNITS
from remora.vehicles.names import DEGREES_OF_FREEDOM

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CLOSE_UP = 60.0  # s
WIDTH, ROW = 13.0, 2.1  # inches
SIZE = (10.0, 8.5)
EVERY = 4  # points of a table that are drawn


def fit_figure(judged: RecordValidation, axes: Sequence[str], title: str) -> "Figure":
    """A row per degree of freedom: the whole record, and a close-up of its longest piece."""
    figure = new_figure((WIDTH, ROW * len(axes) + 1.0))
    figure.suptitle(title, fontsize=12)
    grid = figure.subplots(len(axes), 2, squeeze=False, sharex="col", width_ratios=(3.0, 2.0))
    first, last = _close_up(judged)
    for axis, (whole, close) in zip(axes, grid, strict=True):
        for place in (whole, close):
            _draw(place, judged, axis)
            place.grid(alpha=0.3)
        whole.set_ylabel(f"{axis} [{UNITS[axis]}]")
        whole.set_xlim(0.0, judged.recorded.time[-1])
        close.set_xlim(first, last)
    grid[0][0].legend(fontsize=8, loc="upper right", ncols=4)
    for place in grid[-1]:
        place.set_xlabel("time [s]")
    return figure


def _close_up(judged: RecordValidation) -> tuple[float, float]:
    """From the start of the longest piece, a minute of it at most."""
    time = _seconds(judged)
    longest = max(judged.uniform.segments, key=lambda s: time[s.stop - 1] - time[s.start])
    return float(time[longest.start]), float(min(time[longest.start] + CLOSE_UP, time[longest.stop - 1]))


def _seconds(judged: RecordValidation) -> Array:
    """Times of the uniform record on the clock of the recorded one."""
    return np.asarray((judged.uniform.time_ns - judged.recorded.time_ns[0]) * 1e-9)


def _draw(place: "Axes", judged: RecordValidation, axis: str) -> None:
    i = DEGREES_OF_FREEDOM.index(axis)
    recorded, alone = judged.recorded, judged.after is None
    place.plot(recorded.time, recorded.speed(axis), ".", color="0.55", markersize=2.5, label="measured")
    time, cuts = _seconds(judged), [s.start for s in judged.uniform.segments[1:]]

    def with_gaps(values: Array) -> Array:
        return np.insert(values, cuts, np.nan)  # lines and bands end where the record does

    times = with_gaps(time)
    style: dict[str, Any] = {"color": RED} if alone else {"color": BLUE, "linestyle": "--"}
    name = "model" if alone else "model before"
    place.plot(times, with_gaps(judged.before.twist[:, i]), linewidth=0.9, label=name, **style)
    if judged.band is not None:
        low, high = with_gaps(judged.band.low[:, i]), with_gaps(judged.band.high[:, i])
        place.fill_between(times, low, high, color=RED, alpha=0.25, linewidth=0.0, label="95 % of models")
    if judged.after is not None:
        place.plot(times, with_gaps(judged.after.twist[:, i]), color=RED, linewidth=1.0, label="model after")


def thruster_figure(
    tables: Sequence[VoltageTable], fit: BenchFit[PoweredThruster], held: Sequence[HeldOutTable], title: str
) -> "Figure":
    """Thrust and shaft speed over pulse width, and leave-one-out errors by voltage; one bench table per voltage."""
    figure = new_figure(SIZE)
    figure.suptitle(title, fontsize=13)
    thrust, speed, errors = figure.subplots(3, 1, height_ratios=(3.0, 2.0, 1.4))
    for table, colour in zip(tables, ALL_COLOURS, strict=False):
        volts = np.full(len(table.pulses), table.voltage)
        some = slice(None, None, EVERY)
        for axes, measured, law in (
            (thrust, table.forces, powered_thrust(fit.law, table.pulses, volts)),
            (speed, table.speeds, powered_speed(fit.law, table.pulses, volts)),
        ):
            axes.plot(table.pulses[some], measured[some], ".", color=colour, markersize=4)
            axes.plot(table.pulses, law, color=colour, label=f"{table.voltage:g} V")
    _finish(thrust, "thrust [N]")
    _finish(speed, "shaft speed [rad/s]")
    speed.set_xlabel("pulse width [us]; points: tables, curves: one law fitted to all of them")
    _draw_errors(errors, held)
    return figure


def _finish(axes: "Axes", label: str) -> None:
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="upper left")
    axes.margins(x=0.01)


def _draw_errors(axes: "Axes", held: Sequence[HeldOutTable]) -> None:
    """Leave-one-out errors of each voltage, as fractions of its full-scale thrust."""
    for place, one in enumerate(held):
        colour = ALL_COLOURS[place % len(ALL_COLOURS)]
        axes.bar(place, 100.0 * one.share, color=colour, alpha=0.45 if one.outside else 1.0)
        axes.plot(place, 100.0 * one.largest / one.full_scale, "_", color=colour, markersize=24)
    labels = [f"{one.voltage:g} V{', beyond the others' if one.outside else ''}" for one in held]
    axes.set_xticks(range(len(held)), labels)
    axes.set_ylabel("error, left out\n[% of full scale]")
    axes.set_xlabel("each voltage predicted from the others; bar: root mean square, line: largest")
    axes.grid(alpha=0.3, axis="y")
