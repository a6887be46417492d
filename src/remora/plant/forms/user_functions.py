"""Functions of a user in compiled code: their registration, and one message for one that does not compile."""

import ast
import builtins
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any, NamedTuple

from numba.extending import register_jitable

from remora.files.problems import InputError
from remora.plant import registration

ELEMENTARY = "remora.equations.algebra.elementary"
_NUMBERS = "write the numbers out, such as (2.0 * x[0], 2.0 * x[1]) or x[0] + x[1]"
_RECORD = "write a tuple, or a NamedTuple at the top level of the module"
_TOP = "define it at the top level of the module and call it with numbers and tuples"
_CHOOSE = f"choose with {ELEMENTARY}.select between values that are always finite"
# What compiled code never takes, and what to write instead.
_NEVER: dict[type[ast.AST], tuple[str, str]] = {
    ast.GeneratorExp: ("a generator", _NUMBERS),
    ast.Yield: ("a generator", _NUMBERS),
    ast.YieldFrom: ("a generator", _NUMBERS),
    ast.ListComp: ("a list", _NUMBERS),
    ast.SetComp: ("a set", _NUMBERS),
    ast.DictComp: ("a dict", _RECORD),
    ast.Dict: ("a dict", _RECORD),
    ast.ClassDef: ("a class", "define a NamedTuple at the top level of the module"),
    ast.FunctionDef: ("a function within a function", _TOP),
    ast.Lambda: ("a lambda", _TOP),
    ast.Try: ("try", _CHOOSE),
    ast.With: ("with", "write the statements without it"),
}
# What it takes in some places only.
_RARELY: dict[type[ast.AST], tuple[str, str]] = {
    ast.List: ("a list", "write a tuple"),
    ast.Set: ("a set", "write a tuple"),
    ast.JoinedStr: ("a text", "write numbers only"),
    ast.Import: ("an import", "import at the top level of the module"),
    ast.ImportFrom: ("an import", "import at the top level of the module"),
    ast.Match: ("match", _CHOOSE),
    ast.If: ("an if", _CHOOSE),
    ast.IfExp: ("an if", _CHOOSE),
    ast.Pow: ("a power", f"write products, or {ELEMENTARY}.sqrt, exp and log"),
    ast.While: ("a while loop", _NUMBERS),
    ast.For: ("a for loop", _NUMBERS),
}
_LAST = f"Write plain functions of numbers and tuples, with {ELEMENTARY} in place of math, NumPy and of if on a value."


class Unsupported(NamedTuple):
    """A construct of a function that compiled code does not take."""

    line: int
    what: str
    instead: str


def own_functions(function: Any) -> Iterator[FunctionType]:
    """A function and those it calls by name, without the equations, which are registered already."""
    pending, seen = [function], set()
    while pending:
        one = pending.pop()
        module = getattr(one, "__module__", None) or ""
        if not isinstance(one, FunctionType) or one in seen or module.startswith("remora.equations"):
            continue
        seen.add(one)
        yield one
        cells = [cell.cell_contents for cell in one.__closure__ or ()]
        pending += [*cells, *(one.__globals__.get(name) for name in one.__code__.co_names)]


_registered: set[Any] = set()


def register_user_function(function: Any) -> None:
    """Let compiled code call a function of a user, and those that it calls."""
    for one in own_functions(function):
        if one not in _registered:
            _registered.add(one)
            register_jitable(**registration.OPTIONS)(one)


def compiled_from(functions: Sequence[Any], what: str, field: str, make: Callable[[], Any]) -> Any:
    """What `make` compiles from functions of a user; one InputError where one of them cannot be compiled.

    Parameters
    ----------
    functions
        Those of the user.
    what, field
        What they belong to, such as "the filter", and the argument or field that holds them, for the message.
    make
        Compiles them.
    """
    for function in functions:
        if not function.__module__.startswith("remora.") and (found := _first_construct(function, (_NEVER,))):
            raise InputError(f"cannot compile {what}: {found}.").about(field)
    try:
        return make()
    except Exception as error:
        message = _message(functions, error)
        if not message:
            raise
        raise InputError(f"cannot compile {what}: {message}").about(field) from None


def _message(functions: Sequence[Any], error: Exception) -> str:
    """Function, line, what is wrong and what to write instead; empty where an error is not one of the compiler."""
    if not type(error).__module__.startswith("numba"):
        return ""
    mine = list(dict.fromkeys(one for function in functions for one in own_functions(function)))
    for tables in ((_NEVER,), (_NEVER, _RARELY)):
        if found := next(filter(None, (_first_construct(function, tables) for function in mine)), ""):
            return f"{found}."
    return f"{_place_in(mine, str(error))}{_reason(str(error))}. {_LAST}"


def _first_construct(function: FunctionType, tables: Sequence[Mapping[type[ast.AST], tuple[str, str]]]) -> str:
    """Function, line, the first construct of these tables and what to write instead; empty where there is none."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return ""
    head = next((node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)), None)
    if head is None:
        return ""
    body = [head.body] if isinstance(head, ast.Lambda) else [part for part in head.body if not _is_docstring(part)]
    found = [_starred_head(head), *(_construct(node, function, tables) for part in body for node in ast.walk(part))]
    first = min((one for one in found if one is not None), default=None)
    if first is None:
        return ""
    line = first.line + function.__code__.co_firstlineno - 1
    return f"{function.__name__} ({function.__code__.co_filename}:{line}) has {first.what}; {first.instead}"


def _is_docstring(part: ast.AST) -> bool:
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) and isinstance(part.value.value, str)


def _starred_head(head: ast.FunctionDef | ast.Lambda) -> Unsupported | None:
    if head.args.kwarg is None:
        return None
    return Unsupported(head.lineno, "** among its arguments", "name each of them")


def _construct(
    node: ast.AST, function: FunctionType, tables: Sequence[Mapping[type[ast.AST], tuple[str, str]]]
) -> Unsupported | None:
    """The construct of a node that compiled code does not take."""
    line = getattr(node, "lineno", 0)
    for table in tables:
        kind = type(node.op) if isinstance(node, ast.BinOp) else type(node)
        if kind in table:
            return Unsupported(line, *table[kind])
    if isinstance(node, ast.Call) and any(keyword.arg is None for keyword in node.keywords):
        return Unsupported(line, "** in a call", "write each argument out")
    if _RARELY not in tables:
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        return Unsupported(line, *_RARELY[ast.JoinedStr])
    return _unsupported_call(node.func, line, function) if isinstance(node, ast.Call) else None


def _unsupported_call(called: ast.expr, line: int, function: FunctionType) -> Unsupported | None:
    """A call of a module such as NumPy, of a class, or of a function that compiled code does not have."""
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        module = getattr(function.__globals__.get(called.value.id), "__name__", "")
        if module.partition(".")[0] in ("math", "numpy", "scipy", "cmath"):
            return Unsupported(line, f"{called.value.id}.{called.attr}", f"take it from {ELEMENTARY}")
    if isinstance(called, ast.Name):
        meant = function.__globals__.get(called.id)
        if isinstance(meant, type) and not hasattr(meant, "_fields"):
            return Unsupported(line, f"an object of the class {called.id}", _RECORD)
        if meant is None and called.id in ("min", "max"):
            return Unsupported(line, f"{called.id}()", f"write {ELEMENTARY}.{called.id}imum")
        if meant is None and hasattr(builtins, called.id) and called.id not in ("abs", "range", "len", "float", "int"):
            return Unsupported(line, f"{called.id}()", _NUMBERS)
    return None


def _place_in(functions: Sequence[FunctionType], text: str) -> str:
    """Function and line that a message of the compiler names, as text; empty where it names none of them."""
    for function in functions:
        file = function.__code__.co_filename
        lines = sorted({line for _, _, line in function.__code__.co_lines() if line}, reverse=True)
        for line in lines:
            if f'File "{file}", line {line}:' in text or f"{file} ({line})" in text:
                return f"{function.__name__} ({file}:{line}): "
    return ""


_OUR_REASON = re.compile(r"a function returns \d+ numbers[^\n]*")  # said by the intrinsics of this package
_REASON = re.compile(
    r"^(?:No implementation|Cannot unify|Unknown attribute|Untyped global|Invalid use|Use of|NameError)"
)


def _reason(text: str) -> str:
    """What is wrong: by this package, else the innermost line of a message of the compiler."""
    if ours := _OUR_REASON.search(text):
        return ours[0]
    told = [line.strip() for line in text.splitlines() if _REASON.match(line.strip())]
    return (told[-1] if told else "it is not supported").rstrip(".:")[:160]
