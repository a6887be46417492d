"""All numbers of a system of linked bodies in one array of integers and one of floats, in named regions.

Compiled functions take these two arrays and make views of the regions they need: few arguments compile fast. Tuples are
written to the loads and trees of bodies at the places named here.
"""

from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.vectors import vector3_at
from remora.equations.links.elimination import Subtree
from remora.equations.types import Matrix3, Numbers, Vector3, Vector6
from remora.files.arrays import Array

# Loads: rotation matrix, inertia blocks A, B, D, force, torque, unconstrained acceleration.
ROTATION, LOAD_BLOCKS, FORCE, FREE_ACCELERATION, LOAD_SIZE = 0, 9, 36, 42, 48
# Tree: inertia blocks and force of a subtree, then the link to the parent: axes, demand, joint point, response.
TREE_BLOCKS, TREE_FORCE, AXES, LINEAR_DEMAND, ANGULAR_DEMAND, ARM, RESPONSE, TREE_SIZE = 0, 27, 33, 42, 45, 48, 51, 74


class LinkedPair(NamedTuple):
    """A link and its two bodies: record, states and loads."""

    record: Array
    x_A: Array
    x_B: Array
    load_A: Array
    load_B: Array


class LinkRows(NamedTuple):
    """Constraint rows of a link."""

    on_A: Array  # [row, 6]
    on_B: Array
    right: Array


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


Integers = NDArray[np.int64]

# Head of the integers: counts and addresses of compiled functions, then the start of each region.
COUNTS = (
    "bodies", "ordered", "loop_links", "loop_bodies", "slots", "latches", "water", "steps", "every", "linked",
    "begin_address", "advance_address", "loads_address", "tree_address", "loops_address",
)  # fmt: skip
INTEGER_REGIONS = ("codes", "order", "nodes", "links", "fixed", "eliminated", "blocks", "updates", "starts", "latches")
FLOAT_REGIONS = (
    "settings", "rows", "commands", "externals", "waters", "carried", "actuators", "weights", "tree_records",
    "loop_records", "latch_records", "x", "stage", "total", "rates", "loads", "subtrees", "motion", "diagonal",
    "coupling", "on_first", "on_second", "right", "multipliers", "residual",
)  # fmt: skip
(
    BODIES, ORDERED, LOOP_LINKS, LOOP_BODIES, SLOTS, LATCHES, WATER, STEPS, EVERY, LINKED,
    BEGIN_ADDRESS, ADVANCE_ADDRESS, LOADS_ADDRESS, TREE_ADDRESS, LOOPS_ADDRESS,
) = range(len(COUNTS))  # fmt: skip
CODES, ORDER, NODES, LINKS, FIXED, ELIMINATED, BLOCKS, UPDATES, STARTS, LATCH_ENDS = (
    len(COUNTS) + i for i in range(len(INTEGER_REGIONS))
)
(
    SETTINGS, ROWS, COMMANDS, EXTERNALS, WATERS, CARRIED, ACTUATORS, WEIGHTS, TREE_RECORDS, LOOP_RECORDS, LATCH_RECORDS,
    X, STAGE, TOTAL, RATES, LOADS, SUBTREES, MOTION, DIAGONAL, COUPLING, ON_FIRST, ON_SECOND, RIGHT, MULTIPLIERS,
    RESIDUAL,
) = (len(COUNTS) + len(INTEGER_REGIONS) + i for i in range(len(FLOAT_REGIONS)))  # fmt: skip
HEAD_SIZE = RESIDUAL + 1
STEP, RATE_GAIN, ERROR_GAIN, REACHED, SETTINGS_SIZE = 0, 1, 2, 3, 4  # in the settings


@final
class SystemMemory:
    """The two arrays, and views of their regions by name."""

    def __init__(self, counts: dict[str, int], integers: dict[str, Integers], floats: dict[str, Array]) -> None:
        head = [counts[name] for name in COUNTS]
        shapes: list[tuple[str, str, Any]] = [("integers", name, integers[name]) for name in INTEGER_REGIONS]
        shapes += [("floats", name, floats[name]) for name in FLOAT_REGIONS]
        ends = {"integers": HEAD_SIZE, "floats": 0}
        for kind, _, values in shapes:
            head.append(ends[kind])
            ends[kind] += values.size
        self.integers = np.zeros(ends["integers"], dtype=np.int64)
        self.floats = np.zeros(ends["floats"])
        self.integers[:HEAD_SIZE] = head
        self._views: dict[str, Array] = {}
        for (kind, name, values), start in zip(shapes, head[len(COUNTS) :], strict=True):
            whole: Array = getattr(self, kind)
            view = whole[start : start + values.size].reshape(values.shape)
            view[...] = values
            self._views[name] = view

    def __getitem__(self, name: str) -> Array:
        """View of a region."""
        return self._views[name]

    def set_count(self, index: int, value: int) -> None:
        """Change a count or an address of the head."""
        self.integers[index] = value
