"""`remora validate`: prediction errors of a vehicle model on logs."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from remora.cli.log_options import (
    Choices,
    axes_of,
    check_place,
    log_options,
    log_sources,
    pictures_at,
    read_logs,
    reading,
    replays,
    write_results,
)
from remora.cli.option_names import with_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remora.identification.validation import RecordValidation, ReplaySettings


@click.command()
@click.argument("vehicle", metavar="VEHICLE|MORPHOLOGY")
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@log_options
@click.option("--simulators", is_flag=True, help="Compare single axes, the complete model and a rigid-body engine.")
def validate(vehicle: str, logs: tuple[str, ...], simulators: bool, **shared: Any) -> None:
    """Simulate a vehicle or morphology open loop with the inputs of each LOG and compare it with the motion.

    A LOG is a Remora log (MCAP or CSV folder) or a CSV table. A morphology with joints, or whose modules have channels
    of their own in the log, is simulated as linked bodies. Exit code 0: scored. 1: the model diverged. 2: invalid
    input.
    """
    choices = Choices(**shared)
    inputs = (vehicle, *logs, *([str(choices.columns)] if choices.columns else []))
    check_place("--report", choices.report, (".html",), inputs)
    check_place("--picture", choices.picture, (".png",), inputs)
    how = replays(choices)
    from remora.report.fits.summary import validation_lines

    name, parts, is_linked = _scored(vehicle, logs, choices, how)
    if simulators and is_linked:
        raise ValueError("--simulators: linked bodies have no model of single axes. Leave it out, or give one vehicle.")
    axes = axes_of([part.recorded for part in parts], choices)
    parts = [part._replace(assumed=with_options(part.assumed)) for part in parts]
    files: dict[Path, bytes] = {}
    if choices.report is not None or choices.picture is not None:
        from remora.report.drawing import picture_bytes
        from remora.report.fits.figure import fit_figure
        from remora.report.fits.page import validation_page

        figures = [fit_figure(p, axes, f"{name}: {Path(p.recorded.source).name}") for p in parts]
        if choices.report is not None:
            files[choices.report] = validation_page(parts, axes, figures, f"{name} against recorded motion").encode()
        files |= {
            path: picture_bytes(figure)
            for path, figure in zip(pictures_at(choices.picture, len(figures)), figures, strict=False)
        }
    click.echo("\n".join(validation_lines(name, parts, axes)))
    if simulators:
        click.echo("\n".join(_by_simulators(vehicle, parts, axes, how)))
    write_results(files)
    if any(part.before.problem for part in parts):
        raise SystemExit(1)


def _by_simulators(
    given: str, parts: "Sequence[RecordValidation]", axes: "Sequence[str]", how: "ReplaySettings"
) -> list[str]:
    """Tables of three simulators, one for each log."""
    from remora.interop.simulator_replays import replay_by_simulators
    from remora.report.fits.summary import simulator_lines
    from remora.sensors.registry import find_kind
    from remora.vehicles.morphologies import load_vehicle_or_morphology

    model, lines = load_vehicle_or_morphology(given, find_kind).parameters, []
    for part in parts:
        found = replay_by_simulators(part.recorded, part.uniform, model, how.restart, how.settle)
        lines += ["", part.recorded.source, *simulator_lines(found, axes)]
    return lines


def _scored(
    given: str, logs: tuple[str, ...], choices: Choices, how: "ReplaySettings"
) -> "tuple[str, list[RecordValidation], bool]":
    """Name of the model, its scores on each log, for linked bodies on each module, and whether these are linked."""
    from remora.identification.validation import validate_record
    from remora.sensors.registry import find_kind
    from remora.vehicles.library import is_morphology
    from remora.vehicles.morphologies import load_morphology, load_vehicle_or_morphology

    whole = load_morphology(given, find_kind) if is_morphology(given) else None
    if whole is not None:
        from remora.identification.linked_replay import has_modules_apart, read_linked_record, validate_linked

        sources = log_sources(logs, choices.reader)
        if not whole.is_rigid or any(has_modules_apart(source, whole) for source in sources):
            records = [read_linked_record(source, whole, reading(choices)) for source in sources]
            return whole.name, [part for one in records for part in validate_linked(one, whole, how)], True
    model = load_vehicle_or_morphology(given, find_kind)
    return model.name, [validate_record(one, model.parameters, how) for one in read_logs(logs, model, choices)], False
