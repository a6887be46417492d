"""User-defined parts: `part: my_file.py:MyPart` in a scenario, with a path relative to the scenario.

`my_package.my_module:MyPart` names a class of a module instead, `__main__:MyPart` one of the running program.
"""

import hashlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError
from remora.files.python_references import is_reference, referenced
from remora.logs.schema import Field
from remora.messages.part import Part, PartInput
from remora.messages.part_options import PartError


def is_user_file(name: str) -> bool:
    """Whether a part name refers to a Python file or module."""
    return ".py:" in name or name.endswith(".py") or is_reference(name)


def load_user_object(name: str, folder: Path, where: str = "part") -> Any:
    """The object `file.py:Name`; PartError when the file or the name is missing or the import fails."""
    if is_reference(name):
        try:
            return referenced(name)
        except InputError as error:
            raise PartError(str(error), where) from None
    file_name, _, attribute = name.partition(":")
    file = folder / file_name
    if not attribute.isidentifier():
        raise PartError("give the file and the name in it, e.g. my_file.py:MyPart.", where)
    if not file.is_file():
        raise PartError(f"there is no file {file}. A path is relative to the folder of the scenario.", where)
    module = _loaded(file, where)
    found = getattr(module, attribute, None)
    if not callable(found):
        known = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        hint = suggestion(attribute, known) if known else "It defines no class or function."
        raise PartError(f'{file} has no "{attribute}" that can be called. {hint}', where)
    return found


def _loaded(file: Path, where: str) -> Any:
    """The module of a file, executed for each part; checkpoints find its tuples under its name."""
    digest = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:8]
    spec = importlib.util.spec_from_file_location(f"remora.user_parts.{file.stem}_{digest}", file)
    if spec is None or spec.loader is None:
        raise PartError(f"{file} is no Python file.", where)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[spec.name]
        raise PartError(f"{_blamed(file, error)} while it was loaded.", where) from error
    return module


def make_user_part(made_by: Any, file: str, options: dict[str, Any], *arguments: Any) -> Any:
    """The part that a user-defined class or function makes from arguments and options."""
    _check_signature(made_by, options, arguments)
    try:
        part = made_by(*arguments, **options)
    except Exception as error:
        raise PartError(f"{_blamed(Path(file), error)} while the part was made.", "part") from error
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


def _blamed(file: Path, error: Exception) -> str:
    """File, line and exception of a user-defined part, as text."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    if isinstance(error, SyntaxError) and error.lineno:
        lines = [error.lineno]
    place = f"{file}:{lines[-1]}" if lines else str(file)
    return f"{place} raised {type(error).__name__}: {error}"


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
