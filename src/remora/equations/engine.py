"""Hydrodynamic wrench for a body in a rigid-body engine, which knows nothing of water.

An engine integrates M_e nu' = -C_e(nu) nu + g_e + applied wrench (Britto Neto 2018, eq. 4.1). Its world E is level with
z up or down, and its body axes F share the origin B with ours; both may be rotated against N and B.
"""

from remora.equations.algebra.kinematics import down_in_body, position_rate, to_body
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import (
    ZERO6,
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
from remora.equations.types import Inertia, Matrix6, Outputs, Quaternion, Row, Twist, Vector3, Vector6, Wrench
from remora.equations.water.current import current_twist_rate


def direct_wrench(
    row: Row,
    layout: Layout,
    engine: Hull,
    q_NB: Quaternion,
    twist: Twist,
    outputs: Outputs,
    water_velocity_N: Vector3,
    external: Wrench,
) -> Wrench:
    """Wrench with which an engine accelerates its body as the equation of motion in water requires.

    K (x + e) - e with K = M_e M^-1, x the external wrenches and e = g_e - C_e nu: the direct method of Britto Neto
    2018, eq. 4.15, computed as inverse dynamics of the engine's body at the acceleration of the vehicle. Contacts and
    thrust that the engine adds belong to the external wrench and are scaled too.

    Parameters
    ----------
    row, layout
        Packed vehicle in water, and layout of its row.
    engine
        The body as the engine models it: inertia, Coriolis inertia, weight, no water.
    q_NB, twist
        Attitude of the body, and its twist in body axes, m/s and rad/s.
    outputs
        Outputs of all actuators: N, rad/s, rad, m, kg or m3.
    water_velocity_N
        Velocity of a steady uniform current in N, m/s.
    external
        Wrench that the engine applies in the same step, about B in body axes.
    """
    target_rate = twist_rate(row, layout, q_NB, twist, outputs, water_velocity_N, external)
    return subtract6(inverse_dynamics(engine, twist, target_rate, down_in_body(q_NB)), external)


def twist_from_engine(q_EB: Quaternion, q_FB: Quaternion, v_E: Vector3, w_F: Vector3) -> Twist:
    """Twist in body axes from the speeds of a free joint.

    `q_EB` is the attitude of B in the engine's world E and `q_FB` in the engine's body axes F; `v_E` is the velocity of
    the origin in E, `w_F` the angular velocity in F.
    """
    return join(to_body(q_EB, v_E), to_body(q_FB, w_F))


def to_engine(q_EB: Quaternion, q_FB: Quaternion, six: Vector6) -> Vector6:
    """A twist or wrench about B for a free joint: its linear part in E, its angular part in F.

    `q_EB` and `q_FB` are as in `twist_from_engine`.
    """
    return join(position_rate(q_EB, linear(six)), position_rate(q_FB, angular(six)))


def wrench_from_engine(q_EB: Quaternion, p_BS: Vector3, wrench_E: Vector6) -> Wrench:
    """Wrench about B of a force and a moment in E at a point S.

    `wrench_E` has its force and its moment at S, both in E.
    """
    force = to_body(q_EB, linear(wrench_E))
    return join(force, add3(to_body(q_EB, angular(wrench_E)), cross(p_BS, force)))


def inertia_to_engine(q_EB: Quaternion, q_FB: Quaternion, inertia: Inertia) -> Matrix6:
    """A 6x6 inertia about B for the speeds of a free joint.

    `q_EB` and `q_FB` are as in `twist_from_engine`.
    """
    zero = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    X = from_blocks(transpose3(rotation_matrix(q_EB)), zero, zero, transpose3(rotation_matrix(q_FB)))
    return matmul6(matmul6(transpose6(X), inertia), X)


def wrench_for_added_inertia(
    row: Row,
    layout: Layout,
    engine: Hull,
    added_inertia: Inertia,
    q_NB: Quaternion,
    twist: Twist,
    outputs: Outputs,
    water_velocity_N: Vector3,
) -> Wrench:
    """Wrench for an engine whose inertia contains an added mass.

    The engine then scales all other wrenches itself. It multiplies the added inertia with the rate of v in E, which is
    v' + w x v in body axes, so the same term is added back at the required acceleration. `engine` is the body as the
    engine models it, without the added inertia; the row is the vehicle in water.
    """
    target_rate = twist_rate(row, layout, q_NB, twist, outputs, water_velocity_N, ZERO6)
    rate_in_E = subtract6(target_rate, current_twist_rate(twist, twist))
    return add6(inverse_dynamics(engine, twist, target_rate, down_in_body(q_NB)), matvec6(added_inertia, rate_in_E))
