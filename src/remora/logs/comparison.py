"""Two logs side by side: the first channel and time at which they differ, to the last bit."""

from collections.abc import Iterator, Mapping
from os import PathLike
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from remora.logs.layout import Rows, layout_of
from remora.logs.log import Log, Series
from remora.logs.problems import seconds
from remora.logs.reader import LogReader, Piece
from remora.logs.schema import EVENTS, Channel, Event, RunHeader

Source: TypeAlias = Log | str | PathLike[str]


class Difference(NamedTuple):
    """The first place where two logs hold different values."""

    channel: str
    time_ns: int
    field: str  # "time" where the times differ; empty where one log has a row and the other has none
    first: Any  # the value in the first log; None where it has none
    second: Any

    def __str__(self) -> str:
        where = f"{self.channel} at {seconds(self.time_ns)}"
        if not self.field:
            return f"{where}: only the {'second' if self.first is None else 'first'} log has this row"
        return f"{where}: {self.field} is {self.first!r} and {self.second!r}"


class Comparison(NamedTuple):
    """How two logs differ."""

    difference: Difference | None  # the earliest in time
    header: tuple[tuple[str, Any, Any], ...]  # entries of the header that differ: name, first, second
    only_in_first: tuple[str, ...]  # channels
    only_in_second: tuple[str, ...]
    redefined: tuple[str, ...]  # channels whose fields, units or frames differ; their values are not compared
    problems: tuple[str, ...]  # damage found on the way

    @property
    def same(self) -> bool:
        """Whether nothing differs: header, channels, values, events."""
        return not any(self)

    @property
    def same_values(self) -> bool:
        """Whether all channels and values are the same, whatever the header says."""
        return not any(self._replace(header=()))

    def __str__(self) -> str:
        lines = [f"{word} is {first!r} and {second!r}" for word, first, second in self.header]
        lines += [f"only the first log has {name}" for name in self.only_in_first]
        lines += [f"only the second log has {name}" for name in self.only_in_second]
        lines += [f"{name} has other fields, units or frames" for name in self.redefined]
        lines += [f"first difference: {self.difference}"] if self.difference else []
        return "\n".join([*lines, *self.problems]) or "the logs are the same"


def compare(first: Source, second: Source) -> Comparison:
    """Compare two logs exactly: NaN equals NaN, and 0.0 differs from -0.0.

    Logs given by path are read side by side in pieces, so they may be larger than the memory, and reading stops
    soon after the first difference.
    """
    with _Side(first) as a, _Side(second) as b:
        shared = [name for name in a.channels if name in b.channels]
        redefined = tuple(name for name in shared if a.channels[name] != b.channels[name])
        found = _first_difference(a, b, [name for name in shared if name not in redefined])
        return Comparison(
            difference=found,
            header=_header_differences(a.header, b.header),
            only_in_first=tuple(name for name in a.channels if name not in b.channels),
            only_in_second=tuple(name for name in b.channels if name not in a.channels),
            redefined=redefined,
            problems=(
                *(f"first log: {words}" for words in a.problems()),
                *(f"second log: {words}" for words in b.problems()),
            ),
        )


def _header_differences(first: RunHeader, second: RunHeader) -> tuple[tuple[str, Any, Any], ...]:
    pairs = zip(RunHeader._fields, first, second, strict=True)
    return tuple((name, a, b) for name, a, b in pairs if a != b)


class _Side:
    """One of the two logs, in memory or in a file, as a stream of pieces."""

    def __init__(self, source: Source) -> None:
        self._source = source if isinstance(source, Log) else LogReader(source)
        self.header = self._source.header
        self.channels: Mapping[str, Channel] = self._source.channels
        self._pieces: Iterator[Piece]
        if isinstance(self._source, Log):
            self.channels = {name: series.channel for name, series in self._source.series.items()}
            self._pieces = iter([_piece(self._source)])
        else:
            self._pieces = self._source.pieces()
        self.waiting: dict[str, list[Rows]] = {}
        self.events: list[Event] = []
        self.done = False

    def problems(self) -> tuple[str, ...]:
        return self._source.problems

    def pull(self, names: list[str]) -> int | None:
        """Take the next piece; its earliest time, or None at the end."""
        piece = next(self._pieces, None)
        if piece is None:
            self.done = True
            return None
        self.events += piece.events
        for name, rows in piece.rows:
            if name in names:
                self.waiting.setdefault(name, []).append(rows)
        times = [int(rows["time"][0]) for _, rows in piece.rows if len(rows)] + [e.time_ns for e in piece.events]
        return min(times, default=0)

    def take(self, name: str) -> Rows | None:
        """The rows of a channel that wait to be compared."""
        pieces = self.waiting.pop(name, [])
        return np.concatenate(pieces) if pieces else None

    def __enter__(self) -> "_Side":
        return self

    def __exit__(self, *_: object) -> None:
        if isinstance(self._source, LogReader):
            self._source.close()


def _piece(log: Log) -> Piece:
    """A log in memory as a single piece."""
    return Piece(tuple((name, _rows(series)) for name, series in log.series.items()), log.events)


def _rows(series: Series) -> Rows:
    rows = np.empty(len(series), layout_of(series.channel, 1).row)
    rows["time"] = series.time_ns
    for name, column in series.columns.items():
        rows[name] = column
    return rows


def _first_difference(a: _Side, b: _Side, names: list[str]) -> Difference | None:
    """Read on both sides until a difference is found and nothing earlier can come."""
    found: dict[str, Difference] = {}
    while not (a.done and b.done):
        starts = [side.pull(names) for side in (a, b) if not side.done]
        for name in [name for name in names if name not in found]:
            if difference := _differing_rows(a, b, name):
                found[name] = difference
        if EVENTS not in found and (difference := _differing_events(a, b)):
            found[EVENTS] = difference
        names = [name for name in names if name not in found]
        earliest = min((difference.time_ns for difference in found.values()), default=None)
        if earliest is not None and all(start is None or start > earliest for start in starts):
            break
    order = [*a.channels, EVENTS]
    return min(found.values(), key=lambda item: (item.time_ns, order.index(item.channel)), default=None)


def _differing_rows(a: _Side, b: _Side, name: str) -> Difference | None:
    """Compare as many rows of a channel as both sides have; keep the rest for later."""
    first, second = a.take(name), b.take(name)
    if first is None or second is None:
        left, side, other = (second, b, a) if first is None else (first, a, b)
        if left is None or len(left) == 0:
            return None
        if other.done:
            return _lonely(name, left, side is a)
        side.waiting[name] = [left]
        return None
    common = min(len(first), len(second))
    row = _first_differing_row(first[:common], second[:common])
    if row is not None:
        return _differing_field(name, first[row], second[row])
    for rows, side in ((first, a), (second, b)):
        if len(rows) > common:
            side.waiting[name] = [rows[common:]]
    return _differing_rows(a, b, name) if len(first) != len(second) else None


def _lonely(name: str, rows: Rows, in_first: bool) -> Difference:
    """A row that only one log has."""
    value = rows[0].item()
    return Difference(name, value[0], "", value if in_first else None, None if in_first else value)


def _first_differing_row(first: Rows, second: Rows) -> int | None:
    """The first row where anything differs, bit by bit except for NaN."""
    differs: npt.NDArray[np.bool_] = first["time"] != second["time"]
    for name in first.dtype.names or ():
        a, b = np.ascontiguousarray(first[name]), np.ascontiguousarray(second[name])
        if a.dtype.kind == "f":
            differs |= (a.view(np.int64) != b.view(np.int64)) & ~(np.isnan(a) & np.isnan(b))
        else:
            differs |= a != b
    return int(np.argmax(differs)) if differs.any() else None


def _differing_field(name: str, first: Any, second: Any) -> Difference:
    pairs: Iterator[tuple[str, Any, Any]] = zip(first.dtype.names, first.item(), second.item(), strict=True)
    for field, a, b in pairs:
        if repr(a) != repr(b):
            return Difference(name, min(first["time"].item(), second["time"].item()), field, a, b)
    raise AssertionError("rows were said to differ")


def _differing_events(a: _Side, b: _Side) -> Difference | None:
    common = min(len(a.events), len(b.events))
    for first, second in zip(a.events[:common], b.events[:common], strict=True):
        if first != second:
            return Difference(EVENTS, min(first.time_ns, second.time_ns), "event", first, second)
    del a.events[:common], b.events[:common]
    if a.events and b.done:
        return Difference(EVENTS, a.events[0].time_ns, "", a.events[0], None)
    if b.events and a.done:
        return Difference(EVENTS, b.events[0].time_ns, "", None, b.events[0])
    return None
