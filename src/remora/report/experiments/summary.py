"""A planned experiment as tables and sentences."""

import math
from typing import TextIO

from rich.table import Table
from rich.text import Text

from remora.experiments.planner import ExperimentPlan, sentences
from remora.report.text_console import text_console


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
