"""Robustness of the loop of a scenario as a table and sentences."""

import math
from typing import TextIO

import numpy as np
from rich.table import Table

from remora.control.tuning.loop_margins import margin_text
from remora.report.control.tuning_summary import uncontrolled_text
from remora.report.text_console import text_console
from remora.run.stability.scenario_margins import RobustnessReport
from remora.vehicles.names import DEGREES_OF_FREEDOM


def print_margins(report: RobustnessReport, file: TextIO | None = None, width: int | None = None) -> None:
    """Margins of every axis, and what the Monte Carlo found; stream and width as for `text_console`."""
    console = text_console(file, width)
    table = Table("axis", "crossover", "gain up", "gain down", "phase", "delay", "peak S")
    table.title = f"{report.vehicle} in {report.scenario}, nominal vehicle; peak of the sensitivity S"
    for axis, _, m in report.nominal.axes:
        table.add_row(
            axis,
            f"{m.crossover:.3g} rad/s",
            margin_text(m.gain),
            margin_text(m.gain_reduction),
            "any" if math.isinf(m.phase) else f"{math.degrees(m.phase):.3g} deg",
            "any" if math.isinf(m.delay) else f"{m.delay:.3g} s",
            f"{m.sensitivity:.3g}",
        )
    console.print(table)
    for sentence in sentences(report):
        console.print(sentence, soft_wrap=not console.is_terminal)


def sentences(report: RobustnessReport) -> list[str]:
    """Timing, verdict of the nominal loop, and of the drawn vehicles."""
    period, lag, late, turn, smoothing = report.timing
    lines = [
        f"period {period:.3g} s, thruster lag {lag:.3g} s, latency {late:.3g} s of position and velocity, "
        f"{late if turn is None else turn:.3g} s of attitude"
        + (f", commands smoothed over {1.0 / smoothing:.3g} s" if smoothing > 0.0 else "")
    ]
    lines.append(_verdict(report))
    if report.speed is not None:
        lines.append(
            f"straight and level course at {report.speed:.3g} m/s through the water; depth and heading are cut where "
            "they are measured, the others at force and moments"
        )
    judged = [row.axis for row in report.nominal.axes]
    if report.speed is None and (
        left := tuple(axis for axis in DEGREES_OF_FREEDOM if axis not in (*judged, *report.locked))
    ):
        lines.append(uncontrolled_text(left))
    if report.draws:
        phases = np.degrees([draw.phase for draw in report.draws if not math.isinf(draw.phase)])
        worst = (
            f"; smallest phase margin {phases.min():.3g} deg, median {np.median(phases):.3g} deg" if phases.size else ""
        )
        lines.append(
            f"{len(report.draws)} vehicles with parameters within {report.spread:.0%}: "
            f"{report.unstable} unstable{worst}"
        )
    return lines


def _verdict(report: RobustnessReport) -> str:
    """Whether the loop is stable; with numbers and what to change where it is not."""
    nominal = report.nominal
    if nominal.is_stable:
        return f"stable: largest pole {min(nominal.radius, 1.0):.4f} per sample"
    weakest = min(nominal.axes, key=lambda axis: axis.margins.phase, default=None)
    grows = f"UNSTABLE: largest pole {nominal.radius:.4f} per sample, errors grow by e in {nominal.slowest:.3g} s"
    axis = f"; {weakest.axis} has the least phase" if weakest else ""
    fix = (
        f"Multiply the gains by at most {report.stable_share:.2g}, or shorten period, latency or thruster lag."
        if report.stable_share > 0.0
        else "No smaller gain helps: check signs, levelling and the layout of the thrusters."
    )
    return f"{grows}{axis}. {fix} `remora tune` selects gains with a stated margin."
