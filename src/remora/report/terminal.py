"""Progress bars, tables and sentences on a terminal; rich is loaded with the first of them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console


@contextmanager
def progress_bar(what: str, whole: float, unit: str) -> Iterator[Callable[[float], None]]:
    """A bar that is drawn in place; the function takes the progress out of the whole, both in the unit."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f} " + unit),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=whole)
        yield lambda simulated: bar.update(task, completed=simulated)


def text_console(file: TextIO | None = None, width: int | None = None) -> "Console":
    """A console without highlighting, on the output stream and as wide as the terminal unless given."""
    from rich.console import Console

    # Without these, rich shows the text in a notebook instead of writing it to the file, or colours the file.
    plain: dict[str, Any] = {} if file is None else {"force_jupyter": False, "color_system": None}
    return Console(file=file, width=width, highlight=False, **plain)
