"""The plant as the process model of a filter: motion over a short time, and the inertial readings that it causes."""

from remora.equations.actuators.propulsion import thruster_wrench
from remora.equations.algebra.kinematics import position_rate, quaternion_rate
from remora.equations.algebra.pose import add_scaled, with_unit_quaternion
from remora.equations.algebra.vectors import ZERO3, ZERO6, add3, add6, angular, join, linear, matvec6, scale6, subtract6
from remora.equations.hull.hull_forms import added_mass_at_heave, forms_wrench
from remora.equations.instruments.inertial import specific_force, turn_rate
from remora.equations.motion import hull_damping_wrench
from remora.equations.packed import Layout, hull_at
from remora.equations.plant import body_rate, twist_rate
from remora.equations.types import (
    BodyState,
    Numbers,
    Outputs,
    Quaternion,
    RelativeTwist,
    RotationMatrix,
    Row,
    Seconds,
    Twist,
    Vector3,
    Vector6,
    Wrench,
)


def twist_of(state: Numbers) -> Twist:
    """Twist of a body state, m/s and rad/s in body axes."""
    return (state[7], state[8], state[9], state[10], state[11], state[12])


def plant_motion(
    row: Row, layout: Layout, state: BodyState, outputs: Outputs, wrench: Wrench, elapsed: Seconds
) -> BodyState:
    """Body state after a time with held actuator outputs in still water: midpoint rule, quaternion of unit length."""
    moved = state
    for stage in range(2):
        rate = body_rate(row, layout, moved, outputs, ZERO3, wrench)
        moved = add_scaled(state, 0.5 * (stage + 1) * elapsed, rate)
    return with_unit_quaternion(moved)


def plant_inertial_reading(
    row: Row,
    layout: Layout,
    state: BodyState,
    outputs: Outputs,
    wrench: Wrench,
    gravity: float,
    p_BS: Vector3,
    R_BS: RotationMatrix,
) -> Vector6:
    """Specific force and turn rate of an IMU, m/s2 and rad/s, with the acceleration of the plant.

    Proctor 2014, eqs. 4.3 to 4.5.
    """
    q_NB, twist = (state[3], state[4], state[5], state[6]), twist_of(state)
    acceleration = twist_rate(row, layout, q_NB, twist, outputs, ZERO3, wrench)
    f = specific_force(q_NB, twist, acceleration, gravity, p_BS, R_BS)
    w = turn_rate(twist, R_BS)
    return (f[0], f[1], f[2], w[0], w[1], w[2])


def squared_hydrodynamic_wrench(
    row: Row, layout: Layout, state: BodyState, outputs: Outputs, wrench: Wrench
) -> Vector6:
    """Sum of the squared terms of damping and added mass in still water, N2 and N2 m2 in body axes.

    Terms of one axis are not added before: each has coefficients, and so relative errors, of its own.
    """
    q_NB, twist = (state[3], state[4], state[5], state[6]), twist_of(state)
    a = twist_rate(row, layout, q_NB, twist, outputs, ZERO3, wrench)
    damping = subtract6(hull_damping_wrench(hull_at(row), twist), forms_wrench(row, layout, twist, False))
    added = added_mass_at_heave(row, layout, twist[2])
    inertial, momentum = matvec6(added, a), matvec6(added, twist)
    p, v, w = linear(momentum), linear(twist), angular(twist)
    turning = join(squared_terms(w, p), add3(squared_terms(v, p), squared_terms(w, angular(momentum))))
    return add6(add6(squares6(damping), squares6(inertial)), turning)


def squares6(a: Vector6) -> Vector6:
    """Squares of six numbers."""
    return (a[0] * a[0], a[1] * a[1], a[2] * a[2], a[3] * a[3], a[4] * a[4], a[5] * a[5])


def squared_terms(a: Vector3, b: Vector3) -> Vector3:
    """Sum of the squares of both terms of each component of a cross product."""
    x, y, z = a[0] * a[0], a[1] * a[1], a[2] * a[2]
    u, v, w = b[0] * b[0], b[1] * b[1], b[2] * b[2]
    return (y * w + z * v, z * u + x * w, x * v + y * u)


def thrust_change_wrench(
    row: Row, layout: Layout, outputs: Outputs, twist: RelativeTwist, effectiveness: Numbers
) -> Wrench:
    """Wrench that thrusters of this effectiveness add to that of intact ones, N and N m.

    `effectiveness` is the thrust of each thruster over the thrust of an intact one.
    """
    wrench = ZERO6
    for i in range(layout.thrusters):
        intact = thruster_wrench(row, layout, i, outputs, twist)
        wrench = add6(wrench, scale6(effectiveness[i] - 1.0, intact))
    return wrench


def coasted(state: BodyState, elapsed: Seconds) -> BodyState:
    """Body state after a time with a constant twist in body axes, to first order. Proctor 2014, app. C."""
    q: Quaternion = (state[3], state[4], state[5], state[6])
    x, s = position_rate(q, (state[7], state[8], state[9])), quaternion_rate(q, (state[10], state[11], state[12]))
    rate = (x[0], x[1], x[2], s[0], s[1], s[2], s[3], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return with_unit_quaternion(add_scaled(state, elapsed, rate))
