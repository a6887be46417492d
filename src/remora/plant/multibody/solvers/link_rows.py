"""Constraint rows of the links of loops, written to arrays; each kind of link is compiled separately."""

from remora.equations.algebra.vectors import IDENTITY3, matvec3, scale3
from remora.equations.links.joint import (
    BALL,
    DISTANCE,
    HINGE,
    RIGID,
    ConstraintRow,
    Gains,
    distance_demand,
    distance_direction,
    hinge_demand,
    link_at,
    point_demand,
    point_row,
    rigid_demand,
    slider_demand,
    turn_row,
)
from remora.equations.types import Vector3
from remora.plant.multibody.solvers.memory import LinkedPair, LinkRows, put6
from remora.plant.multibody.solvers.tree_solver import joint_between, sliding_between
from remora.plant.stages import body_state_at

ROWS_OF_KIND = (6, 3, 5, 5, 1, 0)  # rigid, ball, hinge, slider, distance, latch


def put_row(rows: LinkRows, k: int, row: ConstraintRow) -> None:
    """Write one constraint row."""
    put6(rows.on_A[k], 0, row.on_A)
    put6(rows.on_B[k], 0, row.on_B)
    rows.right[k] = row.right


def unit3(k: int) -> Vector3:
    """Unit vector of an axis."""
    return IDENTITY3[k]


def rigid_rows(pair: LinkedPair, gains: Gains, level: int, rows: LinkRows) -> None:
    """Six rows of a rigid link."""
    link = link_at(pair.record, 0)
    joint = joint_between(link, pair)
    demand = rigid_demand(level, gains, link, body_state_at(pair.x_A), body_state_at(pair.x_B), joint)
    for k in range(3):
        put_row(rows, k, point_row(unit3(k), joint, link.point_B, demand.linear))
        put_row(rows, 3 + k, turn_row(unit3(k), joint, demand.angular))


def ball_rows(pair: LinkedPair, gains: Gains, level: int, rows: LinkRows) -> None:
    """Three rows of a ball joint."""
    link = link_at(pair.record, 0)
    joint = joint_between(link, pair)
    demand = point_demand(level, gains, joint)
    for k in range(3):
        put_row(rows, k, point_row(unit3(k), joint, link.point_B, demand))


def hinge_rows(pair: LinkedPair, gains: Gains, level: int, rows: LinkRows) -> None:
    """Five rows of a hinge."""
    link = link_at(pair.record, 0)
    joint = joint_between(link, pair)
    demand = hinge_demand(level, gains, link, joint)
    for k in range(3):
        put_row(rows, k, point_row(unit3(k), joint, link.point_B, demand.linear))
    put_row(rows, 3, turn_row(matvec3(joint.R_BA, link.across_A), joint, demand.angular))
    put_row(rows, 4, turn_row(matvec3(joint.R_BA, link.beyond_A), joint, demand.angular))


def slider_rows(pair: LinkedPair, gains: Gains, level: int, rows: LinkRows) -> None:
    """Five rows of a slider."""
    link = link_at(pair.record, 0)
    joint = sliding_between(link, pair)
    demand = slider_demand(level, gains, link, body_state_at(pair.x_A), body_state_at(pair.x_B), joint)
    for k in range(3):
        put_row(rows, k, turn_row(unit3(k), joint, demand.angular))
    across, beyond = matvec3(joint.R_BA, link.across_A), matvec3(joint.R_BA, link.beyond_A)
    put_row(rows, 3, point_row(across, joint, link.point_B, demand.linear))
    put_row(rows, 4, point_row(beyond, joint, link.point_B, demand.linear))


def distance_rows(pair: LinkedPair, gains: Gains, level: int, rows: LinkRows) -> None:
    """The row of a distance link."""
    link = link_at(pair.record, 0)
    joint = joint_between(link, pair)
    n = distance_direction(joint)
    demand = scale3(distance_demand(level, gains, link, joint), n)
    put_row(rows, 0, point_row(n, joint, link.point_B, demand))


def rows_of_link(kind: int, pair: LinkedPair, gains: Gains, level: int, rows: LinkRows) -> None:
    """Rows of a link of any kind that constrains."""
    if kind == RIGID:
        rigid_rows(pair, gains, level, rows)
    elif kind == BALL:
        ball_rows(pair, gains, level, rows)
    elif kind == HINGE:
        hinge_rows(pair, gains, level, rows)
    elif kind == DISTANCE:
        distance_rows(pair, gains, level, rows)
    else:
        slider_rows(pair, gains, level, rows)
