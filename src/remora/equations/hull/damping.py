"""Damping of a hull: linear, quadratic, cubic, lift and cross-flow wrenches, on the left-hand side.

The twist is relative to the water. Coefficients are stored positive.
"""

from typing import NamedTuple, TypeAlias

from remora.equations.algebra.vectors import Matrix6, Twist, Vector6, Wrench, dot6, matvec6

# Q[i][j][k] multiplies |v_j| v_k in row i. Falcon prints Q[i] = D_Qi; FlatFish prints Q[.][j][.] = D_Qj.
Tensor6: TypeAlias = tuple[Matrix6, Matrix6, Matrix6, Matrix6, Matrix6, Matrix6]


class Strip(NamedTuple):
    """One slice of a slender hull: position on the x axis and cross-flow drag of its two sides."""

    x: float  # m, forward of B
    sideways: float  # kg/m: half density x drag coefficient x height x thickness of the slice
    vertical: float  # kg/m: the same seen from above


def linear_damping_wrench(linear_damping: Matrix6, twist: Twist) -> Wrench:
    """Linear damping D_L nu."""
    return matvec6(linear_damping, twist)


def signed_squares(twist: Twist) -> Vector6:
    """|v_j| v_j for each of the six."""
    return (
        abs(twist[0]) * twist[0],
        abs(twist[1]) * twist[1],
        abs(twist[2]) * twist[2],
        abs(twist[3]) * twist[3],
        abs(twist[4]) * twist[4],
        abs(twist[5]) * twist[5],
    )


def quadratic_damping_wrench(quadratic_damping: Matrix6, twist: Twist) -> Wrench:
    """Quadratic damping d_i = sum_j D_ij |v_j| v_j, with a full 6x6 matrix."""
    return matvec6(quadratic_damping, signed_squares(twist))


def tensor_damping_wrench(tensor: Tensor6, twist: Twist) -> Wrench:
    """General quadratic damping d_i = sum_jk Q_ijk |v_j| v_k. Proctor 2014, eq. 3.19; Britto Neto 2018, eq. 3.6."""
    speed = (abs(twist[0]), abs(twist[1]), abs(twist[2]), abs(twist[3]), abs(twist[4]), abs(twist[5]))
    return (
        dot6(speed, matvec6(tensor[0], twist)),
        dot6(speed, matvec6(tensor[1], twist)),
        dot6(speed, matvec6(tensor[2], twist)),
        dot6(speed, matvec6(tensor[3], twist)),
        dot6(speed, matvec6(tensor[4], twist)),
        dot6(speed, matvec6(tensor[5], twist)),
    )


def cubic_surge_damping(coefficient: float, surge: float) -> float:
    """Surge force c u^3, N: the term X_uuu of Randeni et al. 2018, eq. 5."""
    return coefficient * surge * surge * surge


def lift_wrench(lift: Matrix6, twist: Twist) -> Wrench:
    """|u| L nu: lift of hull and fixed fins in forward flow, for small angles of attack.

    A positive L_22 acts against sway. The speed enters as |u|, so the force opposes the cross flow astern as well.
    """
    speed = abs(twist[0])
    cross_flow = matvec6(lift, twist)
    return (
        speed * cross_flow[0],
        speed * cross_flow[1],
        speed * cross_flow[2],
        speed * cross_flow[3],
        speed * cross_flow[4],
        speed * cross_flow[5],
    )


def strip_damping_wrench(strip: Strip, twist: Twist) -> Wrench:
    """Cross-flow drag of one slice, which moves sideways with v + x r and down with w - x q. Fossen 2021, ch. 6."""
    sway = twist[1] + strip.x * twist[5]
    heave = twist[2] - strip.x * twist[4]
    sideways = strip.sideways * abs(sway) * sway
    vertical = strip.vertical * abs(heave) * heave
    return (0.0, sideways, vertical, 0.0, -strip.x * vertical, strip.x * sideways)
