"""Logs as pandas data frames."""

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from remora.distribution import install_line
from remora.logs.log import Log, Series
from remora.logs.problems import LogError


def to_frames(log: Log, channels: Iterable[str] | None = None) -> dict[str, Any]:
    """A pandas DataFrame per channel: a row per time, exact to the nanosecond, a column per field.

    Units and frames stand in `frame.attrs["units"]` and `frame.attrs["frames"]`.
    """
    return {name: to_frame(log[name]) for name in (log.series if channels is None else channels)}


def to_frame(series: Series) -> Any:
    """One channel as a pandas DataFrame, as in `to_frames`."""
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise LogError(f"data frames need pandas: {install_line('frames')}") from None
    index = pandas.to_timedelta(series.time_ns, unit="ns").rename("time")
    frame = pandas.DataFrame(dict(series.columns), index=index)
    frame.attrs["units"] = {field.name: field.unit for field in series.channel.fields}
    frame.attrs["frames"] = {field.name: field.frame for field in series.channel.fields}
    return frame
