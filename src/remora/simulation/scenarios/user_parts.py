"""Parts of one's own: `part: my_file.py:MyPart` in a scenario, with the path relative to the scenario."""

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
from remora.logs.schema import Field
from remora.messages.part import Part, PartInput
from remora.messages.part_options import PartError


def is_own(name: str) -> bool:
    """Whether a scenario means a file of its own by this."""
    return ".py:" in name or name.endswith(".py")


def load_own(name: str, folder: Path, where: str = "part") -> Any:
    """What `file.py:Name` names; PartError when there is no such file, when it fails, or when it has no such name."""
    file_name, _, word = name.partition(":")
    file = folder / file_name
    if not word.isidentifier():
        raise PartError("give the file and the name in it, e.g. my_file.py:MyPart.", where)
    if not file.is_file():
        raise PartError(f"there is no file {file}. A path is relative to the folder of the scenario.", where)
    module = _loaded(file, where)
    found = getattr(module, word, None)
    if not callable(found):
        known = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        hint = suggestion(word, known) if known else "It defines no class or function."
        raise PartError(f'{file} has no "{word}" that can be called. {hint}', where)
    return found


def _loaded(file: Path, where: str) -> Any:
    """The module in a file, run anew for each part; its name is one under which checkpoints find its tuples."""
    digest = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:8]
    spec = importlib.util.spec_from_file_location(f"remora.own.{file.stem}_{digest}", file)
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


def make_own(made_by: Any, file: str, options: dict[str, Any], *arguments: Any) -> Any:
    """What `load_own` found makes, called with these arguments and the options as keywords; it has initial and step."""
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
    """The same as a part of the loop, also if it says nothing about logs."""
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
    """Who raised what, and in which line of the user's file."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    if isinstance(error, SyntaxError) and error.lineno:
        lines = [error.lineno]
    place = f"{file}:{lines[-1]}" if lines else str(file)
    return f"{place} raised {type(error).__name__}: {error}"


@final
@dataclass(frozen=True)
class Unlogged:
    """A part of one's own that says nothing about logs."""

    inner: Any

    @property
    def needs(self) -> tuple[str, ...]:
        """Those of the part, where it names any."""
        return tuple(getattr(self.inner, "needs", ()))

    @property
    def fields(self) -> tuple[Field, ...]:
        """None."""
        return ()

    def initial(self) -> Any:
        """That of the part."""
        return self.inner.initial()

    def step(self, state: Any, now: PartInput) -> tuple[Any, Any]:
        """That of the part."""
        result: tuple[Any, Any] = self.inner.step(state, now)
        return result

    def row(self, output: Any) -> Sequence[float]:
        """Nothing."""
        return ()
