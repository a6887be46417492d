"""First and last records of a log: header, channels and summary."""

import struct
import zlib
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

from remora.logs.mcap.chunks import record_bytes
from remora.logs.mcap.definition import NAME, Definition, to_texts
from remora.logs.mcap.descriptor import EVENT_SCHEMA, channel_schema, event_schema, schema_name
from remora.logs.schema import EVENTS, Channel

MAGIC = b"\x89MCAP0\r\n"
PROFILE = "remora"
FOOTER_SIZE = 29  # bytes of the footer record


class Preamble(NamedTuple):
    """The records at the start of a log, and those of them that the summary repeats."""

    data: bytes
    schemas: bytes
    channels: bytes
    channel_count: int  # with that of the events
    metadata_index: bytes


def build_preamble(definition: Definition) -> Preamble:
    """The start of a log: header, run header with the channels, and the schema of each channel."""
    mcap = import_module("mcap.records")
    start = MAGIC + record_bytes(mcap.Header(PROFILE, f"remora {definition.header.version}"))
    metadata = record_bytes(mcap.Metadata(NAME, to_texts(definition)))
    schemas, channels = [], []
    for identity, channel in enumerate(definition.channels, start=1):
        schemas.append(mcap.Schema(identity, channel_schema(channel), "protobuf", schema_name(channel)))
        channels.append(mcap.Channel(identity, channel.name, "protobuf", _described(channel), identity))
    last = len(definition.channels) + 1
    schemas.append(mcap.Schema(last, event_schema(), "protobuf", EVENT_SCHEMA))
    channels.append(mcap.Channel(last, EVENTS, "protobuf", {}, last))
    index = record_bytes(mcap.MetadataIndex(offset=len(start), length=len(metadata), name=NAME))
    repeated = record_bytes(*schemas), record_bytes(*channels)
    return Preamble(b"".join([start, metadata, *repeated]), *repeated, last, index)


def _described(channel: Channel) -> dict[str, str]:
    """Unit, frame and meaning of each field, for people who look at the channel in a viewer."""
    about = {"description": channel.description} if channel.description else {}
    for field in channel.fields:
        frame = f"frame {field.frame}" if field.frame else ""
        optional = "NaN where there is none" if field.optional else ""
        about[f"field {field.name}"] = ", ".join(filter(None, (field.unit, frame, field.description, optional)))
    return about


class Totals(NamedTuple):
    """Message counts for the summary."""

    counts: Mapping[int, int]  # channel -> messages
    chunks: int
    first: int
    last: int


def build_ending(preamble: Preamble, indexes: list[bytes], totals: Totals, position: int, checksum: int) -> bytes:
    """Everything after the data: end record with checksum, summary and footer.

    Parameters
    ----------
    preamble
        Of the log; the summary repeats parts of it.
    indexes
        Chunk index records.
    totals
        For the statistics.
    position
        Byte after the data.
    checksum
        CRC32 of the data.
    """
    mcap = import_module("mcap.records")
    end = record_bytes(mcap.DataEnd(checksum))
    groups = {
        0x03: preamble.schemas,
        0x04: preamble.channels,
        0x0B: record_bytes(_statistics(mcap, preamble, totals)),
        0x08: b"".join(indexes),
        0x0D: preamble.metadata_index,
    }
    start = offset = position + len(end)
    offsets = []
    for opcode, data in groups.items():
        if data:
            offsets.append(mcap.SummaryOffset(opcode, offset, len(data)))
        offset += len(data)
    summary = b"".join(groups.values()) + record_bytes(*offsets)
    footer = struct.pack("<BQQQ", 0x02, 20, start, offset)
    return b"".join([end, summary, footer, struct.pack("<I", zlib.crc32(summary + footer)), MAGIC])


def _statistics(mcap: Any, preamble: Preamble, totals: Totals) -> Any:
    return mcap.Statistics(
        attachment_count=0, channel_count=preamble.channel_count, schema_count=preamble.channel_count, metadata_count=1,
        channel_message_counts=dict(totals.counts), message_count=sum(totals.counts.values()),
        chunk_count=totals.chunks, message_start_time=totals.first, message_end_time=totals.last,
    )  # fmt: skip
