"""Write buffer of a channel: rows are packed, checked and kept until the next chunk."""

import struct
from collections.abc import Sequence
from math import isfinite, isnan
from typing import Any, final

import numpy as np
import numpy.typing as npt

from remora.logs.mcap.layout import ChannelLayout, Rows
from remora.logs.problems import LogError, seconds
from remora.logs.schema import Channel, Field


@final
class ChannelBuffer:
    """Write buffer of one channel; `rows` are the bytes for the next chunk."""

    __slots__ = ("always_check", "channel", "identity", "last", "layout", "pack", "plain", "rows", "size")

    def __init__(self, channel: Channel, identity: int, layout: ChannelLayout, last: int = 0) -> None:
        self.channel = channel
        self.identity = identity  # channel id in the file
        self.layout = layout
        self.pack = layout.pack
        self.size = layout.row.itemsize
        self.always_check = any(field.kind == "bool" for field in channel.fields)
        self.plain = all(field.kind == "float" for field in channel.fields)
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
            for field, value in zip(self.channel.fields, values, strict=True):
                if field.optional and not isnan(value):
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
        rows = np.empty(len(given), self.layout.row)
        rows["time"] = given
        if self.plain and columns.dtype == np.float64:
            rows.view(np.float64).reshape(len(rows), count + 1)[:, 1:] = columns
            in_order = len(rows) == 0 or (rows["time"][0] >= self.last and (given[1:] >= given[:-1]).all())
            if in_order and np.isfinite(columns).all():
                return rows
        with np.errstate(invalid="ignore"):
            for index, field in enumerate(self.channel.fields):
                rows[field.name] = columns[:, index]
        self._check_all(rows, columns)
        return rows

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
