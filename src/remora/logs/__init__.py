"""Logs: one schema with units and frames for every run, written while running, read whole or in pieces.

>>> from remora.logs import Channel, Field, LogWriter, RunHeader, read_log
>>> depth = Channel("falcon/depth", (Field("depth", "m", "N", "below the surface"),))
>>> with LogWriter("run.mcap", RunHeader(version="0.1.0", seed=1), [depth]) as writer:  # doctest: +SKIP
...     writer.write("falcon/depth", 0, (1.5,))
>>> read_log("run.mcap")["falcon/depth"]["depth"]  # doctest: +SKIP
array([1.5])

The names below are only loaded when they are used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remora.logs.comparison import Comparison, Difference, compare
    from remora.logs.csv_reading import read_csv_log
    from remora.logs.csv_writing import to_csv
    from remora.logs.frames import to_frames
    from remora.logs.log import Log, Series
    from remora.logs.problems import LogError
    from remora.logs.reader import LogReader, iterate, read_log
    from remora.logs.resuming import resume_log
    from remora.logs.schema import Channel, Event, Field, RunHeader
    from remora.logs.writer import LogWriter, Mark

_HOME = {
    "Channel": "schema",
    "Comparison": "comparison",
    "Difference": "comparison",
    "Event": "schema",
    "Field": "schema",
    "Log": "log",
    "LogError": "problems",
    "LogReader": "reader",
    "LogWriter": "writer",
    "Mark": "writer",
    "RunHeader": "schema",
    "Series": "log",
    "compare": "comparison",
    "iterate": "reader",
    "read_csv_log": "csv_reading",
    "read_log": "reader",
    "resume_log": "resuming",
    "to_csv": "csv_writing",
    "to_frames": "frames",
}

__all__ = [
    "Channel",
    "Comparison",
    "Difference",
    "Event",
    "Field",
    "Log",
    "LogError",
    "LogReader",
    "LogWriter",
    "Mark",
    "RunHeader",
    "Series",
    "compare",
    "iterate",
    "read_csv_log",
    "read_log",
    "resume_log",
    "to_csv",
    "to_frames",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
