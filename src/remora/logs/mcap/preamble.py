"""First records of a log: header, channels and their schemas."""

from importlib import import_module
from typing import NamedTuple

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
