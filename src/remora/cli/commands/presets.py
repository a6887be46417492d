"""`remora presets`: the bundled vehicles."""

import json
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from remora.vehicles import Vehicle

WIDTH_WITHOUT_TERMINAL = 120


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, in SI units.")
def presets(name: str | None, as_json: bool) -> None:
    """List the bundled vehicles, or with NAME all parameters of one, with source and uncertainty."""
    from remora.report.vehicle_listing import vehicle_data
    from remora.sensors.registry import find_kind
    from remora.vehicles import load_vehicle, preset_names

    if as_json:
        listed = [vehicle_data(load_vehicle(each), numbers=False) for each in preset_names()] if name is None else None
        data = listed if name is None else vehicle_data(load_vehicle(name, find_kind), numbers=True)
        click.echo(json.dumps(data, indent=2, allow_nan=False))
    elif name is None:
        _print_all([load_vehicle(each) for each in preset_names()])
    else:
        _print_one(load_vehicle(name, find_kind))


def _print_all(vehicles: "list[Vehicle]") -> None:
    """One row per vehicle."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from remora.vehicles.library import morphology_names

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("name", no_wrap=True, style="bold")
    for column, ratio in (("what it is", 4), ("use", 5), ("source", 4)):
        table.add_column(column, ratio=ratio)
    for vehicle in vehicles:
        past = vehicle.historical
        name, why = (f"{vehicle.name}\n(historical)", f"\nHistorical: {past.reason}") if past else (vehicle.name, "")
        table.add_row(name, vehicle.title, vehicle.use + why, vehicle.source)
    width = None if sys.stdout.isatty() else WIDTH_WITHOUT_TERMINAL
    Console(file=sys.stdout, width=width, highlight=False, markup=False).print(table)
    click.echo(
        f"\n{len(vehicles)} vehicles. All numbers of one: remora presets NAME. Its behaviour: remora check NAME."
    )
    click.echo(f"Morphologies, for remora check and scenarios: {', '.join(morphology_names())}.")


def _print_one(vehicle: "Vehicle") -> None:
    """A heading, then the parameters by source."""
    from remora.report.vehicle_listing import heading_lines, number_lines, sensor_lines

    for word, text in heading_lines(vehicle):
        click.echo(f"{word:<12}{text}")
    if vehicle.sensors:
        click.echo("\nSensors, all of which a scenario takes with sensors: all")
    for line in sensor_lines(vehicle):
        click.echo(line)
    click.echo("\nNumbers in the units and axes of the file, with +/- one standard deviation where it is known:")
    for line in number_lines(vehicle):
        click.echo(line)
