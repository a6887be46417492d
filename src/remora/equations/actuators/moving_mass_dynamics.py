"""Dynamics of a vehicle with moving masses: inertia, wrench, acceleration, and the impulse of a new command."""

from remora.equations.actuators.moving_mass import (
    OutputMotion,
    moving_mass_inertia,
    moving_mass_momentum,
    moving_mass_wrench,
)
from remora.equations.algebra.elementary import select
from remora.equations.algebra.vectors import ZERO6, add6, add_matrix6, matvec6, subtract6
from remora.equations.hull.inertia import heave_mass_change, solve_with_locked
from remora.equations.motion import Hull
from remora.equations.packed import (
    Layout,
    actuator_count,
    heave_asymmetry_at,
    hull_at,
    moving_mass_at,
    moving_mass_start,
)
from remora.equations.types import (
    Direction,
    Inertia,
    Matrix6,
    PlantOutputs,
    RelativeTwist,
    Row,
    Twist,
    TwistRate,
    Vector6,
    Wrench,
)


def moving_mass_motion(layout: Layout, outputs: PlantOutputs, index: int) -> OutputMotion:
    """Output, speed and acceleration of a moving mass."""
    k = actuator_count(layout) - layout.moving_masses + index
    return OutputMotion(outputs[k], outputs[k + layout.moving_masses], outputs[k + 2 * layout.moving_masses])


def moving_masses_wrench(
    row: Row, layout: Layout, outputs: PlantOutputs, twist: RelativeTwist, down_B: Direction, gravity: float
) -> Wrench:
    """Wrench of all moving masses on the body, without their inertia."""
    wrench = ZERO6
    for i in range(layout.moving_masses):
        moving_mass = moving_mass_at(row, moving_mass_start(layout, i))
        wrench = add6(
            wrench, moving_mass_wrench(moving_mass, moving_mass_motion(layout, outputs, i), twist, down_B, gravity)
        )
    return wrench


def with_moving_masses(row: Row, layout: Layout, outputs: PlantOutputs, inertia: Inertia) -> Matrix6:
    """An inertia plus that of all moving masses at their outputs."""
    total = inertia
    for i in range(layout.moving_masses):
        k = actuator_count(layout) - layout.moving_masses + i
        total = add_matrix6(total, moving_mass_inertia(moving_mass_at(row, moving_mass_start(layout, i)), outputs[k]))
    return total


def inertia_with_moving_masses(row: Row, layout: Layout, hull: Hull, outputs: PlantOutputs, heave: float) -> Matrix6:
    """Inertia of a vehicle with moving masses, at a heave speed.

    `heave` is the speed through the water.
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
    row: Row,
    layout: Layout,
    outputs: PlantOutputs,
    relative: RelativeTwist,
    current_rate: TwistRate,
    down_B: Direction,
    wrench: Wrench,
) -> TwistRate:
    """Acceleration of a vehicle with moving masses.

    The inertia changes with the outputs, so the 6x6 system is solved at every evaluation. `wrench` excludes the moving
    masses.
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
    row: Row, layout: Layout, twist: Twist, heave: float, before: PlantOutputs, outputs: PlantOutputs
) -> Twist:
    """Twist after moving masses change their speeds instantaneously, as at a new command; total momentum is conserved.

    `before` and `outputs` are the outputs and speeds before and after the command; `heave` is the speed through the
    water.
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
