"""Converged local solutions with CasADi and IPOPT: the reference for the real-time iteration.

CasADi is an optional dependency, the extra `casadi`.
"""

from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple, final

import numpy as np

from remora.control.docking.local_problem import DockingPlan, DockingProblem
from remora.control.docking.team import DockingTeam
from remora.distribution import install_line
from remora.equations.control.docking import (
    PlanarModel,
    cone_values,
    planar_step,
    port_pose,
    priced_constraint,
)
from remora.files.arrays import Array

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
