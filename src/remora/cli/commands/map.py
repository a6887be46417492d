"""`remora map`: points measured by a ranging sensor in a log."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from remora.cli.commands.plot import picture_path, print_problems
from remora.cli.log_options import log_sources, reader_option
from remora.cli.overwrite_check import check_replaceable

if TYPE_CHECKING:
    from remora.report.maps.mapping import Map


@click.command()
@click.argument("log")
@click.option("--channel", metavar="NAME", help="Sensor channel, such as rov/profiler; default the first that fits.")
@click.option("--pose", type=click.Choice(["truth", "estimate"]), default="truth", show_default=True)
@click.option("--out", help="Picture, a file ending in .png; default beside the log.")
@click.option("--points", metavar="FILE", help="CSV file for the points: time, north, east, down.")
@reader_option
def map(log: str, channel: str | None, pose: str, out: str | None, points: str | None, reader: str | None) -> None:
    """Draw the points measured by a ranging sensor in LOG, against the true wall in a tunnel.

    Profiling sonars, multibeam echosounders, laser lines and camera footprints are supported.
    """
    picture = picture_path(log, out, "-map")
    if points is not None and Path(points).resolve() in (Path(log).resolve(), picture.resolve()):
        raise ValueError(f"--points {points}: this file is the log or the picture. Give another one.")
    check_replaceable("--points", None if points is None else Path(points))
    from remora.report.drawing import write_picture
    from remora.report.maps.figure import map_figure
    from remora.report.maps.mapping import map_log

    (source,) = log_sources([log], reader)
    found = map_log(source, channel, pose)
    print_problems(log, found.problems)
    _print_summary(found)
    written = [write_picture(map_figure(found), _with_folder(picture))]
    if points is not None:
        written.append(_write_points(found, _with_folder(Path(points))))
    for file in written:
        click.echo(f"{'written':<10}{file}")


def _print_summary(found: "Map") -> None:
    """Print sensor, number of points and errors."""
    click.echo(f"{'sensor':<10}{found.channel}, seen from its {found.pose}")
    click.echo(f"{'points':<10}{len(found.points)} of {found.beams} beams")
    residuals = found.residuals()
    if len(residuals):
        mean, spread, most = residuals.mean(), residuals.std(), abs(residuals).max()
        click.echo(f"{'wall':<10}mean {mean:.3g} m, std {spread:.3g} m, at most {most:.3g} m from the true one")


def _with_folder(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _write_points(found: "Map", path: Path) -> Path:
    import numpy as np

    from remora.files.writing import write_atomically

    rows = np.column_stack([found.time_ns * 1e-9, found.points])
    names = "time [s],north [m],east [m],down [m]"
    write_atomically(path, lambda file: np.savetxt(file, rows, "%.9g", ",", header=names, comments=""))
    return path
