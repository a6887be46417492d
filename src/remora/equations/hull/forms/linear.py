"""Linear damping."""

from typing import NamedTuple

from remora.equations.algebra.vectors import matrix6_at, matvec6
from remora.equations.hull.forms.form import Form, FormField, powers6, register, scaled_matrix6
from remora.equations.types import Matrix6, Numbers, SixDof, Twist, Wrench


class LinearDamping(NamedTuple):
    """Matrix D_L of linear damping, stored positive."""

    linear_damping: Matrix6


def linear_damping_at(row: Numbers, k: int) -> LinearDamping:
    """The matrix in a packed row."""
    return LinearDamping(matrix6_at(row, k))


def linear_damping_wrench(damping: LinearDamping, twist: Twist) -> Wrench:
    """Linear damping D_L nu."""
    return matvec6(damping.linear_damping, twist)


def linear_damping_at_density(damping: LinearDamping, ratio: float) -> LinearDamping:
    """Linear damping is skin friction of laminar flow, which follows the viscosity and not the density."""
    return damping


def scattered_linear_damping(damping: LinearDamping, linear: SixDof, quadratic: SixDof) -> LinearDamping:
    """S D S with S the square roots of the factors, which dissipates wherever D does."""
    root = powers6(linear, 0.5)
    return LinearDamping(scaled_matrix6(root, damping.linear_damping, root))


LINEAR = register(
    Form(
        name="linear",
        record=LinearDamping,
        read=linear_damping_at,
        wrench=linear_damping_wrench,
        degree=1,
        many=False,
        with_density=linear_damping_at_density,
        scaled=scattered_linear_damping,
        dissipates=True,
        fades=True,
        section=(FormField("linear_damping", "", (6, 6), signs=(0, 1)),),
        fitted=("linear_damping",),
    )
)
