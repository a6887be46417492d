"""User-defined classes named in input files: `my_file.py:MyClass`, relative to the file that names them."""

import hashlib
import importlib.util
import sys
import traceback
from pathlib import Path
from typing import Any

from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError


class UserObjectError(InputError):
    """A user-defined object cannot be loaded; the message names its file."""


def is_user_file(name: str) -> bool:
    """Whether a name refers to a Python file."""
    return ".py:" in name or name.endswith(".py")


def load_user_object(name: str, folder: Path, example: str, named_in: str) -> Any:
    """The class or function `file.py:Name`.

    Parameters
    ----------
    name
        As the input file gives it.
    folder
        Of that file; paths are relative to it.
    example
        A valid name, for messages.
    named_in
        Kind of file that gives the name, for messages.

    Raises
    ------
    UserObjectError
        When the file or the name is missing, or the file cannot be executed.
    """
    file_name, _, attribute = name.partition(":")
    file = folder / file_name
    if not attribute.isidentifier():
        raise UserObjectError(f"give the file and the name in it, e.g. {example}.")
    if not file.is_file():
        raise UserObjectError(f"there is no file {file}. A path is relative to the folder of the {named_in}.")
    module = _executed(file)
    found = getattr(module, attribute, None)
    if not callable(found):
        known = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        hint = suggestion(attribute, known) if known else "It defines no class or function."
        raise UserObjectError(f'{file} has no "{attribute}" that can be called. {hint}')
    return found


def _executed(file: Path) -> Any:
    """The module of a file, executed again for each object; checkpoints find its tuples under its name."""
    digest = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:8]
    spec = importlib.util.spec_from_file_location(f"remora.user_parts.{file.stem}_{digest}", file)
    if spec is None or spec.loader is None:
        raise UserObjectError(f"{file} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[spec.name]
        raise UserObjectError(f"{raised_in(file, error)} while it was loaded.") from error
    return module


def raised_in(file: Path, error: Exception) -> str:
    """File, line and exception of user-defined code, as text."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    if isinstance(error, SyntaxError) and error.lineno:
        lines = [error.lineno]
    place = f"{file}:{lines[-1]}" if lines else str(file)
    return f"{place} raised {type(error).__name__}: {error}"
