"""Quadratic damping."""

from typing import NamedTuple

from remora.equations.algebra.vectors import matrix6_at, matvec6, scale_matrix6
from remora.equations.hull.forms.form import Form, FormField, powers6, register, scaled_matrix6
from remora.equations.types import Matrix6, Numbers, SixDof, Twist, Vector6, Wrench


class QuadraticDamping(NamedTuple):
    """Full matrix D of quadratic damping, d_i = sum_j D_ij |v_j| v_j, stored positive."""

    quadratic_damping: Matrix6


def quadratic_damping_at(row: Numbers, k: int) -> QuadraticDamping:
    """The matrix in a packed row."""
    return QuadraticDamping(matrix6_at(row, k))


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


def quadratic_damping_wrench(damping: QuadraticDamping, twist: Twist) -> Wrench:
    """Quadratic damping d_i = sum_j D_ij |v_j| v_j."""
    return matvec6(damping.quadratic_damping, signed_squares(twist))


def quadratic_damping_at_density(damping: QuadraticDamping, ratio: float) -> QuadraticDamping:
    """Quadratic damping in water of another density, in proportion to it."""
    return QuadraticDamping(scale_matrix6(ratio, damping.quadratic_damping))


def scattered_quadratic_damping(damping: QuadraticDamping, linear: SixDof, quadratic: SixDof) -> QuadraticDamping:
    """S d(S v) with S the cube roots of the factors, which dissipates wherever d does."""
    cube, square = powers6(quadratic, 1.0 / 3.0), powers6(quadratic, 2.0 / 3.0)
    return QuadraticDamping(scaled_matrix6(cube, damping.quadratic_damping, square))


QUADRATIC = register(
    Form(
        name="quadratic",
        record=QuadraticDamping,
        read=quadratic_damping_at,
        wrench=quadratic_damping_wrench,
        degree=2,
        many=False,
        with_density=quadratic_damping_at_density,
        scaled=scattered_quadratic_damping,
        dissipates=True,
        fades=True,
        section=(FormField("quadratic_damping", "", (6, 6), signs=(0, 1)),),
        fitted=("quadratic_damping",),
    )
)
