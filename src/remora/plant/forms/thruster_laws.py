"""Thruster laws in compiled code: the table as a chain of conditions, because Numba cannot index functions."""

from typing import Any

from remora.equations.actuators import propulsion
from remora.equations.actuators.laws.table import EQUATIONS, INFLOW_MATTERS
from remora.equations.actuators.thrusters import advance_speed
from remora.plant.forms.unrolled_forms import replace_by_source


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
