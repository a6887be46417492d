"""Dynamics of a vehicle with moving masses: inertia, wrench, acceleration, and the impulse of a new command."""

from remora.equations.actuators.moving_mass import (
    OutputMotion,
    moving_mass_inertia,
    moving_mass_momentum,
    moving_mass_wrench,
)
from remora.equations.algebra.elementary import select
from remora.equations.algebra.vectors import ZERO6, add6, add_matrix6, matvec6, subtract6
from remora.equations.hull.heave import heave_mass_change
from remora.equations.hull.inertia import solve_with_locked
from remora.equations.motion import Hull
from remora.equations.packed import (
    Layout,
    actuator_count,
    heave_asymmetry_at,
    hull_at,
    moving_mass_at,
    moving_mass_start,
)
from remora.equations.types import Matrix6, Numbers, Twist, Vector3, Vector6, Wrench


def moving_mass_motion(layout: Layout, outputs: Numbers, index: int) -> OutputMotion:
    """Output, speed and acceleration of a moving mass.

    Parameters
    ----------
    layout
        Layout of the row.
    outputs
        Outputs of all actuators, with the speeds and accelerations of moving masses.
    index
        Index of the moving mass.
    """
    k = actuator_count(layout) - layout.moving_masses + index
    return OutputMotion(outputs[k], outputs[k + layout.moving_masses], outputs[k + 2 * layout.moving_masses])


def moving_masses_wrench(
    row: Numbers, layout: Layout, outputs: Numbers, twist: Twist, down_B: Vector3, gravity: float
) -> Wrench:
    """Wrench of all moving masses on the body, without their inertia.

    Parameters
    ----------
    row, layout
        Packed vehicle, and layout of its row.
    outputs
        Outputs of all actuators, with the speeds and accelerations of moving masses.
    twist
        Twist relative to the water, in body axes.
    down_B, gravity
        Unit vector downward, in body axes, and gravity, m/s2.
    """
    wrench = ZERO6
    for i in range(layout.moving_masses):
        moving_mass = moving_mass_at(row, moving_mass_start(layout, i))
        wrench = add6(
            wrench, moving_mass_wrench(moving_mass, moving_mass_motion(layout, outputs, i), twist, down_B, gravity)
        )
    return wrench


def with_moving_masses(row: Numbers, layout: Layout, outputs: Numbers, inertia: Matrix6) -> Matrix6:
    """An inertia plus that of all moving masses at their outputs.

    Parameters
    ----------
    row, layout
        Packed vehicle, and layout of its row.
    outputs
        Outputs of all actuators, with the speeds and accelerations of moving masses.
    inertia
        6x6 inertia about B.
    """
    total = inertia
    for i in range(layout.moving_masses):
        k = actuator_count(layout) - layout.moving_masses + i
        total = add_matrix6(total, moving_mass_inertia(moving_mass_at(row, moving_mass_start(layout, i)), outputs[k]))
    return total


def inertia_with_moving_masses(row: Numbers, layout: Layout, hull: Hull, outputs: Numbers, heave: float) -> Matrix6:
    """Inertia of a vehicle with moving masses, at a heave speed.

    Parameters
    ----------
    row, layout
        Packed vehicle, and layout of its row.
    hull
        Hull of the vehicle.
    outputs
        Outputs of all actuators, with the speeds and accelerations of moving masses.
    heave
        Heave speed through the water, m/s.
    """
    total = with_moving_masses(row, layout, outputs, hull.inertia)
    if layout.asymmetric_heave == 0:
        return total
    z = total[2]
    changed = (z[0], z[1], z[2] + heave_mass_change(heave_asymmetry_at(row), heave), z[3], z[4], z[5])
    return (total[0], total[1], changed, total[3], total[4], total[5])


def free_axes(hull: Hull) -> Vector6:
    """1 for each free degree of freedom, 0 for a locked one, whose row of the inverse inertia is zero."""
    m = hull.inverse_inertia
    return (
        select(m[0][0] == 0.0, 0.0, 1.0),
        select(m[1][1] == 0.0, 0.0, 1.0),
        select(m[2][2] == 0.0, 0.0, 1.0),
        select(m[3][3] == 0.0, 0.0, 1.0),
        select(m[4][4] == 0.0, 0.0, 1.0),
        select(m[5][5] == 0.0, 0.0, 1.0),
    )


def acceleration_with_moving_masses(
    row: Numbers,
    layout: Layout,
    outputs: Numbers,
    relative: Twist,
    current_rate: Twist,
    down_B: Vector3,
    wrench: Wrench,
) -> Twist:
    """Acceleration of a vehicle with moving masses.

    The inertia changes with the outputs, so the 6x6 system is solved at every evaluation.

    Parameters
    ----------
    row, layout
        Packed vehicle, and layout of its row.
    outputs
        Outputs of all actuators, with the speeds and accelerations of moving masses.
    relative
        Twist relative to the water, in body axes.
    current_rate
        Rate of the current in body axes, m/s2.
    down_B
        Unit vector downward, in body axes.
    wrench
        Wrench about B without that of the moving masses, in body axes.
    """
    hull = hull_at(row)
    wrench = add6(wrench, moving_masses_wrench(row, layout, outputs, relative, down_B, hull.gravity))
    inertia = inertia_with_moving_masses(row, layout, hull, outputs, relative[2])
    if layout.locked:
        # As in special_wrench, which covers the hull only.
        both_inertias = with_moving_masses(row, layout, outputs, hull.inertia)
        carried = subtract6(matvec6(both_inertias, current_rate), matvec6(hull.inertia, current_rate))
        wrench = add6(wrench, carried)
    return solve_with_locked(inertia, free_axes(hull), wrench)


def twist_after_impulse(
    row: Numbers, layout: Layout, twist: Twist, heave: float, before: Numbers, outputs: Numbers
) -> Twist:
    """Twist after moving masses change their speeds instantaneously, as at a new command; total momentum is conserved.

    Parameters
    ----------
    row, layout
        Packed vehicle, and layout of its row.
    twist
        Twist of the body, in body axes, m/s and rad/s.
    heave
        Heave speed through the water, m/s.
    before
        Outputs and speeds before the command.
    outputs
        Outputs and speeds after the command.
    """
    momentum = ZERO6
    for i in range(layout.moving_masses):
        k = actuator_count(layout) - layout.moving_masses + i
        change = outputs[k + layout.moving_masses] - before[k + layout.moving_masses]
        momentum = add6(
            momentum, moving_mass_momentum(moving_mass_at(row, moving_mass_start(layout, i)), outputs[k], change)
        )
    hull = hull_at(row)
    inertia = inertia_with_moving_masses(row, layout, hull, outputs, heave)
    return subtract6(twist, solve_with_locked(inertia, free_axes(hull), momentum))
