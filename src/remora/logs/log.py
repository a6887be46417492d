"""A log in memory: header, channels as columns of numbers, events."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, final

import numpy as np
import numpy.typing as npt

from remora.distribution import install_line
from remora.files.did_you_mean import suggestion
from remora.logs.mcap.layout import Rows
from remora.logs.problems import LogError, no_channel
from remora.logs.schema import Channel, Event, Field, RunHeader


@final
@dataclass(frozen=True, eq=False, repr=False)
class Series:
    """The values of one channel over time."""

    channel: Channel
    time_ns: npt.NDArray[np.int64]
    columns: Mapping[str, npt.NDArray[Any]]  # float64, int64 or bool

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        """A column by the name of its field."""
        if name not in self.columns:
            fix = suggestion(str(name), self.columns)
            error = LogError(f'channel "{self.channel.name}" has no field "{name}". {fix}')
            raise error.about("field", name, self.columns, fix)
        return self.columns[name]

    def __len__(self) -> int:
        return len(self.time_ns)

    def __repr__(self) -> str:
        return f"<Series {self.channel.name}: {len(self)} rows of {', '.join(self.channel.names)}>"

    @property
    def time(self) -> npt.NDArray[np.float64]:
        """Time in seconds; `time_ns` is the exact one."""
        return np.asarray(self.time_ns * 1e-9)

    def field(self, name: str) -> Field:
        """Unit, frame and meaning of a column."""
        self[name]
        return self.channel.fields[self.channel.names.index(name)]

    def table(self, *names: str) -> npt.NDArray[np.float64]:
        """Some columns side by side, all of them if none is named."""
        return np.column_stack([np.asarray(self[name], np.float64) for name in names or self.channel.names])

    def to_pandas(self) -> Any:
        """A pandas DataFrame: a row per time, exact to the nanosecond, a column per field; units in `attrs`."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise LogError(f"data frames need pandas: {install_line('frames')}") from None
        index = pandas.to_timedelta(self.time_ns, unit="ns").rename("time")
        frame = pandas.DataFrame(dict(self.columns), index=index)
        frame.attrs["units"] = {field.name: field.unit for field in self.channel.fields}
        frame.attrs["frames"] = {field.name: field.frame for field in self.channel.fields}
        return frame


@final
@dataclass(frozen=True, eq=False, repr=False)
class Log:
    """A log, or its readable part."""

    header: RunHeader
    channels: Mapping[str, Channel]
    series: Mapping[str, Series]
    events: tuple[Event, ...]
    complete: bool  # closed by its writer and undamaged
    problems: tuple[str, ...] = ()  # what is missing or damaged

    @property
    def scenario_text(self) -> str:
        """Text of the scenario file; empty where the run had none."""
        return self.header.texts.get(self.header.notes.get("scenario", ""), "")

    @property
    def scene(self) -> Mapping[str, Any]:
        """Water, ground, obstacles and points of the run as plain data, in SI units and N; empty for other logs."""
        return self.header.scene

    @property
    def vehicles(self) -> Mapping[str, Mapping[str, Any]]:
        """Each vehicle of the run by name: file and its text, thrusters, fins, sensors and tethers, in body axes."""
        texts = self.header.texts
        return {name: {**one, "text": texts.get(one.get("file", ""), "")} for name, one in self.header.vehicles.items()}

    def __getitem__(self, channel: str) -> Series:
        """The series of a channel, by its name."""
        if channel in self.series:
            return self.series[channel]
        if channel in self.channels:
            raise LogError(f'channel "{channel}" was not read; it is in the file')
        raise no_channel(channel, self.channels)

    def __contains__(self, channel: object) -> bool:
        return channel in self.series

    def __repr__(self) -> str:
        state = "complete" if self.complete else f"{len(self.problems)} problems"
        return f"<Log of {len(self.series)} channels and {len(self.events)} events, {state}>"


def series_of_rows(channel: Channel, rows: Rows) -> Series:
    """Rows as columns."""
    columns = {name: np.ascontiguousarray(rows[name]) for name in channel.names}
    return Series(channel, np.ascontiguousarray(rows["time"]), columns)


def joined(channel: Channel, row: np.dtype[np.void], pieces: list[Rows]) -> Series:
    """Concatenate pieces of rows; the list is emptied to free memory."""
    rows = np.empty(sum(len(piece) for piece in pieces), row)
    start = 0
    for piece in pieces:
        rows[start : start + len(piece)] = piece
        start += len(piece)
    pieces.clear()
    return series_of_rows(channel, rows)


def to_frames(log: Log, channels: Iterable[str] | None = None) -> dict[str, Any]:
    """A pandas DataFrame per channel: a row per time, exact to the nanosecond, a column per field.

    Units and frames stand in `frame.attrs["units"]` and `frame.attrs["frames"]`.
    """
    return {name: log[name].to_pandas() for name in (log.series if channels is None else channels)}


def navigation_entry(log: Log, vehicle: str | None) -> Mapping[str, Any]:
    """The entry `navigation` of a vehicle in the scenario, with its key `part`; empty where there is none."""
    from remora.files.document import parse_document
    from remora.files.file_kinds import FileKind
    from remora.files.problems import InputFileError

    if not log.scenario_text:
        return {}
    kind = FileKind("scenario", InputFileError, {}, lambda key: None)
    data = parse_document(log.scenario_text, "scenario of the log", kind).data
    entries = data.get("vehicles") if isinstance(data, dict) else None
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and entry.get("name") == vehicle:
            navigation = entry.get("navigation")
            return navigation if isinstance(navigation, dict) else {"part": navigation}
    return {}
