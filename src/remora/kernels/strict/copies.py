"""Compilation of plain functions that round as plain Python does.

The plant is compiled with fused multiply-add, which rounds once where Python rounds twice. Sensors must give the same
bits in the loop and over a recorded motion, compiled or not, so their functions are compiled from copies without it.
Sines and the like are those of the C library in both.
"""

from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any, final

import numba

from remora.equations.algebra import elementary
from remora.kernels import registration  # the elementary functions for compiled code

OPTIONS: dict[str, Any] = {"error_model": registration.OPTIONS["error_model"], "fastmath": False, "_nrt": False}


@final
class StrictCopies:
    """Compiled copies of functions and of all functions that they call by name; each is made once.

    Parameters
    ----------
    replaced
        Functions that compiled code calls in place of others.
    """

    def __init__(self, replaced: Mapping[Any, Any] | None = None) -> None:
        self._replaced: Mapping[Any, Any] = replaced or {}
        self._made: dict[FunctionType, Any] = {}

    def compiled(self, function: Any) -> Any:
        """The compiled copy of a plain function on numbers, tuples and arrays."""
        function = self._replaced.get(function, function)
        if function not in self._made:
            self._made[function] = numba.njit(**OPTIONS)(self.copied(function))
        return self._made[function]

    def copied(self, function: Any) -> Any:
        """A plain copy that calls compiled copies, for a compilation with a signature and a cache."""
        known = function.__globals__
        called = {
            name: self.compiled(known[name])
            for name in _names(function.__code__)
            if isinstance(known.get(name), FunctionType) and known[name].__module__ != elementary.__name__
        }
        names, defaults = {**known, **called}, function.__defaults__
        copy = FunctionType(function.__code__, names, function.__name__, defaults, function.__closure__)
        copy.__module__ = function.__module__
        return copy


def _names(code: CodeType) -> Iterator[str]:
    """Global names of a function and of those inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
