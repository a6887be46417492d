"""User-defined force forms: a `Form` in a Python file of the user, loaded by path and name.

A file is executed once per content, so that all vehicles that name it share one form.
"""

import hashlib
import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

from remora.equations.hull.forms.form import Form, FormError, FormOrigin, HullForce, register
from remora.equations.hull.forms.table import form_named

PACKAGE = "remora.user_forms"  # prefix of the names of loaded modules


def load_form(file: str, name: str) -> Form:
    """The form `name` of a Python file.

    Raises
    ------
    FormError
        When the file is missing or cannot be executed, or when it has no valid form of this name.
    """
    path = Path(file)
    if not path.is_file():
        raise FormError(f"there is no file {file}.")
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    module = _module(path, digest)
    found = getattr(module, name, None)
    if not isinstance(found, Form):
        known = [key for key, value in vars(module).items() if isinstance(value, Form)]
        raise FormError(f'{file} has no Form "{name}". It has {", ".join(known) or "none"}.')
    if found.origin is None and found.wrench.__module__ != module.__name__:
        raise FormError(f"{name} of {file} takes its wrench from another file: define it in this one.")
    return register(found._replace(origin=FormOrigin(str(path.resolve()), name, digest)))


def _module(path: Path, digest: str) -> ModuleType:
    """The module of a file with this content, executed when it is first needed."""
    place = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]
    name = f"{PACKAGE}.{path.stem}_{place}_{digest[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise FormError(f"{path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise FormError(_blame(path, error)) from error
    return module


def _blame(path: Path, error: Exception) -> str:
    """File, line and exception of a file that failed."""
    if isinstance(error, FormError):
        return f"{path}: {error}"
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == path.resolve()
    ]
    if isinstance(error, SyntaxError) and error.lineno:
        lines = [error.lineno]
    place = f"{path}:{lines[-1]}" if lines else str(path)
    return f"{place} raised {type(error).__name__}: {error} while it was loaded."


def restored_form(name: str, origin: FormOrigin | None) -> Form:
    """A form of the table or of the same file, in another process.

    Raises
    ------
    FormError
        When the file has changed.
    """
    if origin is None:
        return form_named(name)
    form = load_form(origin.file, origin.name)
    if form.origin != origin:
        raise FormError(f"{origin.file} has changed since the vehicle was loaded: load it again.")
    return form


def restored_force(form: Form, numbers: tuple[tuple[float, ...], ...], name: str) -> HullForce:
    """A force from the numbers of its records.

    Parameters
    ----------
    form
        Its form.
    numbers
        Numbers of each record, in the order of its section.
    name
        Name of the force in its vehicle file.
    """
    return HullForce(form, tuple(form.read(record, 0) for record in numbers), name)
