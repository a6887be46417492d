"""Bode picture of every axis, and the margins of the Monte Carlo."""

import math
from typing import TYPE_CHECKING

import numpy as np

from remora.report.drawing import ALL_COLOURS, ASKED, BLUE, RED, new_figure
from remora.run.stability.scenario_margins import RobustnessReport

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 12.0, 6.0  # inches


def margins_figure(report: RobustnessReport) -> "Figure":
    """Magnitude and phase of the open loops on the left, drawn vehicles on the right."""
    figure = new_figure((WIDTH, HEIGHT))
    figure.suptitle(f"{report.vehicle} in {report.scenario}: open loop at the wrench, other axes closed", fontsize=12)
    left, right = figure.subfigures(1, 2, width_ratios=(3.0, 2.0), squeeze=False)[0]
    size, phase = left.subplots(2, 1, sharex=True)
    _bode(size, phase, report)
    _monte_carlo(right.subplots(), report)
    return figure


def _bode(size: "Axes", phase: "Axes", report: RobustnessReport) -> None:
    w = report.nominal.frequencies
    for (axis, response, margins), colour in zip(report.nominal.axes, ALL_COLOURS, strict=False):
        angle = np.degrees(np.unwrap(np.angle(response)))
        angle -= 360.0 * round((float(np.interp(math.log(max(margins.crossover, w[0])), np.log(w), angle)) + 120) / 360)
        size.semilogx(w, 20.0 * np.log10(np.abs(response)), color=colour, label=axis)
        phase.semilogx(w, angle, color=colour)
    size.axhline(0.0, **ASKED)
    phase.axhline(-180.0, **ASKED)
    size.set_ylabel("magnitude [dB]")
    size.set_ylim(-60.0, 80.0)
    size.legend(fontsize=8, ncols=3)
    phase.set_ylabel("phase [deg]")
    phase.set_ylim(-360.0, 0.0)
    phase.set_xlabel("frequency [rad/s]")
    for place in (size, phase):
        place.grid(alpha=0.3, which="both")
        place.set_xlim(w[0], w[-1])


def _monte_carlo(place: "Axes", report: RobustnessReport) -> None:
    stable = [draw for draw in report.draws if draw.radius < 1.0 + 1e-7]
    unstable = [draw for draw in report.draws if draw not in stable]
    for draws, colour, label in ((stable, BLUE, "stable"), (unstable, RED, "unstable")):
        if draws:
            gains = [min(20.0 * math.log10(draw.gain), 60.0) if draw.gain > 0.0 else 0.0 for draw in draws]
            phases = [math.degrees(min(draw.phase, math.pi)) for draw in draws]
            place.plot(gains, phases, ".", color=colour, label=f"{label}: {len(draws)}")
    place.set_title(f"{len(report.draws)} vehicles, parameters within {report.spread:.0%}", fontsize=10)
    place.set_xlabel("smallest gain margin [dB]")
    place.set_ylabel("smallest phase margin [deg]")
    place.set_xlim(left=0.0)
    place.set_ylim(bottom=0.0)
    place.grid(alpha=0.3)
    if report.draws:
        place.legend(fontsize=8)
