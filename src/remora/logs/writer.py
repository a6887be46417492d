"""Log writer: rows are written in chunks during the run, with bounded memory."""

import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from os import SEEK_END, PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple, Self, final

import numpy.typing as npt
from numpy import ndarray

from remora.files.writing import make_folder_of
from remora.logs.mcap.chunks import BuiltChunk, MessageGroup, build_chunk, group_of_events, group_of_rows
from remora.logs.mcap.definition import Definition, check_header
from remora.logs.mcap.descriptor import encode_event
from remora.logs.mcap.layout import HEAD_SIZE, ChannelBuffer, Rows, layout_of
from remora.logs.mcap.preamble import Preamble, build_preamble
from remora.logs.mcap.records import (
    CHANNEL,
    CHUNK_INDEX,
    DATA_END,
    FOOTER,
    MAGIC,
    METADATA_INDEX,
    SCHEMA,
    STATISTICS,
    SUMMARY_OFFSET,
    number_map,
    record,
)
from remora.logs.problems import LogError, no_channel, seconds
from remora.logs.schema import Channel, Event, Level, RunHeader, check_channels

CHUNK_BYTES = 1 << 20
CHUNK_NS = 10_000_000_000
_LARGEST_CHUNK_BYTES = 8 << 20  # four times this, plus records, is below the limit of the reader


class Totals(NamedTuple):
    """Message counts for the summary."""

    counts: Mapping[int, int]  # channel -> messages
    chunks: int
    first: int
    last: int


class _Written(NamedTuple):
    """State of the file after the last complete write."""

    end: int  # the byte after it
    checksum: int
    totals: Totals


class LogMark(NamedTuple):
    """Position in a log at a checkpoint."""

    time_ns: int
    rows: dict[str, int]  # channel -> rows
    events: int


@final
class LogWriter:
    """Writes a log. Use it with `with`, so that the log is always closed.

    Rows are held until a chunk of them is full: about `chunk_bytes` of values or `chunk_ns` of run time, whichever
    comes first, counted when the time moves on. What is in the file stays readable if the process dies; a killed
    process loses the chunk that was not full yet. Ctrl-C and exceptions lose nothing. The same calls give the same
    bytes. Not for several threads at once.

    Parameters
    ----------
    path
        The file, replaced if it exists.
    header, channels
        Description of the log.
    chunk_bytes, chunk_ns
        When to write: bytes of values held (at most 8 MiB), and nanoseconds of run time.

    Raises
    ------
    LogError
        The file cannot be opened, or the channels are invalid.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        header: RunHeader,
        channels: Iterable[Channel],
        *,
        chunk_bytes: int = CHUNK_BYTES,
        chunk_ns: int = CHUNK_NS,
    ) -> None:
        self.path = fspath(path)
        if not 1 <= chunk_bytes <= _LARGEST_CHUNK_BYTES or chunk_ns < 1:
            raise LogError(
                f"chunks of {chunk_bytes} bytes or {chunk_ns} ns: at least 1, at most {_LARGEST_CHUNK_BYTES}"
            )
        definition = Definition(_checked(header), check_channels(channels))
        self._chunk_bytes, self._ceiling, self._chunk_ns = chunk_bytes, 4 * chunk_bytes, chunk_ns
        self._lines = {
            channel.name: ChannelBuffer(channel, identity, layout_of(channel, identity))
            for identity, channel in enumerate(definition.channels, start=1)
        }
        self._events_channel = len(definition.channels) + 1
        self._events: list[tuple[int, bytes]] = []
        self._pending = 0  # bytes of buffered values
        self._opened = self._now = 0  # times of the first and the latest
        self._indexes: list[bytes] = []
        self._preamble = build_preamble(definition)
        self._written = _Written(0, 0, Totals({}, 0, 0, 0))
        self._closed = False
        try:
            make_folder_of(Path(self.path))
            self._file = open(self.path, "wb", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise LogError(f"cannot be written: {error.strerror}", self.path) from None
        try:
            self._append(self._preamble.data)
        except BaseException:
            self._file.close()
            raise
        self._written = self._after(self._preamble.data, self._written.totals)

    def write(self, channel: str, time_ns: int, values: Sequence[float] | npt.NDArray[Any]) -> None:
        """Write one row: the values of a channel, in the order of its fields. Times of a channel must not go back."""
        line = self._lines.get(channel)
        if line is None:
            raise self._refusal(channel)
        numbers: Sequence[float] = values.tolist() if isinstance(values, ndarray) else values
        try:
            row = line.pack(time_ns, *numbers)
            fine = isfinite(sum(numbers))
        except (struct.error, TypeError, ValueError, OverflowError):
            raise line.explain(time_ns, numbers) from None
        if not fine or line.always_check or time_ns < line.last:
            line.check(time_ns, numbers, line.last)
        if time_ns != self._now or self._pending > self._ceiling:
            self._advance(time_ns)
            line = self._lines[channel]
        line.rows += row
        line.last = time_ns
        self._pending += line.size

    def write_rows(self, channel: str, times_ns: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """Write many rows of a channel at once, from arrays: a row per time, a column per field."""
        line = self._lines.get(channel)
        if line is None:
            raise self._refusal(channel)
        rows = line.packed(times_ns, values)
        step = -(-self._chunk_bytes // line.size)
        for start in range(0, len(rows), step):
            self._take(channel, rows[start : start + step])

    def _take(self, channel: str, rows: Rows) -> None:
        """Buffer checked rows, at most one chunk."""
        self._advance(int(rows["time"][0]))
        line = self._lines[channel]
        line.rows += rows.tobytes()
        line.last = self._now = int(rows["time"][-1])
        self._pending += rows.nbytes

    def event(self, time_ns: int, source: str, level: Level, text: str, data: Mapping[str, Any] | None = None) -> None:
        """Write an event of the reporting part, with data that JSON can hold; time since the start of the run."""
        if self._closed:
            raise LogError("the log is closed", self.path)
        content = encode_event(Event(time_ns, source, level, text, data or {}))
        if time_ns != self._now or self._pending > self._ceiling:
            self._advance(time_ns)
        self._events.append((time_ns, content))
        self._pending += HEAD_SIZE + len(content)

    def _advance(self, time_ns: int) -> None:
        """Advance the time; write the chunk if it is full."""
        if self._pending and (self._pending >= self._chunk_bytes or time_ns >= self._opened + self._chunk_ns):
            self.flush()
        if not self._pending:
            self._opened = time_ns
        self._now = time_ns

    def flush(self) -> None:
        """Write everything buffered to the file, as one chunk."""
        if self._closed:
            raise LogError("the log is closed", self.path)
        groups = self._groups()
        if not groups:
            return
        chunk = build_chunk(groups, self._written.end)
        self._append(chunk.data)
        emptied = {name: line.emptied() for name, line in self._lines.items()}
        written = self._after(chunk.data, _added(self._written.totals, groups, chunk))
        del self._indexes[self._written.totals.chunks :]
        self._indexes.append(chunk.listing)
        # Nothing may come between these: a Ctrl-C would leave rows that are both in the file and waiting. No call
        # happens here, and Python only interrupts at calls and at the end of loops.
        self._lines, self._events, self._pending, self._written = emptied, [], 0, written
        self._opened = self._now

    def mark(self) -> LogMark:
        """Flush, and return the position in the log for `resume_log`."""
        self.flush()
        return self.held()

    def held(self) -> LogMark:
        """Position in the log so far."""
        counts = self._written.totals.counts
        rows = {name: counts.get(line.identity, 0) for name, line in self._lines.items()}
        return LogMark(int(self._now), rows, counts.get(self._events_channel, 0))

    def take_over(self, rows: Iterable[tuple[str, Rows]], events: Iterable[Event], time_ns: int | None = None) -> None:
        """Write a chunk read from another log, and set the current time."""
        for name, some in rows:
            line = self._lines[name]
            line.rows += some.tobytes()
            line.last = int(some["time"][-1])
        self._events += [(event.time_ns, encode_event(event)) for event in events]
        self.flush()
        if time_ns is not None:
            self._opened = self._now = time_ns

    def _groups(self) -> list[MessageGroup]:
        counts = self._written.totals.counts
        groups = [
            group_of_rows(line.identity, line.layout, line.waiting(), counts.get(line.identity, 0))
            for line in self._lines.values()
            if line.rows
        ]
        if self._events:
            sequence = counts.get(self._events_channel, 0)
            groups.append(group_of_events(self._events_channel, self._events, sequence))
        return groups

    def _append(self, data: bytes) -> None:
        """Append to the file, completely or not at all."""
        try:
            if self._file.seek(0, SEEK_END) != self._written.end:  # interrupted after the last write
                self._file.truncate(self._file.seek(self._written.end))
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
        except BaseException as error:
            self._cut()
            if isinstance(error, OSError):
                raise self._failure(error) from None
            raise

    def _cut(self) -> None:
        """Truncate a partial write. If that fails, the reader drops it."""
        try:
            self._file.truncate(self._written.end)
        except OSError:
            return

    def _failure(self, error: OSError) -> LogError:
        last = self._written.totals.last
        kept = f"readable up to {seconds(last)}" if self._written.totals.chunks else "without any values"
        return LogError(f"could not be written: {error.strerror or error}. What is in the file is {kept}.", self.path)

    def _after(self, data: bytes, totals: Totals) -> _Written:
        return _Written(self._written.end + len(data), zlib.crc32(data, self._written.checksum), totals)

    def _refusal(self, channel: str) -> LogError:
        if self._closed:
            return LogError("the log is closed", self.path)
        return no_channel(channel, self._lines, self.path)

    def close(self) -> None:
        """Flush, write the index and close the file. A second call does nothing."""
        if self._closed:
            return
        try:
            self.flush()
            written = self._written
            self._append(build_ending(self._preamble, self._indexes, written.totals, written.end, written.checksum))
        finally:
            self._closed, self._lines = True, {}
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        try:
            self.close()
        except LogError as failure:
            if error is None:
                raise
            error.add_note(str(failure))  # the first error is the one to report


def _checked(header: RunHeader) -> RunHeader:
    try:
        return check_header(header)
    except ValueError as error:
        raise LogError(str(error)) from None


def _added(totals: Totals, groups: list[MessageGroup], chunk: BuiltChunk) -> Totals:
    counts = dict(totals.counts)
    for group in groups:
        counts[group.channel] = counts.get(group.channel, 0) + len(group.times)
    first = min(totals.first, chunk.first) if totals.chunks else chunk.first
    return Totals(counts, totals.chunks + 1, first, max(totals.last, chunk.last))


def build_ending(preamble: Preamble, indexes: list[bytes], totals: Totals, position: int, checksum: int) -> bytes:
    """Everything after the data, whose CRC32 is the checksum: end record, summary with chunk indexes, and footer."""
    end = record(DATA_END, struct.pack("<I", checksum))
    groups = {
        SCHEMA: preamble.schemas,
        CHANNEL: preamble.channels,
        STATISTICS: _statistics(preamble, totals),
        CHUNK_INDEX: b"".join(indexes),
        METADATA_INDEX: preamble.metadata_index,
    }
    start = offset = position + len(end)
    offsets = []
    for opcode, data in groups.items():
        if data:
            offsets.append(record(SUMMARY_OFFSET, struct.pack("<BQQ", opcode, offset, len(data))))
        offset += len(data)
    summary = b"".join([*groups.values(), *offsets])
    footer = struct.pack("<BQQQ", FOOTER, 20, start, offset)
    return b"".join([end, summary, footer, struct.pack("<I", zlib.crc32(summary + footer)), MAGIC])


def _statistics(preamble: Preamble, totals: Totals) -> bytes:
    """Counts of messages, schemas, channels, attachments, metadata records and chunks, times, messages by channel."""
    count = preamble.channel_count
    numbers = struct.pack(
        "<QHIIIIQQ", sum(totals.counts.values()), count, count, 0, 1, totals.chunks, totals.first, totals.last
    )
    return record(STATISTICS, numbers, number_map(totals.counts))
