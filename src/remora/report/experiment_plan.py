"""A planned experiment as tables and sentences, and as a picture of its motion and of what will be known by it."""

import math
from typing import TYPE_CHECKING, TextIO

import numpy as np
from rich.table import Table
from rich.text import Text

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.experiments.planner import ExperimentPlan, sentences
from remora.report.drawing import ASKED, COLOURS, GREEN, RED, curves, finish, new_figure
from remora.report.terminal import text_console
from remora.vehicles.names import FOUR_AXES

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (10.0, 9.5)


def print_plan(plan: ExperimentPlan, file: TextIO | None = None, width: int | None = None) -> None:
    """Excitations, predicted standard deviations and limits; stream and width as for `text_console`."""
    console = text_console(file, width)
    console.print(_excitations(plan))
    console.print(_deviations(plan))
    for sentence in sentences(plan):
        console.print(sentence, soft_wrap=True)


def _excitations(plan: ExperimentPlan) -> Table:
    table = Table("axis", "excitation", "excursion", "speed", "for", title=f"{plan.duration:g} s in all")
    for excitation, time in zip(plan.excitations, plan.times, strict=True):
        unit = "rad" if excitation.axis == "yaw" else "m"
        lines = [
            f"{a:.3g} {unit} in {2.0 * math.pi / w:.3g} s"
            for a, w in zip(excitation.amplitudes, excitation.frequencies, strict=True)
        ]
        reach, speed = excitation.peaks
        table.add_row(excitation.axis, " + ".join(lines), f"{reach:.3g} {unit}", f"{speed:.3g} {unit}/s", f"{time:g} s")
    return table


def _deviations(plan: ExperimentPlan) -> Table:
    table = Table("parameter", "in the file", "predicted sigma", "required", "", title="one standard deviation")
    for one in plan.predicted:
        share = f" ({100.0 * one.sigma / abs(one.value):.2g} %)" if one.value else ""
        verdict = Text("met", "green") if one.met else Text("missed", "bold red")
        table.add_row(
            one.name, f"{one.value:.4g} {one.unit}", f"{one.sigma:.3g}{share}", f"{one.required:.3g}", verdict
        )
    return table


def design_figure(plan: ExperimentPlan) -> "Figure":
    """Excursions within the workspace, speeds, and predicted over required standard deviations."""
    figure = new_figure(SIZE)
    figure.suptitle(
        f"{plan.requirements.vehicle.name}: {plan.duration:g} s for {len(plan.predicted)} parameters", fontsize=13
    )
    places, speeds, known = figure.subplots(3, 1, height_ratios=(3.0, 2.5, 0.35 * len(plan.predicted) + 0.6))
    truth = plan.run.truth
    assert truth.position is not None
    assert truth.quaternion is not None
    headings = [to_euler_zyx((a, b, c, d))[2] for a, b, c, d in truth.quaternion.tolist()]
    moved = np.column_stack([truth.position - (0.0, 0.0, plan.requirements.middle), np.unwrap(headings)])
    curves(places, truth.time, moved, ("ahead, m", "right, m", "down, m", "turned, rad"))
    for axis, colour in zip(FOUR_AXES, COLOURS, strict=True):
        if axis in plan.requirements.axes and axis != "yaw":
            half = 0.5 * plan.requirements.workspace[FOUR_AXES.index(axis)]
            for side in (-half, half):
                places.axhline(side, **{**ASKED, "color": colour, "alpha": 0.5})
    finish(places, "from the centre; dashed: workspace")
    curves(speeds, truth.time, truth.twist[:, [0, 1, 2, 5]], ("surge, m/s", "sway, m/s", "heave, m/s", "yaw, rad/s"))
    finish(speeds, "speed", last=True)
    _draw_known(known, plan)
    return figure


def _draw_known(axes: "Axes", plan: ExperimentPlan) -> None:
    """A bar for each parameter: predicted over required standard deviation."""
    ratios = [min(one.sigma / one.required, 1e3) for one in plan.predicted]
    places = np.arange(len(ratios))[::-1]
    axes.barh(places, ratios, color=[GREEN if one.met else RED for one in plan.predicted])
    axes.set_yticks(places, [one.name for one in plan.predicted], fontsize=8)
    axes.axvline(1.0, **ASKED)
    axes.set_xlim(0.0, max(1.2, 1.1 * max(ratios)))
    axes.set_xlabel("predicted over required standard deviation")
    axes.grid(axis="x", alpha=0.3)
