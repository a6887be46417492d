"""Local problem of one docking vehicle, and its solvers: the real-time iteration, and IPOPT as its reference.

The real-time iteration is one step of sequential quadratic programming with a line search per call (Diehl, Bock and
Schlöder 2005). Prediction, sensitivities and condensing are compiled; the quadratic programme has soft target rows.

Converged solutions need the optional dependency CasADi, the extra `casadi`.
"""

from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple, final

import numpy as np

from remora.control.docking.team import DockingTeam
from remora.distribution import install_line
from remora.equations.control.docking import PlanarModel, cone_values, planar_step, port_pose, priced_constraint
from remora.files.arrays import Array
from remora.plant.kernels.docking import docking_kernels
from remora.quadratic import OPTIMAL, SOFT, solve


class DockingProblem(NamedTuple):
    """Start, cost and constraints of a vehicle over its horizon of N steps; `LocalTerms` explains the cost."""

    start: Array  # state of six numbers
    model: Array
    weights: Array  # agreement, velocity, force, penalty of the cones
    goal: Array  # N + 1 x 3
    pull: Array  # N + 1 x 3
    cones: Array  # cameras x 2
    points: Array  # cameras x N + 1 x 2
    prices: Array  # cameras x N + 1 x 2
    watchers: Array  # watching neighbours x N + 1 x 6
    watcher_prices: Array  # watching neighbours x N + 1 x 2
    target: Array  # five numbers or none
    force_limits: Array  # three numbers

    @property
    def horizon(self) -> int:
        """Number of steps."""
        return len(self.goal) - 1

    @property
    def terms(self) -> tuple[Array, ...]:
        """Arguments of the compiled functions."""
        return self[1:11]


class DockingPlan(NamedTuple):
    """Forces and predicted states of a vehicle over its horizon."""

    forces: Array  # N x 3
    states: Array  # N + 1 x 6
    cost: float
    violation: float  # largest violation of a target constraint, m2 or m
    steps: int  # iterations of the solver


def columns(values: Array) -> Any:
    """The last axis of an array as a tuple, in the place of the numbers that the equations take."""
    return tuple(values[..., i] for i in range(values.shape[-1]))


def shifted(values: Array, count: int = 1) -> Array:
    """A sequence over the horizon, some steps later; the last entry is repeated."""
    count = min(count, len(values) - 1)
    return values if count == 0 else np.concatenate([values[count:], np.repeat(values[-1:], count, axis=0)])


OPTIONS: dict[str, Any] = {
    "print_time": False, "ipopt.print_level": 0, "ipopt.sb": "yes", "ipopt.tol": 1e-9, "ipopt.max_iter": 300,
    "ipopt.bound_relax_factor": 0.0,
}  # fmt: skip
STAGE_VALUES = 6  # states of a stage


class SolverFailureError(RuntimeError):
    """A converged solver that did not reach its tolerance, with its own words for the reason."""


def import_casadi() -> ModuleType:
    """CasADi, or an error that says how to install it."""
    try:
        import casadi
    except ImportError as missing:
        raise ImportError(
            f"converged docking solutions need CasADi: {install_line('casadi')}; the real-time iteration does not"
        ) from missing
    return casadi


class _Shape(NamedTuple):
    """Sizes of a local problem."""

    horizon: int
    cameras: int
    watchers: int
    has_target: bool


def _row(symbol: Any, count: int) -> tuple[Any, ...]:
    return tuple(symbol[i] for i in range(count))


def _stage_cost(p: dict[str, Any], shape: _Shape, k: int, x: tuple[Any, ...]) -> Any:
    """Cost of a state, as in the compiled prediction, from the same equations."""
    w, model = p["weights"], p["model"]
    port = port_pose((model[9], model[10], model[11]), x[:3])
    cost = 0.0
    for i in range(3):
        away = port[i] - p["goal"][k, i]
        cost += 0.5 * w[i] * away * away + p["pull"][k, i] * port[i] + w[3 + i] * x[3 + i] * x[3 + i]
    for c in range(shape.cameras):
        at = p["points"][c][k, :]
        sides = cone_values(x[2] + p["cones"][c, 0], p["cones"][c, 1], (at[0] - x[0], at[1] - x[1]))
        cost += sum(priced_constraint(p["prices"][c][k, s], w[9], sides[s])[0] for s in (0, 1))
    for c in range(shape.watchers):
        side = p["watchers"][c][k, :]
        values = [side[3 * s] * x[0] + side[3 * s + 1] * x[1] + side[3 * s + 2] for s in (0, 1)]
        cost += sum(priced_constraint(p["watcher_prices"][c][k, s], w[9], values[s])[0] for s in (0, 1))
    return cost


def _parameters(casadi: Any, shape: _Shape) -> dict[str, Any]:
    """Symbols of everything that changes from problem to problem; lists for arrays of three dimensions."""
    stages, sx = shape.horizon + 1, casadi.SX.sym
    return {
        "start": sx("start", 6),
        "model": sx("model", 12),
        "weights": sx("weights", 10),
        "goal": sx("goal", stages, 3),
        "pull": sx("pull", stages, 3),
        "cones": sx("cones", shape.cameras, 2),
        "points": [sx("points", stages, 2) for _ in range(shape.cameras)],
        "prices": [sx("prices", stages, 2) for _ in range(shape.cameras)],
        "watchers": [sx("watchers", stages, 6) for _ in range(shape.watchers)],
        "watcher_prices": [sx("watcher_prices", stages, 2) for _ in range(shape.watchers)],
        "target": sx("target", 5 if shape.has_target else 0),
    }


def _flat(casadi: Any, values: dict[str, Any]) -> Any:
    parts = []
    for value in values.values():
        parts += [casadi.vec(v) for v in value] if isinstance(value, list) else [casadi.vec(value)]
    return casadi.vertcat(*parts)


class _Programme(NamedTuple):
    """A nonlinear programme in states and forces, by multiple shooting."""

    solver: Any
    equalities: int
    inequalities: int


@lru_cache(maxsize=8)
def _programme(shape: _Shape) -> _Programme:
    casadi = import_casadi()
    p = _parameters(casadi, shape)
    states = casadi.SX.sym("states", 6, shape.horizon)
    forces = casadi.SX.sym("forces", 3, shape.horizon)
    model = PlanarModel(_row(p["model"][1:4], 3), _row(p["model"][4:7], 3), _row(p["model"][7:9], 2))
    x, cost, equal, unequal = _row(p["start"], 6), _stage_cost(p, shape, 0, _row(p["start"], 6)), [], []
    for k in range(shape.horizon):
        u = _row(forces[:, k], 3)
        cost += sum(p["weights"][6 + i] * u[i] * u[i] for i in range(3))
        after = planar_step(model, x, u, p["model"][0])
        x = _row(states[:, k], 6)
        equal += [x[i] - after[i] for i in range(6)]
        cost += _stage_cost(p, shape, k + 1, x)
        if shape.has_target:
            unequal += _target_values(p["target"], x)
    problem = {
        "x": casadi.vertcat(casadi.vec(states), casadi.vec(forces)),
        "f": cost,
        "g": casadi.vertcat(*equal, *unequal),
        "p": _flat(casadi, p),
    }
    return _Programme(casadi.nlpsol("docking", "ipopt", problem, OPTIONS), len(equal), len(unequal))


def _target_values(target: Any, x: tuple[Any, ...]) -> list[Any]:
    offset = (target[0] - x[0], target[1] - x[1])
    beyond = offset[0] * offset[0] + offset[1] * offset[1] - target[2] * target[2]
    return [beyond, *cone_values(x[2] + target[3], target[4], offset)]


def _flat_values(problem: DockingProblem) -> Array:
    """Numbers of a problem in the order of `_parameters`, matrices column by column."""
    parts = [problem.start, problem.model, problem.weights, problem.goal, problem.pull, problem.cones]
    parts += [*problem.points, *problem.prices, *problem.watchers, *problem.watcher_prices, problem.target]
    return np.concatenate([np.ravel(part, order="F") for part in parts])


@final
class ConvergedSolver:
    """Local solver that iterates to the optimum, with the target constraints hard.

    It needs CasADi, and raises `SolverFailureError` when IPOPT does not report success.
    """

    def __init__(self) -> None:
        import_casadi()

    def step(self, problem: DockingProblem, forces: Array) -> DockingPlan:
        """The optimum next to the given forces."""
        shape = _Shape(problem.horizon, len(problem.cones), len(problem.watchers), bool(problem.target.size))
        programme = _programme(shape)
        states = _predicted(problem, forces)
        limits = np.tile(problem.force_limits, shape.horizon)
        free = np.full(STAGE_VALUES * shape.horizon, np.inf)
        found = programme.solver(
            x0=np.concatenate([states[1:].ravel(), forces.ravel()]),
            p=_flat_values(problem),
            lbx=np.concatenate([-free, -limits]),
            ubx=np.concatenate([free, limits]),
            lbg=np.concatenate([np.zeros(programme.equalities), np.full(programme.inequalities, -np.inf)]),
            ubg=np.zeros(programme.equalities + programme.inequalities),
        )
        statistics = programme.solver.stats()
        if not statistics["success"]:
            raise SolverFailureError(f"IPOPT ended with {statistics['return_status']}")
        values = np.asarray(found["x"]).ravel()
        best = values[free.size :].reshape(-1, 3)
        rows = np.asarray(found["g"]).ravel()[programme.equalities :]
        states[1:] = values[: free.size].reshape(-1, 6)
        worst = float(rows.max(initial=0.0))
        return DockingPlan(best, states, float(found["f"]), worst, int(statistics["iter_count"]))


def _predicted(problem: DockingProblem, forces: Array) -> Array:
    row = problem.model
    model = PlanarModel(tuple(row[1:4]), tuple(row[4:7]), tuple(row[7:9]))
    states = [tuple(problem.start)]
    for force in forces:
        states.append(planar_step(model, states[-1], tuple(force), row[0]))
    return np.array(states)


def converged_solver(team: DockingTeam, index: int) -> ConvergedSolver:
    """The converged solver of a vehicle, for `DistributedPlanner`."""
    return ConvergedSolver()


SUFFICIENT = 1e-4  # share of the predicted decrease that a step must reach (Armijo)
SHORTEST = 1.0 / 64.0  # of a full step
CURVATURES = (1.0, 0.5, 0.0)  # shares of the second derivatives of motion and cones, tried until convex


@final
class RealTimeSolver:
    """Local solver with the work space of a horizon; one for each vehicle."""

    def __init__(self, horizon: int, with_target: bool) -> None:
        n = 3 * horizon
        rows = n if with_target else 0
        self._kernels = docking_kernels()
        self._slopes, self._sensitivities = np.zeros((horizon, 6, 8)), np.zeros((horizon + 1, 6, n))
        self._work, self._hessian, self._gradient = np.zeros((15, max(n, 6))), np.zeros((n, n)), np.zeros(n)
        self._rows, self._upper = np.zeros((rows, n)), np.zeros(rows)
        self._unbounded = np.full(rows, -1e30)
        self._sense = np.concatenate([np.zeros(n, np.int32), np.full(rows, SOFT, np.int32)])

    def step(self, problem: DockingProblem, forces: Array) -> DockingPlan:
        """Improve forces by one step; the cost of the plan never rises above that of the given forces."""
        states = np.empty((problem.horizon + 1, 6))
        states[0] = problem.start
        for curved in CURVATURES:
            change, multipliers = self._quadratic_step(problem, forces, states, curved)
            if change is not None:
                return self._searched(problem, forces, states, change, multipliers)
        cost, _, worst = self._evaluated(problem, forces, states)
        return DockingPlan(forces, states, cost, worst, 0)

    def solve(self, problem: DockingProblem, forces: Array, steps: int) -> DockingPlan:
        """Several steps on the same problem."""
        plan = self.step(problem, forces)
        for _ in range(steps - 1):
            plan = self.step(problem, plan.forces)
        return plan._replace(steps=steps)

    def _quadratic_step(
        self, problem: DockingProblem, forces: Array, states: Array, curved: float
    ) -> tuple[Array | None, Array]:
        """Step of the quadratic programme and multipliers of the target rows; None where it is not convex."""
        self._kernels.condense(
            *problem.terms, forces, states, self._slopes, self._sensitivities, self._work, curved,
            self._hessian, self._gradient, self._rows, self._upper,
        )  # fmt: skip
        limits, now = np.tile(problem.force_limits, problem.horizon), forces.ravel()
        upper = np.concatenate([limits - now, self._upper])
        lower = np.concatenate([-limits - now, self._unbounded])
        found, flag, multipliers = solve(self._hessian, self._gradient, self._rows, upper, lower, self._sense)
        if flag < OPTIMAL or not np.isfinite(found).all():
            return None, np.zeros(0)
        return np.clip(found, lower[: now.size], upper[: now.size]), multipliers[now.size :]

    def _searched(
        self, problem: DockingProblem, forces: Array, states: Array, change: Array, multipliers: Array
    ) -> DockingPlan:
        """Halve the step until cost plus weighted violation of the target decreases enough."""
        weight = 2.0 * float(np.abs(multipliers).max(initial=0.0))
        cost, total, worst = self._evaluated(problem, forces, states)
        slope = float(self._gradient @ change) - weight * total
        before, step, size = cost + weight * total, change.reshape(forces.shape), 1.0
        trial_states = states.copy()
        while size >= SHORTEST:
            trial = forces + size * step
            trial_cost, trial_total, trial_worst = self._evaluated(problem, trial, trial_states)
            if trial_cost + weight * trial_total <= before + SUFFICIENT * size * min(slope, 0.0):
                return DockingPlan(trial, trial_states, trial_cost, trial_worst, 1)
            size *= 0.5
        return DockingPlan(forces, states, cost, worst, 1)

    def _evaluated(self, problem: DockingProblem, forces: Array, states: Array) -> tuple[float, float, float]:
        found = np.empty(3)
        self._kernels.evaluate(*problem.terms, forces, states, found)
        return float(found[0]), float(found[1]), float(found[2])
