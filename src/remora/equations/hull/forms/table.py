"""The table of hull force forms. A new form is a file in this folder and a row here."""

from typing import Any

from remora.equations.hull.forms.cross_flow import CROSS_FLOW
from remora.equations.hull.forms.cubic_surge import CUBIC_SURGE
from remora.equations.hull.forms.form import Form, FormError, HullForce
from remora.equations.hull.forms.lift import LIFT
from remora.equations.hull.forms.linear import LINEAR
from remora.equations.hull.forms.module_damping import MODULE_DAMPING
from remora.equations.hull.forms.quadratic import QUADRATIC
from remora.equations.hull.forms.rising_heave import RISING_HEAVE
from remora.equations.hull.forms.six_matrices import SIX_MATRICES

# The order is that of the sum of the wrenches and of the records in a packed row.
# Every vehicle has one record of each basic form; the fields of its record are parameters of the vehicle.
BASIC_FORMS: tuple[Form, ...] = (LINEAR, QUADRATIC, CUBIC_SURGE)
# These may stand in the list `forces` of a vehicle file; the others have a section of their own only.
LISTED_FORMS: tuple[Form, ...] = (LIFT, SIX_MATRICES, CROSS_FLOW)
OPTIONAL_FORMS: tuple[Form, ...] = (*LISTED_FORMS, RISING_HEAVE, MODULE_DAMPING)
FORMS: tuple[Form, ...] = (*BASIC_FORMS, *OPTIONAL_FORMS)


def form_named(name: str) -> Form:
    """The form of the table with this name.

    Raises
    ------
    FormError
        When there is none.
    """
    for form in FORMS:
        if form.name == name:
            return form
    raise FormError(f'there is no force form "{name}": choose from {", ".join(form.name for form in FORMS)}')


def records_of(forces: tuple[HullForce, ...], form: Form) -> tuple[Any, ...]:
    """All records of a form among some forces."""
    return tuple(record for force in forces if force.form == form for record in force.records)


def with_records(forces: tuple[HullForce, ...], form: Form, records: tuple[Any, ...]) -> tuple[HullForce, ...]:
    """The forces with other records of a form; without any, the form is absent."""
    kept = [force for force in forces if force.form != form]
    if records:
        kept.append(HullForce(form, records))
    # Forms of the table in its order, then user-defined ones in theirs.
    return tuple(sorted(kept, key=lambda force: FORMS.index(force.form) if force.form in FORMS else len(FORMS)))
