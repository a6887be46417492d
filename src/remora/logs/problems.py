"""Errors of logs, with the file and the byte or line."""

from collections.abc import Iterable
from os import PathLike, fspath

from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError

_MOST_PROBLEMS = 50  # a badly damaged file has thousands, and nobody reads them


class LogError(InputError):
    """A log, or a value for one, was refused: `file`, and where known `byte` or `line`, say where."""

    def __init__(
        self, message: str, file: str | PathLike[str] = "", *, byte: int | None = None, line: int | None = None
    ) -> None:
        self.message = message
        self.file = fspath(file)
        self.byte = byte
        self.line = line
        place = f"{self.file}:{line}" if line is not None else self.file
        offset = f"byte {byte}" if byte is not None else ""
        super().__init__(": ".join(part for part in (place, offset, message) if part))

    def __reduce__(self) -> tuple[object, tuple[object, ...], dict[str, object]]:
        return (_log_error, (self.message, self.file, self.byte, self.line), self.__dict__)


def _log_error(message: str, file: str, byte: int | None, line: int | None) -> LogError:
    return LogError(message, file, byte=byte, line=line)


def no_channel(name: object, known: Iterable[str], file: str | PathLike[str] = "") -> LogError:
    """The error for a channel that a log does not have."""
    known = tuple(known)
    fix = suggestion(str(name), known)
    return LogError(f'there is no channel "{name}". {fix}', file).about("channel", name, known, fix)


class Problems:
    """Descriptions of damage; after fifty, only their number."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._more = 0

    def add(self, message: str, byte: int | None = None) -> None:
        """Note one problem, once."""
        words = f"byte {byte}: {message}" if byte is not None else message
        if words in self._words:
            return
        if len(self._words) < _MOST_PROBLEMS:
            self._words.append(words)
        else:
            self._more += 1

    def __bool__(self) -> bool:
        return bool(self._words)

    def words(self) -> tuple[str, ...]:
        """All of them, in the order of the file."""
        return (*self._words, *([f"and {self._more} more"] if self._more else []))


def seconds(time_ns: int) -> str:
    """A time in seconds, exact to the nanosecond: 12.35 s."""
    whole, part = divmod(time_ns, 1_000_000_000)
    return f"{whole}.{part:09d}".rstrip("0").rstrip(".") + " s"
