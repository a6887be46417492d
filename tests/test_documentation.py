"""What public functions and equations say of their parameters."""

import ast
import importlib
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Iterator
from types import FunctionType

import remora
import remora.equations

FEW = 3  # functions with fewer parameters need no section
SYMBOL = 2  # longest name that says nothing by itself
# Types that say neither unit nor axes.
PLAIN = {"", "float", "int", "bool", "Any", "Vector2", "Vector3", "Vector4", "Vector5", "Vector6", "Matrix3", "Matrix6"}


def equations() -> Iterator[FunctionType]:
    """Every public function of every module of the equations."""
    for info in pkgutil.walk_packages(remora.equations.__path__, "remora.equations."):
        for name, function in inspect.getmembers(importlib.import_module(info.name), inspect.isfunction):
            if function.__module__ == info.name and not name.startswith("_"):
                yield function


def offered() -> Iterator[FunctionType]:
    """Every function in the `__all__` of a package, and of the module of consistency tests."""
    for info in pkgutil.walk_packages(remora.__path__, "remora."):
        if info.ispkg or info.name == "remora.navigation.consistency":
            package = importlib.import_module(info.name)
            for name in getattr(package, "__all__", ()):
                if inspect.isfunction(getattr(package, name)):
                    yield getattr(package, name)


def documented_parameters(function: FunctionType) -> set[str]:
    """Names in the section Parameters; one line may name several, separated by commas."""
    section = re.search(r"\nParameters\n-+\n(.*?)(?:\n\n[A-Z]\w+\n-+\n|\Z)", inspect.getdoc(function) or "", re.DOTALL)
    lines = section[1].splitlines() if section else []
    return {name.strip(" *") for line in lines if line and not line[0].isspace() for name in line.split(",")}


def test_offered_functions_with_three_parameters_document_each_of_them() -> None:
    missing = [
        f"{function.__module__}.{function.__name__}: {', '.join(sorted(names))}"
        for function in offered()
        if len(parameters := inspect.signature(function).parameters) >= FEW
        and (names := set(parameters) - documented_parameters(function))
    ]
    assert missing == []


def unexplained(function: FunctionType) -> Iterator[str]:
    """Symbols among the parameters that neither a type of `equations.types` or a record nor a docstring explains."""
    prose = f"{inspect.getdoc(function)} {inspect.getdoc(inspect.getmodule(function))}"
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(definition, ast.FunctionDef)
    for argument in definition.args.args:
        annotation = ast.unparse(argument.annotation) if argument.annotation else ""
        bare = len(argument.arg) <= SYMBOL and (annotation in PLAIN or "[" in annotation)
        if bare and not re.search(rf"\b{argument.arg}\b", prose):
            yield argument.arg


def test_equations_with_three_parameters_explain_their_symbols() -> None:
    missing = [
        f"{function.__module__}.{function.__name__}: {', '.join(names)}"
        for function in equations()
        if len(inspect.signature(function).parameters) >= FEW and (names := list(unexplained(function)))
    ]
    assert missing == []


def test_sections_of_equations_name_parameters_that_exist() -> None:
    unknown = [
        f"{function.__module__}.{function.__name__}: {', '.join(sorted(names))}"
        for function in equations()
        if (names := documented_parameters(function) - set(inspect.signature(function).parameters))
    ]
    assert unknown == []
