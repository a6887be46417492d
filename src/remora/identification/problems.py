"""What is wrong with a record, or with what is asked of it, in words."""

from os import PathLike, fspath


class RecordError(ValueError):
    """A record was refused: the message says what was found and what to give instead."""

    def __init__(self, message: str, source: str | PathLike[str] = "", line: int | None = None) -> None:
        self.message = message
        self.source = fspath(source)
        self.line = line
        place = f"{self.source}:{line}" if line is not None else self.source
        super().__init__(f"{place}: {message}" if place else message)

    def __reduce__(self) -> tuple[type["RecordError"], tuple[str, str, int | None]]:
        return (type(self), (self.message, self.source, self.line))
