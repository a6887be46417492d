"""References to Python objects in files: `my_package.my_module:MyPart`, or `__main__:MyPart` of the running program."""

import importlib
import sys
from typing import Any

from remora.files.problems import InputError


def is_reference(name: str) -> bool:
    """Whether a name refers to an object of a module; `my_file.py:MyPart` refers to a file."""
    module, colon, _ = name.partition(":")
    return bool(colon) and not module.endswith(".py") and all(word.isidentifier() for word in module.split("."))


def reference_of(defined: Any) -> str:
    """The reference of a class or function.

    Raises
    ------
    InputError
        When it has no name at the top level of its module.
    """
    module, name = getattr(defined, "__module__", ""), getattr(defined, "__qualname__", "")
    if getattr(sys.modules.get(module), name, None) is not defined:
        fix = "Define it at the top level of a module, a script or a notebook."
        raise InputError(f"{name or defined!r} is not known by its name in a module. {fix}").about("", name, fix=fix)
    return f"{module}:{name}"


def referenced(name: str) -> Any:
    """The object of a reference.

    Raises
    ------
    InputError
        When the module cannot be imported, or has nothing of this name that can be called.
    """
    module_name, _, attribute = name.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        fix = "Give a module that can be imported, or a file, e.g. my_file.py:MyPart."
        raise InputError(f'cannot import the module "{module_name}": {error}. {fix}').about("", name, fix=fix) from None
    found = getattr(module, attribute, None)
    if not callable(found):
        raise InputError(f'module "{module_name}" has no "{attribute}" that can be called.').about("", name)
    return found
