"""Attitude control: quaternion feedback about three axes, and the shortest turn to a heading."""

import math
from typing import NamedTuple

from remora.equations.algebra.quaternions import conjugate, product
from remora.equations.algebra.vectors import ZERO3
from remora.equations.types import Quaternion, Vector3

# This close to half a turn the direction of the previous step is kept, so that noise does not reverse the turn.
HALF_TURN_MARGIN = math.radians(5.0)


class AttitudeGains(NamedTuple):
    """Gains of quaternion feedback about the body axes."""

    attitude: Vector3  # N m, P_q
    rate: Vector3  # N m s, P_w


def attitude_error(q_NB: Quaternion, q_NR: Quaternion) -> Vector3:
    """Vector part of the shortest rotation from body to reference, in body axes; half the angle when small."""
    error = product(conjugate(q_NB), q_NR)
    return (error[1], error[2], error[3]) if error[0] >= 0.0 else (-error[1], -error[2], -error[3])


def attitude_torque(
    gains: AttitudeGains, q_NB: Quaternion, q_NR: Quaternion, w: Vector3, w_reference: Vector3 = ZERO3
) -> Vector3:
    """Torque P_q eps - P_w (w - w_ref) in body axes, N m. Fresk and Nikolakopoulos 2013.

    About an axis with inertia I small errors obey w_n^2 = P_q / (2 I) and 2 zeta w_n = P_w / I.

    Parameters
    ----------
    gains
        P_q and P_w about the body axes.
    q_NB, q_NR
        Attitude of body and reference.
    w, w_reference
        Angular velocity of body and reference, rad/s in body axes.
    """
    e = attitude_error(q_NB, q_NR)
    a, b = gains.attitude, gains.rate
    return (
        a[0] * e[0] - b[0] * (w[0] - w_reference[0]),
        a[1] * e[1] - b[1] * (w[1] - w_reference[1]),
        a[2] * e[2] - b[2] * (w[2] - w_reference[2]),
    )


def turn_to_heading(heading: float, reference: float, last: float = 0.0) -> float:
    """Shortest turn from one heading to another, rad; positive to starboard.

    Exactly half a turn is made to starboard. Within `HALF_TURN_MARGIN` of half a turn a turn in progress keeps its
    direction.

    Parameters
    ----------
    heading, reference
        Present and desired heading, rad.
    last
        Turn of the previous step, rad.
    """
    turn = math.remainder(reference - heading, 2.0 * math.pi)
    if abs(turn) < math.pi - HALF_TURN_MARGIN:
        return turn
    if abs(last) >= 0.5 * math.pi:
        return _turn_along(turn, last)
    exact = abs(abs(turn) - math.pi) < 1e-12
    return abs(turn) if exact else turn


def _turn_along(turn: float, way: float) -> float:
    """The same turn in the direction of the sign of `way`."""
    return turn if turn * way > 0.0 else turn + math.copysign(2.0 * math.pi, way)
