"""First records of a log: header, channels and their schemas."""

import struct
from typing import NamedTuple

from remora.logs.mcap.definition import NAME, Definition, to_texts
from remora.logs.mcap.descriptor import EVENT_SCHEMA, channel_schema, event_schema, schema_name
from remora.logs.mcap.records import CHANNEL, HEADER, MAGIC, METADATA, METADATA_INDEX, SCHEMA, record, text, text_map
from remora.logs.schema import EVENTS, Channel

PROFILE = "remora"
_ENCODING = text("protobuf")


class Preamble(NamedTuple):
    """The records at the start of a log, and the ones that the summary repeats."""

    data: bytes
    schemas: bytes
    channels: bytes
    channel_count: int  # including the channel of events
    metadata_index: bytes


def build_preamble(definition: Definition) -> Preamble:
    """The start of a log: header, run header with the channels, and the schema of each channel."""
    start = MAGIC + record(HEADER, text(PROFILE), text(f"remora {definition.header.version}"))
    metadata = record(METADATA, text(NAME), text_map(to_texts(definition)))
    schemas, channels = [], []
    for identity, channel in enumerate(definition.channels, start=1):
        schemas.append(_schema(identity, schema_name(channel), channel_schema(channel)))
        channels.append(_channel(identity, channel.name, _described(channel)))
    last = len(definition.channels) + 1
    schemas.append(_schema(last, EVENT_SCHEMA, event_schema()))
    channels.append(_channel(last, EVENTS, {}))
    index = record(METADATA_INDEX, struct.pack("<QQ", len(start), len(metadata)), text(NAME))
    repeated = b"".join(schemas), b"".join(channels)
    return Preamble(b"".join([start, metadata, *repeated]), *repeated, last, index)


def _schema(identity: int, name: str, description: bytes) -> bytes:
    size = struct.pack("<I", len(description))
    return record(SCHEMA, struct.pack("<H", identity), text(name), _ENCODING, size, description)


def _channel(identity: int, topic: str, about: dict[str, str]) -> bytes:
    """The record of a channel, whose schema has the same number."""
    return record(CHANNEL, struct.pack("<HH", identity, identity), text(topic), _ENCODING, text_map(about))


def _described(channel: Channel) -> dict[str, str]:
    """Unit, frame and meaning of each field, for people who look at the channel in a viewer."""
    about = {"description": channel.description} if channel.description else {}
    for field in channel.fields:
        frame = f"frame {field.frame}" if field.frame else ""
        optional = "NaN where there is none" if field.optional else ""
        about[f"field {field.name}"] = ", ".join(filter(None, (field.unit, frame, field.description, optional)))
    return about
