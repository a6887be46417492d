"""Errors of the library and problems of input files: place, field, value found, and what to write instead."""

from collections.abc import Callable, Iterable, Mapping
from os import PathLike, fspath
from typing import Literal, NamedTuple, Self, TypeAlias

# Keys and list indices from the top of a file down to one field.
Path: TypeAlias = tuple[str | int, ...]

# "file": it cannot be read as what it should be. "physics": it can, but no such body exists.
Kind: TypeAlias = Literal["file", "physics", "plausibility"]  # the last alone does not refuse a file

# Wording of a field and the value to give it: a Python argument, or an option of a command.
Naming: TypeAlias = Callable[[str, str], str]


class Fix(str):
    """A correction that names fields. The text names Python arguments; a command line words its options instead."""

    sentence: str  # with `{field}` in place of each field
    values: Mapping[str, str]  # field -> value to give it; empty for a flag
    calls: Mapping[str, str]  # field -> Python expression with the same effect; field=value unless given

    def __new__(cls, sentence: str, values: Mapping[str, str], calls: Mapping[str, str] | None = None) -> Self:
        """The fix as text with Python arguments."""
        known = calls or {}
        fix = super().__new__(
            cls, _named(sentence, values, lambda field, value: known.get(field) or f"{field}={value}")
        )
        fix.sentence, fix.values, fix.calls = sentence, values, known
        return fix

    def worded(self, naming: Naming) -> str:
        """The sentence with each field worded by `naming(field, value)`."""
        return _named(self.sentence, self.values, naming)

    def followed_by(self, sentence: str) -> "Fix":
        """The same fix with a further sentence, and with the fix of that sentence."""
        if not isinstance(sentence, Advice):
            return Fix(f"{self.sentence} {sentence}", self.values, self.calls)
        joined = f"{self.sentence} {sentence.finding} {sentence.fix.sentence}"
        return Fix(joined, {**self.values, **sentence.fix.values}, {**self.calls, **sentence.fix.calls})

    def __reduce__(self) -> tuple[type["Fix"], tuple[str, Mapping[str, str], Mapping[str, str]]]:
        return (type(self), (self.sentence, self.values, self.calls))


def _named(sentence: str, values: Mapping[str, str], naming: Naming) -> str:
    for field, value in values.items():
        sentence = sentence.replace(f"{{{field}}}", naming(field, value))
    return sentence


class Advice(str):
    """A warning that ends in a fix."""

    finding: str
    fix: Fix

    def __new__(cls, finding: str, fix: Fix) -> Self:
        """Text: the finding and its fix with Python arguments."""
        advice = super().__new__(cls, f"{finding} {fix}")
        advice.finding, advice.fix = finding, fix
        return advice

    def worded(self, naming: Naming) -> str:
        """The warning with each field of its fix worded by `naming(field, value)`."""
        return f"{self.finding} {self.fix.worded(naming)}"

    def __reduce__(self) -> tuple[type["Advice"], tuple[str, Fix]]:
        return (type(self), (self.finding, self.fix))


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

    def worded(self, naming: Naming) -> str:
        """The message with each field of its fix worded by `naming(field, value)`."""
        return str(self).replace(self.fix, self.fix.worded(naming)) if isinstance(self.fix, Fix) else str(self)


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
    """An input file was refused; `problems` lists all mistakes in the order of lines, `field` is from the first."""

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
        return all(problem.kind != "file" for problem in self.problems)


def path_text(field: str, path: object) -> str:
    """A path as text; InputError for anything else."""
    if isinstance(path, str | PathLike) and isinstance(text := fspath(path), str):
        return text
    fix = "Give a text or a path."
    raise InputError(f"{field} is {path!r:.60}. {fix}").about(field, path, fix=fix)


def dotted(path: Path) -> str:
    """A path as one text: thrusters[4].direction."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.removeprefix(".")


def split_names(given: Iterable[str]) -> tuple[str, ...]:
    """Names from several texts, each of which may hold some separated by commas."""
    return tuple(word.strip() for text in given for word in text.split(",") if word.strip())


def listed(words: Iterable[str]) -> str:
    """Words as an English list: a, b and c."""
    words = list(words)
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
