"""Control loops: gains and margins as tables and sentences, gains as YAML that a scenario takes, and Bode pictures."""

import math
from typing import TYPE_CHECKING, TextIO

import numpy as np
from rich.table import Table

from remora.control.tuning.course_gains import TunedCourse
from remora.control.tuning.gain_selection import TunedControl
from remora.control.tuning.loop_margins import margin_text
from remora.files.problems import listed
from remora.report.drawing import ALL_COLOURS, ASKED, BLUE, RED, new_figure
from remora.report.terminal import text_console
from remora.run.stability.scenario_margins import RobustnessReport
from remora.vehicles.names import DEGREES_OF_FREEDOM

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 12.0, 6.0  # inches


def print_tuning(tuned: TunedControl, file: TextIO | None = None, width: int | None = None) -> None:
    """Gains and margins of every axis, on a stream; lines as wide as the terminal unless given."""
    console = text_console(file, width)
    table = Table(
        "axis", "P", "velocity", "I", "rad/s", "deg", "dB", "delay", "thrust",
        title="gains in 1/s, crossover, and margins of phase, gain and delay",
    )  # fmt: skip
    for one in tuned.axes:
        table.add_row(
            one.axis,
            *(f"{gain:.3g}" for gain in one.gains),
            f"{one.margins.crossover:.3g}",
            f"{math.degrees(one.margins.phase):.3g}",
            margin_text(min(one.margins.gain, one.margins.gain_reduction)).removesuffix(" dB"),
            f"{one.margins.delay:.2g} s",
            f"{one.thrust:.3g} {'N m' if one.axis == 'yaw' else 'N'}",
        )
    console.print(table)
    lags = ", ".join(f"{one.axis} {one.timing.lag:.3g} s" for one in tuned.axes)
    console.print(f"Thruster lags: {lags}.", soft_wrap=not console.is_terminal)
    speeds = ", ".join(f"{one.axis} {one.max_speed:.3g} {unit_of_speed(one.axis)}" for one in tuned.axes)
    console.print(f"A guidance must ask for at most: {speeds}.", soft_wrap=not console.is_terminal)
    if tuned.uncontrolled:
        console.print(uncontrolled_text(tuned.uncontrolled), soft_wrap=not console.is_terminal)


def print_course(tuned: TunedCourse, file: TextIO | None = None, width: int | None = None) -> None:
    """Margins of every axis of a vehicle that is steered by fins."""
    console = text_console(file, width)
    title = f"margins on a straight and level course at {tuned.speed:.3g} m/s through the water"
    table = Table("axis", "rad/s", "deg", "dB", "delay", title=title)
    for axis, _, one in tuned.axes:
        table.add_row(
            axis,
            f"{one.crossover:.3g}",
            "any" if math.isinf(one.phase) else f"{math.degrees(one.phase):.3g}",
            margin_text(min(one.gain, one.gain_reduction)).removesuffix(" dB"),
            "any" if math.isinf(one.delay) else f"{one.delay:.2g} s",
        )
    console.print(table)


def course_yaml(tuned: TunedCourse) -> str:
    """The controller as it stands below a vehicle of a scenario."""
    gains = ("depth", "depth_integral", "angle", "rate", "rate_integral", "speed")
    rows = [f"  {name}_gain: {getattr(tuned.gains, name):.4g}" for name in gains]
    return "\n".join(["control:", "  part: fin_autopilot", f"  rate: {1.0 / tuned.timing.period:g} Hz", *rows])


def unit_of_speed(axis: str) -> str:
    """Unit of the speed of an axis."""
    return "rad/s" if axis == "yaw" else "m/s"


def uncontrolled_text(axes: tuple[str, ...]) -> str:
    """Sentence on axes that no controller acts in."""
    verb, them = ("is", "it") if len(axes) == 1 else ("are", "them")
    return f"{listed(axes).capitalize()} {verb} not controlled: only weight and buoyancy hold {them}."


def control_yaml(tuned: TunedControl) -> str:
    """Controller and allocation as they stand below a vehicle of a scenario."""
    axes, rate = tuned.axes, 1.0 / tuned.axes[0].timing.period
    smoothing = "" if tuned.goals.smoothing is None else f", smoothing: {tuned.goals.smoothing:g}"

    def row(values: list[float]) -> str:
        return "[" + ", ".join(f"{value:.4g}" for value in values) + "]"

    return "\n".join(
        [
            "control:",
            "  part: position",
            f"  rate: {rate:g} Hz",
            f"  position_gains: {row([one.gains.position for one in axes])}",
            f"  velocity_gains: {row([one.gains.velocity for one in axes])}",
            f"  integral_gains: {row([one.gains.integral for one in axes])}",
            f"  max_speeds: {row([one.max_speed for one in axes])}",
            f"allocation: {{part: bounded, rate: {rate:g} Hz{smoothing}}}",
        ]
    )


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
