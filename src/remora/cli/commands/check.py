"""`remora check`: validity and behaviour of a vehicle file."""

import json

import click

from remora.cli.errors import BAD_INPUT, FAILED


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
    context.exit(0 if sound else FAILED)
