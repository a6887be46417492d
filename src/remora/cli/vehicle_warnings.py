"""Warnings about implausible vehicles."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from remora.vehicles.vehicle import Vehicle


def print_warnings(vehicle: "Vehicle") -> None:
    """Print implausible parameters as `remora check` does; none where the file accepts them."""
    from remora.vehicles.checks.report import warning_lines

    for line in warning_lines(vehicle):
        click.echo(f"warning: {line}", err=True)
