"""Interface of the log readers: a format, the files that it recognises, and the function that reads them."""

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import NamedTuple, final

from remora.logs.log import Log
from remora.logs.mcap.reader import LogReader


class LogFormat(NamedTuple):
    """A format of log files that can be read."""

    name: str  # of such logs, in the plural
    # The log, or an open reader where it may exceed the memory. LogError where nothing can be read; other damage goes
    # to `problems`.
    read: Callable[[Path], Log | LogReader]
    recognises: Callable[[bytes], bool]  # whether a file with these first bytes (64, or all) has this format
    endings: tuple[str, ...] = ()  # usual ones, in lower case
    folder: str = ""  # pattern of a file by which a folder is recognised; empty: a log is never a folder

    @property
    def text(self) -> str:
        """Name, endings and folder."""
        folders = (f"a folder with {self.folder}",) if self.folder else ()
        return f"{self.name} ({', '.join((*self.endings, *folders))})"


@final
@dataclass(frozen=True)
class LogFile:
    """A log in another format, with the function that reads it.

    It can be given wherever the path of a log can. The function is used unless the log is recognised as one of a known
    format by its first bytes.
    """

    path: str | PathLike[str]  # file or folder
    read: Callable[[Path], Log]  # returns the log of the path, for instance from `log_from_series`

    def __fspath__(self) -> str:
        return fspath(self.path)

    def __str__(self) -> str:
        return fspath(self.path)
