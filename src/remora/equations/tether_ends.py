"""Ends of a tether: motion of an attachment point, and the wrench of the tether on the body."""

from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.vectors import add3, cross, join, scale3, subtract3
from remora.equations.types import Quaternion, Vector3, Wrench


def cubic_motion(p0: Vector3, v0: Vector3, p1: Vector3, v1: Vector3, elapsed: float) -> tuple[Vector3, Vector3]:
    """Initial acceleration and jerk of the cubic Hermite motion between two positions and velocities.

    Parameters
    ----------
    p0, v0
        Initial position, m, and velocity, m/s.
    p1, v1
        Final position, m, and velocity, m/s.
    elapsed
        Duration, s.
    """
    way = scale3(1.0 / elapsed, subtract3(p1, p0))
    bend = add3(scale3(6.0, way), scale3(-2.0, add3(scale3(2.0, v0), v1)))
    turn = add3(scale3(-12.0, way), scale3(6.0, add3(v0, v1)))
    return scale3(1.0 / elapsed, bend), scale3(1.0 / (elapsed * elapsed), turn)


def point_velocity(v: Vector3, w: Vector3, p_BA: Vector3) -> Vector3:
    """Velocity of a point of a body, in body axes, m/s.

    Parameters
    ----------
    v, w
        Velocity of the body origin, m/s, and angular velocity, rad/s, in body axes.
    p_BA
        Position of the point in body axes, m.
    """
    return add3(v, cross(w, p_BA))


def point_acceleration(v: Vector3, w: Vector3, v_rate: Vector3, w_rate: Vector3, p_BA: Vector3) -> Vector3:
    """Acceleration of a point of a body relative to N, in body axes, m/s2.

    Parameters
    ----------
    v, w
        Velocity of the body origin, m/s, and angular velocity, rad/s, in body axes.
    v_rate, w_rate
        Rates of the components of v and w, m/s2 and rad/s2.
    p_BA
        Position of the point in body axes, m.
    """
    return add3(add3(v_rate, cross(w_rate, p_BA)), cross(w, point_velocity(v, w, p_BA)))


def pull_wrench(q_NB: Quaternion, p_BA: Vector3, force_N: Vector3) -> Wrench:
    """Wrench about B in body axes of a force at a point of the body.

    Parameters
    ----------
    q_NB
        Attitude of the body.
    p_BA
        Position of the point in body axes, m.
    force_N
        Force in N, N.
    """
    force = to_body(q_NB, force_N)
    return join(force, cross(p_BA, force))
