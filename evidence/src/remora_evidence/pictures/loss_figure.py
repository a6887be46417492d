"""Thrust lost under way over towing speed, a curve with bars for each pulse width, after Nielsen 2018, section 5.4."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import remora
from remora.report.drawing import new_figure, write_picture
from remora_evidence.studies.modular.tank.loss_maps import loss_map, true_losses

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.figure import Figure

EVERY = 2  # pulse widths that are drawn, as the bars of all of them cover each other


def write_loss_picture(folder: Path, seed: int = 1) -> Path:
    """The map of a twin."""
    return write_picture(loss_figure(seed), folder / "modular-thrust-loss.png")


def loss_figure(seed: int) -> "Figure":
    """Measured losses with 99 % bars, and the true ones."""
    figure = new_figure((9.0, 6.0))
    from matplotlib import colormaps

    found, true = loss_map(seed), 100.0 * true_losses()
    figure.suptitle(f"Thrust lost under way, 99 % bars\nafter Nielsen 2018, remora {remora.__version__}", fontsize=11)
    axes = figure.subplots()
    shown = range(0, len(found.pulses), EVERY)
    colours = colormaps["viridis"](np.linspace(0.0, 0.9, len(shown)))
    for k, (i, colour) in enumerate(zip(shown, colours, strict=True)):
        loss, half = 100.0 * found.loss[i], 50.0 * (found.high[i] - found.low[i])
        at = found.tow_speeds + 0.004 * (k - 0.5 * len(shown))  # side by side
        axes.errorbar(at, loss, half, color=colour, fmt="o", markersize=3, capsize=2, label=f"{found.pulses[i]:g} us")
        axes.plot(found.tow_speeds, true[i], color=colour, linewidth=0.8)
    axes.set_xlabel("towing speed [m/s]")
    axes.set_ylabel("thrust lost [%]; lines: true")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    return figure
