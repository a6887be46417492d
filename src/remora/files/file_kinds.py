"""Kinds of input files: words and errors for messages of the common reader."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from remora.files.problems import InputFileError


class FileKind(NamedTuple):
    """A kind of input file."""

    what: str  # name for messages
    error: type[InputFileError]  # raised for such a file
    examples: Mapping[str, str]  # hint for each required key at the top level
    why_unknown: Callable[[str], str | None]  # why a plausible key is not accepted, or None
