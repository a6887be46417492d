"""Layout of the rows of a channel in memory and in the file.

A row is the time and the values, packed. In the file it is an MCAP message record whose content is a protobuf message.
All fields are written with fixed width and in order, zeros too, so every record of a channel has the same size and
the tags stand at the same places: a block of rows is encoded and decoded column by column, without a loop over rows.
"""

import struct
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from remora.logs.schema import Channel, Kind

Rows: TypeAlias = npt.NDArray[np.void]  # structured: "time", then a column per field

_OPCODE = 0x05  # of an MCAP message record
_FORMATS: dict[Kind, str] = {"float": "d", "int": "q", "bool": "?"}
_IN_ROW: dict[Kind, str] = {"float": "<f8", "int": "<i8", "bool": "?"}
_IN_RECORD: dict[Kind, str] = {"float": "<f8", "int": "<i8", "bool": "u1"}
_WIRE_TYPES: dict[Kind, int] = {"float": 1, "int": 1, "bool": 0}  # protobuf: 1 is eight bytes, 0 a varint
_HEAD = [
    ("opcode", "u1"), ("length", "<u8"), ("channel", "<u2"), ("sequence", "<u4"), ("time", "<i8"), ("published", "<i8"),
]  # fmt: skip
HEAD_SIZE = 31
_FIRST_LOOK = 128  # records checked first for the end of a run of rows; doubled each time


class ChannelLayout(NamedTuple):
    """Layout of one channel."""

    names: tuple[str, ...]
    pack: Callable[..., bytes]  # time and values -> the bytes of a row
    row: np.dtype[np.void]
    record: np.dtype[np.void]
    template: bytes  # a record with all tags in place and zeros elsewhere
    fixed: npt.NDArray[np.intp]  # positions of the bytes that are the same in every record


def layout_of(channel: Channel, identity: int) -> ChannelLayout:
    """The layout of a channel that has this id in its file."""
    formats = "".join(_FORMATS[field.kind] for field in channel.fields)
    row = np.dtype([("time", "<i8"), *((field.name, _IN_ROW[field.kind]) for field in channel.fields)])
    content: list[tuple[str, Any]] = []
    for number, field in enumerate(channel.fields, start=1):
        # The name of a tag has a blank, so that it cannot be the name of a field.
        content += [
            (f"tag {number}", f"S{len(_tag(number, field.kind))}"),
            (f"value {number}", _IN_RECORD[field.kind]),
        ]
    record = np.dtype([*_HEAD, *content])
    template = np.zeros(1, record)
    template["opcode"], template["length"], template["channel"] = _OPCODE, record.itemsize - 9, identity
    fixed = list(range(11))
    for number, field in enumerate(channel.fields, start=1):
        tag = _tag(number, field.kind)
        template[f"tag {number}"] = tag
        start = record.fields[f"tag {number}"][1] if record.fields else 0
        fixed += range(start, start + len(tag))
    return ChannelLayout(
        channel.names, struct.Struct("<q" + formats).pack, row, record, template.tobytes(), np.array(fixed)
    )


def _tag(number: int, kind: Kind) -> bytes:
    """The tag of a protobuf field: its number and wire type as a varint of one or two bytes."""
    key = number << 3 | _WIRE_TYPES[kind]
    return bytes([key]) if key < 0x80 else bytes([key & 0x7F | 0x80, key >> 7])


def encode(layout: ChannelLayout, rows: Rows, sequence: int) -> bytes:
    """Rows as message records, numbered from `sequence` on."""
    records = np.frombuffer(bytearray(layout.template * len(rows)), layout.record)
    records["sequence"] = np.arange(sequence, sequence + len(rows), dtype=np.uint64) & 0xFFFFFFFF
    records["time"] = records["published"] = rows["time"]
    for number, name in enumerate(layout.names, start=1):
        records[f"value {number}"] = rows[name]
    return records.tobytes()


class DecodedRows(NamedTuple):
    """Neighbouring records of one channel, decoded."""

    rows: Rows
    sequences: npt.NDArray[np.uint32]
    end: int  # the byte after the last


def decode(layout: ChannelLayout, data: bytes, start: int) -> DecodedRows | None:
    """The run of records of a channel that starts at a byte; None where not even one record of it stands there."""
    size = layout.record.itemsize
    whole = (len(data) - start) // size
    count, look = 0, _FIRST_LOOK
    while count < whole:
        block = min(look, whole - count)
        good = _fitting(layout, data, start + count * size, block)
        count, look = count + good, 2 * look
        if good < block:
            break
    if count == 0:
        return None
    records = np.frombuffer(data, layout.record, count, start)
    rows = np.empty(count, layout.row)
    rows["time"] = records["time"]
    for number, name in enumerate(layout.names, start=1):
        rows[name] = records[f"value {number}"]
    return DecodedRows(rows, records["sequence"].copy(), start + count * size)


def _fitting(layout: ChannelLayout, data: bytes, start: int, count: int) -> int:
    """How many of the next records, counted from the first, have the opcode, length, channel and tags of this one."""
    size = layout.record.itemsize
    grid = np.frombuffer(data, np.uint8, count * size, start).reshape(count, size)
    expected = np.frombuffer(layout.template, np.uint8)[layout.fixed]
    fits = (grid[:, layout.fixed] == expected).all(axis=1)
    return count if fits.all() else int(np.argmin(fits))
