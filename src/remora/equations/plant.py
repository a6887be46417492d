"""The plant: the rate of a whole vehicle's state, from a packed vehicle and the outputs of its actuators.

The state of the body is position, quaternion and twist, thirteen numbers. The outputs of the actuators, thrusters
first, then fins, servos and loads, follow their commands by laws that are solved exactly (`actuator_target`,
`actuator_lag_time`, `actuator_slew`), so they enter here as known functions of time. Behind the outputs stand the
speeds of loads and their accelerations.
"""

from remora.equations.actuators.fins import fin_wrench
from remora.equations.actuators.moving_mass import (
    Moving,
    load_inertia,
    load_mass,
    load_momentum,
    load_position,
    load_wrench,
)
from remora.equations.actuators.propulsion import static_thrusters_wrench, thrusters_feel_inflow, thrusters_wrench
from remora.equations.actuators.slewing import Slew
from remora.equations.actuators.thrusters import (
    saturate,
    speed_from_command,
)
from remora.equations.algebra.elementary import select
from remora.equations.algebra.kinematics import down_in_body, position_rate, quaternion_rate
from remora.equations.algebra.pose import BodyState, Pose, pose_of
from remora.equations.algebra.quaternions import Quaternion
from remora.equations.algebra.vectors import (
    ZERO3,
    ZERO6,
    Matrix6,
    Numbers,
    Twist,
    Vector3,
    Vector6,
    Wrench,
    add6,
    add_matrix6,
    angular,
    join,
    linear,
    matvec6,
    scale_matrix6,
    subtract6,
)
from remora.equations.hull.heave import heave_mass_change
from remora.equations.hull.hull_forms import added_mass_now, hull_forms_wrench
from remora.equations.hull.inertia import solve_with_heave_change, solve_with_held
from remora.equations.hull.surfacing import emergence, surfacing_wrench
from remora.equations.motion import Hull, hull_wrench
from remora.equations.packed import (
    FIN_SIZE,
    SERVO_SIZE,
    THRUSTER_SIZE,
    Layout,
    actuator_count,
    fin_at,
    fins_start,
    heave_asymmetry_at,
    hull_at,
    load_at,
    load_start,
    matrix6_at,
    servos_start,
    slew_at,
    thruster_at,
    thrusters_start,
)
from remora.equations.water.current import current_twist, current_twist_rate
from remora.equations.water.local_water import (
    STEADY,
    SURFACED,
    Water,
    carried_mass_wrench,
    carrying,
    gradient_force,
    steady_water,
    water_velocity,
)


def fins_wrench(row: Numbers, layout: Layout, outputs: Numbers, twist: Twist) -> Wrench:
    """Wrench of all fins; the twist is relative to the water."""
    wrench = ZERO6
    for i in range(layout.fins):
        fin = fin_at(row, fins_start(layout) + FIN_SIZE * i)
        wrench = add6(wrench, fin_wrench(fin, outputs[layout.thrusters + i], twist))
    return wrench


def special_wrench(row: Numbers, layout: Layout, outputs: Numbers, twist: Twist, current_rate: Twist) -> Wrench:
    """What only some vehicles have: fins, rarer hull forces, held degrees of freedom."""
    wrench = hull_forms_wrench(row, layout, twist)
    if layout.fins:
        wrench = add6(wrench, fins_wrench(row, layout, outputs, twist))
    if layout.locked:
        # A held degree of freedom rests over ground, so the water's rate must act as a force before the solve.
        wrench = add6(wrench, matvec6(matrix6_at(row, 0), current_rate))
        if layout.two_heaves:
            extra = heave_mass_change(heave_asymmetry_at(row), twist[2]) * current_rate[2]
            wrench = add6(wrench, (0.0, 0.0, extra, 0.0, 0.0, 0.0))
    return wrench


def moving_load(layout: Layout, outputs: Numbers, index: int) -> Moving:
    """Output, speed and acceleration of a load."""
    k = actuator_count(layout) - layout.loads + index
    return Moving(outputs[k], outputs[k + layout.loads], outputs[k + 2 * layout.loads])


def loads_wrench(
    row: Numbers, layout: Layout, outputs: Numbers, twist: Twist, down_B: Vector3, gravity: float
) -> Wrench:
    """What all loads do to the body besides their inertia; the twist is relative to the water."""
    wrench = ZERO6
    for i in range(layout.loads):
        load = load_at(row, load_start(layout, i))
        wrench = add6(wrench, load_wrench(load, moving_load(layout, outputs, i), twist, down_B, gravity))
    return wrench


def with_loads(row: Numbers, layout: Layout, outputs: Numbers, inertia: Matrix6) -> Matrix6:
    """An inertia with that of all loads, where they stand now."""
    total = inertia
    for i in range(layout.loads):
        k = actuator_count(layout) - layout.loads + i
        total = add_matrix6(total, load_inertia(load_at(row, load_start(layout, i)), outputs[k]))
    return total


def loaded_inertia(row: Numbers, layout: Layout, hull: Hull, outputs: Numbers, heave: float) -> Matrix6:
    """The whole inertia of a vehicle with loads at a speed of heave through the water."""
    total = with_loads(row, layout, outputs, hull.inertia)
    if layout.two_heaves == 0:
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


def loaded_acceleration(
    row: Numbers,
    layout: Layout,
    outputs: Numbers,
    relative: Twist,
    current_rate: Twist,
    down_B: Vector3,
    wrench: Wrench,
) -> Twist:
    """Acceleration of a vehicle with loads under a wrench without theirs.

    Its inertia changes as they move, so the system is solved anew each time.
    """
    hull = hull_at(row)
    wrench = add6(wrench, loads_wrench(row, layout, outputs, relative, down_B, hull.gravity))
    inertia = loaded_inertia(row, layout, hull, outputs, relative[2])
    if layout.locked:
        # As in special_wrench, which knows of the hull only.
        both_inertias = with_loads(row, layout, outputs, hull.inertia)
        carried = subtract6(matvec6(both_inertias, current_rate), matvec6(hull.inertia, current_rate))
        wrench = add6(wrench, carried)
    return solve_with_held(inertia, free_axes(hull), wrench)


def struck_twist(row: Numbers, layout: Layout, twist: Twist, heave: float, before: Numbers, outputs: Numbers) -> Twist:
    """The twist after loads change their speeds at once, as at a new command: the momentum of the whole is kept.

    Before and after are outputs with speeds behind them; the heave is the one through the water.
    """
    momentum = ZERO6
    for i in range(layout.loads):
        k = actuator_count(layout) - layout.loads + i
        change = outputs[k + layout.loads] - before[k + layout.loads]
        momentum = add6(momentum, load_momentum(load_at(row, load_start(layout, i)), outputs[k], change))
    hull = hull_at(row)
    inertia = loaded_inertia(row, layout, hull, outputs, heave)
    return subtract6(twist, solve_with_held(inertia, free_axes(hull), momentum))


def varying_water_wrench(
    row: Numbers, layout: Layout, place: Pose, twist: Twist, outputs: Numbers, water: Water, velocity_N: Vector3
) -> Wrench:
    """What a current that varies adds: its acceleration and its gradient.

    The water has this velocity where the body is. Its rotation and its variation over the body's length are left out.
    """
    hull, changes = hull_at(row), carrying(water, place.q_NB, twist, velocity_N)
    relative = subtract6(twist, current_twist(place.q_NB, velocity_N))
    wrench = carried_mass_wrench(changes, hull.mass, hull.p_BG, hull.displaced_mass, hull.p_BC)
    momentum = linear(matvec6(hull.inertia, relative))
    turned = gradient_force(water, place.q_NB, momentum, hull.mass, hull.p_BG, relative)
    wrench = add6(wrench, join(turned, ZERO3))
    for i in range(layout.loads):
        load, output = load_at(row, load_start(layout, i)), moving_load(layout, outputs, i).output
        r = load_position(load, output)
        carried = carried_mass_wrench(changes, load_mass(load, output), r, load.displacing * output, r)
        wrench = add6(wrench, carried)
    return wrench


def surfaced_acceleration(
    row: Numbers,
    layout: Layout,
    place: Pose,
    twist: Twist,
    outputs: Numbers,
    water: Water,
    velocity_N: Vector3,
    current_rate: Twist,
    wrench: Wrench,
) -> Twist:
    """Acceleration of a vehicle at the surface under the wrench, without its loads, that it would have submerged."""
    hull, down_B = hull_at(row), down_in_body(place.q_NB)
    relative = subtract6(twist, current_twist(place.q_NB, velocity_N))
    dry = emergence(row, layout, place, water.surface).dry
    wrench = add6(wrench, surfacing_wrench(row, layout, place, twist, relative, outputs, water, velocity_N))
    wrench = add6(wrench, loads_wrench(row, layout, outputs, relative, down_B, hull.gravity))
    lost = scale_matrix6(-dry, added_mass_now(row, layout, relative[2]))
    inertia = add_matrix6(loaded_inertia(row, layout, hull, outputs, relative[2]), lost)
    if layout.locked:
        # As in special_wrench, which knows of the submerged hull only.
        wrench = add6(wrench, matvec6(with_loads(row, layout, outputs, lost), current_rate))
    return solve_with_held(inertia, free_axes(hull), wrench)


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
    water = steady_water(water_velocity_N)
    return pushed_twist_rate(row, layout, Pose(ZERO3, q_NB), twist, outputs, water, 0.0, pushed)


def pushed_twist_rate(
    row: Numbers,
    layout: Layout,
    place: Pose,
    twist: Twist,
    outputs: Numbers,
    water: Water,
    elapsed: float,
    external: Wrench,
) -> Twist:
    """Acceleration of the whole vehicle, with the thrusters that do not feel the water in the external wrench.

    That part is the same for all states at one time, so a step with several stages need not repeat it.
    """
    hull, q_NB = hull_at(row), place.q_NB
    velocity_N = water_velocity(water, place.p_NB, elapsed)
    current = current_twist(q_NB, velocity_N)
    current_rate = current_twist_rate(twist, current)
    relative = subtract6(twist, current)
    down_B = down_in_body(q_NB)
    wrench = add6(external, hull_wrench(hull, relative, down_B))
    if water.varies > STEADY:
        current_rate = add6(current_rate, join(carrying(water, q_NB, twist, velocity_N).path_rate, ZERO3))
        wrench = add6(wrench, varying_water_wrench(row, layout, place, twist, outputs, water, velocity_N))
    if thrusters_feel_inflow(layout):
        wrench = add6(wrench, thrusters_wrench(row, layout, outputs, relative))
    if layout.special:
        wrench = add6(wrench, special_wrench(row, layout, outputs, relative, current_rate))
    if water.varies == SURFACED:
        a = surfaced_acceleration(row, layout, place, twist, outputs, water, velocity_N, current_rate, wrench)
    elif layout.loads:
        a = loaded_acceleration(row, layout, outputs, relative, current_rate, down_B, wrench)
    elif layout.two_heaves:
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
    """Rate of the thirteen numbers of the body in a steady uniform current and under an external wrench."""
    return body_rate_in(row, layout, state, outputs, steady_water(water_velocity_N), 0.0, external)


def body_rate_in(
    row: Numbers,
    layout: Layout,
    state: BodyState,
    outputs: Numbers,
    water: Water,
    elapsed: float,
    external: Wrench,
) -> BodyState:
    """The same in any water, so many seconds after the time from which the rate of the water counts."""
    pushed = add6(external, static_thrusters_wrench(row, layout, outputs))
    return pushed_body_rate(row, layout, state, outputs, water, elapsed, pushed)


def pushed_body_rate(
    row: Numbers,
    layout: Layout,
    state: BodyState,
    outputs: Numbers,
    water: Water,
    elapsed: float,
    external: Wrench,
) -> BodyState:
    """The same with the thrusters that do not feel the water in the external wrench."""
    place = pose_of(state)
    twist = (state[7], state[8], state[9], state[10], state[11], state[12])
    a = pushed_twist_rate(row, layout, place, twist, outputs, water, elapsed, external)
    x = position_rate(place.q_NB, linear(twist))
    q = quaternion_rate(place.q_NB, angular(twist))
    return (x[0], x[1], x[2], q[0], q[1], q[2], q[3], a[0], a[1], a[2], a[3], a[4], a[5])


def actuator_target(row: Numbers, layout: Layout, index: int, command: float) -> float:
    """What the output of an actuator tends to under a held command: limits first, then the command map."""
    if index < layout.thrusters:
        thruster = thruster_at(row, thrusters_start(layout) + THRUSTER_SIZE * index)
        limited = saturate(command, thruster.command_minimum, thruster.command_maximum)
        if layout.mapped_commands:
            return speed_from_command(thruster.command_map, limited)
        return limited
    slew = actuator_slew(row, layout, index)
    return saturate(command, slew.lowest, slew.highest)


def actuator_lag_time(row: Numbers, layout: Layout, index: int, rising: bool) -> float:
    """The time constant with which an output moves to its target; thrusters may rise and fall differently."""
    if index < layout.thrusters:
        thruster = thruster_at(row, thrusters_start(layout) + THRUSTER_SIZE * index)
        return select(rising, thruster.rise_time, thruster.fall_time)
    return actuator_slew(row, layout, index).lag


def actuator_slew(row: Numbers, layout: Layout, index: int) -> Slew:
    """How a fin, servo or load moves, and its ends."""
    k = index - layout.thrusters
    if k < layout.fins:
        fin = fin_at(row, fins_start(layout) + FIN_SIZE * k)
        return Slew(fin.lag, fin.rate_limit, -fin.deflection_limit, fin.deflection_limit)
    k = k - layout.fins
    if k < layout.servos:
        return slew_at(row, servos_start(layout) + SERVO_SIZE * k)
    return load_at(row, load_start(layout, k - layout.servos)).slew
