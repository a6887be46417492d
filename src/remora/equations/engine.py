"""What a rigid-body engine must be given so that its body moves as one in water does.

An engine integrates M_e nu' = -C_e(nu) nu + g_e + what it is given, and knows nothing of water. Its world E is level
with z up or down, and its body axes F share the origin B with ours; both may be turned against N and B.
"""

from remora.equations.algebra.kinematics import down_in_body, position_rate, to_body
from remora.equations.algebra.quaternions import Quaternion, rotation_matrix
from remora.equations.algebra.vectors import (
    ZERO6,
    Matrix6,
    Numbers,
    Twist,
    Vector3,
    Vector6,
    Wrench,
    add3,
    add6,
    angular,
    cross,
    from_blocks,
    join,
    linear,
    matmul6,
    matvec6,
    subtract6,
    transpose3,
    transpose6,
)
from remora.equations.motion import Hull, inverse_dynamics
from remora.equations.packed import Layout
from remora.equations.plant import twist_rate
from remora.equations.water.current import current_twist_rate


def direct_wrench(
    row: Numbers,
    layout: Layout,
    engine: Hull,
    q_NB: Quaternion,
    twist: Twist,
    outputs: Numbers,
    water_velocity_N: Vector3,
    external: Wrench,
) -> Wrench:
    """The wrench with which an engine accelerates its body as the equation of motion in water demands.

    K (x + e) - e with K = M_e M^-1, x the wrenches from outside and e = g_e - C_e nu: the direct method of
    Britto Neto 2018, eq. 4.15, here as inverse dynamics of the engine's body at the acceleration of the vehicle.
    What the engine gets from others besides, contacts and thrust, stands in the external wrench and is scaled too.

    Parameters
    ----------
    row, layout
        The vehicle in water, packed.
    engine
        The body as the engine knows it: inertia, Coriolis inertia, weight, and no water.
    q_NB, twist
        Its motion.
    outputs
        Of its actuators.
    water_velocity_N
        Of a steady uniform current.
    external
        What others give the engine's body in the same step.
    """
    wanted = twist_rate(row, layout, q_NB, twist, outputs, water_velocity_N, external)
    return subtract6(inverse_dynamics(engine, twist, wanted, down_in_body(q_NB)), external)


def twist_from_engine(q_EB: Quaternion, q_FB: Quaternion, v_E: Vector3, w_F: Vector3) -> Twist:
    """Our twist from the velocity of the origin in E and the angular velocity in F: the speeds of a free joint."""
    return join(to_body(q_EB, v_E), to_body(q_FB, w_F))


def to_engine(q_EB: Quaternion, q_FB: Quaternion, six: Vector6) -> Vector6:
    """A twist or wrench about B for a free joint: its linear part in E, its angular part in F."""
    return join(position_rate(q_EB, linear(six)), position_rate(q_FB, angular(six)))


def wrench_from_engine(q_EB: Quaternion, p_BS: Vector3, push_E: Vector6) -> Wrench:
    """Wrench about B of a force and a moment in E that act at S."""
    force = to_body(q_EB, linear(push_E))
    return join(force, add3(to_body(q_EB, angular(push_E)), cross(p_BS, force)))


def inertia_to_engine(q_EB: Quaternion, q_FB: Quaternion, inertia: Matrix6) -> Matrix6:
    """A 6x6 inertia about B for the speeds of a free joint."""
    zero = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    X = from_blocks(transpose3(rotation_matrix(q_EB)), zero, zero, transpose3(rotation_matrix(q_FB)))
    return matmul6(matmul6(transpose6(X), inertia), X)


def wrench_for_added_inertia(
    row: Numbers,
    layout: Layout,
    engine: Hull,
    added_inertia: Matrix6,
    q_NB: Quaternion,
    twist: Twist,
    outputs: Numbers,
    water_velocity_N: Vector3,
) -> Wrench:
    """The wrench for an engine into whose inertia an added mass was put.

    The engine then scales by itself whatever others give it. It multiplies what was put in with the rate of v in E,
    which is v' + w x v in body axes, so the same is given back at the wanted acceleration.
    """
    wanted = twist_rate(row, layout, q_NB, twist, outputs, water_velocity_N, ZERO6)
    seen_in_E = subtract6(wanted, current_twist_rate(twist, twist))
    return add6(inverse_dynamics(engine, twist, wanted, down_in_body(q_NB)), matvec6(added_inertia, seen_in_E))
