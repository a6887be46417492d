"""Algebra of vectors, matrices, twists and wrenches."""

from remora.equations.types import Matrix3, Matrix6, Numbers, Vector3, Vector6

ZERO3: Vector3 = (0.0, 0.0, 0.0)
ZERO6: Vector6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
IDENTITY3: Matrix3 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def linear(six: Vector6) -> Vector3:
    """The velocity of a twist or the force of a wrench."""
    return (six[0], six[1], six[2])


def angular(six: Vector6) -> Vector3:
    """The rates of a twist or the torque of a wrench."""
    return (six[3], six[4], six[5])


def join(first: Vector3, second: Vector3) -> Vector6:
    """A twist or wrench from its linear and angular part."""
    return (first[0], first[1], first[2], second[0], second[1], second[2])


def add3(a: Vector3, b: Vector3) -> Vector3:
    """a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def subtract3(a: Vector3, b: Vector3) -> Vector3:
    """a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scale3(factor: float, a: Vector3) -> Vector3:
    """factor a."""
    return (factor * a[0], factor * a[1], factor * a[2])


def dot3(a: Vector3, b: Vector3) -> float:
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector3, b: Vector3) -> Vector3:
    """a x b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def skew(a: Vector3) -> Matrix3:
    """The matrix S(a) with S(a) b = a x b."""
    return ((0.0, -a[2], a[1]), (a[2], 0.0, -a[0]), (-a[1], a[0], 0.0))


def matvec3(matrix: Matrix3, a: Vector3) -> Vector3:
    """Matrix times vector."""
    return (dot3(matrix[0], a), dot3(matrix[1], a), dot3(matrix[2], a))


def transpose3(matrix: Matrix3) -> Matrix3:
    """The transpose."""
    return (
        (matrix[0][0], matrix[1][0], matrix[2][0]),
        (matrix[0][1], matrix[1][1], matrix[2][1]),
        (matrix[0][2], matrix[1][2], matrix[2][2]),
    )


def matmul3(a: Matrix3, b: Matrix3) -> Matrix3:
    """Matrix product a b."""
    columns = transpose3(b)
    return (matvec3(columns, a[0]), matvec3(columns, a[1]), matvec3(columns, a[2]))


def add_matrix3(a: Matrix3, b: Matrix3) -> Matrix3:
    """a + b."""
    return (add3(a[0], b[0]), add3(a[1], b[1]), add3(a[2], b[2]))


def scale_matrix3(factor: float, a: Matrix3) -> Matrix3:
    """factor a."""
    return (scale3(factor, a[0]), scale3(factor, a[1]), scale3(factor, a[2]))


def inverse3(matrix: Matrix3) -> Matrix3:
    """The inverse, by cross products of the rows."""
    a, b, c = matrix[0], matrix[1], matrix[2]
    x, y, z = cross(b, c), cross(c, a), cross(a, b)
    scale = 1.0 / dot3(a, x)
    return transpose3((scale3(scale, x), scale3(scale, y), scale3(scale, z)))


def add6(a: Vector6, b: Vector6) -> Vector6:
    """a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])


def subtract6(a: Vector6, b: Vector6) -> Vector6:
    """a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5])


def scale6(factor: float, a: Vector6) -> Vector6:
    """factor a."""
    return (factor * a[0], factor * a[1], factor * a[2], factor * a[3], factor * a[4], factor * a[5])


def multiply6(a: Vector6, b: Vector6) -> Vector6:
    """Element by element."""
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3], a[4] * b[4], a[5] * b[5])


def dot6(a: Vector6, b: Vector6) -> float:
    """a . b; the power when one is a twist and the other a wrench."""
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5])


def matvec6(matrix: Matrix6, a: Vector6) -> Vector6:
    """Matrix times vector."""
    return (
        dot6(matrix[0], a),
        dot6(matrix[1], a),
        dot6(matrix[2], a),
        dot6(matrix[3], a),
        dot6(matrix[4], a),
        dot6(matrix[5], a),
    )


def column6(matrix: Matrix6, index: int) -> Vector6:
    """One column of a matrix."""
    return (
        matrix[0][index],
        matrix[1][index],
        matrix[2][index],
        matrix[3][index],
        matrix[4][index],
        matrix[5][index],
    )


def transpose6(matrix: Matrix6) -> Matrix6:
    """The transpose."""
    return (
        column6(matrix, 0),
        column6(matrix, 1),
        column6(matrix, 2),
        column6(matrix, 3),
        column6(matrix, 4),
        column6(matrix, 5),
    )


def matmul6(a: Matrix6, b: Matrix6) -> Matrix6:
    """Matrix product a b."""
    columns = transpose6(b)
    return (
        matvec6(columns, a[0]),
        matvec6(columns, a[1]),
        matvec6(columns, a[2]),
        matvec6(columns, a[3]),
        matvec6(columns, a[4]),
        matvec6(columns, a[5]),
    )


def add_matrix6(a: Matrix6, b: Matrix6) -> Matrix6:
    """a + b."""
    return (
        add6(a[0], b[0]),
        add6(a[1], b[1]),
        add6(a[2], b[2]),
        add6(a[3], b[3]),
        add6(a[4], b[4]),
        add6(a[5], b[5]),
    )


def scale_matrix6(factor: float, a: Matrix6) -> Matrix6:
    """factor a."""
    return (
        scale6(factor, a[0]),
        scale6(factor, a[1]),
        scale6(factor, a[2]),
        scale6(factor, a[3]),
        scale6(factor, a[4]),
        scale6(factor, a[5]),
    )


def from_blocks(upper_left: Matrix3, upper_right: Matrix3, lower_left: Matrix3, lower_right: Matrix3) -> Matrix6:
    """A 6x6 matrix from its four 3x3 blocks."""
    return (
        join(upper_left[0], upper_right[0]),
        join(upper_left[1], upper_right[1]),
        join(upper_left[2], upper_right[2]),
        join(lower_left[0], lower_right[0]),
        join(lower_left[1], lower_right[1]),
        join(lower_left[2], lower_right[2]),
    )


def blocks(matrix: Matrix6) -> tuple[Matrix3, Matrix3, Matrix3, Matrix3]:
    """The four 3x3 blocks of a 6x6 matrix: upper left, upper right, lower left, lower right."""
    return (
        (linear(matrix[0]), linear(matrix[1]), linear(matrix[2])),
        (angular(matrix[0]), angular(matrix[1]), angular(matrix[2])),
        (linear(matrix[3]), linear(matrix[4]), linear(matrix[5])),
        (angular(matrix[3]), angular(matrix[4]), angular(matrix[5])),
    )


def solve6(matrix: Matrix6, b: Vector6) -> Vector6:
    """x with matrix x = b, for matrices with positive definite symmetric part such as inertias.

    Block elimination: the Schur complement of the upper left block is a 3x3 system.
    """
    A, B, C, D = blocks(matrix)
    inverse_A = inverse3(A)
    CA = matmul3(C, inverse_A)
    rest = add_matrix3(D, scale_matrix3(-1.0, matmul3(CA, B)))
    lower = matvec3(inverse3(rest), subtract3(angular(b), matvec3(CA, linear(b))))
    upper = matvec3(inverse_A, subtract3(linear(b), matvec3(B, lower)))
    return join(upper, lower)


def diagonal6(a: Vector6) -> Matrix6:
    """The diagonal matrix of a vector."""
    return (
        (a[0], 0.0, 0.0, 0.0, 0.0, 0.0),
        (0.0, a[1], 0.0, 0.0, 0.0, 0.0),
        (0.0, 0.0, a[2], 0.0, 0.0, 0.0),
        (0.0, 0.0, 0.0, a[3], 0.0, 0.0),
        (0.0, 0.0, 0.0, 0.0, a[4], 0.0),
        (0.0, 0.0, 0.0, 0.0, 0.0, a[5]),
    )


def vector3_at(row: Numbers, k: int) -> Vector3:
    """Three numbers in a row."""
    return (row[k], row[k + 1], row[k + 2])


def vector6_at(row: Numbers, k: int) -> Vector6:
    """Six numbers in a row."""
    return (row[k], row[k + 1], row[k + 2], row[k + 3], row[k + 4], row[k + 5])


def matrix6_at(row: Numbers, k: int) -> Matrix6:
    """A 6x6 matrix, row after row."""
    return (
        vector6_at(row, k),
        vector6_at(row, k + 6),
        vector6_at(row, k + 12),
        vector6_at(row, k + 18),
        vector6_at(row, k + 24),
        vector6_at(row, k + 30),
    )
