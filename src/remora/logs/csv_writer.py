"""Logs as CSV: a file per channel, one for the events, and log.json with header and channels."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path

from remora.files.writing import write_atomically
from remora.logs.log import Log, Series
from remora.logs.mcap.definition import Definition, to_plain
from remora.logs.problems import LogError
from remora.logs.schema import EVENTS, Event

ABOUT = "log.json"  # header and channels of a folder of CSV files
TIME = "time [ns]"
EVENT_COLUMNS = (TIME, "source", "level", "text", "data")


def to_csv(log: Log, target: str | PathLike[str], channels: Iterable[str] | None = None) -> tuple[Path, ...]:
    """Write a log, or some of its channels, as CSV; numbers read back exactly.

    Parameters
    ----------
    log
        What to write.
    target
        A folder, made if needed: truth/pose goes to truth.pose.csv, events to events.csv, and log.json keeps header,
        units, frames and problems. Or a file that ends in .csv, for a single channel.
    channels
        Names of channels; all if none are given.

    Returns
    -------
    The files that were written.
    """
    target = Path(target)
    names = tuple(log.series if channels is None else channels)
    series = {name: log[name] for name in names}
    try:
        if target.suffix.lower() == ".csv":
            if len(series) != 1:
                raise LogError(f"one file holds one channel, not {len(series)}: name one, or give a folder", target)
            return (_write(target, _lines(*series.values())),)
        target.mkdir(parents=True, exist_ok=True)
        files = [_write(target / file_name(name), _lines(one)) for name, one in series.items()]
        files.append(_write(target / f"{EVENTS}.csv", _event_lines(log.events)))
        files.append(_write(target / ABOUT, iter([_about(log, names)])))
    except OSError as error:
        raise LogError(f"could not be written: {error.strerror or error}", error.filename or target) from None
    return tuple(files)


def file_name(channel: str) -> str:
    """The CSV file of a channel: truth/pose -> truth.pose.csv."""
    return channel.replace("/", ".") + ".csv"


def header_of(series: Series) -> list[str]:
    """The first line of a file: names with units."""
    return [TIME, *(f"{field.name} [{field.unit}]" for field in series.channel.fields)]


def _lines(series: Series) -> Iterator[str]:
    yield ",".join(header_of(series)) + "\n"
    block = 10_000
    for start in range(0, len(series), block):
        columns = [column[start : start + block].tolist() for column in (series.time_ns, *series.columns.values())]
        yield "".join(",".join(map(repr, row)) + "\n" for row in zip(*columns, strict=True))


def _event_lines(events: Iterable[Event]) -> Iterator[str]:
    yield ",".join(EVENT_COLUMNS) + "\n"
    for event in events:
        line = io.StringIO()
        data = json.dumps(dict(event.data), sort_keys=True)
        csv.writer(line, lineterminator="\n").writerow((event.time_ns, event.source, event.level, event.text, data))
        yield line.getvalue()


def _about(log: Log, names: tuple[str, ...]) -> str:
    definition = Definition(log.header, tuple(log.channels[name] for name in names))
    return json.dumps(to_plain(definition) | {"problems": list(log.problems)}, indent=1) + "\n"


def _write(path: Path, lines: Iterator[str]) -> Path:
    """Write a file atomically."""

    def write(part: Path) -> None:
        with part.open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(lines)

    write_atomically(path, write)
    return path
