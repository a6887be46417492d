"""`remora fit`: identification of the parameters of a vehicle from logs."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from remora.cli.errors import NOT_AS_ASKED
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
from remora.files.problems import split_names

if TYPE_CHECKING:
    from remora.identification.validation import Validation


@click.command()
@click.argument("vehicle")
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option(
    "--method", default="instruments", show_default=True, help="Identification method; an unknown name lists them all."
)
@click.option(
    "--parameters", multiple=True, metavar="NAMES", help="Parameters to fit: default, names, patterns with *."
)
@click.option("--hold", multiple=True, metavar="NAMES", help="Parameters to keep fixed.")
@click.option(
    "--hold-out",
    type=float,
    metavar="SHARE",
    help="Fraction at the end of each log for validation; default 0.3, with --validate 0.",
)
@click.option("--validate", multiple=True, metavar="LOG", help="Validation log; the LOGs are then fitted as a whole.")
@click.option("--negative-damping", metavar="REASON", help="Allow negative damping; the reason goes into the file.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Vehicle file to write, ending in .yaml.")
@click.option("--name", help="Name of the new vehicle; default the old name with _fitted.")
@log_options
def fit(
    vehicle: str,
    logs: tuple[str, ...],
    method: str,
    parameters: tuple[str, ...],
    hold: tuple[str, ...],
    hold_out: float | None,
    validate: tuple[str, ...],
    negative_damping: str | None,
    out: Path | None,
    name: str | None,
    **shared: Any,
) -> None:
    """Identify parameters of VEHICLE, a preset or a file, from LOGs: Remora logs (MCAP or CSV folder) or CSV tables.

    Prints each parameter with its 95 % interval, warnings, and the errors of the model before and after the fit on the
    held-out part of each log, or on the logs of --validate. Lists are comma-separated. Exit code 0: fitted. 2: invalid
    input; then nothing is written. 3: fitted, but values may be wrong by more than their intervals.
    """
    choices = Choices(**shared)
    inputs = (vehicle, *logs, *validate, *([str(choices.columns)] if choices.columns else []))
    check_place("--out", out, (".yaml", ".yml"), inputs)
    check_place("--report", choices.report, (".html",), inputs)
    check_place("--picture", choices.picture, (".png",), inputs)
    how = replays(choices)
    from remora.cli.progress import progress
    from remora.identification.hold_out import validation_share, validation_steps
    from remora.identification.methods import method_named
    from remora.identification.parameter_names import selected_parameters
    from remora.identification.validation import fit_and_validate
    from remora.report.fits.summary import judgement_lines, verdict
    from remora.sensors.registry import find_kind
    from remora.vehicles import load_vehicle

    chosen, base = method_named(method), load_vehicle(vehicle, find_kind)
    records, others = read_logs(logs, base, choices), read_logs(validate, base, choices)
    used = axes_of([*records, *others], choices)
    share = validation_share(hold_out, bool(others))
    wanted = selected_parameters(split_names(parameters), split_names(hold), base, used)
    with progress("fit", validation_steps(len(records), len(others), share), "steps") as update:
        update(0)
        judgement = fit_and_validate(
            records, base, chosen, wanted, used, constrained=negative_damping is None, hold_out=share,
            others=others, settings=how,
            in_detail=choices.report is not None or choices.picture is not None, step=update,
        )  # fmt: skip
    sentences = with_options(judgement.fit.warnings)
    judgement = judgement._replace(fit=replace(judgement.fit, warnings=sentences))
    files = _files(judgement, out, name, negative_damping, choices)
    click.echo("\n".join(judgement_lines(judgement)))
    write_results(files)
    if out is None:
        click.echo("no vehicle file was written; give --out FILE.yaml for one")
    if judgement.doubtful:
        click.echo(verdict(judgement), err=True)
        raise SystemExit(NOT_AS_ASKED)


def _files(
    judgement: "Validation", out: Path | None, name: str | None, reason: str | None, choices: Choices
) -> dict[Path, bytes]:
    """Contents of all files, complete before the first is written."""
    files = {} if out is None else {out: b"# Fitted by remora fit.\n" + judgement.fit.to_yaml(name, reason).encode()}
    if choices.report is None and choices.picture is None:
        return files
    from remora.report.drawing import picture_bytes
    from remora.report.fits.figure import fit_figure
    from remora.report.fits.page import fit_page

    base = judgement.fit.base
    title = f"{base.name if base else ''} before and after the fit"
    figures = [
        fit_figure(part, judgement.axes, f"{title}: {Path(part.recorded.source).name}") for part in judgement.parts
    ]
    if choices.report is not None:
        files[choices.report] = fit_page(judgement, figures, title).encode()
    for path, figure in zip(pictures_at(choices.picture, len(figures)), figures, strict=False):
        files[path] = picture_bytes(figure)
    return files
