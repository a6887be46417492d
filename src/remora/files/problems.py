"""Errors of the library and problems of input files: place, field, value found, and what to write instead."""

from collections.abc import Iterable
from typing import Literal, NamedTuple, Self, TypeAlias

# Keys and list indices from the top of a file down to one field.
Path: TypeAlias = tuple[str | int, ...]

# "file": it cannot be read as what it should be. "physics": it can, but no such body exists.
Kind: TypeAlias = Literal["file", "physics"]


class InputError(ValueError):
    """An input was refused.

    Beside its message, an error may state which input is wrong and how to correct it, so that a caller such as the
    command line can word it in its own terms. An attribute is empty where it does not apply.
    """

    field: str = ""  # the wrong input
    found: str = ""  # its value
    choices: tuple[str, ...] = ()  # the values that are accepted
    fix: str = ""  # what to give instead

    def about(self, field: str, found: object = "", choices: Iterable[str] = (), fix: str = "") -> Self:
        """The same error with these attributes."""
        self.field, self.found, self.choices, self.fix = field, str(found), tuple(choices), fix
        return self


class Finding(NamedTuple):
    """Something wrong at a path of a file, before its line is known."""

    path: Path
    message: str
    kind: Kind = "file"
    shows_value: bool = True  # False where there is no value to show, as for a missing field


class Problem(NamedTuple):
    """A mistake in an input file."""

    file: str
    line: int | None  # counted from one
    column: int | None
    field: str  # dotted, e.g. thrusters[4].direction; empty for the file as a whole
    found: str  # the value as read; empty where there is none
    message: str
    kind: Kind

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        what = f"{self.field} = {self.found}" if self.field and self.found else self.field
        return ": ".join(part for part in (place, what, self.message) if part)


class InputFileError(InputError):
    """An input file was refused; `problems` lists all mistakes in the order of lines, `field` is that of the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(dict.fromkeys(problems), key=lambda p: (p.line or 0, p.column or 0)))
        super().__init__("\n".join(str(problem) for problem in self.problems))
        if self.problems:
            self.about(self.problems[0].field, self.problems[0].found)

    def __reduce__(self) -> tuple[type["InputFileError"], tuple[tuple[Problem, ...]]]:
        return (type(self), (self.problems,))

    @property
    def only_physics(self) -> bool:
        """Whether the file was readable and only its values are physically impossible."""
        return all(problem.kind == "physics" for problem in self.problems)


def dotted(path: Path) -> str:
    """A path as one text: thrusters[4].direction."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.removeprefix(".")


def listed(words: Iterable[str]) -> str:
    """Words as an English list: a, b and c."""
    words = list(words)
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
