"""Condensing of a docking problem: the quadratic programme in the forces alone, about a predicted trajectory.

Sensitivities come from dual numbers, the gradient from costates, and the Hessian holds the curvature of the motion by
the trapezoidal rule. Plain Python, compiled by `kernels.docking.compiled`.
"""

from remora.equations.control.docking import (
    cone_normals,
    cone_slopes,
    cone_values,
    motion_curvature,
    planar_step,
    port_pose,
    port_slope,
    priced_constraint,
)
from remora.files.arrays import Array
from remora.plant.docking.prediction import (
    INPUTS,
    STATES,
    TARGET_ROWS,
    LocalTerms,
    model_at,
    predict,
    state_at,
    target_values,
    watched_value,
)
from remora.plant.dual.dual_intrinsics import seeded
from remora.plant.dual.dual_tuples import dual_tuple, store_tuple_slopes

SLOPE_WIDTH = 8  # heading, velocities and forces; position is carried over unchanged


def linearise(model: Array, x: Array, force: Array, slopes: Array) -> None:
    """Derivatives of a step by heading, velocities and forces, 6 x 8."""
    moved = planar_step(
        model_at(model),
        (
            seeded(x[0], -1), seeded(x[1], -1), seeded(x[2], 0), seeded(x[3], 1), seeded(x[4], 2), seeded(x[5], 3),
        ),
        (seeded(force[0], 4), seeded(force[1], 5), seeded(force[2], 6)),
        model[0],
    )  # fmt: skip
    store_tuple_slopes(slopes, 0, SLOPE_WIDTH, dual_tuple(moved), 6)


def spread_sensitivities(slopes: Array, before: Array, after: Array, k: int) -> None:
    """Derivatives of state k + 1 by all forces, from those of state k: 6 x 3 N each."""
    for i in range(STATES):
        for j in range(INPUTS * k):
            total = before[i, j] if i < 2 else 0.0
            for m in range(4):
                total += slopes[i, m] * before[2 + m, j]
            after[i, j] = total
        for j in range(INPUTS):
            after[i, INPUTS * k + j] = slopes[i, 4 + j]


def stage_derivatives(t: LocalTerms, k: int, x: Array, curved: float, gradient: Array, hessian: Array) -> None:
    """Gradient and Hessian of the cost of a state, without the prices of cones."""
    port = (t.model[9], t.model[10], t.model[11])
    pose, slope = port_pose(port, (x[0], x[1], x[2])), port_slope(port, x[2])
    for i in range(STATES):
        for j in range(STATES):
            hessian[i, j] = 0.0
    for i in range(3):
        gradient[i] = t.weights[i] * (pose[i] - t.goal[k, i]) + t.pull[k, i]
        gradient[3 + i] = 2.0 * t.weights[3 + i] * x[3 + i]
        hessian[i, i] = t.weights[i]
        hessian[3 + i, 3 + i] = 2.0 * t.weights[3 + i]
    hessian[2, 2] -= curved * ((pose[0] - x[0]) * gradient[0] + (pose[1] - x[1]) * gradient[1])
    for i in range(2):
        gradient[2] += slope[i] * gradient[i]
        hessian[i, 2] = hessian[2, i] = t.weights[i] * slope[i]
        hessian[2, 2] += t.weights[i] * slope[i] * slope[i]


def add_cones(t: LocalTerms, k: int, x: Array, curved: float, gradient: Array, hessian: Array) -> None:
    """Add the derivatives of the priced distances to the sides of the own cones."""
    for c in range(len(t.cones)):
        axis, half_angle = x[2] + t.cones[c, 0], t.cones[c, 1]
        offset = (t.points[c, k, 0] - x[0], t.points[c, k, 1] - x[1])
        normals = cone_normals(axis, half_angle)
        turn, sides = cone_slopes(axis, half_angle, offset), cone_values(axis, half_angle, offset)
        for side in range(2):
            _, slope, stiffness = priced_constraint(t.prices[c, k, side], t.weights[9], sides[side])
            normal = normals[side]
            add_constraint(-normal[0], -normal[1], turn[side], slope, stiffness, gradient, hessian)
            # Turning the camera turns the normal by a right angle.
            hessian[2, 2] -= curved * slope * sides[side]
            hessian[0, 2] += curved * slope * normal[1]
            hessian[1, 2] -= curved * slope * normal[0]
            hessian[2, 0], hessian[2, 1] = hessian[0, 2], hessian[1, 2]


def add_watchers(t: LocalTerms, k: int, x: Array, gradient: Array, hessian: Array) -> None:
    """Add the derivatives of the priced distances to the sides of the cones of neighbours."""
    for w in range(len(t.watchers)):
        for side in range(2):
            value = watched_value(t.watchers[w, k], 3 * side, x)
            _, slope, stiffness = priced_constraint(t.watcher_prices[w, k, side], t.weights[9], value)
            normal = t.watchers[w, k, 3 * side : 3 * side + 2]
            add_constraint(normal[0], normal[1], 0.0, slope, stiffness, gradient, hessian)


def add_constraint(
    north: float, east: float, heading: float, slope: float, stiffness: float, gradient: Array, hessian: Array
) -> None:
    """Add a cost with this slope and stiffness in a value with these derivatives by the pose."""
    direction = (north, east, heading)
    for i in range(3):
        gradient[i] += slope * direction[i]
        for j in range(3):
            hessian[i, j] += stiffness * direction[i] * direction[j]


def add_motion_curvature(x: Array, costate: Array, half_step: float, hessian: Array) -> None:
    """Add the second derivatives of the motion over half a step, weighed by the costate."""
    turning, surge, sway = motion_curvature(state_at(x), (costate[0], costate[1]))
    hessian[2, 2] += half_step * turning
    hessian[2, 3] += half_step * surge
    hessian[3, 2] += half_step * surge
    hessian[2, 4] += half_step * sway
    hessian[4, 2] += half_step * sway


def carry_costate(slopes: Array, costate: Array, gradient: Array, before: Array) -> None:
    """The costate before a step: gradient of the stage plus the derivatives of the step times the costate after it."""
    for j in range(2):
        before[j] = gradient[j] + costate[j]
    for m in range(4):
        total = gradient[2 + m]
        for i in range(STATES):
            total += slopes[i, m] * costate[i]
        before[2 + m] = total


def add_stage_hessian(stage: Array, sensitivity: Array, count: int, product: Array, hessian: Array) -> None:
    """Add G^T Q G to the lower triangle, for the first forces."""
    for m in range(STATES):
        for j in range(count):
            product[m, j] = stage[m, 0] * sensitivity[0, j]
        for i in range(1, STATES):
            if stage[m, i] != 0.0:
                for j in range(count):
                    product[m, j] += stage[m, i] * sensitivity[i, j]
    for i in range(count):
        a, b, c = product[0, i], product[1, i], product[2, i]
        d, e, f = product[3, i], product[4, i], product[5, i]
        for j in range(i + 1):
            hessian[i, j] += (
                a * sensitivity[0, j] + b * sensitivity[1, j] + c * sensitivity[2, j]
                + d * sensitivity[3, j] + e * sensitivity[4, j] + f * sensitivity[5, j]
            )  # fmt: skip


def target_rows(target: Array, x: Array, sensitivity: Array, count: int, rows: Array, upper: Array) -> None:
    """Linearised target constraints of a stage: rows . change of the forces <= upper."""
    offset = (target[0] - x[0], target[1] - x[1])
    axis = x[2] + target[3]
    right, left = cone_normals(axis, target[4])
    turn = cone_slopes(axis, target[4], offset)
    values = target_values(target, x)
    for i in range(TARGET_ROWS):
        upper[i] = -values[i]
    for j in range(count):
        north, east, heading = sensitivity[0, j], sensitivity[1, j], sensitivity[2, j]
        rows[0, j] = -2.0 * (offset[0] * north + offset[1] * east)
        rows[1, j] = -right[0] * north - right[1] * east + turn[0] * heading
        rows[2, j] = -left[0] * north - left[1] * east + turn[1] * heading


def condense(
    model: Array, weights: Array, goal: Array, pull: Array, cones: Array, points: Array, prices: Array, watchers: Array,
    watcher_prices: Array, target: Array, forces: Array, states: Array, slopes: Array, sensitivities: Array,
    work: Array, curved: float, hessian: Array, gradient: Array, rows: Array, upper: Array,
) -> None:  # fmt: skip
    """Quadratic programme in the change of the forces; the arguments up to `target` are those of `LocalTerms`.

    The linearisation point is forces, N x 3, and states, N + 1 x 6; state 0 is given, the others are written. Work
    space: slopes, N x 6 x 8, sensitivities, N + 1 x 6 x 3 N, and work, 15 x max(3 N, 6). `curved` is the share of the
    curvature of motion, port and cones in the Hessian; with 0 it is positive definite.

    Results: hessian, 3 N x 3 N, and gradient, 3 N; linearised target constraints in rows, 3 N x 3 N, and upper, 3 N,
    which are empty without a target. Entries of later forces stay zero.
    """
    t = LocalTerms(model, weights, goal, pull, cones, points, prices, watchers, watcher_prices, target)
    steps = len(forces)
    predict(model, forces, states)
    for k in range(steps):
        linearise(model, states[k], forces[k], slopes[k])
        spread_sensitivities(slopes[k], sensitivities[k], sensitivities[k + 1], k)
    start_force_terms(weights, forces, hessian, gradient)
    add_stages(t, states, slopes, sensitivities, work, curved, hessian, gradient)
    if len(target) > 0:
        for k in range(1, steps + 1):
            at = TARGET_ROWS * (k - 1)
            target_rows(target, states[k], sensitivities[k], INPUTS * k, rows[at : at + 3], upper[at : at + 3])
    for i in range(len(gradient)):
        for j in range(i):
            hessian[j, i] = hessian[i, j]


def start_force_terms(weights: Array, forces: Array, hessian: Array, gradient: Array) -> None:
    """Cost of the forces themselves."""
    for i in range(len(gradient)):
        weight = 2.0 * weights[6 + i % INPUTS]
        gradient[i] = weight * forces[i // INPUTS, i % INPUTS]
        for j in range(i):
            hessian[i, j] = 0.0
        hessian[i, i] = weight


def add_stages(
    t: LocalTerms, states: Array, slopes: Array, sensitivities: Array, work: Array, curved: float, hessian: Array,
    gradient: Array,
) -> None:  # fmt: skip
    """Add the costs of all states, from the last to the first."""
    steps, half = len(slopes), 0.5 * curved * t.model[0]
    product, stage, slope, costate, after = work[:6], work[6:12], work[12], work[13], work[14]
    for i in range(STATES):
        after[i] = 0.0
    for k in range(steps, 0, -1):
        stage_derivatives(t, k, states[k], curved, slope, stage)
        add_cones(t, k, states[k], curved, slope, stage)
        add_watchers(t, k, states[k], slope, stage)
        if k < steps:
            carry_costate(slopes[k], after, slope, costate)
        else:
            for i in range(STATES):
                costate[i] = slope[i]
        add_motion_curvature(states[k], costate, half, stage)
        add_motion_curvature(states[k], after, half, stage)
        for j in range(INPUTS):
            for i in range(STATES):
                gradient[INPUTS * (k - 1) + j] += slopes[k - 1, i, 4 + j] * costate[i]
        add_stage_hessian(stage, sensitivities[k], INPUTS * k, product, hessian)
        for i in range(STATES):
            after[i] = costate[i]
