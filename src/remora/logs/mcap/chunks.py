"""Chunks: rows and events of a short interval, compressed, with checksum and index.

Inside a chunk records are grouped by channel, each group in order of time. Other readers get the global order from the
index; this one decodes each group at once.
"""

import struct
import sys
import zlib
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from remora.logs.mcap.descriptor import decode_event
from remora.logs.mcap.layout import HEAD_SIZE, ChannelLayout, Rows, decode, encode
from remora.logs.mcap.records import CHUNK, CHUNK_INDEX, MESSAGE, MESSAGE_INDEX, number_map, record, text
from remora.logs.schema import Event

_LARGEST_POWER = 26
LARGEST_CHUNK = 1 << _LARGEST_POWER  # bytes, uncompressed; a larger size means damage
_COMPRESSION = "zstd"
_COMPRESSION_LEVEL = -1  # twice as fast as level 1 and 4 % larger
_HEAD = struct.Struct("<BQHIQQ")  # of a message record: opcode, length, channel, sequence, time, time of publishing


class MessageGroup(NamedTuple):
    """The message records of one channel in a chunk."""

    channel: int
    data: bytes
    times: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]  # of each record from the start of the group


class BuiltChunk(NamedTuple):
    """An encoded chunk, with its record for the summary."""

    data: bytes
    listing: bytes
    first: int  # time
    last: int


def group_of_rows(channel: int, layout: ChannelLayout, rows: Rows, sequence: int) -> MessageGroup:
    """Rows of a channel as a group."""
    offsets = np.arange(len(rows), dtype=np.int64) * layout.record.itemsize
    return MessageGroup(channel, encode(layout, rows, sequence), rows["time"].astype(np.int64), offsets)


def group_of_events(channel: int, events: list[tuple[int, bytes]], sequence: int) -> MessageGroup:
    """Events, given by time and content, as a group."""
    records = [
        _HEAD.pack(MESSAGE, 22 + len(content), channel, number & 0xFFFFFFFF, time_ns, time_ns) + content
        for number, (time_ns, content) in enumerate(events, start=sequence)
    ]
    sizes = [0, *(len(record) for record in records[:-1])]
    times = np.array([time_ns for time_ns, _ in events], np.int64)
    return MessageGroup(channel, b"".join(records), times, np.cumsum(np.array(sizes, np.int64)))


def build_chunk(groups: list[MessageGroup], position: int) -> BuiltChunk:
    """The chunk record of some groups and the message indexes behind it, for this position in the file."""
    data = b"".join(group.data for group in groups)
    packed = zstd_library().compress(data, level=_COMPRESSION_LEVEL)
    first, last = (int(choose([choose(group.times) for group in groups])) for choose in (np.min, np.max))
    head = struct.pack("<QQQI", first, last, len(data), zlib.crc32(data))
    chunk = record(CHUNK, head, text(_COMPRESSION), struct.pack("<Q", len(packed)), packed)
    indexes, places, start, end = [], {}, 0, position + len(chunk)
    for group in groups:
        indexes.append(_message_index(group, start))
        places[group.channel] = end
        start, end = start + len(group.data), end + len(indexes[-1])
    listing = record(
        CHUNK_INDEX,
        struct.pack("<QQQQ", first, last, position, len(chunk)),
        number_map(places),
        struct.pack("<Q", end - position - len(chunk)),
        text(_COMPRESSION),
        struct.pack("<QQ", len(packed), len(data)),
    )
    return BuiltChunk(b"".join([chunk, *indexes]), listing, first, last)


def _message_index(group: MessageGroup, start: int) -> bytes:
    entries = np.empty((len(group.times), 2), "<u8")
    entries[:, 0], entries[:, 1] = group.times, group.offsets + start
    content = entries.tobytes()
    return record(MESSAGE_INDEX, struct.pack("<HI", group.channel, len(content)), content)


@cache
def zstd_library() -> Any:
    """The module of the standard library, or below Python 3.14 its backport with the same functions."""
    return import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


class Content(NamedTuple):
    """Content of a chunk, in file order."""

    runs: tuple[tuple[int, Rows, npt.NDArray[np.uint32]], ...]  # channel, rows, sequence numbers
    events: tuple[tuple[int, Event], ...]  # sequence number, event


def open_chunk(body: bytes) -> bytes:
    """The uncompressed content of a chunk record; a ValueError that says why there is none."""
    try:
        size, checksum, name_length = struct.unpack_from("<QII", body, 16)
        name = body[32 : 32 + name_length]
        (packed_size,) = struct.unpack_from("<Q", body, 32 + name_length)
    except (struct.error, OverflowError):
        raise ValueError("a chunk has a damaged head") from None
    packed = body[40 + name_length :]
    if size > LARGEST_CHUNK or len(packed) != packed_size:
        raise ValueError("a chunk has a damaged head: its sizes are impossible")
    if name == _COMPRESSION.encode():
        data = _decompressed(packed, size)
    elif not name:
        data = packed
    else:
        raise ValueError(f"a chunk is compressed as {name[:20]!r}, which Remora does not write")
    if len(data) != size or zlib.crc32(data) != checksum:
        raise ValueError("a chunk does not fit its checksum")
    return data


def _decompressed(packed: bytes, size: int) -> bytes:
    """Decompress at most the announced size, so that a damaged length cannot exhaust memory."""
    zstd = zstd_library()
    try:
        if zstd.get_frame_info(packed).decompressed_size != size:
            raise ValueError("a chunk has a damaged head: it announces two different sizes")
        # The window that a frame asks for is memory too. The byte beyond the size shows content that is too long.
        decompressor = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: _LARGEST_POWER})
        return bytes(decompressor.decompress(packed, max_length=size + 1))
    except (zstd.ZstdError, MemoryError) as error:
        raise ValueError(f"a chunk cannot be decompressed: {error}") from None


def parse_chunk(data: bytes, layouts: Mapping[int, ChannelLayout], events_channel: int) -> Content:
    """The rows and events of an uncompressed chunk; a ValueError if anything else stands in it."""
    runs: list[tuple[int, Rows, npt.NDArray[np.uint32]]] = []
    events: list[tuple[int, Event]] = []
    position = 0
    while position < len(data):
        if len(data) - position < HEAD_SIZE:
            raise ValueError("a chunk ends inside a record")
        opcode, length, channel, sequence, time_ns, _ = _HEAD.unpack_from(data, position)
        end = position + 9 + length
        if opcode == MESSAGE and channel == events_channel and 22 <= length <= len(data) - position - 9:
            events.append((sequence, decode_event(data[position + HEAD_SIZE : end], time_ns)))
        elif opcode == MESSAGE and channel in layouts and (run := decode(layouts[channel], data, position)):
            runs.append((channel, run.rows, run.sequences))
            end = run.end
        else:
            raise ValueError(f"a chunk holds a record that Remora does not write (opcode {opcode}, channel {channel})")
        position = end
    return Content(tuple(runs), tuple(events))
