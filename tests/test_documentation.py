"""Public functions document their parameters in the NumPy style, with one entry per parameter."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from types import FunctionType

import pytest

import remora
import remora.equations

FEW = 3  # functions with fewer parameters need no section


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


@pytest.mark.parametrize("functions", [equations, offered])
def test_functions_with_three_parameters_document_each_of_them(functions) -> None:
    missing = [
        f"{function.__module__}.{function.__name__}: {', '.join(sorted(names))}"
        for function in functions()
        if len(parameters := inspect.signature(function).parameters) >= FEW
        and (names := set(parameters) - documented_parameters(function))
    ]
    assert missing == []
