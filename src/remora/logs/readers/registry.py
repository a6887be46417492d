"""Log readers, registered or of the user: first bytes, ending or folder of a log determine which one reads it."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from remora.files.problems import Fix
from remora.files.user_code import raised_in
from remora.logs.from_series import check_log
from remora.logs.log import Log
from remora.logs.mcap.reader import LogReader, read_pieces
from remora.logs.mcap.records import MAGIC
from remora.logs.problems import LogError, no_channel
from remora.logs.readers.csv_reader import CSV
from remora.logs.readers.foreign_file import first_bytes, foreign_kind, shown
from remora.logs.readers.log_format import LogFile, LogFormat


def _begins(start: bytes) -> bool:
    """Whether a file begins as MCAP, or is cut within its first bytes."""
    return start.startswith(MAGIC) or MAGIC.startswith(start)


MCAP = LogFormat("MCAP logs of Remora", LogReader, _begins, (".mcap",))
FORMATS: tuple[LogFormat, ...] = (MCAP, CSV)  # the first that recognises a file reads it
_MOST_NAMES = 5


def read_log(path: str | PathLike[str], channels: Iterable[str] | None = None) -> Log:
    """Read a log into memory, by the reader of its format: all of it, or some of its channels.

    A cut or damaged log is read as far as possible: `log.complete` is then False and `log.problems` lists what is
    missing. A LogError is raised if nothing can be read; it names the known formats where this one is unknown.
    """
    log = opened_log(path)
    if isinstance(log, LogReader):
        with log as reader:
            return read_pieces(reader, channels)
    if channels is None:
        return log
    names = tuple(channels)
    for name in names:
        if name not in log.series:
            raise no_channel(name, log.series, path)
    return replace(log, series={name: log.series[name] for name in names})


def opened_log(path: str | PathLike[str]) -> Log | LogReader:
    """The log in memory, or an open reader where its format can be read in pieces; LogError where there is none."""
    chosen = format_of(path)
    if chosen is None:
        raise _unknown(Path(path))
    return chosen.read(Path(path))


def format_of(path: str | PathLike[str]) -> LogFormat | None:
    """The format of a log: by its first bytes, else by the reader of a `LogFile`, else by its ending; None if unknown.

    Raises a LogError for a file that is missing, cannot be opened or is empty, or whose bytes and ending are of
    different formats.
    """
    file, given = Path(path), user_format(path.read) if isinstance(path, LogFile) else None
    if file.is_dir():
        held = (one for one in FORMATS if one.folder and any(file.glob(one.folder)))
        return next(held, given)
    start = first_bytes(file)
    by_bytes = next((one for one in FORMATS if one.recognises(start)), None)
    by_ending = next((one for one in FORMATS if file.suffix.lower() in one.endings), None)
    if by_bytes is not None and by_ending is not None and by_bytes is not by_ending:
        name = file.with_suffix(by_bytes.endings[0]).name
        raise LogError(
            f"begins like {by_bytes.name}, but has the ending of {by_ending.name}. Rename it to {name}",
            path,
        )
    return by_bytes or given or by_ending


def _unknown(path: Path) -> LogError:
    """The error for a file or folder without a reader: what was found, and the known formats."""
    if path.is_dir():
        names = sorted(file.name for file in path.iterdir())
        more = ", ..." if len(names) > _MOST_NAMES else ""
        found = f"it holds {', '.join(names[:_MOST_NAMES])}{more}" if names else "there is nothing in it"
        what = f"is a folder without a log: {found}"
    else:
        start = first_bytes(path)
        kind = foreign_kind(start)
        what = f"is {kind}, not a log of Remora, and there is no reader for it" if kind else (
            f"is no log of a known format: it begins with {shown(start)}"
        )  # fmt: skip
    fix = Fix("For another format give {reader}.", {"reader": "my_file.py:read"}, {"reader": "a `LogFile`"})
    known = tuple(one.text for one in FORMATS)
    error = LogError(f"{what}. Known formats: {', '.join(known)}. {fix}", path)
    return error.about("reader", path.suffix, known, fix)


def user_format(read: Callable[[Path], Log]) -> LogFormat:
    """The format that a function of the user reads; it recognises no file by itself."""
    return LogFormat("logs of another format", partial(_read, read), lambda start: False)


def _read(read: Callable[[Path], Any], path: Path) -> Log:
    """The log that the function returns; its mistakes are reported with file and line."""
    code = getattr(read, "__code__", None)
    file = Path(code.co_filename) if code is not None else Path(getattr(read, "__module__", "reader"))
    name = f"{file}:{getattr(read, '__name__', type(read).__name__)}"
    try:
        log = read(path)
    except LogError as error:
        if error.file:
            raise
        raise LogError(error.message, path, byte=error.byte, line=error.line) from error
    except Exception as error:
        raise LogError(f"{raised_in(file, error)} while it read the log", path) from error
    if not isinstance(log, Log):
        found = type(log).__name__
        raise LogError(f"{name} returned {found}, not a Log. Build one with log_from_series of remora.logs", path)
    try:
        return check_log(log)
    except LogError as error:
        raise LogError(f"{name} returned a log that cannot be used: {error}", path) from error
