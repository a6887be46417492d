"""Hands the equations to Numba: every function of the equations room becomes callable from compiled code.

The equations stay plain Python and know nothing of this. Each function is registered with forced inlining, without
which Numba would flatten the tuples into hundreds of arguments and lose most of the speed. The elementary functions
are not registered but replaced, because their Python bodies look at types.
"""

import importlib
import inspect
import math
import pkgutil
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from numba.extending import overload, register_jitable

import remora.equations
from remora.equations import plant
from remora.equations.actuators import propulsion
from remora.equations.algebra import elementary
from remora.kernels.layouts.layout_types import CommonLayout, DriftingLayout
from remora.kernels.simd.lanes import Lanes, Marks, blend, mark_both, mark_either

# Without reference counting of arrays, which would halve the speed; so no registered function may allocate.
OPTIONS: dict[str, Any] = {"forceinline": True, "_nrt": False, "error_model": "numpy", "fastmath": {"contract"}}


# Equations that few vehicles need: left to be compiled on their own, so that they slow down no other vehicle. Beside
# each an argument of the type of its result, to stand for it where it is never called.
APART: dict[Callable[..., Any], str] = {
    propulsion.uncommon_thrusters_wrench: "twist",
    plant.loaded_acceleration: "wrench",
    plant.varying_water_wrench: "twist",
    plant.surfaced_acceleration: "wrench",
}
# What of that a common vehicle in a current that varies needs in each of its steps.
INLINED_ADRIFT = (plant.varying_water_wrench,)


def register_functions(module: ModuleType, without: tuple[str, ...] = ()) -> None:
    """Register every function that is defined in a module, and none that it merely imports."""
    for name, function in inspect.getmembers(module, inspect.isfunction):
        if function.__module__ == module.__name__ and name not in without:
            register_jitable(**OPTIONS)(function)


def replace_by_compiled(
    function: Callable[..., Any], compiled: Any, abreast: Any = None, when_common: str = ""
) -> None:
    """Let compiled code call an already compiled function wherever the sources name the plain one.

    For several vehicles abreast it may be another one. For vehicles of the common kind, which never get there, it may
    be nothing but one of its arguments, of the type of its result: then there is less to compile. For those in water
    that varies it may be inlined instead.
    """
    names = ", ".join(inspect.signature(function).parameters)
    # Numba asks for a body with the same parameter names, so it is written out as source.
    namespace: dict[str, Any] = {"compiled": compiled, "abreast": abreast or compiled}
    inlined = (DriftingLayout,) if function in INLINED_ADRIFT else ()
    # Numba compares signatures, annotations and all; the copy has none.
    plain = FunctionType(function.__code__, function.__globals__, function.__name__)
    namespace |= {"are_abreast": _are_abreast, "has_layout": _has_layout, "plain": plain}
    namespace |= {"missing": (CommonLayout, DriftingLayout) if when_common else (), "inlined": inlined}
    lines = (
        f"def choose({names}):",
        f"    if has_layout(inlined, {names}):",
        "        return plain",
        f"    if has_layout(missing, {names}):",
        f"        return lambda {names}: {when_common or None}",
        f"    if are_abreast({names}):",
        f"        return lambda {names}: abreast({names})",
        f"    return lambda {names}: compiled({names})",
    )
    exec("\n".join(lines), namespace)
    overload(function, jit_options=OPTIONS)(namespace["choose"])  # type: ignore[arg-type]


def _are_abreast(*kinds: Any) -> bool:
    return any(isinstance(kind, Lanes | Marks) for kind in kinds)


def _has_layout(layouts: tuple[Any, ...], *kinds: Any) -> bool:
    return any(getattr(kind, "instance_class", None) in layouts for kind in kinds)


def _select(condition: bool, a: float, b: float) -> float:
    return a if condition else b


def _both(first: bool, second: bool) -> bool:
    return first and second


def _either(first: bool, second: bool) -> bool:
    return first or second


def _maximum(a: float, b: float) -> float:
    return b if b > a else a


def _minimum(a: float, b: float) -> float:
    return b if b < a else a


def _floor(x: float) -> float:
    return float(math.floor(x))


def _maximum_abreast(a: Any, b: Any) -> Any:
    return blend(b > a, b, a)


def _minimum_abreast(a: Any, b: Any) -> Any:
    return blend(b < a, b, a)


_ABREAST: dict[str, Callable[..., Any]] = {"maximum": _maximum_abreast, "minimum": _minimum_abreast}


def _register_elementary() -> None:
    bodies: dict[str, Callable[..., Any]] = {
        name: _one_argument(getattr(math, name)) for name in ("sqrt", "sin", "cos", "tan", "asin", "exp", "log", "tanh")
    }
    bodies |= {"atan2": _two_arguments(math.atan2), "select": _select, "both": _both, "either": _either}
    bodies |= {"maximum": _maximum, "minimum": _minimum, "floor": _floor}
    abreast = {"select": blend, "both": mark_both, "either": mark_either}
    abreast |= {name: register_jitable(**OPTIONS)(body) for name, body in _ABREAST.items()}
    for name, body in bodies.items():
        replace_by_compiled(getattr(elementary, name), register_jitable(**OPTIONS)(body), abreast.get(name))


def _one_argument(function: Callable[[float], float]) -> Callable[[float], float]:
    def body(x: float) -> float:
        return function(x)

    return body


def _two_arguments(function: Callable[[float, float], float]) -> Callable[[float, float], float]:
    def body(y: float, x: float) -> float:
        return function(y, x)

    return body


def register_equations() -> None:
    """Register the whole equations room with Numba; asked for once, when this module is imported."""
    _register_elementary()
    for info in pkgutil.walk_packages(remora.equations.__path__, "remora.equations."):
        if info.name != elementary.__name__:
            register_functions(importlib.import_module(info.name), without=tuple(f.__name__ for f in APART))


register_equations()
