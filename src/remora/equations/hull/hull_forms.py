"""Optional hydrodynamic hull forces of a packed vehicle, and the Coriolis wrench of its added mass."""

from remora.equations.algebra.vectors import (
    ZERO3,
    ZERO6,
    add6,
    angular,
    join,
    linear,
    matrix6_at,
    matvec6,
    subtract3,
    subtract6,
)
from remora.equations.hull.forms.form import Form, form_size, records_wrench
from remora.equations.hull.forms.table import OPTIONAL_FORMS
from remora.equations.hull.inertia import (
    coriolis_of_momentum,
    coriolis_wrench,
    heave_asymmetry_wrench,
    heave_mass_change,
    roll_coupling_wrench,
)
from remora.equations.packed import (
    CORIOLIS_START,
    FORMS_START,
    WITHOUT_CORIOLIS,
    WITHOUT_MUNK,
    Layout,
    added_mass_start,
    heave_asymmetry_at,
    user_forms_start,
)
from remora.equations.types import Matrix6, RelativeTwist, Row, Vector3, Wrench


def optional_form_start(layout: Layout, form: Form) -> int:
    """Start of the records of an optional form of the table in a row."""
    start = FORMS_START
    for known, count in zip(OPTIONAL_FORMS, layout.forms, strict=True):
        if known == form:
            break
        start += form_size(known) * count
    return start


def forms_wrench(row: Row, layout: Layout, twist: RelativeTwist, fading_only: bool) -> Wrench:
    """Wrench of all optional forms of the table, on the right-hand side.

    Compiled code runs the same loop unrolled (`plant.forms.unrolled_forms`).
    """
    wrench, k = ZERO6, FORMS_START
    for form, count in zip(OPTIONAL_FORMS, layout.forms, strict=True):
        size = form_size(form)
        if count and (form.fades is True or not fading_only):
            records = [form.read(row, k + size * i) for i in range(count)]
            wrench = subtract6(wrench, records_wrench(form, records, twist))
        k += size * count
    return wrench


def user_forms_wrench(row: Row, layout: Layout, twist: RelativeTwist, fading_only: bool) -> Wrench:
    """Wrench of all user-defined forms, on the left-hand side.

    Compiled code calls a function that is compiled for these forms (`plant.forms.user_forms`).
    """
    wrench, k = ZERO6, user_forms_start(layout)
    for form in layout.user_forms:
        if form.fades is True or not fading_only:
            wrench = add6(wrench, form.wrench(form.read(row, k), twist))
        k += form_size(form)
    return wrench


def hull_forms_wrench(row: Row, layout: Layout, twist: RelativeTwist, fading_only: bool = False) -> Wrench:
    """Optional hull forces, Coriolis wrench of the heave asymmetry and roll coupling, on the right-hand side."""
    wrench = forms_wrench(row, layout, twist, fading_only)
    if layout.user_forms:
        wrench = subtract6(wrench, user_forms_wrench(row, layout, twist, fading_only))
    if layout.asymmetric_heave:
        wrench = subtract6(wrench, heave_asymmetry_wrench(heave_asymmetry_at(row), twist))
    if layout.coriolis == WITHOUT_MUNK:
        wrench = subtract6(wrench, roll_coupling_wrench(omitted_momentum(row, layout, twist), twist))
    return wrench


def omitted_momentum(row: Row, layout: Layout, twist: RelativeTwist) -> Vector3:
    """Linear momentum of the water that `munk_off` omits from the Coriolis inertia, kg m/s."""
    whole, carried = matvec6(matrix6_at(row, 0), twist), matvec6(matrix6_at(row, CORIOLIS_START), twist)
    p = subtract3(linear(whole), linear(carried))
    if layout.asymmetric_heave:
        return (p[0], p[1], p[2] + heave_mass_change(heave_asymmetry_at(row), twist[2]) * twist[2])
    return p


def added_coriolis_wrench(row: Row, layout: Layout, twist: RelativeTwist) -> Wrench:
    """Coriolis wrench of the added mass, with the simplifications in force, on the left-hand side."""
    if layout.coriolis == WITHOUT_CORIOLIS:
        return ZERO6
    added = matrix6_at(row, added_mass_start(layout))
    if layout.coriolis == WITHOUT_MUNK:
        return coriolis_of_momentum(join(ZERO3, angular(matvec6(added, twist))), twist)
    return coriolis_wrench(added, twist)


def added_mass_at_heave(row: Row, layout: Layout, heave: float) -> Matrix6:
    """Added mass at a heave speed; depends on it only with a heave asymmetry.

    `heave` is the speed through the water.
    """
    added = matrix6_at(row, added_mass_start(layout))
    if layout.asymmetric_heave == 0:
        return added
    z = added[2]
    changed = (z[0], z[1], z[2] + heave_mass_change(heave_asymmetry_at(row), heave), z[3], z[4], z[5])
    return (added[0], added[1], changed, added[3], added[4], added[5])
