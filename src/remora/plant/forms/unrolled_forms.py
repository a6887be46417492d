"""The tables of hull force forms and thruster laws in compiled code: loops unrolled, laws a chain of conditions.

Numba can neither loop over functions of different types nor index them, so the same statements are generated as source,
one block per form and one condition per law.
"""

from collections.abc import Callable
from typing import Any

from numba.extending import overload

from remora.equations import motion, packed
from remora.equations.actuators import propulsion
from remora.equations.actuators.laws.table import EQUATIONS, INFLOW_MATTERS
from remora.equations.actuators.thrusters import advance_speed
from remora.equations.algebra.vectors import ZERO6
from remora.equations.hull import hull_forms
from remora.equations.hull.forms.form import AXES, Form, form_size
from remora.equations.hull.forms.table import BASIC_FORMS, OPTIONAL_FORMS
from remora.equations.packed import FORMS_START


def forms_source(forms: tuple[Form, ...]) -> str:
    """Source of `equations.hull.hull_forms.forms_wrench` for these forms."""
    lines = ["def unrolled(row, layout, twist, fading_only):", "    wrench, k = ZERO6, FORMS_START"]
    for i, form in enumerate(forms):
        condition = f"layout.forms[{i}]" if form.fades is True else f"layout.forms[{i}] and not fading_only"
        lines.append(f"    if {condition}:")
        if form.many:
            lines.append("        total = ZERO6")
            lines.append(f"        for i in range(layout.forms[{i}]):")
            lines.append(f"            part = wrench_{i}(read_{i}(row, k + {form_size(form)} * i), twist)")
            lines.append(f"            total = {sum_source(form, 'total', '+', 'part')}")
        else:
            lines.append(f"        total = wrench_{i}(read_{i}(row, k), twist)")
        lines.append(f"        wrench = {sum_source(form, 'wrench', '-', 'total')}")
        lines.append(f"    k = k + {form_size(form)} * layout.forms[{i}]")
    return "\n".join([*lines, "    return wrench"])


def sum_source(form: Form, total: str, sign: str, wrench: str) -> str:
    """Source of a sum or difference with the wrench of a form, in the degrees of freedom that it acts on.

    `total` and `wrench` are names of the sum before it and of its wrench; the sign is ``+`` or ``-``.
    """
    parts = [f"{total}[{i}] {sign} {wrench}[{i}]" if i in form.acts_on else f"{total}[{i}]" for i in range(AXES)]
    return f"({', '.join(parts)})"


def records_source(forms: tuple[Form, ...]) -> str:
    """Source of `equations.packed.damping_records_at` for these forms."""
    reads, k = [], 0
    for i, form in enumerate(forms):
        reads.append(f"read_{i}(row, k + {k})")
        k += form_size(form)
    return f"def unrolled(row, k):\n    return ({', '.join(reads)},)"


def damping_source(forms: tuple[Form, ...]) -> str:
    """Source of `equations.motion.hull_damping_wrench` for these forms."""
    lines = ["def unrolled(hull, twist):", "    wrench = wrench_0(hull.damping[0], twist)"]
    for i, form in enumerate(forms[1:], 1):
        lines.append(f"    part = wrench_{i}(hull.damping[{i}], twist)")
        lines.append(f"    wrench = {sum_source(form, 'wrench', '+', 'part')}")
    return "\n".join([*lines, "    return wrench"])


def register_unrolled_forms(options: dict[str, Any]) -> None:
    """Let compiled code run the unrolled loops wherever the sources name the plain ones."""
    basic, optional = _namespace(BASIC_FORMS), _namespace(OPTIONAL_FORMS)
    forms, damping = forms_source(OPTIONAL_FORMS), damping_source(BASIC_FORMS)
    replace_by_source(hull_forms.forms_wrench, "row, layout, twist, fading_only", forms, optional, options)
    replace_by_source(packed.damping_records_at, "row, k", records_source(BASIC_FORMS), dict(basic), options)
    replace_by_source(motion.hull_damping_wrench, "hull, twist", damping, dict(basic), options)


def _namespace(forms: tuple[Form, ...]) -> dict[str, Any]:
    names: dict[str, Any] = {"ZERO6": ZERO6, "FORMS_START": FORMS_START}
    names |= {f"read_{i}": form.read for i, form in enumerate(forms)}
    return names | {f"wrench_{i}": form.wrench for i, form in enumerate(forms)}


def replace_by_source(
    function: Callable[..., Any], names: str, source: str, namespace: dict[str, Any], options: dict[str, Any]
) -> None:
    """Overload a function with generated source of the same parameter names, as Numba requires."""
    exec(source, namespace)
    exec(f"def choose({names}):\n    return unrolled", namespace)
    overload(function, jit_options=options)(namespace["choose"])  # type: ignore[arg-type]


def thrust_source(equations: tuple[Any, ...], inflow_matters: tuple[bool, ...]) -> str:
    """Source of `equations.actuators.propulsion.thrust_from_output` for these equations by code.

    Neighbouring codes with one equation share a branch.
    """
    lines, last = ["def unrolled(thruster, thrust_law, output, twist):"], len(equations) - 1
    for code, equation in enumerate(equations):
        advance = "advance_speed(thruster, twist)" if inflow_matters[code] else "0.0"
        result = f"return equation_{code}(thruster, output, {advance})"
        if code == last:
            lines.append(f"    {result}")
        elif equation is not equations[code + 1]:
            lines.append(f"    if thrust_law <= {code}:")
            lines.append(f"        {result}")
    return "\n".join(lines)


def inflow_source(inflow_matters: tuple[bool, ...]) -> str:
    """Source of `equations.actuators.propulsion.thrust_depends_on_inflow` for these codes."""
    codes = [f"layout.thrust_law == {code}" for code, matters in enumerate(inflow_matters) if matters]
    if all(inflow_matters[inflow_matters.index(True) :]):
        codes = [f"layout.thrust_law >= {inflow_matters.index(True)}"]
    return f"def unrolled(layout):\n    return {' or '.join(codes)}"


def register_laws(options: dict[str, Any]) -> None:
    """Let compiled code run the chains wherever the sources name the plain functions."""
    equations: dict[str, Any] = {f"equation_{code}": equation for code, equation in enumerate(EQUATIONS)}
    equations["advance_speed"] = advance_speed
    names, source = "thruster, thrust_law, output, twist", thrust_source(EQUATIONS, INFLOW_MATTERS)
    replace_by_source(propulsion.thrust_from_output, names, source, equations, options)
    replace_by_source(propulsion.thrust_depends_on_inflow, "layout", inflow_source(INFLOW_MATTERS), {}, options)
