"""`remora replay`: a navigation filter over the readings of a recorded log."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from remora.cli.commands.plot import picture_path, print_problems
from remora.cli.errors import NOT_AS_ASKED
from remora.cli.log_options import check_place, log_sources, reader_option, write_results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from remora.interop.recorded import ChosenFilter, RecordedSensors
    from remora.logs import Log
    from remora.navigation.parts.filter_options import Pause
    from remora.navigation.replays import ReplayVerdict


class Replayed(NamedTuple):
    """Results for the command: lines of the summary, picture, table of estimates and verdict."""

    lines: list[str]
    figure: "Figure"
    table: str
    verdict: "ReplayVerdict"


@click.command()
@click.argument("arguments", nargs=-1, required=True, metavar="[FILTER] LOG")
@click.option("--vehicle", metavar="NAME", help="Vehicle in the log; default the only one.")
@click.option("--without", multiple=True, metavar="SENSOR", help="Build the filter without this sensor; repeatable.")
@click.option(
    "--mask", "masks", multiple=True, metavar="SENSOR:FROM:UNTIL", help="Leave out its readings between two times, s."
)
@click.option("--out", help="Picture, a file ending in .png; default beside the log.")
@click.option("--csv", "table", type=click.Path(path_type=Path), metavar="FILE", help="Estimates, as a file .csv.")
@click.option("--bound", is_flag=True, help="Print the accuracy that the sensors allow, and unobserved states.")
@reader_option
@click.pass_context
def replay(
    context: click.Context,
    arguments: tuple[str, ...],
    vehicle: str | None,
    without: tuple[str, ...],
    masks: tuple[str, ...],
    out: str | None,
    table: Path | None,
    bound: bool,
    reader: str | None,
) -> None:
    """Run a navigation filter over the readings of LOG and judge its consistency.

    LOG is a log of Remora, whose header describes the sensors, or a YAML file that describes CSV tables of another
    vehicle. FILTER is one that `remora navigate` lists, by default `filter`, or a YAML file with its options, written
    as `navigation` in a scenario. By name it has the options of the scenario that was flown with it.
    Exit code 0: consistent. 3: any other verdict, such as overconfident. 2: the input was rejected.
    """
    if len(arguments) > 2:
        raise click.UsageError(f"Got unexpected extra argument ({arguments[2]}): give a filter and a log.")
    log, given = arguments[-1], arguments[0] if len(arguments) == 2 else None
    picture = picture_path(log, out, "-replay")
    check_place("--csv", table, (".csv",), [log])
    pauses = [_pause(text) for text in masks]
    from remora.interop.recorded import chosen_filter, name_of_vehicle, suite_of_log, suite_of_tables
    from remora.report.drawing import picture_bytes

    recorded_log = _log(log, reader)
    if recorded_log is not None:
        print_problems(log, recorded_log.problems)
    name = None if recorded_log is None else name_of_vehicle(recorded_log, vehicle)
    chosen = chosen_filter(given, recorded_log, name)
    recorded = suite_of_tables(Path(log)) if recorded_log is None else suite_of_log(recorded_log, name)
    _check_masks(masks, pauses, recorded)
    if chosen.kind.name == "filter":
        found = _filter_replay(recorded, chosen, without, pauses, bound)
    else:
        if bound:
            raise click.UsageError(f"--bound is that of `filter`, and not of {chosen.kind.name}.")
        found = _part_replay(recorded, chosen, recorded_log, name, without, pauses)
    for line in found.lines:
        click.echo(line)
    files = {picture: picture_bytes(found.figure, "replay")}
    if table is not None:
        files[table] = found.table.encode()
    write_results(files)
    context.exit(0 if found.verdict.name == "consistent" else NOT_AS_ASKED)


def _log(log: str, reader: str | None) -> "Log | None":
    """The log; None for a file that describes tables."""
    from remora.logs import read_log

    if Path(log).suffix.lower() in (".yaml", ".yml"):
        return None
    (source,) = log_sources([log], reader)
    return read_log(source)


def _filter_replay(
    recorded: "RecordedSensors",
    chosen: "ChosenFilter",
    without: Sequence[str],
    pauses: "Sequence[Pause]",
    with_bound: bool,
) -> Replayed:
    """Results of the part `filter`."""
    from remora.interop.recorded import filter_of, with_options
    from remora.navigation.parts.filter_options import FilterOptions
    from remora.navigation.replays import attainable_accuracy, replay as replayed
    from remora.report.filter_replays import accuracy_lines, estimates_table, replay_figure, replay_lines

    assert isinstance(chosen.options, FilterOptions)
    changed, more = with_options(recorded, chosen.options)
    made = filter_of(changed, without)
    seen, left_out = changed.all_readings, [*pauses, *more]
    found = replayed(made, changed.launch, seen, left_out, changed.truth)
    lines = [*(f"warning     {text}" for text in changed.remarks), *replay_lines(found)]
    if with_bound:
        kept = [one for one in seen if not any(pause.covers(one) for pause in left_out)]
        lines += accuracy_lines(attainable_accuracy(made, changed.launch, kept, found.run, changed.truth))
    return Replayed(lines, replay_figure(found, changed.truth), estimates_table(found.estimates()), found.verdict)


def _part_replay(
    recorded: "RecordedSensors",
    chosen: "ChosenFilter",
    log: "Log | None",
    vehicle: str | None,
    without: Sequence[str],
    pauses: "Sequence[Pause]",
) -> Replayed:
    """Results of a filter with a model of the vehicle."""
    from remora.interop.recorded import commands_of_log, part_of_log
    from remora.navigation.replays import replay_part
    from remora.report.filter_replays import estimates_table, part_figure, part_lines

    name = chosen.kind.name
    if log is None or vehicle is None:
        raise ValueError(f"{name} needs a log of Remora, which holds the model and the commands of the vehicle")
    known = [entry.name for entry in recorded.entries]
    for sensor in (*without, *(pause.sensor for pause in pauses)):
        if sensor not in known:
            raise ValueError(f'the log has no sensor "{sensor}". It has {", ".join(known)}.')
    recorded = recorded._replace(entries=tuple(one for one in recorded.entries if one.name not in without))
    part = part_of_log(chosen, log, vehicle, recorded)
    readings = [
        one._replace(sensor=f"{vehicle}/{one.sensor}")
        for one in recorded.readings
        if one.sensor not in without and not any(pause.covers(one) for pause in pauses)
    ]
    commands = commands_of_log(log, vehicle)
    found = replay_part(name, part, round(1e9 * chosen.period), readings, commands, recorded.truth)
    figure = part_figure(found, recorded.truth)
    return Replayed(list(part_lines(found)), figure, estimates_table(found.estimates), found.verdict)


def _pause(text: str) -> "Pause":
    """The readings of --mask."""
    from remora.navigation.parts.filter_options import Pause

    sensor, *times = text.split(":")
    try:
        start, end = (float(time) for time in times)
    except ValueError:
        start, end = math.nan, math.nan
    if start >= end:
        raise ValueError(f"--mask {text}: it ends at {end:.6g} s, before it starts; give the earlier time first")
    if not sensor or math.isnan(start + end):
        raise ValueError(f"--mask {text}: give a sensor and two times in s, as in dvl:60:120")
    return Pause(sensor, round(1e9 * start), round(1e9 * end))


def _check_masks(texts: Sequence[str], pauses: "Sequence[Pause]", recorded: "RecordedSensors") -> None:
    """Refuse a --mask without any reading of its sensor."""
    for text, pause in zip(texts, pauses, strict=True):
        stamps = [one.stamp_ns for one in recorded.readings if one.sensor == pause.sensor]
        if stamps and not any(pause.from_ns <= stamp < pause.until_ns for stamp in stamps):
            times = f"{1e-9 * min(stamps):.6g} to {1e-9 * max(stamps):.6g} s"
            raise ValueError(f"--mask {text}: {pause.sensor} has no reading then; its readings are from {times}")
