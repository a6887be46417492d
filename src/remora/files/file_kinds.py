"""Kinds of input files: words and errors for messages of the common reader."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from remora.files.problems import InputFileError


class FileKind(NamedTuple):
    """A kind of input file."""

    what: str  # name for messages
    error: type[InputFileError]  # raised for such a file
    examples: Mapping[str, str]  # hint for each required key at the top level
    why_unknown: Callable[[str], str | None]  # why a plausible key is not accepted, or None


# Keys at the top level by which a file of a kind is known; no other kind has them.
_MARKS = {"scenario": ("duration", "vehicles"), "vehicle": ("body", "damping"), "morphology": ("modules", "links")}
_USES = {
    "scenario": "Name it in a scenario, as in vehicles: [{name: rov, file: FILE}].",
    "vehicle": "Give the file of one vehicle.",
}


class OtherKind(NamedTuple):
    """A file of another kind than the expected one."""

    mark: str  # a key that shows it
    message: str


def other_kind(keys: Collection[str], what: str) -> OtherKind | None:
    """The message for a file of another kind than `what`, by the keys at its top level; None for any other file."""
    if any(mark in keys for mark in _MARKS.get(what, ())):
        return None
    for found, marks in _MARKS.items():
        if found != what and all(mark in keys for mark in marks):
            message = f"this is a {found} file, and a {what} file is needed. {_USES.get(what, '')}".rstrip()
            return OtherKind(marks[0], message)
    return None
