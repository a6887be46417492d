"""Log schema: channels with units and frames, events, and the header of a run."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from remora.logs.problems import LogError

# A whole number of nanoseconds since the start of the run.
Time: TypeAlias = int
Kind: TypeAlias = Literal["float", "int", "bool"]
Level: TypeAlias = Literal["debug", "info", "warning", "error", "fatal"]

# Version of the names of channels, fields, notes and other entries of the header. Rises when one is renamed or moves;
# logs without a version have the first. From the third on, the header describes scene and vehicles.
SCHEMA = 3

LEVELS: tuple[Level, ...] = get_args(Level)
EVENTS = "events"  # the channel of events; no other may have this name
MOST_FIELDS = 1024
MOST_CHANNELS = 10_000
MOST_EVENT_BYTES = 1 << 20

_CHANNEL_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(/[A-Za-z][A-Za-z0-9_-]*)*")
_FIELD_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_UNIT = re.compile(r"[^\s\[\],\"]([^\[\],\"\n\r]{0,30}[^\s\[\],\"])?")


class Field(NamedTuple):
    """One value of a channel."""

    name: str  # carries its frames: p_NB_x
    unit: str  # SI as text; "1" for a number without unit
    frame: str = ""  # the axes it is expressed in: N, B, S; empty where there are none
    description: str = ""
    kind: Kind = "float"
    optional: bool = False  # may be NaN: no value now


class Channel(NamedTuple):
    """Values that are written together, such as truth/pose or falcon/dvl."""

    name: str  # scoped by slashes
    fields: tuple[Field, ...]
    description: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(field.name for field in self.fields)


class Event(NamedTuple):
    """A single event: a lifecycle change, a fault, a warning."""

    time_ns: Time
    source: str  # the part that reports
    level: Level
    text: str
    data: Mapping[str, Any] = {}  # whatever JSON can hold


class RunHeader(NamedTuple):
    """Origin of a log: with the same version and inputs, the run can be repeated bit by bit."""

    version: str  # of Remora
    seed: int
    scenario_hash: str = ""
    vehicle_hashes: Mapping[str, str] = {}  # vehicle -> hash of its file
    start_time: str | None = None  # None for the same bytes from the same seed
    simplifications: tuple[str, ...] = ()  # effects left out on purpose
    notes: Mapping[str, str] = {}  # anything else
    schema: int = SCHEMA
    texts: Mapping[str, str] = {}  # file name -> text of the scenario file and the vehicle files
    scene: Mapping[str, Any] = {}  # water, ground, obstacles and points, as JSON can hold them
    vehicles: Mapping[str, Any] = {}  # vehicle -> file name, thrusters, fins, sensor mounts, tethers


def field_name(text: str) -> str:
    """Field name from the name of a part or actuator."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", text).strip("_")
    return name if name[:1].isalpha() else f"a{name}"


def channel_name(*scopes: str) -> str:
    """Channel name from scoped names."""
    parts = [part for scope in scopes for part in scope.split("/")]
    names = (re.sub(r"[^A-Za-z0-9_-]+", "_", part) for part in parts)
    return "/".join(name if name[:1].isalpha() else f"a{name}" for name in names)


def check_channels(channels: Iterable[Channel]) -> tuple[Channel, ...]:
    """The channels of a log; raises a LogError if they cannot be written."""
    channels = tuple(channels)
    if len(channels) > MOST_CHANNELS:
        raise LogError(f"{len(channels)} channels, but a log holds at most {MOST_CHANNELS}")
    for channel in channels:
        _check_channel(channel)
    # Names become file names and protobuf types, where "-" and "_", or "A" and "a", may be one.
    _refuse_alike("channels", [channel.name for channel in channels], "-", "_")
    return channels


def _refuse_alike(what: str, names: Iterable[str], drop: str, instead: str) -> None:
    """Refuse names that some reader could not distinguish."""
    seen: dict[str, str] = {}
    for name in names:
        plain = name.lower().replace(drop, instead)
        if plain in seen:
            raise LogError(f'{what} "{seen[plain]}" and "{name}" have the same name or nearly so: rename one')
        seen[plain] = name


def _check_channel(channel: Channel) -> None:
    where = f'channel "{channel.name}"'
    if not _CHANNEL_NAME.fullmatch(channel.name) or len(channel.name) > 200:
        raise LogError(f'{where}: a name is words of letters, digits, _ and - joined by "/", such as falcon/dvl')
    if channel.name.lower() == EVENTS:
        raise LogError(f"{where}: this name is taken by the events of the log")
    if not 1 <= len(channel.fields) <= MOST_FIELDS:
        raise LogError(f"{where} has {len(channel.fields)} fields; give 1 to {MOST_FIELDS}")
    for field in channel.fields:
        _check_field(field, f'{where}, field "{field.name}"')
    _refuse_alike(f"{where}: fields", channel.names, "_", "")  # protobuf drops the underscores in some spellings
    if any(field.optional for field in channel.fields) and all(field.kind == "float" for field in channel.fields):
        raise LogError(
            f'{where} has optional fields, so it needs a state that says when: add Field("valid", "1", kind="bool")'
        )


def _check_field(field: Field, where: str) -> None:
    if not _FIELD_NAME.fullmatch(field.name) or len(field.name) > 100:
        raise LogError(f"{where}: a name starts with a letter and has letters, digits and _ only, such as p_NB_x")
    if field.name.lower() == "time":
        raise LogError(f"{where}: every channel has a time already")
    if not _UNIT.fullmatch(field.unit):
        raise LogError(f'{where}: unit "{field.unit}" must be a short text without brackets; write "1" for none')
    if field.kind not in get_args(Kind):
        raise LogError(f'{where}: kind "{field.kind}" is none of {", ".join(get_args(Kind))}')
    if field.optional and field.kind != "float":
        raise LogError(f"{where}: only a float can be optional, since only a float can be NaN")


def check_event(event: Event) -> str:
    """Data of an event as JSON; raises a LogError if it cannot be written."""
    where = f'event "{str(event.text)[:60]}" of "{str(event.source)[:60]}"'
    if event.level not in LEVELS:
        raise LogError(f'{where}: level "{event.level}" is none of {", ".join(LEVELS)}')
    if not hasattr(event.time_ns, "__index__") or not 0 <= event.time_ns < 1 << 63:
        raise LogError(f"{where}: time {event.time_ns!r} must be whole nanoseconds between 0 and 2^63")
    try:
        data = json.dumps(dict(event.data), sort_keys=True, allow_nan=False, separators=(",", ":"))
        size = len(data) + len(event.text.encode()) + len(event.source.encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise LogError(f"{where}: cannot be written as JSON: {error}") from None
    if size > MOST_EVENT_BYTES:
        raise LogError(f"{where} has {size} bytes; at most {MOST_EVENT_BYTES} are allowed: put the bulk into a file")
    return data
