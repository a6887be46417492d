"""A uniform current seen from the body: a frame that moves with the water."""

from remora.equations.kinematics import to_body
from remora.equations.quaternions import Quaternion
from remora.equations.vectors import Twist, Vector3, angular, cross, join, scale3


def current_twist(q_NB: Quaternion, water_velocity_N: Vector3) -> Twist:
    """The current in body axes; irrotational, so without rates."""
    return join(to_body(q_NB, water_velocity_N), (0.0, 0.0, 0.0))


def current_twist_rate(twist: Twist, twist_of_current: Twist) -> Twist:
    """Its rate of change in body axes while it is steady in N: (-w x v_c, 0). Simu2VITA eq. 20, sign corrected."""
    carried = cross(angular(twist), (twist_of_current[0], twist_of_current[1], twist_of_current[2]))
    return join(scale3(-1.0, carried), (0.0, 0.0, 0.0))
