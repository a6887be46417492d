"""Compilation of user-defined forms: one function for the forms of a vehicle, cached by path and content.

A second function, compiled with dual numbers when derivatives are first asked for, gives the wrench and its slopes.
"""

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.vectors import ZERO6, add6, scale6
from remora.equations.hull.forms.form import Form, form_size
from remora.equations.packed import Layout
from remora.plant.arrays import strided_view
from remora.plant.compilation import cache_folder, from_cache
from remora.plant.dual.dual_functions import SLOPES, seeded, store_slopes, value_of
from remora.plant.forms.user_forms_call import DERIVATIVES_SIZE, SIGNATURE, WRENCH_SIZE
from remora.plant.forms.user_functions import compiled_from, register_user_function
from remora.plant.layouts import integers_of

SECONDS = 3  # to compile, for the announcement


def codes_of(layout: Layout, derivatives: bool = False) -> NDArray[np.int64]:
    """Integers of a layout for compiled code, or for compiled code with dual numbers.

    User-defined forms are compiled when they are first met.
    """
    address = _compiled(layout.user_forms, derivatives).address if layout.user_forms else 0
    return integers_of(layout, address)


def forms_key(forms: tuple[Form, ...]) -> str:
    """Hash of the files, with their paths, and names of user-defined forms, in their order.

    Compiled code refers to the modules of the files, whose names depend on path and content. Empty where a form is an
    object of a module, whose content may have changed since it was imported.
    """
    if any(form.origin and not form.origin.is_file for form in forms):
        return ""
    origins = [tuple(form.origin) if form.origin else ("", form.name) for form in forms]
    return hashlib.sha256(repr(origins).encode()).hexdigest()[:16]


@lru_cache(maxsize=256)
def _compiled(forms: tuple[Form, ...], derivatives: bool) -> Any:
    """The compiled function of some forms, from the cache when their files have not changed.

    Raises an InputError when a wrench cannot be compiled.
    """
    names = " and ".join(dict.fromkeys(form.name for form in forms))

    functions = [function for form in forms for function in (form.read, form.wrench)]

    def make(options: dict[str, Any]) -> Any:
        for function in functions:
            register_user_function(function)
        chosen = {key: value for key, value in options.items() if key != "nogil"}
        return numba.cfunc(SIGNATURE, **chosen)(_function(forms, derivatives))

    part = f"the derivatives of the force model {names}" if derivatives else f"the force model {names}"
    key = forms_key(forms)
    return compiled_from(functions, part, "forces", lambda: from_cache(part, make, seconds=SECONDS, key=key))


def _function(forms: tuple[Form, ...], derivatives: bool) -> Any:
    """The plain function of some forms. Its source is kept in a file of the cache, as Numba's cache requires."""
    source, key = user_forms_source(forms, derivatives), forms_key(forms)
    folder, name = cache_folder() if key else None, f"user_{'derivatives' if derivatives else 'forms'}_{key}.py"
    file = Path("user_forms.py") if folder is None else folder / name
    if folder is not None and not file.exists():
        file.write_text(source, encoding="utf-8")
    namespace: dict[str, Any] = {"strided_view": strided_view, "ZERO6": ZERO6, "add6": add6, "scale6": scale6}
    namespace |= {"seeded": seeded, "value_of": value_of, "store_slopes": store_slopes}
    namespace["__name__"] = __name__  # a module that can be imported where the compiled function is read from the cache
    namespace |= {f"read_{i}": form.read for i, form in enumerate(forms)}
    namespace |= {f"wrench_{i}": form.wrench for i, form in enumerate(forms)}
    exec(compile(source, str(file), "exec"), namespace)
    return namespace["user_forms"]


def user_forms_source(forms: tuple[Form, ...], derivatives: bool = False) -> str:
    """Source of `equations.hull.hull_forms.user_forms_wrench` for these forms, on bare pointers.

    With derivatives the six speeds are dual numbers, each with the slope one in its own direction.
    """
    size = sum(form_size(form) for form in forms)
    lines = [
        "def user_forms(numbers, stride, fading_only, u, v, w, p, q, r, result):",
        f"    row = strided_view(numbers, {size}, stride)",
        "    twist, wrench = (u, v, w, p, q, r), ZERO6",
    ]
    if derivatives:
        lines[-1] = f"    twist = ({', '.join(f'seeded({speed}, {i})' for i, speed in enumerate('uvwpqr'))})"
        lines.append("    wrench = scale6(0.0, twist)")
    k = 0
    for i, form in enumerate(forms):
        indent = "    "
        if form.fades is not True:
            lines.append("    if not fading_only:")
            indent = "        "
        lines.append(f"{indent}wrench = add6(wrench, wrench_{i}(read_{i}(row, {k}), twist))")
        k += form_size(form)
    if not derivatives:
        return "\n".join([*lines, *(f"    result[{i}] = wrench[{i}]" for i in range(6)), ""])
    lines.append(f"    results = strided_view(result, {DERIVATIVES_SIZE}, 1)")
    for i in range(6):
        lines.append(f"    result[{i}] = value_of(wrench[{i}])")
        lines.append(f"    store_slopes(results, {WRENCH_SIZE + SLOPES * i}, wrench[{i}])")
    return "\n".join([*lines, ""])
