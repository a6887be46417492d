"""How far a run has got: a bar on a terminal, a few plain lines elsewhere. Both go to standard error."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

PLAIN_LINES = 4


@contextmanager
def progress(what: str, seconds: float) -> Iterator[Callable[[float], None]]:
    """A function to call with the simulated seconds while a run of so many seconds goes on."""
    with _bar(what, seconds) if sys.stderr.isatty() else _lines(what, seconds) as update:
        yield update


@contextmanager
def _bar(what: str, seconds: float) -> Iterator[Callable[[float], None]]:
    """A bar that is drawn in place."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f} s"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=seconds)
        yield lambda simulated: bar.update(task, completed=simulated)


@contextmanager
def _lines(what: str, seconds: float) -> Iterator[Callable[[float], None]]:
    """A line at the first step and one for every quarter of the run."""
    said = -1

    def update(simulated: float) -> None:
        nonlocal said
        quarter = int(PLAIN_LINES * simulated / seconds + 1e-9)
        if quarter > said:
            said = quarter
            click.echo(f"{what}: {simulated:.0f} of {seconds:.0f} s", err=True)

    yield update
