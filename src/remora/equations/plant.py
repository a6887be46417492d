"""The plant: rate of a vehicle's state, from its packed parameters and the outputs of its actuators.

The body state is position, quaternion and twist, thirteen numbers. The outputs of the actuators (thrusters, then fins,
servos and moving masses) follow their commands by laws that are solved exactly (`actuators.response`), so they enter
here as known functions of time. The speeds and accelerations of moving masses follow the outputs.
"""

from remora.equations.actuators.fins import fin_wrench
from remora.equations.actuators.moving_mass import (
    instantaneous_mass,
    instantaneous_position,
)
from remora.equations.actuators.moving_mass_dynamics import (
    acceleration_with_moving_masses,
    free_axes,
    inertia_with_moving_masses,
    moving_mass_motion,
    moving_masses_wrench,
    with_moving_masses,
)
from remora.equations.actuators.propulsion import static_thrusters_wrench, thrust_depends_on_inflow, thrusters_wrench
from remora.equations.algebra.kinematics import down_in_body, position_rate, quaternion_rate
from remora.equations.algebra.pose import Pose, pose_of
from remora.equations.algebra.vectors import (
    ZERO3,
    ZERO6,
    add6,
    add_matrix6,
    angular,
    join,
    linear,
    matrix6_at,
    matvec6,
    scale_matrix6,
    subtract6,
)
from remora.equations.hull.hull_forms import added_mass_at_heave, hull_forms_wrench
from remora.equations.hull.inertia import heave_mass_change, solve_with_heave_change, solve_with_locked
from remora.equations.hull.surfacing import emergence, surfacing_wrench
from remora.equations.motion import hull_wrench
from remora.equations.packed import (
    FIN_SIZE,
    Layout,
    fin_at,
    fins_start,
    heave_asymmetry_at,
    hull_at,
    moving_mass_at,
    moving_mass_start,
)
from remora.equations.types import (
    BodyState,
    Matrix6,
    Outputs,
    PlantOutputs,
    Quaternion,
    RelativeTwist,
    Row,
    Seconds,
    Twist,
    TwistRate,
    Vector3,
    Wrench,
)
from remora.equations.water.current import current_twist, current_twist_rate
from remora.equations.water.local_water import (
    STEADY,
    SURFACED,
    Water,
    gradient_force,
    steady_water,
    water_acceleration_wrench,
    water_rates,
    water_velocity,
)


def fins_wrench(row: Row, layout: Layout, outputs: Outputs, twist: RelativeTwist) -> Wrench:
    """Wrench of all fins."""
    wrench = ZERO6
    for i in range(layout.fins):
        fin = fin_at(row, fins_start(layout) + FIN_SIZE * i)
        wrench = add6(wrench, fin_wrench(fin, outputs[layout.thrusters + i], twist))
    return wrench


def special_wrench(row: Row, layout: Layout, outputs: Outputs, twist: RelativeTwist, current_rate: TwistRate) -> Wrench:
    """Wrench of optional features: fins, further hull forces, locked degrees of freedom."""
    wrench = hull_forms_wrench(row, layout, twist)
    if layout.fins:
        wrench = add6(wrench, fins_wrench(row, layout, outputs, twist))
    if layout.locked:
        # A locked degree of freedom is at rest over ground, so the rate of the water acts as a force before the solve.
        wrench = add6(wrench, matvec6(matrix6_at(row, 0), current_rate))
        if layout.asymmetric_heave:
            extra = heave_mass_change(heave_asymmetry_at(row), twist[2]) * current_rate[2]
            wrench = add6(wrench, (0.0, 0.0, extra, 0.0, 0.0, 0.0))
    return wrench


def varying_water_wrench(
    row: Row, layout: Layout, place: Pose, twist: Twist, outputs: Outputs, water: Water, velocity_N: Vector3
) -> Wrench:
    """Wrench of a varying current: its acceleration and its gradient.

    The rotation of the water and the variation of its velocity over the body are neglected.
    """
    hull, changes = hull_at(row), water_rates(water, place.q_NB, twist, velocity_N)
    relative = subtract6(twist, current_twist(place.q_NB, velocity_N))
    wrench = water_acceleration_wrench(changes, hull.mass, hull.p_BG, hull.displaced_mass, hull.p_BC)
    momentum = linear(matvec6(hull.inertia, relative))
    turned = gradient_force(water, place.q_NB, momentum, hull.mass, hull.p_BG, relative)
    wrench = add6(wrench, join(turned, ZERO3))
    for i in range(layout.moving_masses):
        moving_mass, output = (
            moving_mass_at(row, moving_mass_start(layout, i)),
            moving_mass_motion(layout, outputs, i).output,
        )
        r = instantaneous_position(moving_mass, output)
        carried = water_acceleration_wrench(
            changes, instantaneous_mass(moving_mass, output), r, moving_mass.displacing * output, r
        )
        wrench = add6(wrench, carried)
    return wrench


def surfaced_acceleration(
    row: Row,
    layout: Layout,
    place: Pose,
    twist: Twist,
    outputs: Outputs,
    water: Water,
    velocity_N: Vector3,
    current_rate: TwistRate,
    wrench: Wrench,
) -> TwistRate:
    """Acceleration of a vehicle at the surface.

    `wrench` is the one that the vehicle would have submerged, without its moving masses.
    """
    hull, down_B = hull_at(row), down_in_body(place.q_NB)
    relative = subtract6(twist, current_twist(place.q_NB, velocity_N))
    dry = emergence(row, layout, place, water.surface).dry
    wrench = add6(wrench, surfacing_wrench(row, layout, place, twist, relative, outputs, water, velocity_N))
    wrench = add6(wrench, moving_masses_wrench(row, layout, outputs, relative, down_B, hull.gravity))
    lost = scale_matrix6(-dry, added_mass_at_heave(row, layout, relative[2]))
    inertia = add_matrix6(inertia_with_moving_masses(row, layout, hull, outputs, relative[2]), lost)
    if layout.locked:
        # As in special_wrench, which covers the submerged hull only.
        wrench = add6(wrench, matvec6(with_moving_masses(row, layout, outputs, lost), current_rate))
    return solve_with_locked(inertia, free_axes(hull), wrench)


def twist_rate(
    row: Row,
    layout: Layout,
    q_NB: Quaternion,
    twist: Twist,
    outputs: Outputs,
    water_velocity_N: Vector3,
    external: Wrench,
) -> TwistRate:
    """Acceleration of the vehicle in a steady uniform current, in body axes. Simu2VITA eq. 19."""
    applied = add6(external, static_thrusters_wrench(row, layout, outputs))
    water = steady_water(water_velocity_N)
    return applied_twist_rate(row, layout, Pose(ZERO3, q_NB), twist, outputs, water, 0.0, applied)


def applied_twist_rate(
    row: Row,
    layout: Layout,
    place: Pose,
    twist: Twist,
    outputs: Outputs,
    water: Water,
    elapsed: Seconds,
    external: Wrench,
) -> TwistRate:
    """Acceleration of the vehicle under an applied wrench that includes thrust that does not depend on the inflow.

    That part is equal for all states at one time, so a step with several stages computes it once per stage time.
    `external` contains that static thrust.
    """
    hull, q_NB = hull_at(row), place.q_NB
    velocity_N = water_velocity(water, place.p_NB, elapsed)
    current = current_twist(q_NB, velocity_N)
    current_rate = current_twist_rate(twist, current)
    relative = subtract6(twist, current)
    down_B = down_in_body(q_NB)
    wrench = add6(external, hull_wrench(hull, relative, down_B))
    if water.kind > STEADY:
        current_rate = add6(current_rate, join(water_rates(water, q_NB, twist, velocity_N).path_rate, ZERO3))
        wrench = add6(wrench, varying_water_wrench(row, layout, place, twist, outputs, water, velocity_N))
    if thrust_depends_on_inflow(layout):
        wrench = add6(wrench, thrusters_wrench(row, layout, outputs, relative))
    if layout.special:
        wrench = add6(wrench, special_wrench(row, layout, outputs, relative, current_rate))
    if water.kind == SURFACED:
        a = surfaced_acceleration(row, layout, place, twist, outputs, water, velocity_N, current_rate, wrench)
    elif layout.moving_masses:
        a = acceleration_with_moving_masses(row, layout, outputs, relative, current_rate, down_B, wrench)
    elif layout.asymmetric_heave:
        change = heave_mass_change(heave_asymmetry_at(row), relative[2])
        a = solve_with_heave_change(hull.inverse_inertia, change, wrench)
    else:
        a = matvec6(hull.inverse_inertia, wrench)
    return a if layout.locked else add6(a, current_rate)


def body_rate(
    row: Row,
    layout: Layout,
    state: BodyState,
    outputs: Outputs,
    water_velocity_N: Vector3,
    external: Wrench,
) -> BodyState:
    """Rate of the body state in a steady uniform current."""
    return body_rate_in_water(row, layout, state, outputs, steady_water(water_velocity_N), 0.0, external)


def body_rate_in_water(
    row: Row,
    layout: Layout,
    state: BodyState,
    outputs: Outputs,
    water: Water,
    elapsed: Seconds,
    external: Wrench,
) -> BodyState:
    """Rate of the body state in any water."""
    applied = add6(external, static_thrusters_wrench(row, layout, outputs))
    return applied_body_rate(row, layout, state, outputs, water, elapsed, applied)


def applied_body_rate(
    row: Row,
    layout: Layout,
    state: BodyState,
    outputs: Outputs,
    water: Water,
    elapsed: Seconds,
    external: Wrench,
) -> BodyState:
    """Rate of the body state under an applied wrench; see `applied_twist_rate`."""
    place = pose_of(state)
    twist = (state[7], state[8], state[9], state[10], state[11], state[12])
    a = applied_twist_rate(row, layout, place, twist, outputs, water, elapsed, external)
    x = position_rate(place.q_NB, linear(twist))
    q = quaternion_rate(place.q_NB, angular(twist))
    return (x[0], x[1], x[2], q[0], q[1], q[2], q[3], a[0], a[1], a[2], a[3], a[4], a[5])


def body_inertia(
    row: Row, layout: Layout, x: BodyState, outputs: PlantOutputs, water: Water, elapsed: Seconds
) -> Matrix6:
    """Rigid-body inertia plus added mass about B: heave asymmetry, moving masses and emergence included."""
    place = pose_of(x)
    heave = x[9] - current_twist(place.q_NB, water_velocity(water, place.p_NB, elapsed))[2]
    inertia = inertia_with_moving_masses(row, layout, hull_at(row), outputs, heave)
    if water.kind == SURFACED:
        dry = emergence(row, layout, place, water.surface).dry
        inertia = add_matrix6(inertia, scale_matrix6(-dry, added_mass_at_heave(row, layout, heave)))
    return inertia
