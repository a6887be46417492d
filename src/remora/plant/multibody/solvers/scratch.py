"""Numbers of each body in the work space of the solvers: where they are, and how tuples are written to them."""

from remora.equations.algebra.vectors import vector3_at
from remora.equations.links.elimination import Subtree
from remora.equations.types import Matrix3, Numbers, Vector3, Vector6
from remora.files.arrays import Array

# Loads: rotation matrix, inertia blocks A, B, D, force, torque, unconstrained acceleration.
ROTATION, BLOCKS, FORCE, FREE_ACCELERATION, LOAD_SIZE = 0, 9, 36, 42, 48
# Tree: inertia blocks and force of a subtree, then the link to the parent: axes, demand, joint point, response.
TREE_BLOCKS, TREE_FORCE, AXES, LINEAR_DEMAND, ANGULAR_DEMAND, ARM, RESPONSE, TREE_SIZE = 0, 27, 33, 42, 45, 48, 51, 74


def matrix3_from(row: Numbers, k: int) -> Matrix3:
    """Nine numbers as a matrix."""
    return (vector3_at(row, k), vector3_at(row, k + 3), vector3_at(row, k + 6))


def put3(row: Array, k: int, a: Vector3) -> None:
    """Write three numbers."""
    row[k], row[k + 1], row[k + 2] = a[0], a[1], a[2]


def put6(row: Array, k: int, a: Vector6) -> None:
    """Write six numbers."""
    row[k], row[k + 1], row[k + 2], row[k + 3], row[k + 4], row[k + 5] = a[0], a[1], a[2], a[3], a[4], a[5]


def put_matrix3(row: Array, k: int, a: Matrix3) -> None:
    """Write nine numbers."""
    put3(row, k, a[0])
    put3(row, k + 3, a[1])
    put3(row, k + 6, a[2])


def accumulate3(row: Array, k: int, a: Vector3) -> None:
    """Add three numbers."""
    row[k] += a[0]
    row[k + 1] += a[1]
    row[k + 2] += a[2]


def accumulate_matrix3(row: Array, k: int, a: Matrix3) -> None:
    """Add nine numbers."""
    accumulate3(row, k, a[0])
    accumulate3(row, k + 3, a[1])
    accumulate3(row, k + 6, a[2])


def subtree_from(s: Numbers) -> Subtree:
    """The subtree of a body."""
    return Subtree(
        matrix3_from(s, TREE_BLOCKS),
        matrix3_from(s, TREE_BLOCKS + 9),
        matrix3_from(s, TREE_BLOCKS + 18),
        vector3_at(s, TREE_FORCE),
        vector3_at(s, TREE_FORCE + 3),
    )


def accumulate_subtree(s: Array, tree: Subtree) -> None:
    """Add a subtree to that of the parent."""
    accumulate_matrix3(s, TREE_BLOCKS, tree.A)
    accumulate_matrix3(s, TREE_BLOCKS + 9, tree.B)
    accumulate_matrix3(s, TREE_BLOCKS + 18, tree.D)
    accumulate3(s, TREE_FORCE, tree.f)
    accumulate3(s, TREE_FORCE + 3, tree.t)
