"""The plant: the rate of a whole vehicle's state, from a packed vehicle and the outputs of its actuators.

The state of the body is position, quaternion and twist, thirteen numbers. The outputs of the actuators, thrusters
first and then fins, follow their commands by lags that are solved exactly (`actuator_target`, `actuator_lag_time`),
so they enter here as known functions of time.
"""

from typing import TypeAlias

from remora.equations.current import current_twist, current_twist_rate
from remora.equations.damping import lift_wrench, strip_damping_wrench, tensor_damping_wrench
from remora.equations.elementary import select
from remora.equations.fins import fin_wrench
from remora.equations.heave import heave_asymmetry_wrench, heave_mass_change
from remora.equations.inertia import solve_with_heave_change
from remora.equations.kinematics import down_in_body, position_rate, quaternion_rate
from remora.equations.motion import hull_wrench
from remora.equations.packed import (
    FIN_SIZE,
    OPTIONAL_START,
    STRIP_SIZE,
    THRUSTER_SIZE,
    Layout,
    fin_at,
    fins_start,
    heave_asymmetry_at,
    hull_at,
    lift_start,
    matrix6_at,
    strip_at,
    strips_start,
    tensor6_at,
    thruster_at,
    thrusters_start,
)
from remora.equations.quaternions import Quaternion
from remora.equations.thrusters import (
    OUTPUT_IS_FORCE,
    THRUST_FROM_SPEED,
    THRUST_FROM_SPEED_AND_INFLOW,
    Thruster,
    advance_speed,
    effective_thrust,
    saturate,
    speed_from_command,
    static_thrust,
    thrust,
)
from remora.equations.vectors import (
    ZERO6,
    Numbers,
    Twist,
    Vector3,
    Wrench,
    add6,
    angular,
    linear,
    matvec6,
    scale6,
    subtract6,
)

# x, y, z, q0, q1, q2, q3, u, v, w, p, q, r
BodyState: TypeAlias = tuple[float, float, float, float, float, float, float, float, float, float, float, float, float]


def thrust_from_output(thruster: Thruster, thrust_law: int, output: float, twist: Twist) -> float:
    """Thrust along the axis of a thruster whose lag has produced this output."""
    if thrust_law == OUTPUT_IS_FORCE:
        return output
    if thrust_law == THRUST_FROM_SPEED:
        return static_thrust(thruster, output)
    return thrust(thruster, output, advance_speed(thruster, twist))


def thrusters_feel_inflow(layout: Layout) -> bool:
    """Whether thrust depends on the motion through the water, and not on the outputs alone."""
    return layout.thrust_law == THRUST_FROM_SPEED_AND_INFLOW


def static_thrusters_wrench(row: Numbers, layout: Layout, outputs: Numbers) -> Wrench:
    """Wrench of all thrusters where it follows from their outputs alone, else zero."""
    return ZERO6 if thrusters_feel_inflow(layout) else thrusters_wrench(row, layout, outputs, ZERO6)


def thrusters_wrench(row: Numbers, layout: Layout, outputs: Numbers, twist: Twist) -> Wrench:
    """Wrench of all thrusters; the twist is relative to the water."""
    wrench = ZERO6
    for i in range(layout.thrusters):
        thruster = thruster_at(row, thrusters_start(layout) + THRUSTER_SIZE * i)
        force = thrust_from_output(thruster, layout.thrust_law, outputs[i], twist)
        wrench = add6(wrench, scale6(effective_thrust(thruster, force), thruster.effect))
    return wrench


def fins_wrench(row: Numbers, layout: Layout, outputs: Numbers, twist: Twist) -> Wrench:
    """Wrench of all fins; the twist is relative to the water."""
    wrench = ZERO6
    for i in range(layout.fins):
        fin = fin_at(row, fins_start(layout) + FIN_SIZE * i)
        wrench = add6(wrench, fin_wrench(fin, outputs[layout.thrusters + i], twist))
    return wrench


def strips_wrench(row: Numbers, layout: Layout, twist: Twist) -> Wrench:
    """Cross-flow damping of all strips, on the left-hand side."""
    wrench = ZERO6
    for i in range(layout.strips):
        strip = strip_at(row, strips_start(layout) + STRIP_SIZE * i)
        wrench = add6(wrench, strip_damping_wrench(strip, twist))
    return wrench


def special_wrench(row: Numbers, layout: Layout, outputs: Numbers, twist: Twist, current_rate: Twist) -> Wrench:
    """What only some vehicles have: fins, lift, six matrices, strips, two ways of heave, held degrees of freedom."""
    wrench = ZERO6
    if layout.fins:
        wrench = add6(wrench, fins_wrench(row, layout, outputs, twist))
    if layout.lift:
        wrench = subtract6(wrench, lift_wrench(matrix6_at(row, lift_start(layout)), twist))
    if layout.tensor:
        wrench = subtract6(wrench, tensor_damping_wrench(tensor6_at(row, OPTIONAL_START), twist))
    if layout.strips:
        wrench = subtract6(wrench, strips_wrench(row, layout, twist))
    if layout.two_heaves:
        wrench = add6(wrench, heave_asymmetry_wrench(heave_asymmetry_at(row), twist))
    if layout.locked:
        # A held degree of freedom rests over ground, so the water's rate must act as a force before the solve.
        wrench = add6(wrench, matvec6(matrix6_at(row, 0), current_rate))
        if layout.two_heaves:
            extra = heave_mass_change(heave_asymmetry_at(row), twist[2]) * current_rate[2]
            wrench = add6(wrench, (0.0, 0.0, extra, 0.0, 0.0, 0.0))
    return wrench


def twist_rate(
    row: Numbers,
    layout: Layout,
    q_NB: Quaternion,
    twist: Twist,
    outputs: Numbers,
    water_velocity_N: Vector3,
    external: Wrench,
) -> Twist:
    """Acceleration of the whole vehicle in a steady uniform current and under an external wrench, in body axes."""
    pushed = add6(external, static_thrusters_wrench(row, layout, outputs))
    return pushed_twist_rate(row, layout, q_NB, twist, outputs, water_velocity_N, pushed)


def pushed_twist_rate(
    row: Numbers,
    layout: Layout,
    q_NB: Quaternion,
    twist: Twist,
    outputs: Numbers,
    water_velocity_N: Vector3,
    external: Wrench,
) -> Twist:
    """Acceleration of the whole vehicle, with the thrusters that do not feel the water in the external wrench.

    That part is the same for all states at one time, so a step with several stages need not repeat it.
    """
    hull = hull_at(row)
    current = current_twist(q_NB, water_velocity_N)
    current_rate = current_twist_rate(twist, current)
    relative = subtract6(twist, current)
    wrench = add6(external, hull_wrench(hull, relative, down_in_body(q_NB)))
    if thrusters_feel_inflow(layout):
        wrench = add6(wrench, thrusters_wrench(row, layout, outputs, relative))
    if layout.special:
        wrench = add6(wrench, special_wrench(row, layout, outputs, relative, current_rate))
    if layout.two_heaves:
        change = heave_mass_change(heave_asymmetry_at(row), relative[2])
        a = solve_with_heave_change(hull.inverse_inertia, change, wrench)
    else:
        a = matvec6(hull.inverse_inertia, wrench)
    return a if layout.locked else add6(a, current_rate)


def body_rate(
    row: Numbers,
    layout: Layout,
    state: BodyState,
    outputs: Numbers,
    water_velocity_N: Vector3,
    external: Wrench,
) -> BodyState:
    """Rate of the thirteen numbers of the body under an external wrench."""
    pushed = add6(external, static_thrusters_wrench(row, layout, outputs))
    return pushed_body_rate(row, layout, state, outputs, water_velocity_N, pushed)


def pushed_body_rate(
    row: Numbers,
    layout: Layout,
    state: BodyState,
    outputs: Numbers,
    water_velocity_N: Vector3,
    external: Wrench,
) -> BodyState:
    """The same with the thrusters that do not feel the water in the external wrench."""
    q_NB = (state[3], state[4], state[5], state[6])
    twist = (state[7], state[8], state[9], state[10], state[11], state[12])
    a = pushed_twist_rate(row, layout, q_NB, twist, outputs, water_velocity_N, external)
    x = position_rate(q_NB, linear(twist))
    q = quaternion_rate(q_NB, angular(twist))
    return (x[0], x[1], x[2], q[0], q[1], q[2], q[3], a[0], a[1], a[2], a[3], a[4], a[5])


def actuator_target(row: Numbers, layout: Layout, index: int, command: float) -> float:
    """What the output of an actuator tends to under a held command: limits first, then the command map."""
    if index < layout.thrusters:
        thruster = thruster_at(row, thrusters_start(layout) + THRUSTER_SIZE * index)
        limited = saturate(command, thruster.command_minimum, thruster.command_maximum)
        if layout.mapped_commands:
            return speed_from_command(thruster.command_map, limited)
        return limited
    fin = fin_at(row, fins_start(layout) + FIN_SIZE * (index - layout.thrusters))
    return saturate(command, -fin.deflection_limit, fin.deflection_limit)


def actuator_lag_time(row: Numbers, layout: Layout, index: int, rising: bool) -> float:
    """The time constant with which an output moves to its target; thrusters may rise and fall differently."""
    if index < layout.thrusters:
        thruster = thruster_at(row, thrusters_start(layout) + THRUSTER_SIZE * index)
        return select(rising, thruster.rise_time, thruster.fall_time)
    return fin_at(row, fins_start(layout) + FIN_SIZE * (index - layout.thrusters)).lag
