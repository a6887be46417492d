"""Rows of a channel: their layout in memory and in the file, and the checked rows that wait to be written.

A row is the time and the values, packed. In the file it is an MCAP message record whose content is a protobuf message.
All fields are written with fixed width and in order, zeros too, so every record of a channel has the same size and
the tags stand at the same places: a block of rows is encoded and decoded column by column, without a loop over rows.
"""

import struct
from collections.abc import Callable, Sequence
from math import isfinite, isnan
from typing import Any, NamedTuple, TypeAlias, final

import numpy as np
import numpy.typing as npt

from remora.logs.mcap.records import MESSAGE
from remora.logs.problems import LogError, seconds
from remora.logs.schema import Channel, Field, Kind

Rows: TypeAlias = npt.NDArray[np.void]  # structured: "time", then a column per field

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
    coded: tuple[tuple[int, str], ...]  # index and name of the fields that are no floats
    has_flags: bool  # of one byte; all other values have eight


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
    template["opcode"], template["length"], template["channel"] = MESSAGE, record.itemsize - 9, identity
    fixed = list(range(11))
    for number, field in enumerate(channel.fields, start=1):
        tag = _tag(number, field.kind)
        template[f"tag {number}"] = tag
        start = record.fields[f"tag {number}"][1] if record.fields else 0
        fixed += range(start, start + len(tag))
    coded = tuple((index, field.name) for index, field in enumerate(channel.fields) if field.kind != "float")
    return ChannelLayout(
        channel.names, struct.Struct("<q" + formats).pack, row, record, template.tobytes(), np.array(fixed), coded,
        any(field.kind == "bool" for field in channel.fields),
    )  # fmt: skip


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


@final
class ChannelBuffer:
    """Write buffer of one channel; `rows` are the bytes for the next chunk."""

    __slots__ = ("always_check", "channel", "identity", "last", "layout", "pack", "rows", "size")

    def __init__(self, channel: Channel, identity: int, layout: ChannelLayout, last: int = 0) -> None:
        self.channel = channel
        self.identity = identity  # channel id in the file
        self.layout = layout
        self.pack = layout.pack
        self.size = layout.row.itemsize
        self.always_check = layout.has_flags
        self.last = last  # the time of the latest row
        self.rows = bytearray()

    def emptied(self) -> "ChannelBuffer":
        """The same buffer, empty."""
        return ChannelBuffer(self.channel, self.identity, self.layout, self.last)

    def waiting(self) -> Rows:
        """Buffered rows as an array."""
        return np.frombuffer(self.rows, self.layout.row)

    def check(self, time_ns: int, values: Sequence[float], last: int) -> None:
        """Raise an error for an invalid row after the time `last`, with channel, field and time."""
        if time_ns < last:
            before = f"after {seconds(last)}" if last else "before the start"
            raise LogError(f'channel "{self.channel.name}": time {time_ns} ns comes {before}: time must not go back')
        for field, value in zip(self.channel.fields, values, strict=True):
            if fault := _fault(field, value):
                raise self.refusal(time_ns, field.name, fault)
        if not self._says_valid(values):
            optional = [pair for pair in zip(self.channel.fields, values, strict=True) if pair[0].optional]
            if optional and not any(isnan(value) for _, value in optional):
                field, value = optional[0]
                raise self.refusal(time_ns, field.name, f"is {value} while valid is False; write NaN: {_NO_ZERO}")

    def _says_valid(self, values: Sequence[float]) -> bool:
        names = self.channel.names
        return "valid" not in names or bool(values[names.index("valid")])

    def packed(self, times: npt.ArrayLike, values: npt.ArrayLike) -> Rows:
        """Many rows at once, each checked like a single one."""
        given, columns = np.asarray(times), np.asarray(values)
        where, count = f'channel "{self.channel.name}"', len(self.channel.fields)
        if given.ndim != 1 or given.dtype.kind not in "iu":
            raise LogError(f"{where}: times must be a row of whole nanoseconds")
        if columns.shape != (len(given), count) or columns.dtype.kind not in "biuf":
            raise LogError(
                f"{where}: values are {columns.dtype} of shape {columns.shape}; "
                f"expected numbers of shape {(len(given), count)}: a row per time, a column per field"
            )
        rows, one_by_one = np.empty(len(given), self.layout.row), self.layout.coded
        rows["time"] = given
        if self.layout.has_flags or columns.dtype != np.float64:
            one_by_one = tuple(enumerate(self.channel.names))
        else:
            rows.view(np.float64).reshape(len(rows), count + 1)[:, 1:] = columns
        with np.errstate(invalid="ignore"):
            for index, name in one_by_one:
                rows[name] = columns[:, index]
        if not self._are_sound(rows, columns):
            self._check_all(rows, columns)
        return rows

    def _are_sound(self, rows: Rows, columns: npt.NDArray[Any]) -> bool:
        """Whether all rows are valid, in order and finite, so that none has to be checked by itself."""
        times = rows["time"]
        if len(rows) and (times[0] < self.last or (times[1:] < times[:-1]).any() or not np.isfinite(columns).all()):
            return False
        exact = all((rows[name] == columns[:, index]).all() for index, name in self.layout.coded)
        return exact and ("valid" not in self.layout.names or bool(rows["valid"].all()))

    def _check_all(self, rows: Rows, columns: npt.NDArray[Any]) -> None:
        """Check all rows at once; suspect ones are checked singly."""
        previous = np.concatenate(([self.last], rows["time"][:-1]))
        suspect = rows["time"] < previous
        silent = ~rows["valid"] if "valid" in self.channel.names else np.zeros(len(rows), bool)
        for index, field in enumerate(self.channel.fields):
            column = columns[:, index]
            suspect |= ~np.isfinite(column) | (rows[field.name] != column)
            if field.optional:
                suspect |= silent
        for row in np.flatnonzero(suspect).tolist():
            time_ns, *stored = rows[row].item()
            values = [
                kept if kept == value else value for kept, value in zip(stored, columns[row].tolist(), strict=True)
            ]
            self.check(time_ns, values, int(previous[row]))

    def refusal(self, time_ns: int, field: str, fault: str) -> LogError:
        """Error for an invalid value."""
        return LogError(f'channel "{self.channel.name}" at {seconds(time_ns)}: {field} {fault}')

    def explain(self, time_ns: Any, values: Any) -> LogError:
        """Error for a row that could not be packed."""
        where, names = f'channel "{self.channel.name}"', self.channel.names
        if fault := _fault_of_int(time_ns):
            return LogError(f"{where}: time {fault} (nanoseconds)")
        if not isinstance(values, Sequence) or isinstance(values, str):
            return LogError(f"{where}: values must be a sequence of {len(names)} numbers: {', '.join(names)}")
        if len(values) != len(names):
            return LogError(f"{where} takes {len(names)} values, not {len(values)}: {', '.join(names)}")
        for field, value in zip(self.channel.fields, values, strict=True):
            if fault := _fault(field, value):
                return self.refusal(time_ns, field.name, fault)
        return LogError(f"{where}: values {values!r} cannot be packed")


_NO_ZERO = "no reading is a state, never a number"


def _fault(field: Field, value: Any) -> str:
    """Fault of a value of a field; empty if there is none."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return f"is {value!r}, not a number"
    if field.kind == "bool":
        return "" if value in (0, 1) else f"is {value!r}, neither true nor false"
    if field.kind == "int":
        return _fault_of_int(value)
    if isnan(number):
        return "" if field.optional else "is NaN, but only optional fields may be"
    return "" if isfinite(number) else "is infinite"


def _fault_of_int(value: Any) -> str:
    try:
        struct.pack("<q", value)
    except struct.error:
        return f"is {value!r}, not a whole number below 2^63"
    return ""
