"""Progress of a call from Python: a bar in a terminal, a line in a notebook, nothing elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from remora.report.terminal import progress_bar


@contextmanager
def shown_progress(what: str, whole: float, unit: str, wanted: bool | None) -> Iterator[Callable[[float], None]]:
    """A function to call with the progress out of the whole.

    Parameters
    ----------
    what, whole, unit
        Title, progress at the end, and its unit.
    wanted
        Whether it is shown; None for a terminal or a notebook.
    """
    if wanted is False or (wanted is None and not (sys.stderr.isatty() or _in_notebook())):
        yield lambda done: None
        return
    with _line(what, whole, unit) if _in_notebook() else progress_bar(what, whole, unit) as update:
        yield update


def _in_notebook() -> bool:
    """Whether the program runs in a notebook, whose output is no terminal."""
    return "ipykernel" in sys.modules and not sys.stderr.isatty()


@contextmanager
def _line(what: str, whole: float, unit: str) -> Iterator[Callable[[float], None]]:
    """One line that is written again and removed at the end."""
    width = 0

    def update(done: float) -> None:
        nonlocal width
        text = f"{what}: {done:.0f} of {whole:.0f} {unit}"
        width = max(width, len(text))
        sys.stderr.write(f"\r{text:<{width}}")
        sys.stderr.flush()

    try:
        yield update
    finally:
        sys.stderr.write(f"\r{'':<{width}}\r")
        sys.stderr.flush()
