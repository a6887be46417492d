"""Pictures of the FlatFish identification, after Britto Neto 2018.

Validation records of both sites (Figs. 11 to 14 and 18 to 21), and all degrees of freedom at once (Fig. 22).
"""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import remora
from remora.files.arrays import Array
from remora.identification import Record, replay
from remora.report.drawing import BLACK, BLUE, GREEN, ORANGE, RED, new_figure, write_picture
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora_evidence.studies.flatfish.coupled_axes import coupled, diagonal, full_fit, only
from remora_evidence.studies.flatfish.fits import last_sample, least_squares, record_of_part, unit_of
from remora_evidence.studies.flatfish.records import AXES, TrialSite, together_record

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ZOOM = (100.0, 160.0)  # s
SIZE, TALL = (11.0, 10.0), (11.0, 13.0)


def write_validation_picture(folder: Path, site: TrialSite, seed: int = 1) -> Path:
    """What was measured at a site and what both methods of the source predict."""
    return write_picture(validation_figure(site, seed), folder / f"flatfish-{site.name}.png")


def write_together_picture(folder: Path, seed: int = 1) -> Path:
    """All degrees of freedom at once: simple, complete and fully identified model."""
    return write_picture(together_figure(seed), folder / "flatfish-all-at-once.png")


def validation_figure(site: TrialSite, seed: int) -> "Figure":
    """Speed of each degree of freedom over its validation record and over a minute of it, with the effort there."""
    figure, rows = _figure(f"FlatFish in the {site.name}: validation records", SIZE, len(AXES))
    for (whole, zoom), axis in zip(rows, AXES, strict=True):
        record = record_of_part("validation", site, axis, seed)
        drawn = {"measured": (record.speed(axis), BLACK)}
        for word, estimator, colour in (("adaptive", last_sample, RED), ("least squares", least_squares, BLUE)):
            model = replay(record, estimator(site, axis, seed).vehicle).twist
            drawn[word] = (model[:, DEGREES_OF_FREEDOM.index(axis)], colour)
        _both(whole, zoom, record, drawn, f"{axis} [{unit_of(axis)}]", axis == AXES[-1])
        _effort(zoom, record, axis)
    return _with_legend(figure)


def together_figure(seed: int) -> "Figure":
    """The second record of its kind: numbers from single degrees of freedom, and numbers from the first record."""
    record = together_record(coupled(), "validation", seed)
    model = diagonal().parameters
    complete, identified = (replay(record, one).twist for one in (model, full_fit(seed).vehicle))
    figure, rows = _figure("FlatFish, all degrees of freedom at once: validation record", TALL, len(DEGREES_OF_FREEDOM))
    for i, ((whole, zoom), axis) in enumerate(zip(rows, DEGREES_OF_FREEDOM, strict=True)):
        drawn = {"measured": (record.twist[:, i], BLACK)}
        if axis in AXES:
            drawn["simple"] = (replay(only(record, axis), model).twist[:, i], ORANGE)
        drawn |= {"complete": (complete[:, i], RED), "identified as a whole": (identified[:, i], GREEN)}
        _both(whole, zoom, record, drawn, f"{axis} [{unit_of(axis)}]", i == 5)
    return _with_legend(figure)


def _both(
    whole: "Axes", zoom: "Axes", record: Record, drawn: dict[str, tuple[Array, str]], label: str, last: bool
) -> None:
    """Curves over the whole record and over a minute of it."""
    some = (record.time >= ZOOM[0]) & (record.time <= ZOOM[1])
    for axes, rows in ((whole, np.ones_like(some)), (zoom, some)):
        for word, (values, colour) in drawn.items():
            axes.plot(record.time[rows], values[rows], color=colour, linewidth=1, label=word)
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
        axes.margins(x=0.0)
        if last:
            axes.set_xlabel("time [s]")


def _with_legend(figure: "Figure") -> "Figure":
    """One legend for all axes, below them: that of the first."""
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


def _effort(axes: "Axes", record: Record, axis: str) -> None:
    assert record.inputs is not None
    i = DEGREES_OF_FREEDOM.index(axis)
    some = (record.time >= ZOOM[0]) & (record.time <= ZOOM[1])
    beside = axes.twinx()
    beside.plot(record.time[some], record.inputs.values[some, i], color="0.6", linewidth=0.8, linestyle=":")
    beside.set_ylabel(f"effort, dotted [{'N' if i < 3 else 'N m'}]", color="0.5")


def _figure(title: str, size: tuple[float, float], rows: int) -> "tuple[Figure, list[list[Axes]]]":
    """A figure that belongs to no window, with two axes in each row."""
    figure = new_figure(size)
    figure.suptitle(f"{title}\nafter Britto Neto 2018, remora {remora.__version__}", fontsize=11)
    return figure, [list(pair) for pair in figure.subplots(rows, 2)]
