"""Thrust law over pulse width and voltage: fit, tables and leave-one-out errors."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from remora.identification.bench.result import BenchFit
from remora.identification.bench.thrusters.powered_thruster import (
    PoweredThruster,
    VoltageTable,
    powered_speed,
    powered_thrust,
)
from remora.identification.bench.thrusters.voltage_tables import HeldOutTable
from remora.report.drawing import ALL_COLOURS, new_figure

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (10.0, 8.5)
EVERY = 4  # points of a table that are drawn


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
