"""Objects of user code: `my_file.py:Name` of a file, `my_module:Name` of a module, `__main__:Name` of the program."""

import hashlib
import importlib
import importlib.util
import inspect
import sys
import sysconfig
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError
from remora.files.registries import plugin_packages

SESSION = "__main__:"  # starts the name of an object of the running program
_LOADED = "remora.user_parts"  # prefix of the names of modules that are loaded from files


class UserCodeError(InputError):
    """A file of the user, or an object in it, cannot be used; `field` is the wrong option, if it is one."""


class UserCodeNames(NamedTuple):
    """Terms of messages on user code."""

    example: str  # such as my_file.py:MyPart
    base: str  # what a path is relative to, such as "the folder of the scenario"
    gives: str = ""  # what the object is called with


def is_user_code(name: str) -> bool:
    """Whether a name refers to a Python file or module."""
    return ".py:" in name or name.endswith(".py") or is_reference(name)


def user_object(name: str, folder: Path, names: UserCodeNames) -> Any:
    """The class or function `file.py:Name` or `module:Name`; paths are relative to the folder, names are for messages.

    Raises a UserCodeError when the file or the name is missing, or the import fails.
    """
    if is_reference(name):
        try:
            return referenced(name)
        except InputError as error:
            raise UserCodeError(str(error)) from error
    file_name, _, attribute = name.partition(":")
    file = folder / file_name
    if not attribute.isidentifier():
        raise UserCodeError(f"give the file and the name in it, e.g. {names.example}.")
    if not file.is_file():
        raise UserCodeError(f"there is no file {file}. A path is relative to {names.base}.")
    module = _loaded(file)
    found = getattr(module, attribute, None)
    if not callable(found):
        known = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        hint = suggestion(attribute, known) if known else "It defines no class or function."
        raise UserCodeError(f'{file} has no "{attribute}" that can be called. {hint}')
    return found


def _loaded(file: Path) -> Any:
    """The module of a file, executed for each object; checkpoints find its tuples under its name."""
    digest = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:8]
    spec = importlib.util.spec_from_file_location(f"{_LOADED}.{file.stem}_{digest}", file)
    if spec is None or spec.loader is None:
        raise UserCodeError(f"{file} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[spec.name]
        raise UserCodeError(f"{raised_in(file, error)} while it was loaded.") from error
    return module


def made_by_user(
    maker: Any, file: Path, arguments: Sequence[Any], options: Mapping[str, Any], names: UserCodeNames, what: str
) -> Any:
    """The object that a class or function of the user makes; file, names and `what` ("part") are for messages.

    Raises a UserCodeError when the arguments do not fit, or the maker fails.
    """
    _check_signature(maker, arguments, options, names)
    try:
        return maker(*arguments, **options)
    except Exception as error:
        raise UserCodeError(f"{raised_in(file, error)} while the {what} was made.") from error


def _check_signature(maker: Any, arguments: Sequence[Any], options: Mapping[str, Any], names: UserCodeNames) -> None:
    try:
        signature = inspect.signature(maker)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*arguments, **options)
    except TypeError as error:
        takes = f"It takes {signature}; a scenario gives it {names.gives} and the other keys by name."
        unknown = [key for key in options if key not in signature.parameters]
        message = f"cannot be made with these options: {error}. {takes}"
        raise UserCodeError(message).about(unknown[0] if unknown else "") from None


def raised_in(file: Path, error: Exception) -> str:
    """File, line and exception of user code, as text."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == file.resolve()]
    if isinstance(error, SyntaxError) and error.lineno:
        lines = [error.lineno]
    place = f"{file}:{lines[-1]}" if lines else str(file)
    return f"{place} raised {type(error).__name__}: {error}"


def is_user_defined(thing: Any) -> bool:
    """Whether the class of an object stands outside of the package."""
    return _is_user_module(type(thing).__module__)


def source_file(defined: Any) -> Path | None:
    """File of a class or function; None where it has none, such as in a notebook."""
    try:
        found = inspect.getsourcefile(defined)
    except (OSError, TypeError):
        return None
    return Path(found) if found and Path(found).is_file() else None


def user_line(error: BaseException) -> str:
    """File and line of the user code in which an error was raised, as text; empty where there is none."""
    library = (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"))
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        file, module = frame.f_code.co_filename, str(frame.f_globals.get("__name__", ""))
        is_plugin = module.partition(".")[0] in plugin_packages()
        if is_plugin or (_is_user_module(module) and not file.startswith(library)):
            return f"{file}:{line}"
    return ""


def _is_user_module(module: str) -> bool:
    package = __name__.partition(".")[0]
    return module.startswith(_LOADED) or module.partition(".")[0] != package


def is_reference(name: str) -> bool:
    """Whether a name refers to an object of a module; `my_file.py:MyPart` refers to a file."""
    module, colon, _ = name.partition(":")
    return bool(colon) and not module.endswith(".py") and all(word.isidentifier() for word in module.split("."))


def reference_of(defined: Any) -> str:
    """The reference of a class or function; an InputError when it has no name at the top level of its module."""
    module, name = getattr(defined, "__module__", ""), getattr(defined, "__qualname__", "")
    if getattr(sys.modules.get(module), name, None) is not defined:
        fix = "Define it at the top level of a module, a script or a notebook."
        raise InputError(f"{name or defined!r} is not known by its name in a module. {fix}").about("", name, fix=fix)
    return f"{module}:{name}"


def referenced(name: str) -> Any:
    """The object of a reference; an InputError without such a module, or without a callable of this name in it."""
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
