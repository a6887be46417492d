"""Log reader: whole into memory, or in pieces for large files; cut and damaged files as far as they can be read."""

import os
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import BinaryIO, NamedTuple, Self, final

import numpy as np

from remora.logs.log import Log, Series, joined, series_of_rows
from remora.logs.mcap.chunks import LARGEST_CHUNK, Content, open_chunk, parse_chunk
from remora.logs.mcap.definition import NAME, Definition, from_texts
from remora.logs.mcap.layout import Rows, layout_of
from remora.logs.mcap.preamble import PROFILE
from remora.logs.mcap.records import CHUNK, DATA_END, FOOTER, FOOTER_SIZE, HEADER, MAGIC, METADATA, RecordContent
from remora.logs.problems import LogError, Problems, no_channel, seconds
from remora.logs.readers.foreign_file import described, open_mcap
from remora.logs.schema import Channel, Event

_LARGEST_RECORD = LARGEST_CHUNK + (1 << 20)
_BLOCK = 1 << 20


class McapRecord(NamedTuple):
    """One record of the data section."""

    opcode: int
    position: int  # of its first byte
    body: bytes


class LogPiece(NamedTuple):
    """Content of one chunk."""

    rows: tuple[tuple[str, Rows], ...]  # channel and rows
    events: tuple[Event, ...]


@final
class LogReader:
    """An open log: header and channels at once, values chunk by chunk. Use it with `with`.

    Raises a LogError when the file is no log of Remora, or damaged before its first value.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self._file = open_mcap(self.path)
        try:
            definition = self._definition()
        except BaseException:
            self._file.close()
            raise
        self.header = definition.header
        self.channels = {channel.name: channel for channel in definition.channels}
        self._names = dict(enumerate(self.channels, start=1))
        self.layouts = {identity: layout_of(self.channels[name], identity) for identity, name in self._names.items()}
        self._problems = Problems()

    @property
    def problems(self) -> tuple[str, ...]:
        """Damage found so far; complete once `pieces` is exhausted."""
        return self._problems.words()

    def _definition(self) -> Definition:
        """The header and the channels, from the first records."""
        problems = Problems()
        for record in scan(self._file, problems):
            if record.opcode == HEADER and not _is_ours(record):
                raise LogError(described(self._file, record.body), self.path)
            if record.opcode == METADATA:
                try:
                    return _definition_from(record.body)
                except LogError as error:
                    raise LogError(error.message, self.path, byte=record.position) from None
                except ValueError as error:
                    raise LogError(str(error), self.path, byte=record.position) from None
            if record.opcode == CHUNK:
                break
        cause = f": {'; '.join(problems.words())}" if problems else ""
        raise LogError(f"has no list of channels before its data, so it cannot be read{cause}", self.path)

    def pieces(self) -> Iterator[LogPiece]:
        """Content of the file, chunk by chunk; damaged chunks are skipped and noted in `problems`."""
        expected: dict[int, int] = {}
        last: dict[int, int] = {}
        try:
            for record in scan(self._file, self._problems):
                if record.opcode == CHUNK and (content := self._content(record)):
                    self._check_gaps(content, expected, last)
                    yield self._piece(content)
        except OSError as error:
            raise LogError(f"cannot be read: {error.strerror}", self.path) from None

    def _content(self, record: McapRecord) -> Content | None:
        try:
            return parse_chunk(open_chunk(record.body), self.layouts, len(self.channels) + 1)
        except ValueError as error:
            self._problems.add(f"{error}; its values are left out", record.position)
            return None

    def _piece(self, content: Content) -> LogPiece:
        rows = tuple((self._names[channel], rows) for channel, rows, _ in content.runs)
        return LogPiece(rows, tuple(event for _, event in content.events))

    def _check_gaps(self, content: Content, expected: dict[int, int], last: dict[int, int]) -> None:
        """Note where numbers of a channel are missing, or its time goes back."""
        for channel, rows, sequences in content.runs:
            name = self._names[channel]
            start = expected.get(channel, 0)
            numbers, times = sequences.astype(np.int64), rows["time"]
            if not np.array_equal(numbers, (start + np.arange(len(numbers))) & 0xFFFFFFFF):
                missing = (int(numbers[0]) - start) & 0xFFFFFFFF
                fault = f"{missing} rows are missing" if 0 < missing < 1 << 31 else "rows are in disorder"
                self._problems.add(f"channel {name}: {fault} before {seconds(int(times[0]))}")
            if times[0] < last.get(channel, 0) or (times[1:] < times[:-1]).any():
                self._problems.add(f"channel {name}: time goes back after {seconds(int(times[0]))}")
            expected[channel], last[channel] = int(numbers[-1]) + 1, int(times[-1])
        for number, event in content.events:
            if number != expected.get(0, 0) & 0xFFFFFFFF:
                self._problems.add(f"events are missing before {seconds(event.time_ns)}")
            expected[0] = number + 1

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_pieces(reader: LogReader, channels: Iterable[str] | None = None) -> Log:
    """All pieces of an open log as one in memory, or some of its channels."""
    wanted = _wanted(reader, channels)
    pieces: dict[str, list[Rows]] = {name: [] for name in wanted}
    events: list[Event] = []
    for piece in reader.pieces():
        events += piece.events
        for name, rows in piece.rows:
            if name in pieces:
                pieces[name].append(rows)
    rows_of = {name: layout.row for name, layout in zip(reader.channels, reader.layouts.values(), strict=True)}
    series = {name: joined(channel, rows_of[name], pieces[name]) for name, channel in wanted.items()}
    problems = reader.problems
    return Log(reader.header, reader.channels, series, tuple(events), not problems, problems)


def iterate(
    path: str | PathLike[str], channels: Sequence[str] | None = None, problems: list[str] | None = None
) -> Iterator[Series]:
    """Read a log of any size in pieces of about a megabyte: a series per channel and chunk, in order of time.

    Parameters
    ----------
    path
        The log.
    channels
        Names of channels; all if None.
    problems
        Collects descriptions of damage. Without it a LogError is raised after everything readable.
    """
    with LogReader(path) as reader:
        wanted = _wanted(reader, channels)
        for piece in reader.pieces():
            for name, rows in piece.rows:
                if name in wanted:
                    yield series_of_rows(wanted[name], rows)
        if problems is not None:
            problems += reader.problems
        elif reader.problems:
            raise LogError("; ".join(reader.problems), path)


def _wanted(reader: LogReader, channels: Iterable[str] | None) -> dict[str, Channel]:
    names = list(reader.channels if channels is None else channels)
    for name in names:
        if name not in reader.channels:
            raise no_channel(name, reader.channels, reader.path)
    return {name: reader.channels[name] for name in names}


def _is_ours(record: McapRecord) -> bool:
    return record.body[4:].startswith(PROFILE.encode()) and record.body[:4] == len(PROFILE).to_bytes(4, "little")


def _definition_from(body: bytes) -> Definition:
    content = RecordContent(body)
    try:
        name, texts = content.text(), content.text_map()
    except ValueError:
        raise ValueError("the header of the log is damaged") from None
    if name != NAME:
        raise ValueError("the header of the log is damaged: it has another name")
    return from_texts(texts)


def scan(file: BinaryIO, problems: Problems) -> Iterator[McapRecord]:
    """All records before the end of the data, then a check of the end of the file.

    Problems are noted, not raised: a record that cannot be whole ends the scan. At most one record is held.
    """
    size = os.fstat(file.fileno()).st_size
    position, checksum = len(MAGIC), zlib.crc32(MAGIC)
    file.seek(position)
    while True:
        head = file.read(9)
        if len(head) < 9:
            problems.add("the file ends here without its index: it was cut, or its writer did not close it", position)
            return
        opcode, length = struct.unpack("<BQ", head)
        if not HEADER <= opcode <= DATA_END:
            problems.add(f"no record starts here (opcode {opcode}): what follows cannot be read", position)
            return
        if length > size - position - 9:
            problems.add(f"the record that starts here should have {length} bytes, but the file ends before", position)
            return
        if length > _LARGEST_RECORD:
            problems.add(f"a record of {length} bytes is not of Remora: what follows cannot be read", position)
            return
        body = file.read(length)
        if opcode == DATA_END:
            _check_ending(file, body, position, checksum, size, problems)
            return
        if opcode == FOOTER:
            problems.add("the end mark of the data is missing", position)
            return
        checksum = zlib.crc32(body, zlib.crc32(head, checksum))
        yield McapRecord(opcode, position, body)
        position += 9 + length


def _check_ending(file: BinaryIO, end: bytes, position: int, checksum: int, size: int, problems: Problems) -> None:
    """Check the checksum of the data, and the summary and footer behind them."""
    if end != struct.pack("<I", checksum):
        problems.add("the data do not fit the checksum at their end: something in the file is damaged", position)
    start = file.tell()
    length = size - start - FOOTER_SIZE - len(MAGIC)
    if length < 0:
        problems.add("the file ends inside its index; the data before it are whole", start)
        return
    summary = 0
    while length > 0 and (block := file.read(min(_BLOCK, length))):
        summary = zlib.crc32(block, summary)
        length -= len(block)
    footer = file.read(FOOTER_SIZE)
    whole = struct.pack("<I", zlib.crc32(footer[:-4], summary)) == footer[-4:] and file.read() == MAGIC
    if not whole or struct.unpack_from("<Q", footer, 9) != (start,):
        problems.add("the index of the file is cut or damaged; the data before it are whole", start)
