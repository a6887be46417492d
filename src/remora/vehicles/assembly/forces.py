"""Hull forces from the list `forces` of a vehicle file, in body axes."""

from pathlib import Path as FilePath
from typing import Any

import numpy as np

from remora.equations.algebra.vectors import ZERO6
from remora.equations.hull.forms.form import Form, FormField, HullForce
from remora.files.problems import Finding
from remora.files.user_code import raised_in
from remora.vehicles.assembly.actuators import name_fault
from remora.vehicles.axes import Axes
from remora.vehicles.sections.force_sections import ForceSection


def with_listed_forces(
    of_damping: tuple[HullForce, ...], sections: list[ForceSection | None], axes: Axes, findings: list[Finding]
) -> tuple[HullForce, ...]:
    """The forces of the section `damping` and of the list `forces`, None for an entry with faults.

    Names and forms that occur twice are findings.
    """
    made = list(of_damping)
    for index, section in enumerate(sections):
        if section is None:
            continue
        form, name = section.form, section.name or section.form.name
        record = form.record(*(in_body(getattr(section, field.name).value, field, axes) for field in form.section))
        if fault := name_fault(name):
            findings.append(Finding(("forces", index, "name"), fault))
        if name in [force.name for force in made]:
            message = f'another force is called "{name}". Give each a name of its own, as name: {name}_2.'
            findings.append(Finding(("forces", index), message, shows_value=False))
        if form.origin is None and not form.many and any(force.form == form for force in made):
            findings.append(Finding(("forces", index, "model"), "is already given; add the numbers."))
        if fault := wrench_fault(form, record):
            findings.append(Finding(("forces", index, "model"), fault))
            continue
        made.append(HullForce(form, (record,), name))
    return tuple(made)


def wrench_fault(form: Form, record: Any) -> str:
    """Why a user-defined wrench cannot be evaluated at rest or for arrays of speeds; empty if it can."""
    if form.origin is None:
        return ""
    speeds: Any = tuple(np.array([0.0, 0.3, -0.3]) for _ in range(6))
    for twist, what in ((ZERO6, "at rest"), (speeds, "for arrays of speeds")):
        try:
            with np.errstate(all="ignore"):
                form.wrench(record, twist)
        except Exception as error:
            fix = "Use remora.equations.algebra.elementary (sqrt, select, ...) in place of math and of if on a value."
            place = raised_in(FilePath(form.wrench.__code__.co_filename), error)
            return f"{place} {what}. {fix}"
    return ""


def in_body(value: Any, field: FormField, axes: Axes) -> Any:
    """A field of a file in body axes; the same signs lead back."""
    if not field.shape:
        sign = 1.0
        for axis in field.signs:
            sign *= axes.six[axis]
        return sign * value + 0.0
    return _signed(value, field, axes, 0, 1.0)


def _signed(value: Any, field: FormField, axes: Axes, depth: int, sign: float) -> Any:
    """Nested tuples with the signs of the axes along the declared indices."""
    if depth == len(field.shape):
        return sign * value + 0.0
    signs = axes.six if depth in field.signs else (1.0,) * field.shape[depth]
    return tuple(_signed(item, field, axes, depth + 1, sign * signs[i]) for i, item in enumerate(value))
