"""Measured motion against models: before and after a fit, with the band of its uncertainty."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from remora.files.arrays import Array
from remora.identification.validation import RecordValidation
from remora.report.drawing import BLUE, RED, new_figure
from remora.report.fits.summary import UNITS
from remora.vehicles.names import DEGREES_OF_FREEDOM

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CLOSE_UP = 60.0  # s
WIDTH, ROW = 13.0, 2.1  # inches


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
