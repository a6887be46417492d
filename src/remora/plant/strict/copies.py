"""Compilation of plain functions that round as plain Python does.

The plant is compiled with fused multiply-add, which rounds once where Python rounds twice. Sensors must give the same
bits in the loop and over a recorded motion, compiled or not, so their functions are compiled from copies without it.
Sines and the like are those of the C library in both.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, final

import numba

from remora.equations.algebra import elementary
from remora.plant import registration  # the elementary functions for compiled code
from remora.plant.compilation import from_cache

OPTIONS: dict[str, Any] = {"error_model": registration.OPTIONS["error_model"], "fastmath": False, "_nrt": False}


@final
class StrictCopies:
    """Compiled copies of functions and of all functions that they call by name; each is made once.

    Compiled code calls the values of `replaced` in place of its keys.
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


def strict_kernel(function: Any, signature: Any, part: str, seconds: int, *others: Any) -> Any:
    """A plain function as machine code that rounds as plain Python does, from the cache or compiled now.

    The signature has its types in Numba; part and usual seconds of the compilation are for messages. `others` are
    functions that it calls from other files outside `equations` and `kernels`.
    """

    def make(options: dict[str, Any]) -> Any:
        return numba.njit(signature, **strict_options(options))(StrictCopies().copied(function))

    sources = (Path(each.__code__.co_filename).read_bytes() for each in (function, *others))
    return from_cache(part, make, seconds=seconds, key=sha256(b"\0".join(sources)).hexdigest()[:24])


def strict_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of Numba without fused multiply-add, for short calls (which need not release the interpreter lock)."""
    return {**options, "fastmath": False, "nogil": False}


def _names(code: CodeType) -> Iterator[str]:
    """Global names of a function and of those inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
