"""`remora plot`: a picture of a log or of a morphology."""

import math
import re
from pathlib import Path

import click

from remora.cli.log_options import log_sources, reader_option
from remora.cli.option_names import with_options
from remora.cli.overwrite_check import check_replaceable

MOST_PROBLEMS = 5
LONGEST_ENDING = 100  # characters


@click.command()
@click.argument("log", metavar="LOG|MORPHOLOGY")
@click.option("--out", help="Picture, a file ending in .png; default beside the log, with names of channels.")
@click.option("--channel", "channels", multiple=True, metavar="NAME", help="Draw this channel; may be repeated.")
@click.option("--from", "start", type=float, default=-math.inf, metavar="S", help="Start time.")
@click.option("--until", "end", type=float, default=math.inf, metavar="S", help="End time.")
@click.option("--vehicle", metavar="NAME", help="Draw only this vehicle.")
@reader_option
def plot(
    log: str,
    out: str | None,
    channels: tuple[str, ...],
    start: float,
    end: float,
    vehicle: str | None,
    reader: str | None,
) -> None:
    """Draw LOG, an MCAP file or a folder of CSV files: an overview, or some of its channels.

    A damaged log is drawn as far as it can be read, with a report of the damage. Of a MORPHOLOGY, a file or a bundled
    one, modules, thrusters, ports and links are drawn. Exit code 0: a picture was written. 2: it cannot be read.
    """
    if not start < end:
        raise ValueError(f"--from {start:g} --until {end:g}: there is no time between them")
    if channels and vehicle is not None:
        raise ValueError("--vehicle goes with the overview; channels carry the name of their vehicle already")
    picture = picture_path(log, out, _ending(channels if vehicle is None else (vehicle,)))
    if _is_morphology(log):
        if channels or vehicle is not None or reader is not None or (start, end) != (-math.inf, math.inf):
            raise ValueError(f"{log} is a morphology: --channel, --from, --until, --vehicle and --reader go with a log")
        _draw_morphology(log, picture)
        return
    from remora.report.drawing import write_picture
    from remora.report.logs.curve_reader import PlotWindow
    from remora.report.logs.figure import channels_figure, log_figure

    window = PlotWindow(start, end)
    (source,) = log_sources([log], reader)
    drawn = channels_figure(source, channels, window) if channels else log_figure(source, vehicle, window)
    print_problems(log, drawn.problems, drawn.remarks, drawn.span)
    picture.parent.mkdir(parents=True, exist_ok=True)
    click.echo(f"picture: {write_picture(drawn.figure, picture)}")


def _is_morphology(given: str) -> bool:
    """Whether a morphology is given, which a name with the ending of a log is not."""
    if Path(given).suffix.lower() not in ("", ".yaml", ".yml"):
        return False
    from remora.vehicles.library import is_morphology

    return is_morphology(given)


def _draw_morphology(given: str, picture: Path) -> None:
    from remora.report.drawing import write_picture
    from remora.report.morphology_figure import morphology_figure
    from remora.vehicles.morphologies.reader import load_morphology

    figure = morphology_figure(load_morphology(given))
    picture.parent.mkdir(parents=True, exist_ok=True)
    click.echo(f"picture: {write_picture(figure, picture)}")


def _ending(names: tuple[str, ...]) -> str:
    """Ending of the default name of a picture of channels or of one vehicle, so that the overview stays."""
    return "".join(f"-{re.sub(r'[^A-Za-z0-9_.-]+', '_', name)}" for name in names)[:LONGEST_ENDING]


def picture_path(log: str, out: str | None, ending: str = "") -> Path:
    """Path of the picture, by default beside the log; never that of the log."""
    source = Path(log)
    picture = Path(out) if out is not None else source.parent / f"{source.resolve().stem or 'log'}{ending}.png"
    if picture.suffix.lower() != ".png" or picture.is_dir():
        raise ValueError(f"--out {out}: pictures are written as PNG. Give a file ending in .png.")
    if picture.resolve() == source.resolve():
        raise ValueError(f"{log}: the picture would take the place of the log. Give another file with --out.")
    from remora.report.drawing import check_pictures

    check_pictures()
    check_replaceable("--out", picture)
    return picture


def print_problems(
    log: str, problems: tuple[str, ...], remarks: tuple[str, ...] = (), span: tuple[float, float] | None = None
) -> None:
    """Print damage of the log with the span of what can be read (s), and what the picture leaves out."""
    if problems:
        part = "" if span is None else f", from {span[0]:g} to {span[1]:g} s"
        click.echo(f"warning: {log} is damaged; the picture shows what can be read{part}. Found:", err=True)
    for text in problems[:MOST_PROBLEMS]:
        click.echo(f"  {text}", err=True)
    if len(problems) > MOST_PROBLEMS:
        click.echo(f"  and {len(problems) - MOST_PROBLEMS} more", err=True)
    for remark in with_options(remarks):
        click.echo(f"note: {remark}", err=True)
