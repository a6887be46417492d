"""Prediction of a docking vehicle over a horizon: states, cost and violation of the target constraints.

Plain Python, compiled by `kernels.docking.compiled`. Stage data of a local problem are arrays over the horizon;
`LocalTerms` names them.
"""

from typing import Any, NamedTuple

from remora.equations.control.docking import PlanarModel, cone_values, planar_step, port_pose, priced_constraint
from remora.files.arrays import Array

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
