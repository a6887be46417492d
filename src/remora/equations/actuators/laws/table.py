"""The table of thruster laws. A new law is a file in this folder and a row here."""

from collections.abc import Callable

from remora.equations.actuators.laws.advance import ADVANCE_LAW
from remora.equations.actuators.laws.bilinear import BILINEAR_LAW
from remora.equations.actuators.laws.force import FORCE_LAW
from remora.equations.actuators.laws.four_quadrant import FOUR_QUADRANT_LAW
from remora.equations.actuators.laws.law import LawError, ThrustLaw
from remora.equations.actuators.laws.quadratic import QUADRATIC_LAW
from remora.equations.actuators.thrusters import Thruster

LAWS: tuple[ThrustLaw, ...] = (FORCE_LAW, QUADRATIC_LAW, ADVANCE_LAW, BILINEAR_LAW, FOUR_QUADRANT_LAW)


def equations_by_code(laws: tuple[ThrustLaw, ...]) -> tuple[Callable[[Thruster, float, float], float], ...]:
    """The equation of each code.

    Raises
    ------
    LawError
        When codes do not count up from zero, or laws of one code differ in their equation or output.
    """
    found = {law.code: law for law in reversed(laws)}
    if sorted(found) != list(range(len(found))):
        raise LawError(f"the codes of the thruster laws are {sorted(found)}: count up from 0")
    for law in laws:
        first = found[law.code]
        same = (law.thrust, law.output, law.depends_on_inflow) == (first.thrust, first.output, first.depends_on_inflow)
        if not same:
            raise LawError(f"thruster laws {first.name!r} and {law.name!r} have one code but differ: give another code")
    return tuple(found[code].thrust for code in range(len(found)))


EQUATIONS = equations_by_code(LAWS)
# Whether the thrust of each code depends on the motion through the water.
INFLOW_MATTERS = tuple(any(law.depends_on_inflow for law in LAWS if law.code == code) for code in range(len(EQUATIONS)))


def law_named(name: str) -> ThrustLaw:
    """The law of this name in a vehicle file."""
    return next(law for law in LAWS if law.name == name)


def law_with(code: int) -> ThrustLaw:
    """The first law with this code."""
    return next(law for law in LAWS if law.code == code)


def common_law(names: list[str]) -> ThrustLaw | None:
    """The law that evaluates all thrusters of a vehicle with these laws; None where none covers the others."""
    used = [law for law in LAWS if law.name in names] or [FORCE_LAW]
    fitting = [law for law in used if all(other is law or other.name in law.covers for other in used)]
    return fitting[0] if fitting else None
