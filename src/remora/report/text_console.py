"""Console for tables and sentences, on the terminal or in a file."""

from typing import Any, TextIO

from rich.console import Console


def text_console(file: TextIO | None = None, width: int | None = None) -> Console:
    """A console without highlighting, on the output stream and as wide as the terminal unless given."""
    # Without these, rich shows the text in a notebook instead of writing it to the file, or colours the file.
    plain: dict[str, Any] = {} if file is None else {"force_jupyter": False, "color_system": None}
    return Console(file=file, width=width, highlight=False, **plain)
