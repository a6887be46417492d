"""User code of a scenario: parts, and the digest of all its sources.

A part is `part: my_file.py:MyPart`, with a path relative to the scenario. `my_package.my_module:MyPart` names a class
of a module instead, `__main__:MyPart` one of the running program.
"""

import hashlib
import inspect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, final

from remora.files.problems import InputError
from remora.files.user_code import (
    UserCodeError,
    UserCodeNames,
    is_reference,
    is_user_code,
    made_by_user,
    referenced,
    source_file,
    user_object,
)
from remora.logs.schema import Field
from remora.messages.estimate import POSE_AND_MOTION
from remora.messages.part import Part
from remora.messages.part_options import PartError
from remora.vehicles.vehicle import Vehicle

_NAMES = UserCodeNames("my_file.py:MyPart", "the folder of the scenario", "the vehicle, the period in s")


def load_user_part(name: str, folder: Path) -> Any:
    """The class or function `file.py:Name`; PartError when the file or the name is missing or the import fails."""
    try:
        return user_object(name, folder, _NAMES)
    except UserCodeError as error:
        raise PartError(str(error), "part") from error


def make_user_part(made_by: Any, file: str, options: dict[str, Any], *arguments: Any) -> Any:
    """The part that a user-defined class or function makes from arguments and options."""
    try:
        part = made_by_user(made_by, Path(file), arguments, options, _NAMES, "part")
    except UserCodeError as error:
        raise PartError(str(error), error.field or "part") from error
    missing = [name for name in ("initial", "step") if not callable(getattr(part, name, None))]
    if missing:
        raise PartError(f"what it makes has no {' and no '.join(missing)}; a part needs initial() and step().", "part")
    return part


def as_part(made: Any) -> Part:
    """The object as a part of the loop, wrapped where it defines no log fields.

    Raises a PartError where its log fields or its needs are incomplete, so that neither is ignored.
    """
    has_fields, has_row = hasattr(made, "fields"), callable(getattr(made, "row", None))
    if has_fields != has_row:
        given, lacking = ("fields", "row(output)") if has_fields else ("row", "fields")
        raise PartError(f"what it makes has {given} and no {lacking}; a part is logged by both together.", "part")
    if has_fields and not all(isinstance(field, Field) for field in made.fields):
        raise PartError('its fields are no tuple of remora.Field, such as (Field("error", "m"),).', "part")
    needs = getattr(made, "needs", ())
    if not isinstance(needs, tuple | list) or not set(needs) <= set(POSE_AND_MOTION):
        raise PartError(f"its needs are {needs!r}: give a tuple of {', '.join(POSE_AND_MOTION)}.", "part")
    return cast(Part, made if has_fields else Unlogged(made))


@final
@dataclass(frozen=True)
class Unlogged:
    """A user-defined part without log fields: an empty row, and all else as the part itself has it."""

    inner: Any
    fields: tuple[Field, ...] = ()

    def row(self, output: Any) -> Sequence[float]:
        """An empty row."""
        return ()

    def __getattr__(self, name: str) -> Any:
        if name == "inner" or name.startswith("__"):  # asked for by copies, before there is an inner part
            raise AttributeError(name)
        return getattr(self.inner, name)


CODE_KEYS = ("part", "kind", "navigation", "guidance", "control", "allocation", "stage")  # that may name user code


def user_code_digest(data: Any, folder: Path, vehicles: Iterable[Vehicle]) -> str:
    """Digest of the contents of all files of user code; empty where there is none."""
    sources = {_source(name, folder) for name in _names(data)}
    for vehicle in vehicles:
        sources |= {_source(entry.kind, Path(entry.folder)) for entry in vehicle.sensors if is_user_code(entry.kind)}
        origins = [force.form.origin for force in vehicle.parameters.forces if force.form.origin is not None]
        sources |= {_content(Path(one.file)) if one.is_file else one.digest.encode() for one in origins}
    digests = sorted(hashlib.sha256(source).hexdigest() for source in sources if source)
    return "".join(digests)


def _names(data: Any, key: str = "") -> Iterator[str]:
    """All texts below an entry that name user code."""
    if isinstance(data, str) and key in CODE_KEYS and is_user_code(data):
        yield data
    elif isinstance(data, dict):
        for name, value in data.items():
            yield from _names(value, name)
    elif isinstance(data, list):
        for value in data:
            yield from _names(value, key)


def _source(name: str, folder: Path) -> bytes:
    """Content of the file of `my_file.py:Name` or `my_module:Name`; empty where it cannot be read."""
    if not is_reference(name):
        return _content(folder / name.partition(":")[0])
    try:
        defined = referenced(name)
    except InputError:
        return b""
    file = source_file(defined)
    if file is not None:
        return _content(file)
    try:
        return inspect.getsource(defined).encode()
    except (OSError, TypeError):
        return b""


def _content(file: Path) -> bytes:
    return file.read_bytes() if file.is_file() else b""
