"""Optional hydrodynamic hull forces of a packed vehicle, and the Coriolis wrench of its added mass."""

from remora.equations.algebra.vectors import (
    ZERO3,
    ZERO6,
    Matrix6,
    Numbers,
    Twist,
    Vector3,
    Wrench,
    add6,
    angular,
    join,
    linear,
    matvec6,
    subtract3,
    subtract6,
)
from remora.equations.hull.coriolis import coriolis_of_momentum, coriolis_wrench, roll_coupling_wrench
from remora.equations.hull.damping import lift_wrench, strip_damping_wrench, tensor_damping_wrench
from remora.equations.hull.heave import heave_asymmetry_wrench, heave_mass_change
from remora.equations.packed import (
    CORIOLIS_START,
    OPTIONAL_START,
    STRIP_SIZE,
    WITHOUT_CORIOLIS,
    WITHOUT_MUNK,
    Layout,
    added_mass_start,
    heave_asymmetry_at,
    lift_start,
    matrix6_at,
    strip_at,
    strips_start,
    tensor6_at,
)


def strips_wrench(row: Numbers, layout: Layout, twist: Twist) -> Wrench:
    """Cross-flow damping of all strips, on the left-hand side.

    Parameters
    ----------
    row
        Packed vehicle.
    layout
        Layout of the row.
    twist
        Twist relative to the water, in body axes.
    """
    wrench = ZERO6
    for i in range(layout.strips):
        strip = strip_at(row, strips_start(layout) + STRIP_SIZE * i)
        wrench = add6(wrench, strip_damping_wrench(strip, twist))
    return wrench


def hull_forms_wrench(row: Numbers, layout: Layout, twist: Twist) -> Wrench:
    """Lift, general quadratic damping, strips, heave asymmetry and roll coupling, on the right-hand side.

    Parameters
    ----------
    row
        Packed vehicle.
    layout
        Layout of the row.
    twist
        Twist relative to the water, in body axes.
    """
    wrench = ZERO6
    if layout.lift:
        wrench = subtract6(wrench, lift_wrench(matrix6_at(row, lift_start(layout)), twist))
    if layout.tensor:
        wrench = subtract6(wrench, tensor_damping_wrench(tensor6_at(row, OPTIONAL_START), twist))
    if layout.strips:
        wrench = subtract6(wrench, strips_wrench(row, layout, twist))
    if layout.asymmetric_heave:
        wrench = add6(wrench, heave_asymmetry_wrench(heave_asymmetry_at(row), twist))
    if layout.coriolis == WITHOUT_MUNK:
        wrench = subtract6(wrench, roll_coupling_wrench(omitted_momentum(row, layout, twist), twist))
    return wrench


def omitted_momentum(row: Numbers, layout: Layout, twist: Twist) -> Vector3:
    """Linear momentum of the water that `munk_off` omits from the Coriolis inertia, kg m/s.

    Parameters
    ----------
    row
        Packed vehicle.
    layout
        Layout of the row.
    twist
        Twist relative to the water, in body axes.
    """
    whole, carried = matvec6(matrix6_at(row, 0), twist), matvec6(matrix6_at(row, CORIOLIS_START), twist)
    p = subtract3(linear(whole), linear(carried))
    if layout.asymmetric_heave:
        return (p[0], p[1], p[2] + heave_mass_change(heave_asymmetry_at(row), twist[2]) * twist[2])
    return p


def added_coriolis_wrench(row: Numbers, layout: Layout, twist: Twist) -> Wrench:
    """Coriolis wrench of the added mass, with the simplifications in force, on the left-hand side.

    Parameters
    ----------
    row
        Packed vehicle.
    layout
        Layout of the row.
    twist
        Twist relative to the water, in body axes.
    """
    if layout.coriolis == WITHOUT_CORIOLIS:
        return ZERO6
    added = matrix6_at(row, added_mass_start(layout))
    if layout.coriolis == WITHOUT_MUNK:
        return coriolis_of_momentum(join(ZERO3, angular(matvec6(added, twist))), twist)
    return coriolis_wrench(added, twist)


def added_mass_at_heave(row: Numbers, layout: Layout, heave: float) -> Matrix6:
    """Added mass at a heave speed; depends on it only with a heave asymmetry.

    Parameters
    ----------
    row
        Packed vehicle.
    layout
        Layout of the row.
    heave
        Heave speed through the water, m/s.
    """
    added = matrix6_at(row, added_mass_start(layout))
    if layout.asymmetric_heave == 0:
        return added
    z = added[2]
    changed = (z[0], z[1], z[2] + heave_mass_change(heave_asymmetry_at(row), heave), z[3], z[4], z[5])
    return (added[0], added[1], changed, added[3], added[4], added[5])
