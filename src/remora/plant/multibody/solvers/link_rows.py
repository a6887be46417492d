"""Constraint rows of the links of loops, written to arrays; each kind of link is compiled separately."""

from remora.equations.algebra.vectors import IDENTITY3, matvec3, scale3
from remora.equations.links.joint import (
    BALL,
    DISTANCE,
    HINGE,
    RIGID,
    Gains,
    distance_demand,
    distance_direction,
    hinge_demand,
    link_at,
    point_demand,
    rigid_demand,
    slider_demand,
)
from remora.equations.links.rows import ConstraintRow, point_row, turn_row
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.plant.multibody.solvers.scratch import put6
from remora.plant.multibody.solvers.tree_solver import joint_between, sliding_between
from remora.plant.stages.body import body_state_at

ROWS_OF_KIND = (6, 3, 5, 5, 1, 0)  # rigid, ball, hinge, slider, distance, latch


def put_row(on_A: Array, on_B: Array, right: Array, k: int, row: ConstraintRow) -> None:
    """Write one constraint row."""
    put6(on_A[k], 0, row.on_A)
    put6(on_B[k], 0, row.on_B)
    right[k] = row.right


def unit3(k: int) -> Vector3:
    """Unit vector of an axis."""
    return IDENTITY3[k]


def rigid_rows(
    record: Array,
    x_A: Array,
    x_B: Array,
    load_A: Array,
    load_B: Array,
    gains: Gains,
    level: int,
    on_A: Array,
    on_B: Array,
    right: Array,
) -> None:
    """Six rows of a rigid link."""
    link = link_at(record, 0)
    joint = joint_between(link, x_A, x_B, load_A, load_B)
    demand = rigid_demand(level, gains, link, body_state_at(x_A), body_state_at(x_B), joint)
    for k in range(3):
        put_row(on_A, on_B, right, k, point_row(unit3(k), joint, link.point_B, demand.linear))
        put_row(on_A, on_B, right, 3 + k, turn_row(unit3(k), joint, demand.angular))


def ball_rows(
    record: Array,
    x_A: Array,
    x_B: Array,
    load_A: Array,
    load_B: Array,
    gains: Gains,
    level: int,
    on_A: Array,
    on_B: Array,
    right: Array,
) -> None:
    """Three rows of a ball joint."""
    link = link_at(record, 0)
    joint = joint_between(link, x_A, x_B, load_A, load_B)
    demand = point_demand(level, gains, joint)
    for k in range(3):
        put_row(on_A, on_B, right, k, point_row(unit3(k), joint, link.point_B, demand))


def hinge_rows(
    record: Array,
    x_A: Array,
    x_B: Array,
    load_A: Array,
    load_B: Array,
    gains: Gains,
    level: int,
    on_A: Array,
    on_B: Array,
    right: Array,
) -> None:
    """Five rows of a hinge."""
    link = link_at(record, 0)
    joint = joint_between(link, x_A, x_B, load_A, load_B)
    demand = hinge_demand(level, gains, link, joint)
    for k in range(3):
        put_row(on_A, on_B, right, k, point_row(unit3(k), joint, link.point_B, demand.linear))
    put_row(on_A, on_B, right, 3, turn_row(matvec3(joint.R_BA, link.across_A), joint, demand.angular))
    put_row(on_A, on_B, right, 4, turn_row(matvec3(joint.R_BA, link.beyond_A), joint, demand.angular))


def slider_rows(
    record: Array,
    x_A: Array,
    x_B: Array,
    load_A: Array,
    load_B: Array,
    gains: Gains,
    level: int,
    on_A: Array,
    on_B: Array,
    right: Array,
) -> None:
    """Five rows of a slider."""
    link = link_at(record, 0)
    joint = sliding_between(link, x_A, x_B, load_A, load_B)
    demand = slider_demand(level, gains, link, body_state_at(x_A), body_state_at(x_B), joint)
    for k in range(3):
        put_row(on_A, on_B, right, k, turn_row(unit3(k), joint, demand.angular))
    across, beyond = matvec3(joint.R_BA, link.across_A), matvec3(joint.R_BA, link.beyond_A)
    put_row(on_A, on_B, right, 3, point_row(across, joint, link.point_B, demand.linear))
    put_row(on_A, on_B, right, 4, point_row(beyond, joint, link.point_B, demand.linear))


def distance_rows(
    record: Array,
    x_A: Array,
    x_B: Array,
    load_A: Array,
    load_B: Array,
    gains: Gains,
    level: int,
    on_A: Array,
    on_B: Array,
    right: Array,
) -> None:
    """The row of a distance link."""
    link = link_at(record, 0)
    joint = joint_between(link, x_A, x_B, load_A, load_B)
    n = distance_direction(joint)
    demand = scale3(distance_demand(level, gains, link, joint), n)
    put_row(on_A, on_B, right, 0, point_row(n, joint, link.point_B, demand))


def rows_of_link(
    kind: int,
    record: Array,
    x_A: Array,
    x_B: Array,
    load_A: Array,
    load_B: Array,
    gains: Gains,
    level: int,
    on_A: Array,
    on_B: Array,
    right: Array,
) -> None:
    """Rows of a link of any kind that constrains."""
    if kind == RIGID:
        rigid_rows(record, x_A, x_B, load_A, load_B, gains, level, on_A, on_B, right)
    elif kind == BALL:
        ball_rows(record, x_A, x_B, load_A, load_B, gains, level, on_A, on_B, right)
    elif kind == HINGE:
        hinge_rows(record, x_A, x_B, load_A, load_B, gains, level, on_A, on_B, right)
    elif kind == DISTANCE:
        distance_rows(record, x_A, x_B, load_A, load_B, gains, level, on_A, on_B, right)
    else:
        slider_rows(record, x_A, x_B, load_A, load_B, gains, level, on_A, on_B, right)
