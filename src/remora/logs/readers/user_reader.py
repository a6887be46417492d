"""Log readers of the user and of plug-ins: functions that take a path and return a `Log`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from remora.files.user_code import raised_in
from remora.logs.from_series import check_log
from remora.logs.log import Log
from remora.logs.problems import LogError
from remora.logs.readers.log_format import LogFormat


def user_format(read: Callable[[Path], Log]) -> LogFormat:
    """The format that a function of the user reads; it recognises no file by itself."""
    return LogFormat("logs of another format", partial(_read, read), lambda start: False)


def _read(read: Callable[[Path], Any], path: Path) -> Log:
    """The log that the function returns; its mistakes are reported with file and line."""
    code = getattr(read, "__code__", None)
    file = Path(code.co_filename) if code is not None else Path(getattr(read, "__module__", "reader"))
    name = f"{file}:{getattr(read, '__name__', type(read).__name__)}"
    try:
        log = read(path)
    except LogError as error:
        if error.file:
            raise
        raise LogError(error.message, path, byte=error.byte, line=error.line) from error
    except Exception as error:
        raise LogError(f"{raised_in(file, error)} while it read the log", path) from error
    if not isinstance(log, Log):
        found = type(log).__name__
        raise LogError(f"{name} returned {found}, not a Log. Build one with log_from_series of remora.logs", path)
    try:
        return check_log(log)
    except LogError as error:
        raise LogError(f"{name} returned a log that cannot be used: {error}", path) from error
