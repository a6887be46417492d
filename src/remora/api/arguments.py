"""Checks of arguments that several public functions take, and advice of the library in terms of arguments."""

from collections.abc import Iterable, Sequence
from operator import index
from pathlib import Path
from typing import Any

from remora.files.problems import Advice, InputError, path_text, split_names
from remora.logs.log import Log


def output_file(path: Any, *endings: str) -> Path:
    """Path of a file to write, in a folder that exists from now on.

    Raises
    ------
    InputError
        When it is no path, has another ending or is a folder.
    """
    fix = f"Give a file ending in {' or '.join(endings)}."
    file = Path(path_text("path", path))
    if file.suffix.lower() not in endings or file.is_dir():
        raise InputError(f"{file}: {fix[0].lower()}{fix[1:]}").about("path", file, fix=fix)
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def whole_number(field: str, value: Any) -> int:
    """A whole number of at least zero; InputError for anything else."""
    try:
        number = -1 if isinstance(value, bool) else index(value)
    except TypeError:
        number = -1
    if number < 0:
        fix = "Give a whole number of at least 0."
        raise InputError(f"{field} is {value!r}. {fix}").about(field, value, fix=fix)
    return number


def several(field: str, given: Any, *kinds: type) -> Sequence[Any]:
    """One or several things as a sequence, each of a kind; InputError for anything else, and for none."""
    items = [given] if isinstance(given, kinds) else list(given) if isinstance(given, list | tuple) else None
    what = "paths, logs or records, as of record_from_arrays" if Log in kinds else "texts"
    if items is None or (Log in kinds and not items):
        shown = " ".join(repr(given).split())[:60]
        raise InputError(f"{field} is {shown}. Give {what}.").about(field, shown, fix=f"Give {what}.")
    for i, item in enumerate(items):
        if not isinstance(item, kinds):
            raise InputError(f"{field}[{i}] is {item!r:.60}. Give {what}.").about(field, item, fix=f"Give {what}.")
    return items


def names(field: str, given: Any) -> tuple[str, ...]:
    """Names from a text or several, also separated by commas as on the command line; InputError for anything else."""
    return split_names(several(field, given, str))


def argument(field: str, value: str) -> str:
    """A field and its value as a keyword argument: `rate` and `20` as rate=20."""
    if field == "constrained":  # only a reason lets damping add energy
        return argument("negative_damping", "the reason")
    if not value:
        return f"{field}=True"
    try:
        float(value)
    except ValueError:
        return f'{field}="{value}"'
    return f"{field}={value}"


def with_arguments(sentences: Iterable[str]) -> tuple[str, ...]:
    """Warnings of the library with keyword arguments as they are typed."""
    return tuple(one.worded(argument) if isinstance(one, Advice) else one for one in sentences)
