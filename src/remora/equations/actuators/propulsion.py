"""Wrench of all thrusters of a packed vehicle, from their outputs and the motion through the water."""

from remora.equations.actuators.laws.table import EQUATIONS, INFLOW_MATTERS
from remora.equations.actuators.quadrants import quadrant_thrust
from remora.equations.actuators.servos import turned_thruster, with_orientation
from remora.equations.actuators.thrusters import Thruster, advance_speed, effective_thrust
from remora.equations.algebra.elementary import select
from remora.equations.algebra.vectors import ZERO6, add6, scale6
from remora.equations.packed import (
    DISC_SIZE,
    SWIVEL_SIZE,
    THRUSTER_SIZE,
    Layout,
    disc_at,
    disc_start,
    swivel_at,
    swivel_start,
    thruster_at,
    thrusters_start,
)
from remora.equations.types import Outputs, RelativeTwist, Row, ShaftSpeed, Wrench


def thrust_from_output(thruster: Thruster, thrust_law: int, output: float, twist: RelativeTwist) -> float:
    """Thrust along the axis of a thruster, N; compiled as a chain of conditions (`plant.forms.unrolled_forms`).

    `thrust_law` is the code of a law of `laws.table`; the output is in N or rad/s, as the law says.
    """
    advance = advance_speed(thruster, twist) if INFLOW_MATTERS[thrust_law] else 0.0
    return EQUATIONS[thrust_law](thruster, output, advance)


def thrust_depends_on_inflow(layout: Layout) -> bool:
    """Whether thrust depends on the motion through the water."""
    return INFLOW_MATTERS[layout.thrust_law]


def static_thrusters_wrench(row: Row, layout: Layout, outputs: Outputs) -> Wrench:
    """Wrench of all thrusters where it depends on their outputs alone, else zero."""
    return ZERO6 if thrust_depends_on_inflow(layout) else thrusters_wrench(row, layout, outputs, ZERO6)


def thrusters_wrench(row: Row, layout: Layout, outputs: Outputs, twist: RelativeTwist) -> Wrench:
    """Wrench of all thrusters about B. Proctor 2014, eq. 3.23; Simu2VITA eq. 21."""
    if layout.servos + layout.harmonics > 0:
        return general_thrusters_wrench(row, layout, outputs, twist)
    wrench = ZERO6
    for i in range(layout.thrusters):
        thruster = thruster_at(row, thrusters_start(layout) + THRUSTER_SIZE * i)
        force = thrust_from_output(thruster, layout.thrust_law, outputs[i], twist)
        wrench = add6(wrench, scale6(effective_thrust(thruster, force), thruster.effect))
    return wrench


def general_thrusters_wrench(row: Row, layout: Layout, outputs: Outputs, twist: RelativeTwist) -> Wrench:
    """Wrench of all thrusters, with servos or four-quadrant series."""
    wrench = ZERO6
    for i in range(layout.thrusters):
        wrench = add6(wrench, thruster_wrench(row, layout, i, outputs, twist))
    return wrench


def thruster_wrench(row: Row, layout: Layout, index: int, outputs: Outputs, twist: RelativeTwist) -> Wrench:
    """Wrench of one thruster of any kind."""
    thruster = oriented_thruster(row, layout, index, outputs)
    force = thrust_from_output(thruster, layout.thrust_law, outputs[index], twist)
    if layout.harmonics > 0:
        force = select_quadrant_thrust(row, layout, index, thruster, outputs[index], twist, force)
    return scale6(effective_thrust(thruster, force), thruster.effect)


def oriented_thruster(row: Row, layout: Layout, index: int, outputs: Outputs) -> Thruster:
    """A thruster at the angles of its servos."""
    thruster = thruster_at(row, thrusters_start(layout) + THRUSTER_SIZE * index)
    axis, effect = thruster.axis, thruster.effect
    if layout.servos > 0:
        start, first = swivel_start(layout, index), layout.thrusters + layout.fins
        angle = 0.0 * outputs[first]
        for j in range(layout.servos):
            angle = angle + row[start + SWIVEL_SIZE + j] * outputs[first + j]
        turned = turned_thruster(thruster, swivel_at(row, start), angle)
        axis, effect = turned.axis, turned.effect
    return with_orientation(thruster, axis, effect)  # of one type in compiled code, turned or not


def select_quadrant_thrust(
    row: Row, layout: Layout, index: int, thruster: Thruster, output: ShaftSpeed, twist: RelativeTwist, fallback: float
) -> float:
    """Thrust by the four-quadrant series of a thruster, or the given thrust where it has none, N.

    The output is a shaft speed; `fallback` is the thrust without a series.
    """
    start, order = disc_start(layout, index), layout.harmonics
    disc = disc_at(row, start)
    series = row[start + DISC_SIZE : start + DISC_SIZE + 2 * (order + 1)]
    found = quadrant_thrust(disc, series, order, thruster.sense * output, advance_speed(thruster, twist))
    return select(disc.dynamic_area > 0.0, found, fallback)
