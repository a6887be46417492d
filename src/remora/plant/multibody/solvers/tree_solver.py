"""Articulated-body elimination of trees of bodies: cost linear in their number.

From the leaves to the roots each link eliminates its child; from the roots to the leaves the motions follow. The same
code solves for accelerations, for the change of velocities at an attachment and for the correction of poses: the
level says which. Plain Python; each kind of link is compiled separately.
"""

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.algebra.vectors import (
    ZERO3,
    add3,
    add6,
    angular,
    cross,
    dot3,
    join,
    linear,
    matvec3,
    scale3,
    scale6,
    scale_matrix3,
    subtract3,
    transpose3,
    vector3_at,
    vector6_at,
)
from remora.equations.links.elimination import (
    about,
    handed_up,
    moved_along,
    outer3,
    point_mass_handed_up,
    reduced_along,
    reduced_by_ball,
    reduced_to_line,
    subtree_motion,
)
from remora.equations.links.joint import (
    ACCELERATION,
    BALL,
    DISTANCE,
    HINGE,
    LINK_SIZE,
    RIGID,
    SLIDER,
    Gains,
    JointMotion,
    LinkRecord,
    distance_demand,
    distance_direction,
    hinge_axis,
    hinge_demand,
    joint_motion,
    link_at,
    point_demand,
    rigid_demand,
    slider_demand,
    sliding_point,
)
from remora.files.arrays import Array
from remora.plant.arrays import array_view
from remora.plant.multibody.solvers.memory import (
    ANGULAR_DEMAND,
    ARM,
    AXES,
    BODIES,
    ERROR_GAIN,
    FORCE,
    FREE_ACCELERATION,
    LINEAR_DEMAND,
    LOAD_BLOCKS,
    LOAD_SIZE,
    LOADS,
    MOTION,
    NODES,
    ORDER,
    ORDERED,
    RATE_GAIN,
    RESPONSE,
    ROTATION,
    SETTINGS,
    SUBTREES,
    TREE_BLOCKS,
    TREE_FORCE,
    TREE_RECORDS,
    TREE_SIZE,
    Integers,
    LinkedPair,
    accumulate_subtree,
    matrix3_from,
    put3,
    put6,
    put_matrix3,
    subtree_from,
)
from remora.plant.stages import body_state_at

PARENT, KIND, IS_FIXED, ALONE, NODE_SIZE = 0, 1, 2, 3, 4  # columns of a node of the tree


def joint_between(link: LinkRecord, pair: LinkedPair) -> JointMotion:
    """Motion of the joint points of a link."""
    R_NA, R_NB = matrix3_from(pair.load_A, ROTATION), matrix3_from(pair.load_B, ROTATION)
    A, B = body_state_at(pair.x_A), body_state_at(pair.x_B)
    return joint_motion(A, B, R_NA, R_NB, link.point_A, link.point_B)


def sliding_between(link: LinkRecord, pair: LinkedPair) -> JointMotion:
    """Motion at the sliding point of a link."""
    R_NA, R_NB = matrix3_from(pair.load_A, ROTATION), matrix3_from(pair.load_B, ROTATION)
    A, B = body_state_at(pair.x_A), body_state_at(pair.x_B)
    point_A = sliding_point(A, B, R_NA, R_NB, link.point_B)
    return joint_motion(A, B, R_NA, R_NB, point_A, link.point_B)


def begin_subtree(load: Array, s: Array, level: int) -> None:
    """Start a subtree with its body alone; below the level of accelerations no force acts."""
    for i in range(27):
        s[TREE_BLOCKS + i] = load[LOAD_BLOCKS + i]
    for i in range(6):
        s[TREE_FORCE + i] = load[FORCE + i] if level == ACCELERATION else 0.0


def eliminate_rigid(pair: LinkedPair, s_A: Array, s_B: Array, gains: Gains, level: int) -> None:
    """Hand the whole subtree of B up to A."""
    link = link_at(pair.record, 0)
    joint = joint_between(link, pair)
    demand = rigid_demand(level, gains, link, body_state_at(pair.x_A), body_state_at(pair.x_B), joint)
    # About the joint point, where the demand is imposed; `handed_up` goes on to the origin of A.
    tree = moved_along(about(subtree_from(s_B), link.point_B), demand.linear, demand.angular)
    accumulate_subtree(s_A, handed_up(tree, joint.R_BA, joint.arm_A))
    # Kept for the way back from the root, which does not evaluate the joint again.
    put_matrix3(s_B, AXES, joint.R_BA)
    put3(s_B, LINEAR_DEMAND, demand.linear)
    put3(s_B, ANGULAR_DEMAND, demand.angular)
    put3(s_B, ARM, joint.arm_A)


def eliminate_ball(pair: LinkedPair, s_A: Array, s_B: Array, gains: Gains, level: int) -> None:
    """Hand the apparent mass of the subtree of B at a ball joint up to A."""
    link = link_at(pair.record, 0)
    joint = joint_between(link, pair)
    demand = point_demand(level, gains, joint)
    tree = about(subtree_from(s_B), link.point_B)
    # A ball passes no torque: what A feels is a mass at the joint, a 3x3 matrix since it differs by direction.
    ball = reduced_by_ball(tree)
    force = subtract3(ball.force, matvec3(ball.mass, demand))
    accumulate_subtree(s_A, point_mass_handed_up(ball.mass, force, joint.R_BA, joint.arm_A))
    put_matrix3(s_B, AXES, joint.R_BA)
    put3(s_B, LINEAR_DEMAND, demand)
    put3(s_B, ARM, joint.arm_A)
    put3(s_B, RESPONSE, matvec3(ball.inverse_D, tree.t))
    put_matrix3(s_B, RESPONSE + 3, ball.gain)


def eliminate_hinge(pair: LinkedPair, s_A: Array, s_B: Array, gains: Gains, level: int) -> None:
    """Hand the subtree of B up to A, without its rotation about the hinge."""
    link = link_at(pair.record, 0)
    joint = joint_between(link, pair)
    demand, axis = hinge_demand(level, gains, link, joint), hinge_axis(link, joint)
    # Reduced first: the rest has no inertia about the axis, so that a demand along it moves nothing.
    freed = reduced_along(about(subtree_from(s_B), link.point_B), ZERO3, axis)
    tree = moved_along(freed.rest, demand.linear, demand.angular)
    accumulate_subtree(s_A, handed_up(tree, joint.R_BA, joint.arm_A))
    put_matrix3(s_B, AXES, joint.R_BA)
    put3(s_B, LINEAR_DEMAND, demand.linear)
    put3(s_B, ANGULAR_DEMAND, demand.angular)
    put3(s_B, ARM, joint.arm_A)
    put6(s_B, RESPONSE, freed.column)
    s_B[RESPONSE + 6], s_B[RESPONSE + 7] = freed.inverse, freed.force
    put3(s_B, RESPONSE + 8, axis)


def eliminate_slider(pair: LinkedPair, s_A: Array, s_B: Array, gains: Gains, level: int) -> None:
    """Hand the subtree of B up to A, without its motion along the slider."""
    link = link_at(pair.record, 0)
    # The arm of A ends where B is on the slide now: it changes its length as B slides.
    joint = sliding_between(link, pair)
    demand = slider_demand(level, gains, link, body_state_at(pair.x_A), body_state_at(pair.x_B), joint)
    axis = hinge_axis(link, joint)
    freed = reduced_along(about(subtree_from(s_B), link.point_B), axis, ZERO3)
    tree = moved_along(freed.rest, demand.linear, demand.angular)
    accumulate_subtree(s_A, handed_up(tree, joint.R_BA, joint.arm_A))
    put_matrix3(s_B, AXES, joint.R_BA)
    put3(s_B, LINEAR_DEMAND, demand.linear)
    put3(s_B, ANGULAR_DEMAND, demand.angular)
    put3(s_B, ARM, joint.arm_A)
    put6(s_B, RESPONSE, freed.column)
    s_B[RESPONSE + 6], s_B[RESPONSE + 7] = freed.inverse, freed.force
    put3(s_B, RESPONSE + 8, axis)


def eliminate_distance(pair: LinkedPair, s_A: Array, s_B: Array, gains: Gains, level: int) -> None:
    """Hand the apparent mass of the subtree of B along a distance link up to A."""
    link = link_at(pair.record, 0)
    joint = joint_between(link, pair)
    n, demand = distance_direction(joint), distance_demand(level, gains, link, joint)
    line = reduced_to_line(about(subtree_from(s_B), link.point_B), n)
    # A feels the reaction to the force of `follow_distance`, m (n.free - demand - n.a_A) along n. The part with its own
    # motion a_A is an apparent mass.
    mass, force = scale_matrix3(line.mass, outer3(n, n)), scale3(line.mass * (dot3(n, linear(line.free)) - demand), n)
    accumulate_subtree(s_A, point_mass_handed_up(mass, force, joint.R_BA, joint.arm_A))
    put_matrix3(s_B, AXES, joint.R_BA)
    put3(s_B, LINEAR_DEMAND, (demand, 0.0, 0.0))
    put3(s_B, ARM, joint.arm_A)
    put6(s_B, RESPONSE, line.free)
    put6(s_B, RESPONSE + 6, line.response)
    s_B[RESPONSE + 12] = line.mass
    put3(s_B, RESPONSE + 13, n)


def joint_of_parent(s: Array, motion_A: Array) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Motion of the joint point of the parent and its rotation, in axes of the child."""
    R_BA, a, alpha = matrix3_from(s, AXES), vector3_at(motion_A, 0), vector3_at(motion_A, 3)
    return matvec3(R_BA, add3(a, cross(alpha, vector3_at(s, ARM)))), matvec3(R_BA, alpha)


def follow_ball(record: Array, s: Array, motion_A: Array, motion_B: Array) -> None:
    """Motion of B behind a ball joint."""
    a = add3(joint_of_parent(s, motion_A)[0], vector3_at(s, LINEAR_DEMAND))
    alpha = subtract3(vector3_at(s, RESPONSE), matvec3(transpose3(matrix3_from(s, RESPONSE + 3)), a))
    # From the joint point to the origin of B; numbers 3 to 5 of a record are the joint point in its axes.
    put6(motion_B, 0, join(subtract3(a, cross(alpha, vector3_at(record, 3))), alpha))


def follow_distance(record: Array, s: Array, motion_A: Array, motion_B: Array) -> None:
    """Motion of B behind a distance link."""
    n, free, response = vector3_at(s, RESPONSE + 13), vector6_at(s, RESPONSE), vector6_at(s, RESPONSE + 6)
    required = dot3(n, joint_of_parent(s, motion_A)[0]) + s[LINEAR_DEMAND]
    force = s[RESPONSE + 12] * (required - dot3(n, linear(free)))
    at_joint = add6(free, scale6(force, response))
    alpha = angular(at_joint)
    put6(motion_B, 0, join(subtract3(linear(at_joint), cross(alpha, vector3_at(record, 3))), alpha))


def follow_axis(kind: int, record: Array, s: Array, motion_A: Array, motion_B: Array) -> None:
    """Motion of B behind a rigid link, a hinge or a slider."""
    a, alpha = joint_of_parent(s, motion_A)
    a, alpha = add3(a, vector3_at(s, LINEAR_DEMAND)), add3(alpha, vector3_at(s, ANGULAR_DEMAND))
    if kind != RIGID:
        U, V, axis = vector3_at(s, RESPONSE), vector3_at(s, RESPONSE + 3), vector3_at(s, RESPONSE + 8)
        along = s[RESPONSE + 6] * (s[RESPONSE + 7] - dot3(U, a) - dot3(V, alpha))
        if kind == HINGE:
            alpha = add3(alpha, scale3(along, axis))
        else:
            a = add3(a, scale3(along, axis))
    put6(motion_B, 0, join(subtract3(a, cross(alpha, vector3_at(record, 3))), alpha))


def place_root(node: Integers, level: int, load: Array, s: Array, motion: Array) -> None:
    """Motion of a root: zero where it is fixed, else from its 6x6 system."""
    if node[IS_FIXED] == 1 or (node[ALONE] == 1 and level != ACCELERATION):
        put6(motion, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    elif node[ALONE] == 1:
        # As it came, without rounding by the product with the inertia and a solve: a body without links moves as alone.
        put6(motion, 0, vector6_at(load, FREE_ACCELERATION))
    else:
        put6(motion, 0, subtree_motion(subtree_from(s)))


def eliminate(kind: int, pair: LinkedPair, s_A: Array, s_B: Array, gains: Gains, level: int) -> None:
    """Hand the subtree of B up to A through a link of any kind."""
    if kind == RIGID:
        eliminate_rigid(pair, s_A, s_B, gains, level)
    elif kind == BALL:
        eliminate_ball(pair, s_A, s_B, gains, level)
    elif kind == HINGE:
        eliminate_hinge(pair, s_A, s_B, gains, level)
    elif kind == SLIDER:
        eliminate_slider(pair, s_A, s_B, gains, level)
    else:
        eliminate_distance(pair, s_A, s_B, gains, level)


def solve_tree(codes: Integers, memory: Array, at_x: int, level: int) -> None:
    """Motions of all bodies of all trees at a level: motion[body] is an acceleration, a velocity or a displacement."""
    n, count = codes[BODIES], codes[ORDERED]
    order, nodes = array_view(codes, codes[ORDER], (count,)), array_view(codes, codes[NODES], (n, NODE_SIZE))
    records = array_view(memory, codes[TREE_RECORDS], (n, LINK_SIZE))
    x, motion = array_view(memory, at_x, (n, BODY_SIZE)), array_view(memory, codes[MOTION], (n, 6))
    loads = array_view(memory, codes[LOADS], (n, LOAD_SIZE))
    s = array_view(memory, codes[SUBTREES], (n, TREE_SIZE))
    gains = Gains(memory[codes[SETTINGS] + RATE_GAIN], memory[codes[SETTINGS] + ERROR_GAIN])
    # All at once, before any child adds itself to its parent. The order has parents before children.
    for k in range(count):
        begin_subtree(loads[order[k]], s[order[k]], level)
    for k in range(count - 1, -1, -1):
        i = order[k]
        p = nodes[i, PARENT]
        if p >= 0:
            pair = LinkedPair(records[i], x[p], x[i], loads[p], loads[i])
            eliminate(nodes[i, KIND], pair, s[p], s[i], gains, level)
    for k in range(count):
        i = order[k]
        p, kind = nodes[i, PARENT], nodes[i, KIND]
        if p < 0:
            place_root(nodes[i], level, loads[i], s[i], motion[i])
        elif kind == BALL:
            follow_ball(records[i], s[i], motion[p], motion[i])
        elif kind == DISTANCE:
            follow_distance(records[i], s[i], motion[p], motion[i])
        else:
            follow_axis(kind, records[i], s[i], motion[p], motion[i])
