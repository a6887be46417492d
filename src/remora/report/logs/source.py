"""Logs of any format as one stream: files in pieces or as a whole, logs in memory."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike, fspath
from typing import NamedTuple, TypeAlias

from remora.logs import Channel, Event, Log, LogReader, RunHeader, Series, opened_log
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
    log = source if isinstance(source, Log) else opened_log(source)
    path = "" if isinstance(source, Log) else fspath(source)
    if isinstance(log, Log):
        yield OpenLog(log, path)
    else:
        with log:
            yield OpenLog(log, path)
