"""`remora plot`: a picture of a log."""

import math
from pathlib import Path

import click

from remora.cli.option_names import with_options
from remora.cli.replacing import check_replaceable

MOST_PROBLEMS = 5


@click.command()
@click.argument("log")
@click.option("--out", help="The picture, a file ending in .png; beside the log unless given.")
@click.option("--channel", "channels", multiple=True, metavar="NAME", help="Draw this channel; may be given often.")
@click.option("--from", "start", type=float, default=-math.inf, metavar="S", help="Leave out what came before.")
@click.option("--until", "end", type=float, default=math.inf, metavar="S", help="Leave out what came after.")
@click.option("--vehicle", metavar="NAME", help="Draw only this vehicle.")
def plot(log: str, out: str | None, channels: tuple[str, ...], start: float, end: float, vehicle: str | None) -> None:
    """Draw LOG, an MCAP file or a folder of CSV files: an overview, or some of its channels.

    A damaged log is drawn as far as it can be read, and what is wrong with it is told. Exit code 0: there is a
    picture. 2: nothing could be read.
    """
    if not start < end:
        raise ValueError(f"--from {start:g} --until {end:g}: there is no time between them")
    if channels and vehicle is not None:
        raise ValueError("--vehicle goes with the overview; channels carry the name of their vehicle already")
    picture = picture_path(log, out)
    from remora.report.drawing import write_picture
    from remora.report.logs.figure import channels_figure, log_figure
    from remora.report.logs.gathering import Window

    window = Window(start, end)
    drawn = channels_figure(log, channels, window) if channels else log_figure(log, vehicle, window)
    tell_problems(log, drawn.problems, drawn.remarks)
    picture.parent.mkdir(parents=True, exist_ok=True)
    click.echo(f"picture: {write_picture(drawn.figure, picture)}")


def picture_path(log: str, out: str | None, ending: str = "") -> Path:
    """Where the picture goes, beside the log unless given; never onto the log."""
    source = Path(log)
    picture = Path(out) if out is not None else source.parent / f"{source.resolve().stem or 'log'}{ending}.png"
    if picture.suffix.lower() != ".png" or picture.is_dir():
        raise ValueError(f"--out {out}: pictures are written as PNG. Give a file ending in .png.")
    if picture.resolve() == source.resolve():
        raise ValueError(f"{log}: the picture would take the place of the log. Give another file with --out.")
    check_replaceable("--out", picture)
    return picture


def tell_problems(log: str, problems: tuple[str, ...], remarks: tuple[str, ...] = ()) -> None:
    """What is wrong with the log, and what is not in the picture."""
    if problems:
        click.echo(f"warning: {log} is damaged; the picture shows what can be read. Found:", err=True)
    for words in problems[:MOST_PROBLEMS]:
        click.echo(f"  {words}", err=True)
    if len(problems) > MOST_PROBLEMS:
        click.echo(f"  and {len(problems) - MOST_PROBLEMS} more", err=True)
    for remark in with_options(remarks):
        click.echo(f"note: {remark}", err=True)
