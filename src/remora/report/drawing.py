"""Shared drawing functions: colours, axes over time, reproducible PNG files."""

import io
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import remora
from remora.distribution import install_line
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.files.writing import write_together

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DOTS_PER_INCH = 120
# Okabe and Ito's colours, distinguishable for colour-blind readers; yellow is left out as too faint on white.
BLUE, ORANGE, GREEN, PURPLE, SKY, RED, BLACK = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000",
)  # fmt: skip
ALL_COLOURS = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY, BLACK)
COLOURS = (BLUE, RED, GREEN, PURPLE)  # the first ones for pictures with few curves
ASKED: dict[str, Any] = {"color": "0.45", "linestyle": "--", "linewidth": 1.2}


class NoPicturesError(InputError):
    """A picture is wanted, and matplotlib is not installed."""

    def __init__(self) -> None:
        super().__init__(f"pictures need matplotlib: {install_line('plots')}")


def check_pictures() -> None:
    """Raise a NoPicturesError where no picture can be drawn; before work whose result is one."""
    if find_spec("matplotlib") is None:
        raise NoPicturesError


def new_figure(size: tuple[float, float]) -> "Figure":
    """An empty figure of this size in inches, independent of the backend; NoPicturesError without matplotlib."""
    check_pictures()
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained")


def curves(axes: "Axes", times: Array, columns: Array, labels: Sequence[str]) -> None:
    """Columns over time, each with a colour and a label."""
    for values, label, colour in zip(columns.T, labels, COLOURS, strict=False):
        axes.plot(times, values, color=colour, label=label)


def finish(axes: "Axes", label: str, last: bool = False) -> None:
    """Label, grid and legend of axes over time; the last one has the time label."""
    axes.set_ylabel(label)
    axes.margins(x=0.0, y=0.15)  # room for the legend
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="upper right", ncols=4)
    if last:
        axes.set_xlabel("time [s]")


def write_picture(figure: "Figure", path: Path, title: str = "") -> Path:
    """A PNG without a date: the same run gives the same picture."""
    write_together({path: picture_bytes(figure, title)})
    return path


def picture_bytes(figure: "Figure", title: str = "", dpi: float = DOTS_PER_INCH) -> bytes:
    """The picture as the bytes of a PNG file, with a title in its metadata."""
    metadata = {"Software": f"remora {remora.__version__}", **({"Title": title} if title else {})}
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=dpi, metadata=metadata)
    return stream.getvalue()
