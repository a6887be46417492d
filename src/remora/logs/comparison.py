"""Comparison of two logs: first difference by channel and time, exact or with a tolerance."""

from collections.abc import Iterator, Mapping
from os import PathLike
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from remora.logs.log import Log, Series
from remora.logs.mcap.layout import Rows, layout_of
from remora.logs.mcap.reader import LogPiece, LogReader
from remora.logs.problems import LogError, seconds
from remora.logs.readers.registry import opened_log
from remora.logs.schema import EVENTS, Channel, Event, RunHeader

Source: TypeAlias = Log | str | PathLike[str]

_ACTUATORS = ("commands", "inputs", "limited")  # channels whose fields may have the unit 1, in older logs


class Difference(NamedTuple):
    """First difference of two logs."""

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
    differing: tuple[Difference, ...] = ()  # first difference of each channel, as far as read; by time

    @property
    def same(self) -> bool:
        """Whether nothing differs: header, channels, values, events."""
        return not any(self)

    @property
    def same_values(self) -> bool:
        """Whether all channels and values are the same, whatever the header says."""
        return not any(self._replace(header=()))

    def __str__(self) -> str:
        lines = [line for entry in self.header for line in _header_lines(*entry)]
        lines += [f"only the first log has {name}" for name in self.only_in_first]
        lines += [f"only the second log has {name}" for name in self.only_in_second]
        lines += [f"{name} has other fields, units or frames" for name in self.redefined]
        lines += [f"first difference: {self.difference}"] if self.difference else []
        return "\n".join([*lines, *self.problems]) or "the logs are the same"


def compare(first: Source, second: Source, *, tolerance: float = 0.0, every_channel: bool = False) -> Comparison:
    """Compare two logs, by default exactly: NaN equals NaN, and 0.0 differs from -0.0.

    Logs given by path are read side by side in pieces, so they may be larger than the memory.

    Parameters
    ----------
    first, second
        Logs in memory, or their files.
    tolerance
        Floats a and b are taken as equal while |a - b| is at most this times the largest of 1, |a| and |b|. Times,
        integers, booleans and events are always compared exactly.
    every_channel
        Read both logs to their ends, so that `differing` covers every channel; else reading stops soon after the
        first difference.
    """
    if not 0.0 <= tolerance < 1.0:
        raise LogError(f"tolerance is {tolerance}: it must be in [0, 1)")
    with _Side(first) as a, _Side(second) as b:
        shared = [name for name in a.channels if name in b.channels]
        redefined = tuple(name for name in shared if _is_redefined(a.channels[name], b.channels[name]))
        found = _differences(a, b, [name for name in shared if name not in redefined], tolerance, every_channel)
        return Comparison(
            difference=found[0] if found else None,
            header=_header_differences(a.header, b.header),
            only_in_first=tuple(name for name in a.channels if name not in b.channels),
            only_in_second=tuple(name for name in b.channels if name not in a.channels),
            redefined=redefined,
            problems=(
                *(f"first log: {words}" for words in a.problems()),
                *(f"second log: {words}" for words in b.problems()),
            ),
            differing=found,
        )


def _header_lines(word: str, first: Any, second: Any) -> list[str]:
    """An entry of two headers that differs; of tables only their own entries that do."""
    if not (isinstance(first, Mapping) and isinstance(second, Mapping)):
        return [f"{word} is {first!r} and {second!r}"]
    keys = [key for key in dict.fromkeys((*first, *second)) if first.get(key) != second.get(key)]
    return [f"{word} of {key} is {first.get(key)!r:.200} and {second.get(key)!r:.200}" for key in keys]


def _is_redefined(first: Channel, second: Channel) -> bool:
    """Whether two channels of a name differ in fields, units or frames; inputs of actuators may lack their units."""
    if first == second:
        return False
    if first.name.rpartition("/")[2] not in _ACTUATORS or len(first.fields) != len(second.fields):
        return True
    pairs = zip(first.fields, second.fields, strict=True)
    same = (a == b or (a._replace(unit="1") == b._replace(unit="1") and "1" in (a.unit, b.unit)) for a, b in pairs)
    return not all(same)


def _header_differences(first: RunHeader, second: RunHeader) -> tuple[tuple[str, Any, Any], ...]:
    pairs = zip(RunHeader._fields, first, second, strict=True)
    return tuple((name, a, b) for name, a, b in pairs if a != b)


class _Side:
    """One of the two logs as a stream of pieces."""

    def __init__(self, source: Source) -> None:
        self._source = source if isinstance(source, Log) else opened_log(source)
        self.header = self._source.header
        self.channels: Mapping[str, Channel] = self._source.channels
        self._pieces: Iterator[LogPiece]
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
        """Read the next piece; its earliest time, or None at the end."""
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


def _piece(log: Log) -> LogPiece:
    """A log in memory as a single piece."""
    return LogPiece(tuple((name, _rows(series)) for name, series in log.series.items()), log.events)


def _rows(series: Series) -> Rows:
    rows = np.empty(len(series), layout_of(series.channel, 1).row)
    rows["time"] = series.time_ns
    for name, column in series.columns.items():
        rows[name] = column
    return rows


def _differences(a: _Side, b: _Side, names: list[str], tolerance: float, every_channel: bool) -> tuple[Difference, ...]:
    """The first difference of each channel, by time: read until nothing earlier can come, or to the ends."""
    found: dict[str, Difference] = {}
    while not (a.done and b.done):
        starts = [side.pull(names) for side in (a, b) if not side.done]
        for name in [name for name in names if name not in found]:
            if difference := _differing_rows(a, b, name, tolerance):
                found[name] = difference
        if EVENTS in found:
            a.events, b.events = [], []
        elif difference := _differing_events(a, b):
            found[EVENTS] = difference
        names = [name for name in names if name not in found]
        earliest = min((difference.time_ns for difference in found.values()), default=None)
        passed = earliest is not None and all(start is None or start > earliest for start in starts)
        if passed and not every_channel:
            break
    order = [*a.channels, EVENTS]
    return tuple(sorted(found.values(), key=lambda item: (item.time_ns, order.index(item.channel))))


def _differing_rows(a: _Side, b: _Side, name: str, tolerance: float) -> Difference | None:
    """Compare the rows of a channel that both sides have; keep the rest."""
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
    row = _first_differing_row(first[:common], second[:common], tolerance)
    if row is not None:
        return _differing_field(name, first[row : row + 1], second[row : row + 1], tolerance)
    for rows, side in ((first, a), (second, b)):
        if len(rows) > common:
            side.waiting[name] = [rows[common:]]
    return _differing_rows(a, b, name, tolerance) if len(first) != len(second) else None


def _lonely(name: str, rows: Rows, in_first: bool) -> Difference:
    """A row that only one log has."""
    value = rows[0].item()
    return Difference(name, value[0], "", value if in_first else None, None if in_first else value)


def _first_differing_row(first: Rows, second: Rows, tolerance: float) -> int | None:
    """The first row where anything differs."""
    differs = np.zeros(len(first), bool)
    for name in first.dtype.names or ():
        differs |= _differing(first[name], second[name], tolerance)
    return int(np.argmax(differs)) if differs.any() else None


def _differing(a: npt.NDArray[Any], b: npt.NDArray[Any], tolerance: float) -> npt.NDArray[np.bool_]:
    """Where two columns differ: floats bit by bit except for NaN, or by more than the tolerance."""
    if a.dtype.kind != "f":
        return np.asarray(a != b)
    neither = np.isnan(a) & np.isnan(b)
    if tolerance == 0.0:
        bits = [np.ascontiguousarray(column).view(np.int64) for column in (a, b)]
        return (bits[0] != bits[1]) & ~neither
    with np.errstate(over="ignore"):  # an overflow counts as a difference
        allowed = tolerance * np.maximum(1.0, np.maximum(np.abs(a), np.abs(b)))
        return ~(np.abs(a - b) <= allowed) & ~neither


def _differing_field(name: str, first: Rows, second: Rows, tolerance: float) -> Difference:
    """The first field that differs in a pair of rows, each an array of one."""
    for field in first.dtype.names or ():
        if _differing(first[field], second[field], tolerance)[0]:
            time_ns = min(first["time"].item(), second["time"].item())
            return Difference(name, time_ns, field, first[field].item(), second[field].item())
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
