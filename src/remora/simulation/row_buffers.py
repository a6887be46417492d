"""Rows of a log before they are written: buffered by channel and written in blocks."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, final

import numpy as np

from remora.files.arrays import Array
from remora.logs.schema import Channel
from remora.logs.writer import LogWriter

if TYPE_CHECKING:
    from remora.simulation.loop.vehicle_run import VehicleRun

BLOCK = 256  # rows of a channel that are written together


def table_of(values: list[Any]) -> Array:
    """Rows of numbers."""
    return np.array(values, dtype=float)


def stacked(rows: list[Array]) -> Array:
    """Rows of one length as a table, as `np.array` and quicker."""
    return np.concatenate(rows).reshape(len(rows), -1)


class SampledChannel(NamedTuple):
    """A channel with a row per sample of a vehicle."""

    channel: Channel
    take: Callable[["VehicleRun"], Any]  # value of one sample; a run replaces its arrays and never writes into them
    rows: Callable[[list[Any]], Array] = table_of  # rows of the channel from the values of several samples
    period_ns: int = 0  # shortest time between two rows; zero for every sample


@final
class RowBuffer:
    """Values of channels with common times that are not written yet."""

    __slots__ = ("_columns", "_first", "_writer", "times")

    def __init__(self, writer: LogWriter, *channels: tuple[str, Callable[[list[Any]], Array]]) -> None:
        self._writer = writer
        self.times: list[int] = []
        self._columns: list[tuple[str, Callable[[list[Any]], Array], list[Any]]] = [
            (name, rows, []) for name, rows in channels
        ]
        self._first = self._columns[0][2]

    @property
    def columns(self) -> list[list[Any]]:
        """Values of each channel, to append to."""
        return [values for _, _, values in self._columns]

    def add(self, time_ns: int, value: Any) -> None:
        """Take a value of the only channel, and write a block where it is full."""
        self.times.append(time_ns)
        self._first.append(value)
        if len(self.times) >= BLOCK:
            self.flush()

    def add_all(self, times_ns: Sequence[int], values: list[Any]) -> None:
        """Take several values of the only channel, and write each block that is full."""
        self.times += times_ns
        self._first.extend(values)
        while len(self.times) >= BLOCK:
            self.flush()

    def flush(self) -> None:
        """Write the values as rows, at most a block of each channel."""
        if not self.times:
            return
        times = np.array(self.times[:BLOCK], dtype=np.int64)
        for channel, rows, values in self._columns:
            self._writer.write_rows(channel, times, rows(values[: len(times)]))
            del values[: len(times)]
        del self.times[: len(times)]


@final
class SampleGroup:
    """Sampled channels that follow each other and have rows at the same times."""

    __slots__ = ("_period_ns", "_takes", "buffer")

    def __init__(self, writer: LogWriter, channels: Sequence[SampledChannel]) -> None:
        self.buffer = RowBuffer(writer, *((one.channel.name, one.rows) for one in channels))
        self._takes = [(column.append, one.take) for column, one in zip(self.buffer.columns, channels, strict=True)]
        self._period_ns = channels[0].period_ns

    def sample(self, run: "VehicleRun", time_ns: int, period_ns: int) -> None:
        """Take a value of each channel, where one is due."""
        if self._period_ns and time_ns % self._period_ns >= period_ns:
            return
        for append, take in self._takes:
            append(take(run))
        times = self.buffer.times
        times.append(time_ns)
        if len(times) >= BLOCK:
            self.buffer.flush()
