"""Protobuf descriptors of channels, and events as `foxglove.Log` messages.

The schema of each channel is in the file, so any MCAP reader with protobuf shows values by name.
"""

import json
from functools import cache
from importlib import import_module
from typing import Any

from remora.logs.schema import EVENTS, LEVELS, Channel, Event, Kind, check_event

EVENT_SCHEMA = "foxglove.Log"  # the name under which Foxglove and others know messages of text with a level
_TYPES: dict[Kind, str] = {"float": "TYPE_DOUBLE", "int": "TYPE_SFIXED64", "bool": "TYPE_BOOL"}
_EVENT_FIELDS = (
    ("timestamp", "TYPE_MESSAGE", ".google.protobuf.Timestamp"),
    ("level", "TYPE_ENUM", ".foxglove.Log.Level"),
    ("message", "TYPE_STRING", ""),
    ("name", "TYPE_STRING", ""),
    ("file", "TYPE_STRING", ""),
    ("line", "TYPE_FIXED32", ""),
    ("data", "TYPE_STRING", ""),  # ours, as JSON; other readers ignore it
)


def schema_name(channel: Channel) -> str:
    """The full name of the protobuf message of a channel: truth/pose -> remora.truth.pose."""
    return "remora." + channel.name.replace("-", "_").replace("/", ".")


def channel_schema(channel: Channel) -> bytes:
    """The protobuf description of a channel, as bytes for the file."""
    package, _, name = schema_name(channel).rpartition(".")
    types = _protobuf()
    file = types.FileDescriptorProto(name=f"{schema_name(channel)}.proto", package=package, syntax="proto3")
    message = file.message_type.add(name=name)
    for number, field in enumerate(channel.fields, start=1):
        _add_field(message, number, field.name, _TYPES[field.kind], "")
    return bytes(types.FileDescriptorSet(file=[file]).SerializeToString(deterministic=True))


def event_schema() -> bytes:
    """The protobuf description of events."""
    return bytes(_event_files().SerializeToString(deterministic=True))


def encode_event(event: Event) -> bytes:
    """An event as a protobuf message; a LogError if it cannot be one."""
    data = check_event(event)
    message = _event_class()(level=LEVELS.index(event.level) + 1, message=event.text, name=event.source, data=data)
    message.timestamp.seconds, message.timestamp.nanos = divmod(event.time_ns, 1_000_000_000)
    return bytes(message.SerializeToString(deterministic=True))


def decode_event(content: bytes, time_ns: int) -> Event:
    """An event from its message; a ValueError if it is none."""
    try:
        message = _event_class().FromString(content)
    except import_module("google.protobuf.message").DecodeError as error:
        raise ValueError(f"not a message of the channel {EVENTS}: {error}") from None
    if not 1 <= message.level <= len(LEVELS):
        raise ValueError(f"level {message.level} of an event is unknown")
    data = json.loads(message.data)
    if not isinstance(data, dict):
        raise ValueError("the data of an event are not a mapping")
    return Event(time_ns, message.name, LEVELS[message.level - 1], message.message, data)


@cache
def _protobuf() -> Any:
    """The types that describe protobuf files; imported when the first file is opened."""
    return import_module("google.protobuf.descriptor_pb2")


@cache
def _event_files() -> Any:
    types = _protobuf()
    timestamp = types.FileDescriptorProto()
    import_module("google.protobuf.timestamp_pb2").DESCRIPTOR.CopyToProto(timestamp)
    file = types.FileDescriptorProto(
        name="foxglove/Log.proto", package="foxglove", syntax="proto3", dependency=[timestamp.name]
    )
    message = file.message_type.add(name="Log")
    for number, (name, kind, type_name) in enumerate(_EVENT_FIELDS, start=1):
        _add_field(message, number, name, kind, type_name)
    level = message.enum_type.add(name="Level")
    for number, word in enumerate(("UNKNOWN", *(word.upper() for word in LEVELS))):
        level.value.add(name=word, number=number)
    return types.FileDescriptorSet(file=[timestamp, file])


@cache
def _event_class() -> Any:
    pool = import_module("google.protobuf.descriptor_pool").DescriptorPool()
    for file in _event_files().file:
        pool.Add(file)
    return import_module("google.protobuf.message_factory").GetMessageClass(pool.FindMessageTypeByName(EVENT_SCHEMA))


def _add_field(message: Any, number: int, name: str, kind: str, type_name: str) -> None:
    types = _protobuf().FieldDescriptorProto
    field = message.field.add(name=name, number=number, type=getattr(types, kind), label=types.LABEL_OPTIONAL)
    if type_name:
        field.type_name = type_name
