"""Lines that several commands print: progress, warnings of a vehicle, and where a command listens."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from remora.report.terminal import progress_bar

if TYPE_CHECKING:
    from remora.run.live.listener import Listener
    from remora.run.live.operator_server import OperatorServer
    from remora.vehicles.vehicle import Vehicle


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


def print_warnings(vehicle: "Vehicle") -> None:
    """Print implausible parameters as `remora check` does; none where the file accepts them."""
    from remora.vehicles.checks.report import warning_lines

    for line in warning_lines(vehicle):
        click.echo(f"warning: {line}", err=True)


def address_and_token(listening: "Listener | OperatorServer", file: str | None) -> str:
    """Text: address and token, or the file into which it is written."""
    from remora.run.live.listener import LOOPBACK, write_token

    address = f"{LOOPBACK} port {listening.port}"
    if file is None:
        return f"{address}, token {listening.token}"
    write_token(file, listening.token)
    return f"{address}, token in {file}"
