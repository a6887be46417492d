"""`Plot`: a figure that shows itself in a notebook and is written without a date."""

import pickle
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, final

from remora.api.arguments import output_file
from remora.report.drawing import picture_bytes, write_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NOTEBOOK_DPI = 72  # pictures are part of a notebook file


@final
@dataclass(frozen=True, eq=False, repr=False)
class Plot:
    """A drawn figure; the last expression of a notebook cell shows it."""

    figure: "Figure"  # of matplotlib, for changes
    remarks: tuple[str, ...] = ()  # what is not in the figure, and damage of the data

    def save(self, path: str | PathLike[str]) -> Path:
        """Write a PNG file without a date: the same data give the same bytes.

        Raises
        ------
        InputError
            When the path does not end in .png.
        """
        return write_picture(self.figure, output_file(path, ".png"))

    def _repr_png_(self) -> bytes:
        shown = pickle.loads(pickle.dumps(self.figure))  # drawing moves the layout, so that `save` would differ
        return picture_bytes(shown, dpi=_NOTEBOOK_DPI)

    def __repr__(self) -> str:
        width, height = self.figure.get_size_inches()
        return " ".join([f"<Plot of {width:g} x {height:g} inches; save it with .save('picture.png')>", *self.remarks])
