"""Registration of the equations with Numba: every function of `equations` becomes callable from compiled code.

The equations stay plain Python and do not import Numba. Each function is registered with forced inlining:
otherwise Numba flattens the tuples into hundreds of arguments and loses most of the speed. The elementary functions
are replaced instead, because their Python bodies look at types.
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
from remora.equations import motion, packed, plant
from remora.equations.actuators import moving_mass_dynamics, propulsion
from remora.equations.algebra import elementary
from remora.equations.hull import hull_forms
from remora.plant.batches.lanes import Lanes, Mask, blend, mask_and, mask_or
from remora.plant.dual.dual_functions import dual_blend, value_of
from remora.plant.dual.dual_numbers import Dual
from remora.plant.forms.unrolled_forms import register_laws, register_unrolled_forms
from remora.plant.forms.user_forms_call import register_user_forms_call
from remora.plant.layouts import BasicLayout, LayeredLayout
from remora.plant.numba_inside.hooks import CALLEE_OPTIONS

# Without reference counting of arrays, which would halve the speed; so no registered function may allocate. Nothing but
# compiled code calls these functions, so they need neither wrappers nor machine code of their own.
OPTIONS: dict[str, Any] = {
    "forceinline": True,
    "_nrt": False,
    "error_model": "numpy",
    "fastmath": {"contract"},
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
    **CALLEE_OPTIONS,
}


# Equations of few vehicles, compiled separately so that they slow down no other vehicle. Beside each: the argument of
# the type of its result that replaces it where it is never called.
APART: dict[Callable[..., Any], str] = {
    propulsion.general_thrusters_wrench: "twist",
    moving_mass_dynamics.acceleration_with_moving_masses: "wrench",
    plant.varying_water_wrench: "twist",
    plant.surfaced_acceleration: "wrench",
}
# Loops over force forms and choices of thruster laws, which compiled code runs in another way.
REPLACED = (
    hull_forms.forms_wrench,
    hull_forms.user_forms_wrench,
    motion.hull_damping_wrench,
    packed.damping_records_at,
    propulsion.thrust_from_output,
    propulsion.thrust_depends_on_inflow,
)
# Those that a basic vehicle in a layered current needs in every step.
INLINED_WHEN_LAYERED = (plant.varying_water_wrench,)


def register_functions(module: ModuleType, without: tuple[str, ...] = ()) -> None:
    """Register every function that is defined in a module, and none that it merely imports."""
    for name, function in inspect.getmembers(module, inspect.isfunction):
        if function.__module__ == module.__name__ and name not in without:
            register_jitable(**OPTIONS)(function)


def replace_by_compiled(
    function: Callable[..., Any], compiled: Any, lanes: Any = None, when_basic: str = "", duals: Any = None
) -> None:
    """Let compiled code call an already compiled function wherever the sources name the plain one.

    `lanes` is the version for SIMD lanes and `duals` that for dual numbers, if there is one. `when_basic` names the
    argument that replaces the call for basic vehicles, which never reach it: then there is less to compile. In a
    layered current it may be inlined instead.
    """
    names = ", ".join(inspect.signature(function).parameters)
    # Numba requires a body with the same parameter names, so it is generated as source.
    namespace: dict[str, Any] = {"compiled": compiled, "lanes": lanes or compiled, "duals": duals or compiled}
    inlined = (LayeredLayout,) if function in INLINED_WHEN_LAYERED else ()
    # Numba compares signatures, annotations and all; the copy has none.
    plain = FunctionType(function.__code__, function.__globals__, function.__name__)
    namespace |= {"are_lanes": _are_lanes, "are_duals": _are_duals, "has_layout": _has_layout, "plain": plain}
    namespace |= {"missing": (BasicLayout, LayeredLayout) if when_basic else (), "inlined": inlined}
    lines = (
        f"def choose({names}):",
        f"    if has_layout(inlined, {names}):",
        "        return plain",
        f"    if has_layout(missing, {names}):",
        f"        return lambda {names}: {when_basic or None}",
        f"    if are_lanes({names}):",
        f"        return lambda {names}: lanes({names})",
        f"    if are_duals({names}):",
        f"        return lambda {names}: duals({names})",
        f"    return lambda {names}: compiled({names})",
    )
    exec("\n".join(lines), namespace)
    overload(function, jit_options=OPTIONS)(namespace["choose"])  # type: ignore[arg-type]


def _are_lanes(*kinds: Any) -> bool:
    return any(isinstance(kind, Lanes | Mask) for kind in kinds)


def _are_duals(*kinds: Any) -> bool:
    return any(isinstance(kind, Dual) for kind in kinds)


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


def _maximum_of_lanes(a: Any, b: Any) -> Any:
    return blend(b > a, b, a)


def _minimum_of_lanes(a: Any, b: Any) -> Any:
    return blend(b < a, b, a)


def _maximum_of_duals(a: Any, b: Any) -> Any:
    return dual_blend(b > a, b, a)


def _minimum_of_duals(a: Any, b: Any) -> Any:
    return dual_blend(b < a, b, a)


def _floor_of_duals(x: Any) -> Any:
    return float(math.floor(value_of(x)))


_LANE_BODIES: dict[str, Callable[..., Any]] = {"maximum": _maximum_of_lanes, "minimum": _minimum_of_lanes}
_DUAL_BODIES: dict[str, Callable[..., Any]] = {
    "maximum": _maximum_of_duals,
    "minimum": _minimum_of_duals,
    "floor": _floor_of_duals,
}


def _register_elementary() -> None:
    bodies: dict[str, Callable[..., Any]] = {
        name: _one_argument(getattr(math, name)) for name in ("sqrt", "sin", "cos", "tan", "asin", "exp", "log", "tanh")
    }
    bodies |= {"atan2": _two_arguments(math.atan2), "select": _select, "both": _both, "either": _either}
    bodies |= {"maximum": _maximum, "minimum": _minimum, "floor": _floor}
    lanes = {"select": blend, "both": mask_and, "either": mask_or}
    lanes |= {name: register_jitable(**OPTIONS)(body) for name, body in _LANE_BODIES.items()}
    duals: dict[str, Any] = {"select": dual_blend}
    duals |= {name: register_jitable(**OPTIONS)(body) for name, body in _DUAL_BODIES.items()}
    for name, body in bodies.items():
        compiled = register_jitable(**OPTIONS)(body)
        replace_by_compiled(getattr(elementary, name), compiled, lanes.get(name), duals=duals.get(name))


def _one_argument(function: Callable[[float], float]) -> Callable[[float], float]:
    def body(x: float) -> float:
        return function(x)

    return body


def _two_arguments(function: Callable[[float, float], float]) -> Callable[[float, float], float]:
    def body(y: float, x: float) -> float:
        return function(y, x)

    return body


def register_equations() -> None:
    """Register all equations with Numba; called once, when this module is imported."""
    _register_elementary()
    register_unrolled_forms(OPTIONS)
    register_laws(OPTIONS)
    register_user_forms_call(OPTIONS)
    without = tuple(function.__name__ for function in (*APART, *REPLACED))
    for info in pkgutil.walk_packages(remora.equations.__path__, "remora.equations."):
        if info.name != elementary.__name__:
            register_functions(importlib.import_module(info.name), without=without)


register_equations()
