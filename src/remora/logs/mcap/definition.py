"""Header and channels of a log as a map of texts with a checksum, stored at the start of the file."""

import json
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from remora.files.did_you_mean import RENAMED
from remora.logs.schema import SCHEMA, Channel, Field, RunHeader, check_channels

FORMAT = "1"  # of this map and of the records of channels; a reader refuses what it does not know
NAME = "remora"  # of the record that holds the map
TEXT = "text "  # before a file name in the key of its text
_TEXTS = ("format", "version", "scenario_hash")  # the entries that are texts; the others are JSON
_FOREIGN = "its header or channels are not as Remora writes them"


class Definition(NamedTuple):
    """What is known about a log before its first value."""

    header: RunHeader
    channels: tuple[Channel, ...]


def to_plain(definition: Definition) -> dict[str, Any]:
    """The definition as texts, lists and mappings, ready for JSON."""
    header = definition.header
    return {
        "format": FORMAT,
        "schema": int(header.schema),
        "version": header.version,
        "seed": int(header.seed),
        "scenario_hash": header.scenario_hash,
        "vehicle_hashes": dict(header.vehicle_hashes),
        "start_time": header.start_time,
        "simplifications": list(header.simplifications),
        "notes": dict(header.notes),
        "texts": dict(header.texts),
        "scene": dict(header.scene),
        "vehicles": dict(header.vehicles),
        "channels": [
            channel._asdict() | {"fields": [field._asdict() for field in channel.fields]}
            for channel in definition.channels
        ],
    }


def from_plain(plain: Any) -> Definition:
    """The definition from what `to_plain` gave; a ValueError that says what is wrong with it."""
    try:
        if plain["format"] != FORMAT:
            raise ValueError(f"has log format {plain['format']}; this version reads {FORMAT}. Use a newer Remora.")
        header = RunHeader(
            version=_text(plain["version"]),
            seed=int(plain["seed"]),
            scenario_hash=_text(plain["scenario_hash"]),
            vehicle_hashes=_texts(plain["vehicle_hashes"]),
            start_time=None if plain["start_time"] is None else _text(plain["start_time"]),
            simplifications=tuple(_text(word) for word in plain["simplifications"]),
            notes=_texts(plain["notes"]),
            schema=_known_schema(plain.get("schema", 1)),
            texts=_texts(plain.get("texts", {})),
            scene=_data(plain.get("scene", {})),
            vehicles=_data(plain.get("vehicles", {})),
        )
        channels = tuple(_channel(entry) for entry in plain["channels"])
    except KeyError as error:
        raise ValueError(f'{_FOREIGN}: "{error.args[0]}" is missing') from None
    except (TypeError, AttributeError) as error:
        what = str(error) if isinstance(error, _WrongTypeError) else "an entry is of another type"
        raise ValueError(f"{_FOREIGN}: {what}") from None
    if header.schema < SCHEMA:
        _refuse_renamed(header, channels)
    return Definition(header, check_channels(channels))


class _WrongTypeError(TypeError):
    """An entry is of another type; the message says which."""


def _known_schema(schema: Any) -> int:
    """The schema version of a log, if this version of Remora can read it."""
    if not isinstance(schema, int) or schema < 1:
        raise _WrongTypeError(f"schema {schema!r} is not a whole number above zero")
    if schema > SCHEMA:
        raise ValueError(f"has log schema {schema}; this version reads up to {SCHEMA}. Use a newer Remora.")
    return schema


def _refuse_renamed(header: RunHeader, channels: tuple[Channel, ...]) -> None:
    """Refuse an older log with a channel or field that has another name now."""
    names = [("channel", channel.name) for channel in channels]
    names += [("field", name) for channel in channels for name in channel.names]
    for kind, name in names:
        scope, slash, own = name.rpartition("/")
        if own in RENAMED:
            raise ValueError(
                f'has log schema {header.schema}: its {kind} "{name}" was renamed to "{scope}{slash}{RENAMED[own]}". '
                f"Run the scenario again, or read the log with Remora {header.version}."
            )


def to_texts(definition: Definition) -> dict[str, str]:
    """The definition as texts by key, the last of them a checksum of the others."""
    plain = to_plain(definition)
    files = {f"{TEXT}{name}": text for name, text in plain.pop("texts").items()}  # not as JSON: people can read them
    texts = {key: value if isinstance(value, str) else _json(value) for key, value in plain.items()} | files
    return texts | {"checksum": _checksum(texts)}


def from_texts(texts: Mapping[str, str]) -> Definition:
    """The definition from its texts; a ValueError that says what is wrong with them."""
    content = {key: text for key, text in texts.items() if key != "checksum"}
    if texts.get("checksum") != _checksum(content):
        raise ValueError("its header and channels do not fit their checksum: the file is damaged there")
    files = {key.removeprefix(TEXT): text for key, text in content.items() if key.startswith(TEXT)}
    entries = {key: text for key, text in content.items() if not key.startswith(TEXT)}
    try:
        plain = {key: text if key in _TEXTS else json.loads(text) for key, text in entries.items()}
        return from_plain(plain | {"texts": files})
    except RecursionError:
        raise ValueError("its header or channels are nested too deeply") from None


def check_header(header: RunHeader) -> RunHeader:
    """A header as it will be read back; a ValueError if it holds anything but texts and a whole number."""
    try:
        return from_texts(to_texts(Definition(header, ()))).header
    except (TypeError, AttributeError, UnicodeEncodeError) as error:
        raise ValueError(f"the header of the log must hold texts and a whole number as seed: {error}") from None


def _checksum(texts: Mapping[str, str]) -> str:
    return f"{zlib.crc32(_json(dict(texts)).encode()):08x}"


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _channel(entry: Any) -> Channel:
    fields = tuple(
        Field(
            name=_text(item["name"]),
            unit=_text(item["unit"]),
            frame=_text(item["frame"]),
            description=_text(item["description"]),
            kind=item["kind"],
            optional=item["optional"] is True,
        )
        for item in entry["fields"]
    )
    return Channel(_text(entry["name"]), fields, _text(entry["description"]))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _WrongTypeError(f"{value!r} is not a text")
    return value


def _data(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _WrongTypeError(f"{value!r} is not a mapping")
    return {_text(key): entry for key, entry in value.items()}


def _texts(value: Any) -> dict[str, str]:
    return {_text(key): _text(text) for key, text in value.items()}
