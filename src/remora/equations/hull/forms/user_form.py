"""User-defined force forms: a `Form` in a Python file of the user, by path and name, or in an imported module.

A file is executed once per content, so that all vehicles that name it share one form. A `Form` of a module is the
object that the module holds now, so a notebook may define it.
"""

import hashlib
import importlib
import importlib.util
import marshal
import sys
import traceback
from pathlib import Path
from types import ModuleType

from remora.equations.hull.forms.form import Form, FormError, FormOrigin, HullForce, register
from remora.equations.hull.forms.table import LISTED_FORMS, form_named

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


def form_of_module(module_name: str, name: str) -> Form:
    """The form `name` of a module, such as "my_package.my_module" or "__main__" for the running program.

    Raises
    ------
    FormError
        When there is no such module, or no valid form of this name in it.
    """
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise FormError(
            f"cannot import {module_name}: {error}. A form of a file is given as my_drag.py:MY_DRAG."
        ) from None
    found = getattr(module, name, None)
    if not isinstance(found, Form):
        known = [key for key, value in vars(module).items() if isinstance(value, Form)]
        raise FormError(f'{module_name} has no Form "{name}". It has {", ".join(known) or "none"}.')
    codes = (getattr(one, "__code__", None) for one in (found.read, found.wrench, found.with_density, found.scaled))
    digest = hashlib.sha256(b"".join(marshal.dumps(code) for code in codes)).hexdigest()
    return register(found._replace(origin=FormOrigin(module_name, name, digest)))


def reference_of_form(form: Form) -> str:
    """The form as the text of a vehicle file: its file, or its module, and its name there.

    Raises
    ------
    FormError
        When the form has no name at the top level of a module.
    """
    if form.origin is not None:
        return f"{form.origin.file}:{form.origin.name}"
    if any(form is one for one in LISTED_FORMS):
        return form.name
    for module in dict.fromkeys((form.wrench.__module__, "__main__")):
        for key, value in vars(sys.modules.get(module, sys)).items():
            if value is form:
                return f"{module}:{key}"
    raise FormError(f"{form.name} has no name: write MY_FORM = register(Form(...)) at the top level of the program.")


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
    form = (load_form if origin.is_file else form_of_module)(origin.file, origin.name)
    if form.origin != origin:
        raise FormError(f"{origin.file} has changed since the vehicle was loaded: load it again.")
    return form


def restored_force(form: Form, numbers: tuple[tuple[float, ...], ...], name: str) -> HullForce:
    """A force from the numbers of its records.

    `numbers` has the numbers of each record, in the order of its section; `name` is the name in the vehicle file.
    """
    return HullForce(form, tuple(form.read(record, 0) for record in numbers), name)
