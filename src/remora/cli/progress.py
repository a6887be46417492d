"""Progress of a run on standard error: a bar on a terminal, a few plain lines elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

PLAIN_LINES = 4


@contextmanager
def progress(what: str, whole: float, unit: str = "s") -> Iterator[Callable[[float], None]]:
    """A function to call with the progress, in seconds or another unit, out of the whole."""
    with _bar(what, whole, unit) if sys.stderr.isatty() else _lines(what, whole, unit) as update:
        yield update


@contextmanager
def _bar(what: str, whole: float, unit: str) -> Iterator[Callable[[float], None]]:
    """A bar that is drawn in place."""
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
