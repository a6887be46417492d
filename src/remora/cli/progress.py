"""Progress of a run on standard error: a bar on a terminal, a few plain lines elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from remora.report.terminal import progress_bar

PLAIN_LINES = 4


@contextmanager
def progress(what: str, whole: float, unit: str = "s") -> Iterator[Callable[[float], None]]:
    """A function to call with the progress, in seconds or another unit, out of the whole."""
    with progress_bar(what, whole, unit) if sys.stderr.isatty() else _lines(what, whole, unit) as update:
        yield update


@contextmanager
def _lines(what: str, whole: float, unit: str) -> Iterator[Callable[[float], None]]:
    """A line at the first step and one for every quarter of the run."""
    printed = -1

    def update(simulated: float) -> None:
        nonlocal printed
        quarter = int(PLAIN_LINES * simulated / whole + 1e-9)
        if quarter > printed:
            printed = quarter
            click.echo(f"{what}: {simulated:.0f} of {whole:.0f} {unit}", err=True)

    yield update
