"""Motion of the joint of a link between a body A and a body B, the demands of each kind of link, and its rows.

All vectors are in the axes of B. A link demands that an increment of B (an acceleration, a velocity or a displacement)
equals that of A at the joint, plus a demand, plus a free part: d_B = R_BA d_A + demand + free. The same solvers serve
accelerations, the impulse at an attachment and the projection of poses. Nielsen 2018, ch. 3.

The level of a demand is ACCELERATION, VELOCITY or POSITION; its gains stabilise accelerations.

Constraint rows in the body accelerations of A and B are J_A nu_A' + J_B nu_B' = b: Nielsen 2018, eq. 3.61 and 3.66,
corrected, in axes of B, where both blocks rotate body accelerations. Every kind of link keeps some of the six rows of a
rigid link, or projections of them. A latch is a spring and damper in all six directions.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import select, sqrt
from remora.equations.algebra.quaternions import conjugate, product
from remora.equations.algebra.vectors import (
    ZERO3,
    add3,
    cross,
    dot3,
    join,
    matmul3,
    matvec3,
    scale3,
    subtract3,
    transpose3,
    vector3_at,
)
from remora.equations.types import (
    BodyState,
    Direction,
    Matrix3,
    Numbers,
    Quaternion,
    RotationMatrix,
    Vector3,
    Vector6,
    Wrench,
)

RIGID, BALL, HINGE, SLIDER, DISTANCE, LATCH = range(6)
ACCELERATION, VELOCITY, POSITION = range(3)  # levels of a constraint
LINK_SIZE = 27
SHORTEST = 1e-9  # m: below this distance a distance link has no direction


class LinkRecord(NamedTuple):
    """Geometry of a link, and the stiffness of a latch."""

    point_A: Vector3  # joint point in axes of A, m
    point_B: Vector3  # joint point in axes of B, m
    axis_A: Vector3  # unit axis of a hinge or slider, fixed in A
    axis_B: Vector3  # the same fixed in B
    q_AB: Quaternion  # attitude of B in A
    length: float  # of a distance link, m
    stiffness: tuple[float, float]  # N/m and N m/rad
    damping: tuple[float, float]  # N s/m and N m s/rad
    across_A: Vector3  # two unit vectors across the axis, fixed in A
    beyond_A: Vector3


class JointMotion(NamedTuple):
    """Relative motion at a joint, in axes of B."""

    R_BA: Matrix3
    arm_A: Vector3  # joint point of A in axes of A, m
    gap: Vector3  # joint point of A minus that of B, m
    gap_rate: Vector3  # velocity of the joint point of A minus that of B, m/s
    centripetal: Vector3  # the same of the accelerations without those of the twists, m/s2
    w_A: Vector3  # angular velocities, rad/s
    w_B: Vector3


class Demand(NamedTuple):
    """Demanded linear and angular increment of B relative to A, in axes of B."""

    linear: Vector3
    angular: Vector3


class Gains(NamedTuple):
    """Feedback of Baumgarte's stabilisation: 2 alpha in 1/s, beta squared in 1/s2; zero without it."""

    rate: float
    error: float


def link_at(row: Numbers, k: int) -> LinkRecord:
    """One link from a row of numbers."""
    return LinkRecord(
        point_A=vector3_at(row, k),
        point_B=vector3_at(row, k + 3),
        axis_A=vector3_at(row, k + 6),
        axis_B=vector3_at(row, k + 9),
        q_AB=(row[k + 12], row[k + 13], row[k + 14], row[k + 15]),
        length=row[k + 16],
        stiffness=(row[k + 17], row[k + 18]),
        damping=(row[k + 19], row[k + 20]),
        across_A=vector3_at(row, k + 21),
        beyond_A=vector3_at(row, k + 24),
    )


def joint_motion(
    x_A: BodyState, x_B: BodyState, R_NA: RotationMatrix, R_NB: RotationMatrix, point_A: Vector3, point_B: Vector3
) -> JointMotion:
    """Relative motion of a point of A and a point of B.

    Each point is in the axes of its body.
    """
    R_BN = transpose3(R_NB)
    R_BA = matmul3(R_BN, R_NA)
    v_A, w_A = (x_A[7], x_A[8], x_A[9]), (x_A[10], x_A[11], x_A[12])
    v_B, w_B = (x_B[7], x_B[8], x_B[9]), (x_B[10], x_B[11], x_B[12])
    apart = matvec3(R_BN, (x_A[0] - x_B[0], x_A[1] - x_B[1], x_A[2] - x_B[2]))
    speed_A, speed_B = add3(v_A, cross(w_A, point_A)), add3(v_B, cross(w_B, point_B))
    return JointMotion(
        R_BA=R_BA,
        arm_A=point_A,
        gap=subtract3(add3(apart, matvec3(R_BA, point_A)), point_B),
        gap_rate=subtract3(matvec3(R_BA, speed_A), speed_B),
        centripetal=subtract3(matvec3(R_BA, cross(w_A, speed_A)), cross(w_B, speed_B)),
        w_A=matvec3(R_BA, w_A),
        w_B=w_B,
    )


def sliding_point(
    x_A: BodyState, x_B: BodyState, R_NA: RotationMatrix, R_NB: RotationMatrix, point_B: Vector3
) -> Vector3:
    """The point of A, in its axes, at which a point of B is now."""
    there = matvec3(R_NB, point_B)
    apart = (x_B[0] - x_A[0] + there[0], x_B[1] - x_A[1] + there[1], x_B[2] - x_A[2] + there[2])
    return matvec3(transpose3(R_NA), apart)


def attitude_error(q_NA: Quaternion, q_NB: Quaternion, q_AB: Quaternion) -> Vector3:
    """Small rotation of B, in its axes, that gives it the attitude q_AB in A: twice the vector part, hemisphere chosen.

    `q_AB` is the demanded attitude of B in A.
    """
    e = product(conjugate(q_NB), product(q_NA, q_AB))
    sign = select(e[0] < 0.0, -2.0, 2.0)
    return (sign * e[1], sign * e[2], sign * e[3])


def across(axis: Vector3, a: Vector3) -> Vector3:
    """The part of a vector across a unit axis."""
    return subtract3(a, scale3(dot3(axis, a), axis))


def point_demand(level: int, gains: Gains, joint: JointMotion) -> Vector3:
    """Linear demand of coincident joint points at a level. Nielsen 2018, eq. 3.57 to 3.62, rows corrected."""
    if level == VELOCITY:
        return joint.gap_rate
    if level == POSITION:
        return joint.gap
    feedback = add3(scale3(gains.rate, joint.gap_rate), scale3(gains.error, joint.gap))
    return add3(joint.centripetal, feedback)


def turn_demand(level: int, gains: Gains, joint: JointMotion, error: Vector3) -> Vector3:
    """Angular demand of equal angular velocities at a level, with the attitude error of the link.

    `error` is the small rotation of B that removes its attitude error.
    """
    difference = subtract3(joint.w_A, joint.w_B)
    if level == VELOCITY:
        return difference
    if level == POSITION:
        return error
    feedback = add3(scale3(gains.rate, difference), scale3(gains.error, error))
    return add3(cross(joint.w_A, joint.w_B), feedback)


def rigid_demand(
    level: int, gains: Gains, link: LinkRecord, x_A: BodyState, x_B: BodyState, joint: JointMotion
) -> Demand:
    """Demand of a rigid link: joint points coincide and the attitude q_AB is kept. Nielsen 2018, 3.4, corrected."""
    error = attitude_error((x_A[3], x_A[4], x_A[5], x_A[6]), (x_B[3], x_B[4], x_B[5], x_B[6]), link.q_AB)
    return Demand(point_demand(level, gains, joint), turn_demand(level, gains, joint, error))


def hinge_axis(link: LinkRecord, joint: JointMotion) -> Vector3:
    """Axis of a hinge or slider, fixed in A, in axes of B."""
    return matvec3(joint.R_BA, link.axis_A)


def hinge_demand(level: int, gains: Gains, link: LinkRecord, joint: JointMotion) -> Demand:
    """Demand of a hinge: joint points coincide and the axes stay parallel; rotation about the axis is free."""
    axis = hinge_axis(link, joint)
    tilt = cross(link.axis_B, axis)
    if level == ACCELERATION:
        difference = across(axis, subtract3(joint.w_A, joint.w_B))
        feedback = add3(scale3(gains.rate, difference), scale3(gains.error, tilt))
        return Demand(point_demand(level, gains, joint), add3(cross(joint.w_A, joint.w_B), feedback))
    return Demand(point_demand(level, gains, joint), turn_demand(level, gains, joint, tilt))


def slider_demand(
    level: int, gains: Gains, link: LinkRecord, x_A: BodyState, x_B: BodyState, joint: JointMotion
) -> Demand:
    """Demand of a slider: the attitude q_AB is kept; the joint point of B moves along the axis in A.

    The joint motion is that of the sliding point, at which the gap is zero.
    """
    error = attitude_error((x_A[3], x_A[4], x_A[5], x_A[6]), (x_B[3], x_B[4], x_B[5], x_B[6]), link.q_AB)
    angular = turn_demand(level, gains, joint, error)
    axis = hinge_axis(link, joint)
    offset = across(axis, matvec3(joint.R_BA, subtract3(link.point_A, joint.arm_A)))
    if level == POSITION:
        return Demand(offset, angular)
    if level == VELOCITY:
        return Demand(joint.gap_rate, angular)
    turning = scale3(-2.0, cross(joint.w_A, joint.gap_rate))
    feedback = add3(scale3(gains.rate, across(axis, joint.gap_rate)), scale3(gains.error, offset))
    return Demand(add3(add3(joint.centripetal, turning), feedback), angular)


def distance_direction(joint: JointMotion) -> Vector3:
    """Unit vector from the joint point of A to that of B; zero where they coincide."""
    length = sqrt(dot3(joint.gap, joint.gap))
    return scale3(select(length > SHORTEST, -1.0 / select(length > SHORTEST, length, 1.0), 0.0), joint.gap)


def distance_demand(level: int, gains: Gains, link: LinkRecord, joint: JointMotion) -> float:
    """Demand of a distance link along its direction from A to B."""
    n, length = distance_direction(joint), sqrt(dot3(joint.gap, joint.gap))
    rate, error = dot3(n, joint.gap_rate), link.length - length
    if level == VELOCITY:
        return rate
    if level == POSITION:
        return error
    turning = (dot3(joint.gap_rate, joint.gap_rate) - rate * rate) / select(length > SHORTEST, length, 1.0)
    return dot3(n, joint.centripetal) - turning + gains.rate * rate + gains.error * error


def latch_wrench(link: LinkRecord, x_A: BodyState, x_B: BodyState, joint: JointMotion) -> Wrench:
    """Wrench of a latch on B about its joint point, in axes of B; A receives the opposite at the same point.

    The damper takes energy from any relative motion. Attitude errors are those of small angles. `link` gives stiffness
    and damping.
    """
    error = attitude_error((x_A[3], x_A[4], x_A[5], x_A[6]), (x_B[3], x_B[4], x_B[5], x_B[6]), link.q_AB)
    turning = subtract3(joint.w_A, joint.w_B)
    force = add3(scale3(link.stiffness[0], joint.gap), scale3(link.damping[0], joint.gap_rate))
    torque = add3(scale3(link.stiffness[1], error), scale3(link.damping[1], turning))
    return join(force, torque)


class ConstraintRow(NamedTuple):
    """One constraint row and its right-hand side."""

    on_A: Vector6
    on_B: Vector6
    right: float


def point_row(n: Direction, joint: JointMotion, point_B: Vector3, demand: Vector3) -> ConstraintRow:
    """Row along n (axes of B): n . (acceleration of the point of A - that of B) = -n . demand.

    `point_B` is the joint point in axes of B, `demand` the linear demand of the link.
    """
    m = matvec3(transpose3(joint.R_BA), n)
    minus = scale3(-1.0, n)
    return ConstraintRow(join(m, cross(joint.arm_A, m)), join(minus, cross(point_B, minus)), -dot3(n, demand))


def turn_row(n: Direction, joint: JointMotion, demand: Vector3) -> ConstraintRow:
    """Row along n (axes of B): n . (angular acceleration of A - that of B) = -n . demand.

    `demand` is the angular demand of the link.
    """
    m = matvec3(transpose3(joint.R_BA), n)
    return ConstraintRow(join(ZERO3, m), join(ZERO3, scale3(-1.0, n)), -dot3(n, demand))
