"""General quadratic damping with six matrices."""

from typing import NamedTuple, TypeAlias

from remora.equations.algebra.vectors import dot6, matrix6_at, matvec6, scale_matrix6
from remora.equations.hull.forms.form import Form, FormField, register
from remora.equations.types import Matrix6, Numbers, SixDof, Twist, Vector6, Wrench

# Q[i][j][k] multiplies |v_j| v_k in row i. Falcon prints Q[i] = D_Qi; FlatFish prints Q[.][j][.] = D_Qj.
Tensor6: TypeAlias = tuple[Matrix6, Matrix6, Matrix6, Matrix6, Matrix6, Matrix6]


class SixMatrices(NamedTuple):
    """Coefficients Q[i][j][k] of |v_j| v_k in row i."""

    tensor: Tensor6


def six_matrices_at(row: Numbers, k: int) -> SixMatrices:
    """Six 6x6 matrices in a packed row, one after the other."""
    return SixMatrices(
        (
            matrix6_at(row, k),
            matrix6_at(row, k + 36),
            matrix6_at(row, k + 72),
            matrix6_at(row, k + 108),
            matrix6_at(row, k + 144),
            matrix6_at(row, k + 180),
        )
    )


def six_matrices_wrench(matrices: SixMatrices, twist: Twist) -> Wrench:
    """General quadratic damping d_i = sum_jk Q_ijk |v_j| v_k. Proctor 2014, eq. 3.19; Britto Neto 2018, eq. 3.6."""
    tensor = matrices.tensor
    speed = (abs(twist[0]), abs(twist[1]), abs(twist[2]), abs(twist[3]), abs(twist[4]), abs(twist[5]))
    return (
        dot6(speed, matvec6(tensor[0], twist)),
        dot6(speed, matvec6(tensor[1], twist)),
        dot6(speed, matvec6(tensor[2], twist)),
        dot6(speed, matvec6(tensor[3], twist)),
        dot6(speed, matvec6(tensor[4], twist)),
        dot6(speed, matvec6(tensor[5], twist)),
    )


def six_matrices_at_density(matrices: SixMatrices, ratio: float) -> SixMatrices:
    """Six matrices in water of another density, in proportion to it."""
    a, b, c, d, e, f = (scale_matrix6(ratio, matrix) for matrix in matrices.tensor)
    return SixMatrices((a, b, c, d, e, f))


def scattered_six_matrices(matrices: SixMatrices, linear: SixDof, quadratic: SixDof) -> SixMatrices:
    """S d(S v) with S the cube roots of the factors: s_i s_j s_k Q_ijk, which dissipates wherever d does."""
    s = [factor ** (1.0 / 3.0) for factor in quadratic]

    def row(i: int, j: int) -> Vector6:
        a, b, c, d, e, f = (s[i] * s[j] * matrices.tensor[i][j][k] * s[k] for k in range(6))
        return (a, b, c, d, e, f)

    a, b, c, d, e, f = ((row(i, 0), row(i, 1), row(i, 2), row(i, 3), row(i, 4), row(i, 5)) for i in range(6))
    return SixMatrices((a, b, c, d, e, f))


SIX_MATRICES = register(
    Form(
        name="six_matrices",
        record=SixMatrices,
        read=six_matrices_at,
        wrench=six_matrices_wrench,
        degree=2,
        many=False,
        with_density=six_matrices_at_density,
        scaled=scattered_six_matrices,
        dissipates=True,
        fades=True,
        # |v_j| keeps its sign in other axes; rows and speeds change theirs.
        section=(FormField("tensor", "", (6, 6, 6), signs=(0, 2)),),
        fitted="its 216 coefficients exceed what a log can separate; fit damping.quadratic instead",
    )
)
