"""What messages about a file need to know of its kind: the same reader serves vehicles and other descriptions."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from remora.files.problems import InputFileError


class FileKind(NamedTuple):
    """A kind of input file."""

    what: str  # one word for messages
    error: type[InputFileError]  # how such a file is refused
    examples: Mapping[str, str]  # what to give for each required key at the top of the file
    why_unknown: Callable[[str], str | None]  # the reason why a key that people do write is not accepted, or None
