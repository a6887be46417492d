"""What is wrong with an input file, in words, with the place where it stands and what to write instead."""

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

# Keys and list indices from the top of a file down to one field.
Path: TypeAlias = tuple[str | int, ...]

# "file": it cannot be read as what it should be. "physics": it can, but no such body exists.
Kind: TypeAlias = Literal["file", "physics"]


class Finding(NamedTuple):
    """Something wrong at a path of a file, before it is known in which line that is."""

    path: Path
    message: str
    kind: Kind = "file"
    shows_value: bool = True  # False where the value itself says nothing, as for a missing field


class Problem(NamedTuple):
    """One thing that is wrong with an input file."""

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


class InputFileError(ValueError):
    """An input file was refused; `problems` lists everything that is wrong with it, in the order of its lines."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(dict.fromkeys(problems), key=lambda p: (p.line or 0, p.column or 0)))
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type["InputFileError"], tuple[tuple[Problem, ...]]]:
        return (type(self), (self.problems,))

    @property
    def only_physics(self) -> bool:
        """Whether the file was readable and only its numbers are wrong."""
        return all(problem.kind == "physics" for problem in self.problems)


def dotted(path: Path) -> str:
    """A path as people write it: thrusters[4].direction."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.removeprefix(".")


def listed(words: Iterable[str]) -> str:
    """Words in a row: a, b and c."""
    words = list(words)
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
