"""Five hundred gains of the adaptive identifier in one picture, after Britto Neto 2018, appendix C."""

from pathlib import Path
from typing import TYPE_CHECKING

from remora.report.drawing import ALL_COLOURS, ASKED, new_figure, write_picture
from remora_evidence.studies.flatfish.fits import truth_of
from remora_evidence.studies.flatfish.gain_sweep import AXIS, EFFORT_GAINS, PRINTED_ERROR, PULLS, Sweep, sweep
from remora_evidence.studies.flatfish.records import BASIN

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.figure import Figure

SIZE = (9.0, 10.0)


def write_sweep_picture(folder: Path, seed: int = 1) -> Path:
    """Run the sweep on the records of a seed and write its picture."""
    return write_picture(sweep_figure(sweep(seed)), folder / "gain-sweep.png")


def sweep_figure(swept: Sweep) -> "Figure":
    """Inertia, its ripple, linear damping and error on the other record over the gain of the effort, for each pull."""
    figure = new_figure(SIZE)
    figure.suptitle("Adaptive identifier, surge in the basin: five hundred gains", fontsize=13)
    inertia, linear = truth_of(BASIN, AXIS)[:2]
    rows = (
        (swept.inertia, "inertia [kg]", inertia, "truth"),
        (swept.ripple, "ripple of inertia [kg]", None, ""),
        (swept.linear, "linear damping [kg/s]", linear, "truth"),
        (swept.error, "mean absolute error [m/s]", PRINTED_ERROR, "least squares, as printed"),
    )
    for axes, (table, label, line, word) in zip(figure.subplots(len(rows), 1, sharex=True), rows, strict=True):
        for values, pull, colour in zip(table, PULLS, ALL_COLOURS, strict=False):
            axes.plot(EFFORT_GAINS, values, color=colour, label=f"a {pull:g}")
        if line is not None:
            axes.axhline(line, **ASKED, label=word)
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8, ncols=3)
        axes.margins(x=0.0)
    axes.set_ylim(0.0, 3.0 * PRINTED_ERROR)
    axes.set_xlabel("gain of the effort, lambda 1")
    return figure
