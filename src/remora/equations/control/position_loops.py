"""Position P loop, velocity P loop and buoyancy compensation of the FlatFish. Britto Neto 2018, section on control.

Errors are in level axes along the heading: ahead, to starboard, down and turn.
"""

from remora.equations.algebra.elementary import cos, sin
from remora.equations.algebra.four_axes import add4, clipped4, multiply4, scale4
from remora.equations.algebra.kinematics import to_body
from remora.equations.types import Quaternion, Vector3, Vector4


def level_axes(vector_N: Vector3, heading: float) -> Vector3:
    """A vector of N in level axes along a heading."""
    c, s = cos(heading), sin(heading)
    return (c * vector_N[0] + s * vector_N[1], -s * vector_N[0] + c * vector_N[1], vector_N[2])


def position_velocity(gains: Vector4, errors: Vector4, moving: Vector4, limits: Vector4) -> Vector4:
    """Desired speeds of the position loop within their limits, m/s and rad/s.

    Parameters
    ----------
    gains
        1/s.
    errors
        Target minus present position in level axes, m, and turn to the target heading, rad.
    moving
        Velocity of the target in level axes, m/s and rad/s.
    limits
        Largest speeds, m/s and rad/s.
    """
    return clipped4(add4(multiply4(gains, errors), moving), scale4(-1.0, limits), limits)


def compensated_force(force: Vector3, heading: float, q_NB: Quaternion, net_weight: float) -> Vector3:
    """Force in body axes, N, for a force in level axes on a vehicle that then behaves as if it were neutral.

    Parameters
    ----------
    force
        Ahead, to starboard and down in level axes, N.
    heading
        Heading of the level axes, rad.
    q_NB
        Attitude.
    net_weight
        Weight minus buoyancy, N.
    """
    X, Y, Z = force
    c, s = cos(heading), sin(heading)
    return to_body(q_NB, (c * X - s * Y, s * X + c * Y, Z - net_weight))
