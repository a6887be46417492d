"""Reader of logs in CSV, as written by `to_csv`; mistakes are reported with file, line and column."""

import json
import re
from array import array
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from functools import partial
from math import isinf, isnan
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from remora.logs.csv_writer import ABOUT, EVENT_COLUMNS, TIME, file_name
from remora.logs.log import Log, Series
from remora.logs.mcap.definition import from_plain
from remora.logs.problems import LogError
from remora.logs.readers.log_format import LogFormat
from remora.logs.readers.tables import MOST_COLUMNS, UnreadableRowError, encoding_of, rows_of_cells
from remora.logs.schema import EVENTS, LEVELS, Channel, Event, Field, Kind, RunHeader

_COLUMN = re.compile(r"([A-Za-z][A-Za-z0-9_]*) \[([^\[\]]+)\]")
_WHOLE = re.compile(r"-?[0-9]{1,19}")
_DTYPES: dict[Kind, type] = {"float": np.float64, "int": np.int64, "bool": np.bool_}
_CODES: dict[Kind, str] = {"float": "d", "int": "q", "bool": "b"}  # of `array`


class _Line(NamedTuple):
    number: int  # counted from one
    cells: list[str]


def read_csv_log(path: str | PathLike[str], skip_bad: bool = False) -> Log:
    """Read a folder that `to_csv` wrote, or a single CSV file of one channel.

    A folder has `log.json` with the header and the channels. Without it, or for a single file, the kinds of the columns
    are taken from how the numbers are written, and the header of the log is empty.

    Parameters
    ----------
    path
        The folder or the file.
    skip_bad
        Leave bad lines out and count them in `log.problems`, instead of raising a LogError at the first.
    """
    path = Path(path)
    if not path.exists():
        raise LogError("cannot be read: No such file or folder", path)
    problems: list[str] = []
    header = RunHeader(version="", seed=0)
    channels: dict[str, Channel] = {}
    if path.is_dir() and (path / ABOUT).is_file():
        header, channels, problems = _read_about(path / ABOUT)
        files = {name: path / file_name(name) for name in channels}
    else:
        files = _found(path)
    series = {
        name: _read_series(file, name, channels.get(name), problems if skip_bad else None)
        for name, file in files.items()
    }
    events_file = path / f"{EVENTS}.csv"
    events = _read_events(events_file, problems if skip_bad else None) if events_file.is_file() else ()
    found = {name: one.channel for name, one in series.items()}
    return Log(header, found, series, events, not problems, tuple(problems))


def _found(path: Path) -> dict[str, Path]:
    """CSV files by the names of their channels."""
    files = sorted(path.glob("*.csv")) if path.is_dir() else [path]
    names = {file.stem.replace(".", "/"): file for file in files if file.name != f"{EVENTS}.csv" or file == path}
    if not names:
        raise LogError("holds no CSV file", path)
    return names


def _read_about(path: Path) -> tuple[RunHeader, dict[str, Channel], list[str]]:
    try:
        plain = json.loads(path.read_bytes())
        definition = from_plain(plain)
        problems = [str(words) for words in plain.get("problems", [])]
    except (ValueError, RecursionError) as error:
        raise LogError(f"is not as to_csv writes it: {error}", path) from None
    except OSError as error:
        raise LogError(f"cannot be read: {error.strerror}", path) from None
    return definition.header, {channel.name: channel for channel in definition.channels}, problems


def _read_series(path: Path, name: str, channel: Channel | None, skipped: list[str] | None) -> Series:
    head, lines = _read_lines(path, skipped)
    columns = _columns(path, head)
    if channel is None:
        channel = _guessed(path, name, columns, skipped is None)
    places = _places(path, columns, channel)
    converters = [_whole_time, *(_converter(field) for field in channel.fields)]
    labels = [TIME, *(f"{field.name} [{field.unit}]" for field in channel.fields)]
    kinds: list[Kind] = ["int", *(field.kind for field in channel.fields)]
    numbers = [array(_CODES[kind]) for kind in kinds]  # as objects of Python they would take ten times the memory
    last = 0
    for line in lines:
        try:
            row = _converted(line, places, converters, labels)
            if row[0] < last:
                raise ValueError(f"time {row[0]} comes after {last}: time must not go back")
        except ValueError as error:
            _bad(path, line.number, str(error), skipped)
            continue
        last = row[0]
        for column, number in zip(numbers, row, strict=True):
            column.append(number)
    arrays: list[npt.NDArray[Any]] = [
        np.array(column, _DTYPES[kind]) for column, kind in zip(numbers, kinds, strict=True)
    ]
    return Series(channel, arrays[0], dict(zip(channel.names, arrays[1:], strict=True)))


def _read_lines(path: Path, skipped: list[str] | None) -> tuple[list[str], Iterator[_Line]]:
    """The header line, and an iterator over the lines with as many values, without repeated headers."""
    lines = _all_lines(path)
    head = next(lines, None)
    if head is None:
        raise LogError("is empty: not even a line of names", path)
    return head.cells, _sound_lines(path, head, lines, skipped)


def _sound_lines(path: Path, head: _Line, lines: Iterator[_Line], skipped: list[str] | None) -> Iterator[_Line]:
    for line in lines:
        if not line.cells:
            continue
        if line.cells == head.cells:
            _bad(path, line.number, "the line of names stands here again", skipped)
        elif len(line.cells) != len(head.cells):
            fault = f"has {len(line.cells)} values, but line {head.number} names {len(head.cells)} columns"
            _bad(path, line.number, fault, skipped)
        else:
            yield line


def _all_lines(path: Path) -> Iterator[_Line]:
    try:
        encoding = encoding_of(path)
        if encoding == "utf-16":
            raise LogError("is UTF-16 text: save it as UTF-8", path, line=1)
        yield from map(_Line._make, rows_of_cells(path, encoding, ",", strict=True))
    except UnreadableRowError as fault:
        if fault.cells:
            raise LogError(f"is not a line of CSV: {fault.cells}", path, line=fault.line) from None
        what = f"a byte that is not UTF-8 text ({fault.byte:#04x}): save the file as UTF-8"
        raise LogError(f"here or soon after stands {what}", path, line=fault.line) from None
    except OSError as error:
        raise LogError(f"cannot be read: {error.strerror}", path) from None


def _bad(path: Path, line: int, fault: str, skipped: list[str] | None) -> None:
    """Raise an error for a line, or note that it was skipped."""
    error = LogError(fault, path, line=line)
    if skipped is None:
        raise error
    skipped.append(f"{path.name}:{line} left out: {fault}")


def _columns(path: Path, head: list[str]) -> dict[str, str]:
    """Units of the columns after the time by their names, in order."""
    if head[:1] != [TIME]:
        raise LogError(f'column 1 is "{head[0][:40] if head else ""}"; it must be "{TIME}"', path, line=1)
    if len(head) > MOST_COLUMNS:
        raise LogError(f"names {len(head)} columns, and a table has at most {MOST_COLUMNS}", path, line=1)
    columns: dict[str, str] = {}
    for place, cell in enumerate(head[1:], start=2):
        match = _COLUMN.fullmatch(cell)
        if not match:
            raise LogError(f'column {place} is "{cell[:40]}"; write the name and the unit: depth [m]', path, line=1)
        if match[1] in columns:
            raise LogError(f'column {place}: "{match[1]}" stands here for the second time', path, line=1)
        columns[match[1]] = match[2]
    return columns


def _guessed(path: Path, name: str, columns: dict[str, str], is_strict: bool) -> Channel:
    """A channel with field kinds inferred from the values, in a reading of its own."""
    _, lines = _read_lines(path, None if is_strict else [])
    whole, truth = [True] * len(columns), [True] * len(columns)
    missing = [False] * len(columns)
    is_empty = True
    for line in lines:
        is_empty = False
        for place, cell in enumerate(line.cells[1:]):
            whole[place] = whole[place] and _WHOLE.fullmatch(cell) is not None
            truth[place] = truth[place] and cell in ("True", "False")
            missing[place] = missing[place] or cell == "nan"
    fields = []
    for place, (field, unit) in enumerate(columns.items()):
        kind: Kind = "float" if is_empty else "bool" if truth[place] else "int" if whole[place] else "float"
        fields.append(Field(field, unit, kind=kind, optional=missing[place]))
    return Channel(name, tuple(fields))


def _places(path: Path, columns: dict[str, str], channel: Channel) -> list[int]:
    """Column indices of the time and of each field."""
    places = {name: place for place, name in enumerate(columns, start=1)}
    for field in channel.fields:
        if field.name not in columns:
            raise LogError(f'column "{field.name} [{field.unit}]" is missing', path, line=1)
        if (unit := columns[field.name]) != field.unit:
            words = f'"{field.name}" is in {unit} here, but in {field.unit} in {ABOUT}'
            raise LogError(f"column {places[field.name] + 1}: {words}", path, line=1)
    known = set(channel.names)
    if unknown := [name for name in columns if name not in known]:
        raise LogError(f'column "{unknown[0]}" is none of this channel: {", ".join(channel.names)}', path, line=1)
    return [0, *(places[name] for name in channel.names)]


def _converted(line: _Line, places: list[int], converters: list[Callable[[str], Any]], labels: list[str]) -> list[Any]:
    row = []
    for place, convert, label in zip(places, converters, labels, strict=True):
        try:
            row.append(convert(line.cells[place]))
        except ValueError as error:
            raise ValueError(f'column {place + 1} "{label}": "{line.cells[place][:40]}" {error}') from None
    return row


def _converter(field: Field) -> Callable[[str], Any]:
    if field.kind == "bool":
        return _truth
    if field.kind == "int":
        return _whole
    return _real_or_none if field.optional else _real


def _whole(cell: str) -> int:
    if not _WHOLE.fullmatch(cell) or not -1 << 63 <= int(cell) < 1 << 63:
        raise ValueError("is not a whole number")
    return int(cell)


def _whole_time(cell: str) -> int:
    if (time_ns := _whole(cell)) < 0:
        raise ValueError("is before the start")
    return time_ns


def _truth(cell: str) -> bool:
    if cell not in ("True", "False"):
        raise ValueError("is neither True nor False")
    return cell == "True"


def _real_or_none(cell: str) -> float:
    try:
        number = float(cell)
    except ValueError:
        raise ValueError("is not a number") from None
    if isinf(number) or "_" in cell:
        raise ValueError("is not a number that a log may hold")
    return number


def _real(cell: str) -> float:
    if isnan(number := _real_or_none(cell)):
        raise ValueError("is NaN, but only optional fields may be")
    return number


def _read_events(path: Path, skipped: list[str] | None) -> tuple[Event, ...]:
    head, lines = _read_lines(path, skipped)
    if tuple(head) != EVENT_COLUMNS:
        raise LogError(f"the columns must be {', '.join(EVENT_COLUMNS)}", path, line=1)
    events = []
    for line in lines:
        time, source, level, text, data = line.cells
        try:
            content = json.loads(data)
            if level not in LEVELS or not isinstance(content, dict):
                raise ValueError(f'level "{level}" or data "{data[:40]}" is none of an event')
            events.append(Event(_whole_time(time), source, level, text, content))
        except (ValueError, RecursionError) as error:
            _bad(path, line.number, f"is no event: {error}", skipped)
    return tuple(events)


def _begins(start: bytes) -> bool:
    return start.removeprefix(BOM_UTF8).startswith(TIME.encode())


CSV = LogFormat("CSV tables of Remora", partial(read_csv_log, skip_bad=True), _begins, (".csv",), "*.csv")
