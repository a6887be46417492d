"""`remora run`: the built-in dive and turn of one vehicle."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from remora.cli.errors import FAILED, INTERRUPTED

if TYPE_CHECKING:
    from remora.simulation.dive_and_turn import DiveRun

DEFAULT_VEHICLE = "bluerov2_heavy"
_NOT_OURS = {".csv", ".gif", ".jpeg", ".jpg", ".json", ".mcap", ".pdf", ".svg", ".txt", ".yaml"}


class Files(NamedTuple):
    """Where a run is written to."""

    picture: Path
    log: Path


@click.command()
@click.option("--vehicle", default=DEFAULT_VEHICLE, show_default=True, help="Name of a preset, or a vehicle file.")
@click.option("--out", default="runs", show_default=True, help="Folder for the results, or a file ending in .png.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Chooses start and current.")
@click.option("--duration", type=float, default=60.0, show_default=True, help="Seconds to simulate.")
@click.pass_context
def run(context: click.Context, vehicle: str, out: str, seed: int, duration: float) -> None:
    """Simulate a vehicle that dives to 5 m, drives ahead, turns by 90 degrees and stops.

    Writes a picture and a log of the run. The same seed gives the same numbers, bit for bit.
    Ctrl-C stops the run and writes what there is.
    """
    from remora.cli.progress import progress
    from remora.kernels import warm_up
    from remora.simulation.dive_and_turn import dive_and_turn, number_of_periods
    from remora.simulation.pilot import make_pilot
    from remora.simulation.plant import Plant
    from remora.vehicles import load_vehicle

    number_of_periods(duration)
    plant = Plant(load_vehicle(vehicle))
    make_pilot(plant)  # a vehicle that cannot be driven is refused before anything is compiled or written
    files = prepare_files(out, plant.vehicle.name, seed)
    warm_up()
    with progress(f"{plant.vehicle.name} dives and turns", duration) as update:
        made = dive_and_turn(plant, seed, duration, update)
    _write(made, files)
    _end(context, made)


def prepare_files(out: str, vehicle: str, seed: int) -> Files:
    """The files of a run; their folder is made now, so that a wrong place is found before the run and not after it."""
    path = Path(out)
    if path.suffix.lower() in _NOT_OURS and not path.is_dir():
        raise ValueError(f"--out {out}: pictures are written as PNG. Give a folder, or a file ending in .png.")
    if path.suffix.lower() == ".png" and not path.is_dir():
        picture = path
    else:
        picture = path / f"{re.sub(r'[^A-Za-z0-9_.-]+', '_', vehicle)}-seed{seed}.png"
    try:
        picture.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise ValueError(f"--out {out}: {picture.parent} is in the way, it is not a folder.") from None
    return Files(picture, picture.with_suffix(".csv"))


def _write(made: "DiveRun", files: Files) -> None:
    """Log first, because it is quick, then the picture, then what there is to say."""
    from remora.report.dive_figure import write_figure
    from remora.report.summary import provenance, summary
    from remora.simulation.recording import write_csv

    try:
        write_csv(made.recording, files.log, provenance(made))
        write_figure(made, files.picture)
    except OSError as error:
        raise click.ClickException(f"the results could not be written: {error}") from error
    for word, text in summary(made, (str(files.picture), str(files.log))):
        click.echo(f"{word:<14}{text}")


def _end(context: click.Context, made: "DiveRun") -> None:
    """Exit code of a run that ended early."""
    from remora.simulation import dive_and_turn

    if made.stopped == dive_and_turn.INTERRUPTED:
        click.echo("stopped by Ctrl-C; what was simulated until then is written", err=True)
        context.exit(INTERRUPTED)
    if made.stopped:
        click.echo(f"error: the run failed {made.stopped}", err=True)
        context.exit(FAILED)
