"""`remora replay`: a navigation filter over the readings of a recorded log."""

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from remora.cli.commands.plot import picture_path
from remora.cli.errors import NOT_AS_ASKED
from remora.cli.log_options import check_place, log_sources, reader_option, write_results

if TYPE_CHECKING:
    from remora.interop.recorded import RecordedSensors
    from remora.navigation.parts.filter_options import Pause


@click.command()
@click.argument("log")
@click.option("--vehicle", metavar="NAME", help="Vehicle in the log; default the only one.")
@click.option("--without", multiple=True, metavar="SENSOR", help="Build the filter without this sensor; repeatable.")
@click.option(
    "--mask", "masks", multiple=True, metavar="SENSOR:FROM:UNTIL", help="Leave out its readings between two times, s."
)
@click.option("--out", help="Picture, a file ending in .png; default beside the log.")
@click.option("--csv", "table", type=click.Path(path_type=Path), metavar="FILE", help="Estimates, as a file .csv.")
@reader_option
@click.pass_context
def replay(
    context: click.Context,
    log: str,
    vehicle: str | None,
    without: tuple[str, ...],
    masks: tuple[str, ...],
    out: str | None,
    table: Path | None,
    reader: str | None,
) -> None:
    """Run the navigation filter `filter` over the readings of LOG and judge its consistency.

    LOG is a log of Remora, whose header describes the sensors, or a YAML file that describes CSV tables of another
    vehicle. Exit code 0: consistent. 3: any other verdict, such as overconfident. 2: the input was rejected.
    """
    picture = picture_path(log, out, "-replay")
    check_place("--csv", table, (".csv",), [log])
    pauses = [_pause(text) for text in masks]
    from remora.interop.recorded import filter_of
    from remora.navigation.replays import replay as replayed
    from remora.report.drawing import picture_bytes
    from remora.report.replays.figure import replay_figure
    from remora.report.replays.summary import estimates_table, replay_lines

    recorded = _recorded(log, vehicle, reader)
    made = filter_of(recorded, without)
    found = replayed(made, recorded.launch, recorded.readings, pauses, recorded.truth)
    for line in replay_lines(found):
        click.echo(line)
    files = {picture: picture_bytes(replay_figure(found, recorded.truth), "replay")}
    if table is not None:
        files[table] = estimates_table(found).encode()
    write_results(files)
    context.exit(0 if found.verdict.name == "consistent" else NOT_AS_ASKED)


def _recorded(log: str, vehicle: str | None, reader: str | None) -> "RecordedSensors":
    from remora.interop.recorded import suite_of_log, suite_of_tables
    from remora.logs import read_log

    if Path(log).suffix.lower() in (".yaml", ".yml"):
        return suite_of_tables(Path(log))
    (source,) = log_sources([log], reader)
    return suite_of_log(read_log(source), vehicle)


def _pause(text: str) -> "Pause":
    """The readings of --mask."""
    from remora.navigation.parts.filter_options import Pause

    sensor, *times = text.split(":")
    try:
        start, end = (float(time) for time in times)
    except ValueError:
        start, end = math.nan, math.nan
    if not sensor or not start < end:
        raise ValueError(f"--mask {text}: give a sensor and two times in s, as in dvl:60:120")
    return Pause(sensor, round(1e9 * start), round(1e9 * end))
