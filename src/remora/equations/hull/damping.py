"""Linear, quadratic and cubic damping of a hull, on the left-hand side; optional forms are in `hull.forms`.

The twist is relative to the water. Coefficients are stored positive.
"""

from remora.equations.algebra.vectors import Matrix6, Twist, Vector6, Wrench, matvec6


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


def cubic_surge_damping(coefficient: float, surge: float) -> float:
    """Surge force c u^3, N: the term X_uuu of Randeni et al. 2018, eq. 5."""
    return coefficient * surge * surge * surge
