"""Dynamics of a vehicle with moving masses: inertia, wrench, acceleration, and the impulse of a new command."""

from remora.equations.actuators.moving_mass import (
    OutputMotion,
    moving_mass_inertia,
    moving_mass_momentum,
    moving_mass_wrench,
)
from remora.equations.algebra.elementary import select
from remora.equations.algebra.vectors import (
    ZERO6,
    Matrix6,
    Numbers,
    Twist,
    Vector3,
    Vector6,
    Wrench,
    add6,
    add_matrix6,
    matvec6,
    subtract6,
)
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


def moving_mass_motion(layout: Layout, outputs: Numbers, index: int) -> OutputMotion:
    """Output, speed and acceleration of a moving_mass."""
    k = actuator_count(layout) - layout.moving_masses + index
    return OutputMotion(outputs[k], outputs[k + layout.moving_masses], outputs[k + 2 * layout.moving_masses])


def moving_masses_wrench(
    row: Numbers, layout: Layout, outputs: Numbers, twist: Twist, down_B: Vector3, gravity: float
) -> Wrench:
    """What all moving masses do to the body besides their inertia; the twist is relative to the water."""
    wrench = ZERO6
    for i in range(layout.moving_masses):
        moving_mass = moving_mass_at(row, moving_mass_start(layout, i))
        wrench = add6(
            wrench, moving_mass_wrench(moving_mass, moving_mass_motion(layout, outputs, i), twist, down_B, gravity)
        )
    return wrench


def with_moving_masses(row: Numbers, layout: Layout, outputs: Numbers, inertia: Matrix6) -> Matrix6:
    """An inertia with that of all moving masses, where they stand now."""
    total = inertia
    for i in range(layout.moving_masses):
        k = actuator_count(layout) - layout.moving_masses + i
        total = add_matrix6(total, moving_mass_inertia(moving_mass_at(row, moving_mass_start(layout, i)), outputs[k]))
    return total


def inertia_with_moving_masses(row: Numbers, layout: Layout, hull: Hull, outputs: Numbers, heave: float) -> Matrix6:
    """The whole inertia of a vehicle with moving masses at a speed of heave through the water."""
    total = with_moving_masses(row, layout, outputs, hull.inertia)
    if layout.asymmetric_heave == 0:
        return total
    z = total[2]
    changed = (z[0], z[1], z[2] + heave_mass_change(heave_asymmetry_at(row), heave), z[3], z[4], z[5])
    return (total[0], total[1], changed, total[3], total[4], total[5])


def free_axes(hull: Hull) -> Vector6:
    """1 for each degree of freedom that may move, 0 for one that is held: its row of the inverse is zero."""
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
    """Acceleration of a vehicle with moving masses under a wrench without theirs.

    Its inertia changes as they move, so the system is solved anew each time.
    """
    hull = hull_at(row)
    wrench = add6(wrench, moving_masses_wrench(row, layout, outputs, relative, down_B, hull.gravity))
    inertia = inertia_with_moving_masses(row, layout, hull, outputs, relative[2])
    if layout.locked:
        # As in special_wrench, which knows of the hull only.
        both_inertias = with_moving_masses(row, layout, outputs, hull.inertia)
        carried = subtract6(matvec6(both_inertias, current_rate), matvec6(hull.inertia, current_rate))
        wrench = add6(wrench, carried)
    return solve_with_locked(inertia, free_axes(hull), wrench)


def twist_after_impulse(
    row: Numbers, layout: Layout, twist: Twist, heave: float, before: Numbers, outputs: Numbers
) -> Twist:
    """The twist after moving masses change their speeds at once, as at a new command: the momentum of the whole is kept.

    Before and after are outputs with speeds behind them; the heave is the one through the water.
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
