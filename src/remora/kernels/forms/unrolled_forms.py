"""The loops over the table of hull force forms, unrolled for compiled code.

Numba cannot loop over functions of different types, so the same statements are generated as source, one block per form.
"""

from collections.abc import Callable
from typing import Any

from numba.extending import overload

from remora.equations.algebra.vectors import ZERO6, add6, subtract6
from remora.equations.hull import hull_forms
from remora.equations.hull.forms.form import Form, form_size
from remora.equations.hull.forms.table import FORMS
from remora.equations.packed import FORMS_START
from remora.kernels.layouts import layout_codes


def forms_source(forms: tuple[Form, ...]) -> str:
    """Source of `equations.hull.hull_forms.forms_wrench` for these forms."""
    lines = ["def unrolled(row, layout, twist, fading_only):", "    wrench, k = ZERO6, FORMS_START"]
    for i, form in enumerate(forms):
        condition = f"layout.forms[{i}]" if form.fades is True else f"layout.forms[{i}] and not fading_only"
        lines.append(f"    if {condition}:")
        if form.many:
            lines.append("        total = ZERO6")
            lines.append(f"        for i in range(layout.forms[{i}]):")
            record = f"read_{i}(row, k + {form_size(form)} * i)"
            lines.append(f"            total = add6(total, wrench_{i}({record}, twist))")
            lines.append("        wrench = subtract6(wrench, total)")
        else:
            lines.append(f"        wrench = subtract6(wrench, wrench_{i}(read_{i}(row, k), twist))")
        lines.append(f"    k = k + {form_size(form)} * layout.forms[{i}]")
    return "\n".join([*lines, "    return wrench"])


def counts_source(forms: tuple[Form, ...]) -> str:
    """Source of `kernels.layouts.layout_codes.form_counts_at` for these forms."""
    counts = ", ".join(f"codes[{layout_codes.FORMS_AT + i}]" for i in range(len(forms)))
    return f"def unrolled(codes):\n    return ({counts},)"


def register_unrolled_forms(options: dict[str, Any]) -> None:
    """Let compiled code run the unrolled loops wherever the sources name the plain ones."""
    namespace: dict[str, Any] = {"ZERO6": ZERO6, "FORMS_START": FORMS_START, "add6": add6, "subtract6": subtract6}
    namespace |= {f"read_{i}": form.read for i, form in enumerate(FORMS)}
    namespace |= {f"wrench_{i}": form.wrench for i, form in enumerate(FORMS)}
    _replace(hull_forms.forms_wrench, "row, layout, twist, fading_only", forms_source(FORMS), namespace, options)
    _replace(layout_codes.form_counts_at, "codes", counts_source(FORMS), {}, options)


def _replace(
    function: Callable[..., Any], names: str, source: str, namespace: dict[str, Any], options: dict[str, Any]
) -> None:
    """Overload a function with generated source of the same parameter names, as Numba requires."""
    exec(source, namespace)
    exec(f"def choose({names}):\n    return unrolled", namespace)
    overload(function, jit_options=options)(namespace["choose"])  # type: ignore[arg-type]
