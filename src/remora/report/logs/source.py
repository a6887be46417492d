"""Logs of any kind as one stream: MCAP files in pieces, CSV folders and files, logs in memory."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import NamedTuple, TypeAlias

from remora.logs import Channel, Event, Log, LogReader, RunHeader, Series, read_csv_log
from remora.logs.log import series_of_rows

Source: TypeAlias = Log | str | PathLike[str]


class SeriesPiece(NamedTuple):
    """Values and events of a short interval."""

    series: tuple[Series, ...]
    events: tuple[Event, ...]


class OpenLog:
    """Header and channels at once, values by `pieces`, damage by `problems` after the last piece."""

    def __init__(self, log: Log | LogReader, path: str = "") -> None:
        self._log = log
        self.path = path  # empty for a log in memory
        self.header: RunHeader = log.header
        self.channels: Mapping[str, Channel] = log.channels

    @property
    def problems(self) -> tuple[str, ...]:
        """Damage and gaps of the log."""
        return self._log.problems

    def pieces(self) -> Iterator[SeriesPiece]:
        """All values and events, piece by piece."""
        if isinstance(self._log, Log):
            yield SeriesPiece(tuple(self._log.series.values()), self._log.events)
            return
        for piece in self._log.pieces():
            yield SeriesPiece(
                tuple(series_of_rows(self.channels[name], rows) for name, rows in piece.rows), piece.events
            )


@contextmanager
def open_log(source: Source) -> Iterator[OpenLog]:
    """Open a log; LogError where there is none to read."""
    if isinstance(source, Log):
        yield OpenLog(source)
    elif (whole := csv_log(source)) is not None:
        yield OpenLog(whole, fspath(source))
    else:
        with LogReader(source) as reader:
            yield OpenLog(reader, fspath(source))


def csv_log(path: str | PathLike[str]) -> Log | None:
    """The log of a CSV file, or of a folder with CSV files; None for anything else, which must then be an MCAP file."""
    path = Path(path)
    in_folder = path.is_dir() and any(path.glob("*.csv"))
    return read_csv_log(path, skip_bad=True) if in_folder or path.suffix.lower() == ".csv" else None
