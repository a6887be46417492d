"""User-defined parts: `part: my_file.py:MyPart` in a scenario, with a path relative to the scenario.

`my_package.my_module:MyPart` names a class of a module instead, `__main__:MyPart` one of the running program.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from remora.files.user_code import UserCodeError, UserCodeNames, made_by_user, user_object
from remora.logs.schema import Field
from remora.messages.part import Part, PartInput
from remora.messages.part_options import PartError

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
    """The object as a part of the loop, wrapped where it defines no log fields."""
    part: Part = made if hasattr(made, "fields") and callable(getattr(made, "row", None)) else Unlogged(made)
    return part


@final
@dataclass(frozen=True)
class Unlogged:
    """Wrapper of a user-defined part without log fields."""

    inner: Any

    @property
    def needs(self) -> tuple[str, ...]:
        """Required quantities of the part."""
        return tuple(getattr(self.inner, "needs", ()))

    @property
    def fields(self) -> tuple[Field, ...]:
        """No fields."""
        return ()

    def initial(self) -> Any:
        """As the part itself."""
        return self.inner.initial()

    def step(self, state: Any, now: PartInput) -> tuple[Any, Any]:
        """As the part itself."""
        result: tuple[Any, Any] = self.inner.step(state, now)
        return result

    def row(self, output: Any) -> Sequence[float]:
        """An empty row."""
        return ()
