"""Prediction and condensing for cooperative docking: a local problem as a quadratic programme in the forces alone.

Stage data of a local problem are arrays over the horizon; `LocalTerms` names them. `evaluate` predicts states, cost
and violation of the target constraints; `condense` makes the programme about a predicted trajectory. Sensitivities come
from dual numbers, the gradient from costates, and the Hessian holds the curvature of the motion by the trapezoidal
rule.
Plain Python, compiled by `docking_kernels` on first use.
"""

import sys
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numba
from numba import float64, void

from remora.equations.control.docking import (
    PlanarModel,
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
from remora.plant import registration
from remora.plant.compilation import from_cache
from remora.plant.dual.dual_functions import dual_tuple, seeded, store_tuple_slopes

STATES, INPUTS = 6, 3
MODEL_SIZE = 12  # step, inertia, drag, current, port
WEIGHTS_SIZE = 10  # agreement, velocity, force, penalty of the cones
TARGET_SIZE = 5  # north, east, largest distance, mounting angle, half angle
TARGET_ROWS = 3


class LocalTerms(NamedTuple):
    """Cost and constraints of one vehicle, for stages 0 to N.

    The cost of a stage is K/2 (port - goal)^2 + pull . port + W nu^2 + R u^2, plus `priced_constraint` of the distances
    to the sides of each cone: of the own cameras, and of those of the neighbours that watch this vehicle.
    """

    model: Any
    weights: Any
    goal: Any  # N + 1 x 3
    pull: Any  # N + 1 x 3
    cones: Any  # cameras x 2: mounting angle, half angle
    points: Any  # cameras x N + 1 x 2: positions of what each camera looks at
    prices: Any  # cameras x N + 1 x 2
    watchers: Any  # neighbours x N + 1 x 6: normal (north, east) and constant of both sides of the cone
    watcher_prices: Any  # neighbours x N + 1 x 2
    target: Any  # TARGET_SIZE numbers, or none


def model_at(row: Array) -> PlanarModel:
    """The planar model in a row."""
    return PlanarModel((row[1], row[2], row[3]), (row[4], row[5], row[6]), (row[7], row[8]))


def state_at(x: Array) -> tuple[float, float, float, float, float, float]:
    """The state in a row."""
    return (x[0], x[1], x[2], x[3], x[4], x[5])


def predict(model: Array, forces: Array, states: Array) -> None:
    """Fill the states 1 to N from state 0 and the forces."""
    planar = model_at(model)
    for k in range(len(forces)):
        x = planar_step(planar, state_at(states[k]), (forces[k, 0], forces[k, 1], forces[k, 2]), model[0])
        for i in range(STATES):
            states[k + 1, i] = x[i]


def target_values(target: Array, x: Array) -> tuple[float, float, float]:
    """Squared distance beyond the largest one, and distances to the sides of the cone towards the target."""
    offset = (target[0] - x[0], target[1] - x[1])
    sides = cone_values(x[2] + target[3], target[4], offset)
    return (offset[0] * offset[0] + offset[1] * offset[1] - target[2] * target[2], sides[0], sides[1])


def stage_cost(t: LocalTerms, k: int, x: Array) -> float:
    """Cost of the state at a stage."""
    port = port_pose((t.model[9], t.model[10], t.model[11]), (x[0], x[1], x[2]))
    cost = 0.0
    for i in range(3):
        away = port[i] - t.goal[k, i]
        cost += 0.5 * t.weights[i] * away * away + t.pull[k, i] * port[i] + t.weights[3 + i] * x[3 + i] * x[3 + i]
    for c in range(len(t.cones)):
        offset = (t.points[c, k, 0] - x[0], t.points[c, k, 1] - x[1])
        sides = cone_values(x[2] + t.cones[c, 0], t.cones[c, 1], offset)
        for side in range(2):
            cost += priced_constraint(t.prices[c, k, side], t.weights[9], sides[side])[0]
    for w in range(len(t.watchers)):
        for side in range(2):
            value = watched_value(t.watchers[w, k], 3 * side, x)
            cost += priced_constraint(t.watcher_prices[w, k, side], t.weights[9], value)[0]
    return cost


def watched_value(watcher: Array, at: int, x: Array) -> float:
    """Distance of this vehicle to a side of a neighbour's cone, m."""
    return watcher[at] * x[0] + watcher[at + 1] * x[1] + watcher[at + 2]


def evaluate(
    model: Array, weights: Array, goal: Array, pull: Array, cones: Array, points: Array, prices: Array, watchers: Array,
    watcher_prices: Array, target: Array, forces: Array, states: Array, found: Array,
) -> None:  # fmt: skip
    """Predict, and write to `found`: cost, sum and maximum of the violations of the target constraints.

    Arguments up to `target` are those of `LocalTerms`. Forces are N x 3, in N and N m in B; states are N + 1 x 6, of
    which state 0 is given.
    """
    t = LocalTerms(model, weights, goal, pull, cones, points, prices, watchers, watcher_prices, target)
    predict(model, forces, states)
    cost, total, worst = 0.0, 0.0, 0.0
    for k in range(len(states)):
        cost += stage_cost(t, k, states[k])
        if k > 0 and len(target) > 0:
            for value in target_values(target, states[k]):
                total += max(value, 0.0)
                worst = max(worst, value)
    for k in range(len(forces)):
        for i in range(INPUTS):
            cost += weights[6 + i] * forces[k, i] * forces[k, i]
    found[0], found[1], found[2] = cost, total, worst


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


_ROW, _SHEET, _BOOK = float64[::1], float64[:, ::1], float64[:, :, ::1]
_TERMS = (_ROW, _ROW, _SHEET, _SHEET, _SHEET, _BOOK, _BOOK, _BOOK, _BOOK, _ROW)
EVALUATE = void(*_TERMS, _SHEET, _SHEET, _ROW)
CONDENSE = void(*_TERMS, _SHEET, _SHEET, _BOOK, _BOOK, _SHEET, float64, _SHEET, _ROW, _SHEET, _ROW)


class DockingKernels(NamedTuple):
    """The compiled functions of a local docking problem."""

    evaluate: Any
    condense: Any


def _entry_points(cached: dict[str, Any]) -> DockingKernels:
    registration.register_functions(sys.modules[__name__], without=("evaluate", "condense", "_entry_points"))
    cached = {**cached, "nogil": False}  # a call is too short to release the interpreter's lock
    return DockingKernels(numba.njit(EVALUATE, **cached)(evaluate), numba.njit(CONDENSE, **cached)(condense))


@lru_cache(maxsize=1)
def docking_kernels() -> DockingKernels:
    """Prediction and condensing, compiled or from the cache."""
    return cast(DockingKernels, from_cache("the equations of docking", _entry_points))
