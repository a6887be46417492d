"""Coriolis and centripetal wrench C(nu) nu, computed from the inertia matrix."""

from remora.equations.algebra.vectors import add3, angular, cross, join, linear, matvec6
from remora.equations.types import Matrix6, Twist, Vector3, Vector6, Wrench


def coriolis_of_momentum(momentum: Vector6, twist: Twist) -> Wrench:
    """C(nu) nu for a given momentum (p, l): (w x p, v x p + w x l). Britto Neto 2018, eq. 3.2 to 3.4: -H(M nu) nu.

    It does no work for any momentum: v.(w x p) + w.(v x p) = 0 and w.(w x l) = 0.
    """
    p, l = linear(momentum), angular(momentum)  # noqa: E741 - the letters of the literature
    v, w = linear(twist), angular(twist)
    return join(cross(w, p), add3(cross(v, p), cross(w, l)))


def coriolis_wrench(inertia: Matrix6, twist: Twist) -> Wrench:
    """C(nu) nu of an inertia, on the left-hand side. Simu2VITA eq. 13 and 14; Nielsen 2018, eq. 2.25."""
    return coriolis_of_momentum(matvec6(inertia, twist), twist)


def roll_coupling_wrench(p: Vector3, twist: Twist) -> Wrench:
    """Roll-rate part of C(nu) nu of a linear momentum, on the left-hand side; it does no work.

    Of C(nu) the elements (sway, roll), (heave, roll), (roll, sway) and (roll, heave) are kept. The added-mass elements
    (surge, pitch), (heave, pitch), (surge, yaw), (sway, yaw) and their transposes are zero, as in `remus100` of the
    Python Vehicle Simulator and of MSS.
    """
    v, w, roll_rate = twist[1], twist[2], twist[3]
    return (0.0, -roll_rate * p[2], roll_rate * p[1], v * p[2] - w * p[1], 0.0, 0.0)
