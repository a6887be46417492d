"""`Page` and `Plot`: results that show themselves in a notebook, are saved, and open in a browser."""

import html
import pickle
import sys
import tempfile
import warnings
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, final

from remora.api.arguments import output_file
from remora.files.writing import write_together
from remora.report.drawing import picture_bytes, write_picture
from remora.report.mission_page.page import open_in_browser

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEIGHT = 620  # px, in a notebook
_NOTEBOOK_DPI = 72  # pictures are part of a notebook file


@final
@dataclass(frozen=True, eq=False, repr=False)
class Page:
    """A page for a browser; the last expression of a notebook cell shows it."""

    text: str  # HTML

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the page as one HTML file, which needs no network and no other file.

        Raises
        ------
        InputError
            When the path does not end in .html.
        """
        file = output_file(path, ".html")
        write_together({file: self.text.encode()})
        return file

    def open(self) -> Path:
        """Open the page in the browser of this machine; the temporary file that it is in.

        Where there is no browser, a warning names that file.
        """
        with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
            file.write(self.text)
        if not open_in_browser(Path(file.name).as_uri()):
            warnings.warn(f"no browser could be opened; the page is in {file.name}", stacklevel=3)
        return Path(file.name)

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.text)}" style="width:100%;height:{_HEIGHT}px;border:0" '
            'sandbox="allow-scripts"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<Page of {len(self.text) / 1e6:.2f} MB; save it with .save('run.html') or open it with .open()>"


def is_notebook() -> bool:
    """Whether the running program is a notebook, which shows the results of its cells."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


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
