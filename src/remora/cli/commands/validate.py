"""`remora validate`: prediction errors of a vehicle model on logs."""

from pathlib import Path
from typing import Any

import click

from remora.cli.log_options import (
    Choices,
    axes_of,
    check_place,
    log_options,
    pictures_at,
    read_logs,
    replays,
    write_results,
)
from remora.cli.option_names import with_options


@click.command()
@click.argument("vehicle", metavar="VEHICLE|MORPHOLOGY")
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@log_options
def validate(vehicle: str, logs: tuple[str, ...], **shared: Any) -> None:
    """Simulate a vehicle or a rigid morphology open loop with the inputs of each LOG and compare it with the motion.

    A LOG is a Remora log (MCAP or CSV folder) or a CSV table. Exit code 0: scored. 1: the model diverged. 2: invalid
    input.
    """
    choices = Choices(**shared)
    inputs = (vehicle, *logs, *([str(choices.columns)] if choices.columns else []))
    check_place("--report", choices.report, (".html",), inputs)
    check_place("--picture", choices.picture, (".png",), inputs)
    how = replays(choices)
    from remora.identification.validation import validate_record
    from remora.report.fits.summary import validation_lines
    from remora.sensors.registry import find_kind
    from remora.vehicles.morphologies import load_vehicle_or_morphology

    model = load_vehicle_or_morphology(vehicle, find_kind)
    records = read_logs(logs, model, choices)
    axes = axes_of(records, choices)
    parts = [validate_record(record, model.parameters, how) for record in records]
    parts = [part._replace(assumed=with_options(part.assumed)) for part in parts]
    files: dict[Path, bytes] = {}
    if choices.report is not None or choices.picture is not None:
        from remora.report.drawing import picture_bytes
        from remora.report.fits.figure import fit_figure
        from remora.report.fits.page import validation_page

        figures = [fit_figure(p, axes, f"{model.name}: {Path(p.recorded.source).name}") for p in parts]
        if choices.report is not None:
            files[choices.report] = validation_page(
                parts, axes, figures, f"{model.name} against recorded motion"
            ).encode()
        files |= {
            path: picture_bytes(figure)
            for path, figure in zip(pictures_at(choices.picture, len(figures)), figures, strict=False)
        }
    click.echo("\n".join(validation_lines(model.name, parts, axes)))
    write_results(files)
    if any(part.before.problem for part in parts):
        raise SystemExit(1)
