"""Shared options of commands that read logs, most of them of `remora fit` and `remora validate`."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from remora.cli.overwrite_check import check_replaceable

if TYPE_CHECKING:
    from remora.identification.data.log_files import LogReadOptions
    from remora.identification.data.record import Record
    from remora.identification.validation import ReplaySettings
    from remora.logs import LogFile
    from remora.vehicles.vehicle import Vehicle

Command = TypeVar("Command", bound=Callable[..., Any])
reader_option = click.option(
    "--reader", metavar="FILE.py:NAME", help="Function that reads logs of other formats: takes a path, returns a Log."
)
_OPTIONS = (
    reader_option,
    click.option("--axes", multiple=True, metavar="AXES", help="Degrees of freedom; default all that were measured."),
    click.option("--columns", type=click.Path(path_type=Path), metavar="FILE", help="Column map of CSV logs, YAML."),
    click.option("--column", "column", multiple=True, metavar="NAME=COLUMN[:UNIT]", help="A column of CSV logs."),
    click.option("--axes-convention", default="forward-right-down", show_default=True, help="Body axes of CSV logs."),
    click.option("--lever-arm", metavar="X,Y,Z", help="Position of the sensor that measured the velocity, m."),
    click.option("--inputs", default="outputs", show_default=True, help="Recorded inputs: outputs, commands, wrench."),
    click.option(
        "--inputs-late", type=float, default=0.0, metavar="S", help="Delay of the stamps of inputs; negative: early."
    ),
    click.option("--motion", default="estimate", show_default=True, help="Motion in Remora logs: estimate or truth."),
    click.option("--channel", multiple=True, metavar="AXIS=CHANNEL:FIELD", help="Motion in Remora logs by sensor."),
    click.option("--log-vehicle", metavar="NAME", help="Vehicle in Remora logs; default the only one."),
    click.option("--rate", type=float, metavar="HZ", help="Resample records to this rate; default as recorded."),
    click.option("--gap", type=float, metavar="S", help="Longer intervals split a record; default five median ones."),
    click.option(
        "--restart", type=float, metavar="S", help="Interval between restarts of the model; default only after gaps."
    ),
    click.option("--settle", type=float, default=0.0, metavar="S", help="Time after each start that is not scored."),
    click.option("--skip-nan", is_flag=True, help="Skip rows with missing values."),
    click.option("--keep-first", is_flag=True, help="Skip rows of CSV logs that repeat a stamp."),
    click.option("--salvage", is_flag=True, help="Use what can be read of a damaged log."),
    click.option("--report", type=click.Path(path_type=Path), metavar="FILE", help="Report, a file ending in .html."),
    click.option("--picture", type=click.Path(path_type=Path), metavar="FILE", help="Picture, a file ending in .png."),
)


class Choices(NamedTuple):
    """Values of the shared options."""

    reader: str | None
    axes: tuple[str, ...]
    columns: Path | None
    column: tuple[str, ...]
    axes_convention: str
    lever_arm: str | None
    inputs: str
    inputs_late: float
    motion: str
    channel: tuple[str, ...]
    log_vehicle: str | None
    rate: float | None
    gap: float | None
    restart: float | None
    settle: float
    skip_nan: bool
    keep_first: bool
    salvage: bool
    report: Path | None
    picture: Path | None


def log_options(command: Command) -> Command:
    """Decorator: adds the shared options, passed as the fields of `Choices`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_logs(logs: Sequence[str], vehicle: "Vehicle", choices: Choices) -> "list[Record]":
    """The records in the logs, as they were recorded."""
    from remora.identification.data.log_files import read_log_record

    how = reading(choices)
    return [read_log_record(source, vehicle, how) for source in log_sources(logs, choices.reader)]


def log_sources(logs: Sequence[str], reader: str | None) -> "list[str | LogFile]":
    """The logs of a command, with the function of --reader where it is given."""
    if reader is None:
        return list(logs)
    from remora.files.user_code import UserCodeError, UserCodeNames, user_object
    from remora.logs import LogFile

    try:
        read = user_object(reader, Path(), UserCodeNames("my_file.py:read", "the working folder"))
    except UserCodeError as error:
        raise ValueError(f"--reader {reader}: {error}") from error
    return [LogFile(log, read) for log in logs]


def replays(choices: Choices) -> "ReplaySettings":
    """Settings of the open-loop replay."""
    from remora.identification.validation import make_replay_settings

    return make_replay_settings(choices.rate, choices.restart, choices.settle, choices.inputs_late)


def reading(choices: Choices) -> "LogReadOptions":
    """Options for reading the logs."""
    from remora.identification.data.column_map import read_column_map
    from remora.identification.data.read_options import make_read_options

    mapped = read_column_map(choices.columns) if choices.columns is not None else {}
    mapped |= dict(_pair("--column", text) for text in choices.column)
    return make_read_options(
        columns=mapped,
        inputs=choices.inputs,
        motion=_motion(choices),
        log_vehicle=choices.log_vehicle,
        axes_convention=choices.axes_convention,
        lever_arm=None if choices.lever_arm is None else choices.lever_arm.split(","),
        gap=choices.gap,
        skip_nan=choices.skip_nan,
        keep_first=choices.keep_first,
        salvage=choices.salvage,
    )


def _motion(choices: Choices) -> str | Mapping[str, tuple[str, str]]:
    if choices.channel:
        sensors = {}
        for axis, place in (_pair("--channel", text) for text in choices.channel):
            channel, _, field = place.rpartition(":")
            if not channel:
                example = "surge=falcon/dvl:velocity_x"
                raise ValueError(f"--channel {axis}={place}: give a channel and a field, as in {example}")
            sensors[axis] = (channel, field)
        return sensors
    return choices.motion


def _pair(option: str, text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise ValueError(f"{option} {text}: give a name, = and what it stands for")
    return name, value


def axes_of(records: "Sequence[Record]", choices: Choices) -> tuple[str, ...]:
    """Degrees of freedom, as given or all that were measured; roll and pitch only where they move."""
    from remora.files.problems import split_names
    from remora.identification.data.read_options import chosen_axes

    return chosen_axes(records, split_names(choices.axes))


def check_place(option: str, path: Path | None, suffixes: Sequence[str], inputs: Sequence[str]) -> None:
    """Refuse an unusable output path, before the work."""
    if path is None:
        return
    if path.suffix.lower() not in suffixes or path.is_dir():
        raise ValueError(f"{option} {path}: give a file ending in {' or '.join(suffixes)}")
    if any(path.resolve() == Path(one).resolve() for one in inputs):
        raise ValueError(f"{option} {path}: this is the file that is read. Give another.")
    above = next(folder for folder in path.resolve().parents if folder.exists())
    if not above.is_dir():
        raise ValueError(f"{option} {path}: {above} is no folder")
    if path.suffix.lower() in (".png", ".html"):
        from remora.report.drawing import check_pictures

        check_pictures()
    check_replaceable(option, path)


def write_results(files: Mapping[Path, bytes]) -> None:
    """Write all results or none, and print their paths."""
    from remora.files.writing import write_together

    for path in files:
        path.parent.mkdir(parents=True, exist_ok=True)
    write_together(files)
    for path in files:
        click.echo(f"written: {path}")


def pictures_at(path: Path | None, count: int) -> list[Path]:
    """Paths of the pictures of several logs: the given one, then numbered ones."""
    return [] if path is None else [path, *(path.with_stem(f"{path.stem}_{k}") for k in range(2, count + 1))]
