"""User-defined parts: `part: my_file.py:MyPart` in a scenario, with a path relative to the scenario.

`my_package.my_module:MyPart` names a class of a module instead, `__main__:MyPart` one of the running program. A plug-in
adds such a class under a name of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, final

from remora.files.user_code import UserCodeError, UserCodeNames, is_user_code, made_by_user, user_object
from remora.logs.schema import Field
from remora.messages.estimate import POSE_AND_MOTION
from remora.messages.part import Part
from remora.messages.part_options import PartError
from remora.scenarios.part_registry import PLUGINS

_NAMES = UserCodeNames("my_file.py:MyPart", "the folder of the scenario", "the vehicle, the period in s")


def load_user_part(name: str, folder: Path) -> Any:
    """The class or function `file.py:Name`, or of a plug-in; PartError when it is missing or the import fails."""
    if not is_user_code(name):
        return PLUGINS.get(name)
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
