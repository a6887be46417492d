"""`remora check`: validity and behaviour of a vehicle or morphology file."""

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from remora.cli.errors import BAD_INPUT, FAILED

if TYPE_CHECKING:
    from remora.vehicles.vehicle import SensorEntry


class _Checked(NamedTuple):
    """Report of a loaded file, as text or data, and its sensors."""

    sound: bool
    report: str
    sensors: "tuple[SensorEntry, ...]"


@click.command()
@click.argument("vehicle", metavar="VEHICLE|MORPHOLOGY")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.pass_context
def check(context: click.Context, vehicle: str, as_json: bool) -> None:
    """Check a vehicle or morphology, a file or the name of a bundled one, and describe it.

    Exit code 0: valid, with or without warnings. 1: an invariant fails in a file marked historical. 2: the file is
    refused; each mistake is listed with its line.
    """
    from remora.files.problems import InputFileError
    from remora.vehicles.library import is_morphology

    try:
        checked = (_morphology if is_morphology(vehicle) else _vehicle)(vehicle, as_json)
    except InputFileError as error:
        if as_json:
            problems = [problem._asdict() for problem in error.problems]
            click.echo(json.dumps({"name": vehicle, "sound": False, "problems": problems}, indent=2))
        else:
            click.echo(str(error), err=True)
        context.exit(BAD_INPUT)
    click.echo(checked.report)
    if not as_json:
        _warn_of_incomplete(checked.sensors)
    context.exit(0 if checked.sound else FAILED)


def _vehicle(name: str, as_json: bool) -> _Checked:
    from remora.sensors.registry import find_kind
    from remora.vehicles import load_vehicle
    from remora.vehicles.checks.report import report_data, report_lines

    loaded = load_vehicle(name, find_kind)
    if as_json:
        return _with_data(report_data(loaded), loaded.sensors)
    sound, lines = report_lines(loaded)
    return _Checked(sound, "\n".join(lines), loaded.sensors)


def _morphology(name: str, as_json: bool) -> _Checked:
    from remora.sensors.registry import find_kind
    from remora.vehicles.morphologies.reader import load_morphology
    from remora.vehicles.morphologies.report import morphology_data, morphology_lines

    loaded = load_morphology(name, find_kind)
    sensors = tuple(
        entry._replace(name=f"{module.name}/{entry.name}")
        for module in loaded.modules
        for entry in module.vehicle.sensors
    )
    if as_json:
        return _with_data(morphology_data(loaded), sensors)
    sound, lines = morphology_lines(loaded)
    return _Checked(sound, "\n".join(lines), sensors)


def _with_data(data: dict[str, Any], sensors: "tuple[SensorEntry, ...]") -> _Checked:
    return _Checked(data["sound"], json.dumps(data, indent=2), sensors)


def _warn_of_incomplete(sensors: "tuple[SensorEntry, ...]") -> None:
    """Print what keeps sensors from being built; a scenario may give it."""
    from remora.sensors.library import sensor_problems

    for name, (field, message) in sensor_problems(sensors):
        click.echo(f'warning: sensor "{name}": {field + ": " if field else ""}{message}', err=True)
