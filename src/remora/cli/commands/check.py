"""`remora check`: validity and behaviour of a vehicle file."""

import json
from typing import TYPE_CHECKING

import click

from remora.cli.errors import BAD_INPUT, FAILED

if TYPE_CHECKING:
    from remora.vehicles.vehicle import Vehicle


@click.command()
@click.argument("vehicle")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.pass_context
def check(context: click.Context, vehicle: str, as_json: bool) -> None:
    """Check VEHICLE, a file or the name of a preset, and describe it.

    Exit code 0: valid, with or without warnings. 1: an invariant fails in a file marked historical. 2: the file is
    refused; each mistake is listed with its line.
    """
    from remora.sensors.registry import find_kind
    from remora.vehicles import VehicleFileError, load_vehicle
    from remora.vehicles.checks.report import report_data, report_lines

    try:
        loaded = load_vehicle(vehicle, find_kind)
    except VehicleFileError as error:
        if as_json:
            problems = [problem._asdict() for problem in error.problems]
            click.echo(json.dumps({"name": vehicle, "sound": False, "problems": problems}, indent=2))
        else:
            click.echo(str(error), err=True)
        context.exit(BAD_INPUT)
    if as_json:
        data = report_data(loaded)
        click.echo(json.dumps(data, indent=2))
        context.exit(0 if data["sound"] else FAILED)
    sound, lines = report_lines(loaded)
    click.echo("\n".join(lines))
    context.exit(_sensor_code(loaded) or (0 if sound else FAILED))


def _sensor_code(vehicle: "Vehicle") -> int:
    """Print what keeps sensors from being built; BAD_INPUT for unknown parameters, else 0."""
    from remora.sensors.library import sensor_problems

    code = 0
    for name, (field, message) in sensor_problems(vehicle.sensors):
        is_unknown = message.startswith("unknown parameter")
        code = BAD_INPUT if is_unknown else code
        word = "error" if is_unknown else "warning"
        click.echo(f'{word}: sensor "{name}": {field + ": " if field else ""}{message}', err=True)
    return code
