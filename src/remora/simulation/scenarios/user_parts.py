"""User-defined parts: `part: my_file.py:MyPart` in a scenario, with a path relative to the scenario."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from remora.files.user_objects import UserObjectError, load_user_object, raised_in
from remora.logs.schema import Field
from remora.messages.part import Part, PartInput
from remora.messages.part_options import PartError


def load_user_part(name: str, folder: Path) -> Any:
    """The class or function `file.py:Name`; PartError when the file or the name is missing or the import fails."""
    try:
        return load_user_object(name, folder, "my_file.py:MyPart", "scenario")
    except UserObjectError as error:
        raise PartError(str(error), "part") from error


def make_user_part(made_by: Any, file: str, options: dict[str, Any], *arguments: Any) -> Any:
    """The part that a user-defined class or function makes from arguments and options."""
    _check_signature(made_by, options, arguments)
    try:
        part = made_by(*arguments, **options)
    except Exception as error:
        raise PartError(f"{raised_in(Path(file), error)} while the part was made.", "part") from error
    missing = [name for name in ("initial", "step") if not callable(getattr(part, name, None))]
    if missing:
        raise PartError(f"what it makes has no {' and no '.join(missing)}; a part needs initial() and step().", "part")
    return part


def as_part(made: Any) -> Part:
    """The object as a part of the loop, wrapped where it defines no log fields."""
    part: Part = made if hasattr(made, "fields") and callable(getattr(made, "row", None)) else Unlogged(made)
    return part


def _check_signature(made_by: Any, options: dict[str, Any], arguments: tuple[Any, ...]) -> None:
    try:
        signature = inspect.signature(made_by)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*arguments, **options)
    except TypeError as error:
        takes = f"It takes {signature}; a scenario gives it the vehicle, the period in s and the other keys by name."
        known = [key for key in options if key not in signature.parameters]
        raise PartError(f"cannot be made with these options: {error}. {takes}", known[0] if known else "part") from None


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
